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

mod arms_csv;
mod command;
mod document;
mod draft;
#[cfg(test)]
mod fuzz;
mod grid;
pub mod keys;
mod measure;
mod readings;
mod running;
mod template;
mod weighted_sum;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use surefront::{
    Arm, Correlation, Family, Goal, Limits, Margin, MarginError, Model, Noise, Objective, Problem, ProblemError, Range,
    Risk, Role, Statistic,
};

pub use self::command::ArmCommand;
use self::document::{Located, MatrixOrText, NumberOrText, Section};
pub use self::draft::Draft;
pub use self::measure::Measure;
pub use self::readings::{Given, NotAdded, Readings};
pub use self::running::{MOST_JOBS, Running};
use self::template::Parameters;
pub use self::weighted_sum::WeightedSum;
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::plural::{counted, there_are};
use crate::words::suggestion::{advice, listed};

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

#[derive(Debug)]
struct ObjectiveEntry {
    name: String,
    goal: Goal,
    /// `None` where only data can tell.
    noise: Option<Noise>,
    /// Whether nothing at all is said of it.
    open: bool,
    statistic: Statistic,
    margin: Margin,
    limits: Limits,
    role: Role,
    measure: Option<Measure>,
    sum: Option<WeightedSum>,
    unit: Option<String>,
    line: usize,
}

#[derive(Debug)]
struct ArmEntry {
    name: String,
    means: Option<Vec<f64>>,
    noise: Option<Vec<Noise>>,
    /// What one measurement costs; `None` where nothing is said.
    cost: Option<f64>,
    command: Option<ArmCommand>,
    /// What the placeholders of the command for all arms stand for.
    parameters: Parameters,
    line: usize,
}

/// The command for all arms.
#[derive(Debug)]
struct Template {
    command: ArmCommand,
    line: usize,
}

impl Template {
    fn of(source: &SourceText, root: &Section) -> Result<Option<Self>, InputError> {
        let line = root.words("command")?.map(|words| words.line);
        let command = command(source, root, "command")?;
        Ok(command.zip(line).map(|(command, line)| Template { command, line }))
    }

    /// The placeholders that are parameters.
    fn parameters(&self) -> Vec<String> {
        template::placeholders(&self.command).into_iter().filter(|name| name != template::NAME).collect()
    }

