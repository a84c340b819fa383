//! How strong the answers of a stopping rule are, and what they take for granted.

use serde::{Deserialize, Serialize};

use super::caveat::Caveat;
use crate::correlation::Correlation;
use crate::family::Family;
use crate::margin::Margin;
use crate::problem::{Noise, Problem};

/// How strong an answer is.
///
/// ```
/// use surefront::{Promise, StoppingKind};
///
/// assert_eq!(StoppingKind::Certified.promise(), Promise::Proved);
/// assert_eq!(StoppingKind::Stylized.promise(), Promise::Likely);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Promise {
    /// The chance of a wrong answer is at most δ: there is a proof, under [`Assumption`]s that are stated. Only such an answer is sure.
    Proved,
    /// By experience the answer is seldom wrong, but nobody has proved how seldom.
    Likely,
}

impl Promise {
    /// As it is shown and stored.
    pub const fn name(self) -> &'static str {
        match self {
            Promise::Proved => "proved",
            Promise::Likely => "likely",
        }
    }

    /// What stands before a claim that is this strong: "dominated", "likely dominated".
    pub const fn hedge(self) -> &'static str {
        match self {
            Promise::Proved => "",
            Promise::Likely => "likely ",
        }
    }

    /// In words that leave no doubt.
    pub const fn words(self) -> &'static str {
        match self {
            Promise::Proved => "proved",
            Promise::Likely => "likely, not proved",
        }
    }
}

/// Something that an answer takes for granted. If it does not hold, nothing is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Assumption {
    /// Noise with a variance that was given is no wilder than Gaussian noise of that variance.
    GivenVariances,
    /// Noise with a variance that nobody gave is Gaussian.
    GaussianNoise,
    /// Values that repeat too often to be taken for Gaussian are never beyond those seen.
    RangesSeen,
    /// No value is beyond the range that was given.
    GivenRanges,
    /// Noise that was said to be of a family is of that family.
    Family(Family),
    /// The readings of a measurement are correlated as was given.
    GivenCorrelation,
    /// Where quantiles are compared, the values of an arm follow one law, and nothing is assumed of its form.
    AnyLaw,
    /// Where a margin is a part of the mean, means are positive.
    PositiveMeans,
    /// An objective that is called exact has no noise.
    ExactObjectives,
    /// A measurement tells nothing of the noise in the others.
    IndependentMeasurements,
    /// The laws that measurements follow stay the same.
    UnchangingArms,
}

impl Assumption {
    /// What an answer about this problem takes for granted, as far as the problem says.
    pub fn of(problem: &Problem) -> Vec<Assumption> {
        Assumption::under(problem, &[])
    }

    /// The same where the observations led to these caveats.
    pub fn under(problem: &Problem, caveats: &[Caveat]) -> Vec<Assumption> {
        let (arms, d) = (problem.arm_count(), problem.objective_count());
        // Where a quantile is compared, a variance that is given is none to rely on.
        let means = || (0..d).filter(|&j| problem.quantile(j).is_none());
        let any = |wanted: fn(Noise) -> bool| (0..arms).any(|arm| means().any(|j| wanted(problem.noise(arm, j))));
        let is_coarse = |j: usize| {
            caveats.iter().any(|caveat| matches!(caveat, Caveat::Coarse { objective, .. } if *objective == j))
        };
        let is_gaussian = |j: usize| !is_coarse(j) && (0..arms).any(|arm| problem.noise(arm, j).is_unknown());
        let is_relative = |margin: Margin| matches!(margin, Margin::Relative(part) if part > 0.0);
        let depending = [
            (Assumption::GivenVariances, any(|noise| matches!(noise, Noise::Variance(_)))),
            (Assumption::GaussianNoise, means().any(is_gaussian)),
            (Assumption::RangesSeen, means().any(is_coarse)),
            (Assumption::GivenRanges, problem.has_ranges()),
            (Assumption::Family(Family::Bernoulli), any(|noise| noise == Noise::Bernoulli)),
            (Assumption::Family(Family::Poisson), any(|noise| noise == Noise::Poisson)),
            (Assumption::Family(Family::Exponential), any(|noise| noise == Noise::Exponential)),
            (Assumption::GivenCorrelation, matches!(problem.correlation(), Some(Correlation::Given(_)))),
            (Assumption::AnyLaw, problem.has_quantiles()),
            (Assumption::PositiveMeans, problem.objectives().iter().any(|objective| is_relative(objective.margin))),
            (Assumption::ExactObjectives, any(|noise| noise == Noise::Exact)),
        ];
        let depending = depending.into_iter().filter(|(_, holds)| *holds).map(|(assumption, _)| assumption);
        depending.chain([Assumption::IndependentMeasurements, Assumption::UnchangingArms]).collect()
    }

