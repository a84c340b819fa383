//! How far claims about pairs of arms are from being proved: quickly and nearly for all, exactly for one.

use super::knowledge::{Contest, Knowledge};
use super::least::Tug;
use super::mixture::{Care, Coordinate, SCALES, average, price, proof};
use super::student::{WIDTHS, Width, shift_price};
use crate::model::Model;
use crate::problem::Problem;
use crate::side::{Contrast, Roster, Side};
use crate::tally::Tally;

/// A claim about two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Claim {
    /// The cost of the closest model in which the claim is false.
    pub cost: f64,
    /// About what is left of that as proof, never more than it: the logarithm of the martingales, minus infinity if the means
    /// contradict the claim.
    pub proof: f64,
    /// The objective that decides.
    pub objective: usize,
}

impl Claim {
    /// Contradicted by the means.
    pub const FALSE: Claim = Claim { cost: 0.0, proof: f64::NEG_INFINITY, objective: 0 };
    /// Beyond doubt.
    pub const CERTAIN: Claim = Claim { cost: f64::INFINITY, proof: f64::INFINITY, objective: 0 };

    /// The part that there is of the cost it takes for a proof of `threshold`.
    pub fn fraction(&self, threshold: f64) -> f64 {
        if self.cost == f64::INFINITY {
            return f64::INFINITY;
        }
        if self.cost > 0.0 { self.cost / (self.cost + threshold - self.proof).max(f64::MIN_POSITIVE) } else { 0.0 }
    }
}

/// What of the mixtures depends on an arm's count alone, by scale.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    pub kept: [f64; SCALES.len()],
    pub price: [f64; SCALES.len()],
}

impl Terms {
    fn of(count: f64) -> Self {
        Terms { kept: SCALES.map(|scale| count / (count + scale)), price: SCALES.map(|scale| price(count, scale)) }
    }
}

/// Measures claims at the counts of a tally, whatever the means.
#[derive(Clone, Debug)]
pub(crate) struct Gauge {
    counts: Vec<f64>,
    pub(super) terms: Vec<Terms>,
    /// Where variances are unknown.
    knowledge: Option<Knowledge>,
}

