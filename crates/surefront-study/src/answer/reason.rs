//! Why an arm is in, out or undecided, in a sentence.

use surefront::{End, Objective, Promise, Standing};

use super::ArmName;
use crate::words::number::short;
use crate::words::plain::plain;

/// The sentence, without a full stop. The promise is that of the verdict, if there is one; the arms tied with it are those within the margins, where there are margins.
pub fn reason(
    n: u64,
    standing: Option<Standing>,
    promise: Option<Promise>,
    rival: Option<&ArmName>,
    objectives: &[String],
    tied: Option<&Vec<ArmName>>,
) -> String {
    let Some(standing) = standing else {
        return if n == 0 { "not measured yet" } else { "waits for the arms that are not measured yet" }.to_owned();
    };
    let places = and(objectives);
    let rival = rival.map(|rival| plain(&rival.name));
    let how = promise.map_or("seems ", Promise::hedge);
    if let (Some(tied), Standing::In | Standing::Out) = (tied, standing) {
        return within_margins(standing, how, promise, rival.as_deref(), &places, tied);
    }
    match (standing, rival) {
        (Standing::Out, Some(rival)) if promise.is_some() || objectives.is_empty() => {
            format!("{how}dominated by \"{rival}\"")
        }
        (Standing::Out, Some(rival)) => format!("{how}dominated by \"{rival}\", least surely in {places}"),
        (Standing::Out, None) => format!("{how}dominated"),
        (Standing::In, Some(rival)) => match places.as_str() {
            "" => format!("{how}not dominated; \"{rival}\" comes closest to it"),
            places => format!("{how}not dominated; better than its closest rival \"{rival}\" in {places}"),
        },
        (Standing::In, None) => format!("{how}not dominated by any other"),
        (Standing::LeftOut, _) => "left out".to_owned(),
    }
}

/// A limit that decides, and the mean that keeps or breaks it.
pub struct Kept<'a> {
    pub objective: &'a Objective,
    pub mean: f64,
    /// The mean with its error.
    pub shown: String,
}

/// The sentence where a limit decides: "too slow" is for whoever knows what the objective is.
pub fn by_limit(standing: Standing, promise: Option<Promise>, kept: &Kept<'_>, alone: bool) -> String {
    let how = promise.map_or("seems ", Promise::hedge);
    let (name, shown) = (plain(&kept.objective.name), &kept.shown);
    let limits = kept.objective.limits;
    if let Some((end, limit)) = limits.broken_by(kept.mean).filter(|_| standing == Standing::Out) {
        let (much, sign) = if end == End::Most { ("much", ">") } else { ("little", "<") };
        return format!("{how}too {much} {name}: {shown} {sign} {}", short(limit));
    }
    let distance = |&(_, limit): &(End, f64)| (kept.mean - limit).abs();
    let nearest = limits.ends().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let (sign, limit) =
        nearest.map_or(("", String::new()), |(end, limit)| (if end == End::Most { "≤" } else { "≥" }, short(limit)));
    match (standing, alone) {
        (Standing::Out, _) => format!("{how}beyond a limit of {name}: {shown} against {limit}"),
        (_, true) => format!("{how}within its limits; closest in {name}: {shown} {sign} {limit}"),
        (_, false) => format!("{how}not dominated, and within its limits; closest in {name}: {shown} {sign} {limit}"),
    }
}

/// The same where there are margins.
fn within_margins(
    standing: Standing,
    how: &str,
    promise: Option<Promise>,
    rival: Option<&str>,
    places: &str,
    tied: &[ArmName],
) -> String {
    let Some(rival) = rival else { return format!("{how}not beaten by any other by more than the margin") };
    if standing == Standing::Out {
        let least =
            if promise.is_some() || places.is_empty() { String::new() } else { format!(", least surely in {places}") };
        return format!("{how}no better than \"{rival}\" by more than the margin{least}");
    }
    let names: Vec<String> = tied.iter().map(|arm| format!("\"{}\"", plain(&arm.name))).collect();
    match (names.is_empty(), places) {
        (false, _) => format!("{how}not beaten by more than the margin; tied with {} within it", and(&names)),
        (true, "") => format!("{how}not beaten by more than the margin; \"{rival}\" comes closest to it"),
        (true, places) => {
            format!("{how}not beaten by more than the margin; better than its closest rival \"{rival}\" in {places}")
        }
    }
}

/// "a", "a and b", "a, b and c".
fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => plain(one).into_owned(),
        [first @ .., last] => format!("{} and {}", plain(&first.join(", ")), plain(last)),
    }
}

#[cfg(test)]
mod tests {
    use surefront::{Goal, Noise};

    use super::*;

    #[test]
    fn every_case_is_a_sentence() {
        let rival = ArmName { name: "fast".into(), index: 1 };
        let latency = ["latency".to_owned()];
        let both = ["accuracy".to_owned(), "latency".to_owned()];
        let (proved, likely) = (Some(Promise::Proved), Some(Promise::Likely));
        for (n, standing, promise, rival, objectives, sentence) in [
            (0, None, None, None, &[][..], "not measured yet"),
            (3, None, None, None, &[], "waits for the arms that are not measured yet"),
            (3, Some(Standing::Out), proved, Some(&rival), &latency, "dominated by \"fast\""),
            (
                3,
                Some(Standing::Out),
                None,
                Some(&rival),
                &latency,
                "seems dominated by \"fast\", least surely in latency",
            ),
            (
                3,
                Some(Standing::In),
                proved,
                Some(&rival),
                &both,
                "not dominated; better than its closest rival \"fast\" in accuracy and latency",
            ),
            (
                3,
                Some(Standing::In),
                None,
                Some(&rival),
                &latency,
                "seems not dominated; better than its closest rival \"fast\" in latency",
            ),
            (3, Some(Standing::In), proved, None, &[], "not dominated by any other"),
            (3, Some(Standing::Out), likely, Some(&rival), &latency, "likely dominated by \"fast\""),
            (3, Some(Standing::In), likely, None, &[], "likely not dominated by any other"),
        ] {
            assert_eq!(reason(n, standing, promise, rival, objectives, None), sentence);
        }
        let time = Objective::new("time", Goal::Min, Noise::Exact).with_at_most(200.0);
        for (standing, promise, mean, sentence) in [
            (Standing::Out, proved, 240.0, "too much time: 240 ± 3 > 200"),
            (Standing::Out, None, 240.0, "seems too much time: 240 ± 3 > 200"),
            (
                Standing::In,
                likely,
                190.0,
                "likely not dominated, and within its limits; closest in time: 240 ± 3 ≤ 200",
            ),
        ] {
            let kept = Kept { objective: &time, mean, shown: "240 ± 3".to_owned() };
            assert_eq!(by_limit(standing, promise, &kept, false), sentence);
        }
        let tied = vec![rival.clone()];
        for (standing, promise, tied, sentence) in [
            (Standing::In, proved, &tied, "not beaten by more than the margin; tied with \"fast\" within it"),
            (Standing::Out, proved, &tied, "no better than \"fast\" by more than the margin"),
            (
                Standing::Out,
                None,
                &vec![],
                "seems no better than \"fast\" by more than the margin, least surely in latency",
            ),
            (
                Standing::In,
                likely,
                &vec![],
                "likely not beaten by more than the margin; better than its closest rival \"fast\" in latency",
            ),
        ] {
            assert_eq!(reason(3, Some(standing), promise, Some(&rival), &latency, Some(tied)), sentence);
        }
    }
}
