//! The instances in `examples/instances` are what their heads say: the published formulas at points of Halton's sequence.

use std::path::Path;

use surefront::{Noise, Problem, bound};
use surefront_study::file::study::StudyFile;

fn halton(mut index: usize, base: usize) -> f64 {
    let (mut part, mut sum) = (1.0, 0.0);
    while index > 0 {
        part /= base as f64;
        sum += part * (index % base) as f64;
        index /= base;
    }
    sum
}

/// The first points within these bounds that will do.
fn points(count: usize, bounds: &[(f64, f64)], will_do: impl Fn(&[f64]) -> bool) -> Vec<Vec<f64>> {
    let point = |index: usize| {
        let place = |(base, (low, high)): (&usize, &(f64, f64))| low + (high - low) * halton(index, *base);
        [2, 3, 5, 7, 11].iter().zip(bounds).map(place).collect::<Vec<f64>>()
    };
    (1..).map(point).filter(|point| will_do(point)).take(count).collect()
}

/// The responses of a design.
type Formula = fn(&[f64]) -> Vec<f64>;

/// Liao et al. 2008.
fn vehicle(x: &[f64]) -> Vec<f64> {
    let &[a, b, c, d, e] = x else { panic!("five thicknesses") };
    vec![
        1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e,
        6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e + 0.3628 * b * d
            - 0.1106 * a * a
            - 0.3437 * c * c
            + 0.1764 * d * d,
        -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.0240 * b * c
            - 0.0118 * b * d
            - 0.0204 * c * d
            - 0.0080 * c * e
            - 0.0241 * b * b
            + 0.0109 * d * d,
    ]
}

/// Ray and Liew 2002.
fn disc_brake(x: &[f64]) -> Vec<f64> {
    let &[inner, outer, force, surfaces] = x else { panic!("four parameters") };
    let (squares, cubes) = (outer.powi(2) - inner.powi(2), outer.powi(3) - inner.powi(3));
    vec![4.9e-5 * squares * (surfaces - 1.0), 9.82e6 * squares / (force * surfaces * cubes)]
}

/// Stadler and Dauer 1993.
fn truss(x: &[f64]) -> Vec<f64> {
    let &[a, b, c, d] = x else { panic!("four cross-sections") };
    let root = 2f64.sqrt();
    vec![
        200.0 * (2.0 * a + root * b + c.sqrt() + d),
        10.0 * 200.0 / 2e5 * (2.0 / a + 2.0 * root / b - 2.0 * root / c + 2.0 / d),
    ]
}

fn read(name: &str) -> (StudyFile, Problem) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/instances");
    let file = StudyFile::read(&folder.join(name)).unwrap();
    let problem = file.problem().unwrap();
    (file, problem)
}

#[test]
fn the_instances_are_generated_from_the_published_descriptions() {
    let root = 2f64.sqrt();
    let brake_bounds = [(55.0, 80.0), (75.0, 110.0), (1000.0, 3000.0), (11.0, 20.0)];
    let truss_bounds = [(1.0, 3.0), (root, 3.0), (root, 3.0), (1.0, 3.0)];
    let cases: [(&str, Formula, Vec<Vec<f64>>); 3] = [
        ("vehicle.toml", vehicle, points(40, &[(1.0, 3.0); 5], |_| true)),
        ("disc-brake.toml", disc_brake, points(30, &brake_bounds, |x| x[1] >= x[0] + 10.0)),
        ("four-bar-truss.toml", truss, points(30, &truss_bounds, |_| true)),
    ];
    for (name, formula, designs) in cases {
        let (file, problem) = read(name);
        let truth = file.model(&problem).unwrap();
        assert_eq!(problem.arm_count(), designs.len(), "{name}");
        let computed: Vec<Vec<f64>> = designs.iter().map(|design| formula(design)).collect();
        for (arm, expected) in computed.iter().enumerate() {
            for (value, expected) in truth.in_units(&problem, arm).iter().zip(expected) {
                assert!((value - expected).abs() <= 1e-5 * expected.abs(), "{name}, design {}: {value}", arm + 1);
            }
        }
        for j in 0..problem.objective_count() {
            let n = computed.len() as f64;
            let mean = computed.iter().map(|row| row[j]).sum::<f64>() / n;
            let variance = computed.iter().map(|row| (row[j] - mean).powi(2)).sum::<f64>() / n / 25.0;
            let Noise::Variance(written) = problem.noise(0, j) else { panic!("{name}: the variance is given") };
            assert!((written - variance).abs() < 0.01 * variance, "{name}: {written} for {variance}");
        }
        // Hard enough to be worth a study, and not beyond all patience.
        let t_star = bound(&problem, &truth, 1e-3).unwrap().upper;
        assert!(t_star > 10.0 && t_star < 1e6, "{name}: T* = {t_star}");
    }
}
