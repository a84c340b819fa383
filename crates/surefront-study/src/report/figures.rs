//! The front and the evidence as figures.

use surefront::{Goal, Promise};

use super::data::{ReportData, mark};
use super::words;
use crate::answer::ArmAnswer;
use crate::plot::{
    Direction, Drawing, Interval, Intervals, Parallel, ParallelLine, Race, RaceStep, Scatter, ScatterPoint, Sheet,
    VerdictMark, Window,
};

/// With more objectives, the arms are also drawn as lines across all of them.
const FEW_OBJECTIVES: usize = 3;
/// In one objective, more arms than this are not drawn.
const MOST_INTERVALS: usize = 60;

/// The arms in all objectives at once, where that is another figure than a pair of them.
pub fn overview(data: &ReportData) -> Option<Drawing> {
    match data.answer.objectives.len() {
        1 => Some(intervals(data)),
        d if d > FEW_OBJECTIVES => Some(parallel(data)),
        _ => None,
    }
}

/// How many measured arms [`overview`] leaves out.
pub fn left_out(data: &ReportData) -> usize {
    match data.answer.objectives.len() {
        1 => data.drawn().arms.len().saturating_sub(MOST_INTERVALS),
        _ => 0,
    }
}

/// The arms in every pair of objectives.
pub fn pairs(data: &ReportData) -> Vec<Drawing> {
    pairs_of(data.answer.objectives.len()).map(|[x, y]| pair(data, x, y, None)).collect()
}

/// The pairs of objectives that are drawn, each as what goes along and what goes up.
pub fn pairs_of(objectives: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..objectives).flat_map(|y| (0..y).map(move |x| [x, y]))
}

/// The arms in two objectives; all of them, or a part.
pub fn pair(data: &ReportData, x: usize, y: usize, window: Option<Window>) -> Drawing {
    let d = data.answer.objectives.len();
    let (width, height) = match d {
        2 => (480.0, 410.0),
        3 => (450.0, 390.0),
        _ => (330.0, 300.0),
    };
    let reach = data.region_reach();
    let points = data.drawn().arms.into_iter().filter_map(|arm| {
        let side = |j: usize| Some((arm.mean[j]?, arm.se[j].map(|se| reach * se)));
        let ((x, rx), (y, ry)) = (side(x)?, side(y)?);
        Some(ScatterPoint { name: arm.name.clone(), at: [x, y], region: [rx, ry], mark: mark(arm) })
    });
    let points = points.collect();
    Scatter { x: direction(data, x), y: direction(data, y), points, complete: d == 2, width, height, window }.draw()
}

/// The evidence against the threshold, if there is more than one moment of it.
pub fn evidence(data: &ReportData) -> Option<Drawing> {
    let steps = data.history.iter().map(|milestone| RaceStep {
        at: milestone.samples as f64,
        value: milestone.evidence,
        goal: milestone.threshold,
    });
    Race {
        grows: "evidence".to_owned(),
        goal: match data.answer.promise {
            Promise::Proved => "enough for a proof".to_owned(),
            Promise::Likely => "enough to be likely".to_owned(),
        },
        x_label: "samples".to_owned(),
        steps: steps.collect(),
    }
    .draw()
}

/// All figures of the front on one sheet.
pub fn sheet(data: &ReportData) -> String {
    let pairs = pairs(data);
    let width = match pairs.len() {
        0 | 1 => 620.0,
        _ => 1080.0,
    };
    Sheet {
        title: format!("{}: the Pareto front", data.answer.study),
        subtitle: [words::summary(data), words::left_out(data.drawn().left_out, "drawn")]
            .join(" ")
            .trim_end()
            .to_owned(),
        key: key(data.answer.promise),
        drawings: overview(data).into_iter().chain(pairs).collect(),
        width,
    }
    .to_svg()
}

/// What the marks mean, one below the other.
fn key(promise: Promise) -> Drawing {
    const STEP: f64 = 20.0;
    let (marks, mut body) = (VerdictMark::all(promise), String::new());
    for (row, mark) in marks.into_iter().enumerate() {
        let y = STEP * (row as f64 + 0.5);
        mark.draw(&mut body, 8.0, y, None);
        body += &format!("<text class=\"small\" x=\"22\" y=\"{}\">{}</text>\n", y + 4.0, mark.words());
    }
    Drawing { label: "key".to_owned(), width: 240.0, height: STEP * marks.len() as f64, body }
}

fn direction(data: &ReportData, objective: usize) -> Direction {
    let objective = &data.answer.objectives[objective];
    Direction { name: objective.label(), more_is_better: objective.goal.unwrap_or(Goal::Min) == Goal::Max }
}

fn parallel(data: &ReportData) -> Drawing {
    let reach = data.interval_reach();
    let line = |arm: &ArmAnswer| {
        Some(ParallelLine {
            name: arm.name.clone(),
            at: arm.mean.iter().copied().collect::<Option<_>>()?,
            reach: arm.se.iter().map(|se| se.map(|se| reach * se)).collect(),
            mark: mark(arm),
        })
    };
    let directions = (0..data.answer.objectives.len()).map(|objective| direction(data, objective)).collect();
    Parallel { directions, lines: data.drawn().arms.into_iter().filter_map(line).collect() }.draw()
}

fn intervals(data: &ReportData) -> Drawing {
    let reach = data.interval_reach();
    let x = direction(data, 0);
    let mut rows: Vec<Interval> = (data.drawn().arms.iter())
        .filter_map(|arm| {
            let at = arm.mean[0]?;
            let around = || arm.se[0].map(|se| [at - reach * se, at + reach * se]);
            let ends = match arm.interval(0) {
                Some([low, high]) => low.zip(high).map(|(low, high)| [low, high]),
                None => around(),
            };
            Some(Interval { name: arm.name.clone(), at, ends, mark: mark(arm) })
        })
        .collect();
    rows.sort_by(|a, b| if x.more_is_better { b.at.total_cmp(&a.at) } else { a.at.total_cmp(&b.at) });
    rows.truncate(MOST_INTERVALS);
    Intervals { x, rows }.draw()
}
