//! What can be typed after `reproduce`.

mod samples;
mod timing;

use clap::Subcommand;

pub use self::samples::{
    CertificatesArgs, FieldArgs, GuaranteesArgs, MediansArgs, RandomSuiteArgs, SuiteArgs, TiesArgs, VaccineArgs,
    VariancesArgs,
};
pub use self::timing::{AnalyzeSpeedArgs, BoundTimeArgs, RoundsArgs, ScalingArgs, SpeedArgs, SpeedupArgs, StoreArgs};

/// A published experiment.
#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Time `analyze` on a file of ten million rows that it writes itself
    ///
    /// Random arms with standard normal means, unit noise, and every arm equally often, in a random order. The file goes to a
    /// temporary folder (TMPDIR) and is removed again.
    #[command(after_long_help = ANALYZE_EXAMPLES)]
    Analyze(AnalyzeSpeedArgs),
    /// Time `bound` on 500 to 10,000 random arms in 3 objectives
    ///
    /// Uniform in a cube, where few are on the front, alone and with costs of a measurement from 1 to 20, with margins, with limits, and with all of these; and on a sphere, where all are.
    #[command(after_long_help = BOUND_EXAMPLES)]
    Bound(BoundTimeArgs),
    /// Whether any certificate is ever wrong: success rates and counts, near ties included
    ///
    /// 2, 5 and 20 arms, 1 to 3 objectives, at δ = 0.1, 0.01 and 0.001, with the kind of noise said and with nothing said. Nothing is stopped: every arm's certificate is looked at again and again.
    #[command(after_long_help = CERTIFICATES_EXAMPLES)]
    Certificates(CertificatesArgs),
    /// What knowing the correlation between readings is worth, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, correlations from −.9 to .9; the instances are always the same, scaled to T* = 1000. A study that is given the
    /// correlation, one that estimates it and one that ignores it face the same random numbers, at δ = 0.1 with the stylized threshold.
    #[command(after_long_help = CORRELATION_EXAMPLES)]
    Correlation(RandomSuiteArgs),
    /// What heeding that measurements cost differently is worth, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, costs of a measurement from 1 to 20; the instances are always the same. A study that is told the costs and one that is not face the
    /// same random numbers, at δ = 0.1 with the stylized threshold; what they spend is compared with T*·β, the least cost.
    #[command(after_long_help = COSTS_EXAMPLES)]
    Costs(RandomSuiteArgs),
    /// Studies in which arms have to keep limits, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, one or two limits; the instances are always the same, scaled to T* = 1000. At δ = 0.1 with the stylized threshold, against deciding first who keeps the
    /// limits, and then who is on the front; and against the published rules, e-cape and two-stage, by their own stops (a tenth of the runs).
    #[command(after_long_help = CONSTRAINTS_EXAMPLES)]
    Constraints(RandomSuiteArgs),
    /// Every published method on one bench: samples to an answer, mistakes with a budget, time
    ///
    /// The vaccine instance and every fourth instance of the suite, at δ = 0.1: by the stylized threshold for all rules, by the stops that rules were
    /// published with, by a proof; the same where arms have to keep limits; and the chance of a wrong front with budgets. Published figures stand beside ours.
    #[command(after_long_help = FIELD_EXAMPLES)]
    Field(FieldArgs),
    /// Put the promise to the test: mistakes of every threshold under the conditions that people have
    ///
    /// Measurements side by side whose value is how long they take, coarse values, many objectives, many near ties, correlated objectives; and laws that
    /// nothing can promise the mean of. In each row mistakes, runs without a verdict, and runs in which the data show what is wrong.
    #[command(after_long_help = GUARANTEES_EXAMPLES)]
    Guarantees(GuaranteesArgs),
    /// Success rates alone, and mixed with counts, times and Gaussian values, on 24 random instances of each
    ///
    /// 3 to 10 arms, 2 and 3 objectives; the instances are always the same. For each, the mean stopping time τ is divided by T*·β(τ), at δ = 0.1 with the stylized threshold.
    #[command(after_long_help = KINDS_EXAMPLES)]
    Kinds(RandomSuiteArgs),
    /// Studies in which some differences do not matter, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, each with a margin; the instances are always the same, scaled to T* = 1000. At δ = 0.1 with the stylized threshold.
    #[command(after_long_help = MARGINS_EXAMPLES)]
    Margins(RandomSuiteArgs),
    /// What it takes to compare medians, beside means, on noise of five laws
    ///
    /// Gaussian, Student's t, lognormal, with stalls, and rounded; 2 to 20 arms, 1 to 3 objectives, certified at δ = 0.1.
    #[command(after_long_help = MEDIANS_EXAMPLES)]
    Medians(MediansArgs),
    /// Time a sample of whole studies, by what is measured and when they stop
    ///
    /// Gaussian values with variances that are known, unknown and common, success rates, medians; 20 and 1,000 random arms in 3 objectives.
    #[command(after_long_help = ROUNDS_EXAMPLES)]
    Rounds(RoundsArgs),
    /// Time the methods on points of a sphere, in 2 to 8 objectives
    ///
    /// p random points on the positive orthant of the unit sphere, plus the origin, with random weights. All methods
    /// answer the same questions in one run, and must agree.
    #[command(after_long_help = SCALING_EXAMPLES)]
    Scaling(ScalingArgs),
    /// Time the learning loop, on the vaccine instance and on 20 to 10,000 random arms
    ///
    /// Standard normal means, unit variances, 2, 3 and 5 objectives; the rule `dual`, oracle and stop test after every
    /// sample. The lazy and the eager oracle decide alike; their times are compared over the same rounds.
    #[command(after_long_help = SPEED_EXAMPLES)]
    Speed(SpeedArgs),
    /// Time the methods in 2 objectives, on up to 4096 arms of the front
    ///
    /// p random points that form a front in a 10×10 square, plus the origin, with random weights. All methods answer
    /// the same questions in one run, and must agree.
    #[command(after_long_help = SPEEDUP_EXAMPLES)]
    Speedup(SpeedupArgs),
    /// Time the store: observations that reach the disk one at a time, from a file, and from several processes
    #[command(after_long_help = STORE_EXAMPLES)]
    Store(StoreArgs),
    /// Run rules on the suite: 24 random instances with 5 to 40 arms and 2 to 4 objectives
    ///
    /// The instances are always the same: standard normal means, unit variances, T* below 5000. For each, the mean
    /// stopping time τ is divided by T*·β(τ), at δ = 0.1 with the stylized threshold.
    #[command(after_long_help = SUITE_EXAMPLES)]
    Suite(SuiteArgs),
    /// What is settled beside arms that nothing can tell apart, and when a margin ends it
    ///
    /// Six arms of which two are equal, and 20 random instances with ties, certified at δ = 0.05: how many arms are settled after 250 to 8,000 samples, by `weakest` and by measuring all in turn; and how many samples
    /// the six take until the end with a margin of 0.1.
    #[command(after_long_help = TIES_EXAMPLES)]
    Ties(TiesArgs),
    /// Run rules on the vaccine instance, beside the published runs
    ///
    /// 20 combinations of vaccines, three immune responses, δ = 0.1, the stylized threshold. track-and-stop is set as
    /// published (D-tracking, the gradient refreshed every 10 samples, the stop tested every 25); the other rules test
    /// the stop after each sample.
    #[command(after_long_help = VACCINE_EXAMPLES)]
    Vaccine(VaccineArgs),
    /// Compare known with unknown variances: samples and mistakes, under noise of several kinds
    ///
    /// 5, 20 and 50 arms, 2 and 3 objectives; noise that is Gaussian, has heavier tails, or differs by arm. A study that has to
    /// estimate the variances and one that is given them face the same random numbers, at δ = 0.1, with the rule `dual`
    /// (`weakest` for the certified threshold).
    #[command(after_long_help = VARIANCES_EXAMPLES)]
    Variances(VariancesArgs),
}

