//! What the rows of a table are: observations, single values, or what observations sum up to.

use surefront::{Noise, Objective};

use super::Naming;
use super::columns::{Header, number};
use super::decimals::is_missing;
use super::kept_row::KeptRow;
use super::names::{is_like, plainly};
use crate::file::input_error::Fault;
use crate::words::suggestion::{advice, listed};

/// Which column is what.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// A row is an observation.
    Rows(RowColumns),
    /// A row is one value of one objective.
    Long(LongColumns),
    /// A row is what the observations of an arm sum up to, in all objectives.
    Sums {
        /// The arm's column.
        arm: usize,
        /// By objective.
        objectives: Vec<SumColumns>,
    },
    /// A row is what the observations of an arm sum up to, in one objective.
    LongSums {
        /// The arm's column.
        arm: usize,
        /// The column that names the objective.
        metric: usize,
        /// The others.
        columns: SumColumns,
    },
}

/// The columns of observations.
#[derive(Clone, Debug, PartialEq)]
pub struct RowColumns {
    /// The arm's.
    pub arm: usize,
    /// The objectives', in their order.
    pub objectives: Vec<usize>,
}

/// The columns of single values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongColumns {
    /// The arm's.
    pub arm: usize,
    /// The one that names the objective.
    pub metric: usize,
    /// The values'.
    pub value: usize,
    /// The one that tells which values belong to one observation.
    pub run: Option<usize>,
}

/// The columns of what observations sum up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumColumns {
    /// Their mean.
    pub mean: usize,
    /// How far they spread, if that is there.
    pub spread: Option<(usize, Spread)>,
    /// How many they are.
    pub count: usize,
}

/// What a number says of how far observations spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The sample standard deviation.
    Deviation,
    /// The standard error of the mean.
    Error,
    /// The sample variance.
    Variance,
}

const MEAN: [&str; 4] = ["mean", "avg", "average", "mu"];
const COUNT: [&str; 8] = ["n", "count", "samples", "runs", "size", "nobs", "num", "repeats"];
const SPREAD: [(&str, Spread); 14] = [
    ("sd", Spread::Deviation),
    ("std", Spread::Deviation),
    ("stdev", Spread::Deviation),
    ("stddev", Spread::Deviation),
    ("std dev", Spread::Deviation),
    ("sigma", Spread::Deviation),
    ("standard deviation", Spread::Deviation),
    ("se", Spread::Error),
    ("sem", Spread::Error),
    ("stderr", Spread::Error),
    ("std err", Spread::Error),
    ("standard error", Spread::Error),
    ("var", Spread::Variance),
    ("variance", Spread::Variance),
];
const METRIC: [&str; 10] =
    ["metric", "variable", "measure", "measurement", "objective", "name", "key", "quantity", "criterion", "what"];
const VALUE: [&str; 6] = ["value", "values", "result", "measured", "reading", "y"];
const RUN: [&str; 16] = [
    "run",
    "rep",
    "replicate",
    "replication",
    "repeat",
    "repetition",
    "trial",
    "id",
    "sample",
    "observation",
    "seed",
    "iteration",
    "round",
    "fold",
    "ticket",
    "subject",
];

impl Layout {
    /// Of a table with this header, which begins with these rows.
    ///
    /// # Errors
    /// When columns are missing, or may be either.
    pub fn of(header: &Header, objectives: &[Objective], naming: &Naming, sample: &[KeptRow]) -> Result<Self, Fault> {
        if naming.metric.is_some() || naming.value.is_some() {
            return long(header, objectives, naming, sample)?
                .ok_or_else(|| Fault::NoMetricColumn { objectives: listed(names(objectives)) });
        }
        if let Some(sums) = sums(header, objectives, naming, sample)? {
            return Ok(sums);
        }
        let missing = objectives.iter().find(|objective| header.find(&objective.name).is_err());
        let Some(missing) = missing else {
            let columns = objectives.iter().map(|objective| header.find(&objective.name));
            let columns = columns.collect::<Result<Vec<usize>, _>>()?;
            let arm = header.arm_column(&columns, naming.arm.as_deref(), sample)?;
            return Ok(Layout::Rows(RowColumns { arm, objectives: columns }));
        };
        if let Some(long) = long(header, objectives, naming, sample)? {
            return Ok(long);
        }
        let fault = header.find(&missing.name).expect_err("it is missing");
        Err(match fault {
            Fault::NoSuchColumn { column, .. } if looks_wide(sample) => Fault::ColumnsOfArms { column },
            fault => fault,
        })
    }

    /// The columns that hold numbers.
    pub fn number_columns(&self) -> Vec<usize> {
        let of_sums = |columns: &SumColumns| {
            [Some(columns.mean), columns.spread.map(|(column, _)| column)].into_iter().flatten().collect::<Vec<_>>()
        };
        match self {
            Layout::Rows(columns) => columns.objectives.clone(),
            Layout::Long(columns) => vec![columns.value],
            Layout::Sums { objectives, .. } => objectives.iter().flat_map(of_sums).collect(),
            Layout::LongSums { columns, .. } => of_sums(columns),
        }
    }

