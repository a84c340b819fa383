//! Two arms that hold a study up, and the margin that would settle them.

use super::ring::Ring;
use crate::doubts::Served;
use crate::driver::hardest;
use crate::front::Front;
use crate::margin::Margin;
use crate::problem::Problem;
use crate::question::Question;
use crate::stopping::{Caveat, Situation, StoppingRule};

/// Fewer observations of an arm than this may look like anything.
const ENOUGH: f64 = 20.0;

/// Of more arms than this it takes too long to look for a margin.
const MOST_ARMS: usize = 400;

/// How often the margin is halved or doubled in the search.
const STEPS: usize = 14;

/// Two arms that are so close that to tell them apart takes most of what is ahead.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tie {
    /// The two: one of the front first.
    pub arms: [usize; 2],
    /// The objective that decides between them.
    pub objective: usize,
    /// About how many more observations the study will take.
    pub samples: f64,
    /// The margins that would settle the two now, by objective; none where margins do not apply, or none would do.
    pub margins: Vec<(usize, f64)>,
}

impl Ring {
    /// The two arms that hold the study up, if any do: there is more ahead than has been done.
    pub fn tie(&mut self) -> Option<Tie> {
        let samples = self.samples_expected()?;
        if self.stopped.is_some() || samples <= self.tally().total() as f64 {
            return None;
        }
        let (arm, rival, objective) = self.contenders()?;
        if [arm, rival].iter().any(|&arm| self.tally().counts()[arm] < ENOUGH) {
            return None;
        }
        // Two of which one has always had the same value may be far apart.
        let is_about = |caveat: &Caveat| match caveat {
            Caveat::Equal { objective: of, arms, .. } => {
                *of == objective && [arm, rival].iter().any(|arm| arms.contains(arm))
            }
            Caveat::Coarse { .. } => false,
        };
        if self.caveats().iter().any(is_about) {
            return None;
        }
        let front = self.watch.as_ref()?.front();
        let arms = if front.contains(arm) { [arm, rival] } else { [rival, arm] };
        Some(Tie { arms, objective, samples, margins: self.settling(arms, objective) })
    }

    /// The arms of the weakest claim, of the largest doubt, or of the closest alternative, and the objective that it is about.
    fn contenders(&self) -> Option<(usize, usize, usize)> {
        let watch = self.watch.as_ref()?;
        if let Some((_, Some(weakest))) = watch.claims() {
            let between = weakest.rival != usize::MAX && weakest.claim.limit().is_none();
            return between.then_some((weakest.arm, weakest.rival, weakest.claim.objective));
        }
        let tally = self.record.tally();
        if let Some(doubts) = watch.served_doubts() {
            return doubts.largest().map(|Served { arm, rival, objective }| (arm, rival, objective));
        }
        let question = Question::unchecked(&self.problem, tally.means(), watch.front(), tally.counts());
        // An arm and its limit are no two arms.
        watch.closest().map(|closest| hardest(&question, closest)).filter(|(arm, rival, _)| arm != rival)
    }

    /// The least margins that would settle two arms now: in one objective if that will do, or else in all.
    fn settling(&mut self, arms: [usize; 2], objective: usize) -> Vec<(usize, f64)> {
        if self.problem.arm_count() > MOST_ARMS || self.problem.has_margins() {
            return Vec::new();
        }
        let objectives = 0..self.problem.objective_count();
        let spreads: Vec<f64> = objectives.clone().map(|j| self.spread_between(arms, j)).collect();
        let all: Vec<usize> = objectives.filter(|&j| !self.problem.objectives()[j].is_only_limited()).collect();
        for objectives in [&[objective][..], &all] {
            let margins = |size: f64| -> Vec<(usize, f64)> {
                objectives.iter().map(|&j| (j, rounded_up(size * spreads[j]))).collect()
            };
            // From a part of a standard error up.
            let mut size = 0.25;
            let mut known = None;
            for _ in 0..STEPS {
                match self.settles(arms, &margins(size)) {
                    None => return Vec::new(),
                    Some(true) => {
                        known = Some(size);
                        break;
                    }
                    Some(false) => size *= 2.0,
                }
            }
            let Some(mut high) = known else { continue };
            let mut low = 0.5 * high;
            for _ in 0..STEPS / 2 {
                let middle = 0.5 * (low + high);
                if self.settles(arms, &margins(middle)) == Some(true) { high = middle } else { low = middle }
            }
            return margins(high);
        }
        Vec::new()
    }

    /// The standard error of the difference of two arms.
    fn spread_between(&self, arms: [usize; 2], objective: usize) -> f64 {
        let tally = self.tally();
        let variance = |arm: usize| {
            let quantile = self.problem.quantile(objective).zip(tally.ranks(arm, objective));
            let error = quantile.and_then(|(quantile, ranks)| ranks.standard_error(quantile));
            error.map_or_else(
                || (self.problem.precision(arm)[objective] * tally.counts()[arm]).recip(),
                |error| error * error,
            )
        };
        arms.iter().map(|&arm| variance(arm)).sum::<f64>().sqrt()
    }

    /// Whether both arms would be certain with these margins; `None` if there cannot be any.
    fn settles(&mut self, arms: [usize; 2], margins: &[(usize, f64)]) -> Option<bool> {
        let problem = with_margins(&self.problem, margins)?;
        let seasons = self.record.seasons().under(&problem);
        let front = Front::of(seasons.all().means());
        let mut situation = Situation { problem: &problem, seasons: &seasons, front: &front, oracle: &mut self.oracle };
        let certificates = self.settings.stopping.certificates(&mut situation);
        Some(arms.iter().all(|&arm| certificates[arm].certain))
    }
}

fn with_margins(problem: &Problem, margins: &[(usize, f64)]) -> Option<Problem> {
    let mut all = vec![Margin::NONE; problem.objective_count()];
    margins.iter().for_each(|&(j, size)| all[j] = Margin::Absolute(size));
    problem.with_margins(&all).ok().filter(Problem::has_margins)
}

/// To two digits, not below.
fn rounded_up(x: f64) -> f64 {
    if !(x > 0.0 && x.is_finite()) {
        return 0.0;
    }
    let unit = 10f64.powf(x.log10().floor() - 1.0);
    let digits = (x / unit).ceil();
    // As it is written in decimals.
    format!("{:e}", digits * unit).parse::<f64>().map_or(x, |rounded| decimal(rounded, 2))
}

/// The number of so many digits that is nearest.
fn decimal(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_have_two_digits() {
        for (x, expected) in [(0.123, 0.13), (0.12, 0.12), (9.91, 10.0), (1234.0, 1300.0), (0.000_999_1, 0.001)] {
            let rounded = rounded_up(x);
            assert!((rounded - expected).abs() <= 1e-12 * expected, "{x}: {rounded}");
            assert_eq!(rounded.to_string().parse::<f64>().unwrap(), rounded);
        }
        assert_eq!(rounded_up(f64::NAN), 0.0);
    }
}
