//! Posterior sampling, to measure and to stop: PSIPS of Kone, Jourdan and Kaufmann, "Pareto Set Identification With Posterior Sampling",
//! AISTATS 2025.
//!
//! In every round models are drawn from a posterior that is widened, until one has another front than the means: the model to be told apart. Its
//! distance from the means, arm by arm, is the gain of a learner (AdaHedge; de Rooij, van Erven, Grünwald and Koolen 2014) whose weights the next arm
//! is drawn by, with a part 1/t of uniform exploration. It stops once M(t, δ) = ln(t/δ) / ln(1/(1 − δ)) models drawn in a row, with the variance of the posterior
//! c(t, δ) = 1 + ln(max(ln t, 1)) / ln(1/δ) times, have the front of the means: a stop of its own. The widening of the models to measure by is
//! 2, as in the authors' public code. Unlike there the means are not shrunk towards zero: every arm is measured once first.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::posterior::Draw;
use super::{Conclusion, Round, SamplingRule};
use crate::front::{Front, covers};
use crate::model::Model;
use crate::risk::{DeltaError, Risk};

/// How much wider than the posterior the models are that are to be told apart, as a variance.
const WIDENING: f64 = 2.0;
/// If none of so many models has another front, the last one will do.
const MOST_DRAWS: u64 = 100_000;

/// Measures what tells drawn models apart from the means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Psips {
    delta: Risk,
    learner: AdaHedge,
    /// The gains of the model that is to be told apart, where it was drawn already.
    gains: Option<Vec<f64>>,
    #[serde(skip)]
    room: Room,
}

/// Not part of the rule's state.
#[derive(Clone, Debug, Default, PartialEq)]
struct Room {
    draw: Draw,
    moved: Vec<f64>,
}

/// What came of drawing models.
enum Drawn {
    /// One that has another front.
    Other,
    /// Enough in a row have the same front.
    AllTheSame,
}

impl Psips {
    /// For the risk δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn new(arm_count: usize, delta: f64) -> Result<Self, DeltaError> {
        Ok(Psips::at(arm_count, Risk::new(delta)?))
    }

    fn at(arm_count: usize, delta: Risk) -> Self {
        Psips { delta, learner: AdaHedge::new(arm_count), gains: None, room: Room::default() }
    }

    pub(super) fn arm_count(&self) -> usize {
        let arms = self.learner.gains.len();
        if self.gains.as_ref().is_none_or(|gains| gains.len() == arms) { arms } else { 0 }
    }

    pub(super) fn afresh(&self, arm_count: usize) -> Self {
        Psips::at(arm_count, self.delta)
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        if earlier.arm_count() == self.arm_count() {
            *self = Psips { delta: self.delta, ..earlier };
        }
    }

    /// Draws models until one has another front, at most so many as stop the study if none of them has.
    fn draw(&mut self, round: &mut Round<'_>, stop: Option<StopTest>) -> Drawn {
        let mut in_a_row = 0u64;
        for draws in 1..=MOST_DRAWS {
            let model = self.room.draw.model(round.problem, round.tally, round.rng);
            let means = round.tally.means();
            if let Some(StopTest { widening, enough }) = stop {
                if in_a_row == draws - 1 {
                    widen(means, model, widening, &mut self.room.moved);
                    in_a_row += u64::from(!is_other(&self.room.moved, means.objective_count(), round.front));
                }
                if in_a_row == draws && in_a_row as f64 >= enough {
                    return Drawn::AllTheSame;
                }
            }
            widen(means, model, WIDENING, &mut self.room.moved);
            if draws == MOST_DRAWS || is_other(&self.room.moved, means.objective_count(), round.front) {
                break;
            }
        }
        self.gains = Some(gains(round, &self.room.moved));
        Drawn::Other
    }
}

/// When posterior draws stop a study.
#[derive(Clone, Copy)]
struct StopTest {
    /// c(t, δ).
    widening: f64,
    /// M(t, δ).
    enough: f64,
}

impl StopTest {
    fn at(samples: f64, delta: f64) -> Self {
        let widening = 1.0 + samples.ln().max(1.0).ln() / (1.0 / delta).ln();
        StopTest { widening, enough: (samples / delta).ln() / -(-delta).ln_1p() }
    }
}

/// The drawn model, as far from the means as if the variance were so many times larger.
fn widen(means: &Model, drawn: &Model, times: f64, moved: &mut Vec<f64>) {
    let factor = times.sqrt();
    moved.clear();
    moved.extend(means.rows().iter().zip(drawn.rows()).map(|(mean, drawn)| mean + factor * (drawn - mean)));
}

/// Whether a model has another front than the means.
fn is_other(moved: &[f64], objectives: usize, front: &Front) -> bool {
    let row = |arm: usize| &moved[arm * objectives..(arm + 1) * objectives];
    let arms = moved.len() / objectives;
    let is_covered = |arm: usize| front.members().iter().any(|&by| by != arm && covers(row(by), row(arm)));
    // An arm of the front that another arm covers, or one off the front that none of it covers.
    (0..arms).any(|arm| is_covered(arm) == front.contains(arm))
}