    /// All columns that are looked at.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns = self.number_columns();
        columns.push(self.arm());
        match self {
            Layout::Rows(_) => {}
            Layout::Long(LongColumns { metric, run, .. }) => {
                columns.extend([Some(*metric), *run].into_iter().flatten())
            }
            Layout::Sums { objectives, .. } => columns.extend(objectives.iter().map(|columns| columns.count)),
            Layout::LongSums { metric, columns: sums, .. } => columns.extend([*metric, sums.count]),
        }
        columns
    }

    /// The arm's column.
    pub fn arm(&self) -> usize {
        match self {
            Layout::Rows(RowColumns { arm, .. }) | Layout::Long(LongColumns { arm, .. }) => *arm,
            Layout::Sums { arm, .. } | Layout::LongSums { arm, .. } => *arm,
        }
    }
}

fn names(objectives: &[Objective]) -> impl Iterator<Item = &str> {
    objectives.iter().map(|objective| objective.name.as_str())
}

/// The first column that is called one of these.
fn called(header: &Header, names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| (0..header.len()).find(|&column| plainly(header.name(column)) == *name))
}

/// The column called after an objective and one of these words, in whichever order: `latency_sd`, `sd(latency)`.
fn of_objective(header: &Header, objective: &str, words: &[&str]) -> Option<usize> {
    let objective = plainly(objective);
    words.iter().find_map(|word| {
        let forms = [
            format!("{objective} {word}"),
            format!("{word} {objective}"),
            format!("{word}({objective})"),
            format!("{objective}({word})"),
            format!("{objective} ({word})"),
            format!("{objective} [{word}]"),
        ];
        (0..header.len()).find(|&column| forms.contains(&plainly(header.name(column))))
    })
}

/// Whether a spread must be known, since nobody said it.
fn needs_spread(objective: &Objective) -> bool {
    !matches!(objective.noise, Noise::Exact | Noise::Variance(_))
}

fn spread_of(header: &Header, objective: Option<&str>) -> Option<(usize, Spread)> {
    SPREAD.iter().find_map(|&(word, spread)| {
        let column = match objective {
            Some(objective) => of_objective(header, objective, &[word]),
            None => called(header, &[word]),
        };
        column.map(|column| (column, spread))
    })
}

/// Rows with a mean, a spread and a count for each objective.
fn sums(
    header: &Header,
    objectives: &[Objective],
    naming: &Naming,
    sample: &[KeptRow],
) -> Result<Option<Layout>, Fault> {
    // With one objective its columns may be called `mean` and `sd` alone, unless another column says of what they are.
    let alone = match objectives {
        [only] => !sample
            .iter()
            .any(|row| (0..row.len()).any(|at| row.cell(at).is_some_and(|cell| is_like(cell, &only.name)))),
        _ => false,
    };
    let mut columns = Vec::new();
    for objective in objectives {
        let named = Some(objective.name.as_str());
        let spread = spread_of(header, named).or_else(|| if alone { spread_of(header, None) } else { None });
        let own = header.find(&objective.name).ok();
        let said =
            of_objective(header, &objective.name, &MEAN).or_else(|| if alone { called(header, &MEAN) } else { None });
        let count = of_objective(header, &objective.name, &COUNT).or_else(|| called(header, &COUNT));
        // A column of the objective's own name is a mean only where a spread and a count stand beside it.
        let mean = match (own, said) {
            (Some(own), _) if (spread.is_some() || !needs_spread(objective)) && count.is_some() => Some(own),
            (None, said) => said,
            _ => None,
        };
        match (mean, count) {
            (Some(mean), Some(count)) if spread.is_some() || !needs_spread(objective) => {
                columns.push((SumColumns { mean, spread, count }, own.is_some() && spread.is_none()));
            }
            (Some(_), None) => return Err(Fault::SummaryLacks { objective: objective.name.clone(), what: "count" }),
            (Some(_), Some(_)) => {
                return Err(Fault::SummaryLacks { objective: objective.name.clone(), what: "standard deviation" });
            }
            (None, _) => return Ok(None),
        }
    }
    // Without a single spread or column of means these are observations, with a count beside them.
    if columns.iter().all(|(_, plain)| *plain) {
        return Ok(None);
    }
    let columns: Vec<SumColumns> = columns.into_iter().map(|(columns, _)| columns).collect();
    let taken = Layout::Sums { arm: columns[0].mean, objectives: columns.clone() }.columns();
    let arm = header.arm_column(&taken, naming.arm.as_deref(), sample)?;
    Ok(Some(Layout::Sums { arm, objectives: columns }))
}

