//! Everything that a report says.

use serde::Serialize;
use surefront::{Correlation, Family, Noise, Problem, Promise, Range, Standing, Study, normal_quantile};

use crate::answer::{Answer, ArmAnswer, Verdict};
use crate::plot::{Side, VerdictMark};
use crate::session::Session;
use crate::store::{Measured, StoreError, StoreFault, View};
use crate::words::plural::counted;

/// A study and its answer, ready to be written in any format.
#[derive(Clone, Debug, Serialize)]
pub struct ReportData {
    /// What is known.
    pub answer: Answer,
    /// How the noise of each objective is known.
    pub noise: Vec<NoiseKnowledge>,
    /// How the correlation between objectives is known; none where nothing was said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation: Option<CorrelationKnowledge>,
    /// What the study's random numbers began with.
    pub seed: u64,
    /// The program's version.
    pub version: &'static str,
    /// How the evidence has grown.
    pub history: Vec<Milestone>,
    /// Arms that were given up on.
    pub dropped: Vec<DroppedArm>,
    /// How it was measured, where commands did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measuring: Option<Measuring>,
    /// How the data were read, where there are files of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How observations were measured by commands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measuring {
    /// When the first observation was told.
    pub first_at: String,
    /// When the last one was.
    pub last_at: String,
    /// Between these two moments.
    pub seconds: f64,
    /// The most commands side by side.
    pub jobs: u64,
    /// The system that the report was written on.
    pub machine: String,
    /// The commands, in the order in which they were first run.
    pub commands: Vec<MeasuringCommand>,
}

/// A command that measured an arm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MeasuringCommand {
    /// The arm.
    pub arm: String,
    /// The command.
    pub command: String,
    /// How many observations are from it.
    pub n: u64,
}

impl Measuring {
    fn of(view: &View, problem: &Problem) -> Result<Option<Self>, StoreFault> {
        let measured = view.measured()?;
        let first_at = measured.iter().map(|measured| &measured.first_at).min();
        let last_at = measured.iter().map(|measured| &measured.last_at).max();
        let (Some(first_at), Some(last_at)) = (first_at, last_at) else { return Ok(None) };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let command = |measured: &Measured| MeasuringCommand {
            arm: problem.arms()[measured.arm].name.clone(),
            command: measured.command.clone(),
            n: measured.count,
        };
        Ok(Some(Measuring {
            first_at: first_at.clone(),
            last_at: last_at.clone(),
            seconds: view.measuring_seconds()?,
            jobs: measured.iter().filter_map(|measured| measured.jobs).max().unwrap_or(1),
            machine: format!(
                "{} ({}), {}",
                std::env::consts::OS,
                std::env::consts::ARCH,
                counted(processors, "processor", "processors")
            ),
            commands: measured.iter().map(command).collect(),
        }))
    }
}

/// What is known about the correlation between objectives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CorrelationKnowledge {
    /// A matrix that was given in advance.
    Given(Vec<Vec<f64>>),
    /// As estimated so far.
    Estimated(Vec<Vec<f64>>),
}

/// What is known about the noise of an objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NoiseKnowledge {
    /// The same variance for all arms, given in advance.
    Variance(f64),
    /// Variances given in advance, different ones for different arms.
    Variances,
    /// Estimated from the observations.
    Estimated,
    /// Of a kind whose variance comes with the mean.
    Kind(&'static str),
    /// Only where its values are: from the first number to the second.
    Within(f64, f64),
    /// Of any law: a quantile is compared.
    Any,
    /// None.
    Exact,
}

/// More arms are not listed: nobody reads them, and a page of a hundred thousand rows does not open.
const MOST_LISTED: usize = 1000;
/// More arms are not drawn.
const MOST_DRAWN: usize = 2000;

/// Arms that are shown, and how many are not.
#[derive(Clone, Debug)]
pub struct Selection<'a> {
    /// Those shown.
    pub arms: Vec<&'a ArmAnswer>,
    /// The others.
    pub left_out: LeftOut,
}

