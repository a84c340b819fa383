//! A study file before anything is measured: what it says, and what would be run.

use serde::Serialize;
use surefront::{Goal, Noise, Problem, RuleKind, StoppingKind, bound};

use crate::file::input_error::InputError;
use crate::file::study::StudyFile;
use crate::run::{self, RunOptions};
use crate::words::number::{grouped, short};
use crate::words::plural::counted;

/// δ where nobody says it.
const USUAL_DELTA: f64 = 0.1;

/// With more arms, the samples that it takes at least are not worth the time to find them.
const MOST_ARMS: usize = 300;

/// What a study file comes to.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The study's name.
    pub study: String,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// Which arm is measured next.
    pub rule: &'static str,
    /// When it is enough.
    pub threshold_name: &'static str,
    /// What is measured.
    pub objectives: Vec<ObjectiveReview>,
    /// Of what.
    pub arms: Vec<ArmReview>,
    /// What runs before each measurement.
    pub prepare: Option<String>,
    /// Commands side by side.
    pub jobs: usize,
    /// In seconds: after this time a command is ended.
    pub timeout: Option<f64>,
    /// Runs of a command before its first measurement.
    pub warmup: u64,
    /// The most observations.
    pub max_samples: Option<u64>,
    /// Why it cannot be measured by commands, if it cannot.
    pub not_run: Option<String>,
    /// The least number of samples that any method takes on average, if the means and variances are as given.
    pub samples_at_least: Option<f64>,
}

/// An objective.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectiveReview {
    /// Its name.
    pub name: String,
    /// "max" or "min".
    pub goal: Option<&'static str>,
    /// An arm with less is not wanted at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// An arm with more is not wanted at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// What is compared.
    pub statistic: String,
    /// What is known of its noise, in words.
    pub noise: String,
    /// Where its values come from, in words.
    pub from: String,
}

/// An arm.
#[derive(Clone, Debug, Serialize)]
pub struct ArmReview {
    /// Its name.
    pub name: String,
    /// What measures it, with all parameters filled in.
    pub command: Option<String>,
    /// What is expected of it.
    pub mean: Option<Vec<f64>>,
}

impl ObjectiveReview {
    /// What is wanted of it: "more", "at most 200", "less, at most 200".
    pub fn wanted(&self) -> String {
        let better = self.goal.map(|goal| if goal == "max" { "more" } else { "less" }.to_owned());
        let least = self.at_least.map(|value| format!("at least {}", short(value)));
        let most = self.at_most.map(|value| format!("at most {}", short(value)));
        [better, least, most].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl ArmReview {
    /// What measures it, in words.
    pub fn way(&self) -> &str {
        match (&self.command, &self.mean) {
            (Some(command), _) => command,
            (None, Some(_)) => "(simulated from its mean)",
            (None, None) => "(by hand)",
        }
    }
}

impl Review {
    /// Of a study file that could be read.
    ///
    /// # Errors
    /// When what it says does not go together.
    pub fn of(file: &StudyFile) -> Result<Self, InputError> {
        let problem = file.learning_problem()?;
        if (0..problem.arm_count()).all(|arm| file.means(arm).is_some()) {
            file.model(&problem)?;
        }
        let delta = file.delta.unwrap_or(USUAL_DELTA);
        let (options, running, threshold) = (RunOptions::default(), file.running(), StoppingKind::default());
        Ok(Review {
            study: file.name.clone(),
            delta,
            rule: RuleKind::usual_for(threshold).name(),
            threshold_name: threshold.name(),
            objectives: (0..problem.objective_count()).map(|j| objective(file, &problem, j)).collect(),
            arms: (0..problem.arm_count())
                .map(|arm| ArmReview {
                    name: problem.arms()[arm].name.clone(),
                    command: file.command(arm).map(ToString::to_string),
                    mean: file.means(arm).map(<[f64]>::to_vec),
                })
                .collect(),
            prepare: file.prepare().map(ToString::to_string),
            jobs: options.jobs(file).get(),
            timeout: running.timeout.map(|timeout| timeout.as_secs_f64()),
            warmup: running.warmup.unwrap_or(0),
            max_samples: running.max_samples,
            not_run: run::check(file, &problem).err().map(|error| error.to_string()),
            samples_at_least: samples_at_least(file, delta),
        })
    }

    /// Whether no arm has a command or a mean: people measure it.
    pub fn is_by_hand(&self) -> bool {
        self.arms.iter().all(|arm| arm.command.is_none() && arm.mean.is_none())
    }

    /// How it is measured, in words.
    pub fn how(&self) -> String {
        if self.arms.iter().all(|arm| arm.command.is_none()) {
            return "simulated from the means, so that no command is run".to_owned();
        }
        let mut parts = vec![match self.jobs {
            1 => "one command at a time".to_owned(),
            jobs => format!("{jobs} commands side by side"),
        }];
        parts.push(match self.timeout {
            Some(seconds) => format!("each ended after {} s", short(seconds)),
            None => "however long they take".to_owned(),
        });
        if self.warmup > 0 {
            parts.push(format!("after {} to warm up", counted(self.warmup as usize, "run", "runs")));
        }
        if let Some(most) = self.max_samples {
            parts.push(format!("{} samples at most", grouped(most)));
        }
        parts.join(", ")
    }
}

fn objective(file: &StudyFile, problem: &Problem, j: usize) -> ObjectiveReview {
    let objective = &problem.objectives()[j];
    let noise = match objective.noise {
        _ if !objective.statistic.is_mean() => "any".to_owned(),
        Noise::Exact => "none".to_owned(),
        Noise::Variance(variance) => format!("variance {}", short(variance)),
        Noise::Common => "to be learned, one for all arms".to_owned(),
        Noise::Bounded { low, high } => format!("within {} to {}", short(low), short(high)),
        noise if noise.is_unknown() => "to be learned".to_owned(),
        noise => noise.family().map_or_else(|| "any".to_owned(), |family| family.name().to_owned()),
    };
    ObjectiveReview {
        name: objective.name.clone(),
        goal: match objective.goal {
            _ if objective.is_only_limited() => None,
            Goal::Max => Some("max"),
            Goal::Min => Some("min"),
        },
        at_least: objective.limits.at_least,
        at_most: objective.limits.at_most,
        statistic: objective.statistic.to_string(),
        noise,
        from: match (file.measure(j), file.sum(j)) {
            (_, Some(sum)) => format!("{sum}, of what is printed"),
            (Some(measure), _) => format!("{} of the command", measure.name()),
            (None, None) => "what is told or printed".to_owned(),
        },
    }
}

/// T*·ln(1/δ), where the means and variances are given and it does not take long.
fn samples_at_least(file: &StudyFile, delta: f64) -> Option<f64> {
    let problem = file.problem().ok().filter(|problem| problem.arm_count() <= MOST_ARMS && !problem.has_quantiles())?;
    let model = file.model(&problem).ok()?;
    let bound = bound(&problem, &model, 1e-2).ok()?;
    (bound.upper > 0.0).then(|| bound.upper * (1.0 / delta).ln())
}
