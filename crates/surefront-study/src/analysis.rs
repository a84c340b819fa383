//! A study on samples that exist already.

use surefront::{Certified, Problem, RuleKind, Stopping, StoppingKind, Study, StudyError, Tally};

use crate::session::Chosen;

/// The rule's draws, which say how the next measurements are spread, are the same for the same samples.
const SEED: u64 = 1;

/// A study that has these observations, at a δ that was checked.
///
/// # Errors
/// When the threshold says nothing about what is compared.
pub fn study_of(problem: Problem, tally: Tally, threshold: StoppingKind, delta: f64) -> Result<Study, StudyError> {
    let chosen = Chosen { delta, rule: RuleKind::usual_for(threshold), threshold, seed: SEED };
    let mut settings = chosen.settings(&problem);
    if threshold == StoppingKind::Certified {
        // Nobody knows in which order the samples were made.
        let certified = Certified::without_lessons(delta).expect("it was checked");
        settings.stopping = Stopping::Certified(certified);
    }
    let asked = vec![0; problem.arm_count()];
    Study::with_observations(problem, settings, tally, asked, &[], None)
}
