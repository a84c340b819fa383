//! The report as one page for a browser: nothing else is loaded, and nothing has to run.

mod measurements;
mod verdicts;

use std::collections::HashSet;
use std::fmt::Write;

use surefront::Promise;

use super::data::{ReportData, mark};
use super::{figures, words};
use crate::answer::{ArmAnswer, Condition, Verdict};
use crate::plot::{VerdictMark, escaped, style};
use crate::words::number::{grouped, significant};
use crate::words::plural::counted;

/// The page's own style; that of the figures comes with them.
const STYLE: &str = include_str!("style.css");
/// Arms of the front shown by name in the answer.
const MOST_CHIPS: usize = 60;
/// Arms given up on, each with its reason.
const MOST_DROPPED: usize = 200;

/// The page.
pub fn page(data: &ReportData) -> String {
    let title = escaped(&data.answer.study);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <meta name=\"color-scheme\" content=\"light dark\" />\n\
         <meta name=\"generator\" content=\"surefront {}\" />\n\
         <title>{title}: which are Pareto-optimal?</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n<main>\n",
        data.version,
        style()
    );
    let Sections { head, front, evidence, samples, verdicts, means, further, small_print } = Sections::of(data);
    html += &head;
    html += &front;
    let _ = write!(html, "<div class=\"columns\">\n{evidence}{samples}</div>\n{verdicts}{means}{further}{small_print}");
    html += "</main>\n</body>\n</html>\n";
    html
}

/// The style sheet that the sections are made for, with that of the figures.
pub fn sections_style() -> String {
    style() + STYLE
}

/// The parts of the page, each an element or several of them: for pages that have more around them.
#[derive(Clone, Debug)]
pub struct Sections {
    /// The question and the answer.
    pub head: String,
    /// The arms as figures.
    pub front: String,
    /// The evidence against the threshold, over time.
    pub evidence: String,
    /// How often each arm was measured.
    pub samples: String,
    /// What is known of each arm, and why.
    pub verdicts: String,
    /// What was measured.
    pub means: String,
    /// What to know beside: arms given up, how measuring went, what the observations look like, what the promise depends on.
    pub further: String,
    /// Assumptions and settings.
    pub small_print: String,
}

impl Sections {
    /// Of a report.
    pub fn of(data: &ReportData) -> Self {
        let section = |write: fn(&mut String, &ReportData)| {
            let mut html = String::new();
            write(&mut html, data);
            html
        };
        Sections {
            head: section(head),
            front: section(front),
            evidence: section(evidence),
            samples: section(measurements::samples),
            verdicts: section(verdicts::section),
            means: section(measurements::section),
            further: section(further),
            small_print: section(small_print),
        }
    }
}

/// What to know beside the verdicts.
fn further(html: &mut String, data: &ReportData) {
    dropped(html, data);
    list(html, "How the data were read", &data.notes);
    list(html, "How it was measured", &words::measuring(data));
    list(html, "How measuring went", &data.answer.caveats());
    list(html, "What the observations look like", &data.answer.seen());
    let conditions: Vec<String> = data.answer.conditions.iter().map(Condition::sentence).collect();
    list(html, "What the promise depends on", &conditions);
}

