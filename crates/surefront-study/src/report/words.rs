//! The sentences that all formats share.

use surefront::{Assumption, Goal, Promise};

use super::data::{CorrelationKnowledge, LeftOut, NoiseKnowledge, ReportData};
use crate::answer::{ArmAnswer, ObjectiveName, Verdict, more_samples};
use crate::plot::CROWD;
use crate::words::number::{grouped, rough_duration, short, significant};
use crate::words::plain::plain;
use crate::words::plural::{counted, samples};

/// More names than this are not read in a sentence.
const MOST_NAMES: usize = 6;

/// What was to be found out.
pub fn question(data: &ReportData) -> String {
    let objectives = data
        .answer
        .objectives
        .iter()
        .map(|objective| format!("{} ({})", plain(&objective.title()), objective.wanted()));
    let arms = counted(data.answer.arms.len(), "arm", "arms");
    if let Some((only, goal)) = only(data) {
        return format!("Which of {arms} has the {} {}?", most(goal), plain(&only.title()));
    }
    let has_limits = data.answer.objectives.iter().any(|objective| !objective.limits().is_empty());
    let among = if has_limits { ", among those within all limits," } else { "" };
    format!(
        "Which of {arms}{among} {} Pareto-optimal, so that no other is at least as good in everything and better in something? What counts: {}.",
        is_are(data.answer.arms.len()),
        and(objectives.collect())
    )
}

/// The answer in a sentence.
pub fn answer(data: &ReportData) -> String {
    let answer = &data.answer;
    let front: Vec<String> = answer.front.iter().map(|arm| plain(&arm.name).into_owned()).collect();
    let missing = answer.unmeasured();
    if missing == answer.arms.len() {
        return "Nothing has been measured yet.".to_owned();
    }
    if missing > 0 {
        let (arms, all) = (counted(missing, "arm has", "arms have"), answer.arms.len());
        return format!("There is no answer yet: {arms} not been measured, of {all}.");
    }
    if front.is_empty() && answer.stopped {
        return format!("No arm {}keeps all limits.", answer.promise.hedge());
    }
    let others = answer.arms.len() - front.len();
    let has_limits = answer.objectives.iter().any(|objective| !objective.limits().is_empty());
    let dominated = if has_limits { "dominated or beyond a limit" } else { "dominated" };
    let likely = answer.promise.hedge();
    let rest = match others {
        0 => String::new(),
        1 => format!("; the other arm is {likely}{dominated}"),
        others => format!("; the {} other arms are {likely}{dominated}", grouped(others as u64)),
    };
    let one = front.len() == 1;
    let names = if front.is_empty() {
        "no arm".to_owned()
    } else if front_is_listed(data) {
        and(front)
    } else {
        format!("{} of {} arms", grouped(front.len() as u64), grouped(answer.arms.len() as u64))
    };
    if let Some((only, goal)) = only(data).filter(|_| answer.stopped) {
        let have = if one { "has" } else { "have" };
        return format!("{names} {likely}{have} the {} {}.", most(goal), only.name);
    }
    if answer.stopped {
        return format!("{names} {} {likely}Pareto-optimal{rest}.", if one { "is" } else { "are" });
    }
    let known = match answer.promise {
        Promise::Proved => "proved",
        Promise::Likely => "decided",
    };
    format!("It is not {known} yet. So far {names} {} on the front.", if one { "is" } else { "are" })
}

/// The objective, where there is only one, without limits.
fn only(data: &ReportData) -> Option<(&ObjectiveName, Goal)> {
    match &data.answer.objectives[..] {
        [only] if only.limits().is_empty() => only.goal.map(|goal| (only, goal)),
        _ => None,
    }
}

/// Whether the answer's sentence names the arms of the front.
pub fn front_is_listed(data: &ReportData) -> bool {
    data.answer.front.len() <= MOST_NAMES
}

