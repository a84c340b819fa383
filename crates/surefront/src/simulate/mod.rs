//! Replications of a study on simulated arms, in parallel, the same from the same seed whatever the number of threads.

mod budget;
mod noise_law;
mod side_by_side;
mod source;
mod summary;

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;
use thiserror::Error;

pub use self::budget::{Placement, Settled};
pub use self::noise_law::NoiseLaw;
pub use self::side_by_side::{Counting, DurationLaw, SideBySide, SideBySideRun};
pub use self::source::Source;
pub use self::summary::{Summary, chance_interval};
use crate::family::Family;
use crate::front::is_right;
use crate::model::{Model, oriented};
use crate::problem::{Noise, Objective, Problem};
use crate::study::{Settings, Study, StudyError};

/// How one replication ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It stopped with the true front.
    Correct,
    /// It stopped with another front.
    Mistake,
    /// It ran into the limit on samples: neither an answer nor a mistake.
    Undecided,
}

/// What ends a replication, but for the limit on samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The stop of the study's settings.
    #[default]
    Threshold,
    /// The stop that the rule was published with ([`SamplingRule::conclude`](crate::SamplingRule::conclude)).
    OwnStop,
}

/// One replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Its number: with the seed, it determines everything but the time it took.
    pub index: u64,
    /// How many observations were made.
    pub samples: u64,
    /// What they cost in truth; where nothing was said of costs, their number.
    pub cost: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took, in time of one core.
    pub seconds: f64,
}

/// A study to be replicated on arms with known means and noise of the kind that the problem says; where it says nothing of the kind, Gaussian
/// noise unless [`Simulation::with_noise`] says otherwise. Readings are correlated as the problem says; independent where it leaves that to the
/// observations. Where a quantile is compared, it is the quantile that is known, and the noise is around that.
#[derive(Clone, Debug)]
pub struct Simulation {
    problem: Problem,
    /// The problem with the noise that the arms have in truth.
    actual: Problem,
    law: NoiseLaw,
    /// By objective that compares a quantile: that of the law.
    centres: Vec<f64>,
    /// Draws instead, if there is one.
    source: Option<Arc<dyn Source>>,
    truth: Model,
    settings: Settings,
    ending: Ending,
    max_samples: u64,
}

/// Why a study cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The study cannot be made.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The means, or the noise, are those of another problem.
    #[error("the simulated arms are {} arms with {} objectives, but the problem has {} and {}", .found.0, .found.1, .expected.0, .expected.1)]
    Size {
        /// Arms and objectives of the simulation.
        found: (usize, usize),
        /// Arms and objectives of the problem.
        expected: (usize, usize),
    },
    /// Noise is to be drawn with a variance that is unknown.
    #[error("noise can only be drawn with known variances: give every one")]
    UnknownVariance,
    /// The rule is to end by a stop that it does not have.
    #[error("the rule \"{rule}\" was published without a stop of its own: use a threshold")]
    NoOwnStop {
        /// The rule's name.
        rule: &'static str,
    },
}

impl Simulation {
    /// Replications with these settings, each with at most `max_samples` observations. The settings' seed determines all of
    /// them. The noise is of the problem's kinds; where there is none, Gaussian with the problem's variances.
    ///
    /// # Errors
    /// When the means or the rule are not of the problem's size.
    pub fn new(problem: Problem, truth: Model, settings: Settings, max_samples: u64) -> Result<Self, SimulationError> {
        same_size((truth.arm_count(), truth.objective_count()), &problem)?;
        Study::new(problem.clone(), settings.clone())?;
        let (actual, law) = (problem.clone(), NoiseLaw::Gaussian);
        let (centres, ending) = (centres(&problem, law), Ending::default());
        Ok(Simulation { problem, actual, law, centres, source: None, truth, settings, ending, max_samples })
    }

    /// The same study, ended so where measurements are made one at a time. With a rule of the user's own that comes to no conclusion, runs go on to the limit.
    ///
    /// # Errors
    /// When the rule has no stop of its own, and that is to end it.
    pub fn ending(self, ending: Ending) -> Result<Self, SimulationError> {
        let has_none = self.settings.rule.kind().is_some_and(|kind| !kind.has_own_stop() && !kind.needs_budget());
        if ending == Ending::OwnStop && has_none {
            return Err(SimulationError::NoOwnStop { rule: self.settings.rule.name() });
        }
        Ok(Simulation { ending, ..self })
    }

