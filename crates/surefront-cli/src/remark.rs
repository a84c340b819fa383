//! Remarks on standard error, beside what a command prints.

use std::io::{self, Write};

use surefront_study::words::plain::plain_lines;

/// Says it, if anybody still listens: that the reader has gone is no reason to lose work, or to panic as `eprintln!` does.
pub fn remark(text: &str) {
    let _ = io::stderr().lock().write_all(plain_lines(text).as_bytes());
}
