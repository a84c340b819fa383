//! Measurements that are made elsewhere: ask, tell, retract, status, export.

use super::{Place, refusal, transcript, without_times};

/// The quality is noisy, the size is exact.
pub const STUDY: &str = r#"name = "codecs"
delta = 0.05

[[objective]]
name = "quality"
goal = "max"
variance = 0.01

[[objective]]
name = "bytes"
goal = "min"
noise = "exact"

[[arm]]
name = "fine"

[[arm]]
name = "coarse"

[[arm]]
name = "clumsy"
"#;

fn place() -> Place {
    Place::new().with("s.toml", STUDY)
}

/// Twelve results of each arm; the quality varies by a few hundredths.
fn results() -> String {
    let rows = (0..36).map(|i: usize| {
        let (arm, quality, bytes) = [("fine", 0.9, 30), ("coarse", 0.5, 10), ("clumsy", 0.3, 20)][i % 3];
        format!("{arm},{},{bytes}\n", quality + 0.01 * ((i * i) % 7) as f64)
    });
    "arm,quality,bytes\n".to_owned() + &rows.collect::<String>()
}

/// What the commands print, one after the other; every one must go well.
fn session(place: &Place, commands: &[&[&str]]) -> String {
    let screens = commands.iter().map(|args| format!("$ surefront {}\n{}\n", args.join(" "), place.stdout(args)));
    without_times(&screens.collect::<String>())
}

#[test]
fn a_study_by_hand() {
    let place = place();
    insta::assert_snapshot!(session(
        &place,
        &[
            &["ask", "s.toml", "-n", "4"],
            &["tell", "s.toml", "--ticket", "1", "0.91", "30"],
            &["tell", "s.toml", "--ticket", "1", "0.91", "30"],
            &["tell", "s.toml", "--ticket", "2", "bytes=10", "quality=-5.2e-1"],
            &["tell", "s.toml", "--ticket", "3", "--failed", "out of memory"],
            &["tell", "s.toml", "--arm", "clumsy", "-0.3", "20", "--json"],
            &["status", "s.toml"],
            &["retract", "s.toml", "--ticket", "2", "--reason", "the sign"],
            &["tell", "s.toml", "--ticket", "2", "0.52", "10"],
            &["ask", "s.toml", "--open"],
            &["ask", "s.toml", "--json"],
            &["export", "s.toml"],
            &["export", "s.toml", "--all", "--format", "jsonl"],
        ]
    ));
}

#[test]
fn a_study_comes_to_its_end() {
    let place = place().with("results.csv", results());
    insta::assert_snapshot!(session(
        &place,
        &[
            &["tell", "s.toml", "--csv", "results.csv"],
            &["status", "s.toml"],
            &["ask", "s.toml"],
            &["status", "s.toml", "--delta", "1e-30"],
        ]
    ));
}

