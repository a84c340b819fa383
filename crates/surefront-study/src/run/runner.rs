//! Runs the commands that measure arms, and makes observations of what they print and take.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use surefront::{ObservationError, Problem, Reading};

use super::mishap::{Mishap, Reason, Role};
use super::process::{self, Ended, Ending, Usage};
use super::process_groups::ProcessGroups;
use super::source::{Simulated, Source};
use super::tail::{self, LastLine};
use super::task::Task;
use super::values::{self, Parsed};
use crate::file::input_error::InputError;
use crate::file::study::{ArmCommand, Measure, StudyFile};

/// All that is needed to measure the arms of a study.
#[derive(Debug)]
pub struct Runner<'a> {
    study: &'a StudyFile,
    problem: &'a Problem,
    sources: Vec<Source>,
    folder: PathBuf,
    options: RunnerOptions,
    /// Where the noise of simulated arms begins.
    seed: u64,
    /// The commands under way.
    commands: Arc<ProcessGroups>,
    /// What was printed and passed over, until somebody asks.
    passed_over: Mutex<Option<PassedOver>>,
}

/// What an arm's command printed that is no objective's.
#[derive(Clone, Debug)]
pub struct PassedOver {
    /// The arm.
    pub arm: String,
    /// The names, in their order.
    pub names: Vec<String>,
}

/// How arms are measured.
#[derive(Clone, Debug)]
pub struct RunnerOptions {
    /// Commands that take longer are ended.
    pub timeout: Option<Duration>,
    /// What runs before each command.
    pub prepare: Option<ArmCommand>,
}

impl<'a> Runner<'a> {
    /// Commands run in the study file's folder.
    ///
    /// # Errors
    /// When an arm can be neither measured nor simulated.
    pub fn new(study: &'a StudyFile, problem: &'a Problem, options: RunnerOptions) -> Result<Self, InputError> {
        let folder = match study.path().parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let arms = 0..problem.arm_count();
        let sources = arms.map(|arm| Source::of(study, problem, arm)).collect::<Result<_, _>>()?;
        Ok(Runner {
            study,
            problem,
            sources,
            folder,
            options,
            seed: 0,
            commands: Arc::default(),
            passed_over: Mutex::default(),
        })
    }

    /// The same with another beginning of the simulated arms' noise.
    pub fn seeded(self, seed: u64) -> Self {
        Runner { seed, ..self }
    }

    /// The commands under way, to be ended all at once. None can begin after that.
    pub fn commands(&self) -> &Arc<ProcessGroups> {
        &self.commands
    }

    /// The command that measures an arm, if one does.
    pub fn command(&self, arm: usize) -> Option<String> {
        self.study.command(arm).map(ToString::to_string)
    }

