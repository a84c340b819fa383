//! The closest model with another front.

use std::time::Instant;

use serde::Serialize;
use surefront::{Closest, Front, Method, MethodError, Model, Oracle, Piece, Problem, Question, Weights};
use surefront_study::answer::ArmName;

/// What it would take to change the front, and how long it took to find out.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The transport cost; `None` where nothing that is measured with noise can change the front.
    pub cost: Option<f64>,
    /// What changes.
    pub piece: Option<PieceFindings>,
    /// The cost's gradient in the weights.
    pub gradient: Option<Vec<f64>>,
    /// The means of that model, in the objectives' own units.
    pub alternative: Option<Vec<Vec<f64>>>,
    /// The front of the means.
    pub front: Vec<ArmName>,
    /// All arms, in the order of the weights.
    pub arms: Vec<ArmName>,
    /// How it was found.
    pub method: &'static str,
    /// How long an oracle that is already warm takes.
    pub micros: f64,
    /// The same for those who compute on.
    #[serde(skip)]
    pub closest: Option<Closest>,
}

/// A piece of the boundary between fronts.
#[derive(Clone, Debug, Serialize)]
pub struct PieceFindings {
    /// "remove": an arm of the front comes to be covered; "add": one comes onto the front; "infeasible": one of it comes to break a limit.
    pub kind: &'static str,
    /// The arm, and the one that covers it.
    pub arms: Vec<ArmName>,
}

impl Change {
    /// Of these means under these weights, which are the problem's.
    ///
    /// # Errors
    /// When the method is not for such a problem, or none is.
    pub fn of(problem: &Problem, model: &Model, weights: &Weights, method: Method) -> Result<Self, MethodError> {
        if let Some(missing) = problem.no_oracle() {
            return Err(missing.into());
        }
        let front = Front::of(model);
        let mut oracle = Oracle::new(problem, method)?;
        let question = Question::new(problem, model, &front, weights).expect("the parts are of one study");
        let (closest, micros) = timed(&mut oracle, &question);
        let all: Vec<usize> = (0..problem.arm_count()).collect();
        Ok(Change {
            cost: closest.as_ref().map(|closest| closest.cost),
            piece: closest.as_ref().map(|closest| {
                let through = closest.piece.through();
                let kind = match closest.piece {
                    Piece::Remove { .. } => "remove",
                    Piece::Infeasible { .. } => "infeasible",
                    _ => "add",
                };
                let arms: Vec<usize> = std::iter::once(closest.piece.arm()).chain(through).collect();
                PieceFindings { kind, arms: ArmName::list(problem, &arms) }
            }),
            gradient: closest.as_ref().map(|closest| closest.dense_gradient(all.len())),
            alternative: closest.as_ref().map(|closest| {
                let alternative = closest.alternative(model);
                all.iter().map(|&arm| in_units(&alternative, problem, arm)).collect()
            }),
            front: ArmName::list(problem, front.members()),
            arms: ArmName::list(problem, &all),
            method: method_name(oracle.method()),
            micros,
            closest,
        })
    }
}

/// The means of an arm as they were written; turning a zero around must not make it negative.
pub fn in_units(model: &Model, problem: &Problem, arm: usize) -> Vec<f64> {
    model.in_units(problem, arm).into_iter().map(|value| value + 0.0).collect()
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
