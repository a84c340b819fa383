//! Values that come back again and again, to the last digit, although they are too fine for it: rows that were copied.
//!
//! Rounded values come back as well. But where they do, so do the values that are a step away from them, and nearly as often. So a few values are kept, those around
//! which there is room, and of what comes near one of them it is counted how much is equal to it. Gaussian values that are rounded to steps of h, within w ≤ σ of a value x that is kept,
//! are equal to it with a chance of 2/(2m + 1) at most, m steps being within w on either side: with the density φ, the two values that are k steps from x have, by Cauchy and Schwarz,
//! at least 2 exp(−(kh)²/(2σ²)) ≥ 1.2 times the chance of x. The step is not known, but the distance of any two values is a whole number of steps, and so is what is left of one
//! distance when it is divided by another: of what is not zero, the least is one step at least, and with that m is no more than it is. Euclid's algorithm finds the step of values
//! that are rounded; where they are not, it goes on to fall.

use super::seen::Seen;
use super::tails;

/// So many different values are kept.
const KEPT: usize = 8;

/// Two values differ by this part of them, or less, where only computing made them differ.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A distance is one if it is so many times as large as what computing may have made of nothing.
const SURELY: f64 = 1000.0;

/// So many steps near a value are enough to know.
const ENOUGH: f64 = 1000.0;

/// What comes near the first few different values.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Different values, and once there are enough of them, first those around which there is room.
    kept: [f64; KEPT],
    count: usize,
    /// How many have room.
    roomy: usize,
    /// How near something must come.
    room: f64,
    /// How far a distance may be off.
    rounding: f64,
    /// A whole number of the steps that values are rounded to, and how far it may be off.
    step: f64,
    off: f64,
    near: u64,
    equal: u64,
}

impl Copies {
    /// Takes in a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        if self.count < KEPT {
            self.keep(value);
            return;
        }
        // Those that are kept are so far apart that it is near one at most.
        let distances = self.kept[..self.roomy].iter().map(|kept| (value - kept).abs());
        let nearest = distances.fold(f64::INFINITY, f64::min);
        if nearest < self.room {
            self.count_near(nearest);
        }
    }

    #[cold]
    fn keep(&mut self, value: f64) {
        if self.kept[..self.count].contains(&value) {
            return;
        }
        self.kept[self.count] = value;
        self.count += 1;
        if self.count == KEPT {
            self.make_room();
        }
    }

    fn count_near(&mut self, distance: f64) {
        if distance > 0.0 && distance < SURELY * self.rounding {
            return;
        }
        self.near += 1;
        self.equal += u64::from(distance == 0.0);
        self.divide(distance);
    }

    /// Takes from a distance as many steps as it has; what is left is no less than a step that is possible.
    fn divide(&mut self, distance: f64) {
        if self.step * ENOUGH <= self.room {
            return;
        }
        let steps = (distance / self.step).round();
        let (left, off) = ((distance - steps * self.step).abs(), self.rounding + steps * self.off);
        if left > SURELY * off {
            (self.step, self.off) = (left, off);
        }
    }

    /// Finds out which values are far from the others, and what step the distances leave possible.
    fn make_room(&mut self) {
        self.kept.sort_by(f64::total_cmp);
        let size = self.kept[0].abs().max(self.kept[KEPT - 1].abs());
        self.rounding = ROUNDING * size;
        let gaps: [f64; KEPT - 1] = std::array::from_fn(|i| self.kept[i + 1] - self.kept[i]);
        let gap = |i: Option<usize>| i.and_then(|i| gaps.get(i)).copied().unwrap_or(f64::INFINITY);
        let nearest: [f64; KEPT] = std::array::from_fn(|i| gap(i.checked_sub(1)).min(gap(Some(i))));
        let mut ordered = nearest;
        ordered.sort_by(f64::total_cmp);
        let apart = ordered[KEPT / 2];
        self.room = 0.5 * apart;
        let kept = self.kept;
        for (value, _) in kept.into_iter().zip(nearest).filter(|(_, nearest)| *nearest >= apart) {
            self.kept[self.roomy] = value;
            self.roomy += 1;
        }
        (self.step, self.off) = (gaps.into_iter().fold(0.0, f64::max), self.rounding);
        // Each time it falls, the others have something left again.
        (0..3).for_each(|_| gaps.into_iter().for_each(|gap| self.divide(gap)));
    }

    /// Whether of what came near a value too much was equal to it.
    pub fn copies(&self) -> Option<(f64, Seen)> {
        let steps = (self.room / self.step - 1e-6).ceil() - 1.0;
        if self.equal == 0 || !(steps >= 1.0) {
            return None;
        }
        let chance = 2.0 / (2.0 * steps + 1.0);
        let Copies { equal, near, .. } = *self;
        let explained = (chance * near as f64).ceil() as u64;
        Some((tails::binomial(near as f64, equal as f64, chance), Seen::Copies { equal, near, explained }))
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;

    use super::*;

    fn strength(values: impl IntoIterator<Item = f64>) -> f64 {
        let mut copies = Copies::default();
        values.into_iter().for_each(|value| copies.add(value));
        copies.copies().map_or(0.0, |(strength, _)| strength)
    }

    fn normals(seed: u64, count: usize) -> Vec<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..count).map(|_| rng.sample(StandardNormal)).collect()
    }

    #[test]
    fn copies_are_seen_however_they_are_ordered() {
        for seed in 0..200 {
            let (ten, hundred) = (normals(seed, 10), normals(seed, 100));
            let pasted = (0..200).map(|i| ten[i % 10]);
            let shuffled = (0..200).map(|i| ten[i * 7 % 10]);
            let many = (0..2000).map(|i| hundred[i % 100]);
            let few_digits = (0..200).map(|i| (1e4 * ten[i % 10]).round() / 1e4);
            for strength in [strength(pasted), strength(shuffled), strength(many), strength(few_digits)] {
                assert!(strength < -100.0, "{seed}: {strength}");
            }
            // Twenty rows, pasted once more.
            let twice = strength((0..40).map(|i| hundred[i % 20]));
            assert!(twice < -10.0, "{seed}: {twice}");
        }
    }

    /// Rounded to whatever step, at whatever place, skewed or not: by the bound, a chance of one in a million each, of 12,000 here.
    #[test]
    fn honest_values_are_no_copies() {
        for seed in 0..400 {
            let values = normals(seed, 1000);
            for step in [1.0, 0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5] {
                for shift in [0.0, 0.123, 1e4] {
                    let rounded = strength(values.iter().map(|x| step * ((x + shift) / step).round()));
                    assert!(rounded > -1e6f64.ln(), "{seed}, {step}, {shift}: {rounded}");
                }
                let skewed = strength(values.iter().map(|x| step * (x.exp() / step).round()));
                assert!(skewed > -1e6f64.ln(), "{seed}, {step}: {skewed}");
            }
            // Whole milliseconds, most of them the same few, and stalls.
            let stalls =
                values.iter().enumerate().map(|(i, x)| (if i % 7 == 3 { 300.0 * x.exp() } else { 12.0 + x }).round());
            let stalls = strength(stalls);
            assert!(stalls > -1e6f64.ln(), "{seed}: {stalls}");
        }
    }
}
