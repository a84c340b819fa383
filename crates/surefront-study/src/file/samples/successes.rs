//! Objectives that nothing was said of and that hold only 0 and 1: taken for what they look like.
//!
//! The proof for success rates holds for every law of values 0 and 1. Of such a law the samples never hold anything else, so that it is always this proof
//! that they are judged by, and of Gaussian noise they never look like this: what is looked at decides nothing by chance
//! (docs/certified.md, "Values that are only 0 and 1").

use surefront::{Noise, Objective, Problem, Tally};

use super::Samples;

impl Samples {
    /// The same, where each of these objectives, of whose noise nothing was said, is taken for a success rate if its values are 0 and 1 and no other, and
    /// some arm had both.
    #[must_use]
    pub fn taking_successes(mut self, open: &[usize]) -> Self {
        let found: Vec<(usize, Counted)> = open
            .iter()
            .filter(|&&objective| is_open(&self.problem.objectives()[objective]))
            .filter_map(|&objective| Some((objective, counted(&self.problem, &self.tally, objective)?)))
            .collect();
        if found.is_empty() {
            return self;
        }
        let mut objectives = self.problem.objectives().to_vec();
        for (objective, _) in &found {
            objectives[*objective].noise = Noise::Bernoulli;
        }
        let regarded = Problem::new(objectives, self.problem.arms().to_vec())
            .ok()
            .and_then(|problem| Some((self.tally.regarded(&problem).ok()?, problem)));
        if let Some((tally, problem)) = regarded {
            (self.tally, self.problem) = (tally, problem);
            for (objective, Counted { ones, observations }) in found {
                self.look.take_for_successes(objective, ones, observations);
            }
        }
        self
    }
}

fn is_open(objective: &Objective) -> bool {
    objective.noise == Noise::Unknown && objective.statistic.is_mean()
}

struct Counted {
    ones: u64,
    observations: u64,
}

/// How many of the values are 1, where all are 0 or 1 and some arm had both. Where each arm has one value only, it may as well have no noise.
fn counted(problem: &Problem, tally: &Tally, objective: usize) -> Option<Counted> {
    let mut counts = [0, 0];
    let mut varies = false;
    for arm in 0..problem.arm_count() {
        let grain = tally.grain(arm, objective)?;
        varies |= grain.levels()?.count() == 2;
        for (value, count) in grain.counted() {
            // In a tally, less is better with its sign turned.
            match value.abs() {
                0.0 => counts[0] += count,
                1.0 if (value < 0.0) == (problem.objectives()[objective].goal == surefront::Goal::Min) => {
                    counts[1] += count;
                }
                _ => return None,
            }
        }
    }
    let [zeros, ones] = counts;
    varies.then_some(Counted { ones, observations: zeros + ones })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use surefront::{Goal, Statistic};

    use super::*;
    use crate::file::samples::{Naming, read};
    use crate::look::Seen;

    fn samples(rows: &str, objective: Objective) -> Samples {
        let text = format!("arm,x\n{rows}");
        read(text.as_bytes(), Path::new("r.csv"), vec![objective], &Naming::default()).unwrap()
    }

    fn noise_of(rows: &str, objective: Objective) -> Noise {
        samples(rows, objective).taking_successes(&[0]).problem.noise(0, 0)
    }

    #[test]
    fn only_zeros_and_ones_are_successes() {
        for goal in [Goal::Max, Goal::Min] {
            let open = || Objective::new("x", goal, Noise::Unknown);
            assert_eq!(noise_of("a,0\nb,1\nb,0\n", open()), Noise::Bernoulli);
            assert_eq!(noise_of("a,-0\na,1.0\n", open()), Noise::Bernoulli);
            for other in [
                "a,0\na,0\nb,1\n",
                "a,0\nb,0\n",
                "a,1\nb,1\n",
                "a,0\nb,2\n",
                "a,0\nb,-1\n",
                "a,0\nb,1\nb,0.5\n",
                "a,-1\nb,0\n",
            ] {
                assert_eq!(noise_of(other, open()), Noise::Unknown, "{other}");
            }
            for said in [Noise::Variance(0.25), Noise::Common] {
                assert_eq!(noise_of("a,0\na,1\n", Objective::new("x", goal, said)), said);
            }
            let median = open().with_statistic(Statistic::MEDIAN);
            assert_ne!(noise_of("a,0\na,1\n", median), Noise::Bernoulli);
        }
        let said = samples("a,0\na,1\n", Objective::new("x", Goal::Max, Noise::Unknown)).taking_successes(&[]);
        assert_eq!(said.problem.noise(0, 0), Noise::Unknown);
    }

    #[test]
    fn it_is_said_that_they_are() {
        let rows = "a,0\nb,1\nb,0\n".repeat(20);
        let samples = samples(&rows, Objective::new("x", Goal::Min, Noise::Unknown)).taking_successes(&[0]);
        let seen: Vec<Seen> =
            samples.look.sights(&samples.problem, &samples.tally).into_iter().map(|sight| sight.seen).collect();
        assert_eq!(seen, [Seen::Successes { ones: 20, observations: 60 }]);
    }
}
