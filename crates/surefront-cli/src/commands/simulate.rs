//! `surefront simulate`: rules on simulated arms, side by side.

use serde::Serialize;
use surefront::{Front, Tracking};

use super::{ArmJson, print, print_json};
use crate::args::{AllocationSource, SimulateArgs, TrackingName, WeightsSource, distinct};
use crate::failure::Failure;
use crate::progress;
use crate::remark::remark;
use crate::replication::{Bracket, Choice, Contest, Entrant, RuleJson, RunLog, Workers, Yardstick, histogram, table};
use crate::screen;
use surefront_study::file::study::StudyFile;
use surefront_study::output::figure::Figure;
use surefront_study::output::rows::CsvTarget;
use surefront_study::session::usual_threshold;
use surefront_study::words::number::{samples, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::suggestion::listed;

/// δ where neither the command line nor the study file gives it: as in the paper.
const USUAL_DELTA: f64 = 0.1;

/// Runs all rules, then shows what was finished.
pub fn run(args: &SimulateArgs) -> Result<(), Failure> {
    if args.work.json && args.export_csv == Some(CsvTarget::Stdout) {
        return Err(Failure::TwoOutputs);
    }
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let truth = study.model(&problem)?;
    let delta = args.delta.or(study.delta).unwrap_or(USUAL_DELTA);
    let yardstick = Yardstick::of(&study, &problem, &truth, delta)?;
    let allocation = match &args.allocation {
        AllocationSource::Optimal => yardstick.bound.weights.clone(),
        AllocationSource::Given(source) => source.obtain(&problem)?,
    };
    let tracking = match args.tracking {
        TrackingName::C => Tracking::Cumulative,
        TrackingName::D => Tracking::Direct,
    };
    let contest = Contest {
        problem: &problem,
        truth: &truth,
        yardstick: &yardstick,
        choice: Choice { tracking, refresh: args.refresh, check: args.check, allocation, threshold: args.threshold },
        seed: args.work.seed,
        runs: args.first_run..args.first_run + args.runs,
        max_samples: args.max_samples,
    };
    let mut inputs = study.paths().to_vec();
    if let AllocationSource::Given(WeightsSource::File(path)) = &args.allocation {
        inputs.push(path);
    }
    let log = args.export_csv.as_ref().map(|target| RunLog::create(target, &inputs)).transpose()?;
    if let Some(CsvTarget::File(path)) = &args.export_csv {
        // Of the two outputs, neither may replace the other.
        inputs.push(path);
    }
    let figure = args.svg.as_deref().map(|path| Figure::create(path, &inputs)).transpose()?;
    let workers = Workers::new(args.work.jobs)?;

    let rules = distinct(&args.rule, args.threshold);
    let bar = progress::runs(rules.len() as u64 * args.runs);
    let entrants = contest.hold(&rules, &workers, &bar, |rule, run| {
        // Runs that cannot be kept are not worth making.
        if log.as_ref().is_some_and(|log| !log.add(rule, run)) {
            workers.interrupt();
        }
    });
    bar.finish_and_clear();

    let comparison = Comparison { study: &study, contest: &contest, front: Front::of(&truth), entrants: &entrants };
    let mut notes = Vec::new();
    if let Some(figure) = figure {
        let title = format!("{}: samples until the front is known", study.name);
        notes.push(figure.write(&histogram(title, &entrants, &yardstick).to_svg())?);
    }
    let logged = log.map(RunLog::finish).transpose();
    notes.extend(logged.as_ref().ok().cloned().flatten().flatten());
    let notes: String = notes.into_iter().map(|note| note + "\n").collect();
    if args.work.json {
        remark(&notes);
        print_json(&comparison.json(args))?;
    } else if args.export_csv == Some(CsvTarget::Stdout) {
        remark(&format!("{}{notes}", comparison.screen()));
    } else {
        print(&(comparison.screen() + &notes))?;
    }
    logged?;
    comparison.status()
}

/// All that is shown.
struct Comparison<'a> {
    study: &'a StudyFile,
    contest: &'a Contest<'a>,
    front: Front,
    entrants: &'a [Entrant],
}

#[derive(Serialize)]
struct ComparisonJson<'a> {
    study: &'a str,
    arms: usize,
    objectives: usize,
    front: Vec<ArmJson<'a>>,
    t_star: Bracket,
    samples_expected: f64,
    delta: f64,
    threshold: &'static str,
    seed: u64,
    first_run: u64,
    max_samples: u64,
    rules: Vec<RuleJson>,
}

impl Comparison<'_> {
    fn json(&self, args: &SimulateArgs) -> ComparisonJson<'_> {
        let Contest { problem, yardstick, .. } = self.contest;
        ComparisonJson {
            study: &self.study.name,
            arms: problem.arm_count(),
            objectives: problem.objective_count(),
            front: ArmJson::list(problem, self.front.members()),
            t_star: yardstick.t_star(),
            samples_expected: yardstick.samples_expected(),
            delta: yardstick.delta,
            threshold: args.threshold.stopping(yardstick.delta).name(),
            seed: self.contest.seed,
            first_run: self.contest.runs.start,
            max_samples: self.contest.max_samples,
            rules: self.entrants.iter().map(|entrant| entrant.json(yardstick)).collect(),
        }
    }

    fn screen(&self) -> String {
        let Contest { problem, yardstick, .. } = self.contest;
        let usual = usual_threshold(problem);
        let threshold = self.contest.choice.threshold;
        let other =
            if threshold == usual { String::new() } else { format!("; `run` would stop by the {} one", usual.name()) };
        format!(
            "{}: K = {}, d = {}, front {}; T* = {}, T*·β = {} samples at δ = {}\n\n{}\nStopped by the {} threshold{other} (--threshold).\n",
            plain(&self.study.name),
            problem.arm_count(),
            problem.objective_count(),
            listed(self.front.members().iter().map(|&arm| problem.arms()[arm].name.as_str())),
            significant(yardstick.bound.upper, 6),
            samples(yardstick.samples_expected()),
            short(yardstick.delta),
            table(self.entrants, yardstick).render_within(screen::width()),
            threshold.name()
        )
    }

    /// How it ended.
    fn status(&self) -> Result<(), Failure> {
        let unfinished = self.contest.unfinished(self.entrants);
        if !unfinished.is_empty() {
            return Err(Failure::Interrupted(unfinished));
        }
        if self.entrants.iter().all(|entrant| entrant.summary.undecided == entrant.summary.runs) {
            return Err(Failure::Undecided { max_samples: self.contest.max_samples });
        }
        Ok(())
    }
}
