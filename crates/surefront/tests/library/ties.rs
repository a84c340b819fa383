//! Arms that nothing can tell apart do not keep the others waiting.

use crate::effort;
use crate::instances::problem;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{Front, Model, Noise, Problem, RuleKind, Settings, Standing, StoppingKind, Study};

/// How many arms are settled after so many observations; none of the front is said to be out.
fn settled(problem: &Problem, truth: &Model, rule: RuleKind, budgets: &[u64], seed: u64) -> Vec<usize> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let settings = Settings::new(rule.rule(problem, 0.05).unwrap(), StoppingKind::Certified.stopping(0.05).unwrap());
    let mut study = Study::new(problem.clone(), settings.seed(seed)).unwrap();
    let front = Front::of(truth);
    let look = |&budget: &u64| {
        while study.tally().total() < budget {
            let arm = study.ask();
            let values: Vec<f64> =
                truth.row(arm).iter().map(|mean| mean + rng.sample::<f64, _>(StandardNormal)).collect();
            study.tell(arm, &values).unwrap();
        }
        let arms = study.assessment().arms;
        let certain = arms.iter().enumerate().filter(|(_, certificate)| certificate.certain);
        // Either of two that are equal may be said to be in.
        let wrong = |arm: usize, standing| front.contains(arm) && standing == Some(Standing::Out);
        certain.inspect(|&(arm, known)| assert!(!wrong(arm, known.standing), "seed {seed}, arm {arm}")).count()
    };
    budgets.iter().map(look).collect()
}

/// Two equal arms on the front, one that is far from both on it, three behind. Before the cheap ones were served first, none of the
/// six was settled after 8,000 observations. Four are in reach, and the seeds are fixed.
#[test]
fn two_equal_arms_do_not_starve_the_others() {
    let problem = problem(6, 2, Noise::Variance(1.0));
    let means = [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.2, 0.3], [0.5, 0.5], [2.0, -1.0]];
    let truth = Model::new(&problem, &means).unwrap();
    for seed in 0..10 {
        let settled = settled(&problem, &truth, RuleKind::Weakest, &[2_000], seed);
        assert!(settled[0] >= 4, "seed {seed}: {settled:?}");
    }
}

/// Three near ties and six arms that are far behind, of variances that nobody knows: the ties hold up the lesson, and until what is far was settled all the same, two of the six were after
/// 3,000 observations. The seeds are fixed.
#[test]
fn ties_do_not_starve_arms_of_unknown_variance() {
    let problem = problem(12, 2, Noise::Unknown);
    let near = [[0.0, 3.0], [0.0, 3.0], [1.5, 1.5], [1.8, 1.499], [3.0, 0.0], [2.6, -0.001]];
    let far = (0..6).map(|i| [-4.0 - f64::from(i), -3.0 - 0.5 * f64::from(i)]);
    let means: Vec<[f64; 2]> = near.into_iter().chain(far).collect();
    let truth = Model::new(&problem, &means).unwrap();
    let settled: Vec<usize> =
        (0..5).map(|seed| settled(&problem, &truth, RuleKind::Weakest, &[3_000], seed)[0]).collect();
    assert!(settled.iter().sum::<usize>() >= 25, "{settled:?}");
}

/// With ties of two and of three arms, on the front and off it, as many are settled as by measuring all arms in turn. On 100 such instances (`reproduce ties` has others) it is 0.1 arms more on average, with
/// a standard deviation below 1 in one run: of 72 runs, at three budgets, in long mode, and at two otherwise, fewer would have a chance of some 10 %. The seeds are fixed.
#[test]
fn no_fewer_are_settled_than_by_measuring_all_in_turn() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let budgets: &[u64] = effort::either(&[1_000, 3_000][..], &[1_000, 3_000, 8_000]);
    let (mut ours, mut uniform) = (0, 0);
    for seed in 0..12u64 {
        let (k, d) = (rng.random_range(4..8), rng.random_range(1..4));
        let mut means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| rng.sample(StandardNormal)).collect()).collect();
        let twin = means[rng.random_range(0..k)].clone();
        (0..=seed % 2).for_each(|_| means.push(twin.clone()));
        let problem = problem(means.len(), d, Noise::Variance(1.0));
        let truth = Model::new(&problem, &means).unwrap();
        let of_run = |rule, run: u64| settled(&problem, &truth, rule, budgets, 100 * run + seed);
        let count = |rule| (0..6).flat_map(|run| of_run(rule, run)).sum::<usize>();
        ours += count(RuleKind::Weakest);
        uniform += count(RuleKind::Uniform);
    }
    assert!(ours >= uniform, "{ours} against {uniform}");
}
