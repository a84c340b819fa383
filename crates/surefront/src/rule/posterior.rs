//! Models that the observations leave possible.

use rand::{Rng, RngExt};
use rand_distr::{Beta, Gamma, StandardNormal};

use crate::family::Family;
use crate::front::Front;
use crate::limit::behind_post;
use crate::model::{Model, oriented};
use crate::problem::Problem;
use crate::shrinkage::Shrinkage;
use crate::tally::Tally;

/// A model drawn from the posterior, and its front; kept for the room it takes. Not part of a rule's state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draw {
    model: Option<Model>,
    pub front: Front,
}

impl PartialEq for Draw {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Draw {
    /// A model drawn from the posterior: N(mean, variance / n), correlated as the readings are, under a flat prior, and that of a success rate or a rate of events under
    /// Jeffreys' prior, so that a mean at the edge of its domain is drawn away from it.
    pub fn model(&mut self, problem: &Problem, tally: &Tally, rng: &mut impl Rng) -> &Model {
        // The room may be that of another study.
        let size = |model: &Model| (model.arm_count(), model.objective_count());
        self.model = self.model.take().filter(|model| size(model) == size(tally.means()));
        let model = self.model.get_or_insert_with(|| tally.means().clone());
        if let Some(kinds) = problem.kinds() {
            for arm in 0..model.arm_count() {
                let n = tally.counts()[arm];
                let cells = tally.means().row(arm).iter().zip(problem.precision(arm)).zip(kinds);
                model.change(arm, |row| {
                    for (to, ((mean, precision), kind)) in row.iter_mut().zip(cells) {
                        *to = match kind.family {
                            _ if *precision == f64::INFINITY => *mean,
                            Family::Gaussian => mean + rng.sample::<f64, _>(StandardNormal) / (n * precision).sqrt(),
                            family => kind.sign * drawn(family, kind.sign * mean, n, rng),
                        };
                    }
                });
            }
            draw_quantiles(model, problem, tally, rng);
            draw_limited(model, problem, tally, rng);
            return model;
        }
        if let Some(coupling) = problem.coupling() {
            let mut noise = vec![0.0; model.objective_count()];
            for arm in 0..model.arm_count() {
                let n = tally.counts()[arm];
                noise.iter_mut().for_each(|noise| *noise = rng.sample(StandardNormal));
                coupling.correlate(&mut noise);
                let cells = tally.means().row(arm).iter().zip(problem.precision(arm)).zip(&noise);
                model.change(arm, |row| {
                    for (to, ((mean, precision), noise)) in row.iter_mut().zip(cells) {
                        *to = mean + noise / (n * precision).sqrt();
                    }
                });
            }
            draw_limited(model, problem, tally, rng);
            return model;
        }
        for arm in 0..model.arm_count() {
            let n = tally.counts()[arm];
            let means = tally.means().row(arm);
            model.change(arm, |row| {
                for ((to, mean), precision) in row.iter_mut().zip(means).zip(problem.precision(arm)) {
                    let noise: f64 = rng.sample(StandardNormal);
                    *to = mean + noise / (n * precision).sqrt();
                }
            });
        }
        draw_quantiles(model, problem, tally, rng);
        draw_limited(model, problem, tally, rng);
        model
    }

    /// The same, with its front.
    pub fn anew(&mut self, problem: &Problem, tally: &Tally, rng: &mut impl Rng) -> (&Model, &Front) {
        self.model(problem, tally, rng);
        self.with_front()
    }

    /// The same, where the means of arms are like each other.
    pub fn drawn_together(
        &mut self,
        problem: &Problem,
        tally: &Tally,
        shrinkage: &Shrinkage<'_>,
        rng: &mut impl Rng,
    ) -> (&Model, &Front) {
        self.model(problem, tally, rng);
        shrinkage.draw_together(self.model.as_mut().expect("it was drawn"));
        self.with_front()
    }

