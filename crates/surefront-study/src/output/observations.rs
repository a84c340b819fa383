//! Every observation, for other programs: as CSV, or one JSON object on each line.

use std::io::{self, Write};
use std::ops::ControlFlow;

use csv::Writer;
use serde::{Serialize, Serializer};
use surefront::{Problem, Reading};

use super::kind::OBSERVATION_COLUMNS;
use super::rows::io_error;
use crate::store::{Observation, View};

/// Further columns that are no objective, for the observations that were taken back.
const RETRACTED_COLUMNS: [&str; 2] = ["retracted_at", "retracted_reason"];

/// Which observations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that count.
    Counting,
    /// Those that were taken back as well.
    All,
}

/// What they are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservationFormat {
    /// A table.
    Csv,
    /// One JSON object on each line.
    JsonLines,
}

/// Writes the observations of a store, as it is at one moment.
pub fn write(view: &View, which: Which, format: ObservationFormat, output: &mut dyn Write) -> io::Result<()> {
    match format {
        ObservationFormat::Csv => csv(view, view.problem(), which, output),
        ObservationFormat::JsonLines => json_lines(view, view.problem(), which, output),
    }
}

fn csv(view: &View, problem: &Problem, which: Which, output: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::from_writer(output);
    let reserved = [&OBSERVATION_COLUMNS[..], &RETRACTED_COLUMNS[..]].concat();
    let fixed = if which == Which::All { &reserved[..] } else { &OBSERVATION_COLUMNS[..] };
    let objectives = problem.objectives().iter().map(|objective| match objective.name.as_str() {
        // The columns of a table must differ.
        name if reserved.contains(&name) => format!("objective {name}"),
        name => name.to_owned(),
    });
    writer.write_record(fixed.iter().map(|&name| name.to_owned()).chain(objectives)).map_err(io_error)?;
    each(view, which, |observation| {
        let Observation { id, arm, ticket, told_at, source, retracted, values, .. } = observation;
        let ticket = ticket.map(|ticket| ticket.to_string()).unwrap_or_default();
        let mut cells = vec![id.to_string(), arm.clone(), ticket, told_at.clone(), source.clone()];
        if which == Which::All {
            let (at, reason) = retracted.clone().unwrap_or_default();
            cells.extend([at, reason]);
        }
        cells.extend(values.iter().map(|&value| Reading::of(value).to_string()));
        writer.write_record(cells).map_err(io_error)
    })?;
    writer.flush()
}

/// An observation as JSON.
#[derive(Serialize)]
struct ObservationJson<'a> {
    observation: i64,
    arm: &'a str,
    index: Option<usize>,
    ticket: Option<i64>,
    told_at: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retracted_at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retracted_reason: Option<&'a str>,
    values: Values<'a>,
}

/// Values by objective, in the objectives' order.
struct Values<'a> {
    problem: &'a Problem,
    values: &'a [f64],
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.problem.objectives().iter().map(|objective| &objective.name);
        // JSON has no number for what is more than something.
        let value = |&value: &f64| match Reading::of(value) {
            Reading::Value(value) => serde_json::Value::from(value),
            more => more.to_string().into(),
        };
        serializer.collect_map(names.zip(self.values.iter().map(value)))
    }
}

fn json_lines(view: &View, problem: &Problem, which: Which, output: &mut dyn Write) -> io::Result<()> {
    each(view, which, |observation| {
        let retracted = observation.retracted.as_ref();
        let json = ObservationJson {
            observation: observation.id,
            arm: &observation.arm,
            index: observation.index,
            ticket: observation.ticket,
            told_at: &observation.told_at,
            source: &observation.source,
            retracted_at: retracted.map(|(at, _)| at.as_str()),
            retracted_reason: retracted.map(|(_, reason)| reason.as_str()),
            values: Values { problem, values: &observation.values },
        };
        serde_json::to_writer(&mut *output, &json)?;
        output.write_all(b"\n")
    })
}

/// Writes one observation after the other, until that fails.
fn each(view: &View, which: Which, mut write: impl FnMut(&Observation) -> io::Result<()>) -> io::Result<()> {
    let mut written = Ok(());
    view.each_observation(|observation| {
        if which == Which::All || observation.retracted.is_none() {
            written = write(observation);
        }
        if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .map_err(io::Error::other)?;
    written
}
