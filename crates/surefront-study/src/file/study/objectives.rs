//! The tables of objectives and of constraints.

use std::collections::HashMap;

use surefront::{Family, Goal, Limits, Margin, MarginError, Noise, Objective, ProblemError, Range, Role, Statistic};

use super::document::{Located, NumberOrText, Section};
use super::keys;
use super::measure::Measure;
use super::names::named;
use super::noise::{Kind, kind_named, needs_no_law, noise_of, noise_of_family, range};
use super::weighted_sum::WeightedSum;
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::suggestion::listed;

#[derive(Debug)]
pub(super) struct ObjectiveEntry {
    pub(super) name: String,
    pub(super) goal: Goal,
    /// `None` where only data can tell.
    pub(super) noise: Option<Noise>,
    /// Whether nothing at all is said of it.
    pub(super) open: bool,
    pub(super) statistic: Statistic,
    pub(super) margin: Margin,
    pub(super) limits: Limits,
    pub(super) role: Role,
    pub(super) measure: Option<Measure>,
    pub(super) sum: Option<WeightedSum>,
    pub(super) unit: Option<String>,
    pub(super) line: usize,
}

impl ObjectiveEntry {
    pub(super) fn objective(&self) -> Objective {
        let noise = self.noise.unwrap_or(Noise::Unknown);
        let mut objective =
            Objective::new(&self.name, self.goal, noise).with_statistic(self.statistic).with_margin(self.margin);
        (objective.limits, objective.role) = (self.limits, self.role);
        objective
    }

    pub(super) fn family(&self) -> Family {
        self.noise.and_then(Noise::family).unwrap_or(Family::Gaussian)
    }
}

pub(super) fn objectives(source: &SourceText, root: &Section) -> Result<Vec<ObjectiveEntry>, InputError> {
    let mut lines = HashMap::new();
    let mut objectives = Vec::new();
    let optimised = root.sections("objective", "it as [[objective]] tables")?;
    if optimised.is_empty() {
        return Err(source.fault(Fault::NoObjectives));
    }
    let limited = root.sections("constraint", "it as [[constraint]] tables")?;
    let optimised = optimised.into_iter().map(|section| (Role::Optimised, section));
    for (role, section) in optimised.chain(limited.into_iter().map(|section| (Role::Limited, section))) {
        let (what, known) = match role {
            Role::Optimised => ("objective", keys::OBJECTIVE),
            Role::Limited => ("constraint", keys::CONSTRAINT),
        };
        let (name, section) = named(what, source, section, &mut lines)?;
        section.allow_only(known)?;
        let place = || section.place().to_owned();
        let goal = match role {
            Role::Optimised => goal(source, &section)?,
            // It says nothing.
            Role::Limited => Goal::Min,
        };
        let kind = match section.string("noise")? {
            None => None,
            Some(Located { value, line }) => Some(kind_named(&value).ok_or_else(|| {
                let fault = Fault::UnknownNoise { place: place(), value };
                source.fault_on_line(line, fault)
            })?),
        };
        let variance = match section.number_or_string("variance", "a number, or \"common\"")? {
            None => None,
            Some(written) => {
                let noise = match &written.value {
                    NumberOrText::Number(value) => noise_of(source, &written, *value, place)?,
                    NumberOrText::Text(text) if text == "common" => Noise::Common,
                    NumberOrText::Text(text) => {
                        let fault = Fault::UnknownVariance { place: place(), value: text.clone() };
                        return Err(source.fault_on_line(written.line, fault));
                    }
                };
                Some((written.line, noise))
            }
        };
        let open = kind.is_none() && variance.is_none();
        let range = range(source, &section, kind)?;
        let noise = match (kind, variance) {
            (Some(Kind::Bounded), Some((line, _))) => {
                return Err(source.fault_on_line(line, Fault::BoundedWithVariance { place: place() }));
            }
            (Some(Kind::Bounded), None) => range.map(|Range { low, high }| Noise::Bounded { low, high }),
            (Some(Kind::Family(Family::Gaussian)), variance) => variance.map(|(_, noise)| noise),
            (Some(Kind::Family(family)), Some((line, _))) => {
                return Err(source.fault_on_line(line, Fault::KindWithVariance { place: place(), family }));
            }
            (Some(Kind::Family(family)), None) => noise_of_family(family),
            (Some(Kind::Exact), Some((line, Noise::Variance(variance)))) => {
                return Err(source.fault_on_line(line, Fault::ExactWithVariance { place: place(), variance }));
            }
            (Some(Kind::Exact), Some((line, Noise::Common))) => {
                return Err(source.fault_on_line(line, Fault::ExactAndCommon { place: place() }));
            }
            (Some(Kind::Exact), _) => Some(Noise::Exact),
            (None, variance) => variance.map(|(_, noise)| noise),
        };
        let statistic = match section.string("statistic")? {
            None => Statistic::Mean,
            Some(written) => {
                let known = |statistic: Statistic| match noise {
                    Some(noise) if !statistic.is_mean() => needs_no_law(noise, statistic, place),
                    _ => Ok(statistic),
                };
                let statistic = written.value.parse().map_err(|error| Fault::Statistic { place: place(), error });
                statistic.and_then(known).map_err(|fault| source.fault_on_line(written.line, fault))?
            }
        };
        let margin = match section.number_or_string("margin", "a number, or text such as \"2 %\"")? {
            None => Margin::NONE,
            Some(Located { value, line }) => {
                let margin = match value {
                    NumberOrText::Number(value) => Ok(Margin::Absolute(value)),
                    NumberOrText::Text(text) => text.parse(),
                };
                let refuse = |value: String| Fault::BadMargin { place: place(), value };
                let margin = margin.map_err(|MarginError(text)| refuse(format!("\"{text}\"")));
                let checked = margin.and_then(|margin| match margin.is_valid() {
                    true => Ok(margin),
                    false => Err(refuse(margin.to_string())),
                });
                checked.map_err(|fault| source.fault_on_line(line, fault))?
            }
        };
        let measure = section.string("measure")?.map(|written| match Measure::named(&written.value) {
            Some(measure) => Ok(measure),
            None => {
                let known = listed(Measure::names());
                let fault = Fault::UnknownMeasure { place: place(), value: written.value, known };
                Err(source.fault_on_line(written.line, fault))
            }
        });
        let measure = measure.transpose()?;
        let sum = WeightedSum::read(&section)?;
        let unit =
            section.string("unit")?.map(|written| written.value.trim().to_owned()).filter(|unit| !unit.is_empty());
        let line = section.line;
        let limits = Limits::default();
        let entry =
            ObjectiveEntry { name, goal, noise, open, statistic, margin, limits, role, measure, sum, unit, line };
        objectives.push(ObjectiveEntry { limits: limits_of(source, &section, &entry)?, ..entry });
    }
    Ok(objectives)
}

