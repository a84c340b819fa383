//! What the observations so far say: counts, means and variances.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::comoments::Comoments;
use crate::family::Family;
use crate::grain::Grain;
use crate::limit::{POST, behind_post};
use crate::model::{Model, oriented};
use crate::observation::ObservationError;
use crate::problem::{Gate, Problem};
use crate::ranks::Ranks;
use crate::reading::Reading;
use crate::sum::{Sum, two_product};
use crate::weights::Weights;

/// So many observations of an arm it takes before they say anything of a variance that is unknown; equal repeats are no more than one ([`Tally::telling`]).
pub(crate) const FIRST_LOOKS: f64 = 4.0;

/// Values that differ by less than this part of them are equal but for rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

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

/// The counts, means and variances of the observations so far. O(d) per observation; the order of the observations does not
/// change them. (It changes what is kept of noise that is only known to be bounded: how far each observation was from the mean of those before it.)
/// Where a quantile is compared, all values are kept in their order, and the sample quantile stands for the mean.
///
/// ```
/// # use surefront::{Arm, Goal, Noise, Objective, Problem, Tally};
/// # let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")])?;
/// let mut tally = Tally::new(&problem);
/// tally.add(&problem, 1, &[2.0])?;
/// tally.add(&problem, 1, &[4.0])?;
/// assert_eq!(tally.count(1), 2);
/// assert_eq!(tally.means().row(1), [3.0]);
/// assert_eq!(tally.variance(1, 0), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    total: u64,
    counts: Weights,
    means: Model,
    sums: Vec<Sum>,
    squares: Vec<Sum>,
    /// Where variances are unknown: how fine the values are.
    grains: Option<Vec<Grain>>,
    /// Where ranges are known: Σ (x − the mean of those before it)², in parts of the range.
    walks: Option<Vec<f64>>,
    /// Where the correlation is unknown: by arm, how the readings vary together.
    together: Option<Vec<Comoments>>,
    /// Where quantiles are compared: the values, of these objectives only.
    ranks: Option<Vec<Ranks>>,
    /// Where there are limits: the same observations of what is limited, after the post.
    limited: Option<Box<Tally>>,
}

impl Tally {
    /// No observations yet. The means are zero until there are.
    pub fn new(problem: &Problem) -> Self {
        let (k, d) = (problem.arm_count(), problem.objective_count());
        let zero = vec![Sum::default(); k * d];
        let grains = problem.has_unknown_noise().then(|| vec![Grain::default(); k * d]);
        let together = problem.estimates_correlation().then(|| vec![Comoments::new(d); k]);
        Tally {
            total: 0,
            counts: Weights::zero(k),
            means: Model::zero(problem),
            sums: zero.clone(),
            squares: zero,
            grains,
            walks: problem.has_ranges().then(|| vec![0.0; k * d]),
            together,
            ranks: problem.has_quantiles().then(|| vec![Ranks::default(); k * d]),
            limited: problem.gate().map(|gate| Box::new(Tally::at_post(gate))),
        }
    }

    /// Where the arms of a gate begin: the post has been observed.
    fn at_post(gate: &Gate) -> Self {
        let mut tally = Tally::new(gate.problem());
        tally.add(gate.problem(), POST, &gate.post_in_units()).expect("the limits have been checked");
        tally
    }

