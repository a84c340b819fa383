//! What a mixture gains because its shifts lean to the side that speaks for the claim (docs/certified.md, "The side").
//!
//! Of the prior of the shift 1 − ε is on that side and ε on the other. That multiplies the even mixture by 2 (ε + (1−2ε) T), T the posterior
//! probability of that side: Student's distribution with ν = N + a degrees of freedom. Wallace's bounds put normal probabilities in its place.

use std::f64::consts::LN_2;
use std::sync::LazyLock;

use crate::normal::ln_cdf;

/// ε: what is left on the other side. It costs 0.01, and keeps a mean that is far beyond an arm's own from being nearly free.
const OTHER_SIDE: f64 = 0.01;

/// Where [`sag`] is at its bottom, and no more than what it is there.
pub(in super::super) const BOTTOM: f64 = 1.7174;
pub(in super::super) const DEEPEST: f64 = -0.786_828;

/// ln 2(ε + (1−2ε) Φ(w)).
fn ln_leaning(w: f64) -> f64 {
    (2.0 * (OTHER_SIDE + (1.0 - 2.0 * OTHER_SIDE) * ln_cdf(w).0.exp())).ln()
}

/// Between the points of a table at which [`gain`] is exact.
const STEPS: f64 = 32.0;

static GAINS: LazyLock<[f64; 194]> = LazyLock::new(|| std::array::from_fn(|i| ln_leaning(i as f64 / STEPS)));

/// ln 2(ε + (1−2ε) Φ(w)) for w ≥ 0, from below by 1e-4 at most: the chords of a concave function, which are concave and grow.
#[inline]
pub(in super::super) fn gain(w: f64) -> f64 {
    let place = (w * STEPS).min(192.0);
    let below = place as usize;
    let table = &*GAINS;
    table[below] + (place - below as f64) * (table[below + 1] - table[below])
}

/// The least of w²/2 + ln 2(ε + (1−2ε) Φ(−w)) from 0 to w: what an arm adds to its price at least, if the mean of the null is on the wrong
/// side of its own, by so much. The function is convex, being ln E exp(−θw) over the prior: it falls to its bottom.
#[inline]
pub(in super::super) fn sag(w: f64) -> f64 {
    sag_and_slope(w).0
}

/// The same, with its slope: a convex function of w, being chords of one.
#[inline]
pub(in super::super) fn sag_and_slope(w: f64) -> (f64, f64) {
    let place = w * FINE;
    if !(place < FINE * BOTTOM) {
        return (DEEPEST, 0.0);
    }
    let below = place as usize;
    let table = &*SAGS;
    let step = table[below + 1] - table[below];
    // The chord of a convex function whose second derivative is at most 1 is above it by no more than this.
    const ABOVE: f64 = 0.125 / (FINE * FINE);
    let value = table[below] + (place - below as f64) * step - ABOVE;
    if value > DEEPEST { (value, FINE * step) } else { (DEEPEST, 0.0) }
}

/// Between the points of the table of [`sag`].
const FINE: f64 = 256.0;

static SAGS: LazyLock<[f64; 441]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let w = i as f64 / FINE;
        0.5 * w * w + ln_leaning(-w)
    })
});

/// However far off, an arm loses no more than this of the even mixture: ln 2ε.
pub(in super::super) fn other_side() -> f64 {
    (2.0 * OTHER_SIDE).ln()
}

/// What leaning adds to the least over the variance, for some arms that are shifted.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Lean<const ARMS: usize> {
    /// ν (1 − 1/(2ν)).
    order: f64,
    /// a/ν.
    near: f64,
    /// a/(ν (1−y)), y being how far from the least favourable variance of the even mixture one has to look.
    far: f64,
}

impl<const ARMS: usize> Lean<ARMS> {
    /// ν y²: at that distance the even mixture has risen by as much as leaning can add.
    const BUDGET: f64 = 4.0 * ARMS as f64 * LN_2;

