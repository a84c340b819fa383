//! The threshold of the paper's experiments: as published, not proved.

use serde::{Deserialize, Serialize};

use super::{Certificate, Progress, Situation, Standing, StoppingRule};
use crate::needs::Needs;
use crate::problem::Problem;
use crate::risk::{DeltaError, Risk};
use crate::spread::Spread;
use crate::tally::Tally;
use crate::transport::{Closest, Piece, Tolls};

/// Stop once the evidence reaches β(t, δ) = ln(ln(1 + t) / δ) (paper, Section 4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stylized {
    delta: Risk,
}

impl Stylized {
    /// For the risk δ.
    ///
    /// # Errors
    /// When δ is no [`Risk`].
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        Ok(Stylized { delta: Risk::new(delta)? })
    }

    /// What it promises, in a sentence for people: where experience ends (docs/guarantees.md has the figures).
    pub const GUARANTEE: &'static str = "The stylized threshold is as published and not proved: experience ends at three objectives, \
        few near ties and Gaussian noise, and beyond that it can err far more often than δ.";

    /// The accepted chance of a wrong answer.
    pub fn delta(&self) -> f64 {
        self.delta.get()
    }

    /// β(t, δ).
    pub fn threshold(&self, samples: f64) -> f64 {
        (samples.ln_1p() / self.delta()).ln()
    }

    /// T* · β(t, δ) solved for t: the samples at which an optimal allocation is expected to have the evidence, the yardstick
    /// for a rule's stopping time.
    pub fn samples_expected(&self, t_star: f64) -> f64 {
        // The right-hand side grows so slowly in t that repeating it converges at once.
        (0..200).fold(t_star.max(2.0), |t, _| (t_star * self.threshold(t)).max(1.0))
    }
}

impl StoppingRule for Stylized {
    fn needs(&self) -> Needs {
        Needs::Closest
    }

    fn progress(&self, tally: &Tally, closest: Option<&Closest>, _: Option<Progress>) -> Progress {
        let cost = closest.map_or(f64::INFINITY, |closest| closest.cost);
        Progress::new(cost, self.threshold(tally.total() as f64))
    }

    /// With ν degrees of freedom, the evidence against a difference of t standard errors is not t²/2 but Student's
    /// (ν/2) ln(1 + t²/ν). The variance is enlarged until evidence at the threshold comes out as that: little for many observations,
    /// beyond all reach for two or three.
    fn cautious_variance(&self, _: &Problem, tally: &Tally, spread: &Spread) -> f64 {
        // Beyond this the exponential is infinite, which times a variance of zero would be no number.
        let level = (2.0 * self.threshold(tally.total() as f64).max(1.0) / spread.freedom).min(700.0);
        spread.shrunk() * level.exp_m1() / level
    }

    /// The evidence for an arm's standing is the cost of the closest model in which it is on the other side: for an arm on the
    /// front, one in which some other arm covers it; for an arm off the front, one in which no arm does.
    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        let threshold = self.threshold(situation.tally().total() as f64);
        (0..situation.problem.arm_count())
            .map(|arm| {
                let (mut limit, tolls) = (None, Tolls::new(&situation.question()));
                let (standing, evidence, rival, objectives) = if situation.front.contains(arm) {
                    let mut rival = situation.closest_to_covering(arm);
                    let mut evidence = rival.map_or(f64::INFINITY, |rival| rival.1);
                    if let Some(exit) = tolls.map(|tolls| tolls.exit(arm)).filter(|exit| exit.cost < evidence) {
                        (rival, evidence, limit) = (None, exit.cost, Some(exit.objective));
                    }
                    let ahead = rival.map_or_else(Vec::new, |rival| situation.ahead(arm, rival.0));
                    (Standing::In, evidence, rival.map(|rival| rival.0), ahead)
                } else {
                    let question = situation.question();
                    let closest =
                        situation.oracle.closest_in(&question, Piece::Add { arm }).expect("it is off the front");
                    let evidence = closest.map_or(f64::INFINITY, |closest| closest.cost);
                    limit = tolls.and_then(|tolls| tolls.most_broken(arm)).map(|toll| toll.objective);
                    let dominator = limit.is_none().then(|| situation.surest_dominator(arm));
                    let objectives = dominator.iter().map(|dominator| dominator.1).collect();
                    (Standing::Out, evidence, dominator.map(|dominator| dominator.0), objectives)
                };
                let certain = evidence >= threshold;
                Certificate { standing: Some(standing), certain, rival, objectives, limit, evidence, threshold }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_figures() {
        let rule = Stylized::new(0.1).unwrap();
        assert!((rule.threshold(9519.0) - (9520f64.ln() / 0.1).ln()).abs() < 1e-12);
        // T* β on the vaccine instance.
        assert!((rule.samples_expected(2103.75) - 9504.0).abs() < 25.0, "{}", rule.samples_expected(2103.75));
    }

    #[test]
    fn equal_observations_at_a_tiny_risk_are_a_number() {
        let problem = crate::testing::unit_problem(1, 1);
        let mut tally = Tally::new(&problem);
        (0..2).for_each(|_| tally.add(&problem, 0, &[1.0]).unwrap());
        let spread = |own| Spread { own, freedom: 1.0, pooled: own };
        let rule = Stylized::new(Risk::LEAST).unwrap();
        assert_eq!(rule.cautious_variance(&problem, &tally, &spread(0.0)), 0.0);
        assert!(rule.cautious_variance(&problem, &tally, &spread(1.0)) > 1e100);
    }

    #[test]
    fn a_saved_rule_is_checked_like_a_new_one() {
        let rule = Stylized::new(0.05).unwrap();
        let text = serde_json::to_string(&rule).unwrap();
        assert_eq!(text, r#"{"delta":0.05}"#);
        assert_eq!(serde_json::from_str::<Stylized>(&text).unwrap(), rule);
        let message = serde_json::from_str::<Stylized>(r#"{"delta":7}"#).unwrap_err().to_string();
        assert!(message.contains("delta is 7: write a number between 0 and 1"), "{message}");
    }
}
