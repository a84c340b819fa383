//! What a study knows, in the words and the JSON that every command shows it in.

mod change;
mod condition;
mod likely;
mod other;
mod reason;
mod remark;
mod setting;
mod table;
mod tie;
mod waiting;

use serde::{Serialize, Serializer};
use surefront::{
    Assumption, Certificate, Goal, Limits, Margin, Problem, Promise, Reading, Standing, Statistic, Study, are_tied,
};

pub use self::change::{Change, ChangeOf};
pub use self::condition::Condition;
pub use self::likely::{Likely, LikelyArm};
pub use self::other::Other;
pub use self::remark::{Remark, remarks};
pub use self::setting::{Setting, Would};
pub use self::table::{Rows, VerdictTable};
pub use self::tie::{MarginOf, Tie};
pub use self::waiting::Waiting;
use crate::look::Look;
use crate::words::number::{grouped, rough_duration, short, significant, with_error};
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

/// What a study has cost, and will.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spent {
    /// So far.
    pub spent: f64,
    /// About how much more, if it goes on as before; `None` if that cannot be said.
    pub expected: Option<f64>,
    /// Whether it is time, in seconds, as it was measured.
    pub measured: bool,
}

impl Spent {
    /// Of a study that will take about so many more samples; `None` where nothing is said of costs.
    pub fn of(study: &Study, samples_expected: Option<f64>) -> Option<Self> {
        let problem = study.problem();
        let spent = study.cost();
        let by_sample = spent / samples(study) as f64;
        let expected = samples_expected.map(|more| more * by_sample).filter(|more| more.is_finite());
        problem.has_costs().then(|| Spent { spent, expected, measured: problem.measures_costs() })
    }

    /// How much it is so far: "20 s of measuring", "a cost of 1,300".
    pub fn phrase(&self) -> String {
        if self.measured {
            format!("{} of measuring", rough_duration(1e6 * self.spent))
        } else {
            format!("a cost of {}", amount(self.spent))
        }
    }

    /// So far, and about how much more.
    pub fn sentence(&self) -> String {
        let more = match self.expected {
            Some(more) if more > 0.0 && more <= FORESEEABLE && self.measured => {
                format!(", about {} more to go", rough_duration(1e6 * more))
            }
            Some(more) if more > 0.0 && more <= FORESEEABLE => format!(", about {} more to go", significant(more, 2)),
            _ => String::new(),
        };
        format!("That has taken {}{more}.", self.phrase())
    }
}

/// A cost, to four digits or, if it is large, in whole numbers.
fn amount(cost: f64) -> String {
    if cost >= 1000.0 { grouped(cost.round() as u64) } else { significant(cost, 4) }
}

/// An objective.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectiveName {
    /// Its name.
    pub name: String,
    /// Whether more or less is better; `None` for a constraint, which only has to keep its limits.
    #[serde(serialize_with = "goal_name")]
    pub goal: Option<Goal>,
    /// What of an arm's values is compared, if it is not the mean.
    #[serde(skip_serializing_if = "Statistic::is_mean")]
    pub statistic: Statistic,
    /// What it is measured in, if somebody said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Differences up to this do not matter: a number in the objective's units, or a text in percent of the mean.
    #[serde(serialize_with = "margin", skip_serializing_if = "Margin::is_none")]
    pub margin: Margin,
    /// An arm with less is not wanted at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// An arm with more is not wanted at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

impl ObjectiveName {
    /// The name with what is compared: "median milliseconds".
    pub fn title(&self) -> String {
        self.statistic.of(&self.name)
    }

    /// What it has to be, in words: "at most 200"; nothing if all is well with any number.
    pub fn limits(&self) -> String {
        let Limits { at_least, at_most } = Limits { at_least: self.at_least, at_most: self.at_most };
        let parts =
            [at_least.map(|x| format!("at least {}", short(x))), at_most.map(|x| format!("at most {}", short(x)))];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }

    /// What is wanted of it: "more is better", "at most 200", "less is better, at most 200".
    pub fn wanted(&self) -> String {
        let better = self.goal.map(|goal| match goal {
            Goal::Max => "more is better".to_owned(),
            Goal::Min => "less is better".to_owned(),
        });
        let limits = Some(self.limits()).filter(|limits| !limits.is_empty());
        better.into_iter().chain(limits).collect::<Vec<_>>().join(", ")
    }