    /// The same study, on arms with the noise of `actual` and of this law. That is how arms are simulated whose variances the study
    /// does not know ([`Noise::Unknown`](crate::Noise::Unknown)), and noise that is not what it takes it to be. What runs cost is as `actual` has it, too.
    ///
    /// # Errors
    /// When `actual` is of another size, or has unknown variances itself.
    pub fn with_noise(self, law: NoiseLaw, actual: Problem) -> Result<Self, SimulationError> {
        same_size((actual.arm_count(), actual.objective_count()), &self.problem)?;
        let unknown = |noise: Noise| noise.is_unknown() || noise == Noise::Any;
        let any = |arm: usize| (0..actual.objective_count()).any(|j| unknown(actual.noise(arm, j)));
        if (0..actual.arm_count()).any(any) {
            return Err(SimulationError::UnknownVariance);
        }
        Ok(Simulation { actual, law, centres: centres(&self.problem, law), ..self })
    }

    /// The same study, on arms whose observations this source draws; their means are those that the simulation was made with.
    ///
    /// ```
    /// use rand::{Rng, RngExt};
    /// use surefront::{Arm, Goal, Model, Noise, Objective, Outcome, Problem, RuleKind, Settings, Simulation, Source, StoppingKind};
    ///
    /// /// Waits of a minute or two, evenly spread.
    /// #[derive(Debug)]
    /// struct Buses;
    ///
    /// impl Source for Buses {
    ///     fn observe(&self, arm: usize, rng: &mut dyn Rng, values: &mut [f64]) {
    ///         values[0] = rng.random_range(0.0..2.0) + arm as f64;
    ///     }
    /// }
    ///
    /// let wait = Objective::new("wait", Goal::Min, Noise::Unknown);
    /// let problem = Problem::new(vec![wait], vec![Arm::named("red"), Arm::named("green")])?;
    /// let truth = Model::new(&problem, &[[1.0], [2.0]])?;
    /// let settings = Settings::new(RuleKind::Weakest.rule(&problem, 0.1)?, StoppingKind::Certified.stopping(0.1)?);
    /// let run = Simulation::new(problem, truth, settings, 1000)?.with_source(Buses).run(0);
    /// assert_eq!(run.outcome, Outcome::Correct);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_source(self, source: impl Source + 'static) -> Self {
        Simulation { source: Some(Arc::new(source)), ..self }
    }

    /// The replication of this number.
    pub fn run(&self, index: u64) -> Run {
        self.run_seen(index, |_, _| {})
    }

    /// The same; `seen` is shown every observation, with its arm, in the objectives' own units.
    pub fn run_seen(&self, index: u64, mut seen: impl FnMut(usize, &[f64])) -> Run {
        let start = ThreadTime::now();
        let mut settings = self.settings.clone();
        // One stream for the rule, one for the noise: a rule that draws more does not change the noise.
        settings.seed = mixed(self.settings.seed, 2 * index);
        if self.ending == Ending::OwnStop {
            // The threshold is not to be tested.
            settings.check_every = NonZeroU64::MAX;
        }
        let mut noise = Xoshiro256PlusPlus::seed_from_u64(mixed(self.settings.seed, 2 * index + 1));
        let mut study = Study::new(self.problem.clone(), settings).expect("checked when the simulation was made");
        let mut values = vec![0.0; self.problem.objective_count()];
        let mut outcome = self.outcome(&mut study, self.ending);
        while outcome == Outcome::Undecided && study.tally().total() < self.max_samples {
            let arm = study.ask();
            self.observe(arm, &mut noise, &mut values);
            seen(arm, &values);
            study.tell(arm, &values).expect("simulated observations are finite");
            outcome = self.outcome(&mut study, self.ending);
        }
        let (samples, cost) = (study.tally().total(), self.actual.total_cost(study.tally().counts()));
        Run { index, samples, cost, outcome, seconds: start.elapsed().as_secs_f64() }
    }

    /// Where a replication stands; by the rule's own stop, whenever the stop is tested.
    fn outcome(&self, study: &mut Study, ending: Ending) -> Outcome {
        let right = match ending {
            Ending::Threshold if study.stopped() => Some(is_right(&self.truth, &study.verdict().front)),
            Ending::OwnStop if study.tally().total().is_multiple_of(self.settings.check_every.get()) => {
                study.conclude().map(|conclusion| conclusion.is_right(&self.truth))
            }
            _ => None,
        };
        match right {
            None => Outcome::Undecided,
            Some(true) => Outcome::Correct,
            Some(false) => Outcome::Mistake,
        }
    }

    /// The replications of these numbers, on all threads of the current rayon pool, by ascending number. `done` is called after
    /// each, in no particular order; once `interrupted` is set, no further one is begun and those that are finished are returned.
    pub fn replicate(&self, runs: Range<u64>, interrupted: &AtomicBool, done: impl Fn(&Run) + Sync) -> Vec<Run> {
        in_parallel(runs, interrupted, |index| self.run(index), done)
    }

    /// What the study is about.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    fn observe(&self, arm: usize, noise: &mut Xoshiro256PlusPlus, values: &mut [f64]) {
        if let Some(source) = &self.source {
            return source.observe(arm, noise, values);
        }
        self.law.fill(noise, values);
        if let Some(coupling) = self.actual.coupling()
            && self.law != NoiseLaw::Opposed
        {
            coupling.correlate(values);
        }
        for (j, (value, objective)) in values.iter_mut().zip(self.problem.objectives()).enumerate() {
            let (mean, precision) = (&self.truth.mean_in(arm, j), &self.actual.precision_in(arm, j));
            if !objective.statistic.is_mean() {
                let deviation = self.actual.noise(arm, j).variance().unwrap_or(1.0).sqrt();
                *value = oriented(objective.goal, *mean) + deviation * (*value - self.centres[j]);
                continue;
            }
            let family = self.actual.family(j);
            *value = if let Some(range) = self.actual.noise(arm, j).range() {
                range.draw(oriented(objective.goal, *mean), noise)
            } else if family == Family::Gaussian || *precision == f64::INFINITY {
                oriented(objective.goal, mean + *value / precision.sqrt())
            } else {
                family.draw(oriented(objective.goal, *mean), noise)
            };
        }
    }
}