    /// `freedom` is ν = N + a, `spread` a.
    pub fn new(freedom: f64, spread: f64) -> Self {
        let rest = 1.0 - (Self::BUDGET / freedom).sqrt();
        let near = spread / freedom;
        Lean { order: freedom - 0.5, near, far: if rest > 0.0 { near / rest } else { f64::INFINITY } }
    }

    /// Where nothing leans.
    pub const NONE: Self = Lean { order: 0.0, near: 0.0, far: f64::INFINITY };

    /// What is to be seen of a part of r, at least, in standard deviations: 2e/(2+e) is no more than ln(1+e).
    #[inline]
    fn score(&self, part: f64) -> f64 {
        (self.order * 2.0 * part / (2.0 + part)).sqrt()
    }

    /// Whether the lift is concave in r up to 1 + `excess`.
    #[inline]
    pub fn is_concave(&self, excess: f64) -> bool {
        self.far * (1.0 + excess) < 1.0
    }

    /// At r = 1 + `excess`, of which each arm's own part is given. A lower bound: it grows with each part and falls with r, and it is
    /// concave in r up to where it vanishes if the only part is r − 1.
    #[inline]
    pub fn lift(&self, excess: f64, parts: [f64; ARMS]) -> f64 {
        let (near, far) = (1.0 - self.near * (1.0 + excess), 1.0 - self.far * (1.0 + excess));
        if !(far > 0.0) {
            return 0.0;
        }
        let sum = |factor: f64| parts.iter().map(|part| gain(self.score(part * factor))).sum::<f64>();
        let (at_least, away) = (sum(near), sum(far));
        at_least - (at_least - away) * (at_least - away) / Self::BUDGET
    }

    /// What is left of that for one arm whose part is all of r, 1 + `excess`, if another of the same variance is on the wrong side, where `seen` of it is to
    /// be seen at most.
    pub fn lift_beside(&self, excess: f64, seen: f64) -> f64 {
        let far = 1.0 - self.far * (1.0 + excess);
        if !(far > 0.0) {
            return 0.0;
        }
        let top = 2.0 * (1.0 - OTHER_SIDE);
        let lost = (top - gain(self.score(excess * far)).exp()) / ln_leaning(-seen).exp();
        (top - lost).max(1.0).ln()
    }
}

