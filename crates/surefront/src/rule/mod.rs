//! Which arm to measure next.
//!
//! A rule is one file: a type that implements [`SamplingRule`], and one line in each list of [`Rule`], which names it. What it
//! remembers from round to round, its *state*, is part of it, so that a saved study goes on as if it had never been interrupted; what it was told
//! when it was made, its *parameters*, is not taken over by a study that is told otherwise.

mod ape;
mod auer;
mod calibration;
mod conclusion;
mod contenders;
mod custom;
mod dual;
mod e_cape;
mod fixed;
mod gap_elimination;
mod keeping;
mod kind;
mod leads;
mod mocba;
mod plan;
mod posterior;
mod psips;
mod spread_of_means;
mod track_and_stop;
mod two_stage;
mod uniform;
mod weakest;

use std::fmt::Debug;

use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::ape::{Ape, Relaxation};
pub use self::auer::Auer;
pub use self::calibration::Calibration;
pub use self::conclusion::{Conclusion, Sought};
pub use self::custom::Custom;
pub use self::dual::Dual;
pub use self::e_cape::ECape;
pub use self::fixed::Fixed;
pub use self::gap_elimination::{GapElimination, Schedule};
pub use self::kind::{RuleKind, RuleOptions};
pub use self::mocba::Mocba;
pub(crate) use self::plan::Moment;
pub(crate) use self::posterior::Draw;
pub use self::psips::Psips;
pub use self::track_and_stop::{HedgeStep, TrackAndStop, Tracking};
pub use self::two_stage::TwoStage;
pub use self::uniform::Uniform;
pub use self::weakest::Weakest;
use crate::claims::{Claims, WeakestClaim};
use crate::doubts::Doubts;
use crate::front::Front;
use crate::needs::Needs;
use crate::problem::Problem;
use crate::question::Question;
use crate::tally::Tally;
use crate::transport::{Closest, Oracle};

/// A rule that was made for another number of arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the rule {rule} was made for {found} arms, but there are {expected}: make it for this problem")]
pub struct RuleSizeError {
    /// The rule's name.
    pub rule: &'static str,
    /// For how many arms it was made.
    pub found: usize,
    /// How many there are.
    pub expected: usize,
}

/// What a rule sees when it is asked for the next arm. Every arm has been measured at least once.
pub struct Round<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The observations so far.
    pub tally: &'a Tally,
    /// The front of the means so far.
    pub front: &'a Front,
    /// By arm: the observations told, and those asked for but not told yet.
    pub allocated: &'a [u64],
    /// The closest alternative at the counts so far; `None` if there is none, or it is not needed.
    pub closest: Option<&'a Closest>,
    /// The claims about the arms, and the weakest of them if any is in doubt; `None` if they are not needed.
    pub(crate) claims: Option<(&'a Claims, Option<&'a WeakestClaim>)>,
    /// The doubts about the arms, where these decide and the rule asks for claims.
    pub(crate) doubts: Option<&'a Doubts>,
    /// When this is, for a rule that plans ahead.
    pub(crate) now: Moment,
    /// An oracle for questions of the rule's own.
    pub oracle: &'a mut Oracle,
    /// The study's random numbers.
    pub rng: &'a mut Xoshiro256PlusPlus,
}

impl<'a> Round<'a> {
    /// The question about the means at the counts.
    pub fn question(&self) -> Question<'a> {
        Question::unchecked(self.problem, self.tally.means(), self.front, self.tally.counts())
    }
}

impl Round<'_> {
    /// The arm with the fewest observations told or asked for, the first among equals.
    pub fn least_allocated(&self) -> usize {
        (0..self.allocated.len()).min_by_key(|&arm| self.allocated[arm]).expect("there is an arm")
    }

    /// The number of observations told or asked for.
    pub fn time(&self) -> u64 {
        self.allocated.iter().sum()
    }

    /// The arm whose observations lag furthest behind the given targets, the first among equals.
    pub fn furthest_behind(&self, target: impl Fn(usize) -> f64) -> usize {
        let lag = |arm: usize| target(arm) - self.allocated[arm] as f64;
        (0..self.allocated.len())
            .reduce(|best, arm| if lag(arm) > lag(best) { arm } else { best })
            .expect("there is an arm")
    }
}

