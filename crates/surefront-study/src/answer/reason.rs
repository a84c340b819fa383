//! Why an arm is in, out or undecided, in a sentence.

use surefront::{Promise, Standing};

use super::ArmName;
use crate::words::plain::plain;

/// The sentence, without a full stop. The promise is that of the verdict, if there is one.
pub fn reason(
    n: u64,
    standing: Option<Standing>,
    promise: Option<Promise>,
    rival: Option<&ArmName>,
    objectives: &[String],
) -> String {
    let Some(standing) = standing else {
        return if n == 0 { "not measured yet" } else { "waits for the arms that are not measured yet" }.to_owned();
    };
    let places = and(objectives);
    let rival = rival.map(|rival| plain(&rival.name));
    let how = promise.map_or("seems ", Promise::hedge);
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
            assert_eq!(reason(n, standing, promise, rival, objectives), sentence);
        }
    }
}
