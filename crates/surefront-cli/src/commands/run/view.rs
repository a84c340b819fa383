//! What people see of a study while it is being measured: a few lines, each as wide as the terminal.

use surefront::{Assessment, Standing, Study};
use surefront_study::answer::why;
use surefront_study::words::number::{grouped, rough_duration, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::samples;
use surefront_study::words::room::cut;
use surefront_study::words::suggestion::listed;

/// The words at the left of each line.
const MARGIN: usize = 11;

/// How fast it goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Observations of this run in a second.
    pub per_second: f64,
    /// How many more it will take, if that can be said.
    pub more: Option<f64>,
}

/// The lines below the bar.
#[derive(Clone, Debug)]
pub struct View {
    /// The front so far.
    pub front: String,
    /// What is being measured, and why.
    pub measuring: String,
    /// What is settled, and what is not.
    pub settled: String,
    /// How many samples there are, how fast they come, how many more are expected and how long that takes.
    pub samples: String,
    /// What stands in the way, with what to do about it, if something does.
    pub obstacle: Option<String>,
}

impl View {
    /// Of a study, while the arm `measured` is being measured.
    pub fn of(study: &mut Study, measured: Option<usize>, pace: Pace, obstacle: Option<&str>) -> Self {
        let assessment = study.assessment();
        let study = &*study;
        View {
            front: front(study, &assessment),
            measuring: measured.map_or_else(String::new, |arm| {
                let name = plain(&study.problem().arms()[arm].name).into_owned();
                format!("\"{name}\": {}", why(study, arm, &assessment.arms[arm]))
            }),
            settled: settled(study, &assessment),
            samples: sampled(study.tally().total(), pace),
            obstacle: obstacle.map(str::to_owned),
        }
    }

    /// The text, no line wider than this.
    pub fn text(&self, columns: usize) -> String {
        let lines = [
            ("front", Some(&self.front)),
            ("measuring", Some(&self.measuring)),
            ("settled", Some(&self.settled)),
            ("samples", Some(&self.samples)),
            ("to do", self.obstacle.as_ref()),
        ];
        let lines = lines.into_iter().filter_map(|(title, text)| Some((title, text.filter(|text| !text.is_empty())?)));
        let set = |(title, text): (&str, &String)| {
            format!("{title:MARGIN$}{}", cut(text, columns.saturating_sub(MARGIN).max(1)))
        };
        lines.map(set).collect::<Vec<_>>().join("\n")
    }
}

/// The arms that are on the front so far; a mark behind those of which it is settled.
fn front(study: &Study, assessment: &Assessment) -> String {
    let verdict = study.verdict();
    if !verdict.progress.threshold.is_finite() {
        return "not known before every arm is measured".to_owned();
    }
    let name = |&arm: &usize| {
        let mark = if assessment.arms[arm].certain { " ✓" } else { "" };
        format!("\"{}\"{mark}", plain(&study.problem().arms()[arm].name))
    };
    if verdict.front.is_empty() {
        return "no arm keeps the limits".to_owned();
    }
    verdict.front.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// How many arms are settled, and which are not.
fn settled(study: &Study, assessment: &Assessment) -> String {
    let left_out = study.left_out();
    let arms = || assessment.arms.iter().enumerate().filter(|(arm, _)| left_out.binary_search(arm).is_err());
    let count = |standing| arms().filter(|(_, known)| known.certain && known.standing == Some(standing)).count();
    let (inside, outside, all) = (count(Standing::In), count(Standing::Out), arms().count());
    let mut text = format!("{} of {all} arms ({inside} in, {outside} out)", inside + outside);
    let open = arms().filter(|(_, known)| !known.certain);
    let open: Vec<&str> = open.map(|(arm, _)| study.problem().arms()[arm].name.as_str()).collect();
    if !open.is_empty() && open.len() < all {
        text += &format!("; open: {}", listed(open));
    }
    text
}

fn sampled(total: u64, pace: Pace) -> String {
    let mut text = format!("{} ({})", samples(total), rate(pace.per_second));
    if let Some(more) = pace.more.filter(|more| *more > 0.0) {
        text += &format!(", about {} more", grouped(more.ceil() as u64));
        if pace.per_second > 0.0 {
            text += &format!(": {}", rough_duration(1e6 * more / pace.per_second));
        }
    }
    text
}

/// A rate in the unit that people would say.
pub fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate >= 100.0 => format!("{}/s", grouped(rate.round() as u64)),
        rate if rate >= 1.0 => format!("{}/s", significant(rate, 2)),
        rate if rate >= 1.0 / 60.0 => format!("{}/min", significant(60.0 * rate, 2)),
        rate => format!("{}/h", significant(3600.0 * rate, 2)),
    }
}

#[cfg(test)]
mod tests {
    use surefront::{Arm, Goal, Noise, Objective, Problem, RuleKind, Settings, StoppingKind};

    use super::*;
    use surefront_study::words::room::width;

    #[test]
    fn rates_have_the_unit_that_fits() {
        assert_eq!(rate(12_345.6), "12,346/s");
        assert_eq!(rate(3.21), "3.2/s");
        assert_eq!(rate(0.05), "3/min");
        assert_eq!(rate(0.01), "36/h");
        assert_eq!(rate(0.0), "0/h");
    }

    #[test]
    fn it_shows_the_front_what_is_measured_and_why_what_is_settled_and_how_long_it_takes() {
        let objectives = vec![Objective::new("x", Goal::Max, Noise::Variance(1.0))];
        let arms = ["good", "fair", "a bad one with a name that is much longer than anybody would write by hand"];
        let problem = Problem::new(objectives, arms.map(Arm::named).to_vec()).unwrap();
        let rule = RuleKind::usual_for(StoppingKind::Certified).rule(&problem, 0.1).unwrap();
        let settings = Settings::new(rule, StoppingKind::Certified.stopping(0.1).unwrap());
        let mut study = Study::new(problem, settings).unwrap();
        let pace = Pace { per_second: 2.0, more: Some(60.0) };
        let early = View::of(&mut study, Some(0), pace, None).text(80);
        for round in 0..40 {
            for (arm, mean) in [(0, 3.0), (1, 2.7), (2, -3.0)] {
                study.tell(arm, &[mean + 0.1 * f64::from(round % 3)]).unwrap();
            }
        }
        let obstacle = "\"x\" of \"fair\" has outliers: write statistic = \"median\"";
        let late = View::of(&mut study, Some(1), pace, Some(obstacle)).text(80);
        assert!(early.lines().chain(late.lines()).all(|line| width(line) <= 80), "{early}\n{late}");
        insta::assert_snapshot!(format!("{early}\n\n{late}"));
    }
}
