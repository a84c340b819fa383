//! The best answer where the budget is spent before there is a proof: what drawn models say, which is no guarantee.

use serde::Serialize;
use surefront::Study;

use super::{Answer, ArmAnswer, ArmName, Verdict};
use crate::words::plain::plain;
use crate::words::suggestion::listed;
use crate::words::table::{Align, TextTable, Width};

/// How many models are drawn: enough for whole percents.
const DRAWS: u64 = 4000;
/// Chances further from the ends than this are worth a line each.
const CLEAR: f64 = 0.005;
/// More lines say less.
const MOST_LINES: usize = 20;

/// What is likely, by models drawn from what the observations leave possible.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Likely {
    /// How many models were drawn.
    pub draws: u64,
    /// The best guess: who is certified to be on the front, and of the others who is on that of the means, after each was drawn towards that of all arms.
    pub front: Vec<ArmName>,
    /// The share of models of which that is the front.
    pub front_chance: f64,
    /// Each arm that takes part.
    pub arms: Vec<LikelyArm>,
}

/// An arm, and how likely it is to be on the front.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikelyArm {
    /// The arm.
    #[serde(flatten)]
    pub arm: ArmName,
    /// The share of models in which it is on the front.
    pub on_front: f64,
    /// Whether there is a verdict on it, which needs no chances.
    pub settled: bool,
}

impl Likely {
    /// Of a study and its answer; `None` where there is an answer already, or an arm has not been measured as often as it takes.
    pub fn of(study: &Study, answer: &Answer) -> Option<Self> {
        if answer.stopped {
            return None;
        }
        let guess = study.best_guess();
        // What is settled needs no guess.
        let is_named = |arm: &&ArmAnswer| match arm.verdict {
            Verdict::In => true,
            Verdict::Out => false,
            Verdict::Undecided => guess.contains(&arm.index),
        };
        let named = || answer.arms.iter().filter(is_named);
        let chances = study.chances(&named().map(|arm| arm.index).collect::<Vec<_>>(), DRAWS)?;
        let name = |arm: &ArmAnswer| ArmName { name: arm.name.clone(), index: arm.index };
        let front = named().map(name).collect();
        let arms = answer.arms.iter().map(|arm| LikelyArm {
            arm: name(arm),
            on_front: chances.on_front[arm.index],
            settled: arm.verdict != Verdict::Undecided,
        });
        Some(Likely { draws: chances.draws, front, front_chance: chances.front, arms: arms.collect() })
    }

    /// What is settled, what is likely, and how likely, in a few lines and a table.
    pub fn text(&self, answer: &Answer, width: Width) -> String {
        let named = |verdict: Verdict| {
            let arms: Vec<&str> =
                answer.arms.iter().filter(|arm| arm.verdict == verdict).map(|arm| arm.name.as_str()).collect();
            if arms.is_empty() { "none".to_owned() } else { listed(arms) }
        };
        let (on, off) = (named(Verdict::In), named(Verdict::Out));
        let settled = match answer.promise {
            surefront::Promise::Proved => "Certified",
            surefront::Promise::Likely => "Decided",
        };
        let is_same = same(&self.front, &answer.front);
        let names = |arms: &[ArmName]| listed(arms.iter().map(|arm| arm.name.as_str()));
        let mut text = format!(
            "The best answer for this budget: {}.{}\n\
             {settled} to be on the front: {on}; off it: {off}.\n\
             Of {} models drawn from what the observations leave possible, {} have that front. That is no guarantee.\n",
            names(if is_same { &answer.front } else { &self.front }),
            if is_same {
                String::new()
            } else {
                format!(" (The front of the means, some of which are known little: {}.)", names(&answer.front))
            },
            crate::words::number::grouped(self.draws),
            percent(self.front_chance),
        );
        let mut open: Vec<&LikelyArm> =
            self.arms.iter().filter(|arm| !arm.settled && (CLEAR..1.0 - CLEAR).contains(&arm.on_front)).collect();
        open.sort_by(|a, b| (a.on_front - 0.5).abs().total_cmp(&(b.on_front - 0.5).abs()));
        if open.is_empty() {
            return text;
        }
        let mut table = TextTable::new(&[("arm", Align::Left), ("on the front in", Align::Right)]);
        for arm in open.iter().take(MOST_LINES) {
            table.push(vec![plain(&arm.arm.name).into_owned(), percent(arm.on_front)]);
        }
        text += &format!("\n{}", table.render_within(width));
        if open.len() > MOST_LINES {
            text += &format!("and {} more\n", open.len() - MOST_LINES);
        }
        text
    }
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        part if part > 0.0 && part < 1.0 => "below 1 %".to_owned(),
        part if part < 100.0 && part > 99.0 => "above 99 %".to_owned(),
        part => format!("{part:.0} %"),
    }
}

/// Whether the same arms are named, in whatever order.
fn same(one: &[ArmName], two: &[ArmName]) -> bool {
    one.len() == two.len() && one.iter().all(|arm| two.contains(arm))
}