    /// Takes in one observation of `arm`, in the objectives' own units.
    ///
    /// # Errors
    /// When the arm is unknown, or the values are not one finite number per objective, or they contradict an objective
    /// without noise. Nothing changes then.
    pub fn add(&mut self, problem: &Problem, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        self.check(problem, arm, values)?;
        let d = values.len();
        self.total += 1;
        let n = self.counts[arm] + 1.0;
        self.counts.set(arm, n);
        let precision = problem.precision(arm);
        let (sums, squares) = (&mut self.sums[arm * d..(arm + 1) * d], &mut self.squares[arm * d..(arm + 1) * d]);
        let (all_ranks, walks, grains) = (&mut self.ranks, &mut self.walks, &mut self.grains);
        self.means.change(arm, |means| {
            // Cut to one length, so that it is looked at once.
            let (objectives, means, precision) = (&problem.objectives()[..d], &mut means[..d], &precision[..d]);
            let (sums, squares) = (&mut sums[..d], &mut squares[..d]);
            for j in 0..d {
                let (goal, sum, square) = (objectives[j].goal, &mut sums[j], &mut squares[j]);
                if let Some(all) = all_ranks.as_mut()
                    && let Some(quantile) = problem.quantile(j)
                {
                    let ranks = &mut all[arm * d + j];
                    ranks.add(values[j]);
                    means[j] = oriented(goal, ranks.location(quantile));
                    continue;
                }
                let value = oriented(goal, values[j]);
                if let Some(walks) = walks
                    && let Some(range) = problem.range(j)
                {
                    // As if the first had come after one in the middle.
                    let before = (oriented(goal, range.middle()) + sum.high) / n;
                    walks[arm * d + j] += ((value - before) / range.width()).powi(2);
                }
                sum.add(value);
                let (product, error) = two_product(value, value);
                square.add(product);
                square.add(error);
                means[j] = sum.mean(precision[j], n);
                if let Some(grains) = grains {
                    grains[arm * d + j].add(value);
                }
            }
        });
        if let Some(together) = &mut self.together {
            let goals = problem.objectives().iter().map(|objective| objective.goal);
            together[arm].add(goals.zip(values).map(|(goal, &value)| oriented(goal, value)));
        }
        self.follow_limited(problem, arm, |gate, limited, place| {
            limited.add(gate.problem(), place, &gate.values_of(values))
        });
        Ok(())
    }

    /// Lets what is limited follow an observation of `arm` that was taken in.
    fn follow_limited(
        &mut self,
        problem: &Problem,
        arm: usize,
        add: impl FnOnce(&Gate, &mut Tally, usize) -> Result<(), ObservationError>,
    ) {
        let (Some(gate), Some(limited)) = (problem.gate(), &mut self.limited) else { return };
        add(gate, limited, behind_post(arm)).expect("it was taken in already");
        self.means.set_limited(arm, limited.means.row(behind_post(arm)));
    }

    /// Takes in `count` observations of `arm` at once, by their means and sample standard deviations, in the objectives' own units. How fine
    /// the values were is not known then.
    ///
    /// # Errors
    /// As [`add`](Tally::add), and where means and standard deviations say too little: of quantiles, ranges, correlations and kinds of noise other than Gaussian.
    pub fn add_summary(
        &mut self,
        problem: &Problem,
        arm: usize,
        count: u64,
        means: &[f64],
        deviations: &[f64],
    ) -> Result<(), ObservationError> {
        self.check(problem, arm, means)?;
        let d = means.len();
        let says_too_little = |j: usize| {
            let alone = problem.quantile(j).is_some() || problem.range(j).is_some();
            alone || problem.family(j) != Family::Gaussian || self.together.is_some()
        };
        if let Some(j) = (0..d).find(|&j| says_too_little(j)) {
            let (arm, objective) = (problem.arms()[arm].name.clone(), problem.objectives()[j].name.clone());
            return Err(ObservationError::OnlySummary { arm, objective });
        }
        self.total += count;
        let (added, n) = (count as f64, self.counts[arm] + count as f64);
        self.counts.set(arm, n);
        for j in 0..d {
            let (cell, value) = (arm * d + j, oriented(problem.objectives()[j].goal, means[j]));
            let (high, low) = two_product(value, added);
            self.sums[cell].add(high);
            self.sums[cell].add(low);
            // Σ x² = n m² + (n − 1) s².
            let (square, error) = two_product(value, value);
            let (high, low) = two_product(square, added);
            for part in [high, low, error * added, (added - 1.0) * deviations[j] * deviations[j]] {
                self.squares[cell].add(part);
            }
            if let Some(grains) = &mut self.grains {
                grains[cell] = Grain::overlooked();
            }
        }
        let sums = &self.sums[arm * d..(arm + 1) * d];
        self.means.change(arm, |means| {
            for (j, (mean, sum)) in means.iter_mut().zip(sums).enumerate() {
                *mean = sum.mean(problem.precision(arm)[j], n);
            }
        });
        self.follow_limited(problem, arm, |gate, limited, place| {
            let (means, deviations) = (gate.values_of(means), gate.values_of(deviations));
            limited.add_summary(gate.problem(), place, count, &means, &deviations)
        });
        Ok(())
    }

