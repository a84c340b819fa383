//! Instances for the tests.

use std::num::NonZeroU64;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use surefront::{
    Ape, Arm, Auer, Dual, ECape, Fixed, GapElimination, Goal, HedgeStep, Margin, Mocba, Model, Noise, Objective,
    Problem, Psips, Rule, Schedule, TrackAndStop, Tracking, TwoStage, Uniform, Weakest, Weights,
};

/// `k` arms, `d` objectives to maximise, all with this noise.
pub fn problem(k: usize, d: usize, noise: Noise) -> Problem {
    let objective = |j| Objective::new(format!("y{j}"), Goal::Max, noise);
    let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
    Problem::new((0..d).map(objective).collect(), arms).expect("k and d are positive")
}

/// The paper's vaccine instance.
pub fn vaccine() -> (Problem, Model) {
    let objective = |name: &str, variance| Objective::new(name, Goal::Max, Noise::Variance(variance));
    let means = [
        [9.5, 6.86, 4.56],
        [9.29, 6.64, 4.04],
        [9.05, 6.41, 3.56],
        [10.21, 7.49, 4.43],
        [10.05, 7.2, 4.36],
        [8.34, 5.67, 3.51],
        [8.22, 5.46, 3.64],
        [9.75, 7.21, 4.71],
        [10.43, 7.61, 4.72],
        [8.94, 6.19, 3.84],
        [7.81, 5.26, 3.97],
        [8.85, 6.59, 4.73],
        [8.44, 6.15, 4.59],
        [9.93, 7.39, 4.75],
        [8.71, 7.2, 4.91],
        [7.51, 5.31, 3.96],
        [7.27, 4.99, 4.02],
        [8.62, 6.33, 4.66],
        [10.35, 7.77, 5.0],
        [8.29, 5.92, 3.87],
    ];
    let problem = Problem::new(
        vec![objective("anti-spike IgG", 0.70), objective("NT50", 0.83), objective("cellular response", 1.54)],
        (0..means.len()).map(|arm| Arm::named(format!("arm {arm}"))).collect(),
    )
    .expect("the instance is valid");
    let model = Model::new(&problem, &means).expect("the means are finite");
    (problem, model)
}

/// Normal means, and one of three noise laws: shared variances, variances by arm, one objective without noise.
pub fn random_model(rng: &mut Xoshiro256PlusPlus, k: usize, d: usize) -> (Problem, Model) {
    let law = rng.random_range(0..3);
    let objectives = (0..d)
        .map(|j| {
            let exact = law == 2 && j == 0 && d > 1;
            let noise = if exact { Noise::Exact } else { Noise::Variance(rng.random_range(0.5..2.0)) };
            let goal = if rng.random_bool(0.5) { Goal::Max } else { Goal::Min };
            Objective::new(format!("y{j}"), goal, noise)
        })
        .collect();
    let arms = (0..k)
        .map(|arm| {
            let own: Option<Vec<Noise>> =
                (law == 1).then(|| (0..d).map(|_| Noise::Variance(rng.random_range(0.2..5.0))).collect());
            Arm::named(format!("arm {arm}")).with_noise(own)
        })
        .collect();
    let problem = Problem::new(objectives, arms).expect("k and d are positive");
    let means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| rng.random_range(-1.0..1.0)).collect()).collect();
    let model = Model::new(&problem, &means).expect("the means are finite");
    (problem, model)
}

/// Objectives of all kinds of noise, and means that are not at the edge.
pub fn random_mixture(rng: &mut Xoshiro256PlusPlus, k: usize, d: usize) -> (Problem, Model) {
    let kinds = [Noise::Variance(0.3), Noise::Bernoulli, Noise::Poisson, Noise::Exponential];
    let objectives = (0..d)
        .map(|j| {
            let goal = if rng.random_bool(0.5) { Goal::Max } else { Goal::Min };
            Objective::new(format!("y{j}"), goal, kinds[rng.random_range(0..4)])
        })
        .collect();
    let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
    let problem = Problem::new(objectives, arms).expect("k and d are positive");
    let rows: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| rng.random_range(0.02..0.95)).collect()).collect();
    let model = Model::new(&problem, &rows).expect("the means are inside their domains");
    (problem, model)
}

