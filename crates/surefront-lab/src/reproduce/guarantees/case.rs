//! The conditions under which the promise is put to the test.

use std::num::NonZeroUsize;

use surefront::{
    Arm, Goal, Model, Noise, NoiseLaw, Objective, Problem, Promise, Settings, Simulation, Statistic, StoppingKind,
};

use super::super::law::{Law, Laws};

/// Whether the conditions are among those that a proof assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// Yes, or the study sees that they are not and comes to no verdict.
    Assumed,
    /// No: nothing can promise the mean of such laws. The data may show it.
    Beyond,
}

/// What the arms are.
#[derive(Clone, Debug)]
enum Arms {
    /// Of these laws, in one objective; the study is given their variances, or not.
    Laws { goal: Goal, laws: Vec<Law>, known: bool },
    /// Of these laws, in one objective, of which medians are compared.
    Medians { goal: Goal, laws: Vec<Law> },
    /// Gaussian of unit variance, which the study is given, with these means.
    Gaussian { means: Vec<Vec<f64>>, law: NoiseLaw },
    /// Of these kinds of noise, which the study is told, with these means.
    Kinds { kinds: Vec<Noise>, means: Vec<Vec<f64>> },
}

/// Conditions.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub name: String,
    pub ground: Ground,
    pub delta: f64,
    /// Measurements at a time, whose value is how long they take.
    pub at_once: Option<NonZeroUsize>,
    /// A run with more of them comes to no verdict.
    pub max_samples: u64,
    /// One of so many runs, where they take long.
    seldom: u64,
    /// Hundreds of arms are on the front.
    pub crowded: bool,
    arms: Arms,
}

/// Of a crowded front one of so many runs, where what is promised is proved: they take long, and what is only likely needs them more.
const SELDOM_IF_PROVED: u64 = 25;

impl Case {
    fn of_laws(name: impl Into<String>, delta: f64, laws: [Law; 2]) -> Self {
        Case {
            name: name.into(),
            ground: Ground::Assumed,
            delta,
            at_once: None,
            max_samples: 5_000,
            seldom: 1,
            crowded: false,
            arms: Arms::Laws { goal: Goal::Max, laws: laws.to_vec(), known: false },
        }
    }

    fn gaussian(name: impl Into<String>, means: Vec<Vec<f64>>, law: NoiseLaw) -> Self {
        Case {
            name: name.into(),
            ground: Ground::Assumed,
            delta: 0.1,
            at_once: None,
            max_samples: 1_000_000,
            seldom: 1,
            crowded: false,
            arms: Arms::Gaussian { means, law },
        }
    }

    fn kinds(name: &str, delta: f64, kinds: &[Noise], means: Vec<Vec<f64>>) -> Self {
        Case {
            name: format!("{name}, δ = {delta}"),
            ground: Ground::Assumed,
            delta,
            at_once: None,
            max_samples: 50_000,
            seldom: 1,
            crowded: false,
            arms: Arms::Kinds { kinds: kinds.to_vec(), means },
        }
    }

    /// Success rates, counts and times that are called so: two arms, and more of them with near ties.
    fn of_all_kinds() -> Vec<Case> {
        use Noise::{Bernoulli, Exponential, Poisson};
        let mut cases = Vec::new();
        for delta in [0.1, 0.01, 0.001] {
            for (name, kind, one, two) in [
                ("bernoulli: .45 and .55", Bernoulli, 0.45, 0.55),
                ("bernoulli: .01 and .02", Bernoulli, 0.01, 0.02),
                ("bernoulli: .995 and .999", Bernoulli, 0.995, 0.999),
                ("poisson: .1 and .2", Poisson, 0.1, 0.2),
                ("poisson: 50 and 55", Poisson, 50.0, 55.0),
                ("exponential: 1 and 1.3", Exponential, 1.0, 1.3),
            ] {
                cases.push(Case::kinds(name, delta, &[kind], vec![vec![one], vec![two]]));
            }
            let soon = |name: &str, kinds: &[Noise], means: Vec<Vec<f64>>| Case {
                max_samples: 5_000,
                ..Case::kinds(name, delta, kinds, means)
            };
            cases.push(soon("bernoulli: near tie of .5 and .502", &[Bernoulli], vec![vec![0.5], vec![0.502]]));
            cases.push(soon("poisson: near tie of .1 and .1005", &[Poisson], vec![vec![0.1], vec![0.1005]]));
            cases.push(soon("5 arms, two kinds, near ties", &[Bernoulli, Poisson], near_ties(5, &[0.3, 2.0])));
            let (all, base) = ([Bernoulli, Poisson, Exponential], [0.7, 0.5, 3.0]);
            cases.push(Case { seldom: 5, ..soon("20 arms, three kinds, near ties", &all, near_ties(20, &base)) });
        }
        cases
    }

