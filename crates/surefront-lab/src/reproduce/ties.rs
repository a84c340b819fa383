//! Arms that nothing can tell apart: what else is settled meanwhile, beside measuring all arms in turn; and the end, once small differences do not matter.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use surefront::{Margin, Model, Objective, Problem, RuleKind, Settings, Simulation, StoppingKind, Summary};
use surefront_study::words::number::{grouped, samples, short};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{arms, means, objectives};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{MOST_RUNS, Workers, mistakes};

const INSTANCE_SEED: u64 = 2031;
/// How many random instances.
const RANDOM: usize = 20;
const DELTA: f64 = 0.05;
const BUDGETS: [u64; 7] = [250, 500, 1000, 1500, 2000, 4000, 8000];
/// Two equal arms on the front, one that is far from both on it, three behind.
const KNOWN: [[f64; 2]; 6] = [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.2, 0.3], [0.5, 0.5], [2.0, -1.0]];
/// In both objectives of these.
const MARGIN: f64 = 0.1;
const MAX_SAMPLES: u64 = 10_000_000;
/// Runs on the known instance for each on a random one, and those with the margin.
const MORE: (u64, u64) = (10, 25);
const THRESHOLD: StoppingKind = StoppingKind::Certified;

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiesOptions {
    /// Runs of each rule on each random instance; ten times as many on the known one, 25 times with the margin.
    pub runs: u64,
    /// Start of the random numbers of the runs; the instances are always the same.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for TiesOptions {
    fn default() -> Self {
        TiesOptions { runs: 40, seed: 1, jobs: None }
    }
}

/// Means of which some are equal.
#[derive(Clone, Debug, PartialEq)]
struct Instance {
    means: Vec<Vec<f64>>,
}

impl Instance {
    fn known() -> Self {
        Instance { means: KNOWN.iter().map(|row| row.to_vec()).collect() }
    }

    /// Four to seven arms with standard normal means, and one or two more like one of them.
    fn random() -> Vec<Self> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(INSTANCE_SEED);
        let draw = |number: usize| {
            let (count, d) = (rng.random_range(4..8), rng.random_range(1..4));
            let mut means = means(&mut rng, count, d);
            let twin = means[rng.random_range(0..count)].clone();
            (0..=number % 2).for_each(|_| means.push(twin.clone()));
            Instance { means }
        };
        (0..RANDOM).map(draw).collect()
    }

    /// Studies by a rule, with this margin in every objective.
    fn simulation(&self, rule: RuleKind, margin: Margin, seed: u64) -> Simulation {
        let with_margin = |objective: Objective| objective.with_margin(margin);
        let objectives = objectives(self.means[0].len()).into_iter().map(with_margin).collect();
        let problem = Problem::new(objectives, arms(self.means.len())).expect("names differ");
        let truth = Model::new(&problem, &self.means).expect("they are finite");
        let rule = rule.rule(&problem, DELTA).expect("it is a probability");
        let settings = Settings::new(rule, THRESHOLD.stopping(DELTA).expect("it is a probability")).seed(seed);
        Simulation::new(problem, truth, settings, MAX_SAMPLES).expect("all are of one problem")
    }
}

/// How many arms have their verdict by then, on average.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SettledRow {
    /// After so many samples.
    pub samples: u64,
    /// By the rule that goes with the certified threshold.
    pub weakest: f64,
    /// By measuring all arms in turn.
    pub uniform: f64,
    /// How many more by the first.
    pub lead: f64,
    /// Its standard error over the runs, with the instances as they are.
    pub lead_se: f64,
    /// Of the runs of the first, the fewest.
    pub fewest: usize,
}

