//! The law of each objective, one for all arms that have noise there: its family, or the range of its values, or none where a quantile is compared.

use super::Problem;
use super::arm::Arm;
use super::noise::Noise;
use super::objective::{Goal, Objective};
use super::problem_error::ProblemError;
use crate::family::Family;
use crate::law::Kind;
use crate::range::Range;
use crate::statistic::Statistic;

impl Problem {
    /// The family of each objective, if there is another than the Gaussian.
    pub(super) fn find_kinds(&self) -> Result<Option<Vec<Kind>>, ProblemError> {
        let mut kinds = Vec::with_capacity(self.objectives.len());
        for (j, objective) in self.objectives.iter().enumerate() {
            let mut known = None;
            for (arm, named) in self.arms.iter().enumerate() {
                match (known, self.noise(arm, j).family()) {
                    (None, family) => known = family,
                    (Some(first), Some(second)) if first != second => {
                        let (arm, objective) = (named.name.clone(), objective.name.clone());
                        return Err(ProblemError::MixedFamilies { arm, objective, families: [first, second] });
                    }
                    _ => {}
                }
            }
            let sign = if objective.goal == Goal::Max { 1.0 } else { -1.0 };
            kinds.push(Kind { family: known.unwrap_or(Family::Gaussian), sign });
        }
        // What is only limited takes no part in what arms are compared by.
        for (kind, _) in kinds.iter_mut().zip(&self.objectives).filter(|(_, objective)| objective.is_only_limited()) {
            kind.family = Family::Gaussian;
        }
        let all_gaussian = kinds.iter().all(|kind| kind.family == Family::Gaussian);
        Ok((!all_gaussian).then_some(kinds))
    }

    /// The range of each objective, which is that of all arms that have noise there.
    pub(super) fn find_ranges(&self) -> Result<Vec<Option<Range>>, ProblemError> {
        let mut ranges = Vec::with_capacity(self.objectives.len());
        for (j, objective) in self.objectives.iter().enumerate() {
            let mut noisy = (0..self.arm_count()).filter(|&arm| self.noise(arm, j) != Noise::Exact);
            let range = noisy.next().and_then(|arm| self.noise(arm, j).range());
            if let Some(arm) = noisy.find(|&arm| self.noise(arm, j).range() != range) {
                let (arm, objective) = (self.arms[arm].name.clone(), objective.name.clone());
                return Err(ProblemError::MixedRanges { arm, objective });
            }
            ranges.push(range);
        }
        Ok(ranges)
    }

    /// The family of the noise in an objective, the same for all arms that have noise there.
    ///
    /// # Panics
    /// When there is no such objective.
    #[inline]
    pub fn family(&self, objective: usize) -> Family {
        assert!(objective < self.objectives.len(), "there is no objective of index {objective}");
        if let Some(family) = self.gate.as_ref().and_then(|gate| gate.family_of_idle(objective)) {
            return family;
        }
        self.kinds.as_ref().map_or(Family::Gaussian, |kinds| kinds[objective].family)
    }

    /// The family of an objective, and which way it is turned.
    pub(crate) fn kind(&self, objective: usize) -> Kind {
        let gaussian = Kind { family: Family::Gaussian, sign: 1.0 };
        self.kinds.as_ref().map_or(gaussian, |kinds| kinds[objective])
    }

    /// By objective: the family, and which way it is turned; `None` where all noise is Gaussian.
    #[inline]
    pub(crate) fn kinds(&self) -> Option<&[Kind]> {
        self.kinds.as_deref()
    }

    /// Where the values of an objective are, if that is all that is known of its noise.
    ///
    /// # Panics
    /// When there is no such objective.
    #[inline]
    pub fn range(&self, objective: usize) -> Option<Range> {
        self.ranges[objective]
    }

    /// Whether there is an objective of which only the range is known.
    pub(crate) fn has_ranges(&self) -> bool {
        self.ranges.iter().any(Option::is_some)
    }
}

/// Where a quantile is compared, no law is: a variance that nobody knows is none to be estimated.
pub(super) fn free_of_laws(
    mut objectives: Vec<Objective>,
    mut arms: Vec<Arm>,
) -> Result<(Vec<Objective>, Vec<Arm>), ProblemError> {
    let free = |noise: Noise, statistic: Statistic, place: &dyn Fn() -> String| match noise {
        Noise::Any if statistic.is_mean() => Err(ProblemError::MeanOfAny { place: place() }),
        _ if statistic.is_mean() => Ok(noise),
        Noise::Unknown | Noise::Common | Noise::Any => Ok(Noise::Any),
        Noise::Variance(_) => Ok(noise),
        _ => {
            let name = noise.family().map_or("exact", Family::name);
            Err(ProblemError::QuantileNoise { place: place(), statistic, noise: name })
        }
    };
    for objective in &mut objectives {
        let place = || format!("objective \"{}\"", objective.name);
        objective.noise = free(objective.noise, objective.statistic, &place)?;
    }
    for arm in &mut arms {
        let Arm { name, noise: Some(own), .. } = arm else { continue };
        for (objective, noise) in objectives.iter().zip(own) {
            let place = || format!("arm \"{name}\" in objective \"{}\"", objective.name);
            *noise = free(*noise, objective.statistic, &place)?;
        }
    }
    Ok((objectives, arms))
}
