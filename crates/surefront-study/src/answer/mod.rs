//! What a study knows, in the words and the JSON that every command shows it in.

mod arm_answer;
mod arm_name;
mod change;
mod condition;
mod likely;
mod objective_name;
mod other;
mod phrases;
mod reason;
mod remark;
mod setting;
mod spent;
mod table;
mod taking_part;
mod tie;
mod waiting;

use serde::Serialize;
use surefront::{Assumption, Promise, Study};

pub use self::arm_answer::{ArmAnswer, FailureCount, QuantileAnswer, Verdict, why};
pub use self::arm_name::ArmName;
pub use self::change::{Change, ChangeOf};
pub use self::condition::Condition;
pub use self::likely::{Likely, LikelyArm};
pub use self::objective_name::ObjectiveName;
pub use self::other::Other;
pub(crate) use self::phrases::more_samples;
pub use self::phrases::{assumptions, front_is, taken_for_granted};
use self::phrases::{evidence_so_far, words_of};
pub use self::remark::{Remark, remarks};
pub use self::setting::{Setting, Would};
pub use self::spent::Spent;
pub use self::table::{Rows, VerdictTable};
pub use self::taking_part::samples;
use self::taking_part::taking_part;
pub use self::tie::{MarginOf, Tie};
pub use self::waiting::Waiting;
use crate::look::Look;
use crate::words::number::short;
use crate::words::plain::plain;
use crate::words::plural::counted;
use crate::words::suggestion::listed;
use crate::words::table::Width;

/// Less evidence is none.
const NOTHING: f64 = 1e-6;
/// What takes longer is not worth a number.
const FORESEEABLE: f64 = 1e9;

/// The answer of a study so far.
///
/// In JSON, an infinite number is null: the evidence where nothing can change the front any more, the threshold before every
/// arm has been measured.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The study's name.
    pub study: String,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// Which arm is measured next.
    pub rule: &'static str,
    /// When it is enough.
    pub threshold_name: &'static str,
    /// How strong the answer is, and every verdict on an arm: proved, or likely only.
    pub promise: Promise,
    /// What that threshold promises, in a sentence.
    pub guarantee: &'static str,
    /// What that takes for granted.
    pub assumptions: Vec<&'static str>,
    /// What is measured.
    pub objectives: Vec<ObjectiveName>,
    /// The observations so far, of all arms.
    pub samples: u64,
    /// About how many more it will take; `None` if that cannot be said.
    pub samples_expected: Option<f64>,
    /// What the observations have cost; `None` where nothing is said of costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Spent>,
    /// Two arms that hold it up; `None` if there are no such arms.
    pub tie: Option<Tie>,
    /// The evidence for the front.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// About the part of the way that is done, in samples; one, once the evidence suffices.
    pub fraction: f64,
    /// Whether the evidence suffices: the front is the answer.
    pub stopped: bool,
    /// What the other threshold makes of it; `None` until every arm has been measured.
    pub other_threshold: Option<Other>,
    /// The front of the means so far; empty until every arm has been measured.
    pub front: Vec<ArmName>,
    /// What is known of each arm, in the study's order.
    pub arms: Vec<ArmAnswer>,
    /// Where observations were measured in different ways, and may be of different things.
    pub changes: Vec<Change>,
    /// Results that do not count yet, since an earlier one is missing; `None` if there are none.
    pub waiting: Option<Waiting>,
    /// What the promise depends on, beyond its assumptions.
    pub conditions: Vec<Condition>,
    /// Where the observations are not what the answer takes them for.
    pub remarks: Vec<Remark>,
}

impl Answer {
    /// The answer of the study of this name, whose observations look like this.
    pub fn of(name: &str, study: &mut Study, look: &Look) -> Self {
        let assessment = study.assessment();
        let samples_expected = study.samples_expected_at_best();
        let tie = Tie::of(study);
        let study = &*study;
        let (problem, settings) = (study.problem(), study.settings());
        let everything_measured = taking_part(study).all(|arm| study.tally().count(arm) > 0);
        let front = if everything_measured { study.verdict().front } else { Vec::new() };
        Answer {
            study: name.to_owned(),
            delta: settings.stopping.delta(),
            rule: settings.rule.name(),
            threshold_name: settings.stopping.name(),
            promise: settings.stopping.promise(),
            guarantee: settings.stopping.guarantee(),
            assumptions: words_of(Assumption::under(problem, &assessment.caveats)),
            objectives: problem.objectives().iter().map(ObjectiveName::of).collect(),
            samples: samples(study),
            samples_expected,
            cost: Spent::of(study, samples_expected),
            tie,
            evidence: assessment.progress.evidence,
            threshold: assessment.progress.threshold,
            fraction: assessment.progress.fraction.min(1.0),
            stopped: assessment.stopped,
            other_threshold: Other::of(study),
            front: front.into_iter().map(|arm| ArmName::of(problem, arm)).collect(),
            arms: taking_part(study).map(|arm| ArmAnswer::of(study, arm, &assessment.arms[arm])).collect(),
            changes: Vec::new(),
            waiting: None,
            conditions: Vec::new(),
            remarks: remark::remarks(study, &assessment.caveats, look),
        }
    }

