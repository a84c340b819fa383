//! A quick stop that knows the objectives, the arms and how often they were looked at: calibrated by simulation, not proved
//! (docs/calibrated.md).
//!
//! Every arm has a doubt: the chance that noise alone would show as much for its standing. The study stops once the largest doubt, times a
//! factor for looking at it all the time, and the sum of all, each times a smaller such factor, are together no more than δ.

mod doubt;
mod ln_sum;

use serde::{Deserialize, Serialize};

pub(crate) use self::doubt::Doubt;
use super::{Certificate, Progress, Situation, Standing, StoppingRule};
use crate::needs::Needs;
use crate::normal::normal_quantile;
use crate::problem::{LARGEST, Problem};
use crate::risk::{DeltaError, Risk};
use crate::spread::Spread;
use crate::tally::Tally;
use crate::transport::Closest;

/// How fast looking at a near tie again and again makes it mislead, per unit of ln 1/p and of ln looks.
const LOOKING: f64 = 1.0;

/// The same for each of many claims: smaller, since most of them are about differences that soon stop misleading.
const TOGETHER: f64 = 0.3;

/// A difference that is decided within this many looks, per unit of ln 1/p, misleads no more often than at one look.
const SOON: f64 = 200.0;

/// With unknown variances, every arm is observed this often before anything is said.
const LEAST_OBSERVATIONS: u64 = 4;

/// Stop once the doubts about all arms are small, the largest and all together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibrated {
    delta: Risk,
}

impl Calibrated {
    /// For the risk δ.
    ///
    /// # Errors
    /// When δ is no [`Risk`].
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        Ok(Calibrated { delta: Risk::new(delta)? })
    }

    /// What it promises, in a sentence for people.
    pub const GUARANTEE: &'static str = "The calibrated threshold errs less often than δ in simulations of near ties, in one to twenty \
        objectives, with Gaussian noise; nothing of it is proved.";

    /// The accepted chance of a wrong answer.
    pub fn delta(&self) -> f64 {
        self.delta.get()
    }

    /// What −ln of a doubt must reach after this many samples, if it is the only one.
    pub fn threshold(&self, samples: f64) -> f64 {
        let target = -self.delta().ln();
        // A contraction: six rounds leave less than a thousandth.
        (0..6).fold(target + 4.0, |level, _| target + (looking(level, samples) + together(level, samples)).ln())
    }

    /// The samples at which an optimal allocation is expected to leave a single doubt that is small enough, by T*: the yardstick for a
    /// rule's stopping time.
    pub fn samples_expected(&self, t_star: f64) -> f64 {
        let cost = |t: f64| 0.5 * normal_quantile((-self.threshold(t)).exp()).powi(2);
        // The right-hand side grows so slowly in t that repeating it converges at once.
        (0..50).fold(t_star.max(2.0), |t, _| (t_star * cost(t)).max(2.0))
    }

    /// A doubt as it counts.
    pub(crate) fn part(&self, Doubt { ln, looks, .. }: Doubt) -> Part {
        if ln == f64::NEG_INFINITY {
            return Part::NONE;
        }
        let ratio = |factor: f64| (factor * (ln - self.delta().ln()).exp()).max(f64::MIN_POSITIVE);
        let (alone, among_all) = (ratio(looking(-ln, looks)), ratio(together(-ln, looks)));
        // It is to become so many times smaller as it is too large.
        let way = (lead_at(-ln) / lead_at((alone + among_all).ln() - ln)).powi(2);
        Part { alone, among_all, way }
    }

    /// How far a study is that has these doubts after this many samples.
    pub(crate) fn progress_with(&self, doubts: Part, samples: f64) -> Progress {
        let threshold = self.threshold(samples);
        let progress = Progress::new(self.evidence(doubts, Scale { samples, threshold }), threshold);
        // The square of a lead grows as the samples do, the logarithm of its chance does not.
        let part = (lead_at(progress.evidence) / lead_at(threshold)).powi(2);
        Progress { fraction: if progress.suffices() { progress.fraction } else { part }, ..progress }
    }

    /// The evidence that is left by these doubts, on the scale of the threshold after this many samples: none if an arm might as well stand
    /// elsewhere, all of it once the risk is δ.
    fn evidence(&self, doubts: Part, Scale { samples, threshold }: Scale) -> f64 {
        let most = (looking(0.0, samples) + together(0.0, samples)).ln() - self.delta().ln();
        (threshold * (most - doubts.risk().ln()) / most).max(0.0)
    }

    fn scale(&self, tally: &Tally) -> Scale {
        let samples = tally.total() as f64;
        Scale { samples, threshold: self.threshold(samples) }
    }
}

/// What evidence is measured by.
#[derive(Clone, Copy, Debug)]
struct Scale {
    samples: f64,
    threshold: f64,
}

