use std::fmt::Write;

use assert_cmd::Command;
use serde_json::{Value, json};

use super::{Place, refusal, transcript};

/// A number between −1 and 1 that looks drawn, always the same for the same place.
fn wave(place: usize) -> f64 {
    let mut bits = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Observations of four variants, always the same, around the arms' means.
fn samples(rounds: usize) -> String {
    const ARMS: [(&str, [f64; 2]); 4] =
        [("small", [0.80, 10.0]), ("large", [0.95, 40.0]), ("old", [0.75, 30.0]), ("mid", [0.90, 20.0])];
    let mut text = String::from("run,variant,accuracy,latency\n");
    for round in 0..rounds {
        for (arm, (name, [accuracy, latency])) in ARMS.into_iter().enumerate() {
            let wave = |objective: usize| wave(8 * round + 2 * arm + objective);
            let _ = writeln!(text, "{round},{name},{:.5},{:.4}", accuracy + 0.08 * wave(0), latency + 6.0 * wave(1));
        }
    }
    text
}

/// Enough rounds for a proof.
const ENOUGH: usize = 120;

const GOALS: [&str; 4] = ["--max", "accuracy", "--min", "latency"];

fn analyze(place: &Place, args: &[&str]) -> String {
    place.stdout(&[&["analyze", "r.csv"], &GOALS[..], args].concat())
}

fn analyze_json(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(&analyze(place, &[args, &["--json"]].concat())).unwrap()
}

#[test]
fn enough_samples_name_the_front() {
    insta::assert_snapshot!(analyze(&Place::new().with("r.csv", samples(ENOUGH)), &[]));
}

#[test]
fn too_few_samples_say_what_to_measure_next() {
    insta::assert_snapshot!(analyze(&Place::new().with("r.csv", samples(4)), &["--next", "50"]));
}

#[test]
fn the_json() {
    insta::assert_snapshot!(analyze(&Place::new().with("r.csv", samples(4)), &["--delta", "0.05", "--json"]));
}

/// Samples for which the stylized threshold is enough, and a proof is not to be had.
#[test]
fn what_is_not_proved_is_likely() {
    let place = Place::new().with("r.csv", samples(20));
    let args = [&["analyze", "r.csv"], &GOALS[..], &["--threshold", "stylized"]].concat();
    let screen = place.likely(&args);
    assert!(
        screen.contains("\nThe front is likely \"small\", \"large\", \"mid\", at δ = 0.1: not proved.\n"),
        "{screen}"
    );
    assert!(screen.contains("  likely out   likely dominated by \"mid\""), "{screen}");
    assert!(!screen.contains(": sure") && !screen.contains("certain"), "{screen}");
    let json: Value = serde_json::from_str(&place.likely(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!((&json["stopped"], &json["promise"]), (&json!(true), &json!("likely")));
    assert_eq!((&json["arms"][0]["verdict"], &json["arms"][0]["promise"]), (&json!("in"), &json!("likely")));

    // By default a proof is asked for, and some arms have one before the others.
    let json = analyze_json(&place, &[]);
    assert_eq!((&json["stopped"], &json["promise"]), (&json!(false), &json!("proved")));
    let assumptions: Vec<&str> =
        json["assumptions"].as_array().unwrap().iter().map(|words| words.as_str().unwrap()).collect();
    assert!(assumptions.contains(&"noise of unknown variance is Gaussian"), "{assumptions:?}");
    for arm in json["arms"].as_array().unwrap() {
        assert_eq!(arm["promise"].is_null(), arm["verdict"] == "undecided");
    }
}

/// Two equal values of each arm are no evidence, whatever the risk.
#[test]
fn four_rows_prove_nothing() {
    let place = Place::new().with("r.csv", "arm,x\na,1\na,1\nb,0\nb,0\n");
    for delta in ["0.1", "1e-12"] {
        let args = ["analyze", "r.csv", "--max", "x", "--delta", delta];
        let screen = place.stdout(&args);
        assert!(screen.contains(&format!("Not sure yet at δ = {delta} (no evidence yet)")), "{screen}");
        assert_eq!(screen.matches("undecided").count(), 2, "{screen}");
        let why =
            "- objective \"x\": each of the arms \"a\", \"b\" has had one value only. Equal repeats are no evidence";
        assert!(screen.contains(why), "{screen}");
    }
}

#[test]
fn the_shares_add_up() {
    let json = analyze_json(&Place::new().with("r.csv", samples(4)), &["--next", "77"]);
    let shares = json["next"].as_array().unwrap().iter().map(|share| share["samples"].as_u64().unwrap());
    assert_eq!(shares.sum::<u64>(), 77);
    let sure = analyze_json(&Place::new().with("r.csv", samples(ENOUGH)), &["--next", "77"]);
    assert_eq!((&sure["stopped"], &sure["next"]), (&json!(true), &json!([])));
}

#[test]
fn standard_input_is_a_dash() {
    let output = Command::cargo_bin("surefront")
        .unwrap()
        .args(["analyze", "-"])
        .args(GOALS)
        .write_stdin(samples(ENOUGH))
        .output()
        .unwrap();
    let screen = String::from_utf8(output.stdout).unwrap();
    assert!(screen.starts_with("standard input: 480 samples of 4 arms"), "{screen}");
}

#[test]
fn what_a_file_looks_like_changes_nothing() {
    let plain = samples(4);
    let arms = |text: &str| analyze_json(&Place::new().with("r.csv", text), &[])["arms"].clone();
    let expected = arms(&plain);
    let quoted = plain.replace("small", "\"small\"").replace("old", " \"old\" ");
    let looks = [
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\n\n"),
        plain.replace(',', ";"),
        plain.replace(',', "\t"),
        plain.replace(',', " , "),
        plain.trim_end().to_owned(),
        quoted,
    ];
    for look in looks {
        assert_eq!(arms(&look), expected, "{look}");
    }
}

#[test]
fn the_order_of_rows_changes_nothing_but_the_arms_order() {
    let text = samples(ENOUGH);
    let (header, rows) = text.split_once('\n').unwrap();
    let backwards = rows.lines().rev().fold(header.to_owned(), |text, row| text + "\n" + row);
    let by_name = |text: &str| {
        let json = analyze_json(&Place::new().with("r.csv", text), &[]);
        let mut arms: Vec<(String, Value, Value)> = json["arms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|arm| (arm["name"].as_str().unwrap().to_owned(), arm["mean"].clone(), arm["verdict"].clone()))
            .collect();
        arms.sort_by(|a, b| a.0.cmp(&b.0));
        (json["evidence"].as_f64().unwrap(), arms)
    };
    let ((evidence, arms), (other_evidence, other_arms)) = (by_name(&text), by_name(&backwards));
    assert_eq!(arms, other_arms);
    assert!((evidence - other_evidence).abs() < 1e-9 * evidence);
}

#[test]
fn the_noise_may_be_known() {
    let place = Place::new().with("r.csv", samples(4).replace("0.78", "0.80"));
    let evidence = |accuracy: &str, latency: &str| {
        let args = ["--variance", accuracy, "--variance", latency, "--threshold", "stylized"];
        analyze_json(&place, &args)["evidence"].as_f64().unwrap()
    };
    let small = evidence("accuracy=0.0025", "latency=1");
    let large = evidence("accuracy=0.25", "latency=100");
    assert!((small / large - 100.0).abs() < 1e-6, "{small} {large}");

    let sizes = "arm,seconds,bytes\nfast,1.0,30\nsmall,2.0,20\nfast,1.1,30\nsmall,2.2,20\n";
    let json = Place::new()
        .with("r.csv", sizes)
        .json(&["analyze", "r.csv", "--min", "seconds", "--min", "bytes", "--exact", "bytes", "--json"]);
    assert_eq!(json["arms"][0]["se"][1], 0.0);
    // Nothing can make the smaller file the larger one.
    assert_eq!(json["arms"][1]["verdict"], "in");
}

#[test]
fn many_arms_are_cut_short() {
    let mut text = String::from("arm,x,y\n");
    for arm in 0..60 {
        for round in 0..5 {
            let _ = writeln!(text, "a{arm},{},{}", arm * 10 + round % 3, arm * 10 - round % 2);
        }
    }
    let place = Place::new().with("r.csv", text);
    let args = ["analyze", "r.csv", "--max", "x", "--max", "y", "--variance", "x=1", "--variance", "y=1"];
    let screen = place.stdout(&args);
    assert!(screen.contains("\n  … and 20 more arms (20 out): --all shows them\n"), "{screen}");
    assert_eq!(screen.lines().filter(|line| line.starts_with("  a")).count(), 41);
    let screen = place.stdout(&[&args[..], &["--all"]].concat());
    assert_eq!(screen.lines().filter(|line| line.starts_with("  a")).count(), 61);
}

#[test]
fn a_column_with_a_new_arm_in_each_row_is_doubted() {
    let screen = Place::new()
        .with("r.csv", "id,accuracy,latency\nx1,0.5,10\nx2,0.6,20\nx3,0.7,30\n")
        .stdout(&[&["analyze", "r.csv"], &GOALS[..]].concat());
    insta::assert_snapshot!(screen);
}

#[test]
fn files_that_cannot_be_analyzed() {
    let cases: [(&str, &[u8]); 21] = [
        ("empty file", b""),
        ("blank lines", b"\n\r\n\n"),
        ("header only", b"arm,accuracy,latency\n"),
        ("missing column", b"arm,accuracy\na,1\n"),
        ("misspelt column", b"arm,acuracy,latency\na,1,2\n"),
        ("column twice", b"arm,accuracy,latency,latency\na,1,2,3\n"),
        ("no arm column", b"accuracy,latency\n1,2\n"),
        ("several columns with text", b"city,model,accuracy,latency\nRome,A,1,2\n"),
        ("no column with text", b"id,accuracy,latency\n1,1,2\n"),
        ("text for a number", b"arm,accuracy,latency\na,1,2\n\na,good,2\n"),
        ("empty cell", b"arm,accuracy,latency\na,,2\n"),
        ("infinite", b"arm,accuracy,latency\na,1,-inf\n"),
        ("overflow", b"arm,accuracy,latency\na,1,1e999\n"),
        ("more than something", b"arm,accuracy,latency\na,1,2\na,1,>200\n"),
        ("too large", b"arm,accuracy,latency\na,1,1e99\n"),
        ("short row", b"arm,accuracy,latency\na,1,2\nb,1\n"),
        ("long row", b"arm,accuracy,latency\na,1,2,3\n"),
        ("no arm", b"arm,accuracy,latency\na,1,2\n ,1,2\n"),
        ("open quote", b"arm,accuracy,latency\na,1,2\n\"b,1,2\nc,1,2\n"),
        ("arm not UTF-8", b"arm,accuracy,latency\na,1,2\ncaf\xe9,1,2\n"),
        ("header not UTF-8", b"arm,accuracy,latency,caf\xe9\na,1,2,3\n"),
    ];
    let args = [&["analyze", "r.csv"], &GOALS[..]].concat();
    let mut messages: Vec<_> =
        cases.into_iter().map(|(title, text)| (title, refusal(&Place::new().with("r.csv", text), &args))).collect();
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    for file in ["missing.csv", "folder"] {
        messages.push((file, refusal(&place, &[&["analyze", file], &GOALS[..]].concat())));
    }
    insta::assert_snapshot!(transcript(messages));
}

#[test]
fn options_that_contradict() {
    let place = Place::new().with("r.csv", samples(4));
    let cases: [(&str, &[&str]); 14] = [
        ("both goals", &["--max", "accuracy", "--min", "accuracy"]),
        ("twice", &["--max", "accuracy", "--max", "accuracy"]),
        ("exact twice", &["--max", "accuracy", "--exact", "accuracy", "--exact", "accuracy"]),
        ("exact is no objective", &["--max", "accuracy", "--exact", "latency"]),
        ("variance is no objective", &["--max", "accuracy", "--min", "latency", "--variance", "latancy=2"]),
        ("exact with a variance", &["--max", "accuracy", "--exact", "accuracy", "--variance", "accuracy=2"]),
        ("margin is no objective", &["--max", "accuracy", "--margin", "latency=1"]),
        ("statistic is no objective", &["--max", "accuracy", "--statistic", "latency=median"]),
        (
            "the median of what is exact",
            &["--max", "accuracy", "--exact", "accuracy", "--statistic", "accuracy=median"],
        ),
        (
            "a threshold for means",
            &[
                "--max",
                "accuracy",
                "--statistic",
                "accuracy=median",
                "--threshold",
                "stylized",
                "--arm-column",
                "variant",
            ],
        ),
        ("variance out of range", &["--max", "accuracy", "--variance", "accuracy=1e99"]),
        ("not exact", &["--max", "accuracy", "--exact", "accuracy"]),
        ("no such arm column", &["--max", "accuracy", "--arm-column", "varient"]),
        ("the arm is an objective", &["--max", "accuracy", "--arm-column", "accuracy"]),
    ];
    insta::assert_snapshot!(transcript(
        cases.map(|(title, args)| (title, refusal(&place, &[&["analyze", "r.csv"], args].concat())))
    ));
    for bad in ["accuracy=p0", "accuracy=p100", "accuracy=fast", "accuracy"] {
        let args = ["analyze", "r.csv", "--max", "accuracy", "--statistic", bad];
        assert_eq!(place.run(&args).status.code(), Some(2), "{bad}");
    }
    for args in [&[][..], &["--max", "accuracy", "--delta", "2"], &["--max", "accuracy", "--variance", "accuracy"]] {
        assert_eq!(place.run(&[&["analyze", "r.csv"], args].concat()).status.code(), Some(2), "{args:?}");
    }
}

/// Times with stalls, of which some never ended: the median is sure long before the mean would be.
#[test]
fn medians_can_bear_what_means_cannot() {
    let mut text = String::from("variant,milliseconds,bytes\n");
    for round in 0..60 {
        for (arm, (name, at)) in [("old", 14.0), ("new", 10.0), ("odd", 12.0)].into_iter().enumerate() {
            let time = match (7 * round + 3 * arm) % 20 {
                0 => "inf".to_owned(),
                1 => ">200".to_owned(),
                2 => "150.5".to_owned(),
                _ => format!("{:.3}", at + 2.0 * wave(3 * round + arm)),
            };
            let _ = writeln!(text, "{name},{time},{}", 100 + arm);
        }
    }
    let place = Place::new().with("t.csv", text);
    let args = ["analyze", "t.csv", "--min", "milliseconds", "--min", "bytes", "--exact", "bytes"];
    let medians = [&args[..], &["--statistic", "milliseconds=median"]].concat();
    insta::assert_snapshot!(place.stdout(&medians));
    insta::assert_snapshot!("medians_json", place.stdout(&[&medians[..], &["--json"]].concat()));
    insta::assert_snapshot!("p95", place.stdout(&[&args[..], &["--statistic", "milliseconds=p95"]].concat()));
    assert!(refusal(&place, &args).contains("compare a quantile"));
}

/// Two arms that nothing tells apart: without a margin they stay undecided, and the one that would settle them is named; with it, they are settled.
#[test]
fn ties_are_named_and_margins_settle_them() {
    let mut text = "arm,milliseconds,accuracy\n".to_owned();
    for round in 0..200 {
        for (arm, (name, time, accuracy)) in
            [("old", 14.0, 0.5), ("new", 10.0, 0.6), ("newer", 10.01, 0.6)].into_iter().enumerate()
        {
            let noise = |shift: usize| wave(5 * round + 3 * arm + shift);
            let _ = writeln!(text, "{name},{:.3},{:.4}", time + noise(0), accuracy + 0.1 * noise(7));
        }
    }
    let place = Place::new().with("t.csv", text);
    let args = ["analyze", "t.csv", "--min", "milliseconds", "--max", "accuracy"];
    let json: serde_json::Value = place.json(&[&args[..], &["--json"]].concat());
    let margins = json["tie"]["margins"].as_array().unwrap();
    let options: Vec<String> =
        margins.iter().map(|of| format!("--margin={}={}", of["objective"].as_str().unwrap(), of["margin"])).collect();
    assert!(!options.is_empty(), "{json}");
    let settled: Vec<&str> = args.into_iter().chain(options.iter().map(String::as_str)).collect();
    insta::assert_snapshot!("ties_with_margins", place.stdout(&settled));
    let percent = [&args[..], &["--margin", "milliseconds=5%", "--margin", "accuracy=10 %"]].concat();
    insta::assert_snapshot!("ties_with_percent", place.stdout(&percent));
}

/// The quick threshold needs four observations of each arm, and noise.
#[test]
fn the_quick_threshold_is_chosen_by_name() {
    let rows = |repeats: usize, noise: f64| {
        let row = |i: usize| {
            let wobble = noise * [0.0, 1.0, -1.0, 0.5][i % 4];
            format!("a,{},{}\nb,{},{}\n", 1.0 + wobble, 1.0 - wobble, wobble, -wobble)
        };
        format!("arm,x,y\n{}", (0..repeats).map(row).collect::<String>())
    };
    const ARGS: [&str; 9] = ["analyze", "r.csv", "--max", "x", "--max", "y", "--threshold", "calibrated", "--json"];
    let json: serde_json::Value =
        serde_json::from_str(&Place::new().with("r.csv", rows(12, 0.05)).likely(&ARGS)).unwrap();
    assert_eq!((&json["threshold_name"], &json["promise"]), (&"calibrated".into(), &"likely".into()));
    assert_eq!(json["other_threshold"]["threshold_name"], "certified");
    let undecided = |text: String| Place::new().with("r.csv", text).json(&ARGS)["stopped"] == false;
    assert!(undecided(rows(3, 0.0001)), "three observations");
    assert!(undecided(rows(12, 0.0)), "equal repeats");
}
