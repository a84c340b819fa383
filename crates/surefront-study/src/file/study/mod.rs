//! The study file: one TOML file that says what is to be decided, and serves every command.
//!
//! ```toml
//! name = "vaccine boosters"        # optional: the file's name
//! delta = 0.1                      # optional: only some commands use it
//! correlation = [[1, 0.6, 0], [0.6, 1, 0], [0, 0, 1]]
//!                                  # optional: between the objectives, for all arms; "estimate": from the data; left out: none
//! cost = "measured"                # optional: a measurement costs the time that it takes; or `cost` by arm, see there
//! prepare = "make build"           # optional: runs before each measurement; a line for the shell or a list of words
//! command = "./measure.sh {name} --dose {dose}"
//!                                  # optional: for all arms that have none of their own, with their parameters in place of the braces
//! timeout = "10m"                  # optional, as the three below: how they are measured, if nothing else is typed
//! jobs = 4
//! warmup = 1
//! max_samples = 10000
//! [[objective]]
//! name = "anti-spike IgG"
//! goal = "max"                     # or "min"; never guessed, since a wrong guess gives a wrong answer
//! variance = 0.70                  # 0 or noise = "exact": no noise; left out: estimated from the data,
//!                                  # by arm; "common": estimated, one for all arms
//! noise = "bernoulli"              # optional, in place of a variance: "poisson", "exponential", or "bounded"
//! range = [0, 1]                   # with "bounded": no value is outside
//! statistic = "median"             # optional: what is compared, "mean" or a quantile such as "p95", which needs no variance
//! margin = 0.5                     # optional: differences up to this do not matter; or "2 %" of the mean
//! at_most = 200                    # optional: an arm with more is not wanted at all; or at_least, with less
//! measure = "wall_seconds"         # optional: measured of the command, not read from its output
//! unit = "ms"                      # optional: what it is measured in, shown beside its name
//! of = { revenue = 1, cost = -1 }  # optional: a weighted sum of what the command prints
//! [[constraint]]                   # optional: measured like an objective, and only has to keep its limits
//! name = "error rate"
//! noise = "bernoulli"
//! at_most = 0.001                  # or at_least, or both
//! [[arm]]
//! name = "BNT/BNT + m1273"
//! mean = [10.43, 7.61, 4.72]       # needed where the truth is given: of the objectives, then of the constraints
//! variance = [0.7, 0.8, 1.5]       # optional: this arm's own
//! cost = 12                        # optional: what one measurement costs, 1 if left out; the total is what is kept low
//! command = "./measure.sh m1273"   # for the shell; or a list of words, for no shell; needed where arms are measured
//! parameters = { dose = 30 }       # what the braces in the command for all arms stand for
//! ```
//!
//! Instead of the `[[arm]]` tables, `arms = "arms.csv"` names a CSV file next to the study file, or `[grid]` has a list for each parameter, and there is an
//! arm for each combination. docs/study-file.md has every key.

mod arms;
mod arms_csv;
mod command;
mod document;
mod draft;
#[cfg(test)]
mod fuzz;
mod grid;
pub mod keys;
mod measure;
mod names;
mod noise;
mod objectives;
mod readings;
mod running;
mod template;
#[cfg(test)]
mod tests;
mod weighted_sum;

use std::path::{Path, PathBuf};

use surefront::{Arm, Correlation, Model, Noise, Objective, Problem, Risk};

use self::arms::{ArmEntry, arms, arms_of_grid};
pub use self::command::ArmCommand;
use self::command::command;
use self::document::{Located, MatrixOrText, Section};
pub use self::draft::Draft;
pub use self::measure::Measure;
use self::objectives::{ObjectiveEntry, names_of, objectives};
pub use self::readings::{Given, NotAdded, Readings};
pub use self::running::{MOST_JOBS, Running};
use self::template::Template;
pub use self::weighted_sum::WeightedSum;
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;

/// A study file that has been checked; what it leaves open is for each command to ask for.
#[derive(Debug)]
pub struct StudyFile {
    path: PathBuf,
    /// Where the arms are listed: the study file itself or the CSV file it names.
    arms_path: PathBuf,
    /// The study's name.
    pub name: String,
    /// The accepted chance of a wrong answer, if it is given.
    pub delta: Option<f64>,
    prepare: Option<ArmCommand>,
    running: Running,
    correlation: Option<Located<Correlation>>,
    /// The line on which costs are said to be measured, if they are.
    measured_cost: Option<usize>,
    objectives: Vec<ObjectiveEntry>,
    arms: Vec<ArmEntry>,
}

