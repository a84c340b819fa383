//! Whether any certificate is ever wrong: success rates and counts, near ties included, every arm looked at again and again.
//!
//! The promise is about every certificate at any time, not about the answer at the end. So nothing is stopped: each run goes on for a number of samples, and is looked at whenever there are a quarter more of them,
//! at three risks. Half of the samples are taken of all arms in turn, half of the two that are hardest to tell apart, where a rule that serves the weakest claim would take them.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;
use surefront::{
    Arm, Front, Goal, Model, Noise, Objective, Problem, Record, Rule, Settings, Source, Standing, StoppingKind, Study,
    Weakest, chance_interval,
};
use surefront_study::words::number::{grouped, short};
use surefront_study::words::table::{Align, TextTable, Width};

use super::law::{Law, Laws};
use super::only::chosen;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{Bracket, MOST_RUNS, Workers, counted};

/// The risks that every run is judged at.
const DELTAS: [f64; 3] = [0.1, 0.01, 0.001];
/// A run is looked at when there are so many times as many samples as the last time.
const PACE: f64 = 1.25;
/// The first look is at so many samples of each arm.
const FIRST: u64 = 5;

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificatesOptions {
    /// Runs in each row.
    pub runs: u64,
    /// Only conditions in whose name this occurs.
    pub only: Option<String>,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for CertificatesOptions {
    fn default() -> Self {
        CertificatesOptions { runs: 200, only: None, seed: 1, jobs: None }
    }
}

/// How the means of the arms lie between the two of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Two arms, the second ahead in every objective.
    Apart,
    /// Two arms a fiftieth of the difference apart, the second ahead in the first objective, behind in the next.
    NearTie,
    /// So many, some of them a fiftieth of the difference apart.
    Many(usize),
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Apart, Shape::NearTie, Shape::Many(5), Shape::Many(20)];

    fn arms(self) -> usize {
        match self {
            Shape::Apart | Shape::NearTie => 2,
            Shape::Many(arms) => arms,
        }
    }

    /// Where an arm lies between the two means: no two arms at the same place.
    fn place(self, arm: usize, objective: usize) -> f64 {
        const PLACES: [f64; 5] = [0.5, 0.52, 0.0, 1.0, 0.98];
        let (k, first) = (arm as f64, objective.is_multiple_of(2));
        match self {
            Shape::Apart => k,
            Shape::NearTie => 0.5 + if first { 0.02 * k } else { -0.02 * k },
            // The first two are neighbours in every objective, in turn.
            Shape::Many(_) if arm < 2 => 0.5 + if first { 0.02 * k } else { -0.02 * k },
            Shape::Many(_) => PLACES[(arm * (objective + 2) + objective) % PLACES.len()] + 0.003 * k,
        }
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
struct Measured {
    name: &'static str,
    law: fn(f64) -> Law,
    noise: Noise,
    means: (f64, f64),
    /// In each run.
    samples: u64,
}

const MEASURED: [Measured; 5] = [
    Measured {
        name: "rates .45 and .55",
        law: Law::Coin,
        noise: Noise::Bernoulli,
        means: (0.45, 0.55),
        samples: 2_000,
    },
    Measured {
        name: "rates .01 and .02",
        law: Law::Coin,
        noise: Noise::Bernoulli,
        means: (0.01, 0.02),
        samples: 4_000,
    },
    Measured {
        name: "rates .995 and .999",
        law: Law::Coin,
        noise: Noise::Bernoulli,
        means: (0.995, 0.999),
        samples: 4_000,
    },
    Measured { name: "counts of .1 and .2", law: Law::Count, noise: Noise::Poisson, means: (0.1, 0.2), samples: 1_200 },
    Measured { name: "counts of 50 and 55", law: Law::Count, noise: Noise::Poisson, means: (50.0, 55.0), samples: 400 },
];

/// Conditions.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    measured: Measured,
    shape: Shape,
    objectives: usize,
    /// Whether the study is told what noise it is.
    told: bool,
}

impl Case {
    fn all() -> Vec<Case> {
        let mut cases = Vec::new();
        for told in [true, false] {
            for measured in MEASURED {
                for shape in Shape::ALL {
                    for objectives in 1..=3 {
                        let shown = match shape {
                            Shape::Apart => "2 arms".to_owned(),
                            Shape::NearTie => "2 arms, near tie".to_owned(),
                            Shape::Many(arms) => format!("{arms} arms, near ties"),
                        };
                        let noise = if told { "" } else { ", nothing said" };
                        let name = format!("{}, {shown}, d = {objectives}{noise}", measured.name);
                        cases.push(Case { name, measured, shape, objectives, told });
                    }
                }
            }
        }
        cases
    }

