//! What is known of one arm.

use serde::{Serialize, Serializer};
use surefront::{Certificate, Promise, Reading, Standing, Study, are_tied};

use super::arm_name::ArmName;
use super::reason;
use super::taking_part::taking_part;
use crate::words::number::with_error;

/// What is known of one arm.
#[derive(Clone, Debug, Serialize)]
pub struct ArmAnswer {
    /// Its name.
    pub name: String,
    /// Its place in the study, from 0.
    pub index: usize,
    /// Its observations.
    pub n: u64,
    /// What one of them costs; `None` where nothing is said of costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Their means, one for each objective, in the objectives' own units; `None` without observations.
    pub mean: Vec<Option<f64>>,
    /// The means' standard errors; `None` if there are too few observations.
    pub se: Vec<Option<f64>>,
    /// Where quantiles are compared: what is known of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quantiles: Vec<QuantileAnswer>,
    /// Whether the evidence suffices to say where it is.
    pub verdict: Verdict,
    /// How strong that verdict is; `None` if there is none yet.
    pub promise: Option<Promise>,
    /// Where the means put it, with or without a verdict; `None` until every arm has been measured.
    #[serde(serialize_with = "standing_name")]
    pub standing: Option<Standing>,
    /// For an arm that is out, the one that dominates it; for one that is in, the one that comes closest to that.
    pub rival: Option<ArmName>,
    /// The objectives that decide: for an arm that is out, where the dominance is least clear; for one that is in, where it is
    /// better than its rival.
    pub objectives: Vec<String>,
    /// The objective or constraint whose limit decides, where one does: for an arm that is out, the one that it breaks; for one that is in, the one that it comes closest to breaking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Arms that it is tied with: neither is better by more than the margins, as far as the means tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tied: Vec<ArmName>,
    /// All this in a sentence.
    pub reason: String,
    /// The evidence for its standing.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// Measurements of it that failed.
    pub failures: FailureCount,
}

/// What is known of a quantile of an arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantileAnswer {
    /// The objective's place, from 0.
    pub objective: usize,
    /// What it is only known to be more than, if it is no number: then there is no mean.
    pub more_than: Option<f64>,
    /// Two values that all quantiles of all arms lie between, at once, with probability 1 − δ at this moment; `None` for an end that there are too few observations for.
    pub interval: [Option<f64>; 2],
}

/// The measurements of an arm that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// How many.
    pub count: u64,
    /// What was said of the last one.
    pub last: Option<String>,
    /// When that was.
    pub at: Option<String>,
}

/// Where an arm is, as far as the evidence suffices to say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is on the front.
    In,
    /// It is not.
    Out,
    /// Nothing yet.
    Undecided,
}

impl Verdict {
    fn of(certificate: &Certificate) -> Self {
        match (certificate.certain, certificate.standing) {
            (true, Some(Standing::In)) => Verdict::In,
            (true, Some(Standing::Out)) => Verdict::Out,
            _ => Verdict::Undecided,
        }
    }

    /// As it is shown where the answer is this strong.
    pub fn words(self, promise: Promise) -> &'static str {
        match (self, promise) {
            (Verdict::In, Promise::Proved) => "in",
            (Verdict::Out, Promise::Proved) => "out",
            (Verdict::In, Promise::Likely) => "likely in",
            (Verdict::Out, Promise::Likely) => "likely out",
            (Verdict::Undecided, _) => "undecided",
        }
    }
}

impl ArmAnswer {
    pub(super) fn of(study: &Study, index: usize, certificate: &Certificate) -> Self {
        let (problem, tally) = (study.problem(), study.tally());
        let verdict = Verdict::of(certificate);
        let promise = (verdict != Verdict::Undecided).then(|| study.settings().stopping.promise());
        let n = tally.count(index);
        let d = problem.objective_count();
        let rival = certificate.rival.map(|rival| ArmName::of(problem, rival));
        let objectives =
            certificate.objectives.iter().map(|&j| problem.objectives()[j].name.clone()).collect::<Vec<_>>();
        let quantiles = quantiles(study, index);
        let known = |(j, mean): (usize, f64)| {
            let late = quantiles.iter().any(|quantile| quantile.objective == j && quantile.more_than.is_some());
            (!late).then_some(mean)
        };
        ArmAnswer {
            name: problem.arms()[index].name.clone(),
            index,
            n,
            cost: problem.has_costs().then(|| problem.cost(index)),
            mean: match n {
                0 => vec![None; d],
                _ => tally.means().in_units(problem, index).into_iter().enumerate().map(known).collect(),
            },
            quantiles,
            se: (0..d).map(|objective| study.standard_error(index, objective)).collect(),
            verdict,
            promise,
            standing: certificate.standing,
            reason: why(study, index, certificate),
            tied: tied_with(study, index),
            rival,
            objectives,
            limit: certificate.limit.map(|j| problem.objectives()[j].name.clone()),
            evidence: certificate.evidence,
            threshold: certificate.threshold,
            failures: FailureCount::default(),
        }
    }