    fn filled(&self, arm: &str, parameters: &Parameters) -> Result<ArmCommand, Fault> {
        template::filled(&self.command, arm, parameters).map_err(|placeholder| {
            let known: Vec<&str> =
                [template::NAME].into_iter().chain(parameters.iter().map(|(name, _)| name.as_str())).collect();
            let advice = advice(&placeholder, known);
            Fault::UnknownPlaceholder { arm: arm.to_owned(), placeholder, advice }
        })
    }
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

/// A cost is a number above zero.
fn check_cost(place: &str, value: f64) -> Result<f64, Fault> {
    if Arm::COSTS.contains(&value) { Ok(value) } else { Err(Fault::BadCost { place: place.to_owned(), value }) }
}

fn objectives(source: &SourceText, root: &Section) -> Result<Vec<ObjectiveEntry>, InputError> {
    let mut lines = HashMap::new();
    let mut objectives = Vec::new();
    let optimised = root.sections("objective", "it as [[objective]] tables")?;
    if optimised.is_empty() {
        return Err(source.fault(Fault::NoObjectives));
    }
    let limited = root.sections("constraint", "it as [[constraint]] tables")?;
    let optimised = optimised.into_iter().map(|section| (Role::Optimised, section));
    for (role, section) in optimised.chain(limited.into_iter().map(|section| (Role::Limited, section))) {
        let (what, known) = match role {
            Role::Optimised => ("objective", keys::OBJECTIVE),
            Role::Limited => ("constraint", keys::CONSTRAINT),
        };
        let (name, section) = named(what, source, section, &mut lines)?;
        section.allow_only(known)?;
        let place = || section.place().to_owned();
        let goal = match role {
            Role::Optimised => goal(source, &section)?,
            // It says nothing.
            Role::Limited => Goal::Min,
        };
        let kind = match section.string("noise")? {
            None => None,
            Some(Located { value, line }) => Some(kind_named(&value).ok_or_else(|| {
                let fault = Fault::UnknownNoise { place: place(), value };
                source.fault_on_line(line, fault)
            })?),
        };
        let variance = match section.number_or_string("variance", "a number, or \"common\"")? {
            None => None,
            Some(written) => {
                let noise = match &written.value {
                    NumberOrText::Number(value) => noise_of(source, &written, *value, place)?,
                    NumberOrText::Text(text) if text == "common" => Noise::Common,
                    NumberOrText::Text(text) => {
                        let fault = Fault::UnknownVariance { place: place(), value: text.clone() };
                        return Err(source.fault_on_line(written.line, fault));
                    }
                };
                Some((written.line, noise))
            }
        };
        let open = kind.is_none() && variance.is_none();
        let range = range(source, &section, kind)?;
        let noise = match (kind, variance) {
            (Some(Kind::Bounded), Some((line, _))) => {
                return Err(source.fault_on_line(line, Fault::BoundedWithVariance { place: place() }));
            }
            (Some(Kind::Bounded), None) => range.map(|Range { low, high }| Noise::Bounded { low, high }),
            (Some(Kind::Family(Family::Gaussian)), variance) => variance.map(|(_, noise)| noise),
            (Some(Kind::Family(family)), Some((line, _))) => {
                return Err(source.fault_on_line(line, Fault::KindWithVariance { place: place(), family }));
            }
            (Some(Kind::Family(family)), None) => noise_of_family(family),
            (Some(Kind::Exact), Some((line, Noise::Variance(variance)))) => {
                return Err(source.fault_on_line(line, Fault::ExactWithVariance { place: place(), variance }));
            }
            (Some(Kind::Exact), Some((line, Noise::Common))) => {
                return Err(source.fault_on_line(line, Fault::ExactAndCommon { place: place() }));
            }
            (Some(Kind::Exact), _) => Some(Noise::Exact),
            (None, variance) => variance.map(|(_, noise)| noise),
        };
        let statistic = match section.string("statistic")? {
            None => Statistic::Mean,
            Some(written) => {
                let known = |statistic: Statistic| match noise {
                    Some(noise) if !statistic.is_mean() => needs_no_law(noise, statistic, place),
                    _ => Ok(statistic),
                };
                let statistic = written.value.parse().map_err(|error| Fault::Statistic { place: place(), error });
                statistic.and_then(known).map_err(|fault| source.fault_on_line(written.line, fault))?
            }
        };
        let margin = match section.number_or_string("margin", "a number, or text such as \"2 %\"")? {
            None => Margin::NONE,
            Some(Located { value, line }) => {
                let margin = match value {
                    NumberOrText::Number(value) => Ok(Margin::Absolute(value)),
                    NumberOrText::Text(text) => text.parse(),
                };
                let refuse = |value: String| Fault::BadMargin { place: place(), value };
                let margin = margin.map_err(|MarginError(text)| refuse(format!("\"{text}\"")));
                let checked = margin.and_then(|margin| match margin.is_valid() {
                    true => Ok(margin),
                    false => Err(refuse(margin.to_string())),
                });
                checked.map_err(|fault| source.fault_on_line(line, fault))?
            }
        };
        let measure = section.string("measure")?.map(|written| match Measure::named(&written.value) {
            Some(measure) => Ok(measure),
            None => {
                let known = listed(Measure::names());
                let fault = Fault::UnknownMeasure { place: place(), value: written.value, known };
                Err(source.fault_on_line(written.line, fault))
            }
        });
        let measure = measure.transpose()?;
        let sum = WeightedSum::read(&section)?;
        let unit =
            section.string("unit")?.map(|written| written.value.trim().to_owned()).filter(|unit| !unit.is_empty());
        let line = section.line;
        let limits = Limits::default();
        let entry =
            ObjectiveEntry { name, goal, noise, open, statistic, margin, limits, role, measure, sum, unit, line };
        objectives.push(ObjectiveEntry { limits: limits_of(source, &section, &entry)?, ..entry });
    }
    Ok(objectives)
}

fn goal(source: &SourceText, section: &Section) -> Result<Goal, InputError> {
    let place = || section.place().to_owned();
    let goal = section.string("goal")?.ok_or_else(|| section.fault(Fault::MissingGoal { place: place() }))?;
    match goal.value.as_str() {
        "max" => Ok(Goal::Max),
        "min" => Ok(Goal::Min),
        _ => Err(source.fault_on_line(goal.line, Fault::UnknownGoal { place: place(), value: goal.value })),
    }
}

/// What an objective must at least, and at most, be.
fn limits_of(source: &SourceText, section: &Section, entry: &ObjectiveEntry) -> Result<Limits, InputError> {
    let (least, most) = (section.number("at_least")?, section.number("at_most")?);
    let objective = || entry.name.clone();
    let refuse = |line: usize, error: ProblemError| Err(source.fault_on_line(line, error.into()));
    let value = |written: &Option<Located<f64>>| written.as_ref().map(|written| written.value);
    let limits = Limits { at_least: value(&least), at_most: value(&most) };
    if entry.role == Role::Limited && limits.is_none() {
        return Err(section.fault(ProblemError::NoLimit { objective: objective() }.into()));
    }
    if let (Some(least), Some(most)) = (&least, &most)
        && least.value >= most.value
    {
        let error = ProblemError::NoRoom { objective: objective(), at_least: least.value, at_most: most.value };
        return refuse(most.line, error);
    }
    let range = entry.noise.and_then(Noise::range);
    for Located { value, line } in [least, most].into_iter().flatten() {
        let is_a_mean = value.abs() <= surefront::LARGEST && entry.family().takes_mean(value);
        if !(is_a_mean && range.is_none_or(|range| range.holds(value))) {
            return refuse(line, ProblemError::BadLimit { objective: objective(), value });
        }
    }
    Ok(limits)
}

fn arms(source: &SourceText, root: &Section, objectives: &[ObjectiveEntry]) -> Result<Vec<ArmEntry>, InputError> {
    let mut lines = HashMap::new();
    let mut arms = Vec::new();
    for section in root.sections("arm", "it as [[arm]] tables")? {
        let (name, section) = named("arm", source, section, &mut lines)?;
        section.allow_only(keys::ARM)?;
        let one_each = |key, list: Located<Vec<f64>>| {
            if list.value.len() == objectives.len() {
                return Ok(list);
            }
            let fault = Fault::WrongArity {
                place: section.place().to_owned(),
                key,
                found: counted(list.value.len(), "entry", "entries"),
                expected: there_are(objectives.len(), "objective", "objectives"),
                objectives: names_of(objectives),
            };
            Err(source.fault_on_line(list.line, fault))
        };
        let means = section.numbers("mean")?.map(|list| one_each("mean", list)).transpose()?;
        if let Some(list) = &means {
            check_means(section.place(), &list.value, objectives)
                .map_err(|fault| source.fault_on_line(list.line, fault))?;
        }
        let noise = match section.numbers("variance")?.map(|list| one_each("variance", list)).transpose()? {
            None => None,
            Some(list) => {
                let cells = list.value.iter().zip(objectives);
                let noise = cells.map(|(&value, objective)| {
                    let place = || format!("{} in objective \"{}\"", section.place(), objective.name);
                    match (noise_of(source, &list, value, place)?, objective.family()) {
                        (Noise::Exact, _) if !objective.statistic.is_mean() => {
                            needs_no_law(Noise::Exact, objective.statistic, place)
                                .map_err(|fault| source.fault_on_line(list.line, fault))?;
                            Ok(Noise::Exact)
                        }
                        (Noise::Exact, _) => Ok(Noise::Exact),
                        (noise, Family::Gaussian) => Ok(noise),
                        (_, family) => {
                            Err(source.fault_on_line(list.line, Fault::KindWithVariance { place: place(), family }))
                        }
                    }
                });
                Some(noise.collect::<Result<_, _>>()?)
            }
        };
        let cost = section.number("cost")?.map(|written| {
            check_cost(section.place(), written.value).map_err(|fault| source.fault_on_line(written.line, fault))
        });
        let cost = cost.transpose()?;
        let command = command(source, &section, "command")?;
        let means = means.map(|list| list.value);
        let parameters = parameters(&section)?;
        if !parameters.is_empty() && command.is_some() {
            return Err(section.fault(Fault::UnusedParameters { place: section.place().to_owned() }));
        }
        arms.push(ArmEntry { name, means, noise, cost, command, parameters, line: section.line });
    }
    if arms.is_empty() {
        return Err(source.fault(Fault::NoArms));
    }
    Ok(arms)
}

/// What an arm's placeholders stand for.
fn parameters(arm: &Section) -> Result<Parameters, InputError> {
    let expected = "them as a table, for example { level = 9 }";
    let Some(section) = arm.section("parameters", arm.place().to_owned(), expected)? else { return Ok(Vec::new()) };
    let mut parameters = Vec::new();
    for (name, Located { value, line }) in section.text_by_key()? {
        if !template::is_a_name(&name) {
            return Err(section.fault_on(line, Fault::ParameterName { place: section.place().to_owned(), name }));
        }
        parameters.push((name, value));
    }
    Ok(parameters)
}

/// The arms that a grid makes.
fn arms_of_grid(grid: &Section) -> Result<Vec<ArmEntry>, InputError> {
    let entry = |grid::Combination { name, parameters, line }| ArmEntry {
        name,
        means: None,
        noise: None,
        cost: None,
        command: None,
        parameters,
        line,
    };
    Ok(grid::combinations(grid)?.into_iter().map(entry).collect())
}

/// A quantile of something whose law is fixed otherwise is refused; a variance is what simulated values are drawn with.
fn needs_no_law(noise: Noise, statistic: Statistic, place: impl Fn() -> String) -> Result<Statistic, Fault> {
    match noise {
        Noise::Variance(_) | Noise::Unknown | Noise::Common | Noise::Any => Ok(statistic),
        _ => {
            let noise = noise.family().map_or("exact", Family::name);
            Err(Fault::QuantileOfLaw { place: place(), statistic, noise })
        }
    }
}

/// What can stand behind `noise =`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Exact,
    Bounded,
    Family(Family),
}