/// The question and the answer.
fn head(html: &mut String, data: &ReportData) {
    let answer = &data.answer;
    let _ = writeln!(html, "<header>\n<h1>{}</h1>", escaped(&answer.study));
    let _ = writeln!(html, "<p class=\"question\">{}</p>\n</header>", escaped(&words::question(data)));
    let (class, badge) = match (answer.stopped, answer.promise) {
        (true, Promise::Proved) => ("sure", "✓ proved"),
        (true, Promise::Likely) => ("likely", "~ likely, not proved"),
        (false, Promise::Proved) => ("open", "… not proved yet"),
        (false, Promise::Likely) => ("open", "… not decided yet"),
    };
    let _ = writeln!(html, "<section class=\"answer {class}\" aria-label=\"The answer\">");
    let _ = writeln!(html, "<p class=\"badge\">{badge}</p>");
    let _ = writeln!(html, "<p class=\"sentence\">{}</p>", escaped(&words::answer(data)));
    if !words::front_is_listed(data) {
        html.push_str("<ul class=\"chips\">\n");
        let front: HashSet<usize> = answer.front.iter().map(|arm| arm.index).collect();
        let on_front = |arm: &&&ArmAnswer| front.contains(&arm.index);
        for arm in data.listed().arms.iter().filter(on_front).take(MOST_CHIPS) {
            let _ = writeln!(html, "<li>{}{}</li>", symbol(mark(arm)), escaped(&arm.name));
        }
        if let Some(more) = answer.front.len().checked_sub(MOST_CHIPS).filter(|more| *more > 0) {
            let _ = writeln!(html, "<li>and {} more, in the table below</li>", grouped(more as u64));
        }
        html.push_str("</ul>\n");
    }
    let _ = writeln!(html, "<p>{} {}</p>", escaped(&words::sureness(data)), escaped(answer.promises().trim_end()));
    html.push_str("<dl class=\"figures\">\n");
    let count = |verdict| grouped(data.count(verdict) as u64);
    let likely = answer.promise.hedge();
    for (name, value) in [
        (format!("{likely}on the front"), count(Verdict::In)),
        (format!("{likely}dominated"), count(Verdict::Out)),
        ("undecided".to_owned(), count(Verdict::Undecided)),
        ("samples".to_owned(), grouped(answer.samples)),
    ] {
        let _ = writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    html.push_str("</dl>\n</section>\n");
}

/// The arms as figures.
fn front(html: &mut String, data: &ReportData) {
    html.push_str("<section>\n<h2>The front</h2>\n");
    key(html, data);
    let pairs = figures::pairs(data);
    if let Some(overview) = figures::overview(data) {
        let class = if pairs.is_empty() { "figure" } else { "figure wide" };
        let _ = writeln!(html, "<div class=\"{class}\">\n{}</div>", overview.inline());
    }
    let class = match pairs.len() {
        0 | 1 => "pair",
        2..=4 => "pairs",
        _ => "pairs small",
    };
    let note = format!("<p class=\"note\">{}</p>\n", escaped(&note(data)));
    if pairs.is_empty() {
        html.push_str(&note);
    } else {
        let _ = writeln!(html, "<div class=\"{class}\">");
        for ([x, y], pair) in figures::pairs_of(data.answer.objectives.len()).zip(&pairs) {
            let _ = writeln!(html, "<div class=\"figure\" data-pair=\"{x} {y}\">\n{}</div>", pair.inline());
        }
        // Beside the last figure if there is room, else below it.
        let _ = writeln!(html, "{note}</div>");
    }
    html.push_str("</section>\n");
}

/// How to read the figures, and what is not in them.
fn note(data: &ReportData) -> String {
    let mut note = words::regions(data);
    if data.answer.objectives.len() == 2 && !data.answer.front.is_empty() {
        note += " The tinted area is what the front dominates.";
    }
    match figures::left_out(data) {
        0 => {}
        1 => note += " The arm with the worst mean is not drawn.",
        many => note += &format!(" The {} arms with the worst means are not drawn.", grouped(many as u64)),
    }
    let left_out = words::left_out(data.drawn().left_out, "drawn");
    if !left_out.is_empty() {
        note += &format!(" {left_out}");
    }
    match data.answer.unmeasured() {
        0 => {}
        1 => note += " One arm has not been measured and is not drawn.",
        many => note += &format!(" {} arms have not been measured and are not drawn.", grouped(many as u64)),
    }
    note
}

/// What the marks mean, as far as they occur.
fn key(html: &mut String, data: &ReportData) {
    html.push_str("<ul class=\"key\">\n");
    for kind in VerdictMark::all(data.answer.promise) {
        if data.answer.arms.iter().any(|arm| arm.n > 0 && mark(arm) == kind) {
            let _ = writeln!(html, "<li>{}{}</li>", symbol(kind), kind.words());
        }
    }
    html.push_str("</ul>\n");
}

/// The evidence for the whole front against the threshold.
fn evidence(html: &mut String, data: &ReportData) {
    let answer = &data.answer;
    html.push_str("<section>\n<h2>Evidence</h2>\n");
    let value = |value: f64| if value.is_finite() { significant(value, 3) } else { "∞".to_owned() };
    if answer.unmeasured() > 0 {
        html.push_str("<p>There is none before every arm has been measured.</p>\n");
    } else {
        let percent = gauge(answer.evidence, answer.threshold);
        let _ = writeln!(
            html,
            "<p title=\"{} of {}\">{}</p>\n<div class=\"gauge large\"><span style=\"width: {percent}%\"></span></div>",
            value(answer.evidence),
            value(answer.threshold),
            words::evidence_of_all(data)
        );
    }
    if let Some(drawing) = figures::evidence(data) {
        let _ = writeln!(html, "<div class=\"figure\">\n{}</div>", drawing.inline());
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escaped(&words::evidence_meaning(data)));
    }
    html.push_str("</section>\n");
}