fn goal(source: &SourceText, section: &Section) -> Result<Goal, InputError> {
    let place = || section.place().to_owned();
    let goal = section.string("goal")?.ok_or_else(|| section.fault(Fault::MissingGoal { place: place() }))?;
    match goal.value.as_str() {
        "max" => Ok(Goal::Max),
        "min" => Ok(Goal::Min),
        _ => Err(source.fault_on_line(goal.line, Fault::UnknownGoal { place: place(), value: goal.value })),
    }
}

/// What an objective must at least, and at most, be.
fn limits_of(source: &SourceText, section: &Section, entry: &ObjectiveEntry) -> Result<Limits, InputError> {
    let (least, most) = (section.number("at_least")?, section.number("at_most")?);
    let objective = || entry.name.clone();
    let refuse = |line: usize, error: ProblemError| Err(source.fault_on_line(line, error.into()));
    let value = |written: &Option<Located<f64>>| written.as_ref().map(|written| written.value);
    let limits = Limits { at_least: value(&least), at_most: value(&most) };
    if entry.role == Role::Limited && limits.is_none() {
        return Err(section.fault(ProblemError::NoLimit { objective: objective() }.into()));
    }
    if let (Some(least), Some(most)) = (&least, &most)
        && least.value >= most.value
    {
        let error = ProblemError::NoRoom { objective: objective(), at_least: least.value, at_most: most.value };
        return refuse(most.line, error);
    }
    let range = entry.noise.and_then(Noise::range);
    for Located { value, line } in [least, most].into_iter().flatten() {
        let is_a_mean = value.abs() <= surefront::LARGEST && entry.family().takes_mean(value);
        if !(is_a_mean && range.is_none_or(|range| range.holds(value))) {
            return refuse(line, ProblemError::BadLimit { objective: objective(), value });
        }
    }
    Ok(limits)
}

pub(super) fn names_of(objectives: &[ObjectiveEntry]) -> String {
    listed(objectives.iter().map(|objective| objective.name.as_str()))
}
