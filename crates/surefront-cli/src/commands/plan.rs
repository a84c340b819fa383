//! `surefront plan`: how many samples a study will take, of which arms, and what makes it expensive.

use surefront_lab::replication::Planner;
use surefront_study::file::study::StudyFile;
use surefront_study::output::figure::Figure;

use super::experiment::{self, Form};
use crate::args::PlanArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;

/// Computes the bound, simulates, and shows both.
pub fn run(args: &PlanArgs) -> Result<(), Failure> {
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let guess = study.model(&problem)?;
    let options = args.options(&study);
    let of_lab = |error| Failure::of_lab(error, study.path());
    let planner = Planner::new(&problem, &guess, &options).map_err(of_lab)?;
    let figure = args.svg.as_deref().map(|path| Figure::create(path, &study.paths())).transpose()?;

    let plan = planner.run(&Bar::default(), &interrupt::flag("runs")).map_err(of_lab)?;
    let notes = experiment::written(figure, &plan)?;
    experiment::show(&plan, Form::of(args.work.json), &notes)?;
    experiment::finished(&plan)?;
    if plan.is_undecided() { Err(Failure::Undecided { max_samples: args.max_samples }) } else { Ok(()) }
}
