//! Why an arm is in, out or undecided, in a sentence.

use surefront::{Certificate, Standing};

use super::ArmName;
use crate::words::plain::plain;

/// The sentence, without a full stop.
pub fn reason(n: u64, certificate: &Certificate, rival: Option<&ArmName>, objectives: &[String]) -> String {
    let Some(standing) = certificate.standing else {
        return if n == 0 { "not measured yet" } else { "waits for the arms that are not measured yet" }.to_owned();
    };
    let places = and(objectives);
    let rival = rival.map(|rival| plain(&rival.name));
    match (standing, rival, certificate.certain) {
        (Standing::Out, Some(rival), true) => format!("dominated by \"{rival}\""),
        (Standing::Out, Some(rival), false) if objectives.is_empty() => {
            format!("seems dominated by \"{rival}\"")
        }
        (Standing::Out, Some(rival), false) => {
            format!("seems dominated by \"{rival}\", least surely in {places}")
        }
        (Standing::Out, None, true) => "dominated".to_owned(),
        (Standing::Out, None, false) => "seems dominated".to_owned(),
        (Standing::In, Some(rival), certain) => {
            let sure = if certain { "not dominated" } else { "seems not dominated" };
            match places.as_str() {
                "" => format!("{sure}; \"{rival}\" comes closest to it"),
                places => format!("{sure}; better than its closest rival \"{rival}\" in {places}"),
            }
        }
        (Standing::LeftOut, ..) => "left out".to_owned(),
        (Standing::In, None, true) => "not dominated by any other".to_owned(),
        (Standing::In, None, false) => "seems not dominated by any other".to_owned(),
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
        let certificate = |standing, certain| {
            let mut certificate = Certificate::unknown(2.0);
            (certificate.standing, certificate.certain) = (standing, certain);
            certificate
        };
        for (n, standing, certain, rival, objectives, sentence) in [
            (0, None, false, None, &[][..], "not measured yet"),
            (3, None, false, None, &[], "waits for the arms that are not measured yet"),
            (3, Some(Standing::Out), true, Some(&rival), &latency, "dominated by \"fast\""),
            (
                3,
                Some(Standing::Out),
                false,
                Some(&rival),
                &latency,
                "seems dominated by \"fast\", least surely in latency",
            ),
            (
                3,
                Some(Standing::In),
                true,
                Some(&rival),
                &both,
                "not dominated; better than its closest rival \"fast\" in accuracy and latency",
            ),
            (
                3,
                Some(Standing::In),
                false,
                Some(&rival),
                &latency,
                "seems not dominated; better than its closest rival \"fast\" in latency",
            ),
            (3, Some(Standing::In), true, None, &[], "not dominated by any other"),
        ] {
            assert_eq!(reason(n, &certificate(standing, certain), rival, objectives), sentence);
        }
    }
}
