//! Two arms that hold a study up, and what would settle them.

use serde::Serialize;
use surefront::{Study, Tie as Held};

use super::{ArmName, FORESEEABLE, more_samples};
use crate::words::number::short;
use crate::words::plain::plain;

/// Two arms that are so close that to tell them apart takes more than all that has been done.
#[derive(Clone, Debug, Serialize)]
pub struct Tie {
    /// The two: one of the front first.
    pub arms: [ArmName; 2],
    /// The objective that decides between them.
    pub objective: String,
    /// About how many more samples the study will take.
    pub samples_expected: f64,
    /// The margins that would settle the two now; none where margins do not apply.
    pub margins: Vec<MarginOf>,
    /// All this in a sentence or two.
    pub sentence: String,
}

/// A margin of an objective.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarginOf {
    /// The objective.
    pub objective: String,
    /// The margin, in its units.
    pub margin: f64,
}

impl Tie {
    /// What holds the study up, if anything does.
    pub fn of(study: &mut Study) -> Option<Self> {
        let Held { arms, objective, samples, margins, .. } = study.tie()?;
        let problem = study.problem();
        let name = |j: usize| problem.objectives()[j].name.clone();
        let margins: Vec<MarginOf> =
            margins.into_iter().map(|(j, margin)| MarginOf { objective: name(j), margin }).collect();
        let arms = arms.map(|arm| ArmName::of(problem, arm));
        let sentence = sentence(&arms, &name(objective), samples, &margins);
        Some(Tie { arms, objective: name(objective), samples_expected: samples, margins, sentence })
    }
}

fn sentence(arms: &[ArmName; 2], objective: &str, samples: f64, margins: &[MarginOf]) -> String {
    let [one, two] = arms.each_ref().map(|arm| plain(&arm.name).into_owned());
    let more = if samples > FORESEEABLE {
        "more than a billion more samples".to_owned()
    } else {
        format!("about {}", more_samples(samples))
    };
    let held = format!(
        "\"{one}\" and \"{two}\" hold it up: they are close in {}, and it takes {more} to tell them apart.",
        plain(objective)
    );
    let lines =
        margins.iter().map(|of| format!("`margin = {}` in objective \"{}\"", short(of.margin), plain(&of.objective)));
    match lines.collect::<Vec<_>>() {
        lines if lines.is_empty() => held,
        lines => {
            format!("{held} If such a difference does not matter, {} would settle the two now.", lines.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_who_and_what_to_write() {
        let arms = ["gzip", "zstd"].map(|name| ArmName { name: name.to_owned(), index: 0 });
        let margin = MarginOf { objective: "milliseconds".to_owned(), margin: 0.5 };
        assert_eq!(
            sentence(&arms, "milliseconds", 51_157.3, &[margin]),
            "\"gzip\" and \"zstd\" hold it up: they are close in milliseconds, and it takes about 51,158 more samples to tell them apart. \
             If such a difference does not matter, `margin = 0.5` in objective \"milliseconds\" would settle the two now."
        );
        let hopeless = sentence(&arms, "milliseconds", 1e12, &[]);
        assert!(hopeless.ends_with("it takes more than a billion more samples to tell them apart."), "{hopeless}");
    }
}