/// By arm: the squared distance of a model from the means, in standard deviations of one observation.
fn gains(round: &Round<'_>, moved: &[f64]) -> Vec<f64> {
    let means = round.tally.means();
    let d = means.objective_count();
    (0..means.arm_count())
        .map(|arm| {
            let (row, precision) = (means.row(arm), round.problem.precision(arm));
            let cells = row.iter().zip(&moved[arm * d..]).zip(precision).enumerate();
            let gain = cells.map(|(j, ((mean, moved), precision))| {
                if *precision == f64::INFINITY {
                    return 0.0;
                }
                let kind = round.problem.kind(j);
                let variance = kind.family.variance_seen(kind.sign * mean, round.tally.counts()[arm]);
                (mean - moved).powi(2) * precision / variance
            });
            gain.sum()
        })
        .collect()
}

impl SamplingRule for Psips {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        if self.gains.is_none() {
            self.draw(round, None);
        }
        let (arms, time) = (round.problem.arm_count(), round.time().max(1) as f64);
        // The learner's weights are as they were before the model was drawn.
        let explore = round.rng.random::<f64>() < 1.0 / time;
        let arm = if explore { round.rng.random_range(0..arms) } else { self.learner.drawn(round.rng.random()) };
        if let Some(gains) = self.gains.take() {
            self.learner.learn(&gains);
        }
        arm
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        let test = StopTest::at(round.tally.total() as f64, self.delta.get());
        match self.draw(round, Some(test)) {
            Drawn::AllTheSame => Some(Conclusion::front(round.front.members().to_vec())),
            Drawn::Other => None,
        }
    }
}

/// Weights that follow the gains, at a rate that adapts to how much was lost by following them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AdaHedge {
    /// The sum of all gains, by arm.
    gains: Vec<f64>,
    /// What was lost: the sum of the mixability gaps.
    gap: f64,
}

impl AdaHedge {
    fn new(arm_count: usize) -> Self {
        AdaHedge { gains: vec![0.0; arm_count], gap: 0.0 }
    }

    fn rate(&self) -> f64 {
        if self.gap > 0.0 { (self.gains.len() as f64).ln() / self.gap } else { f64::INFINITY }
    }

    /// The weights before they are divided by their sum.
    fn weights(&self) -> impl Iterator<Item = f64> + '_ {
        self.weights_at(self.rate())
    }

    fn most(&self) -> f64 {
        self.gains.iter().fold(f64::NEG_INFINITY, |most, &gain| most.max(gain))
    }

    /// An arm, drawn by the weights.
    fn drawn(&self, uniform: f64) -> usize {
        let mut left = uniform * self.weights().sum::<f64>();
        let drawn = self.weights().position(|weight| {
            left -= weight;
            left < 0.0
        });
        // Rounding may leave a little over.
        drawn.unwrap_or(0)
    }

    fn learn(&mut self, gains: &[f64]) {
        let (rate, sum, most) = (self.rate(), self.weights().sum::<f64>(), self.most());
        let mean = self.weights().zip(gains).map(|(weight, gain)| weight * gain).sum::<f64>() / sum;
        self.gains.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
        // What the mixture of the arms' gains grew by, at this rate.
        let after: f64 = self.weights_at(rate).sum();
        let mixed = self.most() - most + if rate == f64::INFINITY { 0.0 } else { (after / sum).ln() / rate };
        self.gap += (mixed - mean).max(0.0);
    }

    fn weights_at(&self, rate: f64) -> impl Iterator<Item = f64> + '_ {
        let most = self.most();
        self.gains.iter().map(move |gain| {
            if rate == f64::INFINITY { f64::from(u8::from(*gain == most)) } else { (rate * (gain - most)).exp() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::unit_problem;

    #[test]
    fn another_front_is_found_as_by_computing_it() {
        let problem = unit_problem(5, 2);
        let means = Model::new(&problem, &[[3.0, 0.0], [0.0, 3.0], [1.0, -1.0], [-1.0, 1.0], [2.0, 2.0]]).unwrap();
        let front = Front::of(&means);
        for shift in 0..200 {
            let rows: Vec<[f64; 2]> = (0..5usize)
                .map(|arm| {
                    let row = means.row(arm);
                    let by = |j: usize| ((shift * (7 + arm * 3 + j * 5)) % 41) as f64 / 10.0 - 2.0;
                    [row[0] + by(0), row[1] + by(1)]
                })
                .collect();
            let model = Model::new(&problem, &rows).unwrap();
            assert_eq!(is_other(model.rows(), 2, &front), Front::of(&model) != front, "{rows:?}");
        }
    }

    #[test]
    fn the_learner_comes_to_prefer_what_gains_most() {
        let mut learner = AdaHedge::new(3);
        for round in 0..2000 {
            let lucky = f64::from(round % 2);
            learner.learn(&[1.0 - lucky, 0.8, lucky]);
        }
        let sum: f64 = learner.weights().sum();
        let weights: Vec<f64> = learner.weights().map(|weight| weight / sum).collect();
        assert!(weights[1] > 0.99, "{weights:?}");
        assert_eq!(learner.drawn(0.5), 1);
    }

    #[test]
    fn the_stop_as_published() {
        let StopTest { widening, enough } = StopTest::at(10_000.0, 0.1);
        assert!((widening - (1.0 + 10_000f64.ln().ln() / 10f64.ln())).abs() < 1e-12);
        assert!((enough - 100_000f64.ln() / (1.0f64 / 0.9).ln()).abs() < 1e-9);
        assert_eq!(StopTest::at(2.0, 0.1).widening, 1.0);
    }
}
