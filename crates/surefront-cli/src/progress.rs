//! Progress on standard error; nothing is shown when that is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Rows of a table done.
pub fn rows(count: usize) -> ProgressBar {
    bar(count as u64, "{bar:30} {pos}/{len} rows, {msg} ({elapsed})")
}

/// Rounds of studies done.
pub fn rounds(count: u64) -> ProgressBar {
    bar(count, "{bar:30} {pos}/{len} rounds, {msg} ({elapsed})")
}

/// Simulated runs done, and the time that the others will take.
pub fn runs(count: u64) -> ProgressBar {
    bar(count, "{bar:30} {pos}/{len} runs, {eta} left, {msg}")
}

/// Rows of a file written.
pub fn written_rows(count: u64) -> ProgressBar {
    bar(count, "{bar:30} {human_pos} of {human_len} rows written, {eta} left")
}

/// Bytes of a file read, and the time that the others will take.
pub fn bytes(count: u64) -> ProgressBar {
    bar(count, "{bar:30} {bytes} of {total_bytes} read, {eta} left")
}

fn bar(count: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::new(count).with_style(style)
}
