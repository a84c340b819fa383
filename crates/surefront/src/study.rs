//! The ring: observation → tally → front → oracle → evidence → stop, or rule → next arm.
//!
//! [`Study::ask`] names the arm to measure next, [`Study::tell`] takes in what was measured, [`Study::verdict`] says what is known.
//! Arms may be asked for ahead of the answers, and the answers may come in any order: the allocation counts what was asked for,
//! the estimates and the stop only what was told.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::front::Front;
use crate::problem::Problem;
use crate::rule::{Round, Rule, SamplingRule};
use crate::stopping::{Evidence, Progress, Stopping, StoppingRule};
use crate::tally::{ObservationError, ResumeError, SavedTally, Tally};
use crate::transport::{Method, Oracle};
use crate::watch::{Evaluation, Watch};

/// How a study is to be run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Which arm next.
    pub rule: Rule,
    /// When to stop.
    pub stopping: Stopping,
    /// The stop is tested whenever the number of observations is a multiple of this; 0 counts as 1.
    pub check_every: u64,
    /// What the study's random numbers begin with.
    pub seed: u64,
    /// How the closest alternative is found.
    #[serde(default)]
    pub evaluation: Evaluation,
}

/// What a study knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The front of the means so far.
    pub front: Vec<usize>,
    /// The evidence for it and what it takes, at the last test of the stop.
    pub progress: Progress,
    /// Whether the evidence sufficed at a test of the stop: the front is the answer.
    pub stopped: bool,
}

/// A study, saved: everything but the problem that is needed to go on exactly as if it had not been interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedStudy {
    settings: Settings,
    tally: SavedTally,
    asked: Vec<u64>,
    rng: Xoshiro256PlusPlus,
    stopped: Option<Vec<usize>>,
}

/// A study: ask, measure, tell, until it is sure.
///
/// ```
/// # use surefront::{Arm, Goal, Noise, Objective, Problem};
/// use surefront::{Dual, Evaluation, Rule, Settings, Stopping, Study, Stylized};
/// # let objective = |name: &str| Objective { name: name.into(), goal: Goal::Max, noise: Noise::Variance(0.01) };
/// # let problem = Problem::new(
/// #     vec![objective("x"), objective("y")],
/// #     vec![Arm::named("a"), Arm::named("b"), Arm::named("c")],
/// # )?;
/// # let measure = |arm: usize| [[0.0, 3.0], [3.0, 0.0], [-1.0, 1.0]][arm];
///
/// let mut study = Study::new(problem, Settings {
///     rule: Rule::Dual(Dual::default()),
///     stopping: Stopping::Stylized(Stylized::new(0.05)?),
///     check_every: 1,
///     seed: 1,
///     evaluation: Evaluation::Lazy,
/// });
/// while !study.stopped() {
///     let arm = study.ask();
///     study.tell(arm, &measure(arm))?;
/// }
/// assert_eq!(study.verdict().front, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    problem: Problem,
    settings: Settings,
    tally: Tally,
    /// By arm: observations told, and asked for but not told.
    allocated: Vec<u64>,
    asked: Vec<u64>,
    rng: Xoshiro256PlusPlus,
    /// The front and the oracle at the counts, once every arm has been told.
    watch: Option<Watch>,
    /// The rule's own oracle.
    oracle: Oracle,
    /// Whether the progress is that of the last observation.
    current: bool,
    progress: Progress,
    stopped: Option<Vec<usize>>,
}

impl Study {
    /// A study without observations.
    pub fn new(problem: Problem, settings: Settings) -> Self {
        let tally = Tally::new(&problem);
        let rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        let asked = vec![0; problem.arm_count()];
        Study::assemble(problem, settings, tally, asked, rng, None)
    }

    /// The study as it was when it was saved.
    ///
    /// # Errors
    /// When it was saved from a problem of another size.
    pub fn resume(problem: Problem, saved: SavedStudy) -> Result<Self, ResumeError> {
        let SavedStudy { settings, tally, asked, rng, stopped } = saved;
        let tally = Tally::resume(&problem, tally)?;
        if asked.len() != problem.arm_count() {
            return Err(ResumeError { found: asked.len(), expected: problem.arm_count() });
        }
        Ok(Study::assemble(problem, settings, tally, asked, rng, stopped))
    }

