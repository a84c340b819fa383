//! Published experiments, beside the published figures: one file each, with its options, what it finds, and a function `run`.

pub mod analyze;
pub mod bound_time;
pub mod certificates;
pub mod constraints;
pub mod correlation;
pub mod costs;
mod distance;
pub mod field;
pub mod guarantees;
mod instance;
pub mod kinds;
mod law;
mod learning_loop;
pub mod margins;
pub mod medians;
mod only;
mod race;
pub mod random_suite;
pub mod rounds;
pub mod scaling;
pub mod speed;
pub mod speedup;
pub mod store;
pub mod suite;
pub mod ties;
mod time_tick;
pub mod vaccine;
pub mod variances;

pub use self::distance::Distance;
pub use self::race::{CellsOutcome, RaceRow, Times, TimingOptions};
