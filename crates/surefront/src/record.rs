//! The observations of a study in the order in which they count, and when a lesson is taken from them.

use crate::claims;
use crate::estimate::OwnEstimates;
use crate::front::Front;
use crate::observation::ObservationError;
use crate::problem::Problem;
use crate::seasons::{SavedSplit, Seasons};
use crate::stopping::{Certified, LESSON_AT, Near, Situation, Stopping, settled};
use crate::tally::{FIRST_LOOKS, ResumeError, SavedTally, Tally};
use crate::transport::{Method, Oracle};

/// If more is done by then, it is not worth it.
const TOO_LATE: f64 = 0.7;
/// Whether it is time is looked at when there are so many times as many observations as the last time.
const PACE: f64 = 1.1;
/// The same after it, for whom all observations settle by now: that takes longer to see, and is worth less.
const LATER_PACE: f64 = 1.25;
/// Before there are so many observations for each arm, it is too early.
const EARLY: u64 = 10;

/// The observations of a study, in the order in which they count.
///
/// A certified stop learns from the first of them what to expect, and takes the others for proof. So the order matters: that of asking, not that of
/// finishing. Where there is no order, a [`Tally`] can be made a record.
///
/// ```
/// # use surefront::{Arm, Goal, Noise, Objective, Problem, Record, StoppingKind};
/// # let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")])?;
/// let mut record = Record::new(&problem, &StoppingKind::Certified.stopping(0.05)?);
/// record.add(&problem, 1, &[2.0])?;
/// assert_eq!(record.tally().count(1), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    seasons: Seasons,
    /// The stop, if it learns.
    learner: Option<Certified>,
    /// At how many observations of the arms that take part to look next whether it is time.
    next: u64,
    /// The arms that take no part: nothing is learned of them.
    left_out: Vec<usize>,
}

/// What an observation has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The arm observed.
    Arm,
    /// All observations have settled where some arms stand.
    Settled,
    /// A lesson was taken.
    Lesson,
}

impl From<Tally> for Record {
    fn from(tally: Tally) -> Self {
        Record { next: tally.total() + 1, seasons: tally.into(), learner: None, left_out: Vec::new() }
    }
}

impl Record {
    /// No observations yet, for a study with this stop.
    pub fn new(problem: &Problem, stopping: &Stopping) -> Self {
        let mut record = Record::from(Tally::new(problem));
        record.teach(stopping);
        record
    }

    /// The same for a study in which these arms take no part.
    pub fn leaving_out(mut self, arms: &[usize]) -> Self {
        // Where nothing changes, it is not looked at sooner than if the study had gone on.
        if self.left_out != arms {
            self.left_out = arms.to_vec();
            self.next = self.next.min(self.taking_part() + 1);
        }
        self
    }

    /// From now on for this stop. Where it would not have learned, what was learned for another is forgotten: it spends all of its risk on all
    /// observations.
    pub(crate) fn teach(&mut self, stopping: &Stopping) {
        self.learner = match stopping {
            Stopping::Certified(certified) => Some(*certified),
            _ => None,
        };
        let means = self.tally().means();
        let (arms, objectives, limits) = (means.arm_count(), means.objective_count(), means.has_limits());
        if self.learner.is_some_and(|certified| !certified.learns(arms, objectives, limits)) {
            self.seasons = Seasons::from(self.tally().clone());
        }
    }

    /// Takes in one observation of `arm`, in the objectives' own units.
    ///
    /// # Errors
    /// When the arm is unknown, or the values are not one finite number per objective, or they contradict an objective without noise.
    /// Nothing changes then.
    pub fn add(&mut self, problem: &Problem, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        self.tell(problem, arm, values).map(|_| ())
    }

    /// The same; says what has changed.
    pub(crate) fn tell(&mut self, problem: &Problem, arm: usize, values: &[f64]) -> Result<Told, ObservationError> {
        self.seasons.add(problem, arm, values)?;
        Ok(if self.taking_part() >= self.next { self.learn(problem) } else { Told::Arm })
    }

    /// All observations, whatever their order.
    pub fn tally(&self) -> &Tally {
        self.seasons.all()
    }

    /// How many observations were made before the lesson, if one was taken: those after it are proof.
    pub fn lesson(&self) -> Option<u64> {
        self.seasons.split().map(|split| split.early.total())
    }

    pub(crate) fn seasons(&self) -> &Seasons {
        &self.seasons
    }

    /// The observations of these arms alone, to follow those of all: nothing more is learned from them, and of so few that nothing would be learned
    /// of them, what was learned is forgotten.
    pub(crate) fn of_arms(&self, arms: &[usize]) -> Self {
        let mut seasons = self.seasons.of_arms(arms);
        let (objectives, limits) = (self.tally().means().objective_count(), self.tally().means().has_limits());
        if !self.learner.is_some_and(|certified| certified.learns(arms.len(), objectives, limits)) {
            seasons = Seasons::from(seasons.all().clone());
        }
        Record { seasons, learner: None, next: u64::MAX, left_out: Vec::new() }
    }

    /// How many observations there are of the arms that take part.
    fn taking_part(&self) -> u64 {
        let known = self.left_out.iter().filter(|&&arm| arm < self.tally().means().arm_count());
        self.tally().total() - known.map(|&arm| self.tally().count(arm)).sum::<u64>()
    }

    pub(crate) fn save(&self) -> (SavedTally, Option<SavedSplit>, u64) {
        (self.tally().save(), self.seasons.save_split(), self.next)
    }

