//! Values that look like a slip: far from what their arm gave so far.

use surefront_study::answer::{Answer, ArmAnswer};
use surefront_study::words::number::{grouped, significant};

/// Fewer measurements say nothing of how far a value may lie from their mean.
const FEW: u64 = 3;
/// A Gaussian value lies so far from its mean once in half a billion times.
const FAR: f64 = 6.0;

/// What to ask whoever typed these values for this arm, a sentence for each that is unusual.
pub fn unusual(answer: &Answer, arm: usize, values: &[f64]) -> Vec<String> {
    let Some(arm) = answer.arms.iter().find(|known| known.index == arm) else { return Vec::new() };
    let objectives = answer.objectives.iter().zip(values).enumerate();
    objectives.filter_map(|(j, (objective, &value))| query(answer, arm, j, &objective.name, value)).collect()
}

fn query(answer: &Answer, arm: &ArmAnswer, objective: usize, name: &str, value: f64) -> Option<String> {
    if arm.n < FEW {
        return None;
    }
    let mean = arm.mean[objective]?;
    let spread = deviation(arm, objective).filter(|spread| *spread > 0.0).or_else(|| of_all(answer, objective))?;
    // The mean itself is not known exactly either.
    let error = spread * (1.0 + 1.0 / arm.n as f64).sqrt();
    let distance = (value - mean).abs() / error;
    (distance > FAR).then(|| {
        format!(
            "{name}: {} is {} standard errors of a single measurement from this arm's mean, {} after {} measurements. Is it right?",
            significant(value, 6),
            significant(distance, 2),
            significant(mean, 4),
            grouped(arm.n)
        )
    })
}

/// How far the values of an arm lie from their mean.
fn deviation(arm: &ArmAnswer, objective: usize) -> Option<f64> {
    arm.se[objective].map(|error| error * (arm.n as f64).sqrt())
}

/// The same of all arms, for one whose values were all the same.
fn of_all(answer: &Answer, objective: usize) -> Option<f64> {
    let squares =
        answer.arms.iter().filter(|arm| arm.n >= FEW).filter_map(|arm| deviation(arm, objective)).map(|d| d * d);
    let (count, sum) = squares.fold((0, 0.0), |(count, sum), square| (count + 1, sum + square));
    (count > 0 && sum > 0.0).then(|| (sum / f64::from(count)).sqrt())
}