/// A rule for choosing the next arm.
///
/// A study takes a rule of your own through [`Rule::custom`]:
///
/// ```
/// use surefront::{Arm, Goal, Noise, Objective, Problem, Round, Rule, SamplingRule, Settings, StoppingKind, Study};
///
/// /// Two measurements of the front's arms for one of the others.
/// #[derive(Clone, Debug, PartialEq)]
/// struct FrontFirst;
///
/// impl SamplingRule for FrontFirst {
///     fn next(&mut self, round: &mut Round<'_>) -> usize {
///         let share = |arm: usize| if round.front.contains(arm) { 2.0 } else { 1.0 };
///         let all: f64 = (0..round.problem.arm_count()).map(share).sum();
///         round.furthest_behind(|arm| round.time() as f64 * share(arm) / all)
///     }
/// }
///
/// let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(0.01));
/// let arms = vec![Arm::named("a"), Arm::named("b"), Arm::named("c")];
/// let problem = Problem::new(vec![objective("x"), objective("y")], arms)?;
/// let settings = Settings::new(Rule::custom(FrontFirst), StoppingKind::Certified.stopping(0.05)?);
/// let mut study = Study::new(problem, settings)?;
/// while !study.stopped() {
///     let arm = study.ask();
///     study.tell(arm, &[[0.0, 3.0], [3.0, 0.0], [-1.0, 1.0]][arm])?;
/// }
/// assert_eq!(study.verdict().front, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SamplingRule: Debug + Send + Sync {
    /// The arm to measure next, by its index in the round's problem: arms that are left out of the study have none. An index that no
    /// arm has counts as the least measured arm's.
    fn next(&mut self, round: &mut Round<'_>) -> usize;

    /// What the rule looks at; the rest is not computed for it.
    fn needs(&self) -> Needs {
        Needs::Front
    }

    /// The study begins, or arms were left out or taken in: forget what is about other arms.
    fn begin(&mut self, problem: &Problem) {
        let _ = problem;
    }

    /// The rule's own stop, the one it was published with: its answer, once it has one; `None` for rules without one. Only simulations ask
    /// for it ([`Ending::OwnStop`](crate::Ending::OwnStop)): a study that people run stops by a [`Stopping`](crate::Stopping).
    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        let _ = round;
        None
    }
}

/// The rules there are, by name, and the user's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Rule {
    /// Follow the evidence: see [`Dual`].
    Dual(Dual),
    /// The paper's: see [`TrackAndStop`].
    TrackAndStop(TrackAndStop),
    /// All arms in turn: see [`Uniform`].
    Uniform(Uniform),
    /// A given allocation: see [`Fixed`].
    Fixed(Fixed),
    /// Adaptive Pareto exploration: see [`Ape`].
    Ape(Ape),
    /// Serve the weakest claim of a certified stop: see [`Weakest`].
    Weakest(Weakest),
    /// Successive elimination: see [`Auer`].
    Auer(Auer),
    /// Posterior sampling: see [`Psips`].
    Psips(Psips),
    /// Empirical gap elimination for a budget: see [`GapElimination`].
    GapElimination(GapElimination),
    /// Optimal computing budget allocation: see [`Mocba`].
    Mocba(Mocba),
    /// Adaptive Pareto exploration under limits: see [`ECape`].
    ECape(ECape),
    /// Limits first, the front after: see [`TwoStage`].
    TwoStage(TwoStage),
    /// A rule of the user's own: see [`SamplingRule`]. It can be copied but not stored: to serialise a study that has one is an error.
    #[serde(skip)]
    Custom(Custom),
}

