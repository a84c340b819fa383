//! What the observations so far say: counts, means and variances.

mod saved;
#[cfg(test)]
mod tests;

pub use self::saved::ResumeError;
pub(crate) use self::saved::SavedTally;
use crate::comoments::Comoments;
use crate::family::Family;
use crate::grain::Grain;
use crate::limit::{POST, behind_post};
use crate::model::{Model, oriented};
use crate::observation::ObservationError;
use crate::problem::{Gate, Problem};
use crate::ranks::Ranks;
use crate::sum::{Sum, two_product};
use crate::weights::Weights;

/// So many observations of an arm it takes before they say anything of a variance that is unknown; equal repeats are no more than one ([`Tally::telling`]).
pub(crate) const FIRST_LOOKS: f64 = 4.0;

/// Values that differ by less than this part of them are equal but for rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

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
        self.take_in(problem, arm, values);
        Ok(())
    }

    /// Takes in one observation of `arm` that was checked.
    pub(crate) fn take_in(&mut self, problem: &Problem, arm: usize, values: &[f64]) {
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
