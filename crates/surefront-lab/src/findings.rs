//! What an experiment found, in every form in which it is shown.

use std::ops::Range;

use serde::Serialize;
use surefront_study::words::table::{TextTable, Width};

use crate::observer::Steps;

/// What an experiment found. Its JSON is what it serialises to.
pub trait Findings: Serialize {
    /// For people to read, with tables as wide as there is room for.
    fn text(&self, width: Width) -> String;

    /// A figure as SVG, where there is one.
    fn svg(&self) -> Option<String> {
        None
    }

    /// What an interruption has left undone; empty if everything is finished.
    fn unfinished(&self) -> Vec<Unfinished>;
}

/// Something of which not everything was finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The rule, where rules are compared.
    pub rule: Option<&'static str>,
    /// What is counted.
    pub steps: Steps,
    /// How many are finished.
    pub finished: u64,
    /// How many were asked for.
    pub wanted: u64,
    /// The numbers from the first run that is missing, for experiments that can begin there.
    pub rest: Option<Range<u64>>,
}

impl Unfinished {
    /// The same, where runs cannot begin but with the first.
    pub(crate) fn without_rest(self) -> Self {
        Unfinished { rest: None, ..self }
    }

    /// A table of which rows are missing; nothing if none is.
    pub(crate) fn rows(finished: usize, wanted: usize) -> Vec<Self> {
        let [finished, wanted] = [finished, wanted].map(|count| count as u64);
        let missing = Unfinished { rule: None, steps: Steps::Rows, finished, wanted, rest: None };
        if finished < wanted { vec![missing] } else { Vec::new() }
    }
}

/// A table as text.
pub(crate) fn rendered(table: &TextTable, width: Width) -> String {
    table.render_within(width)
}
