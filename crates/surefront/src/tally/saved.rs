//! A tally as it is kept, and taken up again.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Tally;
use crate::comoments::Comoments;
use crate::grain::Grain;
use crate::limit::behind_post;
use crate::model::oriented;
use crate::problem::{Gate, Problem};
use crate::ranks::Ranks;
use crate::reading::Reading;
use crate::sum::Sum;

/// A saved study that does not belong to the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the saved study has {found} entries where the problem has {expected} arms times objectives: it belongs to another problem"
)]
pub struct ResumeError {
    /// How many entries the saved study has.
    pub found: usize,
    /// How many the problem asks for.
    pub expected: usize,
}

/// A tally, saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedTally {
    counts: Vec<u64>,
    sums: Vec<Sum>,
    squares: Vec<Sum>,
    /// Missing in studies saved by version 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grains: Option<Vec<Grain>>,
    /// Where ranges are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    walks: Option<Vec<f64>>,
    /// Only where the correlation is estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    together: Option<Vec<Comoments>>,
    /// Missing where no quantile is compared: the readings by arm and objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    readings: Option<Vec<Vec<f64>>>,
}

impl SavedTally {
    /// What is limited, of so many objectives, after the post.
    fn of_limits(&self, gate: &Gate, d: usize) -> SavedTally {
        let limits = &gate.layout().limits;
        let cells = || (0..self.counts.len()).flat_map(|arm| limits.iter().map(move |&(j, sign)| (arm * d + j, sign)));
        let turned = |sum: Sum, sign: f64| Sum { high: sign * sum.high, low: sign * sum.low };
        let post = Tally::at_post(gate).save();
        let first = |all: &[Sum]| all[..limits.len()].to_vec();
        let grains = self.grains.as_ref().map(|all| {
            let rest = cells().map(|(cell, sign)| if sign > 0.0 { all[cell].clone() } else { all[cell].turned() });
            let first = limits
                .iter()
                .enumerate()
                .map(|(limit, _)| post.grains.as_ref().map_or_else(Grain::default, |grains| grains[limit].clone()));
            first.chain(rest).collect()
        });
        let walks = self.walks.as_ref().map(|all| {
            let first =
                limits.iter().enumerate().map(|(limit, _)| post.walks.as_ref().map_or(0.0, |walks| walks[limit]));
            first.chain(cells().map(|(cell, _)| all[cell])).collect()
        });
        SavedTally {
            counts: std::iter::once(1).chain(self.counts.iter().copied()).collect(),
            sums: first(&post.sums)
                .into_iter()
                .chain(cells().map(|(cell, sign)| turned(self.sums[cell], sign)))
                .collect(),
            squares: first(&post.squares).into_iter().chain(cells().map(|(cell, _)| self.squares[cell])).collect(),
            grains,
            walks,
            together: None,
            readings: self.readings.as_ref().map(|all| {
                let first = post.readings.unwrap_or_else(|| vec![Vec::new(); limits.len()]);
                first.into_iter().take(limits.len()).chain(cells().map(|(cell, _)| all[cell].clone())).collect()
            }),
        }
    }
}

impl Tally {
    /// The same observations, of a problem with the same arms and objectives that says something else of the noise of some. Objectives whose
    /// quantile is compared stay those.
    ///
    /// # Errors
    /// When it has other arms or objectives, or compares a quantile of what means were compared of.
    pub fn regarded(&self, problem: &Problem) -> Result<Self, ResumeError> {
        Tally::resume(problem, self.save())
    }

    /// What is needed to go on from here.
    pub(crate) fn save(&self) -> SavedTally {
        let arms = 0..self.means.arm_count();
        SavedTally {
            counts: arms.map(|arm| self.count(arm)).collect(),
            sums: self.sums.clone(),
            squares: self.squares.clone(),
            grains: self.grains.clone(),
            walks: self.walks.clone(),
            together: self.together.clone(),
            readings: self.ranks.as_ref().map(|ranks| ranks.iter().map(Ranks::readings).collect()),
        }
    }

    pub(crate) fn resume(problem: &Problem, saved: SavedTally) -> Result<Self, ResumeError> {
        let (k, d) = (problem.arm_count(), problem.objective_count());
        let grains = saved.grains.as_ref().map_or(k * d, Vec::len);
        let walks = saved.walks.as_ref().map_or(k * d, Vec::len);
        let together =
            saved.together.as_ref().map_or(k * d, |all| all.iter().map(|arm| arm.objective_count().unwrap_or(0)).sum());
        for (found, expected) in [
            (saved.counts.len(), k),
            (saved.sums.len(), k * d),
            (saved.squares.len(), k * d),
            (grains, k * d),
            (walks, k * d),
            (together, k * d),
        ] {
            if found != expected {
                return Err(ResumeError { found, expected });
            }
        }
        let mut tally = Tally::new(problem);
        tally.ranks = resume_ranks(problem, &saved)?;
        tally.total = saved.counts.iter().sum();
        for arm in (0..k).filter(|&arm| saved.counts[arm] > 0) {
            let n = saved.counts[arm] as f64;
            tally.counts.set(arm, n);
            let row: Vec<f64> = (0..d)
                .map(|j| match (problem.quantile(j), &tally.ranks) {
                    (Some(quantile), Some(ranks)) => {
                        oriented(problem.objectives()[j].goal, ranks[arm * d + j].location(quantile))
                    }
                    _ => saved.sums[arm * d + j].mean(problem.precision(arm)[j], n),
                })
                .collect();
            tally.means.set(arm, &row);
        }
        if let Some(gate) = problem.gate() {
            let limited = Tally::resume(gate.problem(), saved.of_limits(gate, d))?;
            for arm in 0..k {
                tally.means.set_limited(arm, limited.means.row(behind_post(arm)));
            }
            tally.limited = Some(Box::new(limited));
        }
        let overlooked = |cell: usize| {
            if saved.counts[cell / d] > 0 { Grain::overlooked() } else { Grain::default() }
        };
        let grains = tally.grains.map(|_| saved.grains.unwrap_or_else(|| (0..k * d).map(overlooked).collect()));
        // Where it was not kept, no observation was further off than the range is wide.
        let furthest = |cell: usize| saved.counts[cell / d] as f64;
        let walks = tally.walks.map(|_| saved.walks.unwrap_or_else(|| (0..k * d).map(furthest).collect()));
        // What was observed before anybody asked how it varies together is left out of that.
        let together = tally.together.map(|fresh| saved.together.unwrap_or(fresh));
        Ok(Tally { sums: saved.sums, squares: saved.squares, grains, walks, together, ..tally })
    }
}

/// The values in their order, where quantiles are compared: as many of each arm as were counted.
fn resume_ranks(problem: &Problem, saved: &SavedTally) -> Result<Option<Vec<Ranks>>, ResumeError> {
    if !problem.has_quantiles() {
        return Ok(None);
    }
    let (k, d) = (problem.arm_count(), problem.objective_count());
    let readings = saved.readings.as_deref().unwrap_or_default();
    if readings.len() != k * d {
        return Err(ResumeError { found: readings.len(), expected: k * d });
    }
    for (cell, kept) in readings.iter().enumerate().filter(|(cell, _)| problem.quantile(cell % d).is_some()) {
        let (found, expected) = (kept.len(), saved.counts[cell / d] as usize);
        let sound = kept.iter().all(|&reading| Reading::of(reading).is_sound());
        if found != expected || !sound {
            return Err(ResumeError { found, expected });
        }
    }
    Ok(Some(readings.iter().map(|kept| Ranks::of(kept)).collect()))
}
