//! A study on measurements: the study file, its store, and what the two know together.

mod vocabulary;

use std::path::Path;

use surefront::{Problem, RuleKind, Settings, Study};

pub use self::vocabulary::{RuleName, ThresholdName};
use crate::answer::Answer;
use crate::file::study::StudyFile;
use crate::store::{Batch, Dropped, IfMissing, LastSettings, Store, StoreFault, View};
use crate::study_error::StudyError;

/// δ where nobody ever said it.
const USUAL_DELTA: f64 = 0.1;

/// A study file and its open store.
#[derive(Debug)]
pub struct Session {
    /// The file.
    pub file: StudyFile,
    /// The problem that it states, with all arms; variances may be unknown.
    pub problem: Problem,
    /// The store that fits it.
    pub store: Store,
}

impl Session {
    /// Reads the study file and opens the store.
    pub fn open(study: &Path, store: Option<&Path>, if_missing: IfMissing) -> Result<Self, StudyError> {
        let file = StudyFile::read(study)?;
        let problem = file.learning_problem()?;
        let path = store.map_or_else(|| file.path().with_extension("db"), Path::to_owned);
        let store = Store::open(&path, &file, &problem, if_missing)?;
        Ok(Session { file, problem, store })
    }

    /// How the study goes on: as was typed, or else as before, or else as usual.
    pub fn choose(&mut self, wishes: &Wishes) -> Result<Chosen, StudyError> {
        let last = self.store.read(|view| view.last_settings())?;
        let before = last.threshold.as_deref().and_then(ThresholdName::named);
        let threshold = wishes.threshold.or(before).unwrap_or_else(|| usual_threshold(&self.problem));
        // A rule that went with another threshold was chosen for that one.
        let same_rule = if before == Some(threshold) { last.rule.as_deref().and_then(RuleName::named) } else { None };
        Ok(Chosen {
            delta: wishes.delta.or(last.delta).or(self.file.delta).unwrap_or(USUAL_DELTA),
            rule: wishes.rule.or(same_rule).unwrap_or_else(|| usual_rule(threshold)),
            threshold,
            seed: wishes.seed.or(last.seed).unwrap_or(1),
        })
    }
}

/// Where nobody says otherwise: a proof if it can be had for the variances given, or else what is customary.
pub fn usual_threshold(problem: &Problem) -> ThresholdName {
    if problem.has_unknown_noise() { ThresholdName::Stylized } else { ThresholdName::Certified }
}

/// The rule that goes with a threshold.
pub fn usual_rule(threshold: ThresholdName) -> RuleName {
    match threshold {
        ThresholdName::Stylized => RuleName::Dual,
        ThresholdName::Calibrated | ThresholdName::Certified => RuleName::Weakest,
    }
}

/// How a study is to go on. What is not said is as it was last, and at first as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wishes {
    /// Which arm next.
    pub rule: Option<RuleName>,
    /// When to stop.
    pub threshold: Option<ThresholdName>,
    /// The accepted chance of a wrong answer, checked.
    pub delta: Option<f64>,
    /// The start of the random numbers.
    pub seed: Option<u64>,
}

/// How a study goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// Which arm next.
    pub rule: RuleName,
    /// When to stop.
    pub threshold: ThresholdName,
    /// The start of the random numbers.
    pub seed: u64,
}

impl Chosen {
    /// Keeps the choice for the next time.
    pub fn keep(&self, batch: &Batch) -> Result<(), StoreFault> {
        batch.keep_settings(&LastSettings {
            delta: Some(self.delta),
            rule: Some(self.rule.name().to_owned()),
            threshold: Some(self.threshold.name().to_owned()),
            seed: Some(self.seed),
        })
    }

    /// What the library is to do.
    pub fn settings(&self, problem: &Problem) -> Settings {
        let kind = match self.rule {
            RuleName::Dual => RuleKind::Dual,
            RuleName::TrackAndStop => RuleKind::TrackAndStop,
            RuleName::Uniform | RuleName::Fixed => RuleKind::Uniform,
            RuleName::Ape => RuleKind::Ape,
            RuleName::Weakest => RuleKind::Weakest,
        };
        let rule = kind.rule(problem, self.delta).expect("δ was checked where it was read");
        let stopping = self.threshold.stopping(self.delta);
        Settings::new(rule, stopping).seed(self.seed)
    }
}

/// A study that knows what the store knows, of the arms that were not left out.
#[derive(Debug)]
pub struct Learner {
    /// The study. Its arms are numbered without those left out.
    pub study: Study,
    /// By number in the study: the arm in the study file.
    arms: Vec<usize>,
    /// The arms left out.
    pub dropped: Vec<Dropped>,
}

impl Learner {
    /// Takes up the study where the store has it. In a [`Batch`], nobody else can ask or tell at the same time.
    pub fn resume(problem: &Problem, chosen: &Chosen, view: &View) -> Result<Self, StoreFault> {
        let dropped = view.dropped()?;
        let arms: Vec<usize> =
            (0..problem.arm_count()).filter(|arm| dropped.iter().all(|dropped| dropped.arm != *arm)).collect();
        let kept = arms.iter().map(|&arm| problem.arms()[arm].clone()).collect();
        let problem = Problem::new(problem.objectives().to_vec(), kept).map_err(|_| StoreFault::NoArmLeft)?;
        let tally = view.tally(&problem, &arms)?;
        let mut asked = vec![0; arms.len()];
        for ticket in view.outstanding()? {
            if let Ok(place) = arms.binary_search(&ticket.arm) {
                asked[place] += 1;
            }
        }
        let settings = chosen.settings(&problem);
        let study = Study::with_observations(problem, settings, tally, asked, &[], view.memory()?)
            .expect("the tally is of this problem");
        Ok(Learner { study, arms, dropped })
    }

    /// The study file's number of an arm of the study.
    pub fn file_arm(&self, arm: usize) -> usize {
        self.arms[arm]
    }

    /// The study's number of an arm of the study file, unless it was left out.
    pub fn study_arm(&self, file_arm: usize) -> Option<usize> {
        self.arms.binary_search(&file_arm).ok()
    }

    /// What the study knows, with the arms' places in the study file.
    pub fn answer(&mut self, name: &str) -> Answer {
        let mut answer = Answer::of(name, &mut self.study);
        let rivals = answer.arms.iter_mut().flat_map(|arm| arm.rival.as_mut());
        for arm in answer.front.iter_mut().chain(rivals) {
            arm.index = self.arms[arm.index];
        }
        for arm in &mut answer.arms {
            arm.index = self.arms[arm.index];
        }
        answer
    }

    /// The next arm to measure, by its number in the study file.
    pub fn ask(&mut self) -> usize {
        let arm = self.study.ask();
        self.arms[arm]
    }
}
