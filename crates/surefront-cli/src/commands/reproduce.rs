//! `surefront reproduce`: published experiments, beside the published figures.

use surefront_lab::reproduce::{
    analyze, bound_time, certificates, constraints, correlation, costs, field, guarantees, kinds, margins, medians,
    rounds, scaling, speed, speedup, store, suite, ties, vaccine, variances,
};

use super::experiment::{self, Form};
use crate::args::Experiment;
use crate::failure::Failure;

/// Makes the experiment, and shows what it found.
pub fn run(experiment: &Experiment) -> Result<(), Failure> {
    match experiment {
        Experiment::Analyze(args) => {
            let options = args.options();
            experiment::run(None, Form::of(args.json), "part", |bar, interrupt| analyze::run(&options, bar, interrupt))
        }
        Experiment::Bound(args) => {
            let (options, form) = (args.options(), Form::of(args.json));
            experiment::run(None, form, "row", |bar, interrupt| bound_time::run(&options, bar, interrupt))
        }
        Experiment::Certificates(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| certificates::run(&options, bar, interrupt))
        }
        Experiment::Correlation(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| correlation::run(&options, bar, interrupt))
        }
        Experiment::Constraints(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| constraints::run(&options, bar, interrupt))
        }
        Experiment::Costs(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| costs::run(&options, bar, interrupt))
        }
        Experiment::Kinds(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| kinds::run(&options, bar, interrupt))
        }
        Experiment::Medians(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| medians::run(&options, bar, interrupt))
        }
        Experiment::Rounds(args) => {
            let (options, form) = (args.options(), Form::of(args.json));
            experiment::run(None, form, "row", |bar, interrupt| rounds::run(&options, bar, interrupt))
        }
        Experiment::Field(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(Some(&args.svg), form, "row", |bar, interrupt| field::run(&options, bar, interrupt))
        }
        Experiment::Margins(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| margins::run(&options, bar, interrupt))
        }
        Experiment::Scaling(args) => {
            let (options, form) = (args.options(), Form::of(args.timing.json));
            experiment::run(Some(&args.svg), form, "row", |bar, interrupt| scaling::run(&options, bar, interrupt))
        }
        Experiment::Speed(args) => {
            let (options, form) = (args.options(), Form::of(args.json));
            experiment::run(Some(&args.svg), form, "rounds", |bar, interrupt| speed::run(&options, bar, interrupt))
        }
        Experiment::Speedup(args) => {
            let (options, form) = (args.options(), Form::of(args.timing.json));
            experiment::run(Some(&args.svg), form, "row", |bar, interrupt| speedup::run(&options, bar, interrupt))
        }
        Experiment::Store(args) => {
            let options = args.options(std::env::current_exe()?);
            experiment::run(None, Form::of(args.json), "observations", |bar, interrupt| {
                store::run(&options, bar, interrupt)
            })
        }
        Experiment::Suite(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(Some(&args.svg), form, "runs", |bar, interrupt| suite::run(&options, bar, interrupt))
        }
        Experiment::Ties(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| ties::run(&options, bar, interrupt))
        }
        Experiment::Vaccine(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(Some(&args.svg), form, "runs", |bar, interrupt| vaccine::run(&options, bar, interrupt))
        }
        Experiment::Guarantees(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| guarantees::run(&options, bar, interrupt))
        }
        Experiment::Variances(args) => {
            let (options, form) = (args.options(), Form::of(args.work.json));
            experiment::run(None, form, "runs", |bar, interrupt| variances::run(&options, bar, interrupt))
        }
    }
}