    /// Two services, whose time is measured, so many at once: the quick requests of the slower one come first.
    fn durations(at_once: usize, known: bool) -> Self {
        let told = if known { "true variances" } else { "unknown variances" };
        let laws = vec![Law::Exponential(1.0), Law::UpTo(1.7)];
        Case {
            at_once: NonZeroUsize::new(at_once),
            max_samples: 20_000,
            arms: Arms::Laws { goal: Goal::Min, laws, known },
            ..Case::of_laws(format!("durations, {at_once} at a time, {told}"), 0.1, [Law::Always(0.0); 2])
        }
    }

    /// Arms of which medians are compared.
    fn medians(name: &str, goal: Goal, laws: Vec<Law>) -> Self {
        let arms = Arms::Medians { goal, laws };
        Case { arms, max_samples: 20_000, ..Case::of_laws(format!("medians: {name}"), 0.1, [Law::Always(0.0); 2]) }
    }

    /// One of so many runs with this threshold.
    pub fn seldom_with(&self, threshold: StoppingKind) -> u64 {
        if self.crowded && threshold.promise() == Promise::Proved { SELDOM_IF_PROVED } else { self.seldom }
    }

    /// Whether a threshold is for what is compared.
    pub fn suits(&self, threshold: StoppingKind) -> bool {
        !matches!(self.arms, Arms::Medians { .. }) || threshold == StoppingKind::Certified
    }

    /// All of them.
    pub fn all() -> Vec<Case> {
        let mut cases = vec![Case::durations(16, false)];
        cases.extend([1, 16, 64].map(|at_once| Case::durations(at_once, true)));
        cases.extend([
            Case::of_laws("0/1: .98 and .99", 0.01, [Law::Coin(0.98), Law::Coin(0.99)]),
            Case::of_laws("counts of mean .1 and .15", 0.01, [Law::Count(0.1), Law::Count(0.15)]),
            Case::of_laws(
                "a constant .5, and 0 with 1 % of 100",
                0.01,
                [Law::Always(0.5), Law::Spikes { chance: 0.01, height: 100.0 }],
            ),
            Case::of_laws(
                "fine values around .1, and 0 with 1 % of 20",
                0.01,
                [Law::Gaussian(0.1, 0.001), Law::Spikes { chance: 0.01, height: 20.0 }],
            ),
            Case {
                max_samples: 4,
                ..Case::of_laws("four rows: 1, 1 and 0, 0", 1e-12, [Law::Always(1.0), Law::Always(0.0)])
            },
        ]);
        cases.extend([8, 10, 20].map(|d| {
            let means = vec![vec![0.0; d], vec![0.1; d]];
            Case::gaussian(format!(".1 apart in all of {d} objectives"), means, NoiseLaw::Gaussian)
        }));
        cases.push(Case::gaussian(
            ".1 apart in 4 objectives, correlations ±.99",
            vec![vec![0.0; 4], vec![0.1; 4]],
            NoiseLaw::Opposed,
        ));
        cases.extend([(0.1, 1), (0.03, 4)].map(|(gap, seldom)| {
            let name = format!("4 near rivals, {gap} from dominating in an objective each");
            Case { seldom, ..Case::gaussian(name, rivals(4, gap), NoiseLaw::Gaussian) }
        }));
        let many = Case::gaussian("300 pairs, .3 apart", pairs(300, 0.3), NoiseLaw::Gaussian);
        cases.push(Case { seldom: 2, crowded: true, ..many });
        cases.extend(Case::of_all_kinds());
        let ladder =
            |law: fn(f64) -> Law, count: u32, step: f64| (0..count).map(|k| law(step * f64::from(k))).collect();
        cases.extend([
            Case::medians("Gaussian, .3 apart", Goal::Max, ladder(|at| Law::Gaussian(at, 1.0), 2, 0.3)),
            Case::medians("20 of Student's t (3), .5 apart", Goal::Max, ladder(Law::Student, 20, 0.5)),
            Case::medians(
                "lognormal (1.5), a tenth apart; less is better",
                Goal::Min,
                vec![Law::LogNormal(1.0, 1.5), Law::LogNormal(1.1, 1.5)],
            ),
            Case::medians(
                "10 % stalls, .1 apart; less is better",
                Goal::Min,
                ladder(|at| Law::Stalls(at, 20.0), 5, 0.1),
            ),
            Case::medians("rounded to whole numbers, 1 apart", Goal::Max, ladder(Law::Rounded, 5, 1.0)),
            Case::medians("rounded, tied", Goal::Max, vec![Law::Rounded(0.0), Law::Rounded(0.2)]),
            Case::medians("coins, .5 and .5", Goal::Max, vec![Law::Coin(0.5); 2]),
        ]);
        let beyond = |name, laws| Case { ground: Ground::Beyond, ..Case::of_laws(name, 0.1, laws) };
        cases.extend([
            beyond(
                "skewed: lognormal (2), mean 1; Gaussian, mean .8",
                [Law::LogNormal(1.0, 2.0), Law::Gaussian(0.8, 0.5)],
            ),
            beyond("skewed: exponential, mean 1; Gaussian, mean .9", [Law::Exponential(1.0), Law::Gaussian(0.9, 0.3)]),
            beyond(
                "rare huge outliers: .2 % of 10,000, mean 20; Gaussian, mean 15",
                [Law::Outliers { chance: 0.002, more: 10_000.0 }, Law::Gaussian(15.0, 1.0)],
            ),
        ]);
        cases
    }

