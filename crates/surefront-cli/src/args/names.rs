//! What is chosen by name, with a word on each: the names are those of the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use surefront::{Calibration, HedgeStep, RuleKind, StoppingKind};
use surefront_study::file::samples::Decimal;
use surefront_study::report::Format;
use surefront_study::run::OnFailure;

/// Any rule.
pub fn rule() -> impl TypedValueParser<Value = RuleKind> {
    chosen(RuleKind::ALL.to_vec(), |rule| (rule.name(), about(rule)))
}

/// The rules that need nothing but measurements.
pub fn study_rule() -> impl TypedValueParser<Value = RuleKind> {
    let needs_more = |rule: &RuleKind| *rule == RuleKind::Fixed || rule.needs_budget();
    let rules = RuleKind::ALL.iter().copied().filter(|rule| !needs_more(rule));
    chosen(rules.collect(), |rule| (rule.name(), about(rule)))
}

fn about(rule: RuleKind) -> &'static str {
    match rule {
        RuleKind::Dual => "Follow the evidence",
        RuleKind::TrackAndStop => "Learn the optimal allocation by gradient ascent and track it, as published",
        RuleKind::Uniform => "All arms in turn",
        RuleKind::Fixed => "Follow a given allocation",
        RuleKind::Ape => "Adaptive Pareto exploration (Kone, Kaufmann and Richert 2023)",
        RuleKind::Weakest => "Serve the claim that is furthest from being proved: for a certified or a calibrated stop",
        RuleKind::Auer => "Successive elimination (Auer, Chiang, Ortner and Drugan 2016)",
        RuleKind::Psips => "Posterior sampling (Kone, Jourdan and Kaufmann 2025)",
        RuleKind::EgeSr => "For a budget: gap elimination, one arm at a time (Kone, Kaufmann and Richert 2024)",
        RuleKind::EgeSh => "For a budget: gap elimination, half the arms at a time (Kone, Kaufmann and Richert 2024)",
        RuleKind::Mocba => "Optimal computing budget allocation (Lee, Chew, Teng and Goldsman 2010)",
        RuleKind::ECape => "Adaptive Pareto exploration under limits (Kone, Kaufmann and Richert 2025)",
        RuleKind::TwoStage => "Who keeps the limits first, then the front of these",
        _ => "",
    }
}

/// The constant in a confidence bonus.
pub fn calibration() -> impl TypedValueParser<Value = Calibration> {
    chosen(vec![Calibration::Proved, Calibration::Approximate], |calibration| match calibration {
        Calibration::Proved => ("proved", "C^g, as in the papers"),
        Calibration::Approximate => ("approximate", "x + ln x, as in the authors' public code"),
    })
}

/// How a gradient changes the allocation of track-and-stop.
pub fn step() -> impl TypedValueParser<Value = HedgeStep> {
    chosen(vec![HedgeStep::Summed, HedgeStep::Multiplied], |step| match step {
        HedgeStep::Summed => ("summed", "exp(η_t Σ g): all gradients at the present rate"),
        HedgeStep::Multiplied => ("multiplied", "w·exp(η_t g_t): each at its own, as in the authors' public code"),
    })
}

/// When to stop.
pub fn threshold() -> impl TypedValueParser<Value = StoppingKind> {
    chosen(StoppingKind::ALL.to_vec(), |threshold| {
        let about = match threshold {
            StoppingKind::Stylized => {
                "ln(ln(1 + t) / δ), as published, to compare with: likely only, and by experience no further than three objectives, \
                 few near ties and Gaussian noise"
            }
            StoppingKind::Calibrated => {
                "The quick option, which counts objectives, near ties and looks: likely only, calibrated by simulation"
            }
            StoppingKind::Certified => "Every arm proved to be in or out (the default of every study)",
            _ => "",
        };
        (threshold.name(), about)
    })
}

/// What stands before decimals.
pub fn decimal() -> impl TypedValueParser<Value = Decimal> {
    chosen(vec![Decimal::Point, Decimal::Comma], |decimal| match decimal {
        Decimal::Point => ("point", "1.5; commas keep thousands apart"),
        Decimal::Comma => ("comma", "1,5; points keep thousands apart"),
    })
}

/// What a report is written as.
pub fn format() -> impl TypedValueParser<Value = Format> {
    chosen(vec![Format::Html, Format::Md, Format::Json, Format::Svg], |format| match format {
        Format::Html => ("html", "One page for a browser, with everything in it"),
        Format::Md => ("md", "Markdown: the text and the tables"),
        Format::Json => ("json", "JSON: everything, for programs"),
        Format::Svg => ("svg", "The front as a figure"),
    })
}

/// What to do when an arm cannot be measured.
pub fn on_failure() -> impl TypedValueParser<Value = OnFailure> {
    chosen(vec![OnFailure::Stop, OnFailure::Retry, OnFailure::Drop], |choice| match choice {
        OnFailure::Stop => ("stop", "Stop and say why; what was measured is kept"),
        OnFailure::Retry => ("retry", "Try again a few times, after a pause, then stop"),
        OnFailure::Drop => ("drop", "Leave the arm out; the answer is about the others"),
    })
}

/// One of these, each by its name and with a word about it.
fn chosen<T: Copy + Send + Sync + 'static>(
    choices: Vec<T>,
    describe: fn(T) -> (&'static str, &'static str),
) -> impl TypedValueParser<Value = T> {
    let values: Vec<PossibleValue> = (choices.iter())
        .map(|&choice| {
            let (name, about) = describe(choice);
            PossibleValue::new(name).help(about)
        })
        .collect();
    PossibleValuesParser::new(values).map(move |typed| {
        let known = choices.iter().find(|&&choice| describe(choice).0 == typed);
        *known.expect("clap takes only what is possible")
    })
}
