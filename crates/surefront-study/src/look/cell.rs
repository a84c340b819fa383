//! The observations of one arm in one objective.

use surefront::Grain;

use super::copies::Copies;
use super::counts::{Values, Whole};
use super::dependence::Neighbours;
use super::drift::Blocks;
use super::moments::Moments;
use super::outliers::Extremes;
use super::pace::Step;
use super::repeats::Repeats;
use super::seen::Seen;
use super::skew::Signs;
use super::{budget, outliers, variance};

/// What is kept of it.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The first value, from which all are counted: what they have in common takes no digits.
    origin: f64,
    moments: Moments,
    given: Option<f64>,
    /// How fine the values are, where nobody else keeps it.
    grain: Option<Grain>,
    whole: Whole,
    extremes: Extremes,
    signs: Signs,
    blocks: Blocks,
    neighbours: Neighbours,
    repeats: Repeats,
    copies: Copies,
    /// What was seen, each kind as it was plainest, with the logarithm of its probability.
    found: Vec<(f64, Seen)>,
}

impl Cell {
    /// Before the first observation, with the variance that was given.
    pub fn new(given: Option<f64>) -> Self {
        Cell {
            origin: 0.0,
            moments: Moments::default(),
            given,
            grain: given.map(|_| Grain::default()),
            whole: Whole::default(),
            extremes: Extremes::default(),
            signs: Signs::default(),
            blocks: Blocks::default(),
            neighbours: Neighbours::default(),
            repeats: Repeats::default(),
            copies: Copies::default(),
            found: Vec::new(),
        }
    }

    /// Takes in one value; whether there is something new to see.
    #[inline]
    pub fn add(&mut self, step: &Step, value: f64) -> bool {
        if step.n == 1.0 {
            self.origin = value;
        }
        if let Some(grain) = &mut self.grain {
            grain.add(value);
        }
        self.whole.add(value);
        self.copies.add(value);
        let x = value - self.origin;
        let before = self.moments;
        let off = x - before.mean;
        let mut stirred = false;
        // The distance from those before, squared and in their variances, times their spread: never divided, so that it takes no time.
        let distance = off * off * (step.n - 1.0) * (step.n - 2.0) * step.share;
        if distance > 0.0 && before.spread > 0.0 {
            self.signs.add(off > 0.0, distance, before.spread);
            if outliers::is_suspect(distance, before.spread) {
                let found = outliers::unforeseen(step.n, value, off, distance, before.spread);
                stirred = self.note(found);
            }
        }
        let mean = before.mean + off * step.share;
        self.moments = Moments { mean, spread: before.spread + off * (x - mean) };
        self.extremes.add(x, step.n);
        self.blocks.add(x, step);
        self.neighbours.add(x, step);
        self.repeats.add(x);
        if let Some(look) = step.look {
            stirred |= self.look(step.n, f64::from(look));
        }
        stirred
    }

    /// All tests that are made at certain numbers of observations.
    #[cold]
    fn look(&mut self, n: f64, look: f64) -> bool {
        let (moments, origin, share) = (self.moments, self.origin, budget::share(look));
        // Few values are noticed elsewhere, by whoever looks then.
        let mut stirred = self.repeats.are_frequent();
        stirred |= self.signs.skew(n).is_some_and(|found| self.note(found));
        let found = [
            self.extremes.farthest(n, moments, origin),
            self.blocks.drift(n, moments, origin),
            self.neighbours.dependence(n, moments),
            self.repeats.repeats(),
            self.copies.copies(),
            self.given.and_then(|given| variance::too_small(n, moments, given)),
            self.given.and_then(|given| variance::too_large(n, moments, given)),
        ];
        for (probability, seen) in found.into_iter().flatten() {
            stirred |= self.note((probability + share, seen));
        }
        stirred
    }

    /// Keeps it, if it is plainer than what was seen of its kind before; whether it is the first.
    fn note(&mut self, found: (f64, Seen)) -> bool {
        // What would not do in the smallest of studies never will.
        if !(found.0 <= budget::alarm(1, 1)) {
            return false;
        }
        let kind = std::mem::discriminant(&found.1);
        match self.found.iter_mut().find(|known| std::mem::discriminant(&known.1) == kind) {
            Some(known) if known.0 <= found.0 => false,
            Some(known) => {
                *known = found;
                false
            }
            None => {
                self.found.push(found);
                true
            }
        }
    }

    /// On which side of the mean the values are.
    pub fn signs(&self) -> &Signs {
        &self.signs
    }

    /// How fine the values are, where this is kept here.
    pub fn grain(&self) -> Option<&Grain> {
        self.grain.as_ref()
    }

    /// What n of them are, as far as counts are concerned.
    pub fn values(&self, n: u64) -> Values {
        Values { whole: self.whole, n, mean: self.origin + self.moments.mean, variance: self.variance(n) }
    }

    /// The variance as it was said.
    pub fn given(&self) -> Option<f64> {
        self.given
    }

    /// The sample variance of n observations.
    pub fn variance(&self, n: u64) -> f64 {
        self.moments.spread / (n as f64 - 1.0).max(1.0)
    }

    /// What there is to see, where the logarithm of a probability must be below `alarm`. Of a few values that repeat it is said that they do, and
    /// not that they are skewed or far from each other; and what variance does for them.
    pub fn sights(&self, alarm: f64, coarse: Option<Seen>) -> impl Iterator<Item = (f64, Seen)> {
        let fine = coarse.is_none();
        let told = move |seen: &Seen| match seen {
            Seen::Drift { .. } | Seen::Dependence { .. } => true,
            _ => fine,
        };
        let found = self.found.iter().filter(move |(probability, seen)| *probability <= alarm && told(seen));
        found.cloned().chain(coarse.filter(|seen| !seen.is_provided_for()).map(|seen| (f64::NEG_INFINITY, seen)))
    }
}
