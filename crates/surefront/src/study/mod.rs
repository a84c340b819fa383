//! The ring: observation → tally → front → oracle → evidence → stop, or rule → next arm.
//!
//! [`Study::ask`] names the arm to measure next, [`Study::tell`] takes in what was measured, [`Study::verdict`] says what is known.
//! Arms may be asked for ahead of the answers, and the answers may come in any order: the allocation counts what was asked for,
//! the estimates and the stop only what was told. Arms may be left out and taken in again; the ring runs on those that take part.

mod chances;
mod known;
mod ring;
mod saved;
mod settings;
mod study_error;
mod taking_part;
mod tie;
mod whole;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

pub use self::chances::Chances;
pub use self::known::Verdict;
use self::ring::Ring;
pub use self::saved::{Memory, SavedStudy};
pub use self::settings::Settings;
pub use self::study_error::StudyError;
pub use self::tie::Tie;
use self::whole::Whole;
use crate::costs::is_cost;
use crate::observation::ObservationError;
use crate::problem::Problem;
use crate::range::Range;
use crate::record::{Record, Told};
use crate::rule::SamplingRule;
use crate::tally::{ResumeError, Tally};
use crate::watch::Watch;

/// A study: ask, measure, tell, until it has its answer.
///
/// ```
/// # use surefront::{Arm, Goal, Noise, Objective, Problem};
/// use surefront::{RuleKind, Settings, StoppingKind, Study};
/// # let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(0.01));
/// # let problem = Problem::new(
/// #     vec![objective("x"), objective("y")],
/// #     vec![Arm::named("a"), Arm::named("b"), Arm::named("c")],
/// # )?;
/// # let measure = |arm: usize| [[0.0, 3.0], [3.0, 0.0], [-1.0, 1.0]][arm];
///
/// let rule = RuleKind::Weakest.rule(&problem, 0.05)?;
/// let mut study = Study::new(problem, Settings::new(rule, StoppingKind::Certified.stopping(0.05)?))?;
/// while !study.stopped() {
///     let arm = study.ask();
///     study.tell(arm, &measure(arm))?;
/// }
/// assert_eq!(study.verdict().front, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    ring: Ring,
    /// All arms, where some of them take no part.
    whole: Option<Box<Whole>>,
}

impl Study {
    /// A study without observations.
    ///
    /// # Errors
    /// When the rule was made for another number of arms, or rule or stop is for means and a quantile is compared.
    pub fn new(problem: Problem, mut settings: Settings) -> Result<Self, StudyError> {
        settings.rule.check(problem.arm_count())?;
        settings.suit(&problem)?;
        settings.rule.begin(&problem);
        let (record, asked) = (Record::new(&problem, &settings.stopping), vec![0; problem.arm_count()]);
        let rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        Ok(Study { ring: Ring::new(problem, settings, record, asked, rng, None), whole: None })
    }

    /// The study as it was when it was saved.
    ///
    /// # Errors
    /// When it was saved from a problem of another size.
    pub fn resume(problem: Problem, saved: SavedStudy) -> Result<Self, StudyError> {
        let SavedStudy { settings, tally, split, next_look, asked, rng, stopped, left_out, rule } = saved;
        let record = Record::resume(&problem, tally, split, next_look, &settings.stopping)?;
        if left_out.is_empty() {
            check_sizes(&problem, &settings, record.tally(), &asked)?;
            let stopped = stopped.filter(|front| front.iter().all(|&arm| arm < problem.arm_count()));
            return Ok(Study { ring: Ring::new(problem, settings, record, asked, rng, stopped), whole: None });
        }
        let mut study = Study::assemble(problem, settings, record, asked, rng, &left_out)?;
        if let Some(rule) = rule {
            rule.check(study.ring.problem.arm_count())?;
            study.ring.settings.rule = rule;
        }
        let places = study.whole.as_ref().map_or(&[][..], |whole| &whole.places);
        let place = |&arm: &usize| places.get(arm).copied().flatten();
        study.ring.stopped = stopped.and_then(|front| front.iter().map(place).collect());
        Ok(study)
    }

