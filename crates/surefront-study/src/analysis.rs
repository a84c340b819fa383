//! A study on samples that exist already.

use serde::Serialize;
use surefront::{Certified, Problem, RuleKind, Stopping, StoppingKind, Study, Tally};

use crate::answer::{Answer, ArmName};
use crate::file::samples::{Form, LeftOut, Samples};
use crate::report::ReportData;
use crate::session::Chosen;
use crate::study_error::StudyError;

/// The rule's draws, which say how the next measurements are spread, are the same for the same samples.
const SEED: u64 = 1;

/// A study that has these observations, at a δ that was checked.
///
/// # Errors
/// When the threshold says nothing about what is compared.
pub fn study_of(
    problem: Problem,
    tally: Tally,
    threshold: StoppingKind,
    delta: f64,
) -> Result<Study, surefront::StudyError> {
    let mut settings = usual(threshold, delta).settings(&problem);
    if threshold == StoppingKind::Certified {
        // Nobody knows in which order the samples were made.
        let certified = Certified::without_lessons(delta).expect("it was checked");
        settings.stopping = Stopping::Certified(certified);
    }
    let asked = vec![0; problem.arm_count()];
    Study::with_observations(problem, settings, tally, asked, &[], None)
}

fn usual(threshold: StoppingKind, delta: f64) -> Chosen {
    Chosen { delta, rule: RuleKind::usual_for(threshold), threshold, seed: SEED }
}

/// What samples say.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// What is known.
    #[serde(flatten)]
    pub answer: Answer,
    /// The column that the arms were taken from.
    pub arm_column: String,
    /// The columns that were not read.
    pub ignored_columns: Vec<String>,
    /// What a row of the table was.
    pub rows: Form,
    /// What of the table did not count.
    pub left_out: LeftOut,
    /// How the next measurements are best spread: empty once there is an answer.
    pub next: Vec<Share>,
    #[serde(skip)]
    study: Study,
}

/// An arm's share of the next measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    /// The arm.
    #[serde(flatten)]
    pub arm: ArmName,
    /// How many.
    pub samples: u64,
}

impl Analysis {
    /// Of samples under a name, at a δ that was checked; `next` is how many measurements there may be next.
    ///
    /// # Errors
    /// When the threshold says nothing about what is compared.
    pub fn of(
        name: &str,
        samples: Samples,
        threshold: StoppingKind,
        delta: f64,
        next: usize,
    ) -> Result<Self, StudyError> {
        let Samples { problem, tally, look, arm_column, ignored, form, left_out, units } = samples;
        let mut study = study_of(problem, tally, threshold, delta)?;
        let mut answer = Answer::of(name, &mut study, &look);
        answer.set_units(units);
        Ok(Analysis {
            answer,
            arm_column,
            ignored_columns: ignored,
            rows: form,
            left_out,
            next: if study.stopped() { Vec::new() } else { shares(&mut study, next) },
            study,
        })
    }

    /// How the table was read, where that is worth a sentence: what did not count, and what cannot be seen.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.left_out.sentences();
        if self.rows == Form::Summaries {
            notes.push(
                "Only means, standard deviations and counts are given: whether the single values are skewed, coarse or have outliers cannot be seen."
                    .to_owned(),
            );
        }
        notes
    }

    /// All this for somebody who was not there.
    pub fn report(&self) -> ReportData {
        ReportData { notes: self.notes(), ..ReportData::new(self.answer.clone(), &self.study, Vec::new(), Vec::new()) }
    }
}

/// The arms that the rule asks for next, those it asks for most often first.
fn shares(study: &mut Study, samples: usize) -> Vec<Share> {
    let mut counts = vec![0; study.problem().arm_count()];
    for arm in study.ask_batch(samples) {
        counts[arm] += 1;
    }
    let asked = counts.into_iter().enumerate().filter(|(_, samples)| *samples > 0);
    let mut shares: Vec<Share> =
        asked.map(|(arm, samples)| Share { arm: ArmName::of(study.problem(), arm), samples }).collect();
    shares.sort_by_key(|share| (std::cmp::Reverse(share.samples), share.arm.index));
    shares
}
