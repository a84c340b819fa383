//! `[grid]`: an arm for each combination of parameters.

use super::document::{ByKey, Section};
use super::template::{self, Parameters};
use crate::file::input_error::{Fault, InputError};

/// More arms than this are taken for a mistake.
const MOST_ARMS: usize = 10_000;

/// An arm of the grid.
pub struct Combination {
    pub name: String,
    pub parameters: Parameters,
    pub line: usize,
}

/// All combinations, the last parameter changing first.
pub fn combinations(grid: &Section) -> Result<Vec<Combination>, InputError> {
    let lists: ByKey<Vec<String>> = grid.texts_by_key()?;
    if lists.is_empty() {
        return Err(grid.fault(Fault::EmptyGrid));
    }
    let mut combinations: Vec<Parameters> = vec![Vec::new()];
    for (key, list) in &lists {
        if !template::is_a_name(key) {
            return Err(
                grid.fault_on(list.line, Fault::ParameterName { place: grid.place().to_owned(), name: key.clone() })
            );
        }
        if list.value.is_empty() {
            return Err(grid.fault_on(list.line, Fault::EmptyGridList { name: key.clone() }));
        }
        let mut seen: Vec<&String> = list.value.iter().collect();
        seen.sort_unstable();
        if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(grid.fault_on(list.line, Fault::GridTwice { name: key.clone(), value: pair[0].clone() }));
        }
        if combinations.len().saturating_mul(list.value.len()) > MOST_ARMS {
            return Err(grid.fault_on(list.line, Fault::GridTooLarge { most: MOST_ARMS }));
        }
        combinations = combinations
            .iter()
            .flat_map(|so_far| {
                list.value.iter().map(|value| {
                    let mut longer = so_far.clone();
                    longer.push((key.clone(), value.clone()));
                    longer
                })
            })
            .collect();
    }
    let name = |parameters: &Parameters| {
        parameters.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
    };
    Ok(combinations
        .into_iter()
        .map(|parameters| Combination { name: name(&parameters), parameters, line: grid.line })
        .collect())
}
