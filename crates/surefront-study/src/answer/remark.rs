//! What the observations look like, in words and JSON: where they are not what the answer takes them for.

use serde::Serialize;
use surefront::{Caveat, Goal, Study};

use super::setting::{Setting, Would};
use super::{ArmName, taking_part};
use crate::look::{Level, Look, Seen, Side, Sight};
use crate::words::number::{grouped, short, significant};
use crate::words::plain::plain;
use crate::words::plural::counted;

/// Levels that are named in a sentence.
const MOST_LEVELS: usize = 4;

/// Something to know about the observations before trusting an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remark {
    /// Whose observations; `None` for those of all arms.
    pub arm: Option<ArmName>,
    /// The objective's name.
    pub objective: String,
    /// What was seen, with its figures.
    #[serde(flatten)]
    pub seen: Seen,
    /// All this in a sentence, with what to write or do.
    pub sentence: String,
    /// What could be written in the study file, if there is something.
    #[serde(rename = "write")]
    pub setting: Option<Setting>,
    /// What that would change, where somebody tried.
    pub would: Option<Would>,
    /// The logarithm of the chance of it if all is as it should be: the lower, the plainer it is to see.
    #[serde(skip)]
    pub strength: f64,
}

impl Remark {
    /// The same in a few words, with what to do: for where there is one line.
    pub fn brief(&self) -> String {
        let whose = self.arm.as_ref().map_or_else(String::new, |arm| format!(" of \"{}\"", plain(&arm.name)));
        let (what, remedy) = match &self.seen {
            Seen::VarianceTooSmall { seen, observations, .. } => {
                ("varies more than was said", format!("write variance = {}", enough(*seen, *observations)))
            }
            Seen::VarianceTooLarge { seen, observations, .. } => {
                ("varies less than was said", format!("variance = {} would do", enough(*seen, *observations)))
            }
            Seen::Outlier { .. } => ("has outliers", String::new()),
            Seen::Skew { .. } => ("is skewed", String::new()),
            Seen::Equal { .. } => (
                "repeats one value, which is no evidence",
                format!("write noise = \"exact\" if it has no noise, else {}", self.setting.unwrap_or(Setting::Median)),
            ),
            Seen::Levels { .. } | Seen::Coarse { .. } => ("has few different values", String::new()),
            Seen::Repeats { .. } => ("repeats itself", "see to it that each observation is measured anew".to_owned()),
            Seen::Copies { .. } => ("has copied values", "leave copies out".to_owned()),
            Seen::Drift { .. } => ("drifts", "let it settle before it is measured".to_owned()),
            Seen::Dependence { .. } => {
                ("depends on the observation before", "leave more time between measurements".to_owned())
            }
            Seen::Counts { .. } => ("looks like counts", String::new()),
            Seen::Successes { .. } => ("is taken for successes", String::new()),
        };
        let remedy = match (&self.setting, remedy.as_str()) {
            (Some(setting), "") => format!(": write {setting}"),
            (_, "") => String::new(),
            (_, remedy) => format!(": {remedy}"),
        };
        format!("\"{}\"{whose} {what}{remedy}", plain(&self.objective))
    }

    /// Whether it is about one arm, and these say as much of all arms together.
    pub fn is_said_by(&self, remarks: &[Remark]) -> bool {
        let Some(arm) = &self.arm else { return false };
        remarks.iter().filter(|general| general.arm.is_none() && general.objective == self.objective).any(|general| {
            match (&self.seen, &general.seen) {
                (Seen::Levels { .. }, Seen::Coarse { .. }) => true,
                (Seen::Levels { .. }, Seen::Equal { arms, .. }) => arms.contains(&arm.name),
                (own, general) => own.gravity() == general.gravity(),
            }
        })
    }
}

/// What is to be said of the observations of a study, those of arms that are left out excepted: what limits the proof first, then arm by arm.
pub fn remarks(study: &Study, caveats: &[Caveat], look: &Look) -> Vec<Remark> {
    let problem = study.problem();
    let mut takes_part = vec![false; problem.arm_count()];
    taking_part(study).for_each(|arm| takes_part[arm] = true);
    let limits = caveats.iter().filter_map(|caveat| limit(study, caveat));
    let sights =
        look.sights(problem, study.tally()).into_iter().filter(|sight| sight.arm.is_none_or(|arm| takes_part[arm]));
    limits.chain(sights.map(|sight| remark(study, sight))).collect()
}