    /// The study to be replicated.
    pub fn simulation(&self, settings: Settings) -> Simulation {
        let make = |problem: Problem, means: &[Vec<f64>]| {
            let truth = Model::new(&problem, means).expect("the means are finite");
            Simulation::new(problem, truth, settings, self.max_samples).expect("all are of one size")
        };
        match &self.arms {
            Arms::Laws { goal, laws, known } => {
                let noise = |law: &Law| if *known { Noise::Variance(law.variance()) } else { Noise::Unknown };
                let objectives = vec![Objective::new("y", *goal, noise(&laws[0]))];
                let arm = |(k, law): (usize, &Law)| Arm::named(format!("a{k}")).with_noise(vec![noise(law)]);
                let means: Vec<Vec<f64>> = laws.iter().map(|law| vec![law.mean()]).collect();
                make(problem(objectives, laws.iter().enumerate().map(arm).collect()), &means).with_source(alone(laws))
            }
            Arms::Medians { goal, laws } => {
                let objectives = vec![Objective::new("y", *goal, Noise::Any).with_statistic(Statistic::MEDIAN)];
                let arms = (0..laws.len()).map(|k| Arm::named(format!("a{k}"))).collect();
                let medians: Vec<Vec<f64>> = laws.iter().map(|law| vec![law.median()]).collect();
                make(problem(objectives, arms), &medians).with_source(alone(laws))
            }
            Arms::Gaussian { means, law } => {
                let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
                let objectives = (0..means[0].len()).map(objective).collect();
                let problem = problem(objectives, (0..means.len()).map(|k| Arm::named(format!("a{k}"))).collect());
                make(problem.clone(), means).with_noise(*law, problem).expect("the variances are known")
            }
            Arms::Kinds { kinds, means } => {
                let objective = |(j, &kind): (usize, &Noise)| Objective::new(format!("y{j}"), Goal::Max, kind);
                let objectives = kinds.iter().enumerate().map(objective).collect();
                make(problem(objectives, (0..means.len()).map(|k| Arm::named(format!("a{k}"))).collect()), means)
            }
        }
    }
}

/// In one objective.
fn alone(laws: &[Law]) -> Laws {
    Laws(laws.iter().map(|&law| vec![law]).collect())
}

fn problem(objectives: Vec<Objective>, arms: Vec<Arm>) -> Problem {
    Problem::new(objectives, arms).expect("names differ and variances are positive")
}

/// Arms around these means, some a tenth off, most within a hundredth of each other; none equal in all objectives.
fn near_ties(arms: usize, base: &[f64]) -> Vec<Vec<f64>> {
    let off =
        |k: usize, j: usize| 0.1 * ((k * (j + 2)) % 3) as f64 + 0.01 * ((k * (j + 1)) % 5) as f64 + 0.001 * k as f64;
    (0..arms).map(|k| base.iter().enumerate().map(|(j, mean)| mean * (1.0 + off(k, j))).collect()).collect()
}

/// An arm, and as many others as there are objectives: each is far ahead of it but in one objective, another for each, where it is behind by `gap`.
fn rivals(objectives: usize, gap: f64) -> Vec<Vec<f64>> {
    let rival = |own: usize| (0..objectives).map(|j| if j == own { -gap } else { 3.0 }).collect();
    std::iter::once(vec![0.0; objectives]).chain((0..objectives).map(rival)).collect()
}

/// Arms in pairs along a front: in each, one dominates the other by `gap`.
fn pairs(count: usize, gap: f64) -> Vec<Vec<f64>> {
    let step = 10.0;
    let pair = |place: usize| {
        let (x, y) = (step * place as f64, -step * place as f64);
        [vec![x, y], vec![x - gap, y - gap]]
    };
    (0..count).flat_map(pair).collect()
}
