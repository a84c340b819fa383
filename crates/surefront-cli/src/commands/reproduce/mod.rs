//! `surefront reproduce`: published experiments, beside the published figures.

mod analyze;
mod instance;
mod learning_loop;
mod race;
mod scaling;
mod speed;
mod speedup;
mod store;
mod suite;
mod vaccine;
mod variances;

use crate::args::Experiment;
use crate::failure::Failure;

/// Runs the experiment.
pub fn run(experiment: &Experiment) -> Result<(), Failure> {
    match experiment {
        Experiment::Analyze(args) => analyze::run(args),
        Experiment::Scaling(args) => scaling::run(args),
        Experiment::Speed(args) => speed::run(args),
        Experiment::Speedup(args) => speedup::run(args),
        Experiment::Store(args) => store::run(args),
        Experiment::Suite(args) => suite::run(args),
        Experiment::Vaccine(args) => vaccine::run(args),
        Experiment::Variances(args) => variances::run(args),
    }
}

/// A power of ten microseconds, for an axis.
fn time_tick(micros: f64) -> String {
    let (value, unit) = match micros {
        m if m < 0.99 => (m * 1e3, "ns"),
        m if m < 990.0 => (m, "µs"),
        m if m < 990e3 => (m / 1e3, "ms"),
        m => (m / 1e6, "s"),
    };
    format!("{} {unit}", value.round())
}
