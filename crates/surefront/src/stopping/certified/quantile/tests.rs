//! Against every x that could matter, and at stopping times.

use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::duel::SLACK;
use super::excess::{FAR, STILL};
use super::*;
use crate::margin::Margin;
use crate::problem::{Arm, Noise, Objective};
use crate::reading::Reading;
use crate::statistic::Statistic;
use crate::stopping::certified::tilt::{ATOMS, Prior, TILTS};
use crate::testing::effort;

/// Of what each of two arms says alone.
const WEIGHT: f64 = 0.02;

fn problem(goal: Goal, level: f64) -> Problem {
    let statistic = Statistic::Quantile(Quantile::new(level).unwrap());
    let objective = Objective::new("x", goal, Noise::Any).with_statistic(statistic);
    Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap()
}

fn tally(problem: &Problem, arms: [&[Reading]; 2]) -> Tally {
    let mut tally = Tally::new(problem);
    for (arm, readings) in arms.iter().enumerate() {
        readings.iter().for_each(|reading| tally.add(problem, arm, &[reading.as_value()]).unwrap());
    }
    tally
}

/// ln Σ π exp(θ k − n ln(1 + q(e^θ − 1))), by its definition.
fn slow_mixture(prior: &Prior, chance: f64, n: usize, k: usize) -> f64 {
    let log = |tilt: f64| tilt * k as f64 - n as f64 * (1.0 + chance * (tilt.exp() - 1.0)).ln();
    let weighted = |i: usize| prior.weights()[i].ln() + log(TILTS[i]);
    let top = (0..ATOMS).map(weighted).fold(0.0, f64::max);
    let terms = (0..ATOMS).map(|i| (weighted(i) - top).exp());
    top + (STILL * (-top).exp() + (1.0 - STILL) * terms.sum::<f64>()).ln()
}

/// The least over every x that could matter, and some that could not: all values and limits, right behind them, and beyond. `low` is claimed to be below `high`.
fn slow_proof(level: f64, low: &[Reading], high: &[Reading]) -> f64 {
    let numbers = || low.iter().chain(high).map(|reading| reading.number());
    let candidates = numbers().flat_map(|x| [x.next_down(), x, x.next_up()]).chain([-1e9, 1e9]);
    let at = |x: f64| {
        let below = low.iter().filter(|reading| matches!(reading, Reading::Value(y) if *y < x)).count();
        // What may be at or below x is not above it.
        let above = high.iter().filter(|reading| match reading {
            Reading::Value(y) => *y > x,
            Reading::MoreThan(limit) => *limit >= x,
        });
        let above = above.count();
        let logs = SCALES.map(|scale| {
            let prior = |chance: f64| Prior::half_normal(1.0 / (scale * chance * (1.0 - chance)).sqrt());
            slow_mixture(&prior(level), level, low.len(), below)
                + slow_mixture(&prior(1.0 - level), 1.0 - level, high.len(), above)
        });
        // Each arm alone: as good as all of its values are on one side.
        let alone = |chance: f64, n: usize, k: usize| {
            let (tilt, n, k) = (FAR, n as f64, k as f64);
            tilt * k - n * (1.0 + chance * (tilt.exp() - 1.0)).ln()
        };
        let says = [alone(level, low.len(), below), alone(1.0 - level, high.len(), above)];
        let weigh = |logs: &[f64], weight: f64| logs.iter().map(|log| weight * log.exp()).sum::<f64>();
        (weigh(&logs, (1.0 - 2.0 * WEIGHT) / 3.0) + weigh(&says, WEIGHT)).ln()
    };
    candidates.map(at).fold(f64::INFINITY, f64::min)
}

fn readings() -> impl Strategy<Value = Vec<Reading>> {
    let reading = (-12i32..13, 0usize..12, prop::sample::select(&[1.0, 0.137][..]));
    let reading = reading.prop_map(|(number, kind, grain)| {
        let number = f64::from(number) * grain;
        if kind == 0 { Reading::MoreThan(number) } else { Reading::Value(number) }
    });
    prop::collection::vec(reading, 1..120)
}

