//! About how many more samples a study will take.

use surefront::{Progress, Stopping, Study, bound};

/// With more arms, the bound takes longer than anybody waits for an estimate.
const MOST_ARMS: usize = 200;
/// It is only an estimate.
const TOLERANCE: f64 = 0.05;

/// `None` if that cannot be said: an arm has too few observations, or there is a tie.
///
/// Under the stylized threshold, the evidence Z(N) is concave and homogeneous in the counts, and so Z(N + m·w*) ≥ Z(N) + m / T*: at the means so far,
/// (β − Z)·T* more samples suffice, if they are spread in the best way. That is less than samples spread as before would take
/// wherever those were spread badly. Other thresholds take other evidence, of which T* says nothing.
pub fn samples_expected(study: &mut Study, progress: Progress) -> Option<f64> {
    let as_before = study.samples_expected()?;
    let problem = study.problem();
    let (arms, objectives) = (problem.arm_count(), problem.objective_count());
    if (0..arms).any(|arm| (0..objectives).any(|objective| study.standard_error(arm, objective).is_none())) {
        return None;
    }
    let is_transport_cost = matches!(study.settings().stopping, Stopping::Stylized(_));
    if study.stopped() || arms > MOST_ARMS || !is_transport_cost {
        return Some(as_before);
    }
    let spread_best = bound(problem, study.tally().means(), TOLERANCE)
        .map_or(f64::INFINITY, |bound| (progress.threshold - progress.evidence).max(0.0) * bound.upper);
    Some(as_before.min(spread_best).max(1.0))
}
