//! What is not proved is called likely, everywhere and for as long as it lasts; sure is for proofs.

use serde_json::json;

use super::{Place, STUDY};

/// Whether a text has this word, as a word of its own.
fn says(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|other| other == word)
}

/// A study that was run by the stylized threshold, as one of unknown variances was by default in version 0.1.
fn stylized() -> Place {
    let place = Place::new().with("s.toml", STUDY);
    place.likely(&["run", "s.toml", "--threshold", "stylized"]);
    place
}

#[test]
fn a_study_that_goes_on_as_before_stays_likely() {
    let place = stylized();
    for command in ["run", "status", "ask"] {
        let screen = place.likely(&[command, "s.toml"]);
        assert!(screen.contains("The front is likely \"fine\", \"coarse\", at δ = 0.05: not proved."), "{screen}");
        assert!(screen.contains("Taken for granted: the noise is Gaussian or lighter"), "{screen}");
        assert!(!says(&screen, "sure") && !says(&screen, "certain") && !screen.contains('✓'), "{screen}");
        let json: serde_json::Value = serde_json::from_str(&place.likely(&[command, "s.toml", "--json"])).unwrap();
        assert_eq!((&json["stopped"], &json["promise"]), (&json!(true), &json!("likely")), "{command}");
        assert_eq!(json["assumptions"].as_array().unwrap().len(), 3, "{command}");
    }
    let json: serde_json::Value = serde_json::from_str(&place.likely(&["run", "s.toml", "--json"])).unwrap();
    assert_eq!(json["end"], "likely");
}

#[test]
fn a_report_says_how_strong_its_answer_is() {
    let place = stylized();
    let report = |format: &str| place.stdout(&["report", "s.toml", "-o", "-", "--format", format]);
    let (page, text, figure) = (report("html"), report("md"), report("svg"));
    assert!(page.contains("<p class=\"badge\">~ likely, not proved</p>") && !page.contains('✓'), "{page}");
    assert!(page.contains("fine and coarse are likely Pareto-optimal; the other arm is likely dominated."), "{page}");
    assert!(page.contains("<td>likely dominated by &quot;coarse&quot;</td>"), "{page}");
    assert!(text.contains("Likely, not proved, at an accepted chance of error of 5 %."), "{text}");
    assert!(text.contains("| clumsy | likely out | likely dominated by \"coarse\" |"), "{text}");
    assert!(figure.contains(">likely on the front<") && !figure.contains("certainly"), "{figure}");
    for report in [page, text] {
        assert!(!says(&report, "certain") && !says(&report, "certainly") && !says(&report, "Certain"), "{report}");
    }

    // A proof makes it certain.
    place.stdout(&["run", "s.toml", "--threshold", "certified", "--no-report"]);
    let (page, text, figure) = (report("html"), report("md"), report("svg"));
    assert!(page.contains("<p class=\"badge\">✓ proved</p>"), "{page}");
    assert!(text.contains("Proved, at an accepted chance of error of 5 %."), "{text}");
    assert!(figure.contains(">certainly on the front<"), "{figure}");
}

/// Unknown variances are no reason to do without a proof.
#[test]
fn a_proof_is_the_default() {
    let unknown = STUDY.replace("variance = 0.04\n", "").replace("variance = 4\n", "");
    let place = Place::new().with("s.toml", unknown);
    place.stdout(&["ask", "s.toml"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!((&json["threshold_name"], &json["promise"]), (&json!("certified"), &json!("proved")));
    assert_eq!(json["rule"], "weakest");
    assert_eq!(json["assumptions"][0], "noise of unknown variance is Gaussian");
}
