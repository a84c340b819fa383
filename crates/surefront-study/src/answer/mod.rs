//! What a study knows, in the words and the JSON that every command shows it in.

mod change;
mod other;
mod reason;
mod table;

use serde::{Serialize, Serializer};
use surefront::{Certificate, Goal, Standing, Study};

pub use self::change::{Change, ChangeOf};
pub use self::other::Other;
pub use self::table::{Rows, VerdictTable};
use crate::words::number::{short, significant};
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
    /// What that threshold promises, in a sentence.
    pub guarantee: &'static str,
    /// What is measured.
    pub objectives: Vec<ObjectiveName>,
    /// The observations so far, of all arms.
    pub samples: u64,
    /// About how many more it will take; `None` if that cannot be said.
    pub samples_expected: Option<f64>,
    /// The evidence for the front.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
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
}

/// An objective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ObjectiveName {
    /// Its name.
    pub name: String,
    /// Whether more or less is better.
    #[serde(serialize_with = "goal_name")]
    pub goal: Goal,
}

/// An arm by name and index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArmName {
    /// Its name.
    pub name: String,
    /// Its place in the study, from 0.
    pub index: usize,
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
    /// Their means, one for each objective, in the objectives' own units; `None` without observations.
    pub mean: Vec<Option<f64>>,
    /// The means' standard errors; `None` if there are too few observations.
    pub se: Vec<Option<f64>>,
    /// What is certain.
    pub verdict: Verdict,
    /// Where the means put it, certain or not; `None` until every arm has been measured.
    #[serde(serialize_with = "standing_name")]
    pub standing: Option<Standing>,
    /// For an arm that is out, the one that dominates it; for one that is in, the one that comes closest to that.
    pub rival: Option<ArmName>,
    /// The objectives that decide: for an arm that is out, where the dominance is least sure; for one that is in, where it is
    /// better than its rival.
    pub objectives: Vec<String>,
    /// All this in a sentence.
    pub reason: String,
    /// The evidence for its standing.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// Measurements of it that failed.
    pub failures: FailureCount,
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

/// What is certain of an arm.
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

    /// As it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::In => "in",
            Verdict::Out => "out",
            Verdict::Undecided => "undecided",
        }
    }
}

impl Answer {
    /// The answer of the study of this name.
    pub fn of(name: &str, study: &mut Study) -> Self {
        let assessment = study.assessment();
        let samples_expected = study.samples_expected_at_best();
        let study = &*study;
        let (problem, settings) = (study.problem(), study.settings());
        let everything_measured = taking_part(study).all(|arm| study.tally().count(arm) > 0);
        let front = if everything_measured { study.verdict().front } else { Vec::new() };
        Answer {
            study: name.to_owned(),
            delta: settings.stopping.delta(),
            rule: settings.rule.name(),
            threshold_name: settings.stopping.name(),
            guarantee: settings.stopping.guarantee(problem),
            objectives: problem
                .objectives()
                .iter()
                .map(|objective| ObjectiveName { name: objective.name.clone(), goal: objective.goal })
                .collect(),
            samples: samples(study),
            samples_expected,
            evidence: assessment.progress.evidence,
            threshold: assessment.progress.threshold,
            stopped: assessment.stopped,
            other_threshold: Other::of(study),
            front: front.into_iter().map(|arm| arm_name(study, arm)).collect(),
            arms: taking_part(study).map(|arm| arm_answer(study, arm, &assessment.arms[arm])).collect(),
            changes: Vec::new(),
        }
    }

    /// Failures and changes, a line each, for whoever reads the verdicts; empty if there are none.
    pub fn caveats(&self) -> Vec<String> {
        let failed = self.arms.iter().filter(|arm| arm.failures.count > 0).map(|arm| {
            let FailureCount { count, last, .. } = &arm.failures;
            let measurements = counted(*count as usize, "measurement", "measurements");
            let last = last.as_deref().unwrap_or_default();
            format!("{measurements} of arm \"{}\" failed, the last one: {}", plain(&arm.name), plain(last))
        });
        failed.chain(self.changes.iter().map(Change::sentence)).collect()
    }

