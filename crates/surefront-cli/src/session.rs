//! A study on measurements: the study file, its store, and what the two know together.

use clap::ValueEnum;
use surefront::{Problem, RuleKind, Settings, Study};

use crate::answer::Answer;
use crate::args::{SessionArgs, SettingsArgs, StudyRuleName, ThresholdName};
use crate::failure::Failure;
use crate::store::{Batch, Dropped, IfMissing, LastSettings, Store, StoreFault, View};
use crate::study_file::StudyFile;

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
    pub fn open(args: &SessionArgs, if_missing: IfMissing) -> Result<Self, Failure> {
        let file = StudyFile::read(&args.study)?;
        let problem = file.learning_problem()?;
        let path = args.store.clone().unwrap_or_else(|| file.path().with_extension("db"));
        let store = Store::open(&path, &file, &problem, if_missing)?;
        Ok(Session { file, problem, store })
    }

    /// How the study goes on: as was typed, or else as before, or else as usual.
    pub fn choose(&mut self, args: &SettingsArgs) -> Result<Chosen, Failure> {
        let last = self.store.read(|view| view.last_settings())?;
        let before = by_name(last.threshold);
        let threshold = args.threshold.or(before).unwrap_or_else(|| usual_threshold(&self.problem));
        // A rule that went with another threshold was chosen for that one.
        let same_rule = if before == Some(threshold) { by_name(last.rule) } else { None };
        Ok(Chosen {
            delta: args.delta.or(last.delta).or(self.file.delta).unwrap_or(USUAL_DELTA),
            rule: args.rule.or(same_rule).unwrap_or_else(|| usual_rule(threshold)),
            threshold,
            seed: args.seed.or(last.seed).unwrap_or(1),
        })
    }
}

/// Where nobody says otherwise: a proof if it can be had for the variances given, or else what is customary.
pub fn usual_threshold(problem: &Problem) -> ThresholdName {
    if problem.has_unknown_noise() { ThresholdName::Stylized } else { ThresholdName::Certified }
}

/// The rule that goes with a threshold.
pub fn usual_rule(threshold: ThresholdName) -> StudyRuleName {
    match threshold {
        ThresholdName::Stylized => StudyRuleName::Dual,
        ThresholdName::Certified => StudyRuleName::Weakest,
    }
}

/// What an earlier run chose; something that only another release knows counts as nothing.
fn by_name<T: ValueEnum>(name: Option<String>) -> Option<T> {
    T::from_str(&name?, false).ok()
}

fn name_of(value: impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}

/// How a study goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// Which arm next.
    pub rule: StudyRuleName,
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
            rule: name_of(self.rule),
            threshold: name_of(self.threshold),
            seed: Some(self.seed),
        })
    }

    /// What the library is to do.
    pub fn settings(&self, problem: &Problem) -> Settings {
        let kind = match self.rule {
            StudyRuleName::Dual => RuleKind::Dual,
            StudyRuleName::TrackAndStop => RuleKind::TrackAndStop,
            StudyRuleName::Uniform => RuleKind::Uniform,
            StudyRuleName::Ape => RuleKind::Ape,
            StudyRuleName::Weakest => RuleKind::Weakest,
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
