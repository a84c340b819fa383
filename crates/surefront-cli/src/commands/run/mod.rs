//! `surefront run`: measures until the answer is sure.

mod campaign;
mod claim;
mod display;
mod ledger;

use std::time::Instant;

use serde::Serialize;

use self::campaign::Campaign;
use self::claim::Claim;
use self::ledger::{End, Ledger, Limits};
use super::{print, print_json};
use crate::answer::{Answer, Rows};
use crate::args::{OnFailure, RunArgs};
use crate::failure::Failure;
use crate::interrupt::{self, Work};
use crate::number::grouped;
use crate::runner::{self, Runner, RunnerOptions};
use crate::session::Session;
use crate::store::IfMissing;
use crate::study_file::{ArmCommand, StudyFile};

/// Measures, then shows what is known.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let begin = Instant::now();
    // What is wrong in the study file is said before there is a store.
    let file = StudyFile::read(&args.session.study)?;
    let problem = file.learning_problem()?;
    let prepare = args.prepare.clone().map(ArmCommand::Shell).or_else(|| file.prepare().cloned());
    let runner = Runner::new(&file, &problem, RunnerOptions { timeout: args.timeout, prepare })?;

    let mut session = Session::open(&args.session, IfMissing::Create)?;
    let chosen = session.choose(&args.settings)?;
    let runner = runner.seeded(chosen.seed);
    let store = &mut session.store;
    let claim = Claim::of(store.path())?;
    let limits = Limits {
        samples: args.max_samples,
        until: args.max_time.map(|time| begin + time),
        interrupted: interrupt::flag(Work { under_way: "measurements", abandon: runner::end_all }),
        on_failure: args.on_failure,
        jobs: args.jobs,
        warm_ups: args.warmup,
    };
    let ledger = store.write(|batch| {
        if args.restore {
            (0..problem.arm_count()).try_for_each(|arm| batch.restore_arm(arm).map(drop))?;
        }
        Ledger::open(&problem, chosen, &runner, limits, batch)
    })?;
    let (end, ledger) = Campaign::run(store, ledger, &runner, args.jobs)?;
    drop(claim);

    let mut learner = ledger.learner;
    let answer = Answer::of(&file.name, &mut learner.study);
    let name = |arm: usize| problem.arms()[arm].name.clone();
    let left_out =
        learner.dropped.iter().map(|dropped| LeftOut { name: name(dropped.arm), reason: dropped.reason.clone() });
    let summary = Summary { answer, left_out: left_out.collect() };
    if args.json {
        print_json(&summary)?;
    } else if !matches!(end, End::Failed(_)) {
        print(&summary.screen(if args.all { Rows::All } else { Rows::Few }))?;
    }
    let kept = summary.answer.samples;
    match end {
        End::Sure => Ok(()),
        End::OutOfSamples => Err(Failure::OutOfBudget { option: "--max-samples", kept }),
        End::OutOfTime => Err(Failure::OutOfBudget { option: "--max-time", kept }),
        End::Interrupted => Err(Failure::RunInterrupted { kept, store: session.store.path().to_owned() }),
        End::Failed(mishap) => Err(Failure::Measurement { mishap, kept, advice: advice(args.on_failure) }),
    }
}

/// How to go on after a failure.
fn advice(on_failure: OnFailure) -> &'static str {
    match on_failure {
        OnFailure::Stop => {
            "once it works, the same command goes on from there (--on-failure retry tries again by itself, --on-failure drop leaves such arms out)"
        }
        OnFailure::Retry => {
            "it was tried several times; once it works, the same command goes on from there (--on-failure drop leaves such arms out)"
        }
        OnFailure::Drop => "the same command goes on from there",
    }
}

/// All that is shown.
#[derive(Serialize)]
struct Summary {
    #[serde(flatten)]
    answer: Answer,
    left_out: Vec<LeftOut>,
}

/// An arm that could not be measured.
#[derive(Serialize)]
struct LeftOut {
    name: String,
    reason: String,
}

impl Summary {
    fn screen(&self, rows: Rows) -> String {
        let Answer { study, samples, arms, objectives, .. } = &self.answer;
        let mut text = format!(
            "{study}: {} samples of {} arms in {} objectives\n\n{}\n{}",
            grouped(*samples),
            grouped(arms.len() as u64),
            objectives.len(),
            self.answer.headline(),
            self.answer.table(rows)
        );
        if !self.left_out.is_empty() {
            text += "\nLeft out, so that the answer is about the others only (--restore takes them in again):\n";
            for LeftOut { reason, .. } in &self.left_out {
                text += &format!("  {reason}\n");
            }
        }
        text
    }
}