proptest! {
    #![proptest_config(effort::cases(120, 400))]

    /// Also where all of very many values are on one side, and no tilt that fits has any weight.
    #[test]
    fn mixtures_are_those_of_the_definition(
        n in 1usize..20_000, part in 0.0..=1.0f64, q in prop::sample::select(&[0.5, 0.95, 0.01][..]), scale in 0.5..5e3f64,
    ) {
        let k = (part * part * n as f64) as usize;
        for k in [k, n - k, 0, n] {
            let fast = Excess::new(q, Few::one(scale), WEIGHT).shown(n, k).scales.list()[0];
            let slow = slow_mixture(&Prior::half_normal(1.0 / (scale * q * (1.0 - q)).sqrt()), q, n, k);
            prop_assert!((fast - slow).abs() < 1e-6 * (1.0 + slow.abs()), "{n} {k}: {fast} {slow}");
            prop_assert!(fast >= STILL.ln() - 1e-9);
        }
    }

    /// With ties, with values that are only known to be more than something, for goals of both kinds.
    #[test]
    fn the_least_is_that_of_every_candidate(
        one in readings(), two in readings(), apart in 0i32..8,
        level in prop::sample::select(&[0.5, 0.95, 0.1, 0.999][..]), max in any::<bool>(),
    ) {
        let shift = |reading: &Reading| match *reading {
            Reading::Value(value) => Reading::Value(value + f64::from(apart)),
            Reading::MoreThan(limit) => Reading::MoreThan(limit + f64::from(apart)),
        };
        let two: Vec<Reading> = two.iter().map(shift).collect();
        let problem = problem(if max { Goal::Max } else { Goal::Min }, level);
        let tally = tally(&problem, [&one, &two]);
        let quantiles = Quantiles::new(&problem, &tally, None, None).unwrap();
        // The claim that the quantile of b is above that of a: b is ahead where more is better.
        let (ahead, behind) = if max { (1, 0) } else { (0, 1) };
        let (fast, slow) = (quantiles.proof(ahead, behind, 0), slow_proof(level, &one, &two));
        prop_assert!(fast <= slow + 1e-9 && fast >= slow - SLACK - 1e-6, "{fast} {slow}");
        let glance = quantiles.glance(ahead, behind, 0);
        prop_assert!(glance >= fast && quantiles.edge(ahead, behind, 0).0 >= fast, "{fast} {glance}");
        for bar in [slow - 0.5, slow - 0.005, slow, slow + 0.5] {
            prop_assert_eq!(quantiles.reaches(ahead, behind, 0, bar), fast >= bar);
        }
        // A mixture is no more than the best of what it mixes, and the cost is the least of those but for what is allowed.
        let gap = tally.means().row(ahead)[0] - tally.means().row(behind)[0];
        let counts = (tally.counts()[ahead], tally.counts()[behind]);
        let shares = quantiles.shares(Of::All, (ahead, behind), 0, gap, counts);
        let cost = shares.cost();
        prop_assert!(fast <= cost + 1e-9 && shares.alone <= cost + 1e-9, "{fast} {shares:?}");
        // What a few looks tell is so, whatever the gap that is asked about and the weights.
        prop_assert!(quantiles.edge_at_least(ahead, behind, 0) <= quantiles.edge(ahead, behind, 0).0);
        for (gap, counts) in [(gap, counts), (gap + 1.5, (3.0, 40.0)), (gap - 1.0, (500.0, 7.0))] {
            let arms = (ahead, behind);
            let cost = quantiles.shares(Of::All, arms, 0, gap, counts).cost();
            for part in [0.2, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0] {
                let bar = part * cost;
                prop_assert!(cost >= bar || !quantiles.cost_at_least(Of::All, arms, 0, gap, counts, bar), "{cost} {bar}");
                prop_assert!(cost < bar || !quantiles.cost_below(Of::All, arms, 0, gap, counts, bar), "{cost} {bar}");
            }
        }
    }

    /// A head start is as if the values of the higher one were higher by it.
    #[test]
    fn margins_are_moved_values(
        one in readings(), two in readings(), level in prop::sample::select(&[0.5, 0.95][..]), max in any::<bool>(),
        margin in prop::sample::select(&[Margin::Absolute(0.5), Margin::Absolute(3.0), Margin::Relative(0.5)][..]),
    ) {
        let plain = problem(if max { Goal::Max } else { Goal::Min }, level);
        let problem = plain.with_margins(&[margin]).unwrap();
        let tally = tally(&problem, [&one, &two]);
        let quantiles = Quantiles::new(&problem, &tally, None, None).unwrap();
        let (ahead, behind) = if max { (1, 0) } else { (0, 1) };
        let up = |x: f64| match margin {
            Margin::Absolute(by) => x + by,
            _ if max => x * 1.5,
            _ => x / 0.5,
        };
        let raised = two.iter().map(|reading| match *reading {
            Reading::Value(value) => Reading::Value(up(value)),
            Reading::MoreThan(limit) => Reading::MoreThan(up(limit)),
        });
        let (fast, slow) = (quantiles.proof(ahead, behind, 0), slow_proof(level, &one, &raised.collect::<Vec<_>>()));
        prop_assert!(fast <= slow + 1e-9 && fast >= slow - SLACK - 1e-6, "{fast} {slow}");
        let gap = tally.means().raised(ahead)[0] - tally.means().row(behind)[0];
        let counts = (tally.counts()[ahead], tally.counts()[behind]);
        let cost = quantiles.shares(Of::All, (ahead, behind), 0, gap, counts).cost();
        prop_assert!(fast <= cost + 1e-9, "{fast} {cost}");
    }

    /// Moved by nothing, a cost is that of the values; and n kl(k/n, q) is what it says.
    #[test]
    fn excesses_are_divergences(n in 1usize..400, k in 0usize..400, q in 0.001..0.999f64) {
        let k = k.min(n);
        let mut entropy = Entropy::default();
        entropy.reach(n);
        let part = |k: f64, q: f64| if k == 0.0 { 0.0 } else { k * (k / (n as f64 * q)).ln() };
        let slow = if k as f64 > q * n as f64 { part(k as f64, q) + part((n - k) as f64, 1.0 - q) } else { 0.0 };
        prop_assert!((entropy.excess(n, k, q, [q.ln(), (1.0 - q).ln()]) - slow).abs() < 1e-9 * (1.0 + slow));
    }
}