fn kind_named(name: &str) -> Option<Kind> {
    let families = [Family::Gaussian, Family::Bernoulli, Family::Poisson, Family::Exponential];
    let family = families.into_iter().find(|family| family.name() == name).map(Kind::Family);
    match name {
        "exact" => Some(Kind::Exact),
        "bounded" => Some(Kind::Bounded),
        _ => family,
    }
}

/// The range of an objective: where its noise is bounded, and nowhere else.
fn range(source: &SourceText, section: &Section, kind: Option<Kind>) -> Result<Option<Range>, InputError> {
    let place = || section.place().to_owned();
    match (section.pair("range")?, kind == Some(Kind::Bounded)) {
        (None, false) => Ok(None),
        (None, true) => Err(section.fault(Fault::RangeNeeded { place: place() })),
        (Some(written), false) => Err(source.fault_on_line(written.line, Fault::RangeWithoutBounds { place: place() })),
        (Some(written), true) => match written.value[..] {
            [low, high] if (Range { low, high }).is_valid() => Ok(Some(Range { low, high })),
            _ => Err(source.fault_on_line(written.line, Fault::BadRange { place: place() })),
        },
    }
}

/// The noise of a family; `None` where only its variance makes it known.
fn noise_of_family(family: Family) -> Option<Noise> {
    [Noise::Bernoulli, Noise::Poisson, Noise::Exponential].into_iter().find(|noise| noise.family() == Some(family))
}