    /// With the units of the objectives, in their order.
    pub fn set_units(&mut self, units: impl IntoIterator<Item = Option<String>>) {
        self.objectives.iter_mut().zip(units).for_each(|(objective, unit)| objective.unit = unit);
    }

    /// Failures, changes and what waits, a line each, for whoever reads the verdicts; empty if there are none.
    pub fn caveats(&self) -> Vec<String> {
        let failed = self.arms.iter().filter(|arm| arm.failures.count > 0).map(|arm| {
            let FailureCount { count, last, .. } = &arm.failures;
            let measurements = counted(*count as usize, "measurement", "measurements");
            let last = last.as_deref().unwrap_or_default();
            format!("{measurements} of arm \"{}\" failed, the last one: {}", plain(&arm.name), plain(last))
        });
        let changes = self.changes.iter().map(Change::sentence);
        failed.chain(changes).chain(self.waiting.as_ref().map(Waiting::sentence)).collect()
    }

    /// How strong the answer is, once there is one.
    pub fn answered(&self) -> Option<Promise> {
        self.stopped.then_some(self.promise)
    }

    /// What the observations look like, a line each, the gravest first; empty if they look as they should.
    pub fn seen(&self) -> Vec<String> {
        remark::few(&self.remarks)
    }

    /// How many arms have not been measured at all.
    pub fn unmeasured(&self) -> usize {
        self.arms.iter().filter(|arm| arm.n == 0).count()
    }

    /// The front, how sure it is, and what is missing, in a few lines.
    pub fn headline(&self) -> String {
        let front = || self.front.iter().map(|arm| arm.name.as_str());
        match self.unmeasured() {
            0 => {}
            missing if missing == self.arms.len() => return "Nothing has been measured yet.\n".to_owned(),
            missing => {
                let have = if missing == 1 { "has" } else { "have" };
                return format!("Not sure yet: {missing} of {} arms {have} not been measured.\n", self.arms.len());
            }
        }
        let spent = self.cost.map_or_else(String::new, |cost| cost.sentence() + "\n");
        if self.stopped {
            let within = self.within_margins();
            let within = within + &self.with_limits();
            return format!("{}\n{within}{spent}{}", front_is(front(), self.promise, self.delta), self.promises());
        }
        let evidence = evidence_so_far(self.evidence, self.threshold, self.fraction);
        let not_yet = match self.promise {
            Promise::Proved => "Not sure yet",
            Promise::Likely => "Not decided yet",
        };
        let (delta, front) = (short(self.delta), listed(front()));
        let so_far =
            if self.front.is_empty() { "no arm keeps the limits".to_owned() } else { format!("the front is {front}") };
        let mut text = format!("{not_yet} at δ = {delta} ({evidence}). So far {so_far}.\n");
        text += &match (&self.tie, self.samples_expected) {
            (Some(tie), _) => tie.sentence.clone() + "\n",
            (None, Some(more)) if more > FORESEEABLE => {
                "Some arms are as good as tied: at this rate, more than a billion more samples \
                 would be needed.\n"
                    .to_owned()
            }
            (None, Some(more)) => format!("About {} will be needed.\n", more_samples(more)),
            (None, None) => "It is too early to say how many more samples will be needed.\n".to_owned(),
        };
        text + &self.within_margins() + &self.with_limits() + &spent + &self.promises()
    }

    /// Which differences do not matter, as a line; nothing if all do.
    pub fn within_margins(&self) -> String {
        let margins = self.objectives.iter().filter(|objective| !objective.margin.is_none());
        let margins: Vec<String> =
            margins.map(|objective| format!("{} in {}", objective.margin, plain(&objective.title()))).collect();
        if margins.is_empty() {
            return String::new();
        }
        format!("Differences of up to {} do not matter.\n", margins.join(" and "))
    }

    /// What arms have to be to be wanted at all, as a line; nothing if there are no limits.
    pub fn with_limits(&self) -> String {
        let limits = self.objectives.iter().filter(|objective| !objective.limits().is_empty());
        let limits: Vec<String> =
            limits.map(|objective| format!("{} {}", plain(&objective.title()), objective.limits())).collect();
        if limits.is_empty() {
            return String::new();
        }
        format!("Wanted are only arms with {}.\n", limits.join(" and "))
    }

    /// What the threshold promises, what that takes for granted, and how far the other threshold is: a line each.
    pub fn promises(&self) -> String {
        let other = self.other_threshold.as_ref().map_or_else(String::new, |other| other.sentence() + "\n");
        format!("{}\n{}\n{other}", self.guarantee, taken_for_granted(&self.assumptions))
    }

    /// The verdicts with their reasons, the front first.
    pub fn table(&self, rows: Rows, width: Width) -> VerdictTable {
        table::table(self, rows, width)
    }
}