    /// A study that has these observations already (a [`Record`], or a [`Tally`] where there is no order), and `asked`, by arm, under way; the arms `left_out` take no part. It goes on where
    /// `memory` left off, as far as that fits: another rule begins afresh, and so does one that was about other arms. The rule's
    /// parameters are those of the settings, whatever they were before.
    ///
    /// # Errors
    /// When the tally, `asked` or the rule is not of this problem's size, an arm left out does not exist, or no arm takes part.
    pub fn with_observations(
        problem: Problem,
        settings: Settings,
        observations: impl Into<Record>,
        asked: Vec<u64>,
        left_out: &[usize],
        memory: Option<Memory>,
    ) -> Result<Self, StudyError> {
        let rng = match &memory {
            Some(memory) => memory.rng.clone(),
            None => Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        };
        let mut record: Record = observations.into();
        record.teach(&settings.stopping);
        let mut study = Study::assemble(problem, settings, record, asked, rng, left_out)?;
        if let Some(rule) = memory.and_then(|memory| memory.rule_for(study.arms_taking_part(), &study.left_out())) {
            study.ring.settings.rule.take_up(rule);
        }
        study.ring.stop_if_sure();
        Ok(study)
    }

    /// With a rule that begins afresh where arms are left out.
    fn assemble(
        problem: Problem,
        mut settings: Settings,
        record: Record,
        asked: Vec<u64>,
        rng: Xoshiro256PlusPlus,
        left_out: &[usize],
    ) -> Result<Self, StudyError> {
        check_sizes(&problem, &settings, record.tally(), &asked)?;
        let record = record.leaving_out(left_out);
        let mut takes_part = vec![true; problem.arm_count()];
        for &arm in left_out {
            *takes_part.get_mut(arm).ok_or_else(|| unknown(&problem, arm))? = false;
        }
        let arms: Vec<usize> = (0..problem.arm_count()).filter(|&arm| takes_part[arm]).collect();
        if let (true, Some(&last)) = (arms.is_empty(), left_out.last()) {
            return Err(StudyError::LastArm { arm: problem.arms()[last].name.clone() });
        }
        if left_out.is_empty() {
            settings.rule.begin(&problem);
            return Ok(Study { ring: Ring::new(problem, settings, record, asked, rng, None), whole: None });
        }
        let whole = Whole::new(problem, settings, record, asked, arms);
        let (problem, record, asked) = whole.part();
        let rule = whole.settings.rule.afresh(&whole.arms, &problem, whole.settings.stopping.delta());
        let settings = Settings { rule, ..whole.settings.clone() };
        Ok(Study { ring: Ring::new(problem, settings, record, asked, rng, None), whole: Some(Box::new(whole)) })
    }

    /// Everything but the problem, to be stored and resumed.
    pub fn save(&self) -> SavedStudy {
        let (tally, split, next_look) = self.record().save();
        SavedStudy {
            settings: self.settings().clone(),
            tally,
            split,
            next_look,
            asked: self.whole.as_ref().map_or(&self.ring.asked, |whole| &whole.asked).clone(),
            rng: self.ring.rng.clone(),
            stopped: self.ring.stopped.clone().map(|front| self.outside_all(front)),
            left_out: self.left_out(),
            rule: self.whole.as_ref().map(|_| self.ring.settings.rule.clone()),
        }
    }

    /// What the study remembers besides its observations.
    pub fn memory(&self) -> Memory {
        Memory::new(self.arms_taking_part(), self.left_out(), &self.ring.settings.rule, &self.ring.rng)
    }

    /// The arm to measure next. It counts as asked for until it is told.
    pub fn ask(&mut self) -> usize {
        let place = self.ring.ask();
        let Some(whole) = &mut self.whole else { return place };
        let arm = whole.arms[place];
        whole.asked[arm] += 1;
        arm
    }

    /// The next `n` arms to measure, for measurements side by side.
    pub fn ask_batch(&mut self, n: usize) -> Vec<usize> {
        (0..n).map(|_| self.ask()).collect()
    }

    /// Takes in one observation of `arm`, asked for or not, in the objectives' own units. One of an arm that is left out counts once the arm
    /// is taken in again.
    ///
    /// # Errors
    /// When there is no such arm, or the observation is not one finite number per objective, or contradicts an objective without
    /// noise. Nothing changes then.
    pub fn tell(&mut self, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        let Some(whole) = &mut self.whole else { return self.ring.tell(arm, values) };
        let told = whole.tell(arm, values)?;
        if let Some(place) = whole.places[arm] {
            self.ring.tell(place, values)?;
            whole.follow_estimates(&self.ring.problem);
        }
        if told != Told::Arm {
            self.ring.take_lesson(whole.part().1);
        }
        Ok(())
    }

