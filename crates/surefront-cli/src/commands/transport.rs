//! `surefront transport`: the closest model with another front.

use std::fmt::Write;

use surefront::{Closest, Method, Model, Piece, Problem, Weights};
use surefront_lab::{Change, in_units};

use super::{print, print_json};
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
    let change = Change::of(&problem, &model, &weights, method(args.method))?;
    let shown = Shown { problem, model, weights, change };
    if args.json { print_json(&shown.change) } else { print(&shown.screen(&study.name)) }
}

fn method(name: MethodName) -> Method {
    match name {
        MethodName::Auto => Method::Auto,
        MethodName::Branch => Method::Branch,
        MethodName::Cells => Method::Cells,
        MethodName::Sweep => Method::Sweep,
    }
}

/// All that is shown.
struct Shown {
    problem: Problem,
    model: Model,
    weights: Weights,
    change: Change,
}

impl Shown {
    fn screen(&self, study: &str) -> String {
        let name = |arm: usize| plain(&self.problem.arms()[arm].name);
        let study = plain(study);
        let (p, k) = (self.change.front.len(), self.change.arms.len());
        let mut text = format!("{study}: {p} of {k} {} on the front\n\n", if k == 1 { "arm" } else { "arms" });
        let Some(closest) = &self.change.closest else {
            text += "Transport cost   infinite\n";
            text += if k == 1 {
                "Closest change   none: a single arm is always on the front\n"
            } else {
                "Closest change   none: only values that are exact could change the front\n"
            };
            return text;
        };
        let arm = name(closest.piece.arm());
        let change = match (closest.piece, closest.piece.through()) {
            (_, Some(through)) => format!("{arm} comes to be dominated by {}", name(through)),
            (Piece::Infeasible { .. }, None) => format!("{arm} comes to break a limit"),
            (_, None) => format!("{arm} comes onto the front"),
        };
        let _ = writeln!(text, "Transport cost   {}", short(closest.cost));
        let _ = writeln!(text, "Closest change   {change}\n");
        text += &self.moves(closest);
        let _ = writeln!(text, "\nMethod {}, {}", self.change.method, duration(self.change.micros));
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
