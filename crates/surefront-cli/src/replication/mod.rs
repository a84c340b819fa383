//! Studies run again and again on simulated arms: what `simulate` and `reproduce` have in common.

mod choice;
mod contest;
mod report;
mod run_log;
mod workers;
mod yardstick;

pub use self::choice::Choice;
pub use self::contest::Contest;
pub use self::report::{Bracket, Entrant, RuleJson, histogram, mean, mistakes, table};
pub use self::run_log::RunLog;
pub use self::workers::Workers;
pub use self::yardstick::Yardstick;
