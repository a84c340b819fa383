//! A quick stop that knows the objectives and the arms: calibrated by simulation, not proved (docs/calibrated.md).
//!
//! Every arm has a doubt: the chance that noise alone would show as much for its standing. The study stops once the largest doubt,
//! times a factor for looking all the time, and the others together, which are looked at only when the largest allows it, are no more
//! than δ.

mod doubt;
mod ln_sum;

use serde::{Deserialize, Serialize};

use self::doubt::Doubt;
use self::ln_sum::ln_add;
use super::{Certificate, Progress, Sight, Situation, Standing, StoppingRule};
use crate::needs::Needs;
use crate::normal::{ln_cdf, normal_quantile};
use crate::problem::{LARGEST, Problem};
use crate::question::Question;
use crate::risk::{DeltaError, Risk};
use crate::spread::Spread;
use crate::tally::Tally;

/// Looking at all times, a near tie shows a misleading lead this many times ln(1 + t) as often as at one time: by simulation.
const LOOKING: f64 = 4.0;

/// What the doubts of all arms count besides: by simulation. The stop comes when all arms agree, at a moment that is not chosen for
/// each of them.
const TOGETHER: f64 = 3.0;

/// With unknown variances, every arm is observed this often before anything is said.
const LEAST_OBSERVATIONS: u64 = 4;

/// A doubt that is smaller by this factor than what all arms together may have need not be computed.
const NEGLIGIBLE: f64 = 1e4;

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
        objectives, with Gaussian noise; that is not proved.";

    /// The accepted chance of a wrong answer.
    pub fn delta(&self) -> f64 {
        self.delta.get()
    }

    /// What −ln of the doubt must reach after this many samples.
    pub fn threshold(&self, samples: f64) -> f64 {
        (looking(samples) / self.delta()).ln()
    }

    /// The samples at which an optimal allocation is expected to leave a single doubt that is small enough, by T*: the yardstick for a
    /// rule's stopping time.
    pub fn samples_expected(&self, t_star: f64) -> f64 {
        let cost = |t: f64| 0.5 * normal_quantile(self.delta() / (looking(t) + TOGETHER)).powi(2);
        // The right-hand side grows so slowly in t that repeating it converges at once.
        (0..50).fold(t_star.max(2.0), |t, _| (t_star * cost(t)).max(2.0))
    }

    /// Beyond this cost of a lead, the doubt it leaves is negligible among all arms.
    fn enough(&self, problem: &Problem, threshold: f64) -> f64 {
        let claims = (problem.arm_count() * problem.objective_count()) as f64;
        threshold + (NEGLIGIBLE * claims).ln()
    }
}

/// The factor for looking at all times.
fn looking(samples: f64) -> f64 {
    LOOKING * samples.max(1.0).ln_1p()
}

/// The doubts of some arms.
#[derive(Clone, Copy, Debug)]
struct Doubts {
    /// ln of the largest.
    largest: f64,
    /// ln of their sum.
    sum: f64,
}

impl Doubts {
    const NONE: Doubts = Doubts { largest: f64::NEG_INFINITY, sum: f64::NEG_INFINITY };

    fn with(self, ln: f64) -> Self {
        Doubts { largest: self.largest.max(ln), sum: ln_add(self.sum, ln) }
    }

    /// The evidence that they leave: −ln of the largest and, at their part of the factor for looking, all.
    fn evidence(self, samples: f64) -> f64 {
        let together = (TOGETHER / looking(samples)).ln() + self.sum;
        (-ln_add(self.largest, together)).max(0.0)
    }
}

/// By arm: the evidence that is left by the doubts about it and all less doubtful arms; zero for arms without.
fn left_by(doubts: &[Option<Doubt>], samples: f64) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> =
        doubts.iter().enumerate().filter_map(|(arm, doubt)| doubt.map(|doubt| (doubt.ln, arm))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut evidence = vec![0.0; doubts.len()];
    let mut sum = Doubts::NONE;
    for (ln, arm) in order {
        sum = sum.with(ln);
        evidence[arm] = sum.evidence(samples);
    }
    evidence
}

/// Whether there are observations enough to say anything.
fn ready(problem: &Problem, tally: &Tally) -> bool {
    !problem.has_unknown_noise() || (0..problem.arm_count()).all(|arm| tally.count(arm) >= LEAST_OBSERVATIONS)
}

impl StoppingRule for Calibrated {
    fn needs(&self) -> Needs {
        Needs::Closest
    }

    fn progress(&self, Sight { problem, tally, front, closest, .. }: Sight<'_>) -> Progress {
        let samples = tally.total() as f64;
        let threshold = self.threshold(samples);
        if !ready(problem, tally) {
            return Progress::new(0.0, threshold);
        }
        let Some(closest) = closest else { return Progress::new(f64::INFINITY, threshold) };
        // No lead of its arms costs more than the closest alternative, so the largest doubt is no less than this.
        let at_most = -ln_cdf(-(2.0 * closest.cost).sqrt()).0;
        if at_most < threshold {
            return Progress::new(at_most, threshold);
        }
        // It goes on only as long as the doubts so far are small enough. Arms that are measured often are those in doubt.
        let question = Question::unchecked(problem, tally.means(), front, tally.counts());
        let (enough, first) = (self.enough(problem, threshold), closest.piece.arm());
        let usual = samples / problem.arm_count() as f64;
        let arms = 0..problem.arm_count();
        let often = |arm: &usize| tally.counts()[*arm] >= usual;
        let others = arms.clone().filter(often).chain(arms.filter(|arm| !often(arm))).filter(|&arm| arm != first);
        let mut doubts = Doubts::NONE;
        for arm in std::iter::once(first).chain(others) {
            doubts = doubts.with(Doubt::about(&question, arm, enough).ln);
            if doubts.evidence(samples) < threshold {
                break;
            }
        }
        Progress::new(doubts.evidence(samples), threshold)
    }

