//! What limits the proof of a verdict, in words for whoever is shown it.

use std::collections::BTreeSet;

use super::FIRST_LOOKS;
use crate::grain::MOST_LEVELS;
use crate::problem::Problem;
use crate::tally::Tally;

/// Arms that are named in a sentence.
const MOST_NAMED: usize = 3;

/// Of fewer observations it is not said that nearly all are equal: rounded ones may be.
const NEARLY_ALL_FROM: f64 = 2.0 * FIRST_LOOKS;

/// Why verdicts rest on something else than what the study file says, or there are none.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Caveat {
    /// Arms have had one value, or nearly always one, in an objective of unknown variance. Equal repeats are no evidence, so nothing is concluded from them there.
    Equal {
        /// The objective.
        objective: usize,
        /// The arms.
        arms: Vec<usize>,
        /// Whether each of them has had one value only.
        always: bool,
    },
    /// The values of an objective of unknown variance repeat so often that they are not taken for Gaussian. What is concluded rests on how far
    /// they reach: it is proved if no value is ever beyond those seen.
    Coarse {
        /// The objective.
        objective: usize,
        /// How many different values there are; `None` for more than can be told apart.
        levels: Option<usize>,
        /// How far the values reach.
        reach: f64,
    },
}

impl Caveat {
    /// All that there are to verdicts on a problem.
    pub(crate) fn all(problem: &Problem, tally: &Tally) -> Vec<Caveat> {
        let of = |objective| [equal(problem, tally, objective), coarse(problem, tally, objective)];
        (0..problem.objective_count()).flat_map(of).flatten().collect()
    }

    /// The same where the arms have these numbers.
    pub(crate) fn numbered(self, numbers: &[usize]) -> Self {
        match self {
            Caveat::Equal { objective, arms, always } => {
                Caveat::Equal { objective, arms: arms.into_iter().map(|arm| numbers[arm]).collect(), always }
            }
            coarse @ Caveat::Coarse { .. } => coarse,
        }
    }

    /// What it means, in a sentence that names the objective, the arms if it is about some, and what to write.
    pub fn sentence(&self, problem: &Problem) -> String {
        match self {
            Caveat::Equal { objective, arms, always } => {
                let name = &problem.objectives()[*objective].name;
                let whose = arms_in_words(problem, arms);
                let what = match (*always, arms.len()) {
                    (true, 1) => format!("all values of arm {whose} are the same"),
                    (true, _) => format!("each of the arms {whose} has had one value only"),
                    (false, 1) => format!("arm {whose} has had one value, but for two at most"),
                    (false, _) => format!("each of the arms {whose} has had one value, but for two at most"),
                };
                format!(
                    "objective \"{name}\": {what}. Equal repeats are no evidence, since rare values that are far off cannot be excluded, so nothing is concluded \
                     from them: write noise = \"exact\" if there is no noise, else what it is, noise = \"bernoulli\" or noise = \"bounded\" with its range, or compare \
                     medians, statistic = \"median\""
                )
            }
            Caveat::Coarse { objective, levels, .. } => {
                let name = &problem.objectives()[*objective].name;
                let values = match levels {
                    Some(levels) => format!("only {levels} different values"),
                    None => "one value nearly always".to_owned(),
                };
                format!(
                    "objective \"{name}\" has {values} or is rounded coarsely, so its noise is not taken to be Gaussian: what is concluded rests on the \
                     range of its values, and holds if no value is ever beyond those seen; give its variance if it is known"
                )
            }
        }
    }
}

/// `"a", "b", "c" and 2 more`.
fn arms_in_words(problem: &Problem, arms: &[usize]) -> String {
    let named: Vec<String> =
        arms.iter().take(MOST_NAMED).map(|&arm| format!("\"{}\"", problem.arms()[arm].name)).collect();
    match arms.len().saturating_sub(MOST_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn equal(problem: &Problem, tally: &Tally, objective: usize) -> Option<Caveat> {
    if problem.quantile(objective).is_some() {
        return None;
    }
    let telling = |arm: usize| tally.telling(arm, objective);
    let is_always = |arm: usize| tally.counts()[arm] >= 2.0 && telling(arm) <= 1.0;
    let is_nearly = |arm: usize| tally.counts()[arm] >= NEARLY_ALL_FROM && telling(arm) < FIRST_LOOKS;
    let unknown = (0..problem.arm_count()).filter(|&arm| problem.noise(arm, objective).is_unknown());
    let arms: Vec<usize> = unknown.filter(|&arm| is_always(arm) || is_nearly(arm)).collect();
    let always = arms.iter().all(|&arm| is_always(arm));
    (!arms.is_empty()).then_some(Caveat::Equal { objective, arms, always })
}

fn coarse(problem: &Problem, tally: &Tally, objective: usize) -> Option<Caveat> {
    let reach = problem.coarse_range(objective)?;
    let arms = (0..problem.arm_count()).filter(|&arm| problem.noise(arm, objective).is_estimated());
    let grains: Vec<_> = arms.filter_map(|arm| tally.grain(arm, objective)).collect();
    let mut levels = Some(BTreeSet::new());
    for grain in grains {
        levels = levels.zip(grain.levels()).map(|(mut levels, own)| {
            // Adding zero makes one number of the two zeros.
            levels.extend(own.map(|value| (value + 0.0).to_bits()));
            levels
        });
    }
    let levels = levels.map(|levels| levels.len()).filter(|&count| count <= MOST_LEVELS);
    Some(Caveat::Coarse { objective, levels, reach })
}
