//! The decisions of version 0.1, which must stay the same for ever: the arms asked for and when the study stops, on three instances.
//!
//! The file was written by version 0.1 and says all that it takes to repeat its runs: the problem, the means, and the decisions of each rule.
//! A difference is a change of behaviour for everybody who has fixed a seed.

use std::num::NonZeroU64;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Deserialize;
use surefront::{
    Ape, Arm, Dual, Goal, Noise, Objective, Problem, Rule, Settings, Stopping, Study, Stylized, TrackAndStop, Tracking,
    Uniform,
};

const GOLDEN: &str = include_str!("../data/decisions-0.1.json");

/// The seed of the study's random numbers, and that of the noise.
const SEEDS: (u64, u64) = (17, 18);
const DELTA: f64 = 0.1;
/// How many decisions are compared.
const ROUNDS: usize = 2_000;
/// How many of them are written out; of the others there is a digest of every hundred.
const VERBATIM: usize = 200;
/// A study that has not stopped by then counts as not stopping.
const LIMIT: u64 = 60_000;

#[derive(Debug, Deserialize)]
struct Instance {
    name: String,
    goals: Vec<String>,
    /// By arm and objective; 0 for none.
    variances: Vec<Vec<f64>>,
    means: Vec<Vec<f64>>,
    decisions: Vec<Decisions>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Decisions {
    rule: String,
    first: Vec<usize>,
    digests: Vec<String>,
    stopped_at: Option<u64>,
    front: Vec<usize>,
}

impl Instance {
    fn problem(&self) -> Problem {
        let objectives = self.goals.iter().enumerate().map(|(j, goal)| {
            let goal = if goal == "min" { Goal::Min } else { Goal::Max };
            Objective::new(format!("y{j}"), goal, Noise::Unknown)
        });
        let noise = |&variance: &f64| if variance > 0.0 { Noise::Variance(variance) } else { Noise::Exact };
        let arms =
            self.variances.iter().enumerate().map(|(arm, own)| {
                Arm::named(format!("arm {arm}")).with_noise(own.iter().map(noise).collect::<Vec<_>>())
            });
        Problem::new(objectives.collect(), arms.collect()).unwrap()
    }

    fn decide(&self, name: &str) -> Decisions {
        let problem = self.problem();
        let (k, d) = (problem.arm_count(), problem.objective_count());
        let rule = match name {
            "dual" => Rule::Dual(Dual::default()),
            "track-and-stop" => {
                Rule::TrackAndStop(TrackAndStop::new(k, Tracking::Direct, NonZeroU64::new(10).unwrap()))
            }
            "ape" => Rule::Ape(Ape::new(k, d, DELTA).unwrap()),
            "uniform" => Rule::Uniform(Uniform),
            other => panic!("no golden decisions of {other}"),
        };
        let stopping = Stopping::Stylized(Stylized::new(DELTA).unwrap());
        let settings = Settings::new(rule, stopping).seed(SEEDS.0);
        let mut study = Study::new(problem, settings).unwrap();
        let mut noise = Xoshiro256PlusPlus::seed_from_u64(SEEDS.1);
        let mut arms = Vec::new();
        let mut stopped_at = None;
        while arms.len() < ROUNDS || (stopped_at.is_none() && study.tally().total() < LIMIT) {
            let arm = study.ask();
            arms.push(arm);
            let values: Vec<f64> = self.means[arm]
                .iter()
                .zip(&self.variances[arm])
                .map(|(mean, variance)| mean + variance.sqrt() * noise.sample::<f64, _>(StandardNormal))
                .collect();
            study.tell(arm, &values).unwrap();
            if study.stopped() && stopped_at.is_none() {
                stopped_at = Some(study.tally().total());
            }
        }
        Decisions {
            rule: name.into(),
            first: arms[..VERBATIM].to_vec(),
            digests: arms[VERBATIM..ROUNDS].chunks(100).map(digest).collect(),
            stopped_at,
            front: study.verdict().front,
        }
    }
}

/// FNV-1a of the indices.
fn digest(arms: &[usize]) -> String {
    let hash = arms
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &arm| (hash ^ arm as u64).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

#[test]
fn decisions_are_those_of_version_0_1() {
    let instances: Vec<Instance> = serde_json::from_str(GOLDEN).unwrap();
    assert_eq!(instances.len(), 3);
    for instance in &instances {
        for golden in &instance.decisions {
            assert_eq!(&instance.decide(&golden.rule), golden, "{}", instance.name);
        }
    }
}
