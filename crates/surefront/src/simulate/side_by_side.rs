//! Replications with measurements side by side: simulated clocks decide which result arrives first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::num::NonZeroUsize;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};
use rand_distr::{Exp1, LogNormal};

use super::{Ending, Outcome, Simulation, mixed};
use crate::in_order::InOrder;
use crate::study::Study;

/// How long measurements take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationLaw {
    /// All alike.
    Constant,
    /// Evenly between nothing and twice the mean.
    Uniform,
    /// Without memory.
    Exponential,
    /// Most are short and few very long: the logarithm is normal with deviation 1.5, so that one in a hundred takes ten times the mean.
    HeavyTailed,
    /// What is measured in the first objective is how long it takes; values below zero take no time.
    Value,
}

impl DurationLaw {
    /// All of them.
    pub const ALL: [DurationLaw; 5] = [
        DurationLaw::Constant,
        DurationLaw::Uniform,
        DurationLaw::Exponential,
        DurationLaw::HeavyTailed,
        DurationLaw::Value,
    ];

    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            DurationLaw::Constant => "constant",
            DurationLaw::Uniform => "uniform",
            DurationLaw::Exponential => "exponential",
            DurationLaw::HeavyTailed => "heavy tails",
            DurationLaw::Value => "the value",
        }
    }

    /// The duration of a measurement with this value; of mean one, unless it is the value.
    fn draw(self, value: f64, rng: &mut impl Rng) -> f64 {
        const DEVIATION: f64 = 1.5;
        match self {
            DurationLaw::Constant => 1.0,
            DurationLaw::Uniform => rng.random_range(0.0..2.0),
            DurationLaw::Exponential => rng.sample(Exp1),
            DurationLaw::HeavyTailed => {
                let law = LogNormal::new(-0.5 * DEVIATION * DEVIATION, DEVIATION).expect("the deviation is positive");
                rng.sample(law)
            }
            DurationLaw::Value => value.max(0.0),
        }
    }
}

/// In which order results count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// As they were asked for: later ones wait for earlier ones. This keeps the promise.
    AsAsked {
        /// The most tickets from the first open one on: where that many are asked for, some wait idly for the slowest.
        ahead: NonZeroUsize,
    },
    /// As they finish. This breaks it, and is here to be compared with.
    AsFinished,
}

/// How measurements are made side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideBySide {
    /// Measurements at a time.
    pub at_once: NonZeroUsize,
    /// How long they take.
    pub durations: DurationLaw,
    /// In which order they count.
    pub counting: Counting,
}

impl SideBySide {
    /// This many at a time, counting as they were asked for, asking ahead as `run` does.
    pub fn new(at_once: NonZeroUsize, durations: DurationLaw) -> Self {
        let counting = Counting::AsAsked { ahead: at_once.saturating_mul(Self::AHEAD) };
        SideBySide { at_once, durations, counting }
    }

    /// Tickets from the first open one on, for each measurement at a time.
    pub const AHEAD: NonZeroUsize = NonZeroUsize::new(2).unwrap();
}

/// One replication side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideBySideRun {
    /// The measurements begun, also those that were ended since the answer was known.
    pub begun: u64,
    /// Those that were finished.
    pub finished: u64,
    /// Those that counted.
    pub counted: u64,
    /// When it was over, in the time of the measurements.
    pub time: f64,
    /// How it ended.
    pub outcome: Outcome,
}

/// A measurement under way; the first to end is the greatest.
struct UnderWay {
    end: f64,
    ticket: u64,
    arm: usize,
    values: Vec<f64>,
}

impl Ord for UnderWay {
    fn cmp(&self, other: &Self) -> Ordering {
        other.end.total_cmp(&self.end).then(other.ticket.cmp(&self.ticket))
    }
}

impl PartialOrd for UnderWay {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for UnderWay {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for UnderWay {}

impl Simulation {
    /// The replication of this number with measurements side by side. At the limit on samples no more are begun.
    pub fn run_side_by_side(&self, index: u64, how: SideBySide) -> SideBySideRun {
        let mut settings = self.settings.clone();
        settings.seed = mixed(self.settings.seed, 2 * index);
        let mut noise = Xoshiro256PlusPlus::seed_from_u64(mixed(self.settings.seed, 2 * index + 1));
        let mut study = Study::new(self.problem.clone(), settings).expect("checked when the simulation was made");
        let (mut line, mut under_way) = (InOrder::new(), BinaryHeap::new());
        let (mut now, mut begun, mut finished) = (0.0, 0, 0);
        let longest = match how.counting {
            Counting::AsAsked { ahead } => ahead.get(),
            Counting::AsFinished => usize::MAX,
        };
        loop {
            while under_way.len() < how.at_once.get() && line.len() < longest && begun < self.max_samples {
                let arm = study.ask();
                let mut values = vec![0.0; self.problem.objective_count()];
                self.observe(arm, &mut noise, &mut values);
                let end = now + how.durations.draw(values[0], &mut noise);
                begun += 1;
                under_way.push(UnderWay { end, ticket: line.ask(), arm, values });
            }
            let Some(UnderWay { end, ticket, arm, values }) = under_way.pop() else { break };
            now = end;
            finished += 1;
            match how.counting {
                Counting::AsAsked { .. } => line.tell(ticket, (arm, values)).expect("it is under way"),
                Counting::AsFinished => {
                    line.give_up(ticket).expect("it is under way");
                    study.tell(arm, &values).expect("simulated observations are finite");
                }
            }
            while !study.stopped()
                && let Some((arm, values)) = line.next()
            {
                study.tell(arm, &values).expect("simulated observations are finite");
            }
            if study.stopped() {
                break;
            }
        }
        let outcome = self.outcome(&mut study, Ending::Threshold);
        SideBySideRun { begun, finished, counted: study.tally().total(), time: now, outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_their_means() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for law in DurationLaw::ALL {
            let draws = 200_000;
            let mean = (0..draws).map(|_| law.draw(1.0, &mut rng)).sum::<f64>() / f64::from(draws);
            // The heaviest has a variance of e^2.25 − 1 = 8.5: a standard error of 0.0065.
            assert!((mean - 1.0).abs() < 0.04, "{}: {mean}", law.name());
        }
        assert_eq!(DurationLaw::Value.draw(-1.0, &mut rng), 0.0);
    }
}