/// Rows with one value, and a column that names the objective.
fn long(
    header: &Header,
    objectives: &[Objective],
    naming: &Naming,
    sample: &[KeptRow],
) -> Result<Option<Layout>, Fault> {
    let has_all = |column: usize| {
        let holds = |name: &str| sample.iter().any(|row| row.cell(column).is_some_and(|cell| is_like(cell, name)));
        names(objectives).all(holds)
    };
    let metric = match &naming.metric {
        Some(name) => header.find(name)?,
        None => {
            let found: Vec<usize> = (0..header.len()).filter(|&column| has_all(column)).collect();
            match found[..] {
                // Where the column is there by name, an objective is missing in it.
                [] => match called(header, &METRIC) {
                    Some(column) if called(header, &VALUE).is_some() => column,
                    _ => return Ok(None),
                },
                [column] => column,
                _ => match found.iter().find(|&&column| METRIC.contains(&plainly(header.name(column)).as_str())) {
                    Some(&column) => column,
                    None => {
                        let columns = listed(found.iter().map(|&column| header.name(column)));
                        return Err(Fault::WhichMetricColumn { columns });
                    }
                },
            }
        }
    };
    if !has_all(metric) {
        let absent = names(objectives)
            .find(|name| !sample.iter().any(|row| row.cell(metric).is_some_and(|cell| is_like(cell, name))));
        let mut known: Vec<&str> = Vec::new();
        for cell in sample.iter().filter_map(|row| row.cell(metric)) {
            if !known.contains(&cell) {
                known.push(cell);
            }
        }
        let objective = absent.unwrap_or_default();
        let (column, advice) = (header.name(metric).to_owned(), advice(objective, known));
        return Err(Fault::NoSuchMetric { objective: objective.to_owned(), column, advice });
    }
    let run = called(header, &RUN).filter(|&column| column != metric && tells_runs(sample, metric, column));
    let mean = called(header, &MEAN);
    if let (None, Some(mean), Some(count)) = (&naming.value, mean, called(header, &COUNT)) {
        let columns = SumColumns { mean, spread: spread_of(header, None), count };
        if columns.spread.is_none() && objectives.iter().any(needs_spread) {
            let objective = objectives.iter().find(|objective| needs_spread(objective));
            let objective = objective.map(|objective| objective.name.clone()).unwrap_or_default();
            return Err(Fault::SummaryLacks { objective, what: "standard deviation" });
        }
        let taken = Layout::LongSums { arm: metric, metric, columns }.columns();
        let arm = header.arm_column(&taken, naming.arm.as_deref(), sample)?;
        return Ok(Some(Layout::LongSums { arm, metric, columns }));
    }
    let value = match &naming.value {
        Some(name) => header.find(name)?,
        None => value_column(header, metric, run, naming, sample)?,
    };
    let taken: Vec<usize> = [Some(metric), Some(value), run].into_iter().flatten().collect();
    let arm = header.arm_column(&taken, naming.arm.as_deref(), sample)?;
    Ok(Some(Layout::Long(LongColumns { arm, metric, value, run })))
}

/// The column called `value`, or the only one with numbers.
fn value_column(
    header: &Header,
    metric: usize,
    run: Option<usize>,
    naming: &Naming,
    sample: &[KeptRow],
) -> Result<usize, Fault> {
    if let Some(column) = called(header, &VALUE) {
        return Ok(column);
    }
    let arm = naming.arm.as_ref().and_then(|name| header.find(name).ok());
    let is_number = |&column: &usize| {
        let mut cells = sample.iter().filter_map(|row| row.cell(column)).filter(|cell| !is_missing(cell.as_bytes()));
        let first = cells.next();
        first.is_some_and(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '+')))
    };
    let others = (0..header.len()).filter(|&column| column != metric && Some(column) != run && Some(column) != arm);
    let named = others
        .filter(|&column| !header.name(column).is_empty() && !RUN.contains(&plainly(header.name(column)).as_str()));
    let found: Vec<usize> = named.filter(is_number).collect();
    match found[..] {
        [column] => Ok(column),
        _ => Err(Fault::WhichValueColumn { columns: listed(found.iter().map(|&column| header.name(column))) }),
    }
}

/// Whether a column has the same entry beside different objectives: then it tells which values belong together.
fn tells_runs(sample: &[KeptRow], metric: usize, column: usize) -> bool {
    let pairs = sample.iter().filter_map(|row| Some((row.cell(column)?, row.cell(metric)?)));
    let mut first: std::collections::HashMap<&str, &str> = std::collections::HashMap::new();
    pairs.into_iter().any(|(run, metric)| *first.entry(run).or_insert(metric) != metric)
}

/// Whether there are numbers only, as where each column is an arm.
fn looks_wide(sample: &[KeptRow]) -> bool {
    let Some(row) = sample.first() else { return false };
    (1..row.len()).all(|column| row.cell(column).is_some_and(|cell| number(cell.as_bytes()).is_some())) && row.len() > 1
}
