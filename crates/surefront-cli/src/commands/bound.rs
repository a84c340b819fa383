//! `surefront bound`: how many samples the best allocation needs.

use std::fmt::Write;

use surefront::Bound;
use surefront_lab::Bounds;

use super::{print, print_json};
use crate::args::BoundArgs;
use crate::failure::Failure;
use crate::screen;
use surefront_study::file::study::StudyFile;
use surefront_study::words::number::{grouped, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::table::{Align, TextTable};

/// Computes T* and w* and prints them.
pub fn run(args: &BoundArgs) -> Result<(), Failure> {
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let model = study.model(&problem)?;
    let bounds = Bounds::of(&problem, &model, args.tol).map_err(|error| Failure::of_lab(error, study.path()))?;
    if args.json { print_json(&bounds) } else { print(&screen(&bounds, &study)) }
}

/// For people.
fn screen(bounds: &Bounds, study: &StudyFile) -> String {
    let (p, k) = (bounds.front.len(), bounds.arms.len());
    let mut text =
        format!("{}: {p} of {k} {} on the front\n\n", plain(&study.name), if k == 1 { "arm" } else { "arms" });
    let Bound { lower, upper, mean_cost, .. } = bounds.bound;
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
        let expected = upper * (1.0 / delta).ln();
        let samples = grouped((expected / mean_cost).ceil() as u64);
        let least = if mean_cost == 1.0 {
            format!("{samples} samples")
        } else {
            format!("a cost of {}, {samples} samples,", significant(expected, 6))
        };
        let _ = writeln!(text, "At δ = {}, about T*·ln(1/δ) = {least} with the best allocation w*", short(delta));
    }
    let mut table = TextTable::new(&[("arm", Align::Left), ("on the front", Align::Left), ("w*", Align::Right)]);
    for (arm, &weight) in bounds.arms.iter().zip(bounds.bound.weights.iter()) {
        let mark = if bounds.front.contains(arm) { "yes" } else { "" };
        table.push(vec![arm.name.clone(), mark.to_owned(), format!("{weight:.5}")]);
    }
    text + "\n" + &table.render_within(screen::width())
}