impl Gauge {
    pub fn new(problem: &Problem, tally: &Tally) -> Self {
        let counts = tally.counts().to_vec();
        let terms = counts.iter().map(|&count| Terms::of(count)).collect();
        Gauge { counts, terms, knowledge: Knowledge::new(problem, tally) }
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        self.counts[arm] = tally.counts()[arm];
        self.terms[arm] = Terms::of(self.counts[arm]);
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.follow(problem, tally, arm);
        }
    }

    /// "`arm` is dominated by `by`": it takes a lead in every objective, so the narrowest decides.
    pub fn dominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize) -> Claim {
        let mut narrowest = Claim::CERTAIN;
        let mut decisive = None;
        let (ahead, behind) = (self.side(problem, model, by), self.side(problem, model, arm));
        for (j, contrast) in ahead.against(behind).enumerate() {
            if contrast.gap >= 0.0 && !contrast.is_movable() {
                continue;
            }
            if !(contrast.gap > 0.0) {
                return Claim { objective: j, ..Claim::FALSE };
            }
            let cost = contrast.cost();
            if cost < narrowest.cost {
                narrowest = Claim { cost, proof: 0.0, objective: j };
                decisive = Some(contrast);
            }
        }
        if let Some(contrast) = decisive {
            narrowest.proof = self.about(by, arm, narrowest.objective, contrast).min(narrowest.cost);
        }
        narrowest
    }

    /// "`arm` is not dominated by `by`": a lead in one objective does, so the widest decides; not to know which it is costs ln d.
    pub fn undominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize) -> Claim {
        let mut widest = Claim::FALSE;
        let mut decisive = None;
        let (ahead, behind) = (self.side(problem, model, arm), self.side(problem, model, by));
        for (j, contrast) in ahead.against(behind).enumerate() {
            if contrast.gap > 0.0 {
                let cost = contrast.cost();
                if self.knowledge.is_some() && cost < f64::INFINITY {
                    // The cost of an unknown variance is not that of a known one: compare the proofs.
                    let proof = self.about(arm, by, j, contrast).min(cost);
                    if widest.cost < f64::INFINITY && (proof, cost) > (widest.proof, widest.cost) {
                        widest = Claim { cost, proof, objective: j };
                    }
                } else if cost > widest.cost {
                    widest = Claim { cost, proof: f64::INFINITY, objective: j };
                    decisive = Some(contrast);
                }
            }
        }
        if let Some(contrast) = decisive
            && widest.cost < f64::INFINITY
        {
            widest.proof = self.about(arm, by, widest.objective, contrast).min(widest.cost);
        }
        if widest.cost < f64::INFINITY {
            widest.proof -= (model.objective_count() as f64).ln();
        }
        if widest.cost == 0.0 && self.are_twins(problem, model, arm, by) { Claim::CERTAIN } else { widest }
    }

    /// The proof of "`arm` is dominated by `by`" without approximation, or no less than it at a glance.
    pub fn proof_dominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize, care: Care) -> f64 {
        let (ahead, behind) = (self.side(problem, model, by), self.side(problem, model, arm));
        ahead
            .against(behind)
            .enumerate()
            // Without noise, to be equal is enough.
            .filter(|(_, contrast)| contrast.is_movable() || contrast.gap != 0.0)
            .map(|(j, contrast)| self.proof_ahead(by, arm, j, contrast, care))
            .fold(f64::INFINITY, f64::min)
    }

    /// The proof of "`arm` is not dominated by `by`" without approximation, or no less than it at a glance.
    pub fn proof_undominated(&self, problem: &Problem, model: &Model, arm: usize, by: usize, care: Care) -> f64 {
        let d = model.objective_count();
        let (ahead, behind) = (self.side(problem, model, arm), self.side(problem, model, by));
        let contrasts = || ahead.against(behind).enumerate();
        let proofs = || contrasts().map(|(j, contrast)| self.proof_ahead(arm, by, j, contrast, care));
        let top = proofs().fold(f64::NEG_INFINITY, f64::max);
        if top.is_infinite() {
            return if self.are_twins(problem, model, arm, by) { f64::INFINITY } else { top };
        }
        top + (proofs().map(|proof| (proof - top).exp()).sum::<f64>() / d as f64).ln()
    }

    /// The proof that `ahead` is ahead of `behind` in an objective: minus infinity where it does not seem so, infinite where it is
    /// and neither has noise.
    pub(super) fn proof_ahead(
        &self,
        ahead: usize,
        behind: usize,
        objective: usize,
        contrast: Contrast,
        care: Care,
    ) -> f64 {
        let Contrast { gap, one, two } = contrast;
        if !(gap > 0.0) {
            return f64::NEG_INFINITY;
        }
        match self.contest(ahead, behind, objective, contrast) {
            Contest::Weights => {
                let coordinate = |arm: usize, weight: f64| Coordinate { count: self.counts[arm], weight };
                proof(care, coordinate(ahead, one), coordinate(behind, two), gap)
            }
            Contest::Early => f64::NEG_INFINITY,
            Contest::Shared(shared) => average(&WIDTHS.map(|width| shared.proof(width))),
            Contest::Tugs(tugs) => match care {
                Care::Glance => average(&tugs.map(|tug| tug.glance().value)),
                Care::Full => average(&tugs.map(|tug| tug.least())),
            },
        }
    }

    /// How a claim about two arms in an objective is to be measured.
    #[inline]
    pub(super) fn contest(&self, one: usize, two: usize, objective: usize, contrast: Contrast) -> Contest {
        self.knowledge.as_ref().map_or(Contest::Weights, |knowledge| {
            knowledge.contest(one, two, objective, contrast, (self.counts[one], self.counts[two]))
        })
    }

    /// Whether the arms are equal in every objective, and beyond doubt: then neither dominates the other.
    pub(super) fn are_twins(&self, problem: &Problem, model: &Model, one: usize, two: usize) -> bool {
        let mut contrasts = self.side(problem, model, one).against(self.side(problem, model, two));
        contrasts.all(|contrast| contrast.gap == 0.0 && !contrast.is_movable())
    }

    /// Of an observation of either of the arms of a claim, the part that goes to the first: each is worth its share of the cost.
    pub fn share(&self, problem: &Problem, model: &Model, one: usize, two: usize, objective: usize) -> f64 {
        let mut contrast = self.side(problem, model, one).contrast(self.side(problem, model, two), objective);
        contrast.gap = contrast.gap.abs();
        match self.contest(one, two, objective, contrast) {
            Contest::Weights | Contest::Shared(_) => contrast.share(),
            Contest::Early => {
                let early = |arm| self.knowledge.as_ref().is_some_and(|known| known.is_early(arm, objective));
                match (early(one), early(two)) {
                    (true, false) => 1.0,
                    (false, true) => 0.0,
                    _ => 0.5,
                }
            }
            Contest::Tugs(tugs) => best(&tugs).0.share(),
        }
    }

    /// An arm of a model, at its count.
    #[inline]
    pub(super) fn side<'a>(&'a self, problem: &'a Problem, model: &'a Model, arm: usize) -> Side<'a> {
        Roster::new(problem, model, &self.counts).side(arm)
    }

    /// About the [`proof`], where there is some: the best scale alone, at the means that the plain cost is least for.
    fn about(&self, one: usize, two: usize, objective: usize, contrast: Contrast) -> f64 {
        match self.contest(one, two, objective, contrast) {
            Contest::Weights => self.about_weights(one, two, contrast),
            Contest::Early => f64::NEG_INFINITY,
            Contest::Shared(_) => self.about_shared(one, two, objective, contrast),
            Contest::Tugs(tugs) => best(&tugs).1 - (WIDTHS.len() as f64).ln(),
        }
    }

    /// Where the arms share a variance: as if it were known.
    fn about_shared(&self, one: usize, two: usize, objective: usize, contrast: Contrast) -> f64 {
        let Contrast { gap, one: w, two: v } = contrast;
        let knowledge = self.knowledge.as_ref().expect("they share a variance");
        let about = |width: Width| {
            let (n, m) = (self.counts[one], self.counts[two]);
            let both = parallel((w * n / (n + width.shift), v * m / (m + width.shift)));
            let price = shift_price(n, width) + shift_price(m, width) + knowledge.shared_price(objective, width);
            0.5 * both * gap * gap + price
        };
        WIDTHS.map(about).into_iter().fold(f64::NEG_INFINITY, f64::max) - (WIDTHS.len() as f64).ln()
    }

    fn about_weights(&self, one: usize, two: usize, contrast: Contrast) -> f64 {
        let Contrast { gap, one: w, two: v } = contrast;
        let mut best = f64::NEG_INFINITY;
        for scale in 0..SCALES.len() {
            let (mut sum, mut a, mut b) = (0.0, f64::INFINITY, f64::INFINITY);
            if w < f64::INFINITY {
                a = w * self.terms[one].kept[scale];
                sum += self.terms[one].price[scale];
            }
            if v < f64::INFINITY {
                b = v * self.terms[two].kept[scale];
                sum += self.terms[two].price[scale];
            }
            let both = parallel((a, b));
            sum += 0.5 * both * gap * gap;
            // The shift of an arm is the other's share of the gap.
            let u = |own: f64| if own < f64::INFINITY { both / own.sqrt() * gap } else { 0.0 };
            sum += ln_two_cdf(u(a)) + ln_two_cdf(u(b));
            best = best.max(sum);
        }
        best - (SCALES.len() as f64).ln()
    }
}

