//! What limits the proof of a verdict, in words for whoever is shown it.

use std::collections::BTreeSet;

use crate::grain::MOST_LEVELS;
use crate::problem::Problem;
use crate::tally::Tally;

/// Why verdicts rest on something else than what the study file says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Caveat {
    /// The values of an objective of unknown variance repeat so often that they are not taken for Gaussian. What is concluded rests on how far
    /// they reach: it is proved if no value is ever beyond those seen.
    Coarse {
        /// The objective.
        objective: usize,
        /// How many different values there are; `None` for more than can be told apart.
        levels: Option<usize>,
        /// How far the values reach; zero while every arm has had one value only, which says nothing of the noise.
        reach: f64,
    },
}

impl Caveat {
    /// All that there are to verdicts on a problem.
    pub(crate) fn all(problem: &Problem, tally: &Tally) -> Vec<Caveat> {
        (0..problem.objective_count()).filter_map(|objective| coarse(problem, tally, objective)).collect()
    }

    /// What it means, in a sentence that names the objective and what to write.
    pub fn sentence(&self, problem: &Problem) -> String {
        let Caveat::Coarse { objective, levels, reach } = self;
        let name = &problem.objectives()[*objective].name;
        let values = match levels {
            Some(levels) => format!("only {levels} different values"),
            None => "one value nearly always".to_owned(),
        };
        if *reach == 0.0 {
            return format!(
                "objective \"{name}\" has had one value for each arm so far: that says nothing of its noise, so nothing is concluded from it; \
                 give its variance, or 0 if it has no noise"
            );
        }
        format!(
            "objective \"{name}\" has {values} or is rounded coarsely, so its noise is not taken to be Gaussian: what is concluded rests on the \
             range of its values, and holds if no value is ever beyond those seen; give its variance if it is known"
        )
    }
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
