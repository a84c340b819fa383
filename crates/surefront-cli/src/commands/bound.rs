//! `surefront bound`: how many samples the best allocation needs.

use std::fmt::Write;

use serde::Serialize;
use surefront::{Bound, Front, Problem, bound};

use super::{ArmJson, print, print_json};
use crate::args::BoundArgs;
use crate::failure::Failure;
use crate::screen;
use surefront_lab::replication::Bracket;
use surefront_study::file::study::StudyFile;
use surefront_study::words::number::{grouped, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::table::{Align, TextTable};

/// Computes T* and w* and prints them.
pub fn run(args: &BoundArgs) -> Result<(), Failure> {
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let model = study.model(&problem)?;
    let bound = bound(&problem, &model, args.tol).map_err(|error| Failure::of_bound(error, &problem, study.path()))?;
    let shown = Bounds { front: Front::of(&model), problem, bound };
    if args.json { print_json(&shown.json()) } else { print(&shown.screen(&study)) }
}

/// All that is shown.
struct Bounds {
    problem: Problem,
    front: Front,
    bound: Bound,
}

#[derive(Serialize)]
struct BoundsJson<'a> {
    t_star: Bracket,
    weights: &'a [f64],
    front: Vec<ArmJson<'a>>,
    arms: Vec<ArmJson<'a>>,
}

impl Bounds {
    fn json(&self) -> BoundsJson<'_> {
        let all: Vec<usize> = (0..self.problem.arm_count()).collect();
        BoundsJson {
            t_star: Bracket { lower: self.bound.lower, upper: self.bound.upper },
            weights: &self.bound.weights,
            front: ArmJson::list(&self.problem, self.front.members()),
            arms: ArmJson::list(&self.problem, &all),
        }
    }

    fn screen(&self, study: &StudyFile) -> String {
        let (p, k) = (self.front.members().len(), self.problem.arm_count());
        let mut text =
            format!("{}: {p} of {k} {} on the front\n\n", plain(&study.name), if k == 1 { "arm" } else { "arms" });
        let Bound { lower, upper, .. } = self.bound;
        if upper == 0.0 {
            text += "T* = 0: nothing that is measured with noise can change the front\n";
            return text;
        }
        let (lower, upper_text) = (significant(lower, 10), significant(upper, 10));
        let _ = if lower == upper_text {
            writeln!(text, "T* = {lower}")
        } else {
            writeln!(text, "T* is certainly between {lower} and {upper_text}")
        };
        if let Some(delta) = study.delta {
            let samples = grouped((upper * (1.0 / delta).ln()).ceil() as u64);
            let _ = writeln!(
                text,
                "At δ = {}, about T*·ln(1/δ) = {samples} samples with the best allocation w*",
                short(delta)
            );
        }
        let mut table = TextTable::new(&[("arm", Align::Left), ("on the front", Align::Left), ("w*", Align::Right)]);
        for (arm, (entry, &weight)) in self.problem.arms().iter().zip(self.bound.weights.iter()).enumerate() {
            let mark = if self.front.contains(arm) { "yes" } else { "" };
            table.push(vec![entry.name.clone(), mark.to_owned(), format!("{weight:.5}")]);
        }
        text + "\n" + &table.render_within(screen::width())
    }
}