/// Student's distribution function, slowly: with u = √ν tan φ it is the integral of cosᵛ⁻¹ φ, by Simpson's rule.
#[cfg(test)]
pub(in super::super) fn student_cdf(freedom: f64, u: f64) -> f64 {
    let to = (u.abs() / freedom.sqrt()).atan().min(9.0 / freedom.sqrt());
    let steps = 160;
    let density = |i: i32| ((to * f64::from(i) / f64::from(steps)).cos().ln() * (freedom - 1.0)).exp();
    let inner: f64 = (1..steps).map(|i| density(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    let integral = (density(0) + density(steps) + inner) * to / f64::from(steps) / 3.0;
    // Γ((ν+1)/2) / (√π Γ(ν/2)), by recurrence from far out.
    let (mut shift, mut factor) = (freedom, 1.0);
    while shift < 1e4 {
        factor *= shift / (shift + 1.0);
        shift += 2.0;
    }
    let constant = factor * (shift / 2.0).sqrt() * (1.0 - 0.25 / shift) / std::f64::consts::PI.sqrt();
    0.5 + u.signum() * (constant * integral).min(0.5)
}

/// ln 2(ε + (1−2ε) T) with the probability of the right side.
#[cfg(test)]
pub(in super::super) fn ln_weight(probability: f64) -> f64 {
    (2.0 * (OTHER_SIDE + (1.0 - 2.0 * OTHER_SIDE) * probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow distribution function where it is known: ν = 1, 2 and 3.
    #[test]
    fn the_slow_distribution_is_students() {
        for u in [-5.0, -0.7, 0.0, 0.3, 2.0, 30.0] {
            let half: f64 = u / f64::sqrt(3.0);
            let exact = [
                0.5 + f64::atan(u) / std::f64::consts::PI,
                0.5 + 0.5 * u / f64::sqrt(2.0 + u * u),
                0.5 + (half / (1.0 + half * half) + half.atan()) / std::f64::consts::PI,
            ];
            for (freedom, exact) in [1.0, 2.0, 3.0].into_iter().zip(exact) {
                assert!((student_cdf(freedom, u) - exact).abs() < 1e-6, "{freedom} {u}");
            }
        }
    }

    /// Wallace (1959): Φ(w √(1 − 1/(2ν))) ≤ T(u) ≤ Φ(w) with w² = ν ln(1 + u²/ν).
    #[test]
    fn normal_probabilities_bound_students() {
        for freedom in [1.0, 2.0, 3.7, 5.0, 9.0, 31.0, 250.0, 4000.0] {
            for i in 1..200 {
                let u = f64::from(i) / 20.0;
                let w = (freedom * (u * u / freedom).ln_1p()).sqrt();
                let (low, high) = (ln_cdf(w * (1.0 - 0.5 / freedom).sqrt()).0.exp(), ln_cdf(w).0.exp());
                let slow = student_cdf(freedom, u);
                assert!(low <= slow + 1e-7 && slow <= high + 1e-7, "{freedom} {u}: {low} {slow} {high}");
            }
        }
    }

    #[test]
    fn chords_are_below_and_near() {
        for i in 0..8000 {
            let w = f64::from(i) / 1000.0;
            let exact = ln_leaning(w);
            assert!(gain(w) <= exact + 1e-15 && gain(w) >= exact - 1e-4, "{w}");
        }
        assert!(gain(0.0).abs() < 1e-15);
    }

    #[test]
    fn the_sag_falls_to_its_bottom() {
        let slow = |w: f64| 0.5 * w * w + ln_leaning(-w);
        let mut least = 0.0f64;
        for i in 0..8000 {
            let w = f64::from(i) / 1000.0;
            least = least.min(slow(w));
            assert!(sag(w) <= least + 1e-15 && sag(w) >= least - 2e-6, "{w}");
        }
    }

    /// The least over the variance against a fine grid, in units of the sum of squares A′: τ r/2 − (ν/2) ln(a + τ) and the weight of the side.
    #[test]
    fn the_lift_is_below_the_least_over_the_variance_and_near() {
        for (freedom, spread) in [(9.0, 1.0), (31.0, 1.0), (80.0, 50.0), (250.0, 50.0), (4000.0, 3000.0)] {
            let lean = Lean::<1>::new(freedom, spread);
            for nats in [0.01, 0.5, 2.0, 5.0, 8.0] {
                let excess = f64::min(2.0 * nats / (freedom - spread), freedom / spread - 1.0);
                let even = |tau: f64| 0.5 * tau * (1.0 + excess) - 0.5 * freedom * (spread + tau).ln();
                let best = freedom / (1.0 + excess) - spread;
                let slow = (0..2000)
                    .map(|i| {
                        let tau = best.max(1e-9) * f64::from(i) / 1000.0;
                        let u = (freedom * tau * excess / (spread + tau)).sqrt();
                        even(tau) + ln_weight(student_cdf(freedom, u))
                    })
                    .fold(f64::INFINITY, f64::min);
                let fast = lean.lift(excess, [excess]);
                assert!(fast >= 0.0 && fast <= slow - even(best.max(0.0)) + 1e-7, "{freedom} {spread} {nats}");
                // Where the least favourable variance is far from infinite.
                if spread * (1.0 + excess) < 0.5 * freedom {
                    assert!(
                        fast >= slow - even(best) - 0.03,
                        "{freedom} {spread} {nats}: {fast} {}",
                        slow - even(best)
                    );
                }
            }
        }
    }
}
