//! A stop with a proof: the chance of a wrong front, on any instance and under any rule, is at most δ (docs/certified.md).
//!
//! Two kinds of claims are made. "k is out: dominated by b" takes evidence that b is ahead in every objective. "k is in: not dominated
//! by b" takes evidence that k is ahead in one. If the front is wrong, some claim is false, and a martingale that is fixed by the truth
//! has become large.

mod about;
mod bracket;
mod case;
mod claim;
mod direction;
mod few;
mod forecast;
mod gauge;
mod glimpse;
mod hint;
mod knowledge;
mod least;
mod least_step;
mod lesson;
mod limits;
mod mixture;
mod passed_over;
mod proofs;
mod quantile;
mod shared;
mod student;
mod term;
mod tilt;
mod tilted;
mod verdicts;

use serde::{Deserialize, Serialize};

pub(crate) use self::claim::Claim;
pub(crate) use self::gauge::{Gauge, Outlook};
pub(crate) use self::limits::LimitGauge;
pub(crate) use self::mixture::Care;
pub(crate) use self::verdicts::{Near, settled};
use super::{Certificate, Progress, Situation, StoppingRule};
use crate::front::Front;
use crate::needs::Needs;
use crate::problem::Problem;
use crate::risk::{DeltaError, Risk};
use crate::spread::Spread;
use crate::tally::Tally;
use crate::transport::Closest;

/// The part of δ that is spent on all observations, where a lesson is taken; the rest is spent on those that follow it.
const PLAIN_SHARE: f64 = 0.4;

/// The lesson is taken once so much of the way seems to be done.
pub(crate) const LESSON_AT: f64 = 0.15;

/// Where an arm differs from the others in no more than so many ways, no lesson is taken.
const FEW_WAYS: usize = 2;

/// Stop once every arm is certified to be in or out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certified {
    delta: Risk,
    /// Studies saved by version 0.1 learn from now on.
    #[serde(default)]
    lessons: Lessons,
}

/// Whether the stop learns what to expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Lessons {
    /// Once: then the observations that follow are proof by what was learned.
    #[default]
    One,
    /// Never: all observations are proof, whatever their order.
    None,
}

/// The proofs that it takes to certify all arms at once, by what is known of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bars {
    /// For an arm off the front, and for one on it.
    Plain { out: f64, within: f64 },
    /// For an arm that stands where it was expected to, and for one that does not.
    Learned { expected: f64, surprising: f64 },
}

/// How many arms are not proved, for the purpose of certifying all at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Open {
    /// Off the front.
    pub out: usize,
    /// On it.
    pub within: usize,
}

impl Open {
    /// How many of those on the front, or off it.
    pub(crate) fn beside(&mut self, on_front: bool) -> &mut usize {
        if on_front { &mut self.within } else { &mut self.out }
    }
}

impl Certified {
    /// What it promises, in a sentence for people; under which assumptions: see [`Assumption`](super::Assumption).
    pub const GUARANTEE: &'static str = "The certified threshold is proved: whatever the means and the rule, the chance that any \
        verdict ever given is wrong is at most δ.";