impl Rule {
    /// The names of all rules.
    pub const NAMES: &'static [&'static str] = RuleKind::NAMES;

    /// A rule of your own: see [`SamplingRule`].
    pub fn custom(rule: impl SamplingRule + Clone + PartialEq + 'static) -> Self {
        Rule::Custom(Custom::new(rule))
    }

    /// Which of the rules this is; `None` for one of the user's own.
    pub fn kind(&self) -> Option<RuleKind> {
        match self {
            Rule::Dual(_) => Some(RuleKind::Dual),
            Rule::TrackAndStop(_) => Some(RuleKind::TrackAndStop),
            Rule::Uniform(_) => Some(RuleKind::Uniform),
            Rule::Fixed(_) => Some(RuleKind::Fixed),
            Rule::Ape(_) => Some(RuleKind::Ape),
            Rule::Weakest(_) => Some(RuleKind::Weakest),
            Rule::Auer(_) => Some(RuleKind::Auer),
            Rule::Psips(_) => Some(RuleKind::Psips),
            Rule::GapElimination(rule) => Some(match rule.schedule() {
                Schedule::Rejects => RuleKind::EgeSr,
                Schedule::Halving => RuleKind::EgeSh,
            }),
            Rule::Mocba(_) => Some(RuleKind::Mocba),
            Rule::ECape(_) => Some(RuleKind::ECape),
            Rule::TwoStage(_) => Some(RuleKind::TwoStage),
            Rule::Custom(_) => None,
        }
    }

    /// The name of this rule; "custom" for one of the user's own.
    pub fn name(&self) -> &'static str {
        self.kind().map_or("custom", RuleKind::name)
    }

    /// Whether this rule can be used for so many arms.
    pub(crate) fn check(&self, expected: usize) -> Result<(), RuleSizeError> {
        let found = match self {
            Rule::Fixed(rule) => rule.arm_count(),
            Rule::TrackAndStop(rule) => rule.arm_count(),
            Rule::Auer(rule) => rule.arm_count(),
            Rule::Psips(rule) => rule.arm_count(),
            Rule::GapElimination(rule) => rule.arm_count(),
            Rule::Mocba(rule) => rule.arm_count(expected),
            Rule::TwoStage(rule) => rule.arm_count(expected),
            _ => expected,
        };
        if found == expected { Ok(()) } else { Err(RuleSizeError { rule: self.name(), found, expected }) }
    }

    /// The same rule without its state, for some of its arms, which are those of `problem`. `delta` is the study's.
    pub(crate) fn afresh(&self, arms: &[usize], problem: &Problem, delta: f64) -> Self {
        let mut rule = match self {
            Rule::Dual(rule) => Rule::Dual(rule.afresh()),
            Rule::TrackAndStop(rule) => Rule::TrackAndStop(rule.afresh(arms.len())),
            Rule::Fixed(rule) => Rule::Fixed(rule.afresh(arms)),
            Rule::Ape(rule) => Rule::Ape(rule.afresh(problem, delta)),
            Rule::Weakest(rule) => Rule::Weakest(rule.afresh()),
            Rule::Auer(rule) => Rule::Auer(rule.afresh(arms.len())),
            Rule::Psips(rule) => Rule::Psips(rule.afresh(arms.len())),
            Rule::GapElimination(rule) => Rule::GapElimination(rule.afresh(arms.len())),
            Rule::Mocba(_) => Rule::Mocba(Mocba::afresh()),
            Rule::TwoStage(rule) => Rule::TwoStage(rule.afresh()),
            Rule::Uniform(_) | Rule::ECape(_) | Rule::Custom(_) => self.clone(),
        };
        rule.begin(problem);
        rule
    }

    /// Whether the rule knows what is next without looking at claims or alternatives.
    pub(crate) fn knows_next(&self, now: Moment, arm_count: usize) -> bool {
        match self {
            Rule::Weakest(rule) => rule.knows_next(now, arm_count),
            _ => false,
        }
    }

    /// Takes over the state of an earlier rule of the same kind and size; the parameters stay.
    pub(crate) fn take_up(&mut self, earlier: Rule) {
        match (self, earlier) {
            (Rule::Dual(rule), Rule::Dual(earlier)) => rule.take_up(&earlier),
            (Rule::TrackAndStop(rule), Rule::TrackAndStop(earlier)) => rule.take_up(earlier),
            (Rule::Weakest(rule), Rule::Weakest(earlier)) => rule.take_up(earlier),
            (Rule::Auer(rule), Rule::Auer(earlier)) => rule.take_up(earlier),
            (Rule::Psips(rule), Rule::Psips(earlier)) => rule.take_up(earlier),
            (Rule::GapElimination(rule), Rule::GapElimination(earlier)) => rule.take_up(earlier),
            (Rule::Mocba(rule), Rule::Mocba(earlier)) => rule.take_up(earlier),
            (Rule::TwoStage(rule), Rule::TwoStage(earlier)) => rule.take_up(earlier),
            // The others remember nothing, or are others.
            _ => {}
        }
    }

    fn rule(&self) -> &dyn SamplingRule {
        match self {
            Rule::Dual(rule) => rule,
            Rule::TrackAndStop(rule) => rule,
            Rule::Uniform(rule) => rule,
            Rule::Fixed(rule) => rule,
            Rule::Ape(rule) => rule,
            Rule::Weakest(rule) => rule,
            Rule::Auer(rule) => rule,
            Rule::Psips(rule) => rule,
            Rule::GapElimination(rule) => rule,
            Rule::Mocba(rule) => rule,
            Rule::ECape(rule) => rule,
            Rule::TwoStage(rule) => rule,
            Rule::Custom(rule) => rule,
        }
    }

    fn rule_mut(&mut self) -> &mut dyn SamplingRule {
        match self {
            Rule::Dual(rule) => rule,
            Rule::TrackAndStop(rule) => rule,
            Rule::Uniform(rule) => rule,
            Rule::Fixed(rule) => rule,
            Rule::Ape(rule) => rule,
            Rule::Weakest(rule) => rule,
            Rule::Auer(rule) => rule,
            Rule::Psips(rule) => rule,
            Rule::GapElimination(rule) => rule,
            Rule::Mocba(rule) => rule,
            Rule::ECape(rule) => rule,
            Rule::TwoStage(rule) => rule,
            Rule::Custom(rule) => rule,
        }
    }
}

impl SamplingRule for Rule {
    fn begin(&mut self, problem: &Problem) {
        self.rule_mut().begin(problem);
    }

    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.rule_mut().next(round)
    }

    fn needs(&self) -> Needs {
        self.rule().needs()
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        self.rule_mut().conclude(round)
    }
}
