//! Runs the commands that measure arms, and makes observations of what they print and take.

mod mishap;
mod process;
mod tail;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use surefront::Problem;

pub use self::mishap::{Mishap, Reason, Role};
use self::process::{Ended, Ending, Usage};
pub use self::process::end_all;
use self::tail::LastLine;
use crate::study_file::{ArmCommand, Measure, StudyFile};

/// All that is needed to measure the arms of a study by their commands.
#[derive(Debug)]
pub struct Runner<'a> {
    study: &'a StudyFile,
    problem: &'a Problem,
    folder: PathBuf,
    timeout: Option<Duration>,
    prepare: Option<ArmCommand>,
}

impl<'a> Runner<'a> {
    /// Commands run in the study file's folder, each no longer than `timeout`; `prepare` runs before each measurement.
    pub fn new(
        study: &'a StudyFile,
        problem: &'a Problem,
        timeout: Option<Duration>,
        prepare: Option<ArmCommand>,
    ) -> Self {
        let folder = match study.path().parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Runner { study, problem, folder, timeout, prepare }
    }

    /// One observation of an arm.
    pub fn measure(&self, arm: usize, command: &ArmCommand, ticket: i64) -> Result<Vec<f64>, Mishap> {
        let environment = [("SUREFRONT_TICKET", ticket.to_string()), self.name_of(arm)];
        let ended = self.prepare_and_run(arm, command, &environment)?;
        let wanted = self.objectives(|measure| measure.is_none());
        let measured = self.objectives(|measure| measure.is_some());
        let printed = printed(&ended, &wanted, &measured).map_err(|reason| self.mishap(arm, command, reason))?;
        let mut printed = printed.into_iter();
        let value = |objective| match self.study.measure(objective) {
            None => printed.next().expect("there is one for each"),
            Some(measure) => measured_of(&ended.usage, measure),
        };
        Ok((0..self.problem.objective_count()).map(value).collect())
    }

    /// Runs an arm's command as for a measurement, and forgets what it says.
    pub fn warm_up(&self, arm: usize, command: &ArmCommand) -> Result<(), Mishap> {
        self.prepare_and_run(arm, command, &[self.name_of(arm)]).map(|_| ())
    }

    /// What happened to a measurement of an arm, with its command.
    pub fn mishap(&self, arm: usize, command: &ArmCommand, reason: Reason) -> Mishap {
        self.mishap_in(Role::Measure, arm, command, reason)
    }

    fn mishap_in(&self, role: Role, arm: usize, command: &ArmCommand, reason: Reason) -> Mishap {
        Mishap { arm: self.problem.arms()[arm].name.clone(), role, command: command.to_string(), reason }
    }

    fn name_of(&self, arm: usize) -> (&'static str, String) {
        ("SUREFRONT_ARM", self.problem.arms()[arm].name.clone())
    }

    fn objectives(&self, chosen: impl Fn(Option<Measure>) -> bool) -> Vec<&str> {
        let objectives = self.problem.objectives().iter().enumerate();
        objectives.filter(|(index, _)| chosen(self.study.measure(*index))).map(|(_, o)| o.name.as_str()).collect()
    }

    fn prepare_and_run(
        &self,
        arm: usize,
        command: &ArmCommand,
        environment: &[(&str, String)],
    ) -> Result<Ended, Mishap> {
        if let Some(prepare) = &self.prepare {
            self.run(prepare, environment).map_err(|reason| self.mishap_in(Role::Prepare, arm, prepare, reason))?;
        }
        self.run(command, environment).map_err(|reason| self.mishap(arm, command, reason))
    }

    fn run(&self, command: &ArmCommand, environment: &[(&str, String)]) -> Result<Ended, Reason> {
        let ended = process::run(command, &self.folder, environment, self.timeout)
            .map_err(|error| Reason::NotStarted { error, folder: self.folder.clone() })?;
        match (ended.ending, self.timeout) {
            (Ending::Exited(status), _) if status.success() => Ok(ended),
            (Ending::Exited(status), _) => {
                Err(Reason::Failed { status, last_words: last_words(&ended), folder: self.folder.clone() })
            }
            (Ending::TimedOut, timeout) => {
                let timeout = timeout.expect("only what has a timeout times out");
                Err(Reason::TimedOut { timeout, last_words: last_words(&ended) })
            }
        }
    }
}

/// The values printed of the objectives `wanted`.
fn printed(ended: &Ended, wanted: &[&str], measured: &[&str]) -> Result<Vec<f64>, Reason> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    match ended.stdout.last_line() {
        Some(LastLine::Whole(line)) => Ok(values::parse(&line, wanted, measured)?),
        Some(LastLine::TooLong) => {
            Err(Reason::Endless { kibibytes: tail::KEPT / 1024, example: values::example(wanted) })
        }
        None => Err(Reason::Silent { example: values::example(wanted), last_words: last_words(ended) }),
    }
}

/// The last line of standard error, as much as fits into a sentence.
fn last_words(ended: &Ended) -> Option<String> {
    match ended.stderr.last_line() {
        Some(LastLine::Whole(line)) => Some(values::beginning(&line)),
        Some(LastLine::TooLong) | None => None,
    }
}

fn measured_of(usage: &Usage, measure: Measure) -> f64 {
    match measure {
        Measure::WallSeconds => usage.wall.as_secs_f64(),
        Measure::UserSeconds => usage.user.as_secs_f64(),
        Measure::MaxRssBytes => usage.max_rss_bytes as f64,
    }
}
