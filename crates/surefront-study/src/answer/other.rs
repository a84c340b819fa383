//! What the other threshold would have made of the same observations.

use serde::Serialize;
use surefront::{Calibrated, Certified, Promise, Rule, Stopping, Study, Uniform};

use crate::words::plural;

/// Of a way of which no more than this is behind, nobody can tell how long it is.
const EARLY: f64 = 0.02;

/// The threshold that was not chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Other {
    /// Its name.
    pub threshold_name: &'static str,
    /// How strong its answers are.
    pub promise: Promise,
    /// The evidence, as this threshold measures it.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// About the part of the way that is done, in samples; one, once the evidence suffices.
    pub fraction: f64,
    /// Whether it suffices.
    pub reached: bool,
    /// About how many samples it takes in all, had they been spread as they were; `None` if that cannot be said. A proof that learns on the way, as a
    /// certified study does, takes fewer: here it is judged without a lesson, since what would have been learned is not known afterwards.
    pub samples_in_all: Option<f64>,
}

impl Other {
    /// Judges the observations of a study by the threshold that it does not use; `None` before every arm has been measured.
    pub fn of(study: &Study) -> Option<Self> {
        let (settings, arms) = (study.settings(), study.problem().arm_count());
        if super::taking_part(study).any(|arm| study.tally().count(arm) == 0) {
            return None;
        }
        const CHECKED: &str = "the study's own δ";
        let delta = settings.stopping.delta();
        let stopping = match &settings.stopping {
            Stopping::Certified(_) => Stopping::Calibrated(Calibrated::new(delta).expect(CHECKED)),
            _ => Stopping::Certified(Certified::without_lessons(delta).expect(CHECKED)),
        };
        let (threshold_name, promise) = (stopping.name(), stopping.promise());
        let mut settings = settings.clone();
        settings.stopping = stopping;
        // Nothing is asked for: whatever else a rule would look at need not be computed.
        settings.rule = Rule::Uniform(Uniform);
        let other = Study::with_observations(
            study.problem().clone(),
            settings,
            study.tally().clone(),
            vec![0; arms],
            &study.left_out(),
            None,
        );
        // Another kind of noise may be none that the other threshold is for.
        let progress = other.ok()?.verdict().progress;
        let in_all = super::samples(study) as f64 / progress.fraction;
        let is_foreseeable = in_all > 0.0 && in_all < super::FORESEEABLE && progress.fraction > EARLY;
        Some(Other {
            threshold_name,
            promise,
            evidence: progress.evidence,
            threshold: progress.threshold,
            fraction: progress.fraction.min(1.0),
            reached: progress.suffices(),
            samples_in_all: is_foreseeable.then_some(in_all),
        })
    }

    /// In one line.
    pub fn sentence(&self) -> String {
        let state = if self.reached { "is reached" } else { "is not reached" };
        let evidence = if !self.reached {
            format!(" ({})", super::evidence_so_far(self.evidence, self.threshold, self.fraction))
        } else {
            String::new()
        };
        let in_all = match self.samples_in_all {
            Some(samples) => {
                let about = match self.promise {
                    Promise::Proved if !self.reached => "at most about",
                    _ => "about",
                };
                format!(": it takes {about} {} in all", plural::samples(samples.ceil() as u64))
            }
            None => String::new(),
        };
        format!("The {} threshold ({}) {state}{evidence}{in_all}.", self.threshold_name, self.promise.words())
    }
}