    /// `next` is zero where it was not saved.
    pub(crate) fn resume(
        problem: &Problem,
        all: SavedTally,
        split: Option<SavedSplit>,
        next: u64,
        stopping: &Stopping,
    ) -> Result<Self, ResumeError> {
        let seasons = Seasons::resume(problem, all, split)?;
        let mut record = Record { seasons, learner: None, next, left_out: Vec::new() };
        record.teach(stopping);
        Ok(record)
    }

    /// Takes the lesson, if it is time; after it, sees whom all observations together certify by now. A function of the observations so far.
    fn learn(&mut self, problem: &Problem) -> Told {
        let pace = if self.seasons.split().is_some() { LATER_PACE } else { PACE };
        self.next = (self.taking_part() as f64 * pace).ceil() as u64;
        let arms: Vec<usize> = (0..problem.arm_count()).filter(|arm| !self.left_out.contains(arm)).collect();
        let learns =
            |certified: &Certified| certified.learns(arms.len(), problem.objective_count(), problem.has_limits());
        let Some(certified) = self.learner.filter(learns) else { return Told::Arm };
        if self.taking_part() < EARLY * arms.len() as u64 {
            return Told::Arm;
        }
        let seasons = self.seasons.of_arms(&arms);
        let Some(class) = Class::new(&certified, problem.of_arms(&arms), &seasons) else { return Told::Arm };
        match seasons.split() {
            None => {
                let Some(part) = class.part_done() else { return Told::Arm };
                let settled = class.settled(&class.near(), &vec![false; arms.len()]);
                self.seasons.learn(problem, part, spread(&arms, &settled, problem.arm_count()));
                Told::Lesson
            }
            Some(split) => {
                // What the lesson expected of an arm, and has been certified.
                let early = Front::of(split.early.means());
                let front = &class.front;
                let as_expected = |place: usize| early.contains(place) == front.contains(place);
                let as_expected: Vec<bool> = (0..arms.len()).map(as_expected).collect();
                let near = class.near();
                if (0..arms.len()).all(|place| split.settled[place] || near[place].is_none() || !as_expected[place]) {
                    return Told::Arm;
                }
                let settled = class.settled(&near, &split.settled);
                let both: Vec<bool> = settled.iter().zip(as_expected).map(|(&one, two)| one && two).collect();
                let is_new = self.seasons.settle(&spread(&arms, &both, problem.arm_count()));
                if is_new { Told::Settled } else { Told::Arm }
            }
        }
    }
}

/// What was found of these arms, as an entry for each of all arms.
fn spread(arms: &[usize], found: &[bool], count: usize) -> Vec<bool> {
    let mut all = vec![false; count];
    arms.iter().zip(found).for_each(|(&arm, &found)| all[arm] = found);
    all
}

/// The observations of the arms that take part, as a lesson looks at them.
struct Class<'a> {
    certified: &'a Certified,
    problem: Problem,
    seasons: &'a Seasons,
    front: Front,
}

impl<'a> Class<'a> {
    /// `None` if there are too few observations of some.
    fn new(certified: &'a Certified, mut problem: Problem, seasons: &'a Seasons) -> Option<Self> {
        let tally = seasons.all();
        let looks = if problem.has_unknown_noise() { FIRST_LOOKS } else { 1.0 };
        if tally.counts().iter().any(|&count| count < looks) {
            return None;
        }
        if problem.has_unknown_noise() {
            OwnEstimates::new(&mut problem, tally, &Stopping::Certified(*certified));
        }
        Some(Class { certified, problem, seasons, front: Front::of(tally.means()) })
    }

    /// The part of the way that seems to be done, if it is time for the lesson.
    fn part_done(&self) -> Option<f64> {
        let part = claims::done(&self.problem, self.seasons.all(), self.certified, &self.front, LESSON_AT);
        part.filter(|&part| part < TOO_LATE)
    }

    /// By arm: the rival, where all observations seem to certify its standing.
    fn near(&self) -> Vec<Option<usize>> {
        claims::near(&self.problem, self.seasons.all(), self.certified, &self.front)
    }

    /// By arm: whether its standing is certified by all observations, of those that are `near`; some were `before`.
    fn settled(&self, near: &[Option<usize>], before: &[bool]) -> Vec<bool> {
        let mut oracle = Oracle::new(&self.problem, Method::Auto).expect("`auto` fits every problem");
        let Class { certified, problem, seasons, front } = self;
        let near = Near { rivals: near, settled: before };
        settled(certified, &Situation { problem, seasons, front, oracle: &mut oracle }, near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};

    /// A stop that learns nothing spends all of δ on all observations: proofs by what another one learned would come on top of that.
    #[test]
    fn a_stop_without_lessons_forgets_those_of_another() {
        let objective = |name| Objective::new(name, Goal::Max, Noise::Variance(1.0));
        let arms = (0..3).map(|k| Arm::named(format!("{k}"))).collect();
        let problem = Problem::new(vec![objective("x"), objective("y")], arms).unwrap();
        let (learning, plain) = (Certified::new(0.05).unwrap(), Certified::without_lessons(0.05).unwrap());
        let mut record = Record::new(&problem, &Stopping::Certified(learning));
        let mut round = 0;
        while record.lesson().is_none() {
            assert!(round < 10_000, "no lesson was taken");
            record.add(&problem, round % 3, &[0.5 * (round % 3) as f64, -0.5 * (round % 3) as f64]).unwrap();
            round += 1;
        }
        record.teach(&Stopping::Certified(learning));
        assert!(record.lesson().is_some());
        let (all, split, next) = record.save();
        record.teach(&Stopping::Certified(plain));
        assert_eq!((record.lesson(), record.tally().total()), (None, round as u64));
        let resumed = Record::resume(&problem, all, split, next, &Stopping::Certified(plain)).unwrap();
        assert_eq!(resumed.lesson(), None);
    }
}