    /// For the risk δ.
    ///
    /// # Errors
    /// When δ is no [`Risk`].
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        Ok(Certified { delta: Risk::new(delta)?, lessons: Lessons::One })
    }

    /// The same for observations whose order means nothing, such as those of a file: none is set aside to learn from.
    ///
    /// # Errors
    /// When δ is no [`Risk`].
    pub fn without_lessons(delta: f64) -> Result<Self, DeltaError> {
        Ok(Certified { lessons: Lessons::None, ..Certified::new(delta)? })
    }

    /// Whether it learns what to expect of so many arms and objectives. Of few there is too little to learn for what it costs, and where there are limits nothing is learned.
    pub(crate) fn learns(&self, arms: usize, objectives: usize, limits: bool) -> bool {
        self.lessons == Lessons::One && !limits && arms.saturating_sub(1) * objectives > FEW_WAYS
    }

    /// The risk of what is concluded from all observations.
    fn plain_risk(&self, problem: &Problem) -> f64 {
        if self.learns(problem.arm_count(), problem.objective_count(), problem.has_limits()) {
            PLAIN_SHARE * self.delta()
        } else {
            self.delta()
        }
    }

    /// The risk of what is concluded from those that follow a lesson.
    fn learned_risk(&self) -> f64 {
        (1.0 - PLAIN_SHARE) * self.delta()
    }

    /// What it takes to certify all arms at once, if this is the front.
    pub(crate) fn bars(&self, problem: &Problem, gauge: &Gauge, front: &Front) -> Bars {
        self.bars_beside(problem, gauge, front)(Open::default())
    }

    /// What it takes to certify the other arms, as long as some are open: a function of these.
    pub(crate) fn bars_beside<'a>(
        &'a self,
        problem: &'a Problem,
        gauge: &'a Gauge,
        front: &Front,
    ) -> impl Fn(Open) -> Bars + use<'a> {
        let (size, lesson) = (front.members().len(), gauge.lesson().map(|lesson| (lesson, lesson.surprises(front))));
        move |open: Open| match lesson {
            // Whoever is out may be as good as one that is in, and the other way round: how many are has nothing to do with how many are wrong.
            None if problem.has_margins() => {
                let arms = problem.arm_count();
                Bars::Plain {
                    out: self.out_threshold(problem, arms.saturating_sub(1)),
                    within: self.in_threshold(problem, 1, arms),
                }
            }
            Some(_) if problem.has_margins() => {
                let bar = self.even_threshold(problem);
                Bars::Learned { expected: bar, surprising: bar }
            }
            None => {
                let (left, certain) = (size + open.out, size.saturating_sub(open.within).max(1));
                Bars::Plain {
                    out: self.out_threshold(problem, left),
                    within: self.in_threshold(problem, certain, left),
                }
            }
            Some((lesson, surprises)) => {
                let open = open.out + open.within;
                let bar = |surprising| lesson.threshold(self.learned_risk(), surprising, open, surprises);
                Bars::Learned { expected: bar(false), surprising: bar(true) }
            }
        }
    }

    /// What is enough to certify an arm off the front, whatever else is certified.
    pub(crate) fn highest_bar(&self, problem: &Problem, gauge: &Gauge) -> f64 {
        let arms = problem.arm_count();
        match gauge.lesson() {
            None => self.out_threshold(problem, arms.saturating_sub(1)),
            Some(_) if problem.has_margins() => self.even_threshold(problem),
            Some(lesson) => lesson.threshold(self.learned_risk(), true, arms, arms),
        }
    }

    /// δ.
    pub fn delta(&self) -> f64 {
        self.delta.get()
    }

    /// After a lesson, the proof that it takes for an arm if all arms are weighed alike: where there are margins.
    pub(crate) fn even_threshold(&self, problem: &Problem) -> f64 {
        (problem.arm_count() as f64 / self.learned_risk()).ln()
    }

    /// The proof that it takes to say that an arm is out, when `left` arms are not said to be.
    pub(crate) fn out_threshold(&self, problem: &Problem, left: usize) -> f64 {
        // Every other arm may dominate it; and it may break a limit.
        let ways = problem.arm_count() as f64 - if problem.has_limits() { 0.0 } else { 1.0 };
        let left = left as f64;
        (ways * (left + 1.0) * (left + 3.0) / ((left + 2.0) * self.plain_risk(problem))).ln()
    }

    /// The proof that it takes to say that an arm is in, when `certain` arms are said to be, itself included, and `left` arms are
    /// not said to be out.
    pub(crate) fn in_threshold(&self, problem: &Problem, certain: usize, left: usize) -> f64 {
        // The true front has q arms, at most all that are left but one that is wrongly in.
        let arms = problem.arm_count() as f64;
        let odds = |q: f64| (arms - q) * (q + 2.0) / (certain as f64 - q).max(1.0);
        let (least, most) = (certain.saturating_sub(1).max(1) as f64, left.saturating_sub(1).max(1) as f64);
        let worst = (0.5 * (arms - 2.0)).clamp(least, most.max(least));
        let odds = odds(worst.floor().max(least)).max(odds(worst.ceil().min(most.max(least))));
        // Where there are limits, the true front may be empty.
        let odds = if problem.has_limits() { odds.max(arms) } else { odds };
        (odds / self.plain_risk(problem)).ln()
    }
}

impl StoppingRule for Certified {
    fn needs(&self) -> Needs {
        Needs::Claims
    }

    fn progress(&self, _: &Tally, _: Option<&Closest>, weakest: Option<Progress>) -> Progress {
        weakest.expect("the claims are watched for this stop")
    }

    /// No proof rests on it, only the choice of what to measure. The evidence against a shift is Student's, half of it each arm's: enlarged
    /// until it comes out as that.
    fn cautious_variance(&self, problem: &Problem, _: &Tally, spread: &Spread) -> f64 {
        let level = (self.out_threshold(problem, 1) / spread.freedom).min(700.0);
        spread.own * level.exp_m1() / level
    }

    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        verdicts::all(self, situation)
    }
}

impl Bars {
    /// The one for an arm.
    #[inline]
    pub fn of(&self, gauge: &Gauge, arm: usize, on_front: bool) -> f64 {
        match *self {
            Bars::Plain { within, .. } if on_front => within,
            Bars::Plain { out, .. } => out,
            Bars::Learned { expected, .. } if gauge.expects(arm, on_front) => expected,
            Bars::Learned { surprising, .. } => surprising,
        }
    }
}
