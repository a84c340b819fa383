//! What was said of the observations while they came in.

use std::collections::HashSet;

use surefront::Study;

use crate::answer::{Remark, remarks};
use crate::look::Look;

/// The kinds of remarks that were made, each once for an objective: people need not hear it of every arm.
#[derive(Debug, Default)]
pub struct Spoken {
    made: HashSet<(u8, String)>,
}

impl Spoken {
    /// What is to be said for the first time.
    pub fn news(&mut self, study: &Study, look: &mut Look) -> Vec<Remark> {
        if !look.stirs() {
            return Vec::new();
        }
        let remarks = remarks(study, &study.caveats(), look);
        let news = remarks.iter().filter(|remark| !remark.is_said_by(&remarks));
        news.filter(|remark| self.made.insert((remark.seen.gravity(), remark.objective.clone()))).cloned().collect()
    }
}
