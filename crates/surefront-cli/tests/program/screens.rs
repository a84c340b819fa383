//! How screens look on a terminal of 80 columns, whatever the names are made of, and what the help begins with.

use super::{Place, STUDY, vaccine, without_times};

impl Place {
    /// What a run prints on a terminal of 80 columns.
    pub fn narrow(&self, args: &[&str]) -> String {
        let mut command = assert_cmd::Command::cargo_bin("surefront").unwrap();
        let output = command.current_dir(self.0.path()).env("COLUMNS", "80").args(args).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut tables = text.lines().skip_while(|line| !line.starts_with('─'));
        let wide = tables.find(|line| line.starts_with("  ") && line.chars().count() > 80 && !line.contains("telling"));
        assert_eq!(wide, None);
        text
    }
}

fn measured() -> Place {
    let place = Place::new().with("s.toml", STUDY);
    let place = place.with(
        "r.csv",
        "arm,quality,bytes\nfine,0.91,30.5\nfine,0.89,31\ncoarse,0.52,10.1\ncoarse,0.5,9.7\nclumsy,0.39,21\nclumsy,0.4,20\n",
    );
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    place
}

#[test]
fn status_at_80_columns() {
    insta::assert_snapshot!(measured().narrow(&["status", "s.toml"]));
}

#[test]
fn analyze_at_80_columns() {
    insta::assert_snapshot!(measured().narrow(&["analyze", "r.csv", "--max", "quality", "--min", "bytes"]));
}

#[test]
fn analyze_with_units_and_missing_values_at_80_columns() {
    let rows = "arm;quality;bytes [kB]\nfine;0,91;30500,5\nfine;0,89;31000\nfine;;31000\ncoarse;0,52;10100\ncoarse;0,5;9700\nnew;NA;1\n";
    let place = Place::new().with("r.csv", rows);
    let args =
        ["analyze", "r.csv", "--max", "quality", "--min", "bytes", "--unit", "quality=points", "--report", "r.html"];
    insta::assert_snapshot!(place.narrow(&args));
    let html = std::fs::read_to_string(place.path("r.html")).unwrap();
    for part in ["quality (points)", "bytes (kB)", "2 rows were left out", "30,750 ± 250"] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn analyze_of_summaries_at_80_columns() {
    let rows =
        "arm,quality_mean,quality_sd,bytes,n\nfine,0.9,0.02,31,40\ncoarse,0.5,0.03,10,40\nclumsy,0.4,0.02,20,40\n";
    let args = ["analyze", "r.csv", "--max", "quality", "--min", "bytes", "--exact", "bytes"];
    insta::assert_snapshot!(Place::new().with("r.csv", rows).narrow(&args));
}

#[test]
fn ask_tell_retract_and_export_at_80_columns() {
    let place = measured();
    let screens = [
        &["ask", "s.toml", "-n", "3"][..],
        &["ask", "s.toml", "--open"],
        &["tell", "s.toml", "--arm", "fine", "0.9", "30"],
        &["retract", "s.toml", "7", "--reason", "a slip"],
        &["export", "s.toml"],
        &["report", "s.toml"],
    ];
    let shown = screens.map(|args| format!("$ surefront {}\n{}", args.join(" "), place.narrow(args)));
    insta::assert_snapshot!(without_moments(&shown.join("\n")));
}

/// Times of day are never the same twice.
fn without_moments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("T") {
        let is_digit = |c: char| c.is_ascii_digit();
        let date = rest[..at].len() >= 10 && rest[at - 10..at].chars().filter(|&c| is_digit(c)).count() == 8;
        match rest[at..]
            .find('Z')
            .filter(|&end| date && rest[at + 1..at + end].chars().all(|c| is_digit(c) || ":.".contains(c)))
        {
            Some(end) => {
                plain += &rest[..at - 10];
                plain += "[moment]";
                rest = &rest[at + end + 1..];
            }
            None => {
                plain += &rest[..=at];
                rest = &rest[at + 1..];
            }
        }
    }
    plain + rest
}

#[test]
fn bound_at_80_columns() {
    let long = STUDY.replace("\"fine\"", &format!("\"{}\"", "fine ".repeat(20).trim_end()));
    insta::assert_snapshot!(Place::new().with("s.toml", long).narrow(&["bound", "s.toml"]));
}

#[test]
fn transport_at_80_columns() {
    let text = Place::new().narrow(&["transport", &vaccine()]);
    insta::assert_snapshot!(text.split("\nMethod ").next().unwrap());
}

#[test]
fn plan_at_80_columns() {
    let place = Place::new().with("s.toml", STUDY);
    insta::assert_snapshot!(place.narrow(&["plan", "s.toml", "--delta", "0.1,0.05,0.01", "--runs", "10"]));
}

#[test]
fn simulate_at_80_columns() {
    let place = Place::new().with("s.toml", STUDY);
    let text =
        place.narrow(&["simulate", "s.toml", "--rule", "dual,uniform", "--threshold", "stylized", "--runs", "10"]);
    // The time that a sample takes is never the same twice.
    let cut = |line: &str| match line.contains("  0 (0–") {
        true => "  [mistakes, undecided, time, ratio]".to_owned(),
        false => line.to_owned(),
    };
    insta::assert_snapshot!(text.lines().map(cut).collect::<Vec<_>>().join("\n"));
}