    /// What was passed over since somebody asked last.
    pub fn passed_over(&self) -> Option<PassedOver> {
        self.passed_over.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn pass_over(&self, arm: usize, names: Vec<String>) {
        if !names.is_empty() {
            let passed = PassedOver { arm: self.problem.arms()[arm].name.clone(), names };
            *self.passed_over.lock().unwrap_or_else(PoisonError::into_inner) = Some(passed);
        }
    }

    /// Where the observations of every arm come from, if they are all simulated.
    pub fn simulated(&self) -> Option<Vec<&Simulated>> {
        let sources = self.sources.iter().map(|source| match source {
            Source::Simulated(simulated) => Some(simulated),
            Source::Command(_) => None,
        });
        sources.collect()
    }

    /// Makes one observation.
    pub fn observe(&self, task: Task) -> Result<Vec<f64>, Mishap> {
        let Task { ticket, arm, warm_ups } = task;
        match &self.sources[arm] {
            Source::Simulated(simulated) => Ok(simulated.observe(self.seed, ticket)),
            Source::Command(command) => {
                for _ in 0..warm_ups {
                    self.prepare_and_run(arm, command, &[self.name_of(arm)])?;
                }
                self.measure(arm, command, ticket)
            }
        }
    }

    /// What happened to an observation that the study refuses.
    pub fn refused(&self, arm: usize, error: ObservationError) -> Mishap {
        let command = match &self.sources[arm] {
            Source::Command(command) => command.to_string(),
            Source::Simulated(_) => "(simulated)".to_owned(),
        };
        Mishap {
            arm: self.problem.arms()[arm].name.clone(),
            role: Role::Measure,
            command,
            reason: Box::new(error.into()),
        }
    }

    fn measure(&self, arm: usize, command: &ArmCommand, ticket: i64) -> Result<Vec<f64>, Mishap> {
        let environment = [("SUREFRONT_TICKET", ticket.to_string()), self.name_of(arm)];
        let ended = match self.prepare_and_run(arm, command, &environment) {
            Ok(ended) => ended,
            Err(mishap) => return self.late(&mishap).ok_or(mishap),
        };
        let measured = self.objectives(|measure| measure.is_some());
        let wanted = self.readings(&measured);
        let printed = printed(&ended, &wanted, &measured, |name| self.bears_more(name))
            .map_err(|reason| self.mishap(Role::Measure, arm, command, reason))?;
        let Parsed { values, passed_over } = printed;
        self.pass_over(arm, passed_over);
        let objectives = || self.problem.objectives().iter().map(|objective| objective.name.as_str()).enumerate();
        let reading = |name: &str| {
            let measure = objectives().find(|(_, known)| *known == name).and_then(|(j, _)| self.study.measure(j));
            match measure {
                Some(measure) => measured_of(&ended.usage, measure),
                None => values[wanted.iter().position(|known| *known == name).expect("all were asked for")],
            }
        };
        let value =
            |(j, name): (usize, &str)| self.study.sum(j).map_or_else(|| reading(name), |sum| sum.value(reading));
        Ok(objectives().map(value).collect())
    }

    /// What a command has to print: the objectives, or what they are sums of, but for those that are measured.
    fn readings<'b>(&'b self, measured: &[&str]) -> Vec<&'b str> {
        let mut names: Vec<&str> = Vec::new();
        for (j, objective) in self.problem.objectives().iter().enumerate() {
            let of_sum = self.study.sum(j).into_iter().flat_map(|sum| sum.readings());
            let own = self.study.sum(j).is_none().then_some(objective.name.as_str());
            for name in of_sum.chain(own) {
                if !measured.contains(&name) && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Whether it can be borne that a value of an objective is more than something.
    fn bears_more(&self, objective: &str) -> bool {
        // Nothing can be added up that is only known to be more than something.
        let is_added = |j: usize| self.study.sum(j).is_some_and(|sum| sum.readings().any(|name| name == objective));
        let mut objectives = self.problem.objectives().iter();
        let known = objectives.find(|known| known.name == objective);
        known.is_some_and(|known| !known.statistic.is_mean()) && !(0..self.problem.objective_count()).any(is_added)
    }

    /// What is known of a command that took too long, where all that is measured is how long it takes, and quantiles are compared: more than that.
    fn late(&self, mishap: &Mishap) -> Option<Vec<f64>> {
        let Reason::TimedOut { timeout, .. } = &*mishap.reason else { return None };
        let is_time =
            |j: usize| self.study.measure(j) == Some(Measure::WallSeconds) && self.problem.quantile(j).is_some();
        let d = self.problem.objective_count();
        let all = mishap.role == Role::Measure && (0..d).all(is_time);
        all.then(|| vec![Reading::MoreThan(timeout.as_secs_f64()).as_value(); d])
    }

    fn mishap(&self, role: Role, arm: usize, command: &ArmCommand, reason: Reason) -> Mishap {
        Mishap {
            arm: self.problem.arms()[arm].name.clone(),
            role,
            command: command.to_string(),
            reason: Box::new(reason),
        }
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
        if let Some(prepare) = &self.options.prepare {
            self.run(prepare, environment).map_err(|reason| self.mishap(Role::Prepare, arm, prepare, reason))?;
        }
        self.run(command, environment).map_err(|reason| self.mishap(Role::Measure, arm, command, reason))
    }

    fn run(&self, command: &ArmCommand, environment: &[(&str, String)]) -> Result<Ended, Reason> {
        let ended = process::run(command, &self.folder, environment, self.options.timeout, &self.commands)
            .map_err(|error| Reason::NotStarted { error, folder: self.folder.clone() })?;
        match (ended.ending, self.options.timeout) {
            (Ending::Exited(status), _) if status.success() => Ok(ended),
            (Ending::Exited(status), _) => {
                Err(Reason::Failed { status, last_words: last_words(&ended), folder: self.folder.clone() })
            }
            (Ending::GivenUp, _) => Err(Reason::GivenUp),
            (Ending::TimedOut, timeout) => {
                let timeout = timeout.expect("only what has a timeout times out");
                Err(Reason::TimedOut { timeout, last_words: last_words(&ended) })
            }
        }
    }
}

/// The values printed of the objectives `wanted`.
fn printed(ended: &Ended, wanted: &[&str], measured: &[&str], bears: impl Fn(&str) -> bool) -> Result<Parsed, Reason> {
    if wanted.is_empty() {
        return Ok(Parsed { values: Vec::new(), passed_over: Vec::new() });
    }
    match ended.stdout.last_line() {
        Some(LastLine::Whole(line)) => Ok(values::parse(&line, wanted, measured, bears)?),
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
