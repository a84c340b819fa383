//! Figures as SVG, written directly.

mod axis;
mod dots;
mod drawing;
mod histogram;
mod intervals;
mod label_room;
mod log_log;
mod page;
mod parallel;
mod race;
mod scatter;
mod short_names;
mod verdict_mark;

pub use self::dots::{Dot, DotPlot, DotRow};
pub use self::drawing::{Drawing, Sheet};
pub use self::histogram::{Histogram, Mark, Panel};
pub use self::intervals::{Interval, Intervals};
pub use self::log_log::{Look, Marker, Plot, Series, Stroke};
pub use self::page::{INK, escaped, style};
pub use self::parallel::{Parallel, ParallelLine};
pub use self::race::{Race, RaceStep};
pub use self::scatter::{CROWD, Direction, Scatter, ScatterPoint, Window};
pub use self::verdict_mark::{Side, VerdictMark};