fn limit(study: &Study, caveat: &Caveat) -> Option<Remark> {
    let problem = study.problem();
    let (objective, seen, setting) = match caveat {
        Caveat::Equal { objective, arms, always } => {
            let arms = arms.iter().map(|&arm| problem.arms()[arm].name.clone()).collect();
            // Medians do whatever the values are.
            let complete = taking_part(study)
                .all(|arm| study.tally().grain(arm, *objective).is_some_and(|grain| grain.levels().is_some()));
            let setting = setting_of(study, *objective, complete).filter(|setting| *setting == Setting::Bernoulli);
            (*objective, Seen::Equal { arms, always: *always }, Some(setting.unwrap_or(Setting::Median)))
        }
        Caveat::Coarse { objective, levels, reach } => {
            let setting = setting_of(study, *objective, levels.is_some());
            (*objective, Seen::Coarse { different: *levels, reach: *reach }, setting)
        }
        _ => return None,
    };
    let sentence = caveat.sentence(problem);
    Some(Remark {
        arm: None,
        objective: problem.objectives()[objective].name.clone(),
        seen,
        sentence: match &setting {
            // It says so already.
            Some(Setting::Median) | None => sentence,
            Some(setting) => format!("{sentence}. {}", setting.advice()),
        },
        setting,
        would: None,
        strength: f64::NEG_INFINITY,
    })
}

/// What to write for the values that all arms had; `complete` if all of them are told apart.
fn setting_of(study: &Study, objective: usize, complete: bool) -> Option<Setting> {
    values_of_all(study, objective).and_then(|all| Setting::of_values(&all, complete))
}

/// The values that all arms had, as far as they are told apart, and the least and the greatest, in the objective's own units.
fn values_of_all(study: &Study, objective: usize) -> Option<Vec<f64>> {
    let sign = match study.problem().objectives()[objective].goal {
        Goal::Max => 1.0,
        Goal::Min => -1.0,
    };
    let mut values = Vec::new();
    for arm in taking_part(study) {
        let grain = study.tally().grain(arm, objective)?;
        let ends = grain.range().into_iter().flat_map(|(low, high)| [low, high]);
        values.extend(grain.counted().map(|(value, _)| value).chain(ends).map(|value| sign * value + 0.0));
    }
    Some(values)
}

fn remark(study: &Study, sight: Sight) -> Remark {
    let Sight { arm, objective, seen, strength } = sight;
    let arm = arm.map(|arm| ArmName::of(study.problem(), arm));
    let objective = study.problem().objectives()[objective].name.clone();
    let whose = arm.as_ref().map_or_else(|| "all arms".to_owned(), |arm| format!("arm \"{}\"", plain(&arm.name)));
    let sentence = format!("{whose}, objective \"{}\": {}", plain(&objective), words(&seen));
    let setting = Setting::for_what_is(&seen);
    Remark { arm, objective, seen, sentence, setting, would: None, strength }
}

/// The remarks for people: of each kind and objective the plainest, with how many arms it is true of; the gravest kinds first. What is true of all arms
/// together, or follows for all of them, is not said again for every one.
pub fn few(remarks: &[Remark]) -> Vec<String> {
    let same =
        |one: &Remark, other: &Remark| one.objective == other.objective && one.seen.gravity() == other.seen.gravity();
    let mut shown: Vec<(&Remark, usize)> = Vec::new();
    for remark in remarks {
        if remark.is_said_by(remarks) {
            continue;
        }
        match shown.iter_mut().find(|(known, _)| same(known, remark)) {
            None => shown.push((remark, 0)),
            Some((known, others)) => {
                *others += 1;
                if remark.strength < known.strength {
                    *known = remark;
                }
            }
        }
    }
    shown.sort_by_key(|(remark, _)| remark.seen.gravity());
    let mut told: Vec<(&str, Setting)> = Vec::new();
    let mut lines = Vec::with_capacity(shown.len());
    for (remark, others) in shown {
        let mut text = remark.sentence.clone();
        if others > 0 {
            text += &format!(" (the like is seen of {})", counted(others, "more arm", "more arms"));
        }
        // What the same words would change is said once.
        if let (Some(setting), Some(would)) = (remark.setting, &remark.would)
            && !told.contains(&(remark.objective.as_str(), setting))
        {
            told.push((&remark.objective, setting));
            text += &format!(". {}", would.sentence(&setting));
        }
        lines.push(text);
    }
    lines
}