impl ObjectiveEntry {
    fn objective(&self) -> Objective {
        let noise = self.noise.unwrap_or(Noise::Unknown);
        let mut objective =
            Objective::new(&self.name, self.goal, noise).with_statistic(self.statistic).with_margin(self.margin);
        (objective.limits, objective.role) = (self.limits, self.role);
        objective
    }

    fn family(&self) -> Family {
        self.noise.and_then(Noise::family).unwrap_or(Family::Gaussian)
    }
}

/// Refuses means that the noise of their objective cannot have.
fn check_means(place: &str, means: &[f64], objectives: &[ObjectiveEntry]) -> Result<(), Fault> {
    for (&value, objective) in means.iter().zip(objectives) {
        let family = objective.family();
        if let Some(range) = objective.noise.and_then(Noise::range).filter(|range| !range.holds(value)) {
            let (place, objective) = (place.to_owned(), objective.name.clone());
            return Err(Fault::MeanBeyond { place, objective, value, range });
        }
        if !family.takes_mean(value) {
            let (place, objective) = (place.to_owned(), objective.name.clone());
            return Err(Fault::MeanOutside { place, objective, value, family });
        }
    }
    Ok(())
}

/// A command under this key, if there is one.
fn command(source: &SourceText, section: &Section, key: &'static str) -> Result<Option<ArmCommand>, InputError> {
    let Some(Located { value, line }) = section.words(key)? else { return Ok(None) };
    let empty = || Fault::EmptyCommand { key, place: section.place().to_owned() };
    ArmCommand::new(value).ok_or_else(|| source.fault_on_line(line, empty())).map(Some)
}