/// The factor for looking at the largest doubt, whose −ln is `level`, all the time.
fn looking(level: f64, looks: f64) -> f64 {
    1.0 + LOOKING * level.max(1.0) * looks.ln_1p()
}

/// The factor for each of all doubts.
fn together(level: f64, looks: f64) -> f64 {
    let level = level.max(1.0);
    1.0 + TOGETHER * level * (looks / (SOON * level)).ln_1p()
}

/// The lead x that shows by chance with probability Φ(−x) = exp(−level), by Φ(−x) ≈ ½ exp(−.717 x − .416 x²); none where that is likely.
fn lead_at(level: f64) -> f64 {
    const LINEAR: f64 = 0.717;
    const SQUARE: f64 = 0.416;
    let rest = (level - std::f64::consts::LN_2).max(0.0);
    ((LINEAR * LINEAR + 4.0 * SQUARE * rest).sqrt() - LINEAR) / (2.0 * SQUARE)
}

/// What the doubts about some arms come to, in parts of δ. As long as there is any, it is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    /// The largest, with the factor for looking at it all the time.
    alone: f64,
    /// All of them, each with its factor.
    among_all: f64,
    /// The part that is done of what it would take if the furthest from it were alone.
    way: f64,
}

impl Part {
    /// No doubt at all.
    pub const NONE: Part = Part { alone: 0.0, among_all: 0.0, way: f64::INFINITY };

    /// These and another.
    #[inline]
    pub fn and(self, other: Part) -> Self {
        Part {
            alone: self.alone.max(other.alone),
            among_all: self.among_all + other.among_all,
            way: self.way.min(other.way),
        }
    }

    /// The largest, with the factor for looking at it all the time.
    pub fn alone(self) -> f64 {
        self.alone
    }

    /// The part that is done of what it would take to settle the largest if it were alone.
    pub fn way(self) -> f64 {
        self.way
    }

    /// The risk to be wrong about any of these arms, in parts of δ.
    fn risk(self) -> f64 {
        self.alone + self.among_all
    }

    /// Whether δ is enough for it.
    #[inline]
    pub fn is_small(self) -> bool {
        self.risk() <= 1.0
    }
}

/// Whether there are observations enough for a calibrated stop to say anything.
pub(crate) fn ready(problem: &Problem, tally: &Tally) -> bool {
    !problem.has_unknown_noise() || (0..problem.arm_count()).all(|arm| tally.count(arm) >= LEAST_OBSERVATIONS)
}

impl StoppingRule for Calibrated {
    fn needs(&self) -> Needs {
        Needs::Doubts
    }

    fn progress(&self, _: &Tally, _: Option<&Closest>, watched: Option<Progress>) -> Progress {
        watched.expect("the doubts are watched for this stop")
    }

    /// With ν degrees of freedom, √(ν ln(1 + t²/ν)) (8ν + 1) / (8ν + 3) normal standard errors are as seldom as Student's t (Wallace 1959).
    /// The variance is enlarged until a lead at the threshold comes out as that. Observations that are all equal say nothing of their
    /// noise.
    fn cautious_variance(&self, _: &Problem, tally: &Tally, spread: &Spread) -> f64 {
        if !(spread.own > 0.0) {
            return LARGEST;
        }
        let freedom = spread.freedom;
        let level = (2.0 * self.threshold(tally.total() as f64) / freedom).min(700.0);
        let wallace = ((8.0 * freedom + 3.0) / (8.0 * freedom + 1.0)).powi(2);
        (spread.shrunk() * wallace * level.exp_m1() / level).min(LARGEST)
    }

    /// Arms are certain together: as many as have, from the least doubtful on, doubts that suffice. The evidence for an arm is that
    /// which is left by the doubts about it and all less doubtful ones.
    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        let (problem, tally, front) = (situation.problem, situation.tally(), situation.front);
        let scale @ Scale { threshold, .. } = self.scale(tally);
        let ready = ready(problem, tally);
        let evidence_of = |doubts: &[Option<Doubt>]| {
            if ready { left_by(self, doubts, scale) } else { vec![0.0; doubts.len()] }
        };
        let question = situation.question();
        // Whoever is certainly out need not be compared with, unless it may beat another by more than the margins all the same.
        let arms = 0..problem.arm_count();
        let mut all: Vec<Option<Doubt>> =
            arms.clone().map(|arm| (!front.contains(arm)).then(|| Doubt::about(&question, arm))).collect();
        let evidence = evidence_of(&all);
        let rivals: Vec<usize> =
            arms.filter(|&arm| problem.has_margins() || front.contains(arm) || evidence[arm] < threshold).collect();
        for &arm in front.members() {
            all[arm] = Some(Doubt::about_in(&question, arm, rivals.iter().copied()));
        }
        let evidence = evidence_of(&all);
        let certificate = |(arm, doubt): (usize, &Doubt)| {
            let (standing, objectives) = match doubt.rival {
                Some(rival) if front.contains(arm) => (Standing::In, situation.ahead(arm, rival)),
                None if front.contains(arm) => (Standing::In, Vec::new()),
                None => (Standing::Out, Vec::new()),
                Some(_) => (Standing::Out, vec![doubt.objective]),
            };
            let limit = doubt.by_limit.then_some(doubt.objective);
            let evidence = evidence[arm];
            let certain = evidence >= threshold;
            Certificate {
                standing: Some(standing),
                certain,
                rival: doubt.rival,
                objectives,
                limit,
                evidence,
                threshold,
            }
        };
        all.iter().flatten().enumerate().map(certificate).collect()
    }
}

