use rand::{Rng, RngExt};
use rand_distr::{StandardNormal, StudentT};
use surefront::*;
#[derive(Debug, Clone, Copy)]
enum L {
    Gauss,
    T3,
    LogN,
    Stall,
    Disc,
}
#[derive(Debug)]
struct S(L, Vec<Vec<f64>>, bool);
impl Source for S {
    fn observe(&self, arm: usize, rng: &mut dyn Rng, values: &mut [f64]) {
        for (v, m) in values.iter_mut().zip(&self.1[arm]) {
            *v = match self.0 {
                L::Gauss => m + rng.sample::<f64, _>(StandardNormal),
                L::T3 => m + rng.sample(StudentT::new(3.0).unwrap()) / if self.2 { 3f64.sqrt() } else { 1.0 },
                L::LogN => m + rng.sample::<f64, _>(StandardNormal).exp(),
                L::Stall => {
                    m + 0.3 * rng.sample::<f64, _>(StandardNormal) + if rng.random::<f64>() < 0.1 { 20.0 } else { 0.0 }
                }
                L::Disc => (m + rng.sample::<f64, _>(StandardNormal)).round(),
            };
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let runs: u64 = args.get(1).and_then(|s| s.parse().ok()).unwrap_or(40);
    let gap: f64 = args.get(2).and_then(|s| s.parse().ok()).unwrap_or(0.5);
    for (k, d) in [(2usize, 1usize), (5, 1), (20, 1), (5, 2)] {
        for law in [L::Gauss, L::Stall] {
            let means: Vec<Vec<f64>> = (0..k)
                .map(|a| {
                    (0..d)
                        .map(|j| {
                            if d == 1 {
                                -gap * a as f64
                            } else if a < d + 1 {
                                gap * 2.0 * if j == a % d { 1.0 } else { -0.5 } + 0.1 * gap * a as f64
                            } else {
                                -gap * (1.0 + (a % 4) as f64) - 2.0 * gap
                            }
                        })
                        .collect()
                })
                .collect();
            let mut line = format!("K={k} d={d} {law:?}:");
            for which in ["median"] {
                if which == "known" && !matches!(law, L::Gauss) {
                    continue;
                }
                let objectives: Vec<Objective> = (0..d)
                    .map(|j| match which {
                        "median" => {
                            Objective::new(format!("{j}"), Goal::Max, Noise::Any).with_statistic(Statistic::MEDIAN)
                        }
                        "known" => Objective::new(format!("{j}"), Goal::Max, Noise::Variance(1.0)),
                        _ => Objective::new(format!("{j}"), Goal::Max, Noise::Unknown),
                    })
                    .collect();
                let arms = (0..k).map(|a| Arm::named(format!("{a}"))).collect();
                let problem = Problem::new(objectives, arms).unwrap();
                let truth = Model::new(&problem, &means).unwrap();
                let settings = Settings::new(
                    RuleKind::Weakest.rule(&problem, 0.1).unwrap(),
                    StoppingKind::Certified.stopping(0.1).unwrap(),
                );
                let sim = Simulation::new(problem, truth, settings, 60_000).unwrap().with_source(S(
                    law,
                    means.clone(),
                    false,
                ));
                let (mut n, mut wrong, mut open, mut secs) = (0u64, 0, 0, 0.0);
                for i in 0..runs {
                    let r = sim.run(i);
                    n += r.samples;
                    secs += r.seconds;
                    if r.outcome == Outcome::Mistake {
                        wrong += 1
                    }
                    if r.outcome == Outcome::Undecided {
                        open += 1
                    }
                }
                line += &format!(
                    "  {which} {:.0} (wrong {wrong}, open {open}, {:.1} µs)",
                    n as f64 / runs as f64,
                    secs / n as f64 * 1e6
                );
            }
            println!("{line}");
        }
    }
}