    fn means(&self) -> Vec<Vec<f64>> {
        let (one, two) = self.measured.means;
        // Places may be a little beyond the second mean; of .999 that is still a rate.
        let mean = |arm: usize, j: usize| one + (two - one) * self.shape.place(arm, j);
        (0..self.shape.arms()).map(|arm| (0..self.objectives).map(|j| mean(arm, j)).collect()).collect()
    }

    fn problem(&self) -> Problem {
        let noise = if self.told { self.measured.noise } else { Noise::Unknown };
        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, noise);
        let arms = (0..self.shape.arms()).map(|k| Arm::named(format!("a{k}"))).collect();
        Problem::new((0..self.objectives).map(objective).collect(), arms).expect("names differ")
    }

    /// One run: what became of it, by risk.
    fn run(&self, seed: u64, index: u64) -> [Seen; 3] {
        let (problem, means) = (self.problem(), self.means());
        let truth = Front::of(&Model::new(&problem, &means).expect("the means are of their kind"));
        let laws = Laws(means.iter().map(|row| row.iter().map(|&mean| (self.measured.law)(mean)).collect()).collect());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let stops = DELTAS.map(|delta| StoppingKind::Certified.stopping(delta).expect("it is a probability"));
        // Where nothing is learned, what is recorded is the same at every risk.
        let (arms, learns) = (self.shape.arms(), (self.shape.arms() - 1) * self.objectives > 2);
        let kept = if learns { &stops[..] } else { &stops[..1] };
        let mut records: Vec<Record> = kept.iter().map(|stop| Record::new(&problem, stop)).collect();
        let mut seen = [Seen::default(); 3];
        let mut values = vec![0.0; self.objectives];
        let mut next = FIRST * arms as u64;
        for sample in 0..self.measured.samples {
            let (turn, is_pair) = ((sample / 2) as usize, sample % 2 == 1);
            let arm = if is_pair { turn % 2 } else { turn % arms };
            laws.observe(arm, &mut rng, &mut values);
            for record in &mut records {
                record.add(&problem, arm, &values).expect("simulated observations are of their kind");
            }
            if sample + 1 < next && sample + 1 < self.measured.samples {
                continue;
            }
            next = ((next as f64 * PACE).ceil() as u64).max(sample + 2);
            for ((record, stop), seen) in records.iter().cycle().zip(&stops).zip(&mut seen) {
                let settings = Settings::new(Rule::Weakest(Weakest::default()), stop.clone());
                let study =
                    Study::with_observations(problem.clone(), settings, record.clone(), vec![0; arms], &[], None);
                seen.look(&truth, &mut study.expect("all are of one problem"));
            }
        }
        seen
    }
}

/// What became of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Whether some certificate was wrong at some look; some arm was certified; all were.
    wrong: bool,
    some: bool,
    all: bool,
}

impl Seen {
    fn look(&mut self, truth: &Front, study: &mut Study) {
        let assessment = study.assessment();
        let mut all = true;
        for (arm, certificate) in assessment.arms.iter().enumerate() {
            if !certificate.certain {
                all = false;
                continue;
            }
            self.some = true;
            self.wrong |= (certificate.standing == Some(Standing::In)) != truth.contains(arm);
        }
        self.all |= all;
    }
}

/// One kind of conditions at one risk.
#[derive(Clone, Debug, Serialize)]
pub struct CertificatesRow {
    /// The conditions.
    pub conditions: String,
    /// The accepted chance of any wrong certificate.
    pub delta: f64,
    /// Samples in each run.
    pub samples: u64,
    /// Runs finished.
    pub runs: u64,
    /// Runs in which some certificate was wrong at some look.
    pub wrong: u64,
    /// A 95 % interval for the chance of that.
    pub wrong_rate: Bracket,
    /// Runs in which some arm was certified.
    pub some: u64,
    /// Runs in which all arms were, at some look.
    pub all: u64,
}