/// By arm: the evidence that is left by the doubts about it and all less doubtful arms; zero for arms without.
fn left_by(rule: &Calibrated, doubts: &[Option<Doubt>], scale: Scale) -> Vec<f64> {
    let mut order: Vec<(Doubt, usize)> =
        doubts.iter().enumerate().filter_map(|(arm, doubt)| doubt.map(|doubt| (doubt, arm))).collect();
    order.sort_by(|a, b| a.0.ln.total_cmp(&b.0.ln));
    let mut evidence = vec![0.0; doubts.len()];
    let mut sum = Part::NONE;
    for (doubt, arm) in order {
        sum = sum.and(rule.part(doubt));
        evidence[arm] = rule.evidence(sum, scale);
    }
    evidence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(p: f64, looks: f64) -> Doubt {
        Doubt { ln: p.ln(), rival: Some(0), objective: 0, by_limit: false, looks, reach: 0.0 }
    }

    #[test]
    fn one_doubt_counts_with_its_looks_and_many_add_up() {
        let (p, looks) = (1e-4f64, 1000.0);
        let (alone, each) = (looking(-p.ln(), looks), together(-p.ln(), looks));
        assert!(alone > 50.0 && 1.0 < each && each < 5.0, "{alone} {each}");
        let rule = Calibrated::new(0.1).unwrap();
        let many = (0..100).fold(Part::NONE, |doubts, _| doubts.and(rule.part(doubt(p, looks))));
        assert!((many.risk() - 10.0 * p * (alone + 100.0 * each)).abs() < 1e-12);
        // What is decided within a few looks is little more than its doubt.
        assert!(together(-p.ln(), 20.0) < 1.1);
    }

    #[test]
    fn a_single_doubt_is_enough_at_the_threshold() {
        for delta in [0.3, 0.1, 1e-3, 1e-12, Risk::LEAST] {
            let (rule, samples) = (Calibrated::new(delta).unwrap(), 5000.0);
            let threshold = rule.threshold(samples);
            let evidence = |level: f64| {
                let doubt = Doubt { ln: -level, ..doubt(1.0, samples) };
                rule.evidence(rule.part(doubt), Scale { samples, threshold })
            };
            assert!(evidence(threshold + 1e-3) >= threshold, "{delta}");
            assert!(evidence(threshold - 1e-3) < threshold, "{delta}");
            assert!(evidence(0.0) < 1e-12);
        }
    }

    /// A fraction is to grow as the samples do, so that what is left can be foretold.
    #[test]
    fn half_of_the_samples_are_about_half_of_the_way() {
        let (rule, samples) = (Calibrated::new(0.1).unwrap(), 2000.0);
        let enough = normal_quantile((-rule.threshold(samples)).exp());
        for part in [0.05f64, 0.25, 0.5, 0.9] {
            let (ln, _) = crate::normal::ln_cdf(enough * part.sqrt());
            let progress = rule.progress_with(rule.part(Doubt { ln, ..doubt(1.0, samples) }), samples);
            assert!((progress.fraction - part).abs() < 0.05, "{part}: {progress:?}");
        }
    }

    #[test]
    fn equal_observations_say_nothing_of_their_noise() {
        let problem = crate::testing::unit_problem(2, 1);
        let rule = Calibrated::new(0.1).unwrap();
        let mut tally = Tally::new(&problem);
        (0..10).for_each(|_| tally.add(&problem, 0, &[1.0]).unwrap());
        let spread = |own| Spread { own, freedom: 9.0, pooled: 1.0 };
        assert_eq!(rule.cautious_variance(&problem, &tally, &spread(0.0)), LARGEST);
        assert!(rule.cautious_variance(&problem, &tally, &spread(1.0)) < 10.0);
    }

    #[test]
    fn the_samples_expected_are_those_of_one_doubt() {
        let rule = Calibrated::new(0.1).unwrap();
        let t = rule.samples_expected(2103.75);
        let level = -crate::normal::ln_cdf(-(2.0 * t / 2103.75).sqrt()).0;
        assert!((level - rule.threshold(t)).abs() < 1e-3, "{t}");
    }
}