/// Arms that are not shown, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// On the front.
    pub in_front: usize,
    /// Not decided.
    pub undecided: usize,
    /// Dominated.
    pub out: usize,
}

impl LeftOut {
    fn of(arms: &[&ArmAnswer]) -> Self {
        let count = |wanted| arms.iter().filter(|arm| arm.verdict == wanted).count();
        LeftOut { in_front: count(Verdict::In), undecided: count(Verdict::Undecided), out: count(Verdict::Out) }
    }

    /// How many these are.
    pub fn total(&self) -> usize {
        self.in_front + self.undecided + self.out
    }
}

/// The most telling first.
fn in_order<'a>(arms: impl Iterator<Item = &'a ArmAnswer>) -> Vec<&'a ArmAnswer> {
    let mut arms: Vec<&ArmAnswer> = arms.collect();
    arms.sort_by_key(|arm| (std::cmp::Reverse(mark(arm)), arm.index));
    arms
}

/// The evidence at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Milestone {
    /// Observations so far.
    pub samples: u64,
    /// The evidence for the front.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
}

/// An arm that was given up on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DroppedArm {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl ReportData {
    /// Of a study, and what its store knows.
    pub fn of(session: &mut Session) -> Result<Self, StoreError> {
        let answer = session.answer()?;
        ReportData::with_answer(answer, session)
    }

    /// The same, where the answer is known already.
    pub fn with_answer(answer: Answer, session: &mut Session) -> Result<Self, StoreError> {
        let problem = session.problem().clone();
        session.read(|view, followed| {
            let history = view.progress()?.into_iter().map(|record| Milestone {
                samples: record.samples,
                evidence: record.progress.evidence,
                threshold: record.progress.threshold,
            });
            let dropped = followed.dropped().iter().map(|dropped| DroppedArm {
                name: problem.arms()[dropped.arm].name.clone(),
                reason: dropped.reason.clone(),
            });
            let data = ReportData::new(answer, followed.study(), history.collect(), dropped.collect());
            Ok(ReportData { measuring: Measuring::of(view, &problem)?, ..data })
        })
    }

    /// Of a study with this answer.
    pub fn new(answer: Answer, study: &Study, mut history: Vec<Milestone>, dropped: Vec<DroppedArm>) -> Self {
        let problem = study.problem();
        let now = Milestone { samples: answer.samples, evidence: answer.evidence, threshold: answer.threshold };
        // Observations may have been taken back, and what was known before with more of them is not on the way here.
        history.retain(|milestone| milestone.samples < now.samples);
        history.push(now);
        ReportData {
            noise: (0..problem.objective_count()).map(|objective| NoiseKnowledge::of(problem, objective)).collect(),
            correlation: CorrelationKnowledge::of(problem),
            seed: study.settings().seed,
            version: env!("CARGO_PKG_VERSION"),
            answer,
            history,
            dropped,
            measuring: None,
            notes: Vec::new(),
        }
    }

    /// The arms that tables list, the most telling first: the front, then what is open, then what is out; within these in the
    /// study's order.
    pub fn listed(&self) -> Selection<'_> {
        let mut arms = in_order(self.answer.arms.iter());
        let rest = arms.split_off(arms.len().min(MOST_LISTED));
        Selection { arms, left_out: LeftOut::of(&rest) }
    }

    /// The measured arms that figures draw: the front and what is open first; of those that are out, some from everywhere, so that
    /// the cloud keeps its shape.
    pub fn drawn(&self) -> Selection<'_> {
        let mut arms = in_order(self.answer.arms.iter().filter(|arm| arm.n > 0));
        if arms.len() <= MOST_DRAWN {
            return Selection { arms, left_out: LeftOut::default() };
        }
        let telling = arms.iter().take_while(|arm| mark(arm).side() != Side::Off).count().min(MOST_DRAWN);
        let others = arms.split_off(telling);
        let room = MOST_DRAWN - telling;
        // Evenly spaced: the k-th of n goes in where ⌊k·room/n⌋ makes a step.
        let step = |place: usize| place * room / others.len();
        let (chosen, rest): (Vec<_>, Vec<_>) =
            others.iter().enumerate().partition(|(place, _)| step(place + 1) > step(*place));
        arms.extend(chosen.into_iter().map(|(_, arm)| *arm));
        let rest: Vec<&ArmAnswer> = rest.into_iter().map(|(_, arm)| *arm).collect();
        Selection { arms, left_out: LeftOut::of(&rest) }
    }

    /// How many arms there are of each kind.
    pub fn count(&self, wanted: Verdict) -> usize {
        self.answer.arms.iter().filter(|arm| arm.verdict == wanted).count()
    }

    /// How many standard errors to either side all means of all arms lie within, at once, with probability 1 − δ.
    pub fn interval_reach(&self) -> f64 {
        let intervals = self.answer.arms.len() * self.answer.objectives.len();
        normal_quantile(1.0 - self.answer.delta / (2.0 * intervals as f64))
    }

    /// The half axes, in standard errors, of ellipses in every pair of objectives that hold all means of all arms, at once, with
    /// probability 1 − δ: the squared distance in two objectives exceeds r² with probability exp(−r²/2).
    pub fn region_reach(&self) -> f64 {
        let d = self.answer.objectives.len();
        let regions = self.answer.arms.len() * (d * (d - 1) / 2).max(1);
        (-2.0 * (self.answer.delta / regions as f64).ln()).sqrt()
    }
}