    /// One more arm, without observations.
    pub(crate) fn push_arm(&mut self) {
        self.counts.push_zero();
        self.means.push_zero();
        let cells = self.sums.len() + self.means.objective_count();
        self.sums.resize(cells, Sum::default());
        self.squares.resize(cells, Sum::default());
        if let Some(grains) = &mut self.grains {
            grains.resize(cells, Grain::default());
        }
        if let Some(walks) = &mut self.walks {
            walks.resize(cells, 0.0);
        }
        if let Some(together) = &mut self.together {
            together.push(Comoments::new(self.means.objective_count()));
        }
        if let Some(ranks) = &mut self.ranks {
            ranks.resize(cells, Ranks::default());
        }
        if let Some(limited) = &mut self.limited {
            limited.push_arm();
        }
    }

    /// The same observations with the margins of another problem.
    pub(crate) fn under(&self, problem: &Problem) -> Self {
        Tally { means: self.means.under(problem), ..self.clone() }
    }

    /// The observations of these arms alone.
    pub(crate) fn of_arms(&self, arms: &[usize]) -> Self {
        let d = self.means.objective_count();
        let cells = |all: &[Sum]| arms.iter().flat_map(|&arm| all[arm * d..(arm + 1) * d].iter().copied()).collect();
        let mut part = Tally {
            total: arms.iter().map(|&arm| self.count(arm)).sum(),
            counts: Weights::zero(arms.len()),
            means: self.means.zero_like(arms.len()),
            sums: cells(&self.sums),
            squares: cells(&self.squares),
            grains: self
                .grains
                .as_ref()
                .map(|all| arms.iter().flat_map(|&arm| all[arm * d..(arm + 1) * d].iter().cloned()).collect()),
            walks: self
                .walks
                .as_ref()
                .map(|all| arms.iter().flat_map(|&arm| all[arm * d..(arm + 1) * d].iter().copied()).collect()),
            together: self.together.as_ref().map(|all| arms.iter().map(|&arm| all[arm].clone()).collect()),
            ranks: self
                .ranks
                .as_ref()
                .map(|all| arms.iter().flat_map(|&arm| all[arm * d..(arm + 1) * d].iter().cloned()).collect()),
            limited: self.limited.as_ref().map(|limited| {
                let kept: Vec<usize> = std::iter::once(POST).chain(arms.iter().map(|&arm| behind_post(arm))).collect();
                Box::new(limited.of_arms(&kept))
            }),
        };
        for (place, &arm) in arms.iter().enumerate() {
            part.counts.set(place, self.counts[arm]);
            part.means.set_from(place, &self.means, arm);
        }
        part
    }

    fn check(&self, problem: &Problem, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        problem.check_observation(arm, values, |j| {
            (self.counts[arm] > 0.0).then(|| oriented(problem.objectives()[j].goal, self.means.mean_in(arm, j)))
        })
    }

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

    /// The values of `arm` in an objective in their order, in the objective's own units; `None` where means are compared.
    pub(crate) fn ranks(&self, arm: usize, objective: usize) -> Option<&Ranks> {
        self.ranks.as_ref().map(|ranks| &ranks[arm * self.means.objective_count() + objective])
    }

    /// The observations of what is limited, after the post; `None` without limits.
    pub(crate) fn limited(&self) -> Option<&Tally> {
        self.limited.as_deref()
    }

    /// How many observations there are of all arms.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many observations there are of `arm`.
    pub fn count(&self, arm: usize) -> u64 {
        self.counts[arm] as u64
    }

    /// The counts as weights of the arms; all zero as long as there is no observation.
    pub fn counts(&self) -> &Weights {
        &self.counts
    }

    /// The means so far, larger is better.
    pub fn means(&self) -> &Model {
        &self.means
    }

    /// How fine the values of `arm` are in an objective, larger is better; `None` where all variances are known.
    pub fn grain(&self, arm: usize, objective: usize) -> Option<&Grain> {
        self.grains.as_ref().map(|grains| &grains[arm * self.means.objective_count() + objective])
    }

    /// How many observations of `arm` say something of a variance that nobody knows: those that are equal to its most frequent value count once, since
    /// equal repeats say nothing of what is seldom; and so do all where they are equal but for rounding.
    pub fn telling(&self, arm: usize, objective: usize) -> f64 {
        let (count, grain) = (self.counts[arm], self.grain(arm, objective));
        let size = self.means.mean_in(arm, objective).abs();
        let rounding = (ROUNDING * size) * (ROUNDING * size);
        // Most often the least and the greatest tell: their squares around the mean alone add up to half of the square between them.
        let are_apart = |(low, high): (f64, f64)| (high - low) * (high - low) > (8.0 + count) * count * rounding;
        let is_one = || self.variance(arm, objective).is_some_and(|variance| variance <= rounding);
        if !grain.and_then(Grain::range).is_some_and(are_apart) && is_one() {
            return 1.0;
        }
        count - grain.map_or(0, Grain::most_frequent).saturating_sub(1) as f64
    }

