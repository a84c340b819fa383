//! Progress on standard error; nothing is shown when that is not a terminal.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use surefront_lab::{Observer, Steps};

/// Bytes of a file read, and the time that the others will take.
pub fn bytes(count: u64) -> ProgressBar {
    bar(count, "{bar:30} {bytes} of {total_bytes} read, {eta} left")
}

/// The progress of an experiment, one bar after the other.
#[derive(Default)]
pub struct Bar(Mutex<Option<ProgressBar>>);

impl Bar {
    fn with(&self, work: impl FnOnce(&mut Option<ProgressBar>)) {
        // A bar is whole at any time: a thread that panicked elsewhere leaves nothing half done.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Observer for Bar {
    fn begin(&self, count: u64, steps: Steps) {
        let template = match steps {
            Steps::Rows => "{bar:30} {pos}/{len} rows, {msg} ({elapsed})",
            Steps::Rounds => "{bar:30} {pos}/{len} rounds, {msg} ({elapsed})",
            Steps::WrittenRows => "{bar:30} {human_pos} of {human_len} rows written, {eta} left",
            // Simulated runs, and whatever else is counted one day.
            _ => "{bar:30} {pos}/{len} runs, {eta} left, {msg}",
        };
        self.with(|shown| *shown = Some(bar(count, template)));
    }

    fn advance(&self, count: u64) {
        self.with(|shown| shown.iter().for_each(|bar| bar.inc(count)));
    }

    fn message(&self, text: &str) {
        self.with(|shown| shown.iter().for_each(|bar| bar.set_message(text.to_owned())));
    }

    fn end(&self) {
        self.with(|shown| shown.take().iter().for_each(ProgressBar::finish_and_clear));
    }
}

fn bar(count: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::new(count).with_style(style)
}