    /// As part of a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Assumption::GivenVariances => "the noise is Gaussian or lighter, with the variances given",
            Assumption::GaussianNoise => "noise of unknown variance is Gaussian",
            Assumption::RangesSeen => "where values are few or rounded, none is ever beyond those seen",
            Assumption::GivenRanges => "no value is beyond the range given",
            Assumption::Family(Family::Bernoulli) => "what is called bernoulli is 0 or 1, with one rate for each arm",
            Assumption::Family(Family::Poisson) => {
                "what is called poisson counts events that do not depend on each other, with one rate for each arm"
            }
            Assumption::Family(Family::Exponential) => "what is called exponential is exponentially distributed",
            Assumption::Family(Family::Gaussian) => "the noise is Gaussian",
            Assumption::GivenCorrelation => "the readings of a measurement are correlated as given",
            Assumption::AnyLaw => "where quantiles are compared, the values of an arm follow one law, of whatever form",
            Assumption::PositiveMeans => "where a margin is in percent, means are positive",
            Assumption::ExactObjectives => "what is called exact has no noise",
            Assumption::IndependentMeasurements => "measurements do not depend on each other",
            Assumption::UnchangingArms => "no arm changes over time",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Arm, Goal, Objective};
    use crate::statistic::Statistic;

    #[test]
    fn what_is_taken_for_granted_depends_on_the_noise() {
        use Assumption::{
            AnyLaw, ExactObjectives, GaussianNoise, GivenVariances, IndependentMeasurements, UnchangingArms,
        };
        for (noise, expected) in [
            (vec![Noise::Variance(1.0)], vec![GivenVariances]),
            (vec![Noise::Unknown, Noise::Unknown], vec![GaussianNoise]),
            (
                vec![Noise::Bernoulli, Noise::Poisson],
                vec![Assumption::Family(Family::Bernoulli), Assumption::Family(Family::Poisson)],
            ),
            (
                vec![Noise::Exact, Noise::Unknown, Noise::Variance(2.0)],
                vec![GivenVariances, GaussianNoise, ExactObjectives],
            ),
        ] {
            let objectives = noise.into_iter().enumerate().map(|(j, noise)| {
                let name = format!("y{j}");
                Objective::new(name, Goal::Max, noise)
            });
            let problem = Problem::new(objectives.collect(), vec![Arm::named("a"), Arm::named("b")]).unwrap();
            let always = [IndependentMeasurements, UnchangingArms];
            assert_eq!(Assumption::of(&problem), [&expected[..], &always].concat());
        }
        let median = |noise| Objective::new("y", Goal::Max, noise).with_statistic(Statistic::MEDIAN);
        for noise in [Noise::Any, Noise::Unknown, Noise::Variance(1.0)] {
            let problem = Problem::new(vec![median(noise)], vec![Arm::named("a")]).unwrap();
            assert_eq!(Assumption::of(&problem), [AnyLaw, IndependentMeasurements, UnchangingArms]);
        }
    }

    #[test]
    fn what_is_too_coarse_is_not_taken_for_gaussian() {
        use Assumption::{GaussianNoise, IndependentMeasurements, RangesSeen, UnchangingArms};
        let objectives = ["x", "y"].map(|name| Objective::new(name, Goal::Max, Noise::Unknown));
        let problem = Problem::new(objectives.to_vec(), vec![Arm::named("a"), Arm::named("b")]).unwrap();
        let coarse = |objective, reach| Caveat::Coarse { objective, levels: Some(2), reach };
        for (caveats, expected) in [
            (vec![coarse(0, 1.0)], vec![GaussianNoise, RangesSeen]),
            (vec![coarse(0, 1.0), coarse(1, 2.0)], vec![RangesSeen]),
            // Where all are equal nothing is concluded, from their range or otherwise.
            (vec![Caveat::Equal { objective: 0, arms: vec![1], always: true }], vec![GaussianNoise]),
        ] {
            let always = [IndependentMeasurements, UnchangingArms];
            assert_eq!(Assumption::under(&problem, &caveats), [&expected[..], &always].concat());
        }
    }

    #[test]
    fn names_are_stored_as_they_are_shown() {
        for promise in [Promise::Proved, Promise::Likely] {
            assert_eq!(serde_json::to_string(&promise).unwrap(), format!("{:?}", promise.name()));
        }
    }
}
