//! Ctrl-C: once to finish what is under way, twice to quit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What shells report for a program that Ctrl-C ended.
const QUIT: i32 = 130;

/// Set once somebody has pressed Ctrl-C.
pub fn flag() -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    static LISTENING: OnceLock<bool> = OnceLock::new();
    LISTENING.get_or_init(|| {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(QUIT);
            }
            eprintln!("finishing the runs under way; Ctrl-C again quits at once");
        };
        // Where signals cannot be caught, Ctrl-C ends the program as it does by default.
        ctrlc::set_handler(handler).is_ok()
    });
    &INTERRUPTED
}