/// At the true quantile, whatever the law: the mean of the product at stopping times is at most one. Discrete laws with the quantile inside an atom, at the
/// upper end of one, and a law without ties. At 4 standard errors per check, 24 checks, each on one side mostly: a false alarm in about 1 of 1,000 seeds.
#[test]
fn products_have_mean_at_most_one_at_stopping_times() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    // The parts of the law below and at or below its quantile.
    for (below, up_to) in [(0.5, 0.5), (0.3, 0.8), (0.2, 0.5), (0.5, 0.9)] {
        for scale in SCALES {
            for bar in [0.5, 1.5] {
                let q = 0.5;
                let [low, high] = [q, 1.0 - q].map(|chance| Excess::new(chance, Few::one(scale), WEIGHT));
                let runs = effort::either(250, 1_000);
                let values: Vec<f64> = (0..runs)
                    .map(|_| {
                        let (mut n, mut k, mut m, mut l, mut log) = (0, 0, 0, 0, 0.0);
                        while n + m < 150 && log < bar {
                            // The arm that seems to prove less is observed.
                            if low.shown(n, k).ln() <= high.shown(m, l).ln() {
                                n += 1;
                                k += usize::from(rng.random::<f64>() < below);
                            } else {
                                m += 1;
                                l += usize::from(rng.random::<f64>() >= up_to);
                            }
                            log = low.shown(n, k).join(high.shown(m, l));
                        }
                        log.exp()
                    })
                    .collect();
                let mean = values.iter().sum::<f64>() / f64::from(runs);
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
                let error = (spread / f64::from(runs)).sqrt();
                assert!(mean <= 1.0 + 4.0 * error, "{below} {up_to} c={scale} bar={bar}: {mean} ± {error}");
                // Where there are no ties, nothing is given away.
                assert!(below < 0.5 || up_to > 0.5 || mean >= 1.0 - 4.0 * error, "c={scale}: {mean} ± {error}");
            }
        }
    }
}

/// The flat stretch of a distribution function belongs to its left end: of 0 and 1, each half of the time, the median is 0. So the one that is 1 a little more often has the
/// larger median, and one with the values 0 and 5 has the same.
#[test]
fn ties_are_on_the_side_of_the_definition() {
    let coin = |ones: usize, of: usize, top: f64| -> Vec<Reading> {
        (0..of).map(|i| Reading::Value(if i < ones { top } else { 0.0 })).collect()
    };
    for goal in [Goal::Max, Goal::Min] {
        let problem = problem(goal, 0.5);
        let proof = |one: &[Reading], two: &[Reading]| {
            let tally = tally(&problem, [one, two]);
            let (ahead, behind) = if goal == Goal::Max { (1, 0) } else { (0, 1) };
            Quantiles::new(&problem, &tally, None, None).unwrap().proof(ahead, behind, 0)
        };
        assert!(proof(&coin(200, 1000, 1.0), &coin(800, 1000, 1.0)) > 50.0);
        assert!(proof(&coin(500, 1000, 1.0), &coin(500, 1000, 5.0)) < 0.0);
        assert!(proof(&coin(800, 1000, 1.0), &coin(800, 1000, 1.0)) < 0.0);
    }
}