    fn assemble(
        problem: Problem,
        settings: Settings,
        tally: Tally,
        asked: Vec<u64>,
        rng: Xoshiro256PlusPlus,
        stopped: Option<Vec<usize>>,
    ) -> Self {
        let allocated = asked.iter().enumerate().map(|(arm, asked)| asked + tally.count(arm)).collect();
        let mut study = Study {
            oracle: Oracle::new(&problem, Method::Auto).expect("`auto` fits every problem"),
            watch: None,
            progress: Progress { evidence: 0.0, threshold: f64::INFINITY },
            current: false,
            problem,
            settings,
            tally,
            allocated,
            asked,
            rng,
            stopped,
        };
        study.assess();
        study
    }

    /// Everything but the problem, to be stored and resumed.
    pub fn save(&self) -> SavedStudy {
        SavedStudy {
            settings: self.settings.clone(),
            tally: self.tally.save(),
            asked: self.asked.clone(),
            rng: self.rng.clone(),
            stopped: self.stopped.clone(),
        }
    }

    /// The arm to measure next. It counts as asked for until it is told.
    pub fn ask(&mut self) -> usize {
        let arm = self.next_arm();
        self.asked[arm] += 1;
        self.allocated[arm] += 1;
        arm
    }

    /// The next `n` arms to measure, for measurements side by side.
    pub fn ask_batch(&mut self, n: usize) -> Vec<usize> {
        (0..n).map(|_| self.ask()).collect()
    }

    /// Takes in one observation of `arm`, asked for or not, in the objectives' own units.
    ///
    /// # Errors
    /// When the observation is not one finite number per objective, or contradicts an objective without noise. Nothing
    /// changes then.
    pub fn tell(&mut self, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        self.tally.add(&self.problem, arm, values)?;
        match self.asked[arm].checked_sub(1) {
            Some(fewer) => self.asked[arm] = fewer,
            None => self.allocated[arm] += 1,
        }
        self.current = false;
        if let Some(watch) = &mut self.watch {
            watch.follow(&self.problem, &self.tally, arm);
        }
        if self.tally.total().is_multiple_of(self.settings.check_every.max(1)) {
            self.assess();
            self.stop_if_sure();
        }
        Ok(())
    }

    /// Takes back one `ask` of `arm` that will never be told.
    pub fn cancel(&mut self, arm: usize) {
        if let Some(fewer) = self.asked[arm].checked_sub(1) {
            self.asked[arm] = fewer;
            self.allocated[arm] -= 1;
        }
    }

    /// Whether the evidence has sufficed: the front at that moment is the answer.
    pub fn stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// What is known now.
    pub fn verdict(&self) -> Verdict {
        Verdict {
            front: self.stopped.clone().unwrap_or_else(|| Front::of(self.tally.means()).members().to_vec()),
            progress: self.progress,
            stopped: self.stopped(),
        }
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The observations so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many *add* pieces have been looked at to find the closest alternatives: the oracle's work.
    pub fn pieces_evaluated(&self) -> u64 {
        self.watch.as_ref().map_or(0, Watch::pieces_evaluated)
    }

    fn next_arm(&mut self) -> usize {
        // Every arm once, then as the rule says: it needs an estimate of each arm.
        if self.watch.is_none()
            && let Some(arm) = self.allocated.iter().position(|&n| n == 0)
        {
            return arm;
        }
        if self.settings.rule.needs_closest() || self.watch.is_none() {
            self.assess();
        }
        let Some(watch) = &self.watch else {
            return (0..self.allocated.len()).min_by_key(|&arm| self.allocated[arm]).expect("there is an arm");
        };
        let mut round = Round {
            problem: &self.problem,
            tally: &self.tally,
            front: watch.front(),
            allocated: &self.allocated,
            closest: watch.last(),
            oracle: &mut self.oracle,
            rng: &mut self.rng,
        };
        self.settings.rule.next(&mut round)
    }

    /// Tally → front → oracle → evidence, unless nothing was told since the last time or some arm not at all.
    fn assess(&mut self) {
        if self.current {
            return;
        }
        if self.watch.is_none() {
            if self.tally.counts().contains(&0.0) {
                return;
            }
            self.watch = Some(Watch::new(&self.problem, &self.tally, self.settings.evaluation));
        }
        let watch = self.watch.as_mut().expect("it is there by now");
        let closest = watch.closest(&self.problem, &self.tally);
        let evidence = Evidence { problem: &self.problem, tally: &self.tally, closest };
        self.progress = self.settings.stopping.progress(&evidence);
        self.current = true;
    }

    /// Evidence ≥ threshold? Then the front of this moment is the answer.
    fn stop_if_sure(&mut self) {
        if let Some(watch) = &self.watch
            && self.current
            && self.stopped.is_none()
            && self.progress.suffices()
        {
            self.stopped = Some(watch.front().members().to_vec());
        }
    }
}
