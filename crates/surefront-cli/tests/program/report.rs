use super::{Place, STUDY, assert_well_formed, refusal, transcript};

/// A study whose store has some observations of each arm.
fn measured() -> Place {
    let place = Place::new().with("s.toml", STUDY);
    for (arm, values) in [("fine", ["0.91", "30.5"]), ("coarse", ["0.52", "10.1"]), ("clumsy", ["0.39", "21"])] {
        for _ in 0..3 {
            place.stdout(&["tell", "s.toml", "--arm", arm, values[0], values[1]]);
        }
    }
    place
}

#[test]
fn a_page_beside_the_study() {
    let place = measured();
    assert_eq!(place.stdout(&["report", "s.toml"]), "Report written to s.html\n");
    let html = std::fs::read_to_string(place.path("s.html")).unwrap();
    assert_well_formed(html.strip_prefix("<!DOCTYPE html>\n").unwrap());
    for part in ["<h1>codecs</h1>", "Which of 3 arms", "fine</th>", "coarse</th>", "clumsy</th>", "more is better"] {
        assert!(html.contains(part), "{part}");
    }
    for foreign in ["http:", "https:", "url(", "@import", "<script"] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    // Nothing else is left behind.
    let files = std::fs::read_dir(place.path("")).unwrap().map(|file| file.unwrap().file_name());
    assert!(files.map(|name| name.into_string().unwrap()).all(|name| !name.contains("draft")));
}

#[test]
fn markdown_on_standard_output() {
    insta::assert_snapshot!(measured().stdout(&["report", "s.toml", "--format", "md", "-o", "-"]));
}

#[test]
fn the_format_is_that_of_the_name() {
    let place = measured();
    place.stdout(&["report", "s.toml", "-o", "front.svg"]);
    assert_well_formed(&std::fs::read_to_string(place.path("front.svg")).unwrap());
    place.stdout(&["report", "s.toml", "-o", "r.json"]);
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("r.json")).unwrap()).unwrap();
    assert_eq!(json["answer"]["samples"], 9);
    assert_eq!(json["answer"]["arms"][1]["name"], "coarse");
    assert_eq!(json["noise"][0]["variance"], 0.04);
    // What was said counts more than the name.
    place.stdout(&["report", "s.toml", "-o", "r.txt", "--format", "md"]);
    assert!(std::fs::read_to_string(place.path("r.txt")).unwrap().starts_with("# codecs\n"));
    assert_eq!(place.stdout(&["report", "s.toml", "--format", "svg"]), "Report written to s.svg\n");
}

#[test]
fn a_study_without_observations_has_a_report() {
    let place = Place::new().with("s.toml", STUDY);
    place.stdout(&["ask", "s.toml"]);
    assert!(place.stdout(&["report", "s.toml", "-o", "-"]).contains("Nothing has been measured yet."));
}

#[test]
fn reports_that_cannot_be_written() {
    let place = measured();
    let refused = [
        ("no store", &["report", "s.toml", "--store", "no.db"][..]),
        ("a name that says nothing", &["report", "s.toml", "-o", "r.pdf"]),
        ("the study file", &["report", "s.toml", "-o", "s.toml", "--format", "html"]),
        ("the store", &["report", "s.toml", "-o", "./s.db", "--format", "md"]),
    ];
    insta::assert_snapshot!(transcript(refused.map(|(title, args)| (title, refusal(&place, args)))));
    let output = place.run(&["report", "s.toml", "-o", "no/such/r.html"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write no/such/r.html"));
}