impl CorrelationKnowledge {
    fn of(problem: &Problem) -> Option<Self> {
        let d = problem.objective_count();
        let rows = || (0..d).map(|i| (0..d).map(|j| problem.correlation_of(i, j)).collect()).collect();
        problem.correlation().map(|said| match said {
            Correlation::Given(_) => CorrelationKnowledge::Given(rows()),
            Correlation::Estimate => CorrelationKnowledge::Estimated(rows()),
        })
    }
}

impl NoiseKnowledge {
    fn of(problem: &Problem, objective: usize) -> Self {
        if problem.quantile(objective).is_some() {
            return NoiseKnowledge::Any;
        }
        let mut noise = (0..problem.arm_count()).map(|arm| problem.noise(arm, objective));
        let first = noise.next().expect("there is an arm");
        let same = noise.all(|other| other == first);
        let any = |wanted: fn(Noise) -> bool| (0..problem.arm_count()).any(|arm| wanted(problem.noise(arm, objective)));
        if let Some(Range { low, high }) = problem.range(objective) {
            return NoiseKnowledge::Within(low, high);
        }
        match first {
            Noise::Variance(variance) if same => NoiseKnowledge::Variance(variance),
            Noise::Exact if same => NoiseKnowledge::Exact,
            _ if problem.family(objective) != Family::Gaussian => {
                NoiseKnowledge::Kind(problem.family(objective).name())
            }
            _ if any(Noise::is_estimated) => NoiseKnowledge::Estimated,
            _ => NoiseKnowledge::Variances,
        }
    }
}

/// How an arm is drawn.
pub fn mark(arm: &ArmAnswer) -> VerdictMark {
    match (arm.verdict, arm.promise) {
        (Verdict::In, Some(Promise::Proved)) => VerdictMark::In,
        (Verdict::In, _) => VerdictMark::LikelyIn,
        (Verdict::Out, Some(Promise::Proved)) => VerdictMark::Out,
        (Verdict::Out, _) => VerdictMark::LikelyOut,
        (Verdict::Undecided, _) if arm.standing == Some(Standing::In) => VerdictMark::PerhapsIn,
        (Verdict::Undecided, _) => VerdictMark::PerhapsOut,
    }
}
