//! The pictures of docs/noise.md: what each kind of noise looks like, drawn from the values that simulated arms have.
//!
//! They are compared with those in docs/pictures; with `SUREFRONT_PICTURES=write` they are written there.

use std::fs;
use std::path::PathBuf;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{Family, Range};
use surefront_study::plot::{Histogram, Mark, Panel, Stroke};

/// Values of each arm.
const VALUES: usize = 400;

type Draw = fn(arm: usize, &mut Xoshiro256PlusPlus) -> f64;

/// File name, title, what is along x, and how a value of the first or the second arm is drawn.
const PICTURES: [(&str, &str, &str, Draw); 7] = [
    ("gaussian", "Gaussian: around a mean, as often above as below", "seconds", |arm, rng| {
        [4.0, 5.0][arm] + 0.6 * rng.sample::<f64, _>(StandardNormal)
    }),
    ("bernoulli", "Bernoulli: 0 or 1, failed or passed", "passed", |arm, rng| {
        Family::Bernoulli.draw([0.6, 0.8][arm], rng)
    }),
    ("poisson", "Poisson: how often something happened", "errors in a day", |arm, rng| {
        Family::Poisson.draw([3.0, 6.0][arm], rng)
    }),
    ("exponential", "Exponential: how long until something happens", "hours until a failure", |arm, rng| {
        Family::Exponential.draw([2.0, 4.0][arm], rng)
    }),
    ("bounded", "Bounded: anything, but never outside a range", "score, from 0 to 10", |arm, rng| {
        Range { low: 0.0, high: 10.0 }.draw([6.0, 8.0][arm], rng)
    }),
    ("median", "Long tails: compare medians", "milliseconds", |arm, rng| {
        let stall = if rng.random_bool(0.07) { 9.0 } else { 1.0 };
        [20.0, 26.0][arm] * stall * (0.3 * rng.sample::<f64, _>(StandardNormal)).exp()
    }),
    ("exact", "Exact: the same whenever it is measured", "megabytes", |arm, _| [31.0, 24.0][arm]),
];

fn picture(name: &str, title: &str, x_label: &str, draw: Draw) -> String {
    let panel = |arm: usize| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(arm as u64 + 1);
        let mut values: Vec<f64> = (0..VALUES).map(|_| draw(arm, &mut rng)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.sort_by(f64::total_cmp);
        let median = values[values.len() / 2];
        let dotted = (name == "median").then_some(Mark { at: median, stroke: Stroke::Dashed });
        let marks = [Mark { at: mean, stroke: Stroke::Solid }].into_iter().chain(dotted).collect();
        Panel { label: ["A", "B"][arm].to_owned(), values, marks }
    };
    let subtitle = if name == "median" { "line: mean; dashed: median" } else { "line: mean" };
    Histogram {
        title: title.to_owned(),
        subtitle: format!("{VALUES} values of each of two arms; {subtitle}"),
        x_label: x_label.to_owned(),
        y_label: "share of values".to_owned(),
        line: None,
        panels: (0..2).map(panel).collect(),
    }
    .to_svg()
}

#[test]
fn the_pictures_of_the_documents_are_those_that_the_program_draws() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let write = std::env::var("SUREFRONT_PICTURES").is_ok_and(|value| value == "write");
    for (name, title, x_label, draw) in PICTURES {
        let (path, svg) = (folder.join(format!("noise-{name}.svg")), picture(name, title, x_label, draw));
        if write {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &svg).unwrap();
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == svg,
            "{} is out of date: SUREFRONT_PICTURES=write cargo test --package surefront-study --test pictures",
            path.display()
        );
    }
}
