//! Ctrl-C: once to finish what is under way, twice to quit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::remark::remark;

/// What shells report for a program that Ctrl-C ended.
const QUIT: i32 = 130;

/// What Ctrl-C interrupts.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// What is finished first, in words.
    pub under_way: &'static str,
    /// What is left to do when even that is too long.
    pub abandon: fn(),
}

/// Set once somebody has pressed Ctrl-C.
pub fn flag(work: Work) -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    static LISTENING: OnceLock<bool> = OnceLock::new();
    LISTENING.get_or_init(|| {
        let handler = move || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                (work.abandon)();
                std::process::exit(QUIT);
            }
            remark(&format!("finishing the {} under way; Ctrl-C again quits at once\n", work.under_way));
        };
        // Where signals cannot be caught, Ctrl-C ends the program as it does by default.
        ctrlc::set_handler(handler).is_ok()
    });
    &INTERRUPTED
}
