//! What is known of each arm, and why.

use std::fmt::Write;

use surefront::Promise;

use super::{gauge, symbol};
use crate::answer::{ArmAnswer, Verdict};
use crate::plot::escaped;
use crate::report::data::{LeftOut, ReportData, Selection, mark};
use crate::report::words;
use crate::words::number::grouped;

/// A longer table scrolls in a window of its own.
pub const LONG: usize = 40;

/// The table of verdicts.
pub fn section(html: &mut String, data: &ReportData) {
    html.push_str("<section>\n<h2>Why</h2>\n");
    let Selection { arms, left_out } = data.listed();
    scroll_note(html, arms.len(), left_out);
    let class = if arms.len() > LONG { "table long" } else { "table" };
    let _ = writeln!(
        html,
        "<div class=\"{class}\" tabindex=\"0\">\n<table class=\"verdicts\">\n<thead><tr><th>arm</th><th>verdict</th>\
         <th>why</th><th>evidence</th></tr></thead>\n<tbody>"
    );
    for arm in arms {
        row(html, arm, data.answer.promise);
    }
    html.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}

/// What a long table does on the screen and on paper; the style sheet agrees with it.
pub fn scroll_note(html: &mut String, arms: usize, left_out: LeftOut) {
    const PRINTED: usize = 60;
    let all = arms + left_out.total();
    if arms > LONG {
        let which = match left_out.total() {
            0 => format!("All {} arms", grouped(arms as u64)),
            _ => format!("{} of {} arms", grouped(arms as u64), grouped(all as u64)),
        };
        let rest = words::left_out(left_out, "listed");
        let _ = writeln!(
            html,
            "<p class=\"note screen-only\">{which}, the front first; the table scrolls.{}{rest}</p>",
            if rest.is_empty() { "" } else { " " }
        );
    }
    if arms > PRINTED {
        let has = if left_out.total() == 0 { "all of them" } else { "more of them" };
        let _ = writeln!(
            html,
            "<p class=\"note print-only\">The first {PRINTED} of {} arms; the file has {has}.</p>",
            grouped(all as u64)
        );
    }
}

fn row(html: &mut String, arm: &ArmAnswer, promise: Promise) {
    let class = match arm.verdict {
        Verdict::In => "in",
        Verdict::Out => "out",
        Verdict::Undecided => "undecided",
    };
    let _ = writeln!(
        html,
        "<tr class=\"{class}\" data-arm=\"{}\"><th scope=\"row\">{}</th><td class=\"verdict\">{}{}</td><td>{}</td><td class=\"evidence\">{}</td></tr>",
        arm.index,
        escaped(&arm.name),
        if arm.n == 0 { String::new() } else { symbol(mark(arm)) },
        arm.verdict.words(promise),
        escaped(&arm.reason),
        evidence(arm, promise)
    );
}

/// The evidence in numbers and as a gauge.
fn evidence(arm: &ArmAnswer, promise: Promise) -> String {
    let text = words::evidence(arm, promise);
    if arm.standing.is_none() {
        return text;
    }
    let (numbers, percent) = (words::evidence_numbers(arm), gauge(arm.evidence, arm.threshold));
    let text = format!("<span title=\"{numbers}\">{text}</span>");
    text + &format!("<div class=\"gauge\"><span style=\"width: {percent}%\"></span></div>")
}
