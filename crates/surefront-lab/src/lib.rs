//! Experiments on simulated arms.
//!
//! [`replication`] runs studies again and again: [`replication::simulate`] compares rules, [`replication::plan`] says what a study
//! will take. [`reproduce`] has the experiments that were published, one file each, beside the published figures.
//!
//! Every experiment takes options (whose defaults are those of the program `surefront`), an [`Observer`] who hears how it gets on,
//! and a flag that ends it early. What it returns are [`Findings`]: JSON, a text, perhaps a figure. Nothing is printed here.

mod bounds;
mod change;
mod findings;
mod lab_error;
mod memory;
mod observer;
pub mod replication;
pub mod reproduce;
mod scratch;

pub use self::bounds::Bounds;
pub use self::change::{Change, PieceFindings, in_units};
pub use self::findings::{Findings, Unfinished};
pub use self::lab_error::{LabError, ThreadsError};
pub use self::observer::{Observer, Steps};