/// What `one` makes of these numbers, on all threads of the current rayon pool, by ascending number. `done` is called after each, in no particular
/// order; once `interrupted` is set, no further one is begun and those that are finished are returned.
pub fn in_parallel<T: Send>(
    numbers: Range<u64>,
    interrupted: &AtomicBool,
    one: impl Fn(u64) -> T + Sync,
    done: impl Fn(&T) + Sync,
) -> Vec<T> {
    // One by one, in order, so that an interruption leaves no gaps but for the runs under way, which are finished.
    let mut finished: Vec<(u64, T)> = numbers
        .par_bridge()
        .map(|number| {
            if interrupted.load(Ordering::Relaxed) {
                return None;
            }
            let made = one(number);
            done(&made);
            Some((number, made))
        })
        .while_some()
        .collect();
    finished.sort_unstable_by_key(|(number, _)| *number);
    finished.into_iter().map(|(_, made)| made).collect()
}

/// By objective: the quantile of a law, where one is compared.
fn centres(problem: &Problem, law: NoiseLaw) -> Vec<f64> {
    let centre = |objective: &Objective| objective.statistic.quantile().map_or(0.0, |quantile| law.quantile(quantile));
    problem.objectives().iter().map(centre).collect()
}

fn same_size(found: (usize, usize), problem: &Problem) -> Result<(), SimulationError> {
    let expected = (problem.arm_count(), problem.objective_count());
    if found == expected { Ok(()) } else { Err(SimulationError::Size { found, expected }) }
}

/// Well-spread seeds from a seed and a number (two rounds of SplitMix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let scramble = |x: u64| {
        let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    };
    scramble(scramble(seed) ^ number)
}
