//! `surefront check`: what is wrong with a study file, or what would be run.

use std::fmt::Write;

use super::{print, print_json};
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::screen;
use surefront_study::file::study::StudyFile;
use surefront_study::review::Review;
use surefront_study::words::number::{grouped, short};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::{counted, objectives_and};
use surefront_study::words::table::{Align, TextTable};

/// Arms shown unless all are asked for.
const FEW_ARMS: usize = 20;

/// Reads the study file and shows what it comes to.
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let file = StudyFile::read(&args.study)?;
    let review = Review::of(&file)?;
    if args.json { print_json(&review) } else { print(&screen(&review, args)) }
}

/// For people.
fn screen(review: &Review, args: &CheckArgs) -> String {
    let study = args.study.display();
    let optimised = review.objectives.iter().filter(|objective| objective.goal.is_some()).count();
    let mut text = format!(
        "{}: {}, {}; nothing is wrong with {study}\n\n",
        plain(&review.study),
        counted(review.arms.len(), "arm", "arms"),
        objectives_and(optimised, review.objectives.len() - optimised),
    );
    let columns = [
        ("objective", Align::Left),
        ("better", Align::Left),
        ("compared", Align::Left),
        ("noise", Align::Left),
        ("from", Align::Prose),
    ];
    let mut table = TextTable::new(&columns);
    for objective in &review.objectives {
        let better = objective.wanted();
        let cells = [&objective.name, &better, &objective.statistic, &objective.noise, &objective.from];
        table.push(cells.map(String::clone).to_vec());
    }
    text += &table.render_within(screen::width());
    text.push('\n');
    let shown = if args.all { review.arms.len() } else { FEW_ARMS };
    let mut table = TextTable::new(&[("arm", Align::Left), ("measured by", Align::Prose)]);
    for arm in review.arms.iter().take(shown) {
        table.push(vec![arm.name.clone(), arm.way().to_owned()]);
    }
    text += &table.render_within(screen::width());
    if review.arms.len() > shown {
        let _ = writeln!(text, "  … and {} more: --all shows them", grouped((review.arms.len() - shown) as u64));
    }
    let _ = writeln!(
        text,
        "\nδ = {}, rule {}, threshold {}: measured until the front is proved.",
        short(review.delta),
        review.rule,
        review.threshold_name
    );
    if let Some(prepare) = &review.prepare {
        let _ = writeln!(text, "Before each measurement: {}", plain(prepare));
    }
    text += &match (&review.not_run, review.is_by_hand()) {
        (Some(_), true) => format!("It is measured by hand: surefront ask {study} says what to measure next.\n"),
        (Some(why), false) => format!("surefront run would refuse it: {}\n", plain(why)),
        (None, _) => format!("surefront run {study}: {}.\n", review.how()),
    };
    if let Some(samples) = review.samples_at_least {
        let _ = writeln!(
            text,
            "With these means, at least about {} samples on average, by any method; surefront plan {study} says how many it takes.",
            grouped(samples.ceil() as u64)
        );
    }
    text
}