    /// How many arms have not been measured at all.
    pub fn unmeasured(&self) -> usize {
        self.arms.iter().filter(|arm| arm.n == 0).count()
    }

    /// The front, how sure it is, and what is missing, in two or three lines.
    pub fn headline(&self) -> String {
        let front = listed(self.front.iter().map(|arm| arm.name.as_str()));
        let delta = short(self.delta);
        match self.unmeasured() {
            0 => {}
            missing if missing == self.arms.len() => return "Nothing has been measured yet.\n".to_owned(),
            missing => {
                let have = if missing == 1 { "has" } else { "have" };
                return format!("Not sure yet: {missing} of {} arms {have} not been measured.\n", self.arms.len());
            }
        }
        if self.stopped {
            return format!("The front is {front}: sure, at δ = {delta}.\n{}", self.promises());
        }
        let evidence = if self.evidence < NOTHING {
            "no evidence".to_owned()
        } else {
            format!("evidence {} of {}", significant(self.evidence, 3), significant(self.threshold, 3))
        };
        let mut text = format!("Not sure yet at δ = {delta} ({evidence}). So far the front is {front}.\n");
        text += &match self.samples_expected {
            Some(more) if more > FORESEEABLE => {
                "Some arms are as good as tied: at this rate, more than a billion more samples \
                 would be needed.\n"
                    .to_owned()
            }
            Some(more) => format!("About {} will be needed.\n", more_samples(more)),
            None => "It is too early to say how many more samples will be needed.\n".to_owned(),
        };
        text + &self.promises()
    }

    /// What the threshold promises, and how far the other one is: a line each.
    pub fn promises(&self) -> String {
        let other = self.other_threshold.as_ref().map_or_else(String::new, |other| other.sentence() + "\n");
        format!("{}\n{other}", self.guarantee)
    }

    /// The verdicts with their reasons, the front first.
    pub fn table(&self, rows: Rows, width: Width) -> VerdictTable {
        table::table(self, rows, width)
    }
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

/// "1 more sample", "1,234 more samples".
pub(crate) fn more_samples(more: f64) -> String {
    counted(more.ceil() as usize, "more sample", "more samples")
}

fn arm_name(study: &Study, index: usize) -> ArmName {
    ArmName { name: study.problem().arms()[index].name.clone(), index }
}

fn arm_answer(study: &Study, index: usize, certificate: &Certificate) -> ArmAnswer {
    let (problem, tally) = (study.problem(), study.tally());
    let n = tally.count(index);
    let d = problem.objective_count();
    let rival = certificate.rival.map(|rival| arm_name(study, rival));
    let objectives = certificate.objectives.iter().map(|&j| problem.objectives()[j].name.clone()).collect::<Vec<_>>();
    ArmAnswer {
        name: problem.arms()[index].name.clone(),
        index,
        n,
        mean: match n {
            0 => vec![None; d],
            _ => tally.means().in_units(problem, index).into_iter().map(Some).collect(),
        },
        se: (0..d).map(|objective| study.standard_error(index, objective)).collect(),
        verdict: Verdict::of(certificate),
        standing: certificate.standing,
        reason: reason::reason(n, certificate, rival.as_ref(), &objectives),
        rival,
        objectives,
        evidence: certificate.evidence,
        threshold: certificate.threshold,
        failures: FailureCount::default(),
    }
}

fn goal_name<S: Serializer>(goal: &Goal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match goal {
        Goal::Max => "max",
        Goal::Min => "min",
    })
}

fn standing_name<S: Serializer>(standing: &Option<Standing>, serializer: S) -> Result<S::Ok, S::Error> {
    let name = standing.map(|standing| match standing {
        Standing::In => "in",
        Standing::Out => "out",
        Standing::LeftOut => "left out",
    });
    name.serialize(serializer)
}
