//! Studies with limits, on 24 random instances that are always the same, against deciding first who keeps the limits and then who is on the front.

pub(super) mod instance;
mod published;
mod stages;

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{Front, Summary};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

use self::instance::{Instance, T_STAR, instances};
use self::published::{PUBLISHED, by_its_own_stop, published_runs};
pub use self::published::{PublishedRow, PublishedTotal};
pub use self::stages::StageRow;
use self::stages::in_two_stages;
use super::random_suite::{Bench, DELTA, RandomSuiteOptions, SuiteHead, geometric_mean};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::LabError;
use crate::observer::Observer;

/// What studies with limits take.
#[derive(Clone, Debug, Serialize)]
pub struct Constrained {
    /// How it was run.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// One for each instance.
    pub rows: Vec<ConstrainedRow>,
    /// Over all instances: of the mean over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest such ratio.
    pub worst_ratio: f64,
    /// Over all instances: of the mean over that of two stages.
    pub geometric_mean_of_stages: f64,
    /// Its standard error.
    pub geometric_mean_of_stages_se: f64,
    /// Of the published rules, by their own stops: the geometric mean of the mean over T*·β, its standard error, and mistakes.
    pub published: Vec<PublishedTotal>,
    /// Runs that ended with a wrong answer, at once and in two stages.
    pub mistakes: [u64; 2],
    /// Runs that came to no answer, at once and in two stages.
    pub undecided: [u64; 2],
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
pub struct ConstrainedRow {
    /// How many.
    pub arms: usize,
    /// How many are optimised.
    pub objectives: usize,
    /// How many limits.
    pub limits: usize,
    /// How many arms keep them.
    pub feasible_arms: usize,
    /// How many of these on the front.
    pub front_arms: usize,
    /// T*.
    pub t_star: f64,
    /// All at once.
    pub at_once: StageRow,
    /// The mean at once over T*·β.
    pub ratio: f64,
    /// Who keeps the limits first, and the front after.
    pub two_stages: StageRow,
    /// The published rules for limits, by their own stops.
    pub published: Vec<PublishedRow>,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &RandomSuiteOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Constrained, LabError> {
    let row = |bench: &Bench<'_>, instance: &Instance| {
        let Instance { problem, truth, yardstick, .. } = instance;
        let published = PUBLISHED.map(|kind| {
            let row = by_its_own_stop(instance, kind, bench);
            PublishedRow { rule: kind.name(), row, ratio: yardstick.ratio(row.mean) }
        });
        let stages = bench.each(options.runs, |number| in_two_stages(instance, options, number));
        let Summary { runs, mean, se, mistakes, undecided, .. } = bench.simulated(problem, truth, problem);
        ConstrainedRow {
            arms: problem.arm_count(),
            objectives: problem.objectives().iter().filter(|objective| !objective.is_only_limited()).count(),
            limits: problem.objectives().iter().map(|objective| objective.limits.ends().count()).sum(),
            feasible_arms: (0..problem.arm_count()).filter(|&arm| truth.is_feasible(arm)).count(),
            front_arms: Front::of(truth).members().len(),
            t_star: yardstick.bound.upper,
            at_once: StageRow { runs, mean, se, mistakes, undecided },
            ratio: yardstick.ratio(mean),
            two_stages: StageRow::of(&stages),
            published: published.to_vec(),
        }
    };
    let runs = 2 * options.runs + PUBLISHED.len() as u64 * published_runs(options);
    let all = |row: &ConstrainedRow| {
        row.at_once.runs + row.two_stages.runs + row.published.iter().map(|of| of.row.runs).sum::<u64>()
    };
    let (rows, unfinished) = options.rows(&instances(), runs, (observer, interrupt), row, all)?;
    let whole: Vec<&ConstrainedRow> =
        rows.iter().filter(|row| row.at_once.mean > 0.0 && row.two_stages.mean > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(whole.iter().map(|row| (row.ratio, row.at_once.spread())));
    let (gain, gain_se) = geometric_mean(
        whole
            .iter()
            .map(|row| (row.at_once.mean / row.two_stages.mean, row.at_once.spread().hypot(row.two_stages.spread()))),
    );
    let both = |of: fn(&StageRow) -> u64| {
        [rows.iter().map(|row| of(&row.at_once)).sum(), rows.iter().map(|row| of(&row.two_stages)).sum()]
    };
    Ok(Constrained {
        head: options.head("constraints"),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: whole.iter().map(|row| row.ratio).fold(f64::NAN, f64::max),
        geometric_mean_of_stages: gain,
        geometric_mean_of_stages_se: gain_se,
        published: PUBLISHED.iter().map(|&rule| PublishedTotal::of(rule, &rows)).collect(),
        mistakes: both(|row| row.mistakes),
        undecided: both(|row| row.undecided),
        rows,
        unfinished,
    })
}

impl Findings for Constrained {
    fn text(&self, width: Width) -> String {
        let [mistakes, in_stages] = self.mistakes.map(grouped);
        let published: String = (self.published.iter())
            .map(|of| {
                let PublishedTotal { rule, geometric_mean_ratio, geometric_mean_ratio_se, mistakes, runs } = of;
                format!(
                    "{rule}, as published and by its own stop: mean over T*·β, geometric mean {geometric_mean_ratio:.2} ± {geometric_mean_ratio_se:.2}; {} mistakes of {}.\n",
                    grouped(*mistakes),
                    grouped(*runs)
                )
            })
            .collect();
        let notes = format!(
            "At once: mean over T*·β, geometric mean {:.3} ± {:.3}, worst {:.3}; {mistakes} mistakes, {} undecided. In two stages: {in_stages} mistakes, {} undecided.\n\
             At once over two stages, geometric mean: {:.3} ± {:.3}.\n\
             {published}\
             K arms, d objectives, limits on one more reading and on every other pair of instances' first objective; standard normal means, scaled to T* = {T_STAR}, unit variances;\n\
             δ = {DELTA}, {} threshold, rule {}. Two stages: who keeps the limits at δ/2, then the front of these at δ/2, with all observations so far.\n",
            self.geometric_mean_ratio,
            self.geometric_mean_ratio_se,
            self.worst_ratio,
            grouped(self.undecided[0]),
            grouped(self.undecided[1]),
            self.geometric_mean_of_stages,
            self.geometric_mean_of_stages_se,
            self.head.threshold,
            self.head.rule
        );
        format!("{}\n{notes}", table(&self.rows, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

fn table(rows: &[ConstrainedRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("limits", Align::Right),
        ("keep them", Align::Right),
        ("front", Align::Right),
        ("at once", Align::Right),
        ("over T*·β", Align::Right),
        ("two stages", Align::Right),
        ("at once/two stages", Align::Right),
        (PUBLISHED[0].name(), Align::Right),
        (PUBLISHED[1].name(), Align::Right),
        ("mistakes", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.at_once.runs > 0 && row.two_stages.runs > 0) {
        let gain = row.at_once.mean / row.two_stages.mean;
        let error = gain * row.at_once.spread().hypot(row.two_stages.spread());
        let mut cells = Vec::from([
            row.arms.to_string(),
            row.objectives.to_string(),
            row.limits.to_string(),
            row.feasible_arms.to_string(),
            row.front_arms.to_string(),
            samples(row.at_once.mean),
            format!("{:.3} ± {:.3}", row.ratio, row.ratio * row.at_once.spread()),
            samples(row.two_stages.mean),
            format!("{gain:.3} ± {error:.3}"),
        ]);
        cells.extend(row.published.iter().map(|of| samples(of.row.mean)));
        let all = [row.at_once, row.two_stages].into_iter().chain(row.published.iter().map(|of| of.row));
        cells.push(all.map(|of| grouped(of.mistakes)).collect::<Vec<_>>().join(", "));
        table.push(cells);
    }
    rendered(&table, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instances_are_always_the_same() {
        let instances = instances();
        assert_eq!((instances[0].problem.arm_count(), instances[23].problem.arm_count()), (3, 10));
        for instance in &instances {
            assert!((instance.yardstick.bound.upper / T_STAR - 1.0).abs() < 1e-3, "{:?}", instance.yardstick.bound);
        }
    }
}