/// The name of an objective or an arm, and its table under that name; `lines` are the names so far.
fn named<'a>(
    what: &'static str,
    source: &SourceText,
    section: Section<'a>,
    lines: &mut HashMap<String, usize>,
) -> Result<(String, Section<'a>), InputError> {
    let place = section.place().to_owned();
    let Some(Located { value: name, line }) = section.string("name")? else {
        // A misspelt key is the likelier reason, and the better advice.
        section.allow_only(&[keys::OBJECTIVE, keys::CONSTRAINT, keys::ARM].concat())?;
        let example = if what == "arm" { "name = \"variant A\"" } else { "name = \"accuracy\"" };
        return Err(section.fault(Fault::MissingKey { place, key: "name", example }));
    };
    if name.trim().is_empty() {
        return Err(source.fault_on_line(line, Fault::EmptyName { place }));
    }
    if let Some(first_line) = lines.insert(name.clone(), line) {
        let what = if what == "arm" { "an arm" } else { "an objective" };
        return Err(source.fault_on_line(line, Fault::DuplicateName { what, name, first_line }));
    }
    let place = format!("{what} \"{name}\"");
    Ok((name, section.named(place)))
}

/// A variance as noise: zero is none.
fn noise_of<T>(
    source: &SourceText,
    written: &Located<T>,
    value: f64,
    place: impl FnOnce() -> String,
) -> Result<Noise, InputError> {
    match value {
        0.0 => Ok(Noise::Exact),
        value if value > 0.0 => Ok(Noise::Variance(value)),
        _ => Err(source.fault_on_line(written.line, Fault::NegativeVariance { place: place(), value })),
    }
}

