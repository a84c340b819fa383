//! The verdicts as a table for people.

use surefront::{Goal, Promise, Standing};

use super::{Answer, ArmAnswer, Verdict};
use crate::words::number::{grouped, short};
use crate::words::plural::counted;
use crate::words::table::{Align, TextTable, Width};

/// How many arms are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// As many as can be taken in; the others are counted.
    Few,
    /// All of them.
    All,
}

/// Arms shown unless all are asked for.
const FEW: usize = 40;

/// The verdicts with their reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictTable {
    /// The lines.
    pub text: String,
    /// What is not shown, counted; `None` if everything is.
    pub left_out: Option<String>,
}

pub fn table(answer: &Answer, rows: Rows, width: Width) -> VerdictTable {
    let columns = answer.objectives.iter().map(|objective| {
        let arrow = objective.goal.map(|goal| match goal {
            Goal::Max => "↑",
            Goal::Min => "↓",
        });
        let (least, most) = (
            objective.at_least.map(|x| format!("≥ {}", short(x))),
            objective.at_most.map(|x| format!("≤ {}", short(x))),
        );
        let parts = [Some(objective.label()), arrow.map(str::to_owned), least, most];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    let columns: Vec<String> = columns.collect();
    let mut header = vec![("arm", Align::Left), ("n", Align::Right)];
    header.extend(columns.iter().map(|name| (name.as_str(), Align::Right)));
    header.extend([("verdict", Align::Left), ("why", Align::Prose)]);
    let mut table = TextTable::new(&header);

    let mut arms: Vec<&ArmAnswer> = answer.arms.iter().collect();
    arms.sort_by_key(|arm| (place(arm), arm.index));
    let shown = match rows {
        Rows::Few => arms.len().min(FEW),
        Rows::All => arms.len(),
    };
    for arm in &arms[..shown] {
        let mut cells = vec![arm.name.clone(), grouped(arm.n)];
        cells.extend((0..arm.mean.len()).map(|objective| arm.cell(objective)));
        cells.extend([arm.verdict.words(answer.promise).to_owned(), arm.reason.clone()]);
        table.push(cells);
    }
    VerdictTable { text: table.render_within(width), left_out: left_out(&arms[shown..], answer.promise) }
}

/// The front first, then what is open, then what is settled.
fn place(arm: &ArmAnswer) -> u8 {
    match (arm.standing, arm.verdict) {
        (Some(Standing::In), Verdict::In) => 0,
        (Some(Standing::In), _) => 1,
        (Some(Standing::Out), Verdict::Undecided) => 2,
        (None, _) => 3,
        (Some(Standing::Out), _) => 4,
        (Some(Standing::LeftOut), _) => 5,
    }
}

/// "60 more arms (3 in, 57 out)".
fn left_out(arms: &[&ArmAnswer], promise: Promise) -> Option<String> {
    if arms.is_empty() {
        return None;
    }
    let counts = [Verdict::In, Verdict::Undecided, Verdict::Out].map(|verdict| {
        let count = arms.iter().filter(|arm| arm.verdict == verdict).count();
        (count > 0).then(|| format!("{} {}", grouped(count as u64), verdict.words(promise)))
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    Some(format!("{} ({})", counted(arms.len(), "more arm", "more arms"), counts.join(", ")))
}
