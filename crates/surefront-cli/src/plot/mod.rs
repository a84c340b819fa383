//! Figures as SVG, written directly.

mod axis;
mod dots;
mod histogram;
mod log_log;
mod page;

pub use self::dots::{Dot, DotPlot, DotRow};
pub use self::histogram::{Histogram, Mark, Panel};
pub use self::log_log::{Look, Marker, Plot, Series, Stroke};
pub use self::page::INK;