fn names_of(objectives: &[ObjectiveEntry]) -> String {
    listed(objectives.iter().map(|objective| objective.name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(objective: &str) -> Result<StudyFile, InputError> {
        let text = format!("[[objective]]\nname = \"x\"\ngoal = \"max\"\n{objective}\n[[arm]]\nname = \"a\"\n");
        StudyFile::parse(&SourceText::new(Path::new("s.toml"), text.into_bytes())?)
    }

    #[test]
    fn a_kind_of_noise_has_no_variance() {
        for (kind, noise) in
            [("bernoulli", Noise::Bernoulli), ("poisson", Noise::Poisson), ("exponential", Noise::Exponential)]
        {
            let study = parse(&format!("noise = \"{kind}\"")).unwrap();
            assert_eq!(study.problem().unwrap().noise(0, 0), noise);
            let text = parse(&format!("noise = \"{kind}\"\nvariance = 0.25")).unwrap_err().to_string();
            assert!(text.contains("line 5") && text.contains(&format!("is {kind} and has a variance")), "{text}");
            for (mean, line) in [("-0.5", "line 7"), ("1e80", "")] {
                let study = parse(&format!("noise = \"{kind}\"\n[[arm]]\nname = \"b\"\nmean = [{mean}]"));
                let error = study.and_then(|study| study.model(&study.problem()?)).unwrap_err().to_string();
                assert!(error.contains(line), "{error}");
            }
        }
        assert_eq!(parse("noise = \"gaussian\"").unwrap().learning_problem().unwrap().noise(0, 0), Noise::Unknown);
        let given = parse("noise = \"gaussian\"\nvariance = 2").unwrap();
        assert_eq!(given.problem().unwrap().noise(0, 0), Noise::Variance(2.0));
    }

    #[test]
    fn bounded_noise_has_a_range() {
        let study = parse("noise = \"bounded\"\nrange = [-1, 2.5]").unwrap();
        assert_eq!(study.problem().unwrap().noise(0, 0), Noise::Bounded { low: -1.0, high: 2.5 });
        for (objective, said) in [
            ("noise = \"bounded\"", "`range = [0, 1]`"),
            ("noise = \"bounded\"\nrange = [1, 0]", "line 5"),
            ("noise = \"bounded\"\nrange = [1, 1]", "the least value, then the greatest"),
            ("noise = \"bounded\"\nrange = [0]", "the least value, then the greatest"),
            ("noise = \"bounded\"\nrange = [0, 1, 2]", "the least value, then the greatest"),
            ("noise = \"bounded\"\nrange = [0, nan]", "line 5"),
            ("noise = \"bounded\"\nrange = 1", "the least value and the greatest"),
            ("noise = \"bounded\"\nrange = [0, 1]\nvariance = 0.1", "line 6"),
            ("range = [0, 1]", "`noise = \"bounded\"`"),
            ("noise = \"bounded\"\nrange = [0, 1]\n[[arm]]\nname = \"b\"\nmean = [1.5]", "line 8"),
        ] {
            let text = parse(objective).map(|_| ()).unwrap_err().to_string();
            assert!(text.contains(said), "{objective}: {text}");
        }
    }

    #[test]
    fn readings_may_be_correlated() {
        let two = "goal = \"max\"\nvariance = 1\n";
        let parse = |correlation: &str| {
            let text = format!(
                "{correlation}\n[[objective]]\nname = \"x\"\n{two}[[objective]]\nname = \"y\"\n{two}[[arm]]\nname = \"a\"\n"
            );
            StudyFile::parse(&SourceText::new(Path::new("s.toml"), text.into_bytes())?)
        };
        let problem = parse("correlation = [[1, 0.5], [0.5, 1]]").unwrap().problem().unwrap();
        assert_eq!(problem.correlation_of(0, 1), 0.5);
        let estimated = parse("correlation = \"estimate\"").unwrap();
        assert_eq!(estimated.learning_problem().unwrap().correlation(), Some(&Correlation::Estimate));
        for (line, said) in [
            ("correlation = \"estimate\"", "line 1: the correlation is to be estimated"),
            ("correlation = \"guess\"", "line 1: the correlation is \"guess\""),
            ("\n\ncorrelation = 0.5", "line 3: correlation of the study is a number"),
            ("correlation = [[1, 0.5], 3]", "line 1: correlation of the study is a number"),
            ("correlation = [[1, nan], [0.5, 1]]", "line 1: correlation (row 1, column 2) of the study is nan"),
            ("delta = 0.1\ncorrelation = [[1, 0.5]]", "line 2: the correlation has 1 rows"),
            ("correlation = [[1], [0.5, 1]]", "line 1: row 1 of the correlation has 1 entries"),
            ("correlation = [[1, 1], [1, 1]]", "line 1: \"x\" and \"y\" cannot be correlated like this"),
        ] {
            let text = parse(line).and_then(|study| study.problem()).unwrap_err().to_string();
            assert!(text.contains(said), "{text}");
        }
    }

    #[test]
    fn a_quantile_needs_no_variance() {
        for (name, level) in [("median", 0.5), ("p95", 0.95), ("p99.9", 0.999)] {
            let study = parse(&format!("statistic = \"{name}\"")).unwrap();
            assert_eq!(study.learning_problem().unwrap().quantile(0).unwrap().level(), level);
            assert_eq!(study.learning_problem().unwrap().noise(0, 0), Noise::Any);
        }
        assert_eq!(parse("statistic = \"mean\"").unwrap().learning_problem().unwrap().quantile(0), None);
        let drawn = parse("variance = 2\nstatistic = \"median\"").unwrap();
        assert_eq!(drawn.problem().unwrap().noise(0, 0), Noise::Variance(2.0));
        for bad in ["p0", "p100", "p", "modus", "p-5"] {
            let text = parse(&format!("statistic = \"{bad}\"")).unwrap_err().to_string();
            assert!(text.contains("line 4") && text.contains(bad) && text.contains("p95"), "{text}");
        }
        for noise in ["exact", "bernoulli", "poisson", "exponential"] {
            let text = parse(&format!("noise = \"{noise}\"\nstatistic = \"median\"")).unwrap_err().to_string();
            assert!(text.contains("line 5") && text.contains(noise), "{text}");
        }
        let own = parse("statistic = \"p95\"\n[[arm]]\nname = \"b\"\nvariance = [0]").unwrap_err().to_string();
        assert!(own.contains("line 7") && own.contains("p95"), "{own}");
    }

    fn commands(text: &str) -> Result<Vec<String>, String> {
        let text = format!("{text}\n[[objective]]\nname = \"x\"\ngoal = \"max\"\n");
        let read = || StudyFile::parse(&SourceText::new(Path::new("s.toml"), text.into_bytes())?);
        let study = read().map_err(|error| error.to_string())?;
        let problem = study.learning_problem().map_err(|error| error.to_string())?;
        let command = |arm| study.command(arm).map_or_else(|| "-".to_owned(), ToString::to_string);
        Ok((0..problem.arm_count()).map(|arm| format!("{}: {}", problem.arms()[arm].name, command(arm))).collect())
    }

    #[test]
    fn one_command_serves_all_arms() {
        let found = commands(
            "command = \"gzip -{level} {name}\"\n[[arm]]\nname = \"a\"\n[arm.parameters]\nlevel = 9\n[[arm]]\nname = \"b\"\nparameters = { level = \"x y\" }\n\
             [[arm]]\nname = \"c\"\ncommand = \"own {level}\"",
        );
        assert_eq!(found.unwrap(), ["a: gzip -9 a", "b: gzip -'x y' b", "c: own {level}"]);
        let found = commands("command = [\"zip\", \"-{n}\"]\n[grid]\nn = [1, 2.50]\nfast = [true, false]").unwrap();
        assert_eq!(found.len(), 4);
        assert_eq!(
            (found[1].as_str(), found[2].as_str()),
            ("n=1, fast=false: [\"zip\", \"-1\"]", "n=2.50, fast=true: [\"zip\", \"-2.50\"]",)
        );
        for (text, said) in [
            (
                "command = \"x {lvel}\"\n[[arm]]\nname = \"a\"\nparameters = { level = 1 }",
                "line 1: the command for all arms has the placeholder {lvel}, and arm \"a\" has no such parameter: did you mean \"level\"?",
            ),
            ("[[arm]]\nname = \"a\"\nparameters = { name = 1 }", "line 3: arm \"a\" has a parameter called \"name\""),
            ("[[arm]]\nname = \"a\"\nparameters = { x = [1] }", "line 3: x of arm \"a\" is a list"),
            ("[[arm]]\nname = \"a\"\nparameters = 3", "line 3: parameters of arm \"a\" is a number"),
            ("[[arm]]\nname = \"a\"\ncommand = \"x\"\nparameters = { y = 1 }", "no use for them"),
            ("[grid]", "line 1: the grid is empty"),
            ("[grid]\nn = []", "line 2: \"n\" in the grid has no values"),
            ("[grid]\nn = [1, 1]", "line 2: \"n\" in the grid has the value 1 twice"),
            ("[grid]\nn = 3", "line 2: n of the grid is a number"),
            ("grid = 3", "line 1: grid of the study is a number"),
            ("[grid]\nn = [1]\n[[arm]]\nname = \"a\"", "line 1: arms come from the [grid] and from the [[arm]] tables"),
            ("command = \" \"", "line 1"),
        ] {
            let error = commands(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        let many = format!("[grid]\na = {0:?}\nb = {0:?}\n", (0..101).collect::<Vec<_>>());
        assert!(commands(&many).unwrap_err().contains("more than 10000 arms"));
    }

    #[test]
    fn how_arms_are_measured_may_stand_in_the_file() {
        let running = |lines: &str| {
            let text = format!("{lines}\n[[objective]]\nname = \"x\"\ngoal = \"max\"\n[[arm]]\nname = \"a\"\n");
            let source = SourceText::new(Path::new("s.toml"), text.into_bytes()).unwrap();
            StudyFile::parse(&source).map(|study| study.running()).map_err(|error| error.to_string())
        };
        let all = running("timeout = \"2m\"\njobs = 4\nwarmup = 0\nmax_samples = 1_000").unwrap();
        assert_eq!(all.timeout.map(|time| time.as_secs()), Some(120));
        assert_eq!((all.jobs, all.warmup, all.max_samples), (Some(4), Some(0), Some(1000)));
        assert_eq!(running("timeout = 1.5").unwrap().timeout.map(|time| time.as_millis()), Some(1500));
        assert_eq!(running("").unwrap(), Running::default());
        for (text, said) in [
            ("timeout = \"soon\"", "line 1: timeout is \"soon\": write seconds"),
            ("timeout = 0", "timeout is \"0\""),
            ("timeout = [1]", "timeout of the study is a list: write seconds, or text such as \"10m\""),
            ("\njobs = 0", "line 2: jobs is 0: write a whole number from 1 to 1024"),
            ("jobs = 4.5", "jobs of the study is a number: write a whole number, for example 4"),
            ("jobs = -1", "jobs of the study is -1: write a whole number"),
            ("max_samples = 0", "max_samples is 0"),
            ("warmup = \"2\"", "warmup of the study is text"),
        ] {
            let error = running(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_variance_may_be_common() {
        let study = parse("variance = \"common\"").unwrap();
        assert_eq!(study.learning_problem().unwrap().noise(0, 0), Noise::Common);
        assert!(study.problem().unwrap_err().to_string().contains("has no variance"));
        let text = parse("variance = \"comon\"").unwrap_err().to_string();
        assert!(text.contains("line 4") && text.contains("`variance = \"common\"`"), "{text}");
        let text = parse("noise = \"exact\"\nvariance = \"common\"").unwrap_err().to_string();
        assert!(text.contains("keep one of the two lines"), "{text}");
    }
}