    /// What is known of the mean of an objective, or of what is compared instead, with its error.
    pub fn cell(&self, objective: usize) -> String {
        let late = self.quantiles.iter().find(|quantile| quantile.objective == objective);
        match (self.mean[objective], late.and_then(|quantile| quantile.more_than)) {
            (Some(mean), _) => with_error(mean, self.se[objective]),
            (None, Some(limit)) => Reading::MoreThan(limit).to_string(),
            (None, None) => "–".to_owned(),
        }
    }

    /// Between which values an objective's quantile lies, where one is compared.
    pub fn interval(&self, objective: usize) -> Option<[Option<f64>; 2]> {
        self.quantiles.iter().find(|quantile| quantile.objective == objective).map(|quantile| quantile.interval)
    }
}

/// What is known of the quantiles of an arm that was measured.
fn quantiles(study: &Study, arm: usize) -> Vec<QuantileAnswer> {
    let problem = study.problem();
    let cells = problem.objective_count() * taking_part(study).count();
    let risk = study.settings().stopping.delta() / (2.0 * cells as f64);
    let known = |objective: usize| {
        let more_than = match study.sample_quantile(arm, objective)? {
            Reading::Value(_) => None,
            Reading::MoreThan(limit) => Some(limit),
        };
        Some(QuantileAnswer { objective, more_than, interval: study.quantile_interval(arm, objective, risk) })
    };
    (0..problem.objective_count()).filter_map(known).collect()
}

/// Where an arm is, as far as it is known, and why: without a full stop.
pub fn why(study: &Study, arm: usize, certificate: &Certificate) -> String {
    let problem = study.problem();
    let promise = certificate.certain.then(|| study.settings().stopping.promise());
    let rival = certificate.rival.map(|rival| ArmName::of(problem, rival));
    let objectives = certificate.objectives.iter().map(|&j| problem.objectives()[j].name.clone()).collect::<Vec<_>>();
    let tied = tied_with(study, arm);
    let tied = problem.has_margins().then_some(&tied);
    if let (Some(limit), Some(standing)) = (certificate.limit, certificate.standing) {
        let mean = study.tally().means().in_units(problem, arm)[limit];
        let shown = with_error(mean, study.standard_error(arm, limit));
        let kept = reason::Kept { objective: &problem.objectives()[limit], mean, shown };
        return reason::by_limit(standing, promise, &kept, arm_is_alone(study, arm));
    }
    reason::reason(study.tally().count(arm), certificate.standing, promise, rival.as_ref(), &objectives, tied)
}

/// Whether no other arm takes part.
fn arm_is_alone(study: &Study, arm: usize) -> bool {
    taking_part(study).all(|other| other == arm)
}

/// The arms that are within the margins of one, where there are margins.
fn tied_with(study: &Study, arm: usize) -> Vec<ArmName> {
    let (problem, tally) = (study.problem(), study.tally());
    if !problem.has_margins() || tally.count(arm) == 0 {
        return Vec::new();
    }
    let is_tied = |&other: &usize| other != arm && tally.count(other) > 0 && are_tied(tally.means(), arm, other);
    taking_part(study).filter(is_tied).map(|other| ArmName::of(problem, other)).collect()
}

fn standing_name<S: Serializer>(standing: &Option<Standing>, serializer: S) -> Result<S::Ok, S::Error> {
    let name = standing.map(|standing| match standing {
        Standing::In => "in",
        Standing::Out => "out",
        Standing::LeftOut => "left out",
    });
    name.serialize(serializer)
}
