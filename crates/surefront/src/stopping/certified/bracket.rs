//! Between which numbers a proof lies, in closed form: enough to see which of many claims have to be proved exactly.
//!
//! At one scale the proof that an arm is ahead is the least of h(a x) + h(b (gap − x)) over x, with h(u) = u²/2 + ln 2Φ(u). The least of the squares alone is ½ gap² / (1/a² + 1/b²), and there the logarithms are at most ln 2 each:
//! that bounds the proof from above. From below: between the two means u ≥ 0, and the logarithms are no less than 0. Beyond the mean of the
//! arm with weight a², x = −t/a, h(−t) ≥ −ln(√(π/2) (1 + t)) by Mills' ratio, and the other square is at least b² gap²/2 + κ t with κ = b² gap / a;
//! so what is lost is at most the largest of ln(√(π/2) (1 + t)) − κ t. The mixture of the scales is no more than the best of them, and no less than
//! its share of it.

use super::gauge::Gauge;
use super::knowledge::Contest;
use super::mixture::Care;
use super::term::Term;
use super::tilted::Enclosure;
use crate::model::Model;
use crate::problem::Problem;
use crate::side::Contrast;

/// Two numbers that a proof lies between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bracket {
    pub low: f64,
    pub high: f64,
}

/// ln √(π/2).
const LN_HALF_PI_ROOT: f64 = 0.225_791_352_644_727_4;

/// What rounding may add to a proof or take from it.
const MARGIN: f64 = 1e-6;

impl Bracket {
    /// Contradicted by the means.
    const FALSE: Bracket = Bracket { low: f64::NEG_INFINITY, high: f64::NEG_INFINITY };
    /// Beyond doubt.
    const CERTAIN: Bracket = Bracket { low: f64::INFINITY, high: f64::INFINITY };

    fn widened(self) -> Self {
        Bracket { low: self.low - margin(self.low), high: widened(self.high) }
    }
}

/// An upper end, with what rounding may add to a proof.
fn widened(high: f64) -> f64 {
    high + margin(high)
}

fn margin(x: f64) -> f64 {
    if x.is_finite() { MARGIN * (1.0 + x.abs() * MARGIN) } else { 0.0 }
}

impl Gauge {
    /// Whether the proof of "`arm` is dominated by `by`" is certainly less than this.
    pub fn proves_dominated_less(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, than: f64) -> bool {
        self.most_dominated(problem, shown, arm, by) < than
    }

    /// Whether the proof of "`arm` is not dominated by `by`" is certainly less than this, at first sight.
    pub fn is_undominated_for_less(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, than: f64) -> bool {
        let (ahead, behind) = (self.raised(problem, shown, arm), self.side(problem, shown, by));
        // An average is no more than the largest, of which there is one.
        let is_less = |(j, contrast): (usize, Contrast)| {
            widened(self.most_at_first_sight((arm, by), j, contrast, (ahead.mean[j], behind.mean[j]))) < than
        };
        self.along(shown, arm, by).is_none()
            && ahead.against(behind).any(|contrast| contrast.gap > 0.0)
            && ahead.against(behind).enumerate().all(is_less)
    }

    /// Whether the proof of "`arm` is not dominated by `by`" is certainly more than this. Where quantiles are compared there is no quick way to tell.
    pub fn proves_undominated_more(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, than: f64) -> bool {
        self.quantiles.is_none() && self.bracket_undominated(problem, shown, arm, by).low > than
    }

