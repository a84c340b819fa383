//! What the other threshold would have made of the same observations.

use serde::Serialize;
use surefront::{Certified, Stopping, Study, Stylized};

use crate::words::number::significant;
use crate::words::plural;

/// The threshold that was not chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Other {
    /// Its name.
    pub threshold_name: &'static str,
    /// The evidence, as this threshold measures it.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// Whether it suffices.
    pub reached: bool,
    /// About how many samples it takes in all, had they been spread as they were; `None` if that cannot be said.
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
            Stopping::Certified(_) => Stopping::Stylized(Stylized::new(delta).expect(CHECKED)),
            _ => Stopping::Certified(Certified::new(delta).expect(CHECKED)),
        };
        let threshold_name = stopping.name();
        let mut settings = settings.clone();
        settings.stopping = stopping;
        let other = Study::with_observations(
            study.problem().clone(),
            settings,
            study.tally().clone(),
            vec![0; arms],
            &study.left_out(),
            Some(study.memory()),
        );
        let progress = other.expect("the tally is the problem's").verdict().progress;
        let in_all = super::samples(study) as f64 / progress.fraction;
        Some(Other {
            threshold_name,
            evidence: progress.evidence,
            threshold: progress.threshold,
            reached: progress.suffices(),
            samples_in_all: (in_all > 0.0 && in_all < super::FORESEEABLE).then_some(in_all),
        })
    }

    /// In one line.
    pub fn sentence(&self) -> String {
        let nature = if self.threshold_name == "certified" { "proved" } else { "customary, not proved" };
        let state = if self.reached { "is reached" } else { "is not reached" };
        let evidence = if self.evidence < super::NOTHING {
            " (no evidence yet)".to_owned()
        } else if self.evidence < f64::INFINITY {
            format!(" (evidence {} of {})", significant(self.evidence, 3), significant(self.threshold, 3))
        } else {
            String::new()
        };
        let in_all = match self.samples_in_all {
            Some(samples) => format!(": it takes about {} in all", plural::samples(samples.ceil() as u64)),
            None => String::new(),
        };
        format!("The {} threshold ({nature}) {state}{evidence}{in_all}.", self.threshold_name)
    }
}