    /// The title with the unit: "median latency (ms)".
    pub fn label(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.title()),
            None => self.title(),
        }
    }
}

/// An arm by name and index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArmName {
    /// Its name.
    pub name: String,
    /// Its place in the study, from 0.
    pub index: usize,
}

impl ArmName {
    /// The arm of this number.
    pub fn of(problem: &Problem, index: usize) -> Self {
        ArmName { name: problem.arms()[index].name.clone(), index }
    }

    /// The arms of these numbers.
    pub fn list(problem: &Problem, indices: &[usize]) -> Vec<Self> {
        indices.iter().map(|&index| ArmName::of(problem, index)).collect()
    }
}

/// What is known of one arm.
#[derive(Clone, Debug, Serialize)]
pub struct ArmAnswer {
    /// Its name.
    pub name: String,
    /// Its place in the study, from 0.
    pub index: usize,
    /// Its observations.
    pub n: u64,
    /// What one of them costs; `None` where nothing is said of costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Their means, one for each objective, in the objectives' own units; `None` without observations.
    pub mean: Vec<Option<f64>>,
    /// The means' standard errors; `None` if there are too few observations.
    pub se: Vec<Option<f64>>,
    /// Where quantiles are compared: what is known of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quantiles: Vec<QuantileAnswer>,
    /// Whether the evidence suffices to say where it is.
    pub verdict: Verdict,
    /// How strong that verdict is; `None` if there is none yet.
    pub promise: Option<Promise>,
    /// Where the means put it, with or without a verdict; `None` until every arm has been measured.
    #[serde(serialize_with = "standing_name")]
    pub standing: Option<Standing>,
    /// For an arm that is out, the one that dominates it; for one that is in, the one that comes closest to that.
    pub rival: Option<ArmName>,
    /// The objectives that decide: for an arm that is out, where the dominance is least clear; for one that is in, where it is
    /// better than its rival.
    pub objectives: Vec<String>,
    /// The objective or constraint whose limit decides, where one does: for an arm that is out, the one that it breaks; for one that is in, the one that it comes closest to breaking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Arms that it is tied with: neither is better by more than the margins, as far as the means tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tied: Vec<ArmName>,
    /// All this in a sentence.
    pub reason: String,
    /// The evidence for its standing.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// Measurements of it that failed.
    pub failures: FailureCount,
}

/// What is known of a quantile of an arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantileAnswer {
    /// The objective's place, from 0.
    pub objective: usize,
    /// What it is only known to be more than, if it is no number: then there is no mean.
    pub more_than: Option<f64>,
    /// Two values that all quantiles of all arms lie between, at once, with probability 1 − δ at this moment; `None` for an end that there are too few observations for.
    pub interval: [Option<f64>; 2],
}

/// The measurements of an arm that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// How many.
    pub count: u64,
    /// What was said of the last one.
    pub last: Option<String>,
    /// When that was.
    pub at: Option<String>,
}

/// Where an arm is, as far as the evidence suffices to say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is on the front.
    In,
    /// It is not.
    Out,
    /// Nothing yet.
    Undecided,
}

impl Verdict {
    fn of(certificate: &Certificate) -> Self {
        match (certificate.certain, certificate.standing) {
            (true, Some(Standing::In)) => Verdict::In,
            (true, Some(Standing::Out)) => Verdict::Out,
            _ => Verdict::Undecided,
        }
    }

    /// As it is shown where the answer is this strong.
    pub fn words(self, promise: Promise) -> &'static str {
        match (self, promise) {
            (Verdict::In, Promise::Proved) => "in",
            (Verdict::Out, Promise::Proved) => "out",
            (Verdict::In, Promise::Likely) => "likely in",
            (Verdict::Out, Promise::Likely) => "likely out",
            (Verdict::Undecided, _) => "undecided",
        }
    }
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
            objectives: problem
                .objectives()
                .iter()
                .map(|objective| ObjectiveName {
                    name: objective.name.clone(),
                    goal: (!objective.is_only_limited()).then_some(objective.goal),
                    statistic: objective.statistic,
                    unit: None,
                    margin: objective.margin,
                    at_least: objective.limits.at_least,
                    at_most: objective.limits.at_most,
                })
                .collect(),
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
            arms: taking_part(study).map(|arm| arm_answer(study, arm, &assessment.arms[arm])).collect(),
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