const STORE_EXAMPLES: &str = "\
Examples:
  surefront reproduce store
  surefront reproduce store --tells 100 --processes 4    a quick look
  surefront reproduce store --folder /mnt/share          how fast is that disk?";

const ANALYZE_EXAMPLES: &str = "\
Examples:
  surefront reproduce analyze
  surefront reproduce analyze --rows 1000000 --arms 1000    a quick look";

const BOUND_EXAMPLES: &str = "\
Examples:
  surefront reproduce bound
  surefront reproduce bound --max-arms 2000    a quick look
  surefront reproduce bound --json > bound.json";

const CERTIFICATES_EXAMPLES: &str = "\
Examples:
  surefront reproduce certificates
  surefront reproduce certificates --runs 10000 --only \"2 arms\"
  surefront reproduce certificates --only \"nothing said\" --json > certificates.json";

const CORRELATION_EXAMPLES: &str = "\
Examples:
  surefront reproduce correlation
  surefront reproduce correlation --runs 20    a quick look
  surefront reproduce correlation --json > correlation.json";

const CONSTRAINTS_EXAMPLES: &str = "\
Examples:
  surefront reproduce constraints
  surefront reproduce constraints --runs 20    a quick look
  surefront reproduce constraints --json > constraints.json";

const COSTS_EXAMPLES: &str = "\
Examples:
  surefront reproduce costs
  surefront reproduce costs --runs 20    a quick look
  surefront reproduce costs --threshold certified --json > costs.json";

