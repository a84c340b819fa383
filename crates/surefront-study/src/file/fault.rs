//! What can be wrong with a file that was handed in: each fault says what to write instead.

use std::io;

use surefront::{Family, ObservationError, ProblemError, Range, Statistic, StatisticError};
use thiserror::Error;

/// The condition that an input violates.
#[derive(Debug, Error)]
pub enum Fault {
    /// The operating system will not let us read it.
    #[error("cannot read this file ({0}): give the path of a file that you may read")]
    Unreadable(io::Error),
    /// What is packed cannot be unpacked to the end.
    #[error("the file is damaged or cut short ({0}): copy or make it anew")]
    Damaged(io::Error),
    /// There is nothing at that path.
    #[error("there is no such file: check the path")]
    NotFound,
    /// It is a directory.
    #[error("this is a directory: give the path of a file in it")]
    Directory,
    /// The bytes are not text.
    #[error("this is not UTF-8 text: save the file as UTF-8")]
    NotUtf8,
    /// No content but white space and comments.
    #[error("the file is empty: write {expected}")]
    Empty {
        /// What the file should hold.
        expected: &'static str,
    },
    /// The TOML parser's own complaint.
    #[error("this is not valid TOML: {0}")]
    Toml(String),
    /// The CSV parser's own complaint.
    #[error("this is not valid CSV: {0}")]
    Csv(String),
    /// The JSON parser's own complaint.
    #[error("this is not a JSON list of numbers ({0}): write for example [0.5, 0.25, 0.25]")]
    Json(String),
    /// A key that no command knows.
    #[error("{place} has the unknown key \"{key}\": {advice}")]
    UnknownKey {
        /// Where the key is.
        place: String,
        /// What was written.
        key: String,
        /// The nearest known key, or all of them.
        advice: String,
    },
    /// A key that must be there is not.
    #[error("{place} has no {key}: write for example `{example}`")]
    MissingKey {
        /// Where the key should be.
        place: String,
        /// Its name.
        key: &'static str,
        /// A line that would do.
        example: &'static str,
    },
    /// An objective that does not say what is better: a guess could make every answer wrong.
    #[error("{place} has no goal: write `goal = \"max\"` if more is better, `goal = \"min\"` if less is better")]
    MissingGoal {
        /// The objective.
        place: String,
    },
    /// A value of another type.
    #[error("{key} of {place} is {found}: write {expected}")]
    WrongType {
        /// Where the key is.
        place: String,
        /// Its name.
        key: String,
        /// The type of what was written.
        found: &'static str,
        /// The type it should have, with an example.
        expected: &'static str,
    },
    /// A number that is negative, or too large.
    #[error("{key} of {place} is {value}: write a whole number, for example 4")]
    NotWhole {
        /// Where the key is.
        place: String,
        /// Its name.
        key: &'static str,
        /// What was written.
        value: String,
    },
    /// A whole number that cannot be.
    #[error("{key} is {value}: write a whole number from {least} to {most}")]
    WholeOutside {
        /// The key.
        key: &'static str,
        /// What was written.
        value: u64,
        /// The least there can be.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// No length of time.
    #[error(
        "{key} is \"{text}\": write seconds, or a number with its unit, for example 90, \"500ms\", \"10m\" or \"2h\""
    )]
    BadTime {
        /// The key.
        key: &'static str,
        /// What was written.
        text: String,
    },
    /// A placeholder that nothing is said of.
    #[error(
        "the command for all arms has the placeholder {{{placeholder}}}, and arm \"{arm}\" has no such parameter: {advice}; write {{{{{placeholder}}}}} for \
         braces that are no placeholder"
    )]
    UnknownPlaceholder {
        /// The arm.
        arm: String,
        /// The placeholder.
        placeholder: String,
        /// The nearest parameter, or all of them.
        advice: String,
    },
    /// A parameter that no placeholder can ask for.
    #[error(
        "{place} has a parameter called \"{name}\": use letters, digits, _ and -, and not `name`, which is the arm's own"
    )]
    ParameterName {
        /// Whose.
        place: String,
        /// What was written.
        name: String,
    },
    /// Parameters that nothing reads.
    #[error(
        "{place} has parameters, but a command of its own and so no use for them: leave the arm's command out, and write one for all arms at the top, with \
         placeholders such as {{level}}"
    )]
    UnusedParameters {
        /// Whose.
        place: String,
    },
    /// No parameters in the grid.
    #[error("the grid is empty: write a list for each parameter, for example `level = [1, 6, 9]`")]
    EmptyGrid,
    /// A parameter without values.
    #[error("\"{name}\" in the grid has no values: write at least one, for example `{name} = [1, 6, 9]`")]
    EmptyGridList {
        /// The parameter.
        name: String,
    },
    /// A value that is there twice.
    #[error("\"{name}\" in the grid has the value {value} twice: keep one")]
    GridTwice {
        /// The parameter.
        name: String,
        /// The value.
        value: String,
    },
    /// Too many combinations.
    #[error("the grid makes more than {most} arms: leave out values, or list the arms that you mean as [[arm]] tables")]
    GridTooLarge {
        /// The most there can be.
        most: usize,
    },
    /// Arms are listed and made.
    #[error("arms come from the [grid] and from {other}: keep one of the two")]
    GridAndArms {
        /// Where else.
        other: &'static str,
    },
    /// A number that is NaN or infinite.
    #[error("{key} of {place} is {value}: write a finite number")]
    NotFinite {
        /// Where the number is.
        place: String,
        /// The key or column.
        key: String,
        /// What was written.
        value: String,
    },
    /// A variance below zero.
    #[error("the variance of {place} is {value}: write a positive number, or 0 if it is measured without noise")]
    NegativeVariance {
        /// The objective, or the arm and the objective.
        place: String,
        /// What was written.
        value: f64,
    },
    /// A word where a variance should be.
    #[error(
        "the variance of {place} is \"{value}\": write a number, or `variance = \"common\"` for one that the data tell and all arms share; leave it out for one for each arm"
    )]
    UnknownVariance {
        /// The objective.
        place: String,
        /// What was written.
        value: String,
    },
    /// A cost that is none.
    #[error("the cost of {place} is {value}: write a number above 0, such as 1")]
    BadCost {
        /// The arm.
        place: String,
        /// What was written.
        value: f64,
    },
    /// A word that says nothing of costs.
    #[error(
        "the cost of the study is \"{value}\": write `cost = \"measured\"` for the time that a measurement takes, or a number for each arm that costs another than 1"
    )]
    UnknownCost {
        /// What was written.
        value: String,
    },
    /// Costs are measured, and one is given.
    #[error("the costs are said to be measured, but arm \"{arm}\" has one: leave out one of the two")]
    CostGivenAndMeasured {
        /// The first such arm.
        arm: String,
    },
    /// Something that cannot be compared.
    #[error("the statistic of {place} is not to be had: {error}")]
    Statistic {
        /// The objective.
        place: String,
        /// Why.
        error: StatisticError,
    },
    /// A sum of nothing.
    #[error(
        "{place} is a sum of nothing: name what is added up, for example `of = {{ revenue = 1, cost = -1 }}`, or leave out `of`"
    )]
    EmptySum {
        /// The objective.
        place: String,
    },
    /// Something that cannot be added up.
    #[error(
        "\"{reading}\" is only known to be more than something, and \"{objective}\" is a sum with it: give a number"
    )]
    NotAdded {
        /// What is not known.
        reading: String,
        /// The sum.
        objective: String,
    },
    /// Something in a sum that counts nothing.
    #[error("in `of` of {place}, \"{reading}\" counts 0: leave it out, or write what it counts")]
    ZeroWeight {
        /// The objective.
        place: String,
        /// What is printed.
        reading: String,
    },
    /// A sum that is measured.
    #[error(
        "{place} has `of` and `measure`: a sum is of what the command prints, or of objectives that are measured, so leave out one of the two"
    )]
    SumMeasured {
        /// The objective.
        place: String,
    },
    /// A margin that is none.
    #[error(
        "the margin of {place} is {value}: write a number of 0 or more in its units, such as `margin = 0.5`, or a part of the mean, such as `margin = \"2 %\"`"
    )]
    BadMargin {
        /// The objective.
        place: String,
        /// What was written.
        value: String,
    },
    /// A quantile of something whose law is fixed otherwise.
    #[error(
        "{place} is compared by its {statistic} and said to be {noise}: a quantile needs no kind of noise, so keep one of the two"
    )]
    QuantileOfLaw {
        /// The objective.
        place: String,
        /// The quantile.
        statistic: Statistic,
        /// The noise that was written.
        noise: &'static str,
    },
    /// δ is not a probability.
    #[error(
        "delta is {value}: write the chance of a wrong answer you accept, above 0 and below 1, for example `delta = 0.05`"
    )]
    DeltaOutOfRange {
        /// What was written.
        value: f64,
    },
    /// δ is smaller than can be computed with.
    #[error(
        "delta is {value:e}, too small to compute with: write the chance of a wrong answer you accept, {:e} at least, for example `delta = 0.05`",
        surefront::Risk::LEAST
    )]
    DeltaTooSmall {
        /// What was written.
        value: f64,
    },
    /// Neither max nor min.
    #[error("goal of {place} is \"{value}\": write \"max\" if more is better, \"min\" if less is better")]
    UnknownGoal {
        /// The objective.
        place: String,
        /// What was written.
        value: String,
    },
    /// A noise law that is not known.
    #[error(
        "noise of {place} is \"{value}\": write `noise = \"exact\"` if it is measured without noise, \"bernoulli\" for 0 or 1, \"poisson\" for counts, \"exponential\" for times between events, \"bounded\" where only the range of the values is known, otherwise its variance, for example `variance = 0.5`"
    )]
    UnknownNoise {
        /// The objective.
        place: String,
        /// What was written.
        value: String,
    },
    /// A variance where it comes with the mean.
    #[error("{place} is {} and has a variance: leave the variance out, since it comes with the mean", .family.name())]
    KindWithVariance {
        /// The objective, or the arm in it.
        place: String,
        /// Its noise.
        family: Family,
    },
    /// Bounded noise without a range.
    #[error(
        "{place} is bounded and has no range: write the least value and the greatest, for example `range = [0, 1]`"
    )]
    RangeNeeded {
        /// The objective.
        place: String,
    },
    /// A range where the noise is not bounded.
    #[error(
        "{place} has a range, which says nothing without `noise = \"bounded\"`: write that, or leave the range out"
    )]
    RangeWithoutBounds {
        /// The objective.
        place: String,
    },
    /// Not two numbers in order.
    #[error("range of {place} is no range: write the least value, then the greatest, for example `range = [0, 1]`")]
    BadRange {
        /// The objective.
        place: String,
    },
    /// A variance beside a range.
    #[error(
        "{place} is bounded and has a variance: leave the variance out, since the data tell it, or the noise and the range"
    )]
    BoundedWithVariance {
        /// The objective.
        place: String,
    },
    /// A mean outside the range.
    #[error("the mean of {place} in objective \"{objective}\" is {value}, and its range goes from {} to {}: write a number within", .range.low, .range.high)]
    MeanBeyond {
        /// The arm.
        place: String,
        /// The objective.
        objective: String,
        /// What was written.
        value: f64,
        /// The objective's range.
        range: Range,
    },
    /// A mean that the noise cannot have.
    #[error("the mean of {place} in objective \"{objective}\" is {value}, and its noise is {}: write {}", .family.name(), .family.means())]
    MeanOutside {
        /// The arm.
        place: String,
        /// The objective.
        objective: String,
        /// What was written.
        value: f64,
        /// The objective's noise.
        family: Family,
    },
    /// `noise = "exact"` beside a positive variance.
    #[error("{place} is said to be exact and to have the variance {variance}: keep one of the two lines")]
    ExactWithVariance {
        /// The objective.
        place: String,
        /// What was written.
        variance: f64,
    },
    /// `noise = "exact"` beside a variance that is to be learned.
    #[error("{place} is said to be exact and to have a variance that all arms share: keep one of the two lines")]
    ExactAndCommon {
        /// The objective.
        place: String,
    },
    /// Something that we cannot measure.
    #[error("measure of {place} is \"{value}\": write one of {known}, or leave it out if the command prints the value")]
    UnknownMeasure {
        /// The objective.
        place: String,
        /// What was written.
        value: String,
        /// What can be measured.
        known: String,
    },
    /// A name of nothing but white space.
    #[error("{place} has an empty name: give it one")]
    EmptyName {
        /// The arm or objective by number.
        place: String,
    },
    /// A name that was used before.
    #[error("there is already {what} named \"{name}\" (line {first_line}): names must differ")]
    DuplicateName {
        /// "an arm" or "an objective".
        what: &'static str,
        /// The shared name.
        name: String,
        /// Where it was used first.
        first_line: usize,
    },
    /// A list that has not one entry per objective.
    #[error("{key} of {place} has {found}, but there {expected}: write one number for each objective ({objectives})")]
    WrongArity {
        /// The arm.
        place: String,
        /// "mean" or "variance".
        key: &'static str,
        /// How many entries there are, in words.
        found: String,
        /// How many objectives there are, in words.
        expected: String,
        /// The objectives' names.
        objectives: String,
    },
    /// No objective.
    #[error("there are no objectives: write at least one [[objective]] with its name, goal and variance")]
    NoObjectives,
    /// No arm.
    #[error("there are no arms: write at least one [[arm]] with its name and mean, or `arms = \"arms.csv\"`")]
    NoArms,
    /// A CSV file with a header only.
    #[error("there are no arms below the header: write one line for each arm")]
    NoArmRows,
    /// Arms in both places.
    #[error("there are [[arm]] entries and also `arms = \"{csv}\"`: keep one of the two")]
    ArmsTwice {
        /// The CSV file named.
        csv: String,
    },
    /// A command to run with no words.
    #[error("{key} of {place} is empty: write what to run, for example \"./measure.sh\"")]
    EmptyCommand {
        /// `command` or `prepare`.
        key: &'static str,
        /// The arm, or the study.
        place: String,
    },
    /// An objective whose name means something else in a CSV header.
    #[error(
        "the objective \"{name}\" has the name of a column of {csv} with another meaning: rename it, or write the arms as [[arm]] entries"
    )]
    ReservedName {
        /// The objective's name.
        name: String,
        /// The CSV file named.
        csv: String,
    },
    /// The header lacks a column.
    #[error("the header has no column \"{column}\" (it has {found}): add it, with columns separated by commas")]
    MissingColumn {
        /// What is missing.
        column: String,
        /// The columns there are.
        found: String,
    },
    /// The header has a column that means nothing.
    #[error("the header has the unknown column \"{column}\": {advice}")]
    UnknownColumn {
        /// What was written.
        column: String,
        /// The nearest known column, or all of them.
        advice: String,
    },
    /// The header names a column twice.
    #[error("the header has the column \"{column}\" twice: keep one")]
    DuplicateColumn {
        /// The column.
        column: String,
    },
    /// A row that is shorter or longer than the header.
    #[error("this row has {found}, but the header has {expected}: write one value for each column")]
    RaggedRow {
        /// How many values there are, in words.
        found: String,
        /// How many there should be, in words.
        expected: String,
    },
    /// A row that is longer than the header, perhaps for a comma in a value.
    #[error(
        "this row has {found}, but the header has {expected}: write one value for each column, in quotes if there is a comma in it, as in \"0,5\""
    )]
    LongRow {
        /// How many values there are, in words.
        found: String,
        /// How many there should be, in words.
        expected: String,
    },
    /// A column that was asked for on the command line.
    #[error("the header has no column \"{column}\": {advice}")]
    NoSuchColumn {
        /// What was asked for.
        column: String,
        /// The nearest column, or all of them.
        advice: String,
    },
    /// Two columns whose names are much like the one asked for.
    #[error(
        "the columns \"{first}\" and \"{second}\" are both much like \"{name}\": write the name of one as it is in the header"
    )]
    AlikeColumns {
        /// What was asked for.
        name: String,
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// Perhaps a table with a column for each arm.
    #[error(
        "the header has no column \"{column}\", and the rows are numbers only: if each column is an arm, turn the table so that a column names the arm and each row is one observation"
    )]
    ColumnsOfArms {
        /// What was asked for.
        column: String,
    },
    /// Rows of single values of which nobody knows what of.
    #[error("no column holds the names of the objectives ({objectives})")]
    NoMetricColumn {
        /// The objectives.
        objectives: String,
    },
    /// An objective of which there is no value.
    #[error("the column \"{column}\" never says \"{objective}\" in the first rows: {advice}")]
    NoSuchMetric {
        /// What was asked for.
        objective: String,
        /// Where it should be.
        column: String,
        /// What is there.
        advice: String,
    },
    /// Several columns hold the names of the objectives.
    #[error("several columns hold the names of the objectives ({columns})")]
    WhichMetricColumn {
        /// The columns that it may be.
        columns: String,
    },
    /// Rows of single values without a column of values.
    #[error("a row is one value, but which column it is in is not clear (with numbers: {columns})")]
    WhichValueColumn {
        /// The columns that it may be.
        columns: String,
    },
    /// Two values where there is one.
    #[error(
        "{objective} of arm \"{arm}\" has a second value where {column} is \"{run}\": keep one, or number the runs so that they differ"
    )]
    ValueTwice {
        /// The objective.
        objective: String,
        /// The arm.
        arm: String,
        /// The column that tells the runs apart.
        column: String,
        /// Its entry.
        run: String,
    },
    /// A mean without what belongs to it.
    #[error(
        "there are means of \"{objective}\", but no {what}: add a column for it, for example `{}_{}`, or give the single values",
        .objective,
        if *.what == "count" { "n" } else { "sd" }
    )]
    SummaryLacks {
        /// The objective.
        objective: String,
        /// What is missing.
        what: &'static str,
    },
    /// Two summaries of one arm.
    #[error(
        "there is already a mean of {objective} for arm \"{arm}\": keep one row for each arm; if rows are single observations, rename the columns that look like standard deviations and counts"
    )]
    SummaryTwice {
        /// The arm.
        arm: String,
        /// The objective.
        objective: String,
    },
    /// An arm without a summary in some objective.
    #[error("arm \"{arm}\" has no mean of {objective}: add a row for it")]
    SummaryMissing {
        /// The arm.
        arm: String,
        /// The objective.
        objective: String,
    },
    /// Summaries of different numbers of observations.
    #[error(
        "arm \"{arm}\" has {first} observations in one objective and {second} in another: an observation has a value in each, so write one count"
    )]
    CountsDiffer {
        /// The arm.
        arm: String,
        /// In one objective.
        first: u64,
        /// In another.
        second: u64,
    },
    /// A count that is none.
    #[error("{column} of arm \"{arm}\" is \"{text}\": write how many observations there were, a whole number from 1")]
    BadCount {
        /// The arm.
        arm: String,
        /// The column.
        column: String,
        /// What was written.
        text: String,
    },
    /// A standard deviation below zero.
    #[error("the spread of {objective} of arm \"{arm}\" is {value}: write 0 or more")]
    BadSpread {
        /// The arm.
        arm: String,
        /// The objective.
        objective: String,
        /// What was written.
        value: f64,
    },
    /// A standard deviation of zero.
    #[error(
        "the standard deviation of {objective} of arm \"{arm}\" is 0, which says nothing of the noise: write it with more digits, or say that {objective} is measured without noise"
    )]
    NoSpread {
        /// The arm.
        arm: String,
        /// The objective.
        objective: String,
    },
    /// A file of another kind.
    #[error("this is {what}: give a table as text (CSV, JSON lines), perhaps packed with gzip")]
    Foreign {
        /// What it is.
        what: &'static str,
    },
    /// JSON that is not made of objects.
    #[error(
        "this is not JSON that can be read here ({0}): write one object for each row, each on a line of its own or all in one array"
    )]
    JsonObjects(String),
    /// A Parquet file that is broken, or packed in a way that is not known.
    #[error("this Parquet file cannot be read ({0}): write it anew, or as CSV")]
    Parquet(String),
    /// A Parquet file, and nobody to read it.
    #[error(
        "this is a Parquet file, which this build does not read: build it with the feature `parquet`, or give a table as text (CSV, JSON lines)"
    )]
    ParquetLeftOut,
    /// Not a single complete row.
    #[error("there is no complete row: in each of {rows}, a value is missing")]
    NoCompleteRow {
        /// How many there are.
        rows: String,
    },
    /// A line that looks like a comment and like a row.
    #[error(
        "this line begins with # as comments do, but it looks like a row: put quotes around the arm if it is one, or take the line out"
    )]
    CommentOrRow,
    /// Decimal commas and decimal points.
    #[error(
        "some numbers have a decimal point ({point}), others a decimal comma ({comma}): write all of them in one way"
    )]
    BothDecimals {
        /// A number with a decimal point.
        point: String,
        /// A number with a decimal comma.
        comma: String,
    },
    /// A comma that may mean either.
    #[error("\"{text}\" may have a decimal comma, or a comma between thousands, and no other number tells which")]
    WhichDecimal {
        /// The number.
        text: String,
    },
    /// A number that is written in another way than those before it.
    #[error(
        "\"{text}\" is not written as the numbers before it are, with a decimal point or a decimal comma: write all of them in one way"
    )]
    OtherDecimal {
        /// The number.
        text: String,
    },
    /// A unit beside a number.
    #[error("{key} of {place} is \"{text}\": write the number alone, and the unit \"{unit}\" in the header")]
    UnitInCell {
        /// The arm.
        place: String,
        /// The column.
        key: String,
        /// What was written.
        text: String,
        /// What stands behind the number.
        unit: String,
    },
    /// Several columns may name the arms.
    #[error("several columns have text ({columns}), and any of them may name the arm")]
    WhichArmColumn {
        /// The columns that it may be.
        columns: String,
    },
    /// No column is likely to name the arms.
    #[error("no column is called \"arm\", and none of the others has text ({columns})")]
    NoArmColumn {
        /// The columns that it may be.
        columns: String,
    },
    /// Nothing but objectives.
    #[error("there is no column besides the objectives: add one that names the arm")]
    OnlyObjectives,
    /// Two observations differ where there should be no noise.
    #[error("{objective} of arm \"{arm}\" was {known} and is {value} here, which no exact objective does")]
    NotExact {
        /// The arm.
        arm: String,
        /// The objective.
        objective: String,
        /// What was observed before.
        known: f64,
        /// What is observed here.
        value: f64,
    },
    /// The arms' column is an objective as well.
    #[error("the column \"{column}\" cannot name the arm and be an objective")]
    ArmIsObjective {
        /// The column.
        column: String,
    },
    /// A row that does not say which arm was observed.
    #[error("the column \"{column}\" is empty: write the arm that was observed")]
    NoArm {
        /// The arms' column.
        column: String,
    },
    /// A header only.
    #[error("there are no samples below the header: write one row for each observation")]
    NoSamples,
    /// A quote that does not end.
    #[error("a quote is opened here and never closed: close it, or double it if it is meant as a quote")]
    OpenQuote,
    /// A row beyond all measure.
    #[error("the row that begins here is longer than 16 MB: look for a quote that is not closed, or give a CSV file")]
    EndlessRow,
    /// An observation that the library refuses.
    #[error(transparent)]
    Observation(#[from] ObservationError),
    /// Text in a number's place.
    #[error("{key} of {place} is \"{text}\": write a number")]
    NotANumber {
        /// The arm.
        place: String,
        /// The column.
        key: String,
        /// What was written.
        text: String,
    },
    /// A variance that only data can tell, where one is needed.
    #[error(
        "objective \"{objective}\" has no variance, which this command needs: write a guess, for example `variance = 0.5`, or `noise = \"exact\"` if it is measured without noise"
    )]
    VarianceNeeded {
        /// The objective.
        objective: String,
    },
    /// A word where a correlation should be.
    #[error(
        "the correlation is \"{value}\": write `correlation = \"estimate\"` for one that the data tell, or a list of rows, one for each objective, for example [[1, 0.5], [0.5, 1]]"
    )]
    UnknownCorrelation {
        /// What was written.
        value: String,
    },
    /// A correlation that only data can tell, where one is needed.
    #[error(
        "the correlation is to be estimated, but this command needs it: write a guess, a list of rows, one for each objective, for example [[1, 0.5], [0.5, 1]], or leave it out for none"
    )]
    CorrelationNeeded,
    /// Costs that only measuring can tell, where they are needed.
    #[error(
        "the costs are to be measured, but this command needs them: write a guess, `cost` for each arm, or leave them out"
    )]
    CostNeeded,
    /// Means that only data can tell, where they are needed.
    #[error(
        "arm \"{arm}\" has no mean, which this command needs: write a guess, one number for each objective ({objectives})"
    )]
    MeanNeeded {
        /// The arm.
        arm: String,
        /// The objectives' names.
        objectives: String,
    },
    /// An arm that nothing measures.
    #[error(
        "arm \"{arm}\" has neither a command nor a mean: write what measures it, for example `command = \"./measure.sh\"`, or the mean around which it is simulated"
    )]
    NoSource {
        /// The arm.
        arm: String,
    },
    /// An arm to be simulated without a variance.
    #[error(
        "arm \"{arm}\" has a mean and no command, so it is simulated, but its variance in \"{objective}\" is not known: write `variance = …` for the objective or the arm, or a command that measures it"
    )]
    VarianceToSimulate {
        /// The arm.
        arm: String,
        /// The objective.
        objective: String,
    },
    /// What the library refuses.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The first line of a weights file is neither a header nor a number.
    #[error(
        "\"{text}\" is neither a number nor the header `arm,weight`: write one weight per line, a CSV with the columns arm and weight, or a JSON list"
    )]
    NoWeightsFormat {
        /// The line.
        text: String,
    },
    /// A weight for an arm that is not in the study.
    #[error("the study has no arm \"{arm}\": {advice}")]
    UnknownArm {
        /// What was written.
        arm: String,
        /// The nearest arm.
        advice: String,
    },
    /// Results that say neither what was asked for nor what was measured.
    #[error(
        "the header has neither a column \"ticket\" nor a column \"arm\": add one, with columns separated by commas"
    )]
    NoKeyColumn,
    /// An objective whose name means something else in results.
    #[error(
        "the objective \"{column}\" has the name of a column with another meaning: tell its values one by one, or rename the objective in the study file"
    )]
    AmbiguousColumn {
        /// The name.
        column: String,
    },
    /// Neither a ticket nor an arm in a row.
    #[error("this row names neither a ticket nor an arm: fill in one of the two")]
    NoKey,
    /// A ticket that is no number.
    #[error("the ticket is \"{text}\": write its number")]
    NotATicket {
        /// What was written.
        text: String,
    },
    /// An arm without a weight.
    #[error("there is no weight for arm \"{arm}\": add a line for it (0 is allowed)")]
    WeightMissing {
        /// The arm.
        arm: String,
    },
    /// Two weights for one arm.
    #[error("there is already a weight for arm \"{arm}\" (line {first_line}): keep one of the two")]
    WeightTwice {
        /// The arm.
        arm: String,
        /// Where the first one is.
        first_line: usize,
    },
    /// A weight below zero.
    #[error("the weight of arm \"{arm}\" is {value}: write a finite number, 0 or more")]
    BadWeight {
        /// The arm.
        arm: String,
        /// What was written.
        value: f64,
    },
    /// Not one weight per arm.
    #[error("there {found}, but the study has {expected}: write one weight for each arm, in the study's order")]
    WeightCount {
        /// How many weights there are, in words.
        found: String,
        /// How many arms there are, in words.
        expected: String,
    },
}

impl Fault {
    /// Why the operating system did not let us read a file.
    pub fn unreadable(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Fault::NotFound,
            io::ErrorKind::IsADirectory => Fault::Directory,
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Fault::Damaged(error)
            }
            _ => Fault::Unreadable(error),
        }
    }
}
