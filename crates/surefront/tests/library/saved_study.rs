//! Studies saved by version 0.1 open for ever, and go on as they would have.

use serde::Deserialize;
use surefront::{Arm, Goal, Memory, Noise, Objective, Problem, SavedStudy, Study};

const SAVED: &str = include_str!("../data/saved-study-0.1.json");

/// A study of version 0.1 in mid-run, with one arm asked for and not told.
#[derive(Debug, Deserialize)]
struct Saved {
    rule: String,
    study: SavedStudy,
    memory: Memory,
    /// The arm under way, and those that are asked for next.
    under_way: usize,
    next: Vec<usize>,
}

/// The problem that all of them are about.
fn problem() -> Problem {
    let objective = |name: &str, goal, noise| Objective::new(name, goal, noise);
    Problem::new(
        vec![
            objective("gain", Goal::Max, Noise::Variance(0.5)),
            objective("cost", Goal::Min, Noise::Variance(0.8)),
            objective("bytes", Goal::Min, Noise::Exact),
        ],
        (0..7).map(|arm| Arm::named(format!("arm {arm}"))).collect(),
    )
    .unwrap()
}

/// What is measured of an arm for the n-th time.
fn observation(arm: usize, n: u64) -> [f64; 3] {
    // Noise that any computer computes alike.
    let noise = |salt: u64| ((n * 7919 + arm as u64 * 104_729 + salt * 1_299_709) % 1009) as f64 / 504.0 - 1.0;
    let means = [[1.0, 1.0], [0.4, 0.2], [0.8, 1.9], [-0.5, 0.9], [1.4, 2.2], [0.1, 0.3], [0.9, 1.3]][arm];
    [means[0] + noise(1), means[1] + noise(2), [3.0, 2.0, 1.0, 3.0, 3.0, 2.0, 5.0][arm]]
}

/// The arms asked for next, beginning with the answer to the one under way.
fn continue_with(study: &mut Study, under_way: usize, rounds: usize) -> Vec<usize> {
    let mut arm = under_way;
    (0..rounds)
        .map(|_| {
            study.tell(arm, &observation(arm, study.tally().count(arm))).unwrap();
            arm = study.ask();
            arm
        })
        .collect()
}

/// `weakest` has come to serve claims in another order, so that a hopeless one does not keep others waiting. What it asks for now.
const WEAKEST: [usize; 100] = [
    5, 5, 1, 2, 3, 4, 3, 3, 3, 3, 2, 4, 4, 4, 4, 1, 3, 3, 3, 3, 1, 3, 4, 1, 1, 1, 4, 0, 4, 0, 0, 0, 1, 2, 2, 2, 1, 1,
    2, 2, 2, 2, 2, 1, 2, 3, 2, 6, 0, 0, 4, 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1, 2, 1, 6, 2, 0, 1, 2, 2, 2, 2, 1, 1, 4,
    0, 1, 1, 1, 1, 2, 2, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 2, 2, 0, 2, 2, 0, 0,
];

#[test]
fn a_saved_study_of_version_0_1_goes_on() {
    let saved: Vec<Saved> = serde_json::from_str(SAVED).unwrap();
    assert_eq!(saved.len(), 8);
    for Saved { rule, study, memory, under_way, next } in saved {
        let problem = problem();
        let mut resumed = Study::resume(problem.clone(), study).unwrap();
        assert_eq!(resumed.settings().rule.name(), rule);
        // What is kept beside observations makes the same study.
        let mut asked = vec![0; problem.arm_count()];
        asked[under_way] = 1;
        let (settings, tally) = (resumed.settings().clone(), resumed.tally().clone());
        let mut rebuilt = Study::with_observations(problem, settings, tally, asked, &[], Some(memory)).unwrap();
        let rounds = next.len();
        let next = if rule == "weakest" { WEAKEST.to_vec() } else { next };
        assert_eq!(continue_with(&mut resumed, under_way, rounds), next, "{rule}");
        assert_eq!(continue_with(&mut rebuilt, under_way, rounds), next, "{rule}");
    }
}