    fn with_front(&mut self) -> (&Model, &Front) {
        let model = self.model.as_ref().expect("it was drawn");
        self.front.recompute(model);
        (model, &self.front)
    }
}

/// What is only limited.
fn draw_limited(model: &mut Model, problem: &Problem, tally: &Tally, rng: &mut impl Rng) {
    let (Some(gate), Some(readings)) = (problem.gate(), tally.means().limited()) else { return };
    for &j in gate.layout().idle.iter().filter(|&&j| problem.quantile(j).is_none()) {
        let (goal, family) = (problem.objectives()[j].goal, problem.family(j));
        let mut limits = gate.layout().limits.iter().enumerate();
        let (limit, &(_, sign)) = limits.find(|(_, limit)| limit.0 == j).expect("what is only limited has a limit");
        for arm in 0..model.arm_count() {
            let place = behind_post(arm);
            let (n, precision) = (tally.counts()[arm], gate.problem().precision(place)[limit]);
            let mean = sign * readings.row(place)[limit];
            let drawn = match family {
                _ if precision == f64::INFINITY => mean,
                Family::Gaussian => mean + rng.sample::<f64, _>(StandardNormal) / (n * precision).sqrt(),
                family => oriented(goal, drawn(family, oriented(goal, mean), n, rng)),
            };
            model.set_idle(arm, j, drawn);
        }
    }
}

/// Where quantiles are compared: values of the arm, drawn by their ranks. The part of the law that is below the value that a part q of n is below has nearly a beta
/// distribution, whatever the law; where values repeat, it is most often the same one again.
fn draw_quantiles(model: &mut Model, problem: &Problem, tally: &Tally, rng: &mut impl Rng) {
    for j in 0..problem.objective_count() {
        let Some(quantile) = problem.quantile(j) else { continue };
        for arm in 0..model.arm_count() {
            let Some(ranks) = tally.ranks(arm, j).filter(|ranks| ranks.len() > 0) else { continue };
            let (n, q) = (ranks.len() as f64, quantile.level());
            let part = rng.sample(Beta::new(q * n + 0.5, (1.0 - q) * n + 0.5).expect("both parameters are positive"));
            let rank = ((part * n).ceil() as usize).clamp(1, ranks.len());
            let place = oriented(problem.objectives()[j].goal, ranks.reading(rank).place());
            if problem.objectives()[j].is_only_limited() {
                model.set_idle(arm, j, place);
            } else {
                model.change(arm, |row| row[j] = place);
            }
        }
    }
}

/// A mean drawn from what `n` observations of this mean leave possible.
fn drawn(family: Family, mean: f64, n: f64, rng: &mut impl Rng) -> f64 {
    let gamma = |shape: f64| Gamma::new(shape, 1.0).expect("the shape is positive");
    let sum = n * mean;
    match family {
        Family::Gaussian => unreachable!("its variance is known from elsewhere"),
        Family::Bernoulli => {
            rng.sample(Beta::new(sum + 0.5, (n - sum).max(0.0) + 0.5).expect("both parameters are positive"))
        }
        Family::Poisson => rng.sample(gamma(sum + 0.5)) / n,
        // The rate is Gamma(n, sum): the draw of zero, which no mean can be the inverse of, does not come up in practice.
        Family::Exponential => sum / rng.sample(gamma(n)).max(f64::MIN_POSITIVE),
    }
}

/// One round in `explore`, or in a tenth of the number of arms if that is more, since a draw costs as much as the arms are many.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Rhythm {
    explore: u64,
    rounds: u64,
}

impl Rhythm {
    /// 0 for never.
    pub fn every(explore: u64) -> Self {
        Rhythm { explore, rounds: 0 }
    }

    /// The same from its beginning.
    pub fn afresh(self) -> Self {
        Rhythm::every(self.explore)
    }

    /// Goes on where an earlier one was.
    pub fn take_up(&mut self, earlier: Self) {
        self.rounds = earlier.rounds;
    }

    /// Whether this round is one.
    pub fn strikes(&mut self, arm_count: usize) -> bool {
        let strikes = self.will_strike(arm_count);
        self.rounds += 1;
        strikes
    }

    /// Whether the next round is one.
    pub fn will_strike(&self, arm_count: usize) -> bool {
        self.explore > 0 && (self.rounds + 1).is_multiple_of(self.explore.max(arm_count as u64 / 10))
    }
}
