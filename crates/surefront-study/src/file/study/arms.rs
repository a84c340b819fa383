//! The tables of arms, and the arms of a grid.

use std::collections::HashMap;

use surefront::{Arm, Family, Noise};

use super::command::{ArmCommand, command};
use super::document::{Located, Section};
use super::names::named;
use super::noise::{needs_no_law, noise_of};
use super::objectives::{ObjectiveEntry, names_of};
use super::template::{self, Parameters};
use super::{grid, keys};
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::plural::{counted, there_are};

#[derive(Debug)]
pub(super) struct ArmEntry {
    pub(super) name: String,
    pub(super) means: Option<Vec<f64>>,
    pub(super) noise: Option<Vec<Noise>>,
    /// What one measurement costs; `None` where nothing is said.
    pub(super) cost: Option<f64>,
    pub(super) command: Option<ArmCommand>,
    /// What the placeholders of the command for all arms stand for.
    pub(super) parameters: Parameters,
    pub(super) line: usize,
}

pub(super) fn arms(
    source: &SourceText,
    root: &Section,
    objectives: &[ObjectiveEntry],
) -> Result<Vec<ArmEntry>, InputError> {
    let mut lines = HashMap::new();
    let mut arms = Vec::new();
    for section in root.sections("arm", "it as [[arm]] tables")? {
        let (name, section) = named("arm", source, section, &mut lines)?;
        section.allow_only(keys::ARM)?;
        let one_each = |key, list: Located<Vec<f64>>| {
            if list.value.len() == objectives.len() {
                return Ok(list);
            }
            let fault = Fault::WrongArity {
                place: section.place().to_owned(),
                key,
                found: counted(list.value.len(), "entry", "entries"),
                expected: there_are(objectives.len(), "objective", "objectives"),
                objectives: names_of(objectives),
            };
            Err(source.fault_on_line(list.line, fault))
        };
        let means = section.numbers("mean")?.map(|list| one_each("mean", list)).transpose()?;
        if let Some(list) = &means {
            check_means(section.place(), &list.value, objectives)
                .map_err(|fault| source.fault_on_line(list.line, fault))?;
        }
        let noise = match section.numbers("variance")?.map(|list| one_each("variance", list)).transpose()? {
            None => None,
            Some(list) => {
                let cells = list.value.iter().zip(objectives);
                let noise = cells.map(|(&value, objective)| {
                    let place = || format!("{} in objective \"{}\"", section.place(), objective.name);
                    match (noise_of(source, &list, value, place)?, objective.family()) {
                        (Noise::Exact, _) if !objective.statistic.is_mean() => {
                            needs_no_law(Noise::Exact, objective.statistic, place)
                                .map_err(|fault| source.fault_on_line(list.line, fault))?;
                            Ok(Noise::Exact)
                        }
                        (Noise::Exact, _) => Ok(Noise::Exact),
                        (noise, Family::Gaussian) => Ok(noise),
                        (_, family) => {
                            Err(source.fault_on_line(list.line, Fault::KindWithVariance { place: place(), family }))
                        }
                    }
                });
                Some(noise.collect::<Result<_, _>>()?)
            }
        };
        let cost = section.number("cost")?.map(|written| {
            check_cost(section.place(), written.value).map_err(|fault| source.fault_on_line(written.line, fault))
        });
        let cost = cost.transpose()?;
        let command = command(source, &section, "command")?;
        let means = means.map(|list| list.value);
        let parameters = parameters(&section)?;
        if !parameters.is_empty() && command.is_some() {
            return Err(section.fault(Fault::UnusedParameters { place: section.place().to_owned() }));
        }
        arms.push(ArmEntry { name, means, noise, cost, command, parameters, line: section.line });
    }
    if arms.is_empty() {
        return Err(source.fault(Fault::NoArms));
    }
    Ok(arms)
}

/// What an arm's placeholders stand for.
fn parameters(arm: &Section) -> Result<Parameters, InputError> {
    let expected = "them as a table, for example { level = 9 }";
    let Some(section) = arm.section("parameters", arm.place().to_owned(), expected)? else { return Ok(Vec::new()) };
    let mut parameters = Vec::new();
    for (name, Located { value, line }) in section.text_by_key()? {
        if !template::is_a_name(&name) {
            return Err(section.fault_on(line, Fault::ParameterName { place: section.place().to_owned(), name }));
        }
        parameters.push((name, value));
    }
    Ok(parameters)
}

/// The arms that a grid makes.
pub(super) fn arms_of_grid(grid: &Section) -> Result<Vec<ArmEntry>, InputError> {
    let entry = |grid::Combination { name, parameters, line }| ArmEntry {
        name,
        means: None,
        noise: None,
        cost: None,
        command: None,
        parameters,
        line,
    };
    Ok(grid::combinations(grid)?.into_iter().map(entry).collect())
}

/// Refuses means that the noise of their objective cannot have.
pub(super) fn check_means(place: &str, means: &[f64], objectives: &[ObjectiveEntry]) -> Result<(), Fault> {
    for (&value, objective) in means.iter().zip(objectives) {
        let family = objective.family();
        if let Some(range) = objective.noise.and_then(Noise::range).filter(|range| !range.holds(value)) {
            let (place, objective) = (place.to_owned(), objective.name.clone());
            return Err(Fault::MeanBeyond { place, objective, value, range });
        }
        if !family.takes_mean(value) {
            let (place, objective) = (place.to_owned(), objective.name.clone());
            return Err(Fault::MeanOutside { place, objective, value, family });
        }
    }
    Ok(())
}

/// A cost is a number above zero.
pub(super) fn check_cost(place: &str, value: f64) -> Result<f64, Fault> {
    if Arm::COSTS.contains(&value) { Ok(value) } else { Err(Fault::BadCost { place: place.to_owned(), value }) }
}