/// How sure that is, and what is missing, in a sentence.
pub fn sureness(data: &ReportData) -> String {
    let answer = &data.answer;
    if answer.stopped {
        let accepted = format!("at an accepted chance of error of {}", percent(answer.delta));
        return match answer.promise {
            Promise::Proved => format!("Proved, {accepted}."),
            Promise::Likely => format!("Likely, not proved, {accepted}."),
        };
    }
    let (decided, all) = (data.count(Verdict::In) + data.count(Verdict::Out), answer.arms.len());
    let settled = format!("{}settled", answer.promise.hedge());
    let mut text = match decided {
        0 => format!("No arm is {settled} so far."),
        1 => format!("One of {all} arms is {settled} already."),
        _ => format!("{} of {all} arms are {settled} already.", grouped(decided as u64)),
    };
    if answer.unmeasured() == 0 {
        text += &match answer.samples_expected {
            Some(more) => format!(" About {} will be needed.", more_samples(more)),
            None => " How many more samples will be needed cannot be said yet.".to_owned(),
        };
    }
    text
}

/// The numbers of arms by verdict, and of samples.
pub fn summary(data: &ReportData) -> String {
    let counts = [Verdict::In, Verdict::Out, Verdict::Undecided]
        .map(|verdict| format!("{} {}", grouped(data.count(verdict) as u64), verdict.words(data.answer.promise)));
    format!(
        "{}; {}; accepted chance of error {}",
        counts.join(", "),
        samples(data.answer.samples),
        percent(data.answer.delta)
    )
}

fn most(goal: Goal) -> &'static str {
    match goal {
        Goal::Max => "highest",
        Goal::Min => "lowest",
    }
}

/// How to read the figures.
pub fn regions(data: &ReportData) -> String {
    let confidence = percent(1.0 - data.answer.delta);
    let shape = if data.answer.objectives.len() == 1 { "bars" } else { "shaded regions" };
    let mut text = format!(
        "The {shape} hold all true means at once with about {confidence} confidence at this moment; the verdicts rest on the \
         evidence, not on these."
    );
    if data.answer.arms.len() > CROWD {
        text += " They are left out where they would hide each other.";
    }
    text
}

/// What must hold for the answer to mean what it says: the assumptions of the answer, by objective and in more words.
pub fn assumptions(data: &ReportData) -> Vec<String> {
    let mut list = vec![
        "Measuring an arm again gives a new, independent value around the same mean: nothing warms up, wears out or drifts, \
         and one measurement does not affect the next."
            .to_owned(),
    ];
    let of = |wanted: fn(&NoiseKnowledge) -> bool| {
        let objectives = data.answer.objectives.iter().zip(&data.noise).filter(|(_, noise)| wanted(noise));
        objectives.map(|(objective, _)| plain(&objective.name).into_owned()).collect::<Vec<_>>()
    };
    let known = of(|noise| matches!(noise, NoiseKnowledge::Variance(_) | NoiseKnowledge::Variances));
    if !known.is_empty() {
        list.push(format!(
            "The noise of {} follows a bell curve (Gaussian) or strays less, and is no larger than the study file says.",
            and(known)
        ));
    }
    let estimated = of(|noise| *noise == NoiseKnowledge::Estimated);
    let assumes = |assumption: Assumption| data.answer.assumptions.contains(&assumption.words());
    if !estimated.is_empty() && assumes(Assumption::RangesSeen) {
        let but =
            if assumes(Assumption::GaussianNoise) { " Otherwise it follows a bell curve (Gaussian)." } else { "" };
        list.push(format!(
            "Where the values of {} are few or rounded, none is ever beyond those seen.{but}",
            and(estimated)
        ));
    } else if !estimated.is_empty() {
        list.push(format!(
            "The noise of {} follows a bell curve (Gaussian); how large it is, the measurements themselves tell.",
            and(estimated)
        ));
    }
    match &data.correlation {
        Some(CorrelationKnowledge::Given(_)) => {
            list.push("The noise in one objective goes with that in another as the study file says.".to_owned());
        }
        Some(CorrelationKnowledge::Estimated(matrix)) if data.answer.promise == Promise::Likely => {
            let name = |j: usize| plain(&data.answer.objectives[j].name);
            let pairs = (0..matrix.len()).flat_map(|i| (i + 1..matrix.len()).map(move |j| (i, j)));
            let found = pairs.map(|(i, j)| format!("{} for {} and {}", significant(matrix[i][j], 2), name(i), name(j)));
            list.push(format!(
                "The noise in one objective goes with that in another in the same way for all arms; how, the measurements tell \
                 (correlations: {}).",
                found.collect::<Vec<_>>().join(", ")
            ));
        }
        Some(CorrelationKnowledge::Estimated(_)) => {}
        None if data.answer.promise == Promise::Likely && data.answer.objectives.len() > 1 => {
            list.push("The noise in one objective says nothing about that in another.".to_owned());
        }
        None => {}
    }
    for (objective, noise) in data.answer.objectives.iter().zip(&data.noise) {
        if let NoiseKnowledge::Kind(kind) = noise {
            list.push(format!("The noise of {} is {kind}, with one rate for each arm.", plain(&objective.name)));
        }
        if let NoiseKnowledge::Within(low, high) = noise {
            let (name, low, high) = (plain(&objective.name), short(*low), short(*high));
            list.push(format!("No value of {name} is below {low} or above {high}."));
        }
    }
    let any = of(|noise| *noise == NoiseKnowledge::Any);
    if !any.is_empty() {
        list.push(format!("The values of {} follow one law for each arm; nothing is assumed of its form.", and(any)));
    }
    let exact = of(|noise| *noise == NoiseKnowledge::Exact);
    if !exact.is_empty() {
        list.push(format!("One measurement gives the exact value of {}.", and(exact)));
    }
    list
}