/// What to know beside the verdicts, if there is anything.
fn list(html: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(html, "<section>\n<h2>{title}</h2>\n<ul>");
    for line in lines {
        let _ = writeln!(html, "<li>{}</li>", escaped(line));
    }
    html.push_str("</ul>\n</section>\n");
}

/// Arms that were given up on.
fn dropped(html: &mut String, data: &ReportData) {
    if data.dropped.is_empty() {
        return;
    }
    html.push_str("<section>\n<h2>Given up</h2>\n<p>These arms could not be measured. The answer is about the others.</p>\n<ul>\n");
    for arm in data.dropped.iter().take(MOST_DROPPED) {
        let _ = writeln!(html, "<li><strong>{}</strong>: {}</li>", escaped(&arm.name), escaped(&arm.reason));
    }
    html.push_str("</ul>\n");
    if let Some(more) = data.dropped.len().checked_sub(MOST_DROPPED).filter(|more| *more > 0) {
        let _ = writeln!(html, "<p class=\"note\">And {}.</p>", counted(more, "other arm", "other arms"));
    }
    html.push_str("</section>\n");
}

/// What the answer rests on, and how it came about.
fn small_print(html: &mut String, data: &ReportData) {
    html.push_str("<div class=\"columns\">\n<section>\n<h2>What this rests on</h2>\n<ul class=\"plain\">\n");
    for assumption in words::assumptions(data) {
        let _ = writeln!(html, "<li>{}</li>", escaped(&assumption));
    }
    html.push_str("</ul>\n</section>\n<section>\n<h2>Settings</h2>\n<dl class=\"settings\">\n");
    for (name, value) in words::settings(data) {
        let _ = writeln!(html, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(&value));
    }
    for (objective, &noise) in data.answer.objectives.iter().zip(&data.noise) {
        let (name, better) = (escaped(&objective.title()), escaped(&objective.wanted()));
        let _ = writeln!(html, "<dt>{name}</dt><dd>{better}; noise: {}</dd>", words::noise(noise));
    }
    html.push_str("</dl>\n</section>\n</div>\n");
}

/// A mark in running text.
fn symbol(mark: VerdictMark) -> String {
    let mut svg = String::from("<svg class=\"symbol\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">");
    mark.draw(&mut svg, 7.0, 7.0, None);
    svg.truncate(svg.trim_end().len());
    svg + "</svg> "
}

/// How full a gauge is, in per cent.
fn gauge(evidence: f64, threshold: f64) -> String {
    let share = match evidence / threshold {
        _ if evidence == f64::INFINITY => 1.0,
        share if share.is_finite() => share.clamp(0.0, 1.0),
        _ => 0.0,
    };
    format!("{:.1}", 100.0 * share)
}
