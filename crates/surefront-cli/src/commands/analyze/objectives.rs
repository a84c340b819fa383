//! The objectives that the options of `analyze` name.

use std::collections::HashSet;

use surefront::{Goal, Margin, Noise, Objective, Statistic};

use crate::args::{AnalyzeArgs, ObjectivesError};
use surefront_study::words::suggestion::advice;

/// The objectives: those of `--max`, then those of `--min`, as they were typed.
pub fn objectives(args: &AnalyzeArgs) -> Result<Vec<Objective>, ObjectivesError> {
    let variances: Vec<String> = args.variance.iter().map(|known| known.objective.clone()).collect();
    let statistics: Vec<String> = args.statistic.iter().map(|known| known.objective.clone()).collect();
    let units: Vec<String> = args.unit.iter().map(|known| known.objective.clone()).collect();
    let margins: Vec<String> = args.margin.iter().map(|known| known.objective.clone()).collect();
    let options = [
        ("--max", &args.max),
        ("--min", &args.min),
        ("--exact", &args.exact),
        ("--variance", &variances),
        ("--statistic", &statistics),
        ("--unit", &units),
        ("--margin", &margins),
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
    let is_quantile =
        |name: &&String| args.statistic.iter().any(|known| known.objective == **name && !known.statistic.is_mean());
    if let Some(name) = args.exact.iter().find(is_quantile) {
        return Err(ObjectivesError::ExactWithStatistic(name.clone()));
    }
    let known = args.max.iter().chain(&args.min).map(String::as_str);
    for (option, names) in &options[2..] {
        if let Some(name) = names.iter().find(|name| !known.clone().any(|known| known == *name)) {
            let (name, advice) = (name.clone(), advice(name, known));
            return Err(ObjectivesError::NotAnObjective { option, name, advice });
        }
    }
    let noise = |name: &String| {
        let variance = args.variance.iter().find(|known| known.objective == *name);
        match variance {
            Some(known) => Noise::Variance(known.variance),
            None if args.exact.contains(name) => Noise::Exact,
            None => Noise::Unknown,
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
    Ok(goals.map(objective).collect())
}