    /// Of noise that is only known to be bounded: Σ (x − the mean of those before it)², in parts of the range.
    pub(crate) fn walk(&self, arm: usize, objective: usize) -> f64 {
        self.walks.as_ref().map_or(0.0, |walks| walks[arm * self.means.objective_count() + objective])
    }

    /// How the readings of `arm` vary together; `None` where nobody needs to know.
    pub(crate) fn comoments(&self, arm: usize) -> Option<&Comoments> {
        self.together.as_ref().map(|together| &together[arm])
    }

    /// The unbiased sample variance of `arm` in an objective; `None` for fewer than two observations, or where a quantile is compared.
    pub fn variance(&self, arm: usize, objective: usize) -> Option<f64> {
        let n = self.counts[arm];
        if n < 2.0 || self.ranks(arm, objective).is_some_and(|ranks| ranks.len() > 0) {
            return None;
        }
        let cell = arm * self.means.objective_count() + objective;
        let (sum, square) = (self.sums[cell], self.squares[cell]);
        let mean = sum.high / n;
        // Σ x² − n m² with m near the mean: products as sums of two numbers keep what would cancel.
        let (high, low) = two_product(mean, mean);
        let mut spread = square;
        let (n_high, n_low) = two_product(high, n);
        spread.add(-n_high);
        spread.add(-n_low);
        spread.add(-low * n);
        // Σ (x − m)² = Σ x² − n m² − 2 m (Σ x − n m).
        let (product, error) = two_product(mean, n);
        let off = ((sum.high - product) - error) + sum.low;
        spread.add(-2.0 * mean * off);
        Some((spread.high + spread.low).max(0.0) / (n - 1.0))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::unit_problem;

    fn tally(values: &[f64]) -> Tally {
        let problem = unit_problem(1, 1);
        let mut tally = Tally::new(&problem);
        for &value in values {
            tally.add(&problem, 0, &[value]).unwrap();
        }
        tally
    }

    #[test]
    fn what_is_wrong_is_named_and_changes_nothing() {
        let problem = unit_problem(2, 2);
        let mut tally = Tally::new(&problem);
        tally.add(&problem, 0, &[1.0, 2.0]).unwrap();
        let before = tally.clone();
        assert!(tally.add(&problem, 2, &[1.0, 2.0]).unwrap_err().to_string().contains("no arm number 3"));
        assert!(tally.add(&problem, 0, &[1.0]).unwrap_err().to_string().contains("arm \"arm 0\" has 1 values"));
        for bad in [f64::NAN, f64::INFINITY, -1e76] {
            let text = tally.add(&problem, 0, &[1.0, bad]).unwrap_err().to_string();
            assert!(text.contains("objective \"objective 1\""), "{text}");
        }
        assert_eq!(tally, before);
    }

    #[test]
    fn without_noise_the_value_is_the_mean_and_must_stay() {
        use crate::problem::{Arm, Goal, Noise, Objective};
        let bytes = Objective::new("bytes", Goal::Min, Noise::Exact);
        let problem = Problem::new(vec![bytes], vec![Arm::named("gzip")]).unwrap();
        let mut tally = Tally::new(&problem);
        for _ in 0..3 {
            tally.add(&problem, 0, &[0.1]).unwrap();
        }
        assert_eq!(tally.means().row(0), [-0.1]);
        let text = tally.add(&problem, 0, &[0.2]).unwrap_err().to_string();
        assert!(text.contains("was 0.1") && text.contains("is 0.2"), "{text}");
    }

    #[test]
    fn other_noise_is_as_if_it_had_been_said_at_once() {
        use crate::problem::{Arm, Goal, Noise, Objective};
        let problem = |noise| {
            let objectives =
                vec![Objective::new("passed", Goal::Min, noise), Objective::new("x", Goal::Max, Noise::Unknown)];
            Problem::new(objectives, vec![Arm::named("a"), Arm::named("b")]).unwrap()
        };
        let [unknown, bernoulli] = [Noise::Unknown, Noise::Bernoulli].map(problem);
        let [mut one, mut other] = [Tally::new(&unknown), Tally::new(&bernoulli)];
        for (arm, values) in [(0, [0.0, 1.5]), (1, [1.0, 0.25]), (0, [1.0, 3.0])] {
            one.add(&unknown, arm, &values).unwrap();
            other.add(&bernoulli, arm, &values).unwrap();
        }
        assert_eq!(one.regarded(&bernoulli).unwrap(), other);
        assert!(one.regarded(&unit_problem(3, 2)).is_err());
    }

    #[test]
    fn a_summary_stands_for_its_values() {
        for values in [vec![1.0, 2.5, 4.0], vec![1e9, 1e9 + 1.0, 1e9 + 3.0, 1e9 - 2.0]] {
            let each = tally(&values);
            let (mean, deviation) = (each.means().row(0)[0], each.variance(0, 0).unwrap().sqrt());
            let problem = unit_problem(1, 1);
            let mut summed = Tally::new(&problem);
            summed.add_summary(&problem, 0, values.len() as u64, &[mean], &[deviation]).unwrap();
            assert_eq!((summed.count(0), summed.means().row(0)[0]), (values.len() as u64, mean));
            assert!((summed.variance(0, 0).unwrap().sqrt() / deviation - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_summary_says_nothing_of_quantiles() {
        use crate::problem::{Arm, Goal, Noise, Objective};
        use crate::statistic::Statistic;
        let median = Objective::new("x", Goal::Max, Noise::Unknown).with_statistic(Statistic::MEDIAN);
        let rate = Objective::new("x", Goal::Max, Noise::Bernoulli);
        for objective in [median, rate] {
            let problem = Problem::new(vec![objective], vec![Arm::named("a")]).unwrap();
            let refused = Tally::new(&problem).add_summary(&problem, 0, 9, &[1.0], &[0.1]);
            assert!(matches!(refused, Err(ObservationError::OnlySummary { .. })), "{refused:?}");
        }
    }

    #[test]
    fn variances_survive_large_means() {
        let values: Vec<f64> = (0..1000).map(|i| 1e9 + f64::from(i % 10)).collect();
        let exact = 8.25 * 1000.0 / 999.0;
        assert!((tally(&values).variance(0, 0).unwrap() - exact).abs() < 1e-9);
        assert_eq!(tally(&[1e9; 50]).variance(0, 0), Some(0.0));
        assert_eq!(tally(&[1.0]).variance(0, 0), None);
    }

    proptest! {
        #[test]
        fn the_order_leaves_no_trace(
            values in prop::collection::vec(-1e6f64..1e6, 1..200),
            swaps in prop::collection::vec((0usize..200, 0usize..200), 0..200),
        ) {
            let mut shuffled = values.clone();
            for (a, b) in swaps {
                shuffled.swap(a % values.len(), b % values.len());
            }
            let (one, other) = (tally(&values), tally(&shuffled));
            prop_assert_eq!(one.means(), other.means());
        }

        #[test]
        fn variances_are_those_of_two_passes(values in prop::collection::vec(-1e3f64..1e3, 2..50)) {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let slow = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64;
            let fast = tally(&values).variance(0, 0).unwrap();
            prop_assert!((fast - slow).abs() <= 1e-9 * slow.max(1e-9));
        }

        /// What the least and the greatest value tell is what the variance would: of values next to each other, and far apart.
        #[test]
        fn values_tell_by_their_variance(
            base in prop::sample::select(&[0.0f64, 1.0, -3.7, 1e9][..]), scale in -17i32..2,
            steps in prop::collection::vec(-4i32..5, 1..60), rough in any::<bool>(),
        ) {
            use crate::problem::{Arm, Goal, Noise, Objective};
            let objective = Objective::new("x", Goal::Max, Noise::Unknown);
            let problem = Problem::new(vec![objective], vec![Arm::named("a")]).unwrap();
            let mut tally = Tally::new(&problem);
            for (place, &step) in steps.iter().enumerate() {
                let shift = f64::from(step) + if rough { 1e-3 * place as f64 } else { 0.0 };
                tally.add(&problem, 0, &[base + shift * 10f64.powi(scale) * f64::max(base.abs(), 1.0)]).unwrap();
            }
            let rounding = (ROUNDING * tally.means().row(0)[0].abs()).powi(2);
            let repeats = tally.grain(0, 0).map_or(0, Grain::most_frequent).saturating_sub(1);
            let expected = match tally.variance(0, 0) {
                Some(variance) if variance <= rounding => 1.0,
                _ => steps.len() as f64 - repeats as f64,
            };
            prop_assert_eq!(tally.telling(0, 0), expected);
        }
    }
}