const KINDS_EXAMPLES: &str = "\
Examples:
  surefront reproduce kinds
  surefront reproduce kinds --runs 20    a quick look
  surefront reproduce kinds --threshold certified --json > kinds.json";

const MEDIANS_EXAMPLES: &str = "\
Examples:
  surefront reproduce medians
  surefront reproduce medians --runs 5    a quick look
  surefront reproduce medians --runs 2000 --only gaussian
  surefront reproduce medians --json > medians.json";

const ROUNDS_EXAMPLES: &str = "\
Examples:
  surefront reproduce rounds
  surefront reproduce rounds --studies 1 --max-arms 20    a quick look
  surefront reproduce rounds --json > rounds.json";

const MARGINS_EXAMPLES: &str = "\
Examples:
  surefront reproduce margins
  surefront reproduce margins --runs 20    a quick look
  surefront reproduce margins --threshold certified --json > margins.json";

const GUARANTEES_EXAMPLES: &str = "\
Examples:
  surefront reproduce guarantees
  surefront reproduce guarantees --runs 40 --thresholds certified    a quick look
  surefront reproduce guarantees --runs 1000 --only durations        some conditions, more closely
  surefront reproduce guarantees --json > guarantees.json";

const SUITE_EXAMPLES: &str = "\
Examples:
  surefront reproduce suite
  surefront reproduce suite --runs 20 --rules dual,ape    a quick comparison
  surefront reproduce suite --json > suite.json";

const TIES_EXAMPLES: &str = "\
Examples:
  surefront reproduce ties
  surefront reproduce ties --runs 4    a quick look
  surefront reproduce ties --json > ties.json";

const FIELD_EXAMPLES: &str = "\
Examples:
  surefront reproduce field
  surefront reproduce field --runs 4    a quick look
  surefront reproduce field --json > field.json";

const VACCINE_EXAMPLES: &str = "\
Examples:
  surefront reproduce vaccine
  surefront reproduce vaccine --runs 100 --rules dual    a quick look
  surefront reproduce vaccine --rules dual,fixed,uniform --json > vaccine.json";

const VARIANCES_EXAMPLES: &str = "\
Examples:
  surefront reproduce variances
  surefront reproduce variances --runs 20    a quick look
  surefront reproduce variances --threshold certified --json > variances.json";

const SCALING_EXAMPLES: &str = "\
Examples:
  surefront reproduce scaling
  surefront reproduce scaling --repeats 3 --cells-seconds 0.1    a quick look
  surefront reproduce scaling --json > scaling.json";

const SPEED_EXAMPLES: &str = "\
Examples:
  surefront reproduce speed
  surefront reproduce speed --rounds 10000 --max-arms 1000    a quick look
  surefront reproduce speed --json > speed.json";

const SPEEDUP_EXAMPLES: &str = "\
Examples:
  surefront reproduce speedup
  surefront reproduce speedup --repeats 100 --seed 7";
