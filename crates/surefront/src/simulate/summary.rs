//! What many replications say about a rule.

use super::{Outcome, Run};

/// The levels of [`Summary::quantiles`].
const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Stopping times and mistakes of many replications. The times are those of the runs that came to an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How many replications there are, undecided ones included.
    pub runs: u64,
    /// The mean number of samples until the stop; NaN if no run stopped.
    pub mean: f64,
    /// The standard error of the mean.
    pub se: f64,
    /// The mean cost of the samples until the stop; without costs, the mean number of samples.
    pub mean_cost: f64,
    /// Its standard error.
    pub cost_se: f64,
    /// The standard deviation; NaN if no run stopped.
    pub sd: f64,
    /// Levels and quantiles of the number of samples (5, 25, 50, 75 and 95 %).
    pub quantiles: [(f64, f64); 5],
    /// The most samples of a run.
    pub max: u64,
    /// Runs that stopped with a wrong front.
    pub mistakes: u64,
    /// A 95 % confidence interval (Clopper and Pearson's) for the probability of a mistake, among runs that stopped.
    pub mistake_rate: (f64, f64),
    /// Runs that hit the limit on samples.
    pub undecided: u64,
    /// Time on one core, over all runs.
    pub seconds: f64,
    /// Microseconds of one core per sample.
    pub micros_per_sample: f64,
}

impl Summary {
    /// Sums up some replications.
    pub fn of(runs: &[Run]) -> Self {
        let mut times: Vec<f64> =
            runs.iter().filter(|run| run.outcome != Outcome::Undecided).map(|run| run.samples as f64).collect();
        times.sort_by(f64::total_cmp);
        let n = times.len() as f64;
        let mean = times.iter().sum::<f64>() / n;
        let squares: f64 = times.iter().map(|t| (t - mean).powi(2)).sum();
        let sd = if times.is_empty() { f64::NAN } else { (squares / (n - 1.0).max(1.0)).sqrt() };
        let costs = || runs.iter().filter(|run| run.outcome != Outcome::Undecided).map(|run| run.cost);
        let mean_cost = costs().sum::<f64>() / n;
        let cost_squares: f64 = costs().map(|cost| (cost - mean_cost).powi(2)).sum();
        let count = |outcome| runs.iter().filter(|run| run.outcome == outcome).count() as u64;
        let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
        let samples: u64 = runs.iter().map(|run| run.samples).sum();
        Summary {
            runs: runs.len() as u64,
            mean,
            se: sd / n.sqrt(),
            mean_cost,
            cost_se: (cost_squares / (n - 1.0).max(1.0) / n).sqrt(),
            sd,
            quantiles: LEVELS.map(|level| (level, quantile(&times, level))),
            max: runs.iter().map(|run| run.samples).max().unwrap_or(0),
            mistakes: count(Outcome::Mistake),
            mistake_rate: clopper_pearson(count(Outcome::Mistake), times.len() as u64, 0.05),
            undecided: count(Outcome::Undecided),
            seconds,
            micros_per_sample: 1e6 * seconds / samples as f64,
        }
    }
}

impl Summary {
    /// The 95 % interval for the chance that a replication ends with a wrong front, where one without an answer is no mistake.
    pub fn mistakes_of_all(&self) -> (f64, f64) {
        clopper_pearson(self.mistakes, self.runs, 0.05)
    }
}

/// The quantile of sorted values, interpolated; NaN if there are none.
fn quantile(sorted: &[f64], level: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = level * last as f64;
    let (below, share) = (place.floor() as usize, place.fract());
    sorted[below] + share * (sorted[(below + 1).min(last)] - sorted[below])
}

/// A 95 % confidence interval (Clopper and Pearson's) for the chance of something that was seen so often in so many trials.
///
/// ```
/// let (low, high) = surefront::chance_interval(5, 100);
/// assert!(low < 0.05 && 0.05 < high);
/// ```
pub fn chance_interval(seen: u64, trials: u64) -> (f64, f64) {
    clopper_pearson(seen.min(trials), trials, 0.05)
}

/// An interval that covers the probability of a success, of which `successes` were seen in `trials`, with probability at least
/// 1 − `risk`.
fn clopper_pearson(successes: u64, trials: u64, risk: f64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    // P(at most s of n) at p, falling in p.
    let at_most = |s: u64, p: f64| {
        let mut log_term = trials as f64 * (-p).ln_1p();
        let mut sum = log_term.exp();
        for i in 1..=s {
            log_term += ((trials - i + 1) as f64 / i as f64).ln() + p.ln() - (-p).ln_1p();
            sum += log_term.exp();
        }
        sum
    };
    let solve = |value: f64, s: u64| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if at_most(s, middle) > value { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    let lower = if successes == 0 { 0.0 } else { solve(1.0 - risk / 2.0, successes - 1) };
    let upper = if successes == trials { 1.0 } else { solve(risk / 2.0, successes) };
    (lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(index: u64, samples: u64, outcome: Outcome) -> Run {
        Run { index, samples, cost: samples as f64, outcome, seconds: 0.5 }
    }

    #[test]
    fn of_all_runs_those_without_an_answer_are_no_mistakes() {
        let outcomes = [Outcome::Mistake, Outcome::Undecided, Outcome::Undecided, Outcome::Correct];
        let runs: Vec<Run> = (0..).zip(outcomes).map(|(index, outcome)| run(index, 10, outcome)).collect();
        let summary = Summary::of(&runs);
        assert_eq!(summary.mistakes_of_all(), clopper_pearson(1, 4, 0.05));
        assert_eq!(summary.mistake_rate, clopper_pearson(1, 2, 0.05));
    }

    #[test]
    fn undecided_runs_are_neither_answers_nor_mistakes() {
        let runs = [
            run(0, 10, Outcome::Correct),
            run(1, 20, Outcome::Mistake),
            run(2, 30, Outcome::Correct),
            run(3, 1000, Outcome::Undecided),
        ];
        let summary = Summary::of(&runs);
        assert_eq!((summary.mean, summary.sd, summary.max), (20.0, 10.0, 1000));
        assert_eq!((summary.runs, summary.mistakes, summary.undecided), (4, 1, 1));
        assert_eq!(summary.quantiles[2], (0.5, 20.0));
        assert!((summary.micros_per_sample - 2e6 / 1060.0).abs() < 1e-9);
    }

    #[test]
    fn no_answer_has_no_mean() {
        let summary = Summary::of(&[run(0, 5, Outcome::Undecided)]);
        assert!(summary.mean.is_nan() && summary.sd.is_nan() && summary.quantiles[0].1.is_nan());
        assert_eq!(summary.mistake_rate, (0.0, 1.0));
    }

    #[test]
    fn the_interval_of_the_textbooks() {
        let (low, high) = clopper_pearson(0, 2000, 0.05);
        assert!(low == 0.0 && (high - 0.001_842).abs() < 1e-6, "{high}");
        let (low, high) = clopper_pearson(5, 100, 0.05);
        assert!((low - 0.016_43).abs() < 1e-5 && (high - 0.112_84).abs() < 1e-5, "{low} {high}");
        assert_eq!(clopper_pearson(3, 3, 0.05).1, 1.0);
    }
}