/// The width at which there seems to be most proof, and how much.
fn best(tugs: &[Tug; WIDTHS.len()]) -> (&Tug, f64) {
    let values = tugs.iter().map(|tug| (tug, tug.glance().value));
    values.reduce(|best, next| if next.1 > best.1 { next } else { best }).expect("there are widths")
}

/// The weight of a difference of two.
#[inline]
fn parallel((a, b): (f64, f64)) -> f64 {
    match (a < f64::INFINITY, b < f64::INFINITY) {
        (true, true) if a + b > 0.0 => a * b / (a + b),
        (true, true) => 0.0,
        (true, false) => a,
        (false, _) => b,
    }
}

/// ln(2 Φ(u)) for u ≥ 0, to within 0.06.
#[inline]
fn ln_two_cdf(u: f64) -> f64 {
    let v = u * (u + 1.7);
    std::f64::consts::LN_2 * v / (v + 0.9)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::stopping::certified::knowledge::settle;

    proptest! {
        /// Neither proof is more than the cost, the quick one is near the exact one where it matters, and the glance is no less; with noise or without, with
        /// ties, and for variances that are estimated.
        #[test]
        fn quick_and_exact_proofs_agree(
            noise in prop::collection::vec(0usize..3, 3),
            values in prop::collection::vec(-3i32..4, 6),
            counts in (1usize..400, 1usize..400),
        ) {
            let law = |kind| [Noise::Variance(0.7), Noise::Exact, Noise::Unknown][kind];
            let objective = |j: usize| Objective::new(format!("{j}"), Goal::Max, law(noise[j]));
            let mut problem =
                Problem::new((0..3).map(objective).collect(), vec![Arm::named("a"), Arm::named("b")]).unwrap();
            let mut tally = Tally::new(&problem);
            for (arm, n) in [counts.0, counts.1].into_iter().enumerate() {
                let row: Vec<f64> = values[3 * arm..3 * arm + 3].iter().map(|&v| f64::from(v) / 4.0).collect();
                settle(&mut problem, &mut tally, arm, n, &row);
            }
            let (gauge, means) = (Gauge::new(&problem, &tally), tally.means());
            let prove = |care| {
                [gauge.proof_dominated(&problem, means, 0, 1, care), gauge.proof_undominated(&problem, means, 0, 1, care)]
            };
            let claims = [gauge.dominated(&problem, means, 0, 1), gauge.undominated(&problem, means, 0, 1)];
            for ((claim, exact), glance) in claims.into_iter().zip(prove(Care::Full)).zip(prove(Care::Glance)) {
                prop_assert!(claim.proof <= claim.cost);
                prop_assert_eq!(claim.proof == f64::NEG_INFINITY, exact == f64::NEG_INFINITY);
                prop_assert_eq!(claim.cost == f64::INFINITY, exact == f64::INFINITY);
                if exact.is_finite() {
                    prop_assert!(exact <= glance && exact <= claim.cost + 1e-9, "{:?} {exact} {glance}", claim);
                    if claim.cost > 4.0 {
                        prop_assert!((claim.proof - exact).abs() < 2.0 + 0.2 * exact.abs(), "{:?} {exact}", claim);
                    }
                }
            }
        }
    }
}