/// What ties keep from being settled.
#[derive(Clone, Debug, Serialize)]
pub struct Ties {
    /// "ties".
    pub experiment: &'static str,
    /// Start of the random numbers of the runs.
    pub seed: u64,
    /// Runs of each rule on each random instance.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// On the known instance.
    pub known: Vec<SettledRow>,
    /// The mean over the random ones.
    pub random: Vec<SettledRow>,
    /// The margin.
    pub margin: f64,
    /// With it, on the known instance: runs finished.
    pub with_margin_runs: u64,
    /// The mean number of samples.
    pub with_margin_mean: f64,
    /// Its standard error.
    pub with_margin_se: f64,
    /// Runs that ended with an answer that is wrong beyond the margin.
    pub with_margin_mistakes: u64,
    /// Runs that came to no answer.
    pub with_margin_undecided: u64,
    #[serde(skip)]
    with_margin: Summary,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &TiesOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Ties, LabError> {
    let TiesOptions { runs, seed, jobs } = *options;
    within("runs", runs, 1..=MOST_RUNS / MORE.1)?;
    let workers = Workers::new(jobs, interrupt)?;
    let wanted = runs * (2 * MORE.0 + 2 * RANDOM as u64 + MORE.1);
    observer.begin(wanted, Steps::Runs);
    let mut finished = 0;
    let mut settled = |instance: &Instance, runs: u64| {
        let of = |rule| {
            let simulation = instance.simulation(rule, Margin::NONE, seed);
            let count = |number| {
                let looks = simulation.settle(number, &BUDGETS);
                looks.iter().map(|look| look.certain.iter().filter(|&&certain| certain).count()).collect::<Vec<_>>()
            };
            workers.each(0..runs, count, |_| {
                observer.advance(1);
                ControlFlow::Continue(())
            })
        };
        let (weakest, uniform): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (of(RuleKind::Weakest), of(RuleKind::Uniform));
        finished += (weakest.len() + uniform.len()) as u64;
        rows(&weakest, &uniform)
    };
    observer.message("two equal arms");
    let known = settled(&Instance::known(), MORE.0 * runs);
    let each: Vec<Vec<SettledRow>> = (Instance::random().iter().enumerate())
        .map(|(number, instance)| {
            observer.message(&format!("instance {}", number + 1));
            settled(instance, runs)
        })
        .collect();
    observer.message("with a margin");
    let simulation = Instance::known().simulation(RuleKind::Weakest, Margin::Absolute(MARGIN), seed);
    let ended = workers.replicate(&simulation, 0..MORE.1 * runs, |_| {
        observer.advance(1);
        ControlFlow::Continue(())
    });
    finished += ended.len() as u64;
    observer.end();
    let with_margin = Summary::of(&ended);
    let rest = Unfinished { rule: None, steps: Steps::Runs, finished, wanted, rest: None };
    Ok(Ties {
        experiment: "ties",
        seed,
        runs,
        delta: DELTA,
        known,
        random: averaged(&each),
        margin: MARGIN,
        with_margin_runs: with_margin.runs,
        with_margin_mean: with_margin.mean,
        with_margin_se: with_margin.se,
        with_margin_mistakes: with_margin.mistakes,
        with_margin_undecided: with_margin.undecided,
        with_margin,
        unfinished: if finished < wanted { vec![rest] } else { Vec::new() },
    })
}

/// By budget, where both rules have runs; their numbers are paired.
fn rows(weakest: &[Vec<usize>], uniform: &[Vec<usize>]) -> Vec<SettledRow> {
    let n = weakest.len().min(uniform.len()) as f64;
    let row = |(place, &samples): (usize, &u64)| {
        let mean = |runs: &[Vec<usize>]| runs.iter().map(|run| run[place] as f64).sum::<f64>() / runs.len() as f64;
        let lead = |(one, other): (&Vec<usize>, &Vec<usize>)| one[place] as f64 - other[place] as f64;
        let leads: Vec<f64> = weakest.iter().zip(uniform).map(lead).collect();
        let mean_lead = leads.iter().sum::<f64>() / n;
        let squares = leads.iter().map(|lead| (lead - mean_lead).powi(2)).sum::<f64>();
        SettledRow {
            samples,
            weakest: mean(weakest),
            uniform: mean(uniform),
            lead: mean_lead,
            lead_se: (squares / (n - 1.0) / n).sqrt(),
            fewest: weakest.iter().map(|run| run[place]).min().unwrap_or(0),
        }
    };
    BUDGETS.iter().enumerate().map(row).collect()
}

/// Over instances.
fn averaged(each: &[Vec<SettledRow>]) -> Vec<SettledRow> {
    let n = each.len() as f64;
    let row = |(place, &samples): (usize, &u64)| {
        let mean = |of: fn(&SettledRow) -> f64| each.iter().map(|rows| of(&rows[place])).sum::<f64>() / n;
        SettledRow {
            samples,
            weakest: mean(|row| row.weakest),
            uniform: mean(|row| row.uniform),
            lead: mean(|row| row.lead),
            lead_se: (mean(|row| row.lead_se.powi(2)) / n).sqrt(),
            fewest: each.iter().map(|rows| rows[place].fewest).min().unwrap_or(0),
        }
    };
    BUDGETS.iter().enumerate().map(row).collect()
}

impl Findings for Ties {
    fn text(&self, width: Width) -> String {
        let known: Vec<String> = KNOWN.iter().map(|[x, y]| format!("({}, {})", short(*x), short(*y))).collect();
        let notes = format!(
            "Arms settled by then, {THRESHOLD} at δ = {DELTA}. On the left six arms, {}: {} runs of each rule. On the right {RANDOM} random instances,\n\
             four to seven arms with standard normal means in one to three objectives and one or two more like one of them: {} runs of each rule on each. Unit variances.\n\
             The first with a margin of {MARGIN} in both objectives, until it ends: {} samples ± {}, {} mistakes, {} undecided, of {} runs.\n",
            known.join(", "),
            grouped(MORE.0 * self.runs),
            grouped(self.runs),
            samples(self.with_margin.mean),
            samples(self.with_margin.se),
            mistakes(&self.with_margin),
            grouped(self.with_margin.undecided),
            grouped(self.with_margin.runs),
            THRESHOLD = THRESHOLD.name(),
        );
        format!("{}\n{notes}", table(&self.known, &self.random, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

fn table(known: &[SettledRow], random: &[SettledRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("samples", Align::Right),
        ("six arms: weakest", Align::Right),
        ("fewest", Align::Right),
        ("uniform", Align::Right),
        ("more", Align::Right),
        ("random: weakest", Align::Right),
        ("uniform", Align::Right),
        ("more", Align::Right),
    ]);
    let lead = |row: &SettledRow| format!("{:+.3} ± {:.3}", row.lead, row.lead_se);
    for (known, random) in known.iter().zip(random).filter(|(known, _)| known.lead.is_finite()) {
        table.push(vec![
            grouped(known.samples),
            format!("{:.2}", known.weakest),
            known.fewest.to_string(),
            format!("{:.2}", known.uniform),
            lead(known),
            format!("{:.2}", random.weakest),
            format!("{:.2}", random.uniform),
            lead(random),
        ]);
    }
    rendered(&table, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_has_equal_arms() {
        let random = Instance::random();
        assert_eq!(random.len(), RANDOM);
        for Instance { means } in random.iter().chain([&Instance::known()]) {
            assert!((0..means.len()).any(|k| means[..k].contains(&means[k])), "{means:?}");
        }
        assert_eq!(random, Instance::random());
    }

    /// By hand: leads 2 and 0.
    #[test]
    fn a_lead_is_over_pairs_of_runs() {
        let all = |count: usize| vec![count; BUDGETS.len()];
        let row = rows(&[all(3), all(1)], &[all(1), all(1)])[0];
        assert_eq!((row.weakest, row.uniform, row.lead, row.lead_se, row.fewest), (2.0, 1.0, 1.0, 1.0, 1));
        let mean = averaged(&[vec![row; BUDGETS.len()], vec![row; BUDGETS.len()]])[0];
        assert_eq!((mean.lead, mean.lead_se), (1.0, 0.5f64.sqrt()));
    }
}