/// What was seen, what it means, and what to do about it.
fn words(seen: &Seen) -> String {
    match seen {
        Seen::VarianceTooSmall { given, seen, observations } => format!(
            "the variance given is {}, but that of {} observations is {}: with a variance that is too small nothing is promised. Write \
             variance = {}, or leave it out, and it is learned",
            short(*given),
            grouped(*observations),
            significant(*seen, 3),
            enough(*seen, *observations)
        ),
        Seen::Outlier { value, observation, deviations, .. } => format!(
            "observation {} of this arm, {}, is {} standard deviations away from the others. Noise with such outliers is not Gaussian, and the mean \
             of a few observations can be far off without looking so. Take it back if it is a mistake; if such values belong to what \
             is measured, compare medians: write {}",
            grouped(*observation),
            short(*value),
            significant(*deviations, 3),
            Setting::Median
        ),
        Seen::Skew { side, far_above, far_below, observations } => format!(
            "the values are skewed: of {}, {} lie far above the mean and {} far below it. Noise like that is not Gaussian, and few \
             observations seldom show {}, so that their mean is off. Compare medians, write {}; if it must be the mean, let each \
             observation be the average of many measurements",
            grouped(*observations),
            grouped(*far_above),
            grouped(*far_below),
            match side {
                Side::Above => "the large values",
                Side::Below => "the small values",
            },
            Setting::Median
        ),
        Seen::Levels { levels, complete, range, given, observations } => {
            let setting = Setting::for_what_is(seen);
            format!("{}. {}", values(levels, *complete, *observations), remedy(*range, *given, setting.as_ref()))
        }
        Seen::Repeats { repeated, pairs } => format!(
            "in {} of {} pairs of observations the second is the first again, to the last digit. What is kept and handed out again is no new measurement, and \
             there is less evidence than it seems. See to it that each observation is measured anew",
            grouped(*repeated),
            grouped(*pairs)
        ),
        Seen::Copies { equal, near, explained } => format!(
            "values come back to the last digit: of {} observations that are close to one of a few before them, {} are equal to it, where rounding explains {}. Rows that \
             were copied are no new measurements, and there is less evidence than it seems. Leave the copies out; if there can be no other values, write {} or \
             noise = \"bounded\" and the range that no value can leave",
            grouped(*near),
            grouped(*equal),
            match explained {
                0 | 1 => "one at most".to_owned(),
                explained => format!("{} at most", grouped(*explained)),
            },
            Setting::Median
        ),
        Seen::Drift { first, second, deviation, observations } => {
            let [first, second] = apart(*first, *second, *deviation);
            format!(
                "the mean moves: of {} observations, the first half has the mean {first}, the second half {second}. Something warms up, wears out or has \
                 changed, and nothing is promised of a mean that does not stay put. Let it settle before it is measured, and take back what was measured before",
                grouped(*observations)
            )
        }
        Seen::Dependence { correlation, observations } if *correlation > 0.0 => format!(
            "each observation is like the one before it (correlation {} over {}). Together they say less than independent ones would, and less than is promised: \
             leave more time between them, or let each be the average of many in a row",
            significant(*correlation, 2),
            grouped(*observations)
        ),
        Seen::Dependence { correlation, observations } => format!(
            "each observation is unlike the one before it (correlation {} over {}), so that they are not independent, as the promise has it. Find out what \
             passes from one to the next, or let each be the average of two in a row",
            significant(*correlation, 2),
            grouped(*observations)
        ),
        Seen::VarianceTooLarge { given, seen, observations } => format!(
            "the variance given is {}, that of {} observations is {}. The promise holds, but takes more observations than it would with, for \
             instance, variance = {}; leave it out in a study to come, and it is learned",
            short(*given),
            grouped(*observations),
            significant(*seen, 3),
            enough(*seen, *observations)
        ),
        Seen::Counts { mean, dispersion, observations } => format!(
            "all {} values are whole and not negative, {} on average, and vary as counts do (variance over mean {}). {}",
            grouped(*observations),
            significant(*mean, 3),
            significant(*dispersion, 2),
            Setting::Poisson.advice()
        ),
        Seen::Successes { ones, observations } => format!(
            "nothing was said of its noise, and all {} values are 0 or 1 ({} are 1): they are taken for successes and failures, {}, and what is concluded \
             holds if there can be no other value. Write noise = \"gaussian\" if that is not what they are",
            grouped(*observations),
            grouped(*ones),
            Setting::Bernoulli
        ),
        Seen::Equal { .. } | Seen::Coarse { .. } => String::new(),
    }
}

