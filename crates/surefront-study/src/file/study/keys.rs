//! The keys that a study file may have, table by table: what the reader lets pass, and what docs/study-file.md and a new study file have to mention.

/// Of the study as a whole.
pub const STUDY: &[&str] = &[
    "name",
    "delta",
    "correlation",
    "cost",
    "prepare",
    "command",
    "timeout",
    "jobs",
    "warmup",
    "max_samples",
    "objective",
    "constraint",
    "arm",
    "arms",
    "grid",
];

/// Of an `[[objective]]`.
pub const OBJECTIVE: &[&str] = &[
    "name",
    "goal",
    "variance",
    "noise",
    "range",
    "statistic",
    "margin",
    "at_least",
    "at_most",
    "of",
    "measure",
    "unit",
];

/// Of a `[[constraint]]`.
pub const CONSTRAINT: &[&str] =
    &["name", "at_least", "at_most", "variance", "noise", "range", "statistic", "of", "measure", "unit"];

/// Of an `[[arm]]`.
pub const ARM: &[&str] = &["name", "mean", "variance", "cost", "command", "parameters"];

/// Every table with its keys, as a heading would have it.
pub const ALL: [(&str, &[&str]); 4] =
    [("the study", STUDY), ("[[objective]]", OBJECTIVE), ("[[constraint]]", CONSTRAINT), ("[[arm]]", ARM)];