#[test]
fn init_and_check_at_80_columns() {
    let place = Place::new();
    let begin = ["init", "s.toml", "--min", "seconds", "--max", "quality", "--arm", "fine", "--arm", "coarse"];
    let written = place.narrow(&[&begin[..], &["--command", "./measure-one-of-them --quietly {name}"]].concat());
    insta::assert_snapshot!(written + &place.narrow(&["check", "s.toml"]));
}

#[test]
fn the_end_of_run_at_80_columns() {
    let place = Place::new().with("s.toml", STUDY);
    insta::assert_snapshot!(without_times(&place.narrow(&["run", "s.toml"])));
}

#[test]
fn names_do_nothing_to_the_terminal() {
    let odd = "\\u001b[2Jfine\\nnew line\\u202e";
    let study = STUDY.replace("\"fine\"", &format!("\"{odd}\"")).replace("\"codecs\"", "\"co\\u001bdecs\\n!\"");
    let study = study.replace("\"quality\"", "\"qual\\u0007ity\\t\\n\"");
    let place = Place::new().with("s.toml", study);
    let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    let name = "\u{1b}[2Jfine\nnew line\u{202e}";
    for args in [
        &["run", "s.toml", "--jobs", "1"][..],
        &["status", "s.toml"],
        &["status", "s.toml", "--json"],
        &["ask", "s.toml", "--delta", "0.0001", "-n", "3"],
        &["ask", "s.toml", "--open"],
        &["tell", "s.toml", "--arm", name, "1", "2"],
        &["tell", "s.toml", "--arm", "\u{1b}[2Jfime\nnew line\u{202e}", "1", "2"],
        &["tell", "s.toml", "--ticket", "1", "--failed", "\u{1b}c"],
        &["tell", "s.toml", "--csv", "\u{1b}.csv"],
        &["bound", "s.toml"],
        &["transport", "s.toml"],
        &["plan", "s.toml", "--runs", "2"],
        &["simulate", "s.toml", "--runs", "2"],
        &["report", "s.toml", "--format", "md", "-o", "-"],
        &["report", "s.toml", "-o", "-"],
        &["report", "s.toml", "-o", "\u{1b}.html"],
    ] {
        let output = place.run(args);
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(text.clone()).unwrap();
            assert!(!text.contains(acts), "{args:?}: {text:?}");
            // On a page, a line end is a space.
            assert!(!text.contains("\nnew line") || text.starts_with("<!DOCTYPE html>"), "{args:?}: {text:?}");
        }
    }
    assert!(place.stdout(&["status", "s.toml"]).contains("\\u{1b}[2Jfine\\nnew line\\u{202e}"));
}

#[test]
fn one_is_not_many() {
    let place = Place::new().with("r.csv", "arm,x\na,1\n").with(
        "s.toml",
        "[[objective]]\nname = \"x\"\ngoal = \"max\"\nvariance = 1\n[[arm]]\nname = \"a\"\nmean = [1]\n",
    );
    let screens = [
        place.stdout(&["analyze", "r.csv", "--max", "x"]),
        place.stdout(&["run", "s.toml"]),
        place.stdout(&["status", "s.toml"]),
        place.stdout(&["report", "s.toml", "-o", "-", "--format", "md"]),
        place.stdout(&["report", "s.toml", "-o", "-"]),
        place.stdout(&["plan", "s.toml", "--runs", "1"]),
    ];
    let nouns = ["objectives", "samples", "arms", "observations", "others", "runs", "more arms", "more samples"];
    for screen in screens {
        for noun in nouns {
            let wrong = format!("1 {noun}");
            let at = screen
                .match_indices(&wrong)
                .find(|(at, _)| !screen[..*at].ends_with(|c: char| c.is_ascii_digit() || c == ',' || c == '.'));
            assert_eq!(at, None, "{screen}");
        }
    }
    let run = place.stdout(&["run", "s.toml"]);
    assert!(run.starts_with("s: 1 sample of 1 arm in 1 objective\n"), "{run}");
}

#[test]
fn a_risk_too_small_to_compute_with_is_refused_everywhere() {
    let place = Place::new().with("s.toml", STUDY).with("tiny.toml", STUDY.replace("delta = 0.05", "delta = 1e-320"));
    for args in [
        &["run", "s.toml", "--delta", "1e-320"][..],
        &["ask", "s.toml", "--delta", "1e-320"],
        &["status", "s.toml", "--delta", "1e-320"],
        &["plan", "s.toml", "--delta", "0.1,1e-320"],
        &["simulate", "s.toml", "--delta", "1e-320"],
        &["analyze", "r.csv", "--max", "x", "--delta", "1e-320"],
        &["run", "tiny.toml"],
        &["plan", "tiny.toml"],
        &["bound", "tiny.toml"],
    ] {
        let output = place.run(args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains("1e-320") && message.contains("1e-300"), "{args:?}: {message}");
    }
}

#[test]
fn the_help_begins_with_what_people_use() {
    insta::assert_snapshot!(Place::new().stdout(&["--help"]));
}