/// "100 observations have only the values 0 (93 times), 1 (7 times)".
fn values(levels: &[Level], complete: bool, observations: u64) -> String {
    let n = grouped(observations);
    match levels {
        [only] if complete => format!("all {n} observations are {}", short(only.value)),
        [top, ..] if !complete => format!("{} of {n} observations are {}", grouped(top.count), short(top.value)),
        [top, ..] if levels.len() > MOST_LEVELS => format!(
            "{n} observations have only {} different values, most often {} ({} times)",
            levels.len(),
            short(top.value),
            grouped(top.count)
        ),
        _ => {
            let each = levels.iter().map(|level| format!("{} ({} times)", short(level.value), grouped(level.count)));
            format!("{n} observations have only the values {}", each.collect::<Vec<_>>().join(", "))
        }
    }
}

/// What to write for values that reach so far.
fn remedy(range: (f64, f64), given: Option<f64>, setting: Option<&Setting>) -> String {
    let Some(setting) = setting else {
        return match range.1 - range.0 {
            0.0 => "That says nothing of the noise: write noise = \"exact\" if there is none, or measure more finely",
            _ => "Such noise is not Gaussian: write noise = \"bounded\" and a range that no value can leave",
        }
        .to_owned();
    };
    match given {
        Some(given) => {
            let advice = setting.advice();
            format!(
                "Such noise is not Gaussian, and the variance given, {}, does not do for it. {advice}",
                short(given)
            )
        }
        None => format!("Such noise is not Gaussian. {}", setting.advice()),
    }
}

/// A variance that is not below the true one, where so many observations have this one: three standard errors above it, two digits, rounded up.
fn enough(seen: f64, observations: u64) -> String {
    let safe = seen * (1.0 + 3.0 * (2.0 / (observations as f64 - 1.0).max(1.0)).sqrt());
    let unit = 10f64.powf(safe.log10().floor() - 1.0);
    significant((safe / unit).ceil() * unit, 2)
}