/// Objectives with limits, some with margins, and one or two readings that are only limited: Gaussian, or of all kinds. A limit is in the midst of the means, and some arms have no noise
/// in some readings.
pub fn random_limits(rng: &mut Xoshiro256PlusPlus, k: usize, d: usize, gaussian: bool) -> (Problem, Model) {
    let kinds = [Noise::Variance(0.3), Noise::Bernoulli, Noise::Poisson, Noise::Exponential];
    let limited = rng.random_range(0..3);
    let margins = gaussian && rng.random_range(0..3) == 0;
    let mut objectives: Vec<Objective> = Vec::new();
    for j in 0..d + limited {
        let noise = if gaussian { kinds[0] } else { kinds[rng.random_range(0..4)] };
        let at = rng.random_range(0.2..0.8);
        if j >= d {
            let reading = Objective::limited(format!("c{j}"), noise);
            objectives.push(match rng.random_range(0..3) {
                0 => reading.with_at_least(at),
                1 => reading.with_at_most(at),
                _ => reading.with_at_least(at - 0.15).with_at_most(at + 0.15),
            });
            continue;
        }
        let goal = if rng.random_bool(0.5) { Goal::Max } else { Goal::Min };
        let objective = Objective::new(format!("y{j}"), goal, noise);
        let objective = match (goal, rng.random_range(0..3) == 0 || (j == 0 && limited == 0)) {
            (Goal::Max, true) => objective.with_at_least(at),
            (Goal::Min, true) => objective.with_at_most(at),
            _ => objective,
        };
        objectives.push(if margins { objective.with_margin(Margin::Absolute(0.1)) } else { objective });
    }
    let arms = (0..k).map(|arm| {
        let own = objectives.iter().map(|objective| match rng.random_range(0..12) {
            0 => Noise::Exact,
            _ if gaussian => Noise::Variance(rng.random_range(0.1..1.0)),
            _ => objective.noise,
        });
        Arm::named(format!("arm {arm}")).with_noise(own.collect::<Vec<Noise>>())
    });
    let arms = arms.collect();
    let columns = objectives.len();
    let problem = Problem::new(objectives, arms).expect("k and d are positive");
    let rows: Vec<Vec<f64>> = (0..k).map(|_| (0..columns).map(|_| rng.random_range(0.02..0.95)).collect()).collect();
    let model = Model::new(&problem, &rows).expect("the means are inside their domains");
    (problem, model)
}

/// The number of successes that binomially many trials exceed with a probability of at most `risk`.
pub fn most_expected(trials: u64, rate: f64, risk: f64) -> u64 {
    let mut term = (1.0 - rate).powi(trials as i32);
    let (mut sum, mut count) = (term, 0);
    while 1.0 - sum > risk {
        term *= (trials - count) as f64 / (count + 1) as f64 * rate / (1.0 - rate);
        sum += term;
        count += 1;
    }
    count
}

/// Every rule there is, some of them with more than one choice of options; a test sees to it that none is missing.
pub fn rules(problem: &Problem) -> Vec<Rule> {
    let (k, d) = (problem.arm_count(), problem.objective_count());
    vec![
        Rule::Dual(Dual::default()),
        Rule::TrackAndStop(TrackAndStop::new(k, Tracking::Direct, NonZeroU64::new(10).unwrap())),
        Rule::TrackAndStop(TrackAndStop::new(k, Tracking::Cumulative, NonZeroU64::new(1).unwrap())),
        Rule::Uniform(Uniform),
        Rule::Fixed(Fixed::new(&Weights::uniform(problem))),
        Rule::Ape(Ape::new(k, d, 0.1).unwrap()),
        Rule::Weakest(Weakest::default()),
        Rule::TrackAndStop(
            TrackAndStop::new(k, Tracking::Direct, NonZeroU64::new(1).unwrap()).stepping(HedgeStep::Multiplied),
        ),
        Rule::Auer(Auer::new(k, 0.1).unwrap()),
        Rule::Psips(Psips::new(k, 0.1).unwrap()),
        Rule::GapElimination(GapElimination::new(k, Schedule::Rejects, 300)),
        Rule::GapElimination(GapElimination::new(k, Schedule::Halving, 300)),
        Rule::Mocba(Mocba::default()),
        Rule::ECape(ECape::new(0.1).unwrap()),
        Rule::TwoStage(TwoStage::new(0.1).unwrap()),
    ]
}