impl StudyFile {
    /// Reads and checks a study file, and the CSV file of arms if it names one.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        StudyFile::parse(&SourceText::read(path)?)
    }

    /// What the objectives are measured in, in their order, where that is said.
    pub fn units(&self) -> Vec<Option<String>> {
        self.objectives.iter().map(|objective| objective.unit.clone()).collect()
    }

    /// A study that comes with the program.
    pub fn built_in(name: &str, text: &str) -> Result<Self, InputError> {
        StudyFile::parse(&SourceText::new(Path::new(name), text.as_bytes().to_vec())?)
    }

    /// The objectives of a text that need not have arms: samples will tell which there are. A variance that is left out is one that they
    /// will tell as well. Beside them, the places of those of whose noise nothing is said.
    pub fn objectives_in(name: &str, text: &str) -> Result<(Vec<Objective>, Vec<usize>), InputError> {
        let source = SourceText::new(Path::new(name), text.as_bytes().to_vec())?;
        let document = document::parse(&source)?;
        let root = Section::root(&source, document.get_ref());
        root.allow_only(&["objective", "constraint"])?;
        let entries = objectives(&source, &root)?;
        let open = entries.iter().enumerate().filter(|(_, entry)| entry.open).map(|(place, _)| place);
        Ok((entries.iter().map(ObjectiveEntry::objective).collect(), open.collect()))
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All files that it was read from.
    pub fn paths(&self) -> [&Path; 2] {
        [&self.path, &self.arms_path]
    }

    fn parse(source: &SourceText) -> Result<Self, InputError> {
        let document = document::parse(source)?;
        let root = Section::root(source, document.get_ref());
        if document.get_ref().is_empty() {
            return Err(source.fault(Fault::Empty { expected: "at least one [[objective]] and one [[arm]]" }));
        }
        root.allow_only(keys::STUDY)?;
        let name = root.string("name")?.map_or_else(|| stem(source.path()), |name| name.value);
        let delta = root.number("delta")?;
        if let Some(Located { value, line }) = delta
            && Risk::new(value).is_err()
        {
            let tiny = value > 0.0 && value < Risk::LEAST;
            let fault = if tiny { Fault::DeltaTooSmall { value } } else { Fault::DeltaOutOfRange { value } };
            return Err(source.fault_on_line(line, fault));
        }
        let correlation = correlation(source, &root)?;
        let measured_cost = measured_cost(source, &root)?;
        let prepare = command(source, &root, "prepare")?;
        let template = Template::of(source, &root)?;
        let running = Running::of(&root)?;
        let objectives = objectives(source, &root)?;
        let grid = root.section("grid", "the grid".to_owned(), "it as a [grid] table")?;
        let (arms_path, mut arms) = match (root.string("arms")?, grid) {
            (Some(csv), _) if root.has("arm") => {
                return Err(source.fault_on_line(csv.line, Fault::ArmsTwice { csv: csv.value }));
            }
            (csv, Some(grid)) if csv.is_some() || root.has("arm") => {
                let other = if csv.is_some() { "the file that `arms` names" } else { "the [[arm]] tables" };
                return Err(grid.fault(Fault::GridAndArms { other }));
            }
            (Some(csv), _) => {
                if let Some(reserved) = objectives.iter().find(|objective| arms_csv::is_reserved(&objective.name)) {
                    let fault = Fault::ReservedName { name: reserved.name.clone(), csv: csv.value };
                    return Err(source.fault_on_line(reserved.line, fault));
                }
                let path = source.path().parent().unwrap_or(Path::new("")).join(&csv.value);
                let placeholders = template.as_ref().map_or_else(Vec::new, Template::parameters);
                let arms = arms_csv::read(&path, &objectives, &placeholders)?;
                (path, arms)
            }
            (None, Some(grid)) => (source.path().to_owned(), arms_of_grid(&grid)?),
            (None, None) => (source.path().to_owned(), arms(source, &root, &objectives)?),
        };
        if let Some(template) = &template {
            for arm in arms.iter_mut().filter(|arm| arm.command.is_none()) {
                let filled = template.filled(&arm.name, &arm.parameters);
                arm.command = Some(filled.map_err(|fault| source.fault_on_line(template.line, fault))?);
            }
        }
        if let (Some(line), Some(arm)) = (measured_cost, arms.iter().find(|arm| arm.cost.is_some())) {
            let fault = Fault::CostGivenAndMeasured { arm: arm.name.clone() };
            return Err(source.fault_on_line(line, fault));
        }
        let delta = delta.map(|delta| delta.value);
        Ok(StudyFile {
            path: source.path().to_owned(),
            arms_path,
            name,
            delta,
            prepare,
            running,
            correlation,
            measured_cost,
            objectives,
            arms,
        })
    }

    /// The problem, if every variance and every correlation is known.
    pub fn problem(&self) -> Result<Problem, InputError> {
        if let Some(entry) = self.objectives.iter().find(|entry| entry.noise.is_none_or(Noise::is_unknown)) {
            let fault = Fault::VarianceNeeded { objective: entry.name.clone() };
            return Err(InputError::at_line(&self.path, entry.line, fault));
        }
        if let Some(Located { value: Correlation::Estimate, line }) = self.correlation {
            return Err(InputError::at_line(&self.path, line, Fault::CorrelationNeeded));
        }
        if let Some(line) = self.measured_cost {
            return Err(InputError::at_line(&self.path, line, Fault::CostNeeded));
        }
        self.learning_problem()
    }

    /// The problem for studies on measurements: a variance that is left out is one that the data will tell, and so may be the correlation.
    pub fn learning_problem(&self) -> Result<Problem, InputError> {
        let arm = |entry: &ArmEntry| {
            Arm::named(&entry.name).with_noise(entry.noise.clone()).with_cost(entry.cost.unwrap_or(1.0))
        };
        let objectives = self.objectives.iter().map(ObjectiveEntry::objective).collect();
        let problem = Problem::new(objectives, self.arms.iter().map(arm).collect())
            .map_err(|error| InputError::of_file(&self.path, error.into()))?;
        let problem = if self.measured_cost.is_some() { problem.with_measured_costs() } else { problem };
        let Some(Located { value, line }) = &self.correlation else { return Ok(problem) };
        problem.with_correlation(value.clone()).map_err(|error| InputError::at_line(&self.path, *line, error.into()))
    }

    /// What measures an arm, if the file says so.
    pub fn command(&self, arm: usize) -> Option<&ArmCommand> {
        self.arms[arm].command.as_ref()
    }

    /// What runs before each measurement, if the file says so.
    pub fn prepare(&self) -> Option<&ArmCommand> {
        self.prepare.as_ref()
    }

    /// How its arms are measured, as far as the file says it.
    pub fn running(&self) -> Running {
        self.running
    }

    /// How an objective is measured of a command, if it is not read from the command's output.
    pub fn measure(&self, objective: usize) -> Option<Measure> {
        self.objectives[objective].measure
    }

    /// The weighted sum of what is printed that an objective is, if it is one.
    pub fn sum(&self, objective: usize) -> Option<&WeightedSum> {
        self.objectives[objective].sum.as_ref()
    }

    /// What is read of an arm, and how the objectives are made of that.
    pub fn readings(&self) -> Readings {
        Readings::new(self.objectives.iter().map(|entry| (entry.name.clone(), entry.sum.clone())).collect())
    }

    /// The given means of one arm.
    pub fn means(&self, arm: usize) -> Option<&[f64]> {
        self.arms[arm].means.as_deref()
    }

    /// A fault of an arm, on its line.
    pub fn fault_of_arm(&self, arm: usize, fault: Fault) -> InputError {
        InputError::at_line(&self.arms_path, self.arms[arm].line, fault)
    }

    /// The given means, if every arm has them.
    pub fn model(&self, problem: &Problem) -> Result<Model, InputError> {
        let rows = self
            .arms
            .iter()
            .map(|entry| {
                entry.means.as_deref().ok_or_else(|| {
                    let fault = Fault::MeanNeeded { arm: entry.name.clone(), objectives: names_of(&self.objectives) };
                    InputError::at_line(&self.arms_path, entry.line, fault)
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        Model::new(problem, &rows).map_err(|error| InputError::of_file(&self.arms_path, error.into()))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "study".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn correlation(source: &SourceText, root: &Section) -> Result<Option<Located<Correlation>>, InputError> {
    let Some(Located { value, line }) = root.matrix_or_string("correlation")? else { return Ok(None) };
    let value = match value {
        MatrixOrText::Matrix(rows) => Correlation::Given(rows),
        MatrixOrText::Text(text) if text == "estimate" => Correlation::Estimate,
        MatrixOrText::Text(value) => return Err(source.fault_on_line(line, Fault::UnknownCorrelation { value })),
    };
    Ok(Some(Located { value, line }))
}

/// The line on which the study says that a measurement costs what it takes.
fn measured_cost(source: &SourceText, root: &Section) -> Result<Option<usize>, InputError> {
    match root.string("cost")? {
        None => Ok(None),
        Some(Located { value, line }) if value == "measured" => Ok(Some(line)),
        Some(Located { value, line }) => Err(source.fault_on_line(line, Fault::UnknownCost { value })),
    }
}