/// Certificates under all conditions.
#[derive(Clone, Debug, Serialize)]
pub struct Certificates {
    /// "certificates".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Three for each kind of conditions.
    pub rows: Vec<CertificatesRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &CertificatesOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Certificates, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let cases = chosen(Case::all(), options.only.as_deref(), |case| case.name.clone())?;
    let wanted = cases.len() as u64 * options.runs;
    observer.begin(wanted, Steps::Runs);
    let mut rows = Vec::new();
    let mut finished = 0;
    for case in &cases {
        observer.message(&case.name);
        let runs = workers.each(
            0..options.runs,
            |index| case.run(options.seed, index),
            |_| {
                observer.advance(1);
                ControlFlow::Continue(())
            },
        );
        finished += runs.len() as u64;
        for (place, delta) in DELTAS.into_iter().enumerate() {
            let count = |is: fn(&Seen) -> bool| runs.iter().filter(|run| is(&run[place])).count() as u64;
            let wrong = count(|seen| seen.wrong);
            let (lower, upper) = chance_interval(wrong, runs.len() as u64);
            rows.push(CertificatesRow {
                conditions: case.name.clone(),
                delta,
                samples: case.measured.samples,
                runs: runs.len() as u64,
                wrong,
                wrong_rate: Bracket { lower, upper },
                some: count(|seen| seen.some),
                all: count(|seen| seen.all),
            });
        }
    }
    observer.end();
    let missing = Unfinished { rule: None, steps: Steps::Runs, finished, wanted, rest: None };
    Ok(Certificates {
        experiment: "certificates",
        seed: options.seed,
        rows,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

impl Findings for Certificates {
    fn text(&self, width: Width) -> String {
        let mut table = TextTable::new(&[
            ("conditions", Align::Left),
            ("δ", Align::Right),
            ("runs", Align::Right),
            ("wrong", Align::Right),
            ("some certified", Align::Right),
            ("all", Align::Right),
            ("samples", Align::Right),
        ]);
        for row in self.rows.iter().filter(|row| row.runs > 0) {
            table.push(vec![
                row.conditions.clone(),
                short(row.delta),
                grouped(row.runs),
                counted(row.wrong, (row.wrong_rate.lower, row.wrong_rate.upper)),
                grouped(row.some),
                grouped(row.all),
                grouped(row.samples),
            ]);
        }
        format!("{}\n{NOTES}\n", rendered(&table, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

const NOTES: &str = "\
Wrong: runs in which any arm was certified wrongly at any look, with a 95 % interval for the chance of that; some, all: runs in which some arm, or all of them, were certified.
Each run goes on for so many samples, whatever was certified: half of them of all arms in turn, half of two near ties; looked at whenever there are a quarter more. The three risks are judged on the same runs.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_arms_tie_and_all_means_are_of_their_kind() {
        for case in Case::all() {
            let (problem, means) = (case.problem(), case.means());
            assert!(Model::new(&problem, &means).is_ok(), "{}", case.name);
            for j in 0..case.objectives {
                let mut column: Vec<f64> = means.iter().map(|row| row[j]).collect();
                column.sort_by(f64::total_cmp);
                assert!(column.windows(2).all(|pair| pair[0] < pair[1]), "{}", case.name);
                assert!(case.measured.noise != Noise::Bernoulli || column[column.len() - 1] < 1.0, "{}", case.name);
            }
        }
    }

    /// A certificate that contradicts the truth is counted.
    #[test]
    fn wrong_certificates_are_seen() {
        let case = &Case::all()[0];
        let problem = case.problem();
        let stop = StoppingKind::Certified.stopping(0.1).unwrap();
        let mut record = Record::new(&problem, &stop);
        for round in 0..400u32 {
            record.add(&problem, 0, &[f64::from(u8::from(!round.is_multiple_of(10)))]).unwrap();
            record.add(&problem, 1, &[f64::from(u8::from(round.is_multiple_of(10)))]).unwrap();
        }
        let settings = Settings::new(Rule::Weakest(Weakest::default()), stop);
        let mut study = Study::with_observations(problem.clone(), settings, record, vec![0; 2], &[], None).unwrap();
        for (front, wrong) in [([0.9, 0.1], false), ([0.1, 0.9], true)] {
            let truth = Front::of(&Model::new(&problem, &front.map(|mean| [mean])).unwrap());
            let mut seen = Seen::default();
            seen.look(&truth, &mut study);
            assert!(seen.some && seen.all && seen.wrong == wrong);
        }
    }
}