    /// From now on a measurement costs this, by arm: what was measured of it so far. Which arm is asked for next depends on it, and nothing else: whatever the
    /// costs, an answer is as good.
    ///
    /// # Errors
    /// When there is not one cost above zero for each arm, or the rule does not heed costs. Nothing changes then.
    pub fn set_costs(&mut self, costs: &[f64]) -> Result<(), StudyError> {
        let expected = self.problem().arm_count();
        if costs.len() != expected {
            return Err(StudyError::CostCount { found: costs.len(), expected });
        }
        if let Some(at) = costs.iter().position(|&cost| !is_cost(cost)) {
            return Err(StudyError::BadCost { number: at + 1, value: costs[at].to_string() });
        }
        let mut problem = self.problem().clone();
        problem.set_costs(costs.to_vec());
        self.ring.settings.suit(&problem)?;
        if let Some(whole) = &mut self.whole {
            let part = whole.arms.iter().map(|&arm| costs[arm]).collect();
            self.ring.problem.set_costs(part);
            whole.problem.set_costs(costs.to_vec());
        } else {
            self.ring.problem.set_costs(costs.to_vec());
        }
        Ok(())
    }

    /// What the observations so far have cost, of all arms; where nothing was said of costs, their number.
    pub fn cost(&self) -> f64 {
        self.problem().total_cost(self.tally().counts())
    }

    /// Takes back one `ask` of `arm` that will never be told; nothing, if there is none.
    ///
    /// # Errors
    /// When there is no such arm.
    pub fn cancel(&mut self, arm: usize) -> Result<(), StudyError> {
        let place = self.place(arm)?;
        if let Some(whole) = &mut self.whole {
            whole.asked[arm] = whole.asked[arm].saturating_sub(1);
        }
        if let Some(place) = place {
            self.ring.cancel(place);
        }
        Ok(())
    }

    /// The problem, with the present estimates of variances that are unknown.
    pub fn problem(&self) -> &Problem {
        self.whole.as_ref().map_or(&self.ring.problem, |whole| &whole.problem)
    }

    /// How it is run. The rule is that of all arms: with its present state, unless some are left out.
    pub fn settings(&self) -> &Settings {
        self.whole.as_ref().map_or(&self.ring.settings, |whole| &whole.settings)
    }

    /// The observations so far, also those of arms that are left out.
    pub fn tally(&self) -> &Tally {
        self.record().tally()
    }

    /// The same in the order in which they count.
    pub fn record(&self) -> &Record {
        self.whole.as_ref().map_or(&self.ring.record, |whole| &whole.record)
    }

    /// How many *add* pieces have been looked at to find the closest alternatives: the oracle's work.
    pub fn pieces_evaluated(&self) -> u64 {
        self.ring.watch.as_ref().map_or(0, Watch::pieces_evaluated)
    }
}

fn unknown(problem: &Problem, arm: usize) -> StudyError {
    StudyError::UnknownArm { number: arm + 1, arms: problem.arm_count() }
}

fn check_sizes(problem: &Problem, settings: &Settings, tally: &Tally, asked: &[u64]) -> Result<(), StudyError> {
    let arms = problem.arm_count();
    let cells = (tally.counts().len(), tally.means().objective_count());
    for (found, expected) in [(cells.0, arms), (cells.1, problem.objective_count()), (asked.len(), arms)] {
        if found != expected {
            return Err(ResumeError { found, expected }.into());
        }
    }
    settings.rule.check(arms)?;
    for arm in (0..arms).filter(|&arm| tally.count(arm) > 0) {
        for (j, mean) in tally.means().in_units(problem, arm).into_iter().enumerate() {
            if !problem.family(j).takes_mean(mean) {
                let (arm, objective) = (problem.arms()[arm].name.clone(), problem.objectives()[j].name.clone());
                return Err(StudyError::OtherNoise { arm, objective, family: problem.family(j) });
            }
            // The mean of values at an end may be rounded beyond it.
            let beyond = |range: &Range| !range.holds(mean) && (mean - range.middle()).abs() > 0.5001 * range.width();
            if problem.range(j).as_ref().is_some_and(beyond) {
                let (arm, objective) = (problem.arms()[arm].name.clone(), problem.objectives()[j].name.clone());
                return Err(StudyError::OtherRange { arm, objective });
            }
        }
    }
    settings.suit(problem)
}