/// Two means with as many digits as it takes to tell them apart.
fn apart(first: f64, second: f64, deviation: f64) -> [String; 2] {
    let size = first.abs().max(second.abs());
    let finest = (second - first).abs().min(deviation) / 10.0;
    let digits = if finest > 0.0 && size > 0.0 { (size / finest).log10().ceil().clamp(2.0, 15.0) as usize } else { 6 };
    [first, second].map(|mean| significant(mean, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_arm(arm: usize, seen: Seen, strength: f64) -> Remark {
        let arm = ArmName { name: format!("arm {arm}"), index: arm };
        let sentence = format!("{}: {}", arm.name, words(&seen));
        let setting = Setting::for_what_is(&seen);
        Remark { arm: Some(arm), objective: "x".into(), seen, sentence, setting, would: None, strength }
    }

    #[test]
    fn every_kind_is_a_sentence() {
        let level = |value, count| Level { value, count };
        let levels =
            |levels, complete, range, given| Seen::Levels { levels, complete, range, given, observations: 100 };
        let all = [
            Seen::VarianceTooSmall { given: 0.1, seen: 0.4123, observations: 448 },
            Seen::Outlier { value: 37.25, observation: 1012, deviations: 9.436, observations: 2000 },
            Seen::Skew { side: Side::Above, far_above: 31, far_below: 2, observations: 256 },
            levels(vec![level(1.0, 93), level(0.0, 7)], true, (0.0, 1.0), None),
            levels(vec![level(1.0, 93), level(0.0, 7)], true, (0.0, 1.0), Some(0.01)),
            levels(vec![level(3.0, 100)], true, (3.0, 3.0), Some(0.01)),
            levels((0..6).map(|value| level(f64::from(value), 17)).collect(), true, (0.0, 5.0), None),
            levels(vec![level(0.0, 93)], false, (0.0, 20.0), None),
            Seen::Repeats { repeated: 40, pairs: 60 },
            Seen::Copies { equal: 1160, near: 1200, explained: 57 },
            Seen::Drift { first: 1000.123, second: 1000.987, deviation: 0.9, observations: 448 },
            Seen::Dependence { correlation: 0.4242, observations: 448 },
            Seen::Dependence { correlation: -0.4242, observations: 448 },
            Seen::VarianceTooLarge { given: 4.0, seen: 0.4123, observations: 448 },
            Seen::Counts { mean: 12.345, dispersion: 0.987, observations: 448 },
            Seen::Successes { ones: 1234, observations: 4000 },
        ];
        let brief = |seen: &Seen| of_arm(0, seen.clone(), 0.0).brief();
        let text: String = all.iter().map(|seen| format!("{}\n    {}\n", words(seen), brief(seen))).collect();
        insta::assert_snapshot!(text);
    }

    #[test]
    fn the_plainest_stands_for_all() {
        let drift = |first| Seen::Drift { first, second: 9.0, deviation: 1.0, observations: 64 };
        let small = Seen::VarianceTooSmall { given: 0.1, seen: 0.4, observations: 64 };
        let remarks = [
            of_arm(0, drift(1.0), -12.0),
            of_arm(1, drift(2.0), -30.0),
            of_arm(2, drift(3.0), -20.0),
            of_arm(3, small, -11.0),
        ];
        let lines = few(&remarks);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("arm 3: the variance") && !lines[0].contains("more arm"), "{}", lines[0]);
        assert!(
            lines[1].starts_with("arm 1: ") && lines[1].ends_with("(the like is seen of 2 more arms)"),
            "{}",
            lines[1]
        );
    }

    #[test]
    fn what_is_said_of_all_arms_is_said_once() {
        let levels = vec![Level { value: 1.0, count: 9 }];
        let levels = Seen::Levels { levels, complete: true, range: (1.0, 1.0), given: None, observations: 9 };
        let coarse = Remark {
            arm: None,
            objective: "x".into(),
            seen: Seen::Coarse { different: Some(2), reach: 1.0 },
            sentence: "coarse".into(),
            setting: None,
            would: None,
            strength: f64::NEG_INFINITY,
        };
        let level = of_arm(0, levels, f64::NEG_INFINITY);
        assert_eq!(few(&[coarse.clone(), level.clone()]), ["coarse"]);
        let equal = |arm: &str| Seen::Equal { arms: vec![arm.into()], always: true };
        let [own, other] =
            ["arm 0", "arm 1"].map(|arm| Remark { seen: equal(arm), sentence: "equal".into(), ..coarse.clone() });
        assert_eq!(few(&[own, level.clone()]), ["equal"]);
        assert_eq!(few(&[other, level.clone()]), ["equal", &level.sentence]);
        assert_eq!(few(std::slice::from_ref(&level)), [level.sentence]);
    }

    #[test]
    fn a_variance_to_write_is_on_the_safe_side() {
        assert_eq!(enough(0.4, 1_000_000), "0.41");
        assert_eq!(enough(4.0, 51), "6.4");
        assert_eq!(enough(1e-9, 101), "1.5e-9");
    }
}