    /// Whether the proof of "`arm` is not dominated by `by`" is certainly more than this, by its widest lead alone and in few steps: of an arm that is far from being dominated.
    pub(super) fn is_far_from_dominated(
        &self,
        problem: &Problem,
        model: &Model,
        arm: usize,
        by: usize,
        than: f64,
    ) -> bool {
        if self.quantiles.is_some() {
            return false;
        }
        let (ahead, behind) = (self.raised(problem, model, arm), self.side(problem, model, by));
        let mut widest: Option<(f64, usize, Contrast)> = None;
        for (j, contrast) in ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.gap > 0.0) {
            let width = contrast.one.min(contrast.two) * contrast.gap * contrast.gap;
            if widest.is_none_or(|known| width > known.0) {
                widest = Some((width, j, contrast));
            }
        }
        let Some((_, j, contrast)) = widest.filter(|widest| widest.2.is_movable()) else { return false };
        let weight = match self.lesson() {
            None => -self.evenly,
            Some(lesson) => lesson.ln_objectives(arm, by)[j],
        };
        let lead = match self.contest((arm, by), j, contrast, (ahead.mean[j], behind.mean[j])) {
            Contest::Weights => self.bracket_weights(arm, by, contrast).low,
            Contest::Tugs(tugs) => tugs.map(|tug| tug.low()).top_weighed(),
            _ => return false,
        };
        let low = lead + weight;
        low - margin(low) > than
    }

    /// The upper end of [`Gauge::bracket_dominated`], which is quicker to have.
    pub(super) fn most_dominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize) -> f64 {
        let (ahead, behind) = (self.raised(problem, model, by), self.side(problem, model, arm));
        let contrasts =
            ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.is_movable() || contrast.gap != 0.0);
        let narrowest = contrasts
            .map(|(j, contrast)| self.most_ahead((by, arm), j, contrast, (ahead.mean[j], behind.mean[j])))
            .fold(f64::INFINITY, f64::min);
        widened(narrowest + self.ln_dominator(arm, by))
    }

    /// The upper end of [`Gauge::bracket_undominated`], which is quicker to have.
    pub(super) fn most_undominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize) -> f64 {
        let (ahead, behind) = (self.raised(problem, model, arm), self.side(problem, model, by));
        let leads = ahead
            .against(behind)
            .enumerate()
            .map(|(j, contrast)| self.most_ahead((arm, by), j, contrast, (ahead.mean[j], behind.mean[j])));
        let along = self.along(model, arm, by).map(|(contrast, _)| self.bracket_along(arm, by, contrast).high);
        let widest = leads.chain(along).fold(f64::NEG_INFINITY, f64::max);
        if widest == f64::NEG_INFINITY && self.are_twins(problem, model, arm, by) {
            return f64::INFINITY;
        }
        widened(widest)
    }

    /// Of the proof of "`arm` is dominated by `by`".
    pub(super) fn bracket_dominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize) -> Bracket {
        let (ahead, behind) = (self.raised(problem, model, by), self.side(problem, model, arm));
        let mut narrowest = Bracket::CERTAIN;
        // Without noise, to be equal is enough.
        let contrasts = ahead.against(behind).enumerate();
        for (j, contrast) in contrasts.filter(|(_, contrast)| contrast.is_movable() || contrast.gap != 0.0) {
            let lead = self.bracket_ahead((by, arm), j, contrast, (ahead.mean[j], behind.mean[j]));
            narrowest.low = narrowest.low.min(lead.low);
            narrowest.high = narrowest.high.min(lead.high);
        }
        let weight = self.ln_dominator(arm, by);
        Bracket { low: narrowest.low + weight, high: narrowest.high + weight }.widened()
    }

    /// Of the proof of "`arm` is not dominated by `by`".
    pub(super) fn bracket_undominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize) -> Bracket {
        let (ahead, behind) = (self.raised(problem, model, arm), self.side(problem, model, by));
        let mut widest = Bracket::FALSE;
        let evenly = -self.evenly;
        let weights = self.lesson().map(|lesson| lesson.ln_objectives(arm, by));
        for (j, contrast) in ahead.against(behind).enumerate() {
            let lead = self.bracket_ahead((arm, by), j, contrast, (ahead.mean[j], behind.mean[j]));
            // An average is no less than the weight of one times that.
            widest.low = widest.low.max(lead.low + weights.as_ref().map_or(evenly, |weights| weights[j]));
            widest.high = widest.high.max(lead.high);
        }
        if widest.high == f64::NEG_INFINITY && self.are_twins(problem, model, arm, by) {
            return Bracket::CERTAIN;
        }
        if let Some((contrast, weight)) = self.along(model, arm, by) {
            let lead = self.bracket_along(arm, by, contrast);
            widest.low = widest.low.max(lead.low + weight);
            widest.high = widest.high.max(lead.high);
        }
        widest.widened()
    }

    /// Of the proof that `ahead` is ahead of `behind` in a sum of objectives.
    fn bracket_along(&self, ahead: usize, behind: usize, contrast: Contrast) -> Bracket {
        if !(contrast.gap > 0.0) {
            return Bracket::FALSE;
        }
        if contrast.is_movable() { self.bracket_weights(ahead, behind, contrast) } else { Bracket::CERTAIN }
    }

    /// The most that the proof can be that `ahead` is ahead of `behind` in an objective.
    fn most_ahead(
        &self,
        (ahead, behind): (usize, usize),
        objective: usize,
        contrast: Contrast,
        means: (f64, f64),
    ) -> f64 {
        let Contrast { gap, one: w, two: v } = contrast;
        if !(gap > 0.0) {
            return f64::NEG_INFINITY;
        }
        if !contrast.is_movable() {
            return f64::INFINITY;
        }
        if self.compares_quantile(objective) {
            return self.proof_ahead((ahead, behind), objective, contrast, means, Care::Glance);
        }
        match self.contest((ahead, behind), objective, contrast, means) {
            Contest::Weights => {}
            // A mixture is no more than the best of what it mixes.
            Contest::Tilted(duel) => return duel.cost(),
            Contest::Early => return f64::NEG_INFINITY,
            Contest::Shared(shared) => return shared.glances().top(),
            Contest::Tugs(tugs) => return tugs.map(|tug| tug.glance().value).top(),
        }
        let terms = self.terms[ahead].zip(self.terms[behind]);
        let values = terms.list().iter().map(|&terms| {
            let (square, price) = square_and_price((w, v), terms);
            0.5 * square * gap * gap + price
        });
        values.fold(f64::NEG_INFINITY, f64::max) + 2.0 * std::f64::consts::LN_2
    }

    /// No less than the proof that `ahead` is ahead of `behind` in an objective, without a logarithm; infinite where that cannot be had.
    pub(super) fn most_at_first_sight(
        &self,
        arms: (usize, usize),
        objective: usize,
        contrast: Contrast,
        means: (f64, f64),
    ) -> f64 {
        if self.compares_quantile(objective) {
            return f64::INFINITY;
        }
        if !(contrast.gap > 0.0) || !contrast.is_movable() {
            return self.most_ahead(arms, objective, contrast, means);
        }
        match self.contest(arms, objective, contrast, means) {
            Contest::Weights => self.most_ahead(arms, objective, contrast, means),
            Contest::Tugs(tugs) => tugs.map(|tug| tug.high()).top(),
            _ => f64::INFINITY,
        }
    }

    /// Of the proof that `ahead` is ahead of `behind` in an objective.
    fn bracket_ahead(
        &self,
        (ahead, behind): (usize, usize),
        objective: usize,
        contrast: Contrast,
        means: (f64, f64),
    ) -> Bracket {
        if !(contrast.gap > 0.0) {
            return Bracket::FALSE;
        }
        if !contrast.is_movable() {
            return Bracket::CERTAIN;
        }
        if self.compares_quantile(objective) {
            let proof = |care| self.proof_ahead((ahead, behind), objective, contrast, means, care);
            return Bracket { low: proof(Care::Full), high: proof(Care::Glance) };
        }
        match self.contest((ahead, behind), objective, contrast, means) {
            Contest::Weights => self.bracket_weights(ahead, behind, contrast),
            Contest::Early => Bracket::FALSE,
            Contest::Tilted(duel) => {
                let Enclosure { low, high } = duel.bracket();
                Bracket { low, high }
            }
            // The mixture of the widths is no more than the best of them, and no less than its share of it.
            Contest::Shared(shared) => Bracket { low: shared.floors().top_weighed(), high: shared.glances().top() },
            Contest::Tugs(tugs) => Bracket {
                low: tugs.map(|tug| tug.floor()).top_weighed(),
                high: tugs.map(|tug| tug.glance().value).top(),
            },
        }
    }

    /// The same, where the variances are known.
    fn bracket_weights(&self, ahead: usize, behind: usize, contrast: Contrast) -> Bracket {
        let Contrast { gap, one: w, two: v } = contrast;
        let scales = self.terms[ahead].zip(self.terms[behind]);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (place, &(one, two)) in scales.list().iter().enumerate() {
            let (square, price) = square_and_price((w, v), (one, two));
            let loss = if w < f64::INFINITY && v < f64::INFINITY {
                let (a, b) = (w * one.kept, v * two.kept);
                // Without observations there is nothing to move.
                if a > 0.0 && b > 0.0 { loss(gap * (b / a.sqrt()).min(a / b.sqrt())) } else { 0.0 }
            } else {
                0.0
            };
            let value = 0.5 * square * gap * gap + price;
            high = high.max(value);
            low = low.max(value - loss + scales.ln_weight(place));
        }
        Bracket { low, high: high + 2.0 * std::f64::consts::LN_2 }
    }
}

