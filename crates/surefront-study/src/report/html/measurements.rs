//! How often each arm was measured, and what came out.

use std::fmt::Write;

use super::symbol;
use super::verdicts::{LONG, scroll_note};
use crate::answer::ArmAnswer;
use crate::plot::escaped;
use crate::report::data::{ReportData, Selection, mark};
use crate::words::number::grouped;
use crate::words::plural;

/// Arms with a bar of their own.
const MOST_BARS: usize = 24;

/// The samples of each arm as bars, the longest first.
pub fn samples(html: &mut String, data: &ReportData) {
    html.push_str("<section>\n<h2>Samples per arm</h2>\n");
    let mut arms: Vec<&ArmAnswer> = data.answer.arms.iter().collect();
    arms.sort_by_key(|arm| (std::cmp::Reverse(arm.n), arm.index));
    let (shown, rest) = arms.split_at(if arms.len() > MOST_BARS { MOST_BARS - 1 } else { arms.len() });
    let most = shown.iter().map(|arm| arm.n).max().unwrap_or(0).max(1);
    html.push_str("<ul class=\"bars\">\n");
    for arm in shown {
        let kind = mark(arm);
        let _ = writeln!(
            html,
            "<li><span class=\"name\" title=\"{name}\">{}{name}</span><span class=\"track\"><span class=\"bar {}\" style=\"width: {:.2}%\"></span></span><span class=\"n\">{}</span></li>",
            symbol(kind),
            kind.fill(),
            100.0 * arm.n as f64 / most as f64,
            grouped(arm.n),
            name = escaped(&arm.name),
        );
    }
    html.push_str("</ul>\n");
    if !rest.is_empty() {
        let sum: u64 = rest.iter().map(|arm| arm.n).sum();
        let most = rest.first().map_or(0, |arm| arm.n);
        let _ = writeln!(
            html,
            "<p class=\"note\">The {} other arms: {} together, at most {} each.</p>",
            grouped(rest.len() as u64),
            plural::samples(sum),
            grouped(most)
        );
    }
    html.push_str("</section>\n");
}

/// The table of means.
pub fn section(html: &mut String, data: &ReportData) {
    html.push_str(
        "<section>\n<h2>What was measured</h2>\n<p class=\"note\">Means ± standard errors; n is the number of observations.</p>\n",
    );
    let Selection { arms, left_out } = data.listed();
    scroll_note(html, arms.len(), left_out);
    let class = if arms.len() > LONG { "table long" } else { "table" };
    let _ = write!(
        html,
        "<div class=\"{class}\" tabindex=\"0\">\n<table class=\"means\">\n<thead><tr><th>arm</th><th class=\"number\">n</th>"
    );
    for objective in &data.answer.objectives {
        let (name, better) = (escaped(&objective.label()), escaped(&objective.wanted()));
        let _ = write!(html, "<th class=\"number\">{name}<small>{better}</small></th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for arm in arms {
        let (name, n) = (escaped(&arm.name), grouped(arm.n));
        let _ = write!(html, "<tr><th scope=\"row\">{}{name}</th><td class=\"number\">{n}</td>", symbol(mark(arm)));
        for cell in (0..arm.mean.len()).map(|objective| arm.cell(objective)) {
            let _ = write!(html, "<td class=\"number\">{cell}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}