/// What is not shown, in a sentence; empty if everything is. `how` it would be shown: "listed", "drawn".
pub fn left_out(left_out: LeftOut, how: &str) -> String {
    let LeftOut { in_front, undecided, out } = left_out;
    let counts = [(in_front, "on the front"), (undecided, "undecided"), (out, "out")];
    let counts: Vec<String> = (counts.into_iter())
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} that {} {name}", counted(count, "arm", "arms"), is_are(count)))
        .collect();
    match left_out.total() {
        0 => String::new(),
        total => format!("{} {} not {how}; the report as JSON has all.", and(counts), is_are(total)),
    }
}

fn is_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// How the noise of an objective is known.
pub fn noise(noise: NoiseKnowledge) -> String {
    match noise {
        NoiseKnowledge::Variance(variance) => format!("variance {}", short(variance)),
        NoiseKnowledge::Variances => "known variances, by arm".to_owned(),
        NoiseKnowledge::Estimated => "estimated from the data".to_owned(),
        NoiseKnowledge::Kind(kind) => kind.to_owned(),
        NoiseKnowledge::Within(low, high) => format!("from {} to {}", short(low), short(high)),
        NoiseKnowledge::Any => "of any kind".to_owned(),
        NoiseKnowledge::Exact => "none: exact".to_owned(),
    }
}

/// What the line of the evidence shows.
pub fn evidence_meaning(data: &ReportData) -> String {
    let scale = "The numbers are natural logarithms: each 2.3 more means that what was measured is ten times harder to explain otherwise.";
    let line = match data.answer.threshold_name {
        "certified" => {
            "The evidence for the verdict that is furthest from proved, and what that verdict needs; both jump when another \
             verdict becomes the furthest. Once they meet, every verdict is proved."
        }
        _ => {
            "How hard it would be to explain the measurements by any other front. Once the line reaches the dashed one, the \
             front is likely, which is not proved."
        }
    };
    format!("{line} {scale}")
}

/// How much of the evidence is there that an answer of this strength needs.
pub fn share_of_evidence(evidence: f64, threshold: f64, promise: Promise) -> String {
    let needed = match promise {
        Promise::Proved => "a proof needs",
        Promise::Likely => "a likely answer needs",
    };
    match evidence / threshold {
        _ if evidence == f64::INFINITY => "nothing can change it".to_owned(),
        share if share >= 1.0 => format!("all that {needed}"),
        share if share >= 0.01 => format!("{} % of what {needed}", (100.0 * share).floor()),
        share if share > 0.0 => format!("less than 1 % of what {needed}"),
        _ => "none yet".to_owned(),
    }
}