    /// As for the stylized threshold: Student's law at the level of evidence that it takes. Observations that are all equal say nothing of
    /// their noise.
    fn cautious_variance(&self, _: &Problem, tally: &Tally, spread: &Spread) -> f64 {
        if !(spread.own > 0.0) {
            return LARGEST;
        }
        let level = (2.0 * self.threshold(tally.total() as f64).max(1.0) / spread.freedom).min(700.0);
        (spread.shrunk() * level.exp_m1() / level).min(LARGEST)
    }

    /// Arms are certain together: as many as have, from the least doubtful on, doubts that suffice. The evidence for an arm is that
    /// which is left by the doubts about it and all less doubtful ones.
    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        let (problem, tally, front) = (situation.problem, situation.tally, situation.front);
        let samples = tally.total() as f64;
        let threshold = self.threshold(samples);
        let ready = ready(problem, tally);
        let evidence_of = |doubts: &[Option<Doubt>]| {
            let evidence = left_by(doubts, samples);
            if ready { evidence } else { vec![0.0; doubts.len()] }
        };
        let question = situation.question();
        // Whoever is certainly out need not be compared with.
        let arms = 0..problem.arm_count();
        let mut all: Vec<Option<Doubt>> = arms
            .clone()
            .map(|arm| (!front.contains(arm)).then(|| Doubt::about(&question, arm, f64::INFINITY)))
            .collect();
        let evidence = evidence_of(&all);
        let rivals: Vec<usize> = arms.filter(|&arm| front.contains(arm) || evidence[arm] < threshold).collect();
        for &arm in front.members() {
            all[arm] = Some(Doubt::about_in(&question, arm, &rivals, f64::INFINITY));
        }
        let evidence = evidence_of(&all);
        let certificate = |(arm, doubt): (usize, &Doubt)| {
            let (standing, objectives) = match doubt.rival {
                Some(rival) if front.contains(arm) => (Standing::In, situation.ahead(arm, rival)),
                None => (Standing::In, Vec::new()),
                Some(_) => (Standing::Out, vec![doubt.objective]),
            };
            let evidence = evidence[arm];
            let certain = evidence >= threshold;
            Certificate { standing: Some(standing), certain, rival: doubt.rival, objectives, evidence, threshold }
        };
        all.iter().flatten().enumerate().map(certificate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::Front;
    use crate::model::Model;
    use crate::weights::Weights;

    fn doubts(means: &[Vec<f64>], weight: f64) -> Vec<f64> {
        let problem = crate::testing::unit_problem(means.len(), means[0].len());
        let model = Model::new(&problem, means).unwrap();
        let front = Front::of(&model);
        let weights = Weights::new(means.len(), vec![weight; means.len()]).unwrap();
        let question = Question::new(&problem, &model, &front, &weights).unwrap();
        (0..means.len()).map(|arm| Doubt::about(&question, arm, f64::INFINITY).ln.exp()).collect()
    }

    /// Φ(−x).
    fn tail(x: f64) -> f64 {
        ln_cdf(-x).0.exp()
    }

    #[test]
    fn the_doubt_that_an_arm_is_dominated_is_that_of_the_narrowest_lead() {
        // Two arms with weight 8 each: the standard error of a difference is ½. Arm 0 is on the front, and nobody is beside it.
        let found = doubts(&[vec![2.0, 3.0], vec![1.0, 0.0]], 8.0);
        assert!((found[1] - tail(2.0)).abs() < 1e-12, "{found:?}");
        assert_eq!(found[0], 0.0);
    }

    #[test]
    fn the_doubt_that_an_arm_is_not_dominated_is_the_harmonic_mean_over_the_objectives() {
        let found = doubts(&[vec![1.0, 1.5, 0.0], vec![0.0, 0.0, 2.0]], 8.0);
        assert!((found[0] - 3.0 / (1.0 / tail(2.0) + 1.0 / tail(3.0) + 1.0)).abs() < 1e-12, "{found:?}");
        assert!((found[1] - 3.0 / (1.0 / tail(4.0) + 2.0)).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn one_doubt_counts_with_its_looking_and_many_add_up() {
        let (samples, p) = (1000.0, 1e-4f64);
        let factor = looking(samples);
        let one = Doubts::NONE.with(p.ln());
        assert!((one.evidence(samples) + (p * (1.0 + TOGETHER / factor)).ln()).abs() < 1e-12);
        let many = (0..100).fold(Doubts::NONE, |doubts, _| doubts.with(p.ln()));
        assert!((many.evidence(samples) + (p * (1.0 + 100.0 * TOGETHER / factor)).ln()).abs() < 1e-12);
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
        let doubt = tail((2.0 * t / 2103.75).sqrt());
        assert!((doubt * (looking(t) + TOGETHER) / 0.1 - 1.0).abs() < 1e-6, "{t}");
    }
}
