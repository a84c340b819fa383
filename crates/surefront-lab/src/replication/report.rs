//! What many runs say about rules: a table, JSON, and the panels of a figure.

use serde::Serialize;
use surefront::{Outcome, Run, Summary};

use super::bracket::Bracket;
use super::yardstick::Yardstick;
use crate::findings::rendered;
use surefront_study::plot::{Histogram, Mark, Panel, Stroke};
use surefront_study::words::number::{grouped, samples, short, significant};
use surefront_study::words::table::{Align, TextTable, Width};

/// A rule and what its runs amount to.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The rule's name, or whose figures these are.
    pub label: &'static str,
    /// The runs, summed up.
    pub summary: Summary,
    /// The runs, where they were made here.
    pub runs: Vec<Run>,
}

/// One rule, as it stands in JSON; what does not exist (the mean of no runs) is null there.
#[derive(Clone, Debug, Serialize)]
pub struct RuleFindings {
    /// Its name.
    pub rule: &'static str,
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples, of the runs that came to an answer.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// The mean of what they cost; `None` where all cost the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_cost: Option<f64>,
    /// Its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_se: Option<f64>,
    /// The standard deviation.
    pub sd: f64,
    /// Of the samples.
    pub quantiles: [Quantile; 5],
    /// The most samples of a run.
    pub max: u64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// A 95 % interval for the chance of a mistake.
    pub mistake_rate: Bracket,
    /// Runs that came to no answer.
    pub undecided: u64,
    /// Time of one core that all runs took.
    pub seconds: f64,
    /// Of one sample.
    pub micros_per_sample: f64,
    /// The mean, or the mean cost, over T*·β.
    pub ratio_to_bound: f64,
}

/// So many runs ended within so many samples.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Quantile {
    /// The share of the runs.
    pub level: f64,
    /// The samples.
    pub samples: f64,
}

impl Entrant {
    /// What is known of this rule.
    pub fn findings(&self, yardstick: &Yardstick) -> RuleFindings {
        let Summary { mean, mean_cost, cost_se, mistake_rate: (lower, upper), .. } = self.summary;
        let costly = yardstick.counts_costs();
        RuleFindings {
            rule: self.label,
            runs: self.summary.runs,
            mean,
            se: self.summary.se,
            mean_cost: costly.then_some(mean_cost),
            cost_se: costly.then_some(cost_se),
            sd: sd(&self.summary),
            quantiles: self.summary.quantiles.map(|(level, samples)| Quantile { level, samples }),
            max: self.summary.max,
            mistakes: self.summary.mistakes,
            mistake_rate: Bracket { lower, upper },
            undecided: self.summary.undecided,
            seconds: self.summary.seconds,
            micros_per_sample: self.summary.micros_per_sample,
            ratio_to_bound: yardstick.cost_ratio(mean_cost, mean),
        }
    }

    /// The distribution of the stopping times under a label, with their mean.
    pub(crate) fn panel(&self, label: &str) -> Panel {
        let Entrant { summary, runs, .. } = self;
        let decided = runs.iter().filter(|run| run.outcome != Outcome::Undecided);
        let values: Vec<f64> = decided.map(|run| run.samples as f64).collect();
        let mut label = format!("{label}: {} runs", grouped(summary.runs));
        let mut marks = Vec::new();
        if summary.mean.is_finite() {
            label += &format!(", mean {} (solid)", samples(summary.mean));
            marks.push(Mark { at: summary.mean, stroke: Stroke::Solid });
        }
        Panel { label, values, marks }
    }
}

/// The distributions of all rules, and the bound.
pub fn histogram(title: String, entrants: &[Entrant], yardstick: &Yardstick) -> Histogram {
    let expected = yardstick.samples_expected();
    Histogram {
        title,
        subtitle: format!(
            "Dashed: T*·β = {} samples, what the best allocation is expected to take at δ = {}",
            samples(expected),
            short(yardstick.delta)
        ),
        x_label: "samples until the stop".to_owned(),
        line: (yardstick.bound.upper > 0.0).then_some(expected),
        panels: (entrants.iter())
            .filter(|entrant| !entrant.runs.is_empty())
            .map(|entrant| entrant.panel(entrant.label))
            .collect(),
    }
}

/// One line for each rule of which there are runs.
pub fn table(entrants: &[Entrant], yardstick: &Yardstick, width: Width) -> String {
    let costly = yardstick.counts_costs();
    let mut columns = vec![
        ("rule", Align::Left),
        ("runs", Align::Right),
        ("mean ± s.e.", Align::Right),
        ("sd", Align::Right),
        ("5 %", Align::Right),
        ("25 %", Align::Right),
        ("50 %", Align::Right),
        ("75 %", Align::Right),
        ("95 %", Align::Right),
        ("mistakes (95 %)", Align::Right),
        ("undecided", Align::Right),
        ("µs/sample", Align::Right),
        (if costly { "cost/(T*·β)" } else { "mean/(T*·β)" }, Align::Right),
    ];
    if costly {
        columns.insert(3, ("cost ± s.e.", Align::Right));
    }
    let mut table = TextTable::new(&columns);
    for Entrant { label, summary, .. } in entrants.iter().filter(|entrant| entrant.summary.runs > 0) {
        let mut cells = vec![(*label).to_owned(), grouped(summary.runs), mean(summary), samples(sd(summary))];
        cells.extend(summary.quantiles.map(|(_, value)| samples(value)));
        cells.extend([
            mistakes(summary),
            grouped(summary.undecided),
            known(summary.micros_per_sample, |micros| significant(micros, 3)),
            known(yardstick.cost_ratio(summary.mean_cost, summary.mean), |ratio| format!("{ratio:.3}")),
        ]);
        if costly {
            cells.insert(3, cost(summary));
        }
        table.push(cells);
    }
    rendered(&table, width)
}

/// The mean, with its standard error.
pub fn mean(summary: &Summary) -> String {
    known(summary.mean, |mean| format!("{} ± {}", samples(mean), samples(summary.se)))
}

/// The mean cost, with its standard error.
pub fn cost(summary: &Summary) -> String {
    known(summary.mean_cost, |cost| format!("{} ± {}", samples(cost), samples(summary.cost_se)))
}

/// The standard deviation, if any run came to an answer.
fn sd(summary: &Summary) -> f64 {
    if summary.mean.is_finite() { summary.sd } else { f64::NAN }
}

/// How many mistakes, and the chance of one in per cent.
pub fn mistakes(summary: &Summary) -> String {
    counted(summary.mistakes, summary.mistake_rate)
}

/// So many, with an interval for their rate.
pub fn counted(count: u64, (lower, upper): (f64, f64)) -> String {
    let percent = |rate: f64| significant(100.0 * rate, 2);
    format!("{} ({}–{} %)", grouped(count), percent(lower), percent(upper))
}

/// A dash for what does not exist.
fn known(value: f64, text: impl Fn(f64) -> String) -> String {
    if value.is_finite() { text(value) } else { "–".to_owned() }
}
