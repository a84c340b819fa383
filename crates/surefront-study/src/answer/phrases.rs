//! How an answer is said: its front, what it takes for granted, how far it is.

use surefront::{Assumption, Problem, Promise};

use super::NOTHING;
use crate::words::number::short;
use crate::words::plural::counted;
use crate::words::suggestion::listed;

/// That these arms are the front, in a sentence that says how strong that is.
pub fn front_is<'a>(names: impl Iterator<Item = &'a str>, promise: Promise, delta: f64) -> String {
    let mut names = names.peekable();
    if names.peek().is_none() {
        return match promise {
            Promise::Proved => format!("No arm keeps the limits: sure, at δ = {}.", short(delta)),
            Promise::Likely => format!("Likely no arm keeps the limits, at δ = {}: not proved.", short(delta)),
        };
    }
    let (front, delta) = (listed(names), short(delta));
    match promise {
        Promise::Proved => format!("The front is {front}: sure, at δ = {delta}."),
        Promise::Likely => format!("The front is likely {front}, at δ = {delta}: not proved."),
    }
}

/// What an answer about this problem takes for granted, as parts of a sentence.
pub fn assumptions(problem: &Problem) -> Vec<&'static str> {
    words_of(Assumption::of(problem))
}

pub(super) fn words_of(assumptions: Vec<Assumption>) -> Vec<&'static str> {
    assumptions.into_iter().map(Assumption::words).collect()
}

/// What an answer takes for granted, in a sentence.
pub fn taken_for_granted(assumptions: &[&str]) -> String {
    format!("Taken for granted: {}.", assumptions.join("; "))
}

/// How far the evidence is, in words. A proof begins late: before, only the part of the way tells.
pub(super) fn evidence_so_far(evidence: f64, threshold: f64, fraction: f64) -> String {
    if evidence >= NOTHING {
        return match (100.0 * evidence / threshold).floor() {
            percent if percent >= 1.0 => format!("{percent} % of the evidence that it takes"),
            _ => "less than 1 % of the evidence that it takes".to_owned(),
        };
    }
    match (100.0 * fraction).round() {
        percent if percent >= 1.0 => format!("no evidence yet, but about {percent} % of the way"),
        _ => "no evidence yet".to_owned(),
    }
}

/// "1 more sample", "1,234 more samples".
pub(crate) fn more_samples(more: f64) -> String {
    counted(more.ceil() as usize, "more sample", "more samples")
}
