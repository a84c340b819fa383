//! Observations that say something of the next one.
//!
//! The second, the fourth, … of independent Gaussian values are independent of the sums of their two neighbours, whatever these are: the slope of
//! a straight line through them, in its standard error, is exactly Student's. All products of a value with the next one are in it, so that nothing is lost.

use super::moments::Moments;
use super::pace::Step;
use super::seen::Seen;
use super::tails;

/// Less correlation than this does no harm.
const LEAST: f64 = 0.05;

/// Moments of every second value and the sum of its neighbours.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// The last value and the one before.
    last: [f64; 2],
    means: [f64; 2],
    /// Of the value, of the sum, of both.
    spreads: [f64; 3],
}

impl Neighbours {
    /// Takes in a value.
    #[inline]
    pub fn add(&mut self, x: f64, step: &Step) {
        let [middle, first] = self.last;
        self.last = [x, middle];
        if let Some(share) = step.middle {
            let sum = first + x;
            let off = [middle - self.means[0], sum - self.means[1]];
            self.means = [self.means[0] + off[0] * share, self.means[1] + off[1] * share];
            let rest = sum - self.means[1];
            self.spreads[0] += off[0] * (middle - self.means[0]);
            self.spreads[1] += off[1] * rest;
            self.spreads[2] += off[0] * rest;
        }
    }

    /// Whether values go with their neighbours, after n of them.
    pub fn dependence(&self, n: f64, moments: Moments) -> Option<(f64, Seen)> {
        let pairs = ((n - 1.0) / 2.0).floor();
        let [own, others, both] = self.spreads;
        let correlation = (0.5 * both / pairs / (moments.spread / n)).clamp(-1.0, 1.0);
        // The part of the squares that the line explains.
        let explained = (both / own.sqrt() / others.sqrt()).powi(2);
        if !(correlation.abs() >= LEAST && explained < 1.0) {
            return None;
        }
        let t_squared = (pairs - 2.0) * explained / (1.0 - explained);
        Some((tails::student(pairs - 2.0, t_squared), Seen::Dependence { correlation, observations: n as u64 }))
    }
}