/// The evidence for the whole front, in words. A proof begins late: before, only the part of the way tells.
pub fn evidence_of_all(data: &ReportData) -> String {
    let answer = &data.answer;
    let share = share_of_evidence(answer.evidence, answer.threshold, answer.promise);
    match (100.0 * answer.fraction).round() {
        percent if !answer.stopped && answer.evidence < 0.01 * answer.threshold && percent >= 1.0 => {
            format!("{share}, but about {percent} % of the samples that it takes are there")
        }
        _ => share,
    }
}

/// The evidence for an arm's verdict, in words.
pub fn evidence(arm: &ArmAnswer, promise: Promise) -> String {
    match arm.standing {
        None => "–".to_owned(),
        Some(_) => share_of_evidence(arm.evidence, arm.threshold, promise),
    }
}

/// The same in numbers.
pub fn evidence_numbers(arm: &ArmAnswer) -> String {
    let number = |value: f64| if value.is_finite() { significant(value, 3) } else { "∞".to_owned() };
    format!("{} of {}", number(arm.evidence), number(arm.threshold))
}

/// With which commands, when, and where, a line each; none where no command measured.
pub fn measuring(data: &ReportData) -> Vec<String> {
    const MOST_COMMANDS: usize = 60;
    let Some(measuring) = &data.measuring else { return Vec::new() };
    let mut lines = vec![format!(
        "From {} to {} ({}), {} side by side at most.",
        measuring.first_at,
        measuring.last_at,
        rough_duration(1e6 * measuring.seconds).trim_start_matches("≈ "),
        counted(measuring.jobs as usize, "command", "commands")
    )];
    lines.push(format!("This report was written on {}.", measuring.machine));
    let commands = measuring.commands.iter().take(MOST_COMMANDS);
    lines.extend(
        commands
            .map(|command| format!("{}: {} ({})", plain(&command.arm), plain(&command.command), samples(command.n))),
    );
    if let Some(more) = measuring.commands.len().checked_sub(MOST_COMMANDS).filter(|more| *more > 0) {
        lines.push(format!("And {}.", counted(more, "other command", "other commands")));
    }
    lines
}

/// The settings, as pairs of a name and a value.
pub fn settings(data: &ReportData) -> Vec<(&'static str, String)> {
    let answer = &data.answer;
    vec![
        ("accepted chance of error δ", short(answer.delta)),
        ("when it is enough", format!("{} ({})", enough(answer.threshold_name), answer.threshold_name)),
        ("what is measured next", answer.rule.to_owned()),
        ("samples", grouped(answer.samples)),
        ("seed", data.seed.to_string()),
        ("version", format!("surefront {}", data.version)),
    ]
}

/// When a threshold says that it is enough, for somebody who does not know its name.
fn enough(threshold: &str) -> &'static str {
    match threshold {
        "certified" => "once every verdict is proved",
        "calibrated" => "once it is likely, by a rule that was calibrated on simulations; not proved",
        "stylized" => "once it is likely, by a rule of thumb from the literature; not proved",
        _ => "by a rule of the user's own",
    }
}

/// A share in per cent.
fn percent(share: f64) -> String {
    format!("{} %", significant(100.0 * share, 6))
}

/// "a", "a and b", "a, b and c".
pub fn and(mut names: Vec<String>) -> String {
    match names.pop() {
        None => String::new(),
        Some(only) if names.is_empty() => only,
        Some(last) => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_well() {
        let list = |count: usize| and((1..=count).map(|i| i.to_string()).collect());
        assert_eq!([list(0), list(1), list(2), list(3)], ["", "1", "1 and 2", "1, 2 and 3"]);
    }

    #[test]
    fn shares_are_short() {
        assert_eq!(percent(0.1), "10 %");
        assert_eq!(percent(1.0 - 0.05), "95 %");
        assert_eq!(percent(1e-10), "1e-8 %");
    }
}
