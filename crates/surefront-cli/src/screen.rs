//! How wide the screen is that tables are printed on.

use std::io;

use surefront_study::words::table::Width;

/// Nothing can be read on a narrower one.
const NARROWEST: usize = 30;

/// What the variable COLUMNS says, or else the terminal. A file or another program gets each row on one line, however long, which can
/// be searched and cut.
pub fn width() -> Width {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse::<usize>().ok());
    let terminal = || terminal_size::terminal_size_of(io::stdout()).map(|(columns, _)| usize::from(columns.0));
    match said.or_else(terminal).filter(|columns| *columns > 0) {
        Some(columns) => Width::Columns(columns.max(NARROWEST)),
        None => Width::Unlimited,
    }
}