/// The weight of the squared gap at one scale, and the price of the two shifts.
#[inline]
fn square_and_price((w, v): (f64, f64), (one, two): (Term, Term)) -> (f64, f64) {
    let (a, b) = (w * one.kept, v * two.kept);
    if w == f64::INFINITY {
        (b, two.price)
    } else if v == f64::INFINITY {
        (a, one.price)
    } else if a + b > 0.0 {
        (a * b / (a + b), one.price + two.price)
    } else {
        (0.0, one.price + two.price)
    }
}

/// The largest of ln(√(π/2) (1 + t)) − κ t over t ≥ 0.
fn loss(slope: f64) -> f64 {
    LN_HALF_PI_ROOT + if slope < 1.0 { slope - 1.0 - slope.ln() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::stopping::certified::knowledge::settle;
    use crate::tally::Tally;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Also for counts and variances that are far apart.
        #[test]
        fn a_proof_lies_within(
            noise in prop::collection::vec(0usize..4, 6),
            values in prop::collection::vec(-3i32..4, 6),
            scale in -8i32..4,
            counts in (0u32..7, 0u32..7),
            unknown in any::<bool>(),
            shared in 0usize..2,
            family in prop::option::of(0usize..3),
        ) {
            let law = |kind: usize| match kind {
                1..4 if family.is_some() => [Noise::Bernoulli, Noise::Poisson, Noise::Exponential][family.unwrap()],
                0 => Noise::Exact,
                1 if unknown => [Noise::Unknown, Noise::Common][shared],
                kind => Noise::Variance(10f64.powi(2 * kind as i32 - 4)),
            };
            let objective = |j: usize| Objective::new(format!("{j}"), Goal::Max, Noise::Exact);
            let arm = |a: usize| Arm::named(format!("{a}")).with_noise((0..3).map(|j| law(noise[3 * a + j])).collect::<Vec<_>>());
            let mut problem = Problem::new((0..3).map(objective).collect(), vec![arm(0), arm(1)]).unwrap();
            let mut tally = Tally::new(&problem);
            for (arm, power) in [counts.0, counts.1].into_iter().enumerate() {
                let unit = 2f64.powi(scale);
                let row: Vec<f64> = values[3 * arm..3 * arm + 3].iter().map(|&v| f64::from(v) * unit).collect();
                settle(&mut problem, &mut tally, arm, 5usize.pow(power), &row);
            }
            let (gauge, means) = (Gauge::plain(&problem, &tally), tally.means());
            for (bracket, proof) in [
                (gauge.bracket_dominated(&problem, means, 0, 1), gauge.proof_dominated(&problem, means, 0, 1, Care::Full)),
                (gauge.bracket_undominated(&problem, means, 0, 1), gauge.proof_undominated(&problem, means, 0, 1, Care::Full)),
            ] {
                prop_assert!(bracket.low <= proof && proof <= bracket.high, "{bracket:?} {proof}");
            }
            // What is said at first sight.
            let (out, within) = (
                gauge.proof_dominated(&problem, means, 0, 1, Care::Full),
                gauge.proof_undominated(&problem, means, 0, 1, Care::Full),
            );
            let bars = [-1.0, 0.0, 1.0, 5.0, 20.0, out, within, out - 0.5, within - 0.5, out + 0.5, within + 0.5];
            for bar in bars.into_iter().filter(|&bar| bar > f64::NEG_INFINITY) {
                let far = gauge.is_far_from_dominated(&problem, means, 0, 1, bar);
                let less = gauge.is_undominated_for_less(&problem, means, 0, 1, bar);
                prop_assert!((!far || within > bar) && (!less || within < bar), "{within} {bar}: {far} {less}");
                prop_assert!(out < bar || gauge.may_prove_dominated(&problem, means, 0, 1, bar), "{out} {bar}");
                prop_assert_eq!(gauge.proves_dominated(&problem, means, 0, 1, bar), out >= bar, "{} {}", out, bar);
                prop_assert_eq!(gauge.proves_undominated(&problem, means, 0, 1, bar), within >= bar, "{} {}", within, bar);
            }
        }
    }
}
