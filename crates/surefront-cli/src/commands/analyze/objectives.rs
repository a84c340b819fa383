//! The objectives that the options of `analyze` name.

use std::collections::HashSet;

use surefront::{Goal, Limits, Margin, Noise, Objective, Role, Statistic};

use crate::args::{AnalyzeArgs, KnownLimit, KnownRange, ObjectivesError};
use surefront_study::words::suggestion::advice;

/// The objectives: those of `--max`, then those of `--min`, then the constraints, as they were typed; and the places of those of whose noise nothing was said.
pub fn objectives(args: &AnalyzeArgs) -> Result<(Vec<Objective>, Vec<usize>), ObjectivesError> {
    let variances: Vec<String> = args.variance.iter().map(|known| known.objective.clone()).collect();
    let statistics: Vec<String> = args.statistic.iter().map(|known| known.objective.clone()).collect();
    let kinds: Vec<String> = args.noise.iter().map(|known| known.objective.clone()).collect();
    let ranges: Vec<String> = args.range.iter().map(|known| known.objective.clone()).collect();
    let units: Vec<String> = args.unit.iter().map(|known| known.objective.clone()).collect();
    let margins: Vec<String> = args.margin.iter().map(|known| known.objective.clone()).collect();
    let least: Vec<String> = args.at_least.iter().map(|known| known.objective.clone()).collect();
    let most: Vec<String> = args.at_most.iter().map(|known| known.objective.clone()).collect();
    let options = [
        ("--max", &args.max),
        ("--min", &args.min),
        ("--constraint", &args.constraint),
        ("--exact", &args.exact),
        ("--variance", &variances),
        ("--statistic", &statistics),
        ("--noise", &kinds),
        ("--range", &ranges),
        ("--unit", &units),
        ("--margin", &margins),
        ("--at-least", &least),
        ("--at-most", &most),
    ];
    for (option, names) in options {
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(ObjectivesError::Twice { option, name: name.clone() });
        }
    }
    if let Some(name) = args.max.iter().find(|name| args.min.contains(name)) {
        return Err(ObjectivesError::BothGoals(name.clone()));
    }
    if let Some(name) = args.exact.iter().find(|name| variances.contains(name)) {
        return Err(ObjectivesError::ExactWithVariance(name.clone()));
    }
    // What is said of the noise is said once, but that a variance may be that of Gaussian noise.
    let gaussian =
        |name: &String| args.noise.iter().any(|known| known.objective == *name && known.noise == Noise::Unknown);
    let said = [("--exact", &args.exact), ("--variance", &variances), ("--range", &ranges)];
    for (i, (one, names)) in said.into_iter().enumerate() {
        if let Some(name) = names.iter().find(|name| kinds.contains(name) && !(one == "--variance" && gaussian(name))) {
            return Err(ObjectivesError::NoiseTwice { name: name.clone(), one, other: "--noise" });
        }
        for (other, others) in &said[i + 1..] {
            if let Some(name) = names.iter().find(|name| others.contains(name)) {
                return Err(ObjectivesError::NoiseTwice { name: name.clone(), one, other });
            }
        }
    }
    let of_law = |name: &&String| {
        let law = args.noise.iter().any(|known| known.objective == **name && known.noise != Noise::Unknown);
        law || ranges.contains(name)
    };
    let is_quantile =
        |name: &&String| args.statistic.iter().any(|known| known.objective == **name && !known.statistic.is_mean());
    if let Some(name) = args.exact.iter().find(is_quantile) {
        return Err(ObjectivesError::ExactWithStatistic(name.clone()));
    }
    if let Some(name) = statistics.iter().filter(|name| is_quantile(name)).find(of_law) {
        return Err(ObjectivesError::LawWithStatistic(name.clone()));
    }
    if let Some(name) = args.constraint.iter().find(|name| args.max.contains(name) || args.min.contains(name)) {
        return Err(ObjectivesError::ConstraintAndGoal(name.clone()));
    }
    let known = args.max.iter().chain(&args.min).chain(&args.constraint).map(String::as_str);
    for (option, names) in &options[3..] {
        if let Some(name) = names.iter().find(|name| !known.clone().any(|known| known == *name)) {
            let (name, advice) = (name.clone(), advice(name, known));
            return Err(ObjectivesError::NotAnObjective { option, name, advice });
        }
    }
    let noise = |name: &String| {
        let variance = args.variance.iter().find(|known| known.objective == *name);
        let kind = args.noise.iter().find(|known| known.objective == *name).map(|known| known.noise);
        let range = args.range.iter().find(|known| known.objective == *name);
        match (variance, range) {
            (Some(known), _) => Noise::Variance(known.variance),
            (None, Some(KnownRange { low, high, .. })) => Noise::Bounded { low: *low, high: *high },
            _ if args.exact.contains(name) => Noise::Exact,
            _ => kind.unwrap_or(Noise::Unknown),
        }
    };
    let goals = args.max.iter().map(|name| (name, Goal::Max)).chain(args.min.iter().map(|name| (name, Goal::Min)));
    let statistic = |name: &String| {
        let known = args.statistic.iter().find(|known| known.objective == *name);
        known.map_or(Statistic::Mean, |known| known.statistic)
    };
    let margin = |name: &String| {
        let known = args.margin.iter().find(|known| known.objective == *name);
        known.map_or(Margin::NONE, |known| known.margin)
    };
    let objective = |(name, goal): (&String, Goal)| {
        Objective::new(name.clone(), goal, noise(name)).with_statistic(statistic(name)).with_margin(margin(name))
    };
    let limit =
        |all: &[KnownLimit], name: &String| all.iter().find(|known| known.objective == *name).map(|known| known.value);
    let limits = |name: &String| Limits { at_least: limit(&args.at_least, name), at_most: limit(&args.at_most, name) };
    let constraints = args.constraint.iter().map(|name| objective((name, Goal::Min)));
    let mut objectives: Vec<Objective> = goals.map(objective).chain(constraints).collect();
    for objective in &mut objectives {
        objective.limits = limits(&objective.name);
        if args.constraint.contains(&objective.name) {
            objective.role = Role::Limited;
        }
    }
    let is_open = |objective: &Objective| options[3..].iter().all(|(_, names)| !names.contains(&objective.name));
    let open = objectives.iter().enumerate().filter(|(_, objective)| is_open(objective)).map(|(place, _)| place);
    let open = open.collect();
    Ok((objectives, open))
}
