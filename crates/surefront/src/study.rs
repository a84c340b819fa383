//! The ring: observation → tally → front → oracle → evidence → stop, or rule → next arm.
//!
//! [`Study::ask`] names the arm to measure next, [`Study::tell`] takes in what was measured, [`Study::verdict`] says what is known.
//! Arms may be asked for ahead of the answers, and the answers may come in any order: the allocation counts what was asked for,
//! the estimates and the stop only what was told.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::estimate;
use crate::front::Front;
use crate::problem::{Noise, Problem};
use crate::rule::{Round, Rule, SamplingRule};
use crate::stopping::{Assessment, Certificate, Certified, Evidence, Progress, Situation, Stopping, StoppingRule};
use crate::tally::{ObservationError, ResumeError, SavedTally, Tally};
use crate::transport::{Method, Oracle};
use crate::watch::{Evaluation, Needs, Watch};

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

/// What a study remembers besides its observations: the rule's state and the random numbers'. Whoever keeps the observations
/// elsewhere keeps this beside them, and goes on with [`Study::with_observations`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    arm_count: usize,
    rule: Rule,
    rng: Xoshiro256PlusPlus,
}

/// With unknown variances, every arm is observed this often before the rule decides.
const FIRST_LOOKS: u64 = 4;

/// A study: ask, measure, tell, until it is sure.
///
/// ```
/// # use surefront::{Arm, Goal, Noise, Objective, Problem};
/// use surefront::{Dual, Evaluation, Rule, Settings, Stopping, Study, Stylized};
/// # let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(0.01));
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
    /// Whether every arm has been observed as often as it takes before the rule decides.
    acquainted: bool,
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

    /// A study that has these observations already, and `asked`, by arm, under way. It goes on where `memory` left off, as far as
    /// that fits: another rule begins afresh, and so does one that was made for another number of arms.
    ///
    /// # Errors
    /// When the tally or `asked` is not of this problem's size.
    pub fn with_observations(
        problem: Problem,
        settings: Settings,
        tally: Tally,
        asked: Vec<u64>,
        memory: Option<Memory>,
    ) -> Result<Self, ResumeError> {
        let arms = problem.arm_count();
        for found in [tally.counts().len(), asked.len()] {
            if found != arms {
                return Err(ResumeError { found, expected: arms });
            }
        }
        let Settings { rule, seed, .. } = &settings;
        let (mut rule, mut rng) = (rule.clone(), Xoshiro256PlusPlus::seed_from_u64(*seed));
        if let Some(memory) = memory {
            rng = memory.rng;
            if memory.arm_count == arms && memory.rule.name() == rule.name() {
                rule = memory.rule;
            }
        }
        let mut study = Study::assemble(problem, Settings { rule, ..settings }, tally, asked, rng, None);
        study.stop_if_sure();
        Ok(study)
    }

    /// What the study remembers besides its observations.
    pub fn memory(&self) -> Memory {
        Memory { arm_count: self.problem.arm_count(), rule: self.settings.rule.clone(), rng: self.rng.clone() }
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
            acquainted: false,
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

    /// What is known of each arm, under the study's stopping rule.
    pub fn assessment(&mut self) -> Assessment {
        self.assess();
        let arms = match &self.watch {
            None => vec![Certificate::unknown(self.progress.threshold); self.problem.arm_count()],
            Some(watch) => self.settings.stopping.certificates(&mut Situation {
                problem: &self.problem,
                tally: &self.tally,
                front: watch.front(),
                oracle: &mut self.oracle,
            }),
        };
        Assessment { arms, progress: self.progress, stopped: self.stopped() }
    }

    /// The standard error of the mean of `arm` in an objective, in the objective's own units: from the known variance, or else from
    /// that of the arm's observations. `None` if there are too few of them.
    pub fn standard_error(&self, arm: usize, objective: usize) -> Option<f64> {
        let n = self.tally.counts()[arm];
        let variance = match self.problem.noise(arm, objective) {
            Noise::Variance(variance) => variance,
            Noise::Exact => 0.0,
            Noise::Unknown => self.tally.variance(arm, objective)?,
        };
        (n > 0.0).then(|| (variance / n).sqrt())
    }

    /// About how many more observations it will take, if the evidence goes on growing as it has so far. `None` if that cannot be
    /// said: too early, or for a tie.
    pub fn samples_expected(&mut self) -> Option<f64> {
        self.assess();
        if self.stopped() {
            return Some(0.0);
        }
        let Progress { evidence, threshold } = self.progress;
        let more = self.tally.total() as f64 * (threshold / evidence - 1.0);
        more.is_finite().then_some(more.max(0.0))
    }

    /// The problem, with the present estimates of variances that are unknown.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// How it is run, with the present state of its rule.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The observations so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many *add* pieces have been looked at to find the closest alternatives: the oracle's work.
    pub fn pieces_evaluated(&self) -> u64 {
        self.watch.as_ref().map_or(0, Watch::pieces_evaluated)
    }

    /// Estimated variances change with every observation, and what sleeps behind a bound would not notice.
    fn evaluation(&self) -> Evaluation {
        if self.problem.has_unknown_noise() { Evaluation::Eager } else { self.settings.evaluation }
    }

    /// How often every arm is observed before the rule decides.
    fn first_looks(&self) -> u64 {
        if self.problem.has_unknown_noise() { FIRST_LOOKS } else { 1 }
    }

    fn least_allocated(&self) -> usize {
        (0..self.allocated.len()).min_by_key(|&arm| self.allocated[arm]).expect("there is an arm")
    }

    fn next_arm(&mut self) -> usize {
        // Every arm once, or a few times, then as the rule says: it needs an estimate of each arm.
        if !self.acquainted {
            let least = self.least_allocated();
            if self.allocated[least] < self.first_looks() {
                return least;
            }
            self.acquainted = (0..self.allocated.len()).all(|arm| self.tally.count(arm) >= self.first_looks());
        }
        if self.settings.rule.needs() != Needs::Front || self.watch.is_none() {
            self.assess();
        }
        let Some(watch) = &self.watch else { return self.least_allocated() };
        let mut round = Round {
            problem: &self.problem,
            tally: &self.tally,
            front: watch.front(),
            allocated: &self.allocated,
            closest: watch.closest(),
            claims: watch.claims(),
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
            let needs = [self.settings.rule.needs(), self.settings.stopping.needs()];
            let certified = Certified::new(self.settings.stopping.delta()).expect("every stop has a valid delta");
            self.watch = Some(Watch::new(&self.problem, &self.tally, needs, self.evaluation(), certified));
        }
        let watch = self.watch.as_mut().expect("it is there by now");
        if self.problem.has_unknown_noise() {
            estimate::refresh(&mut self.problem, &self.tally, &self.settings.stopping);
            watch.reconsider(&self.problem, &self.tally);
        }
        let weakest = watch.assess(&self.problem, &self.tally);
        let closest = watch.closest();
        let evidence = Evidence { problem: &self.problem, tally: &self.tally, closest, weakest };
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