/// That these arms are the front, in a sentence that says how strong that is.
pub fn front_is<'a>(names: impl Iterator<Item = &'a str>, promise: Promise, delta: f64) -> String {
    let mut names = names.peekable();
    if names.peek().is_none() {
        return match promise {
            Promise::Proved => format!("No arm keeps the limits: sure, at δ = {}.", short(delta)),
            Promise::Likely => format!("Likely no arm keeps the limits, at δ = {}: not proved.", short(delta)),
        };
    }
    let (front, delta) = (listed(names), short(delta));
    match promise {
        Promise::Proved => format!("The front is {front}: sure, at δ = {delta}."),
        Promise::Likely => format!("The front is likely {front}, at δ = {delta}: not proved."),
    }
}

/// What an answer about this problem takes for granted, as parts of a sentence.
pub fn assumptions(problem: &Problem) -> Vec<&'static str> {
    words_of(Assumption::of(problem))
}

fn words_of(assumptions: Vec<Assumption>) -> Vec<&'static str> {
    assumptions.into_iter().map(Assumption::words).collect()
}

/// What an answer takes for granted, in a sentence.
pub fn taken_for_granted(assumptions: &[&str]) -> String {
    format!("Taken for granted: {}.", assumptions.join("; "))
}

/// The observations of a study, without those of arms that are left out.
pub fn samples(study: &Study) -> u64 {
    let aside: u64 = study.left_out().into_iter().map(|arm| study.tally().count(arm)).sum();
    study.tally().total() - aside
}

/// The arms that the answer is about.
fn taking_part(study: &Study) -> impl Iterator<Item = usize> {
    let left_out = study.left_out();
    (0..study.problem().arm_count()).filter(move |arm| left_out.binary_search(arm).is_err())
}

/// How far the evidence is, in words. A proof begins late: before, only the part of the way tells.
fn evidence_so_far(evidence: f64, threshold: f64, fraction: f64) -> String {
    if evidence >= NOTHING {
        return match (100.0 * evidence / threshold).floor() {
            percent if percent >= 1.0 => format!("{percent} % of the evidence that it takes"),
            _ => "less than 1 % of the evidence that it takes".to_owned(),
        };
    }
    match (100.0 * fraction).round() {
        percent if percent >= 1.0 => format!("no evidence yet, but about {percent} % of the way"),
        _ => "no evidence yet".to_owned(),
    }
}

/// "1 more sample", "1,234 more samples".
pub(crate) fn more_samples(more: f64) -> String {
    counted(more.ceil() as usize, "more sample", "more samples")
}

/// Where an arm is, as far as it is known, and why: without a full stop.
pub fn why(study: &Study, arm: usize, certificate: &Certificate) -> String {
    let problem = study.problem();
    let promise = certificate.certain.then(|| study.settings().stopping.promise());
    let rival = certificate.rival.map(|rival| ArmName::of(problem, rival));
    let objectives = certificate.objectives.iter().map(|&j| problem.objectives()[j].name.clone()).collect::<Vec<_>>();
    let tied = tied_with(study, arm);
    let tied = problem.has_margins().then_some(&tied);
    if let (Some(limit), Some(standing)) = (certificate.limit, certificate.standing) {
        let mean = study.tally().means().in_units(problem, arm)[limit];
        let shown = with_error(mean, study.standard_error(arm, limit));
        let kept = reason::Kept { objective: &problem.objectives()[limit], mean, shown };
        return reason::by_limit(standing, promise, &kept, arm_is_alone(study, arm));
    }
    reason::reason(study.tally().count(arm), certificate.standing, promise, rival.as_ref(), &objectives, tied)
}

/// Whether no other arm takes part.
fn arm_is_alone(study: &Study, arm: usize) -> bool {
    taking_part(study).all(|other| other == arm)
}

