//! `surefront transport`: the closest model with another front.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;
use surefront::{Closest, Front, Method, Model, Oracle, Problem, Question, Weights};

use super::{ArmJson, print, print_json};
use crate::args::{MethodName, TransportArgs};
use crate::failure::Failure;
use crate::screen;
use surefront_study::file::study::StudyFile;
use surefront_study::words::number::{duration, short};
use surefront_study::words::plain::plain;
use surefront_study::words::table::{Align, TextTable};

/// Asks the oracle and prints its answer.
pub fn run(args: &TransportArgs) -> Result<(), Failure> {
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let model = study.model(&problem)?;
    let weights = args.weights.obtain(&problem)?;
    let front = Front::of(&model);
    let mut oracle = Oracle::new(&problem, method(args.method))?;
    let question = Question::new(&problem, &model, &front, &weights).expect("the parts are of one study");
    let (closest, micros) = timed(&mut oracle, &question);
    let shown = Change { problem, model, weights, front, closest, method: method_name(oracle.method()), micros };
    if args.json { print_json(&shown.json()) } else { print(&shown.screen(&study.name)) }
}

fn method(name: MethodName) -> Method {
    match name {
        MethodName::Auto => Method::Auto,
        MethodName::Branch => Method::Branch,
        MethodName::Cells => Method::Cells,
        MethodName::Sweep => Method::Sweep,
    }
}

fn method_name(method: Method) -> &'static str {
    match method {
        Method::Auto => "auto",
        Method::Branch => "branch",
        Method::Cells => "cells",
        Method::Sweep => "sweep",
    }
}

/// The answer, and how long an oracle that is already warm takes for it: a short question is put again, since the first
/// time is mostly spent on making room.
fn timed(oracle: &mut Oracle, question: &Question<'_>) -> (Option<Closest>, f64) {
    const PATIENCE_MICROS: f64 = 50_000.0;
    let (mut total, mut least) = (0.0, f64::INFINITY);
    let mut answer = None;
    for _ in 0..5 {
        let start = Instant::now();
        let closest = oracle.closest(question);
        let micros = start.elapsed().as_nanos() as f64 / 1e3;
        answer = closest.cloned();
        least = micros.min(least);
        total += micros;
        if total > PATIENCE_MICROS {
            break;
        }
    }
    (answer, least)
}

/// All that is shown.
struct Change {
    problem: Problem,
    model: Model,
    weights: Weights,
    front: Front,
    closest: Option<Closest>,
    method: &'static str,
    micros: f64,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    cost: Option<f64>,
    piece: Option<PieceJson<'a>>,
    gradient: Option<Vec<f64>>,
    alternative: Option<Vec<Vec<f64>>>,
    front: Vec<ArmJson<'a>>,
    arms: Vec<ArmJson<'a>>,
    method: &'static str,
    micros: f64,
}

#[derive(Serialize)]
struct PieceJson<'a> {
    kind: &'static str,
    arms: Vec<ArmJson<'a>>,
}

impl Change {
    fn json(&self) -> ChangeJson<'_> {
        let arm_count = self.problem.arm_count();
        let all: Vec<usize> = (0..arm_count).collect();
        ChangeJson {
            cost: self.closest.as_ref().map(|closest| closest.cost),
            piece: self.closest.as_ref().map(|closest| {
                let through = closest.piece.through();
                let kind = if through.is_some() { "remove" } else { "add" };
                let arms: Vec<usize> = std::iter::once(closest.piece.arm()).chain(through).collect();
                PieceJson { kind, arms: ArmJson::list(&self.problem, &arms) }
            }),
            gradient: self.closest.as_ref().map(|closest| closest.dense_gradient(arm_count)),
            alternative: self.closest.as_ref().map(|closest| {
                let alternative = closest.alternative(&self.model);
                all.iter().map(|&arm| in_units(&alternative, &self.problem, arm)).collect()
            }),
            front: ArmJson::list(&self.problem, self.front.members()),
            arms: ArmJson::list(&self.problem, &all),
            method: self.method,
            micros: self.micros,
        }
    }

    fn screen(&self, study: &str) -> String {
        let name = |arm: usize| plain(&self.problem.arms()[arm].name);
        let study = plain(study);
        let (p, k) = (self.front.members().len(), self.problem.arm_count());
        let mut text = format!("{study}: {p} of {k} {} on the front\n\n", if k == 1 { "arm" } else { "arms" });
        let Some(closest) = &self.closest else {
            text += "Transport cost   infinite\n";
            text += if k == 1 {
                "Closest change   none: a single arm is always on the front\n"
            } else {
                "Closest change   none: only values that are exact could change the front\n"
            };
            return text;
        };
        let arm = name(closest.piece.arm());
        let change = match closest.piece.through() {
            Some(through) => format!("{arm} comes to be dominated by {}", name(through)),
            None => format!("{arm} comes onto the front"),
        };
        let _ = writeln!(text, "Transport cost   {}", short(closest.cost));
        let _ = writeln!(text, "Closest change   {change}\n");
        text += &self.moves(closest);
        let _ = writeln!(text, "\nMethod {}, {}", self.method, duration(self.micros));
        text
    }

    /// One row for each arm that moves; only where it moves, the cell says where to.
    fn moves(&self, closest: &Closest) -> String {
        let mut columns = vec![("moved arm", Align::Left), ("weight", Align::Right)];
        columns.extend(self.problem.objectives().iter().map(|objective| (objective.name.as_str(), Align::Right)));
        columns.push(("gradient", Align::Right));
        let mut table = TextTable::new(&columns);
        let alternative = closest.alternative(&self.model);
        for (&arm, &gradient) in closest.arms().iter().zip(closest.gradient()) {
            let mut cells = vec![self.problem.arms()[arm].name.clone(), short(self.weights[arm])];
            let (from, to) = (in_units(&self.model, &self.problem, arm), in_units(&alternative, &self.problem, arm));
            cells.extend(
                from.iter().zip(&to).map(|(&from, &to)| {
                    if from == to { short(from) } else { format!("{} → {}", short(from), short(to)) }
                }),
            );
            cells.push(short(gradient));
            table.push(cells);
        }
        table.render_within(screen::width())
    }
}

/// The means of an arm as they were written; turning a zero around must not make it negative.
fn in_units(model: &Model, problem: &Problem, arm: usize) -> Vec<f64> {
    model.in_units(problem, arm).into_iter().map(|value| value + 0.0).collect()
}