#[test]
fn a_variance_that_is_left_out_is_learned() {
    let study = STUDY.replace("variance = 0.01\n", "");
    // No value comes twice.
    let fine = (0..54).map(|i: usize| {
        let (arm, quality, bytes) = [("fine", 0.9, 30), ("coarse", 0.5, 10), ("clumsy", 0.3, 20)][i % 3];
        format!("{arm},{:.4},{bytes}\n", quality + 0.001 * ((i * 17) % 61) as f64)
    });
    let place = place()
        .with("s.toml", &study)
        .with("results.csv", "arm,quality,bytes\n".to_owned() + &fine.collect::<String>());
    place.stdout(&["tell", "s.toml", "--csv", "results.csv"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!(json["stopped"], true);
    assert_eq!(json["samples"], 54);
    assert_eq!(json["front"][1]["name"], "coarse");
    assert_eq!(json["front"][1]["index"], 1);
    for (arm, verdict) in ["in", "in", "out"].into_iter().enumerate() {
        assert_eq!(json["arms"][arm]["verdict"], verdict);
        assert_eq!(json["arms"][arm]["n"], 18);
    }
}

#[test]
fn of_a_few_levels_no_variance_is_learned() {
    let place = place().with("s.toml", STUDY.replace("variance = 0.01\n", "")).with("results.csv", results());
    place.stdout(&["tell", "s.toml", "--csv", "results.csv"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!((&json["stopped"], &json["remarks"][0]["kind"]), (&false.into(), &"coarse".into()));
}

#[test]
fn a_worklist_is_filled_in_bit_by_bit() {
    let place = place();
    let output = place.run(&["ask", "s.toml", "-n", "3", "--csv=list.csv"]);
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @"3 tickets written to list.csv. Fill it in, then: surefront tell s.toml --csv list.csv");
    let list = std::fs::read_to_string(place.path("list.csv")).unwrap();
    assert_eq!(list, "ticket,arm,quality,bytes\n1,fine,,\n2,coarse,,\n3,clumsy,,\n");
    // As a spreadsheet would save it, with a column of its own.
    let filled = "\u{feff}ticket,arm,quality,bytes,who\r\n1,fine,0.9,30,me\r\n2,coarse,,,\r\n3,clumsy,0.3,20,me\r\n";
    std::fs::write(place.path("list.csv"), filled).unwrap();
    insta::assert_snapshot!(place.stdout(&["tell", "s.toml", "--csv", "list.csv"]), @r#"2 observations stored from list.csv, 1 row left open; not looked at: "who""#);
    std::fs::write(place.path("list.csv"), filled.replace("coarse,,", "coarse,0.5,10")).unwrap();
    insta::assert_snapshot!(place.stdout(&["tell", "s.toml", "--csv", "list.csv"]), @r#"1 observation stored from list.csv, 2 had been told before; not looked at: "who""#);
    assert_eq!(place.json(&["status", "s.toml", "--json"])["samples"], 3);
}

#[test]
fn the_order_of_asking_depends_on_the_seed_alone() {
    let asked = |chunks: &[&str]| {
        let place = place().with("results.csv", results());
        place.stdout(&["tell", "s.toml", "--csv", "results.csv"]);
        let ask = |n: &&str| {
            let json = place.json(&["ask", "s.toml", "-n", n, "--delta", "1e-30", "--seed", "7", "--json"]);
            json["tickets"].as_array().unwrap().iter().map(|ticket| ticket["arm"]["name"].clone()).collect::<Vec<_>>()
        };
        chunks.iter().flat_map(ask).collect::<Vec<_>>()
    };
    // Whoever asks in several goes gets what a single one would have got.
    assert_eq!(asked(&["40"]), asked(&["1", "2", "30", "7"]));
}

#[test]
fn an_exact_objective_holds_what_it_was_told() {
    let place = place();
    place.stdout(&["tell", "s.toml", "--arm", "fine", "0.9", "30"]);
    insta::assert_snapshot!(
        refusal(&place, &["tell", "s.toml", "--arm", "fine", "0.9", "31"]),
        @r#"error: s.db: arm "fine" was 30 in objective "bytes" and is 31 now, but the objective is said to be without noise: give it a variance"#
    );
}

#[test]
fn what_cannot_be_told() {
    let place = place();
    place.stdout(&["ask", "s.toml", "-n", "2"]);
    place.stdout(&["tell", "s.toml", "--ticket", "1", "0.9", "30"]);
    let cases: [(&str, &[&str]); 14] = [
        ("other values", &["tell", "s.toml", "--ticket", "1", "0.8", "30"]),
        ("unknown ticket", &["tell", "s.toml", "--ticket", "99", "0.8", "30"]),
        ("unknown arm", &["tell", "s.toml", "--arm", "course", "0.8", "30"]),
        ("too few values", &["tell", "s.toml", "--ticket", "2", "0.8"]),
        ("too many values", &["tell", "s.toml", "--ticket", "2", "0.8", "30", "40"]),
        ("text", &["tell", "s.toml", "--ticket", "2", "good", "30"]),
        ("NaN", &["tell", "s.toml", "--ticket", "2", "nan", "30"]),
        ("too large", &["tell", "s.toml", "--ticket", "2", "1e99", "30"]),
        ("unknown objective", &["tell", "s.toml", "--ticket", "2", "qualty=1", "bytes=30"]),
        ("one objective twice", &["tell", "s.toml", "--ticket", "2", "quality=1", "quality=2"]),
        ("failed after all", &["tell", "s.toml", "--ticket", "1", "--failed", "no"]),
        ("unknown observation", &["retract", "s.toml", "99"]),
        ("nothing to take back", &["retract", "s.toml", "--ticket", "2"]),
        ("no store yet", &["status", "s.toml", "--store", "other.db"]),
    ];
    insta::assert_snapshot!(transcript(cases.map(|(title, args)| (title, refusal(&place, args)))));
    let usage: [&[&str]; 4] = [
        &["tell", "s.toml", "0.9", "30"],
        &["tell", "s.toml", "--ticket", "1", "--arm", "fine", "0.9", "30"],
        &["tell", "s.toml", "--csv", "r.csv", "0.9"],
        &["retract", "s.toml"],
    ];
    for args in usage {
        assert_eq!(place.run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn results_that_are_refused_as_a_whole() {
    let cases = [
        ("empty", ""),
        ("neither ticket nor arm", "quality,bytes\n1,2\n"),
        ("missing column", "arm,quality\nfine,1\n"),
        ("semicolons", "arm;quality;bytes\nfine;1;2\n"),
        ("text", "arm,quality,bytes\nfine,0.9,30\nfine,good,30\n"),
        ("empty cell", "ticket,quality,bytes\n1,0.9,\n"),
        ("NaN", "arm,quality,bytes\nfine,NaN,30\n"),
        ("short row", "arm,quality,bytes\nfine,0.9,30\nfine,0.9\n"),
        ("unknown arm", "arm,quality,bytes\r\nfine,0.9,30\r\nfien,0.9,30\r\n"),
        ("no arm", "arm,quality,bytes\n,0.9,30\n"),
        ("ticket as text", "ticket,quality,bytes\none,0.9,30\n"),
        ("unknown ticket", "ticket,quality,bytes\n1,0.9,30\n99,0.9,30\n"),
        ("ticket of another arm", "ticket,arm,quality,bytes\n1,coarse,0.9,30\n"),
        ("two results of one ticket", "ticket,quality,bytes\n1,0.9,30\n1,0.8,30\n"),
        ("not exact", "arm,quality,bytes\nfine,0.9,30\nfine,0.9,31\n"),
    ];
    let place = place();
    place.stdout(&["ask", "s.toml", "-n", "2"]);
    insta::assert_snapshot!(transcript(cases.map(|(title, csv)| {
        std::fs::write(place.path("r.csv"), csv).unwrap();
        (title, refusal(&place, &["tell", "s.toml", "--csv", "r.csv"]))
    })));
    assert_eq!(place.json(&["status", "s.toml", "--json"])["samples"], 0);
}

#[test]
fn results_from_standard_input() {
    let place = place();
    let mut command = assert_cmd::Command::cargo_bin("surefront").unwrap();
    command.current_dir(place.0.path()).args(["tell", "s.toml", "--csv", "-"]).write_stdin(results());
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "36 observations stored from standard input\n");
}

#[test]
fn exports_are_files_as_well() {
    let place = place().with("results.csv", results());
    place.stdout(&["tell", "s.toml", "--csv", "results.csv"]);
    assert_eq!(place.stdout(&["export", "s.toml", "-o", "o.csv"]), "");
    let exported = std::fs::read_to_string(place.path("o.csv")).unwrap();
    assert_eq!(exported.lines().count(), 37);
    assert_eq!(place.stdout(&["export", "s.toml", "-o", "-"]), exported);
    let output = place.run(&["export", "s.toml", "-o", "none/o.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write none/o.csv"));
}