/// The arms that are within the margins of one, where there are margins.
fn tied_with(study: &Study, arm: usize) -> Vec<ArmName> {
    let (problem, tally) = (study.problem(), study.tally());
    if !problem.has_margins() || tally.count(arm) == 0 {
        return Vec::new();
    }
    let is_tied = |&other: &usize| other != arm && tally.count(other) > 0 && are_tied(tally.means(), arm, other);
    taking_part(study).filter(is_tied).map(|other| ArmName::of(problem, other)).collect()
}

fn arm_answer(study: &Study, index: usize, certificate: &Certificate) -> ArmAnswer {
    let (problem, tally) = (study.problem(), study.tally());
    let verdict = Verdict::of(certificate);
    let promise = (verdict != Verdict::Undecided).then(|| study.settings().stopping.promise());
    let n = tally.count(index);
    let d = problem.objective_count();
    let rival = certificate.rival.map(|rival| ArmName::of(problem, rival));
    let objectives = certificate.objectives.iter().map(|&j| problem.objectives()[j].name.clone()).collect::<Vec<_>>();
    let quantiles = quantiles(study, index);
    let known = |(j, mean): (usize, f64)| {
        let late = quantiles.iter().any(|quantile| quantile.objective == j && quantile.more_than.is_some());
        (!late).then_some(mean)
    };
    ArmAnswer {
        name: problem.arms()[index].name.clone(),
        index,
        n,
        cost: problem.has_costs().then(|| problem.cost(index)),
        mean: match n {
            0 => vec![None; d],
            _ => tally.means().in_units(problem, index).into_iter().enumerate().map(known).collect(),
        },
        quantiles,
        se: (0..d).map(|objective| study.standard_error(index, objective)).collect(),
        verdict,
        promise,
        standing: certificate.standing,
        reason: why(study, index, certificate),
        tied: tied_with(study, index),
        rival,
        objectives,
        limit: certificate.limit.map(|j| problem.objectives()[j].name.clone()),
        evidence: certificate.evidence,
        threshold: certificate.threshold,
        failures: FailureCount::default(),
    }
}

/// What is known of the quantiles of an arm that was measured.
fn quantiles(study: &Study, arm: usize) -> Vec<QuantileAnswer> {
    let problem = study.problem();
    let cells = problem.objective_count() * taking_part(study).count();
    let risk = study.settings().stopping.delta() / (2.0 * cells as f64);
    let known = |objective: usize| {
        let more_than = match study.sample_quantile(arm, objective)? {
            Reading::Value(_) => None,
            Reading::MoreThan(limit) => Some(limit),
        };
        Some(QuantileAnswer { objective, more_than, interval: study.quantile_interval(arm, objective, risk) })
    };
    (0..problem.objective_count()).filter_map(known).collect()
}

impl ArmAnswer {
    /// What is known of the mean of an objective, or of what is compared instead, with its error.
    pub fn cell(&self, objective: usize) -> String {
        let late = self.quantiles.iter().find(|quantile| quantile.objective == objective);
        match (self.mean[objective], late.and_then(|quantile| quantile.more_than)) {
            (Some(mean), _) => with_error(mean, self.se[objective]),
            (None, Some(limit)) => Reading::MoreThan(limit).to_string(),
            (None, None) => "–".to_owned(),
        }
    }

    /// Between which values an objective's quantile lies, where one is compared.
    pub fn interval(&self, objective: usize) -> Option<[Option<f64>; 2]> {
        self.quantiles.iter().find(|quantile| quantile.objective == objective).map(|quantile| quantile.interval)
    }
}

fn margin<S: Serializer>(margin: &Margin, serializer: S) -> Result<S::Ok, S::Error> {
    match margin {
        Margin::Absolute(size) => serializer.serialize_f64(*size),
        part => serializer.collect_str(part),
    }
}

fn goal_name<S: Serializer>(goal: &Option<Goal>, serializer: S) -> Result<S::Ok, S::Error> {
    let name = goal.map(|goal| match goal {
        Goal::Max => "max",
        Goal::Min => "min",
    });
    name.serialize(serializer)
}

fn standing_name<S: Serializer>(standing: &Option<Standing>, serializer: S) -> Result<S::Ok, S::Error> {
    let name = standing.map(|standing| match standing {
        Standing::In => "in",
        Standing::Out => "out",
        Standing::LeftOut => "left out",
    });
    name.serialize(serializer)
}
