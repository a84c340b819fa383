use std::collections::BTreeMap;

use serde_json::Value;

use super::{Place, STUDY, assert_well_formed, refusal, transcript, vaccine};

/// The screen or the JSON, without what depends on the machine.
fn timeless(text: &str) -> String {
    let hide = |line: &str| match line.trim_start().split(':').next() {
        Some("\"seconds\"" | "\"micros_per_sample\"" | "\"times_faster_per_sample\"") => {
            format!("{}: [time],", line.split(':').next().unwrap())
        }
        _ => line.to_owned(),
    };
    text.lines().map(|line| hide(line) + "\n").collect()
}

/// A table without its column of times.
fn without_times(screen: &str) -> String {
    let header = screen.lines().find(|line| line.contains("µs/sample")).expect("a table");
    let chars = |line: &str| line.chars().collect::<Vec<_>>();
    let end = header[..header.find("µs/sample").unwrap() + "µs/sample".len()].chars().count();
    let begin = end - "µs/sample".len();
    let cut = |line: &str| {
        let line = chars(line);
        if line.len() < end {
            line.into_iter().collect()
        } else {
            [&line[..begin], &line[end..]].concat().into_iter().collect::<String>()
        }
    };
    let table_begins = screen.find(header).unwrap();
    let (table, rest) = screen[table_begins..].split_once("\n\n").unwrap();
    screen[..table_begins].to_owned() + &table.lines().map(|line| cut(line) + "\n").collect::<String>() + "\n" + rest
}

/// The runs by rule and number, without their times.
fn rows(csv: &str) -> BTreeMap<(String, u64), String> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("rule,run,samples,outcome,seconds"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        assert!(cells[4].parse::<f64>().unwrap() >= 0.0);
        ((cells[0].to_owned(), cells[1].parse().unwrap()), format!("{} {}", cells[2], cells[3]))
    };
    lines.map(row).collect()
}

fn exported(args: &[&str]) -> BTreeMap<(String, u64), String> {
    let place = Place::new().with("s.toml", STUDY);
    let base = ["simulate", "s.toml", "--rule", "dual,track-and-stop,ape", "--threshold", "stylized"];
    place.stdout(&[&base[..], &["--export-csv", "r.csv"], args].concat());
    rows(&std::fs::read_to_string(place.path("r.csv")).unwrap())
}

#[test]
fn the_screen() {
    let place = Place::new().with("s.toml", STUDY);
    let rules = "dual,track-and-stop,uniform,fixed,ape,dual";
    let args = ["simulate", "s.toml", "--rule", rules, "--runs", "40", "--threshold", "stylized"];
    insta::assert_snapshot!(without_times(&place.stdout(&args)));
}

#[test]
fn the_json() {
    let place = Place::new().with("s.toml", STUDY);
    let args = ["simulate", "s.toml", "--runs", "20", "--delta", "0.01", "--seed", "7", "--json"];
    insta::assert_snapshot!(timeless(&place.stdout(&args)));
}

#[test]
fn delta_is_the_studys_or_a_tenth() {
    let delta = |study: &str| {
        let json = Place::new().with("s.toml", study).json(&["simulate", "s.toml", "--runs", "1", "--json"]);
        json["delta"].as_f64().unwrap()
    };
    assert_eq!(delta(STUDY), 0.05);
    assert_eq!(delta(&STUDY.replace("delta = 0.05\n", "")), 0.1);
}

#[test]
fn threads_and_parts_change_nothing() {
    let whole = exported(&["--runs", "30", "--jobs", "1"]);
    assert_eq!(whole.len(), 90);
    assert_eq!(whole, exported(&["--runs", "30", "--jobs", "2"]));
    let mut parts = exported(&["--runs", "11"]);
    parts.extend(exported(&["--runs", "19", "--first-run", "11"]));
    assert_eq!(whole, parts);
    assert_ne!(whole, exported(&["--runs", "30", "--seed", "2"]));
}

#[test]
fn the_options_of_the_rules_reach_them() {
    let place = Place::new().with("s.toml", STUDY).with("w.csv", "arm,weight\nfine,1\ncoarse,1\nclumsy,9\n");
    let mean = |args: &[&str]| {
        let base = ["simulate", "s.toml", "--runs", "20", "--threshold", "stylized", "--json"];
        let json = place.json(&[&base, args].concat());
        json["rules"][0]["mean"].as_f64().unwrap()
    };
    let track_and_stop = |args: &[&str]| mean(&[&["--rule", "track-and-stop"], args].concat());
    let published = track_and_stop(&[]);
    assert_eq!(published, track_and_stop(&["--tracking", "d", "--refresh", "10"]));
    assert_ne!(published, track_and_stop(&["--tracking", "c"]));
    assert_ne!(published, track_and_stop(&["--refresh", "1"]));
    assert!(mean(&["--check", "40"]) > mean(&[]));
    let uniform = mean(&["--rule", "uniform"]);
    assert_eq!(uniform, mean(&["--rule", "fixed", "--allocation", "uniform"]));
    assert!(mean(&["--rule", "fixed"]) < uniform);
    assert!(mean(&["--rule", "fixed", "--allocation", "w.csv"]) > uniform);
}

#[test]
fn rows_on_standard_output_stand_alone() {
    let place = Place::new().with("s.toml", STUDY);
    let output = place.run(&["simulate", "s.toml", "--runs", "3", "--export-csv", "-"]);
    assert_eq!(rows(&String::from_utf8(output.stdout).unwrap()).len(), 3);
    assert!(String::from_utf8(output.stderr).unwrap().contains("mean ± s.e."));
}

#[test]
fn the_histogram_has_a_panel_for_each_rule() {
    let place = Place::new().with("s.toml", STUDY);
    let screen = place.stdout(&["simulate", "s.toml", "--rule", "dual,ape", "--runs", "9", "--svg", "h.svg"]);
    assert!(screen.ends_with("Plot written to h.svg\n"), "{screen}");
    let svg = std::fs::read_to_string(place.path("h.svg")).unwrap();
    assert_well_formed(&svg);
    assert!(svg.contains(">dual: 9 runs, mean ") && svg.contains(">ape: 9 runs, mean "));
}

#[test]
fn a_budget_that_is_too_small() {
    let place = Place::new();
    let base = ["simulate", &vaccine(), "--runs", "3"];
    let output = place.run(&[&base[..], &["--max-samples", "40", "--svg", "h.svg"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "no run came to an answer within 40 samples: raise --max-samples\n");
    insta::assert_snapshot!(without_times(&String::from_utf8(output.stdout).unwrap()));
    assert_well_formed(&std::fs::read_to_string(place.path("h.svg")).unwrap());

    // Some runs are short enough: they are the answer.
    let json = place.json(&[
        "simulate",
        &vaccine(),
        "--runs",
        "8",
        "--max-samples",
        "9000",
        "--threshold",
        "stylized",
        "--json",
    ]);
    let rule = &json["rules"][0];
    let undecided = rule["undecided"].as_u64().unwrap();
    assert!(0 < undecided && undecided < 8 && rule["mean"].as_f64().unwrap() < 9000.0, "{rule}");
    assert_eq!(rule["mistakes"], 0);
}

#[test]
fn nothing_to_find_out_takes_no_evidence() {
    let single = STUDY.split("[[arm]]\nname = \"coarse\"").next().unwrap();
    let json = Place::new().with("s.toml", single).json(&["simulate", "s.toml", "--runs", "2", "--json"]);
    assert_eq!(json["rules"][0]["mean"], 1.0);
    assert_eq!(json["rules"][0]["ratio_to_bound"], Value::Null);
}

#[test]
fn inputs_that_cannot_be_simulated() {
    let cases = [
        ("same means", STUDY.replace("[0.5, 10]", "[0.9, 30]"), &[][..]),
        ("tie in one objective", STUDY.replace("[0.4, 20]", "[0.5, 20]"), &[]),
        ("no mean", STUDY.replace("mean = [0.4, 20]", ""), &[]),
        ("no variance", STUDY.replace("variance = 4\n", ""), &[]),
        ("no allocation", STUDY.to_owned(), &["--rule", "fixed", "--allocation", "optimum"]),
        ("two results for one output", STUDY.to_owned(), &["--json", "--export-csv", "-"]),
    ];
    insta::assert_snapshot!(transcript(cases.map(|(title, study, args)| {
        let place = Place::new().with("s.toml", study);
        (title, refusal(&place, &[&["simulate", "s.toml"], args].concat()))
    })));
}

#[test]
fn budgets() {
    let place = Place::new().with("s.toml", STUDY);
    let args = ["simulate", "s.toml", "--budget", "50,10,200,10", "--rule", "dual,ege-sr,mocba", "--runs", "200"];
    insta::assert_snapshot!(place.stdout(&[&args[..], &["--svg", "b.svg"]].concat()));
    assert_well_formed(&std::fs::read_to_string(place.path("b.svg")).unwrap());
    let json = place.json(&[&args[..], &["--json"]].concat());
    assert_eq!(json["rules"][1]["rule"], "ege-sr");
    let budgets = json["rules"][1]["budgets"].as_array().unwrap();
    let sizes: Vec<u64> = budgets.iter().map(|at| at["budget"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [10, 50, 200]);
    for at in budgets {
        let [chance, low, high] = [&at["chance"], &at["chance_interval"]["lower"], &at["chance_interval"]["upper"]]
            .map(|x| x.as_f64().unwrap());
        assert!(low <= chance && chance <= high && at["runs"] == 200, "{at}");
    }
    // The rule for a budget, if none is named.
    let usual = place.json(&["simulate", "s.toml", "--budget", "30", "--runs", "10", "--json"]);
    assert_eq!((&usual["rules"][0]["rule"], usual["rules"].as_array().unwrap().len()), (&"dual".into(), 1));
}

#[test]
fn stops_of_the_rules_own() {
    let place = Place::new().with("s.toml", STUDY);
    let args = ["simulate", "s.toml", "--rule", "auer,psips,ape,dual", "--runs", "20", "--threshold", "stylized"];
    let screen = place.stdout(&[&args[..], &["--own-stop"]].concat());
    let sentence = "\"auer\", \"psips\", \"ape\": by the stop that the rule was published with, on its authors' word.";
    assert!(screen.contains(sentence), "{screen}");
    let means = |extra: &[&str]| -> Vec<f64> {
        let json = place.json(&[&args[..], extra, &["--json"]].concat());
        json["rules"].as_array().unwrap().iter().map(|rule| rule["mean"].as_f64().unwrap()).collect()
    };
    let (own, relaxed, threshold) = (means(&["--own-stop"]), means(&["--own-stop", "--ape-k", "1"]), means(&[]));
    assert!(own[0] > threshold[0] && own[2] > threshold[2] && own[3] == threshold[3], "{own:?} {threshold:?}");
    assert!(relaxed[2] < own[2] && relaxed[..2] == own[..2], "{relaxed:?} {own:?}");
}

#[test]
fn options_out_of_range() {
    let place = Place::new().with("s.toml", STUDY);
    let cases: [(&[&str], &str); 15] = [
        (&["--delta", "0"], "above 0 and below 1"),
        (&["--delta", "1"], "above 0 and below 1"),
        (&["--delta", "nan"], "above 0 and below 1"),
        (&["--runs", "0"], "0 is not in 1.."),
        (&["--max-samples", "0"], "0 is not in 1.."),
        (&["--refresh", "0"], "0 is not in 1.."),
        (&["--budget", "10,0"], "0 is not in 1.."),
        (&["--budget", "10", "--own-stop"], "cannot be used with"),
        (&["--own-stop", "--ape-epsilon=-1"], "write a number, 0 or more"),
        (&["--rule", "ege-sr"], "the rule \"ege-sr\" spends a budget, which it has to know in advance"),
        (&["--check", "0"], "0 is not in 1.."),
        (&["--jobs", "0"], "0 is not in 1.."),
        (
            &["--rule", "dul"],
            "[possible values: dual, track-and-stop, uniform, fixed, ape, weakest, auer, psips, ege-sr, ege-sh, mocba, e-cape, two-stage]\n\n  tip: a similar value exists: 'dual'",
        ),
        (&["--rule", "dual,best"], "invalid value 'best'"),
        (&["--threshold", "stylised"], "tip: a similar value exists: 'stylized'"),
    ];
    for (args, sentence) in cases {
        let output = place.run(&[&["simulate", "s.toml"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(sentence), "{message}");
    }
}

#[test]
fn outputs_are_opened_before_the_work() {
    let place = Place::new().with("s.toml", STUDY);
    for option in ["--svg", "--export-csv"] {
        let output = place.run(&["simulate", "s.toml", "--runs", "1000000000", option, "no/such/file"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write no/such/file"));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_shows_what_was_finished() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let place = Place::new().with("s.toml", STUDY);
    let args = "simulate s.toml --rule dual,uniform --runs 200000 --jobs 1 --export-csv r.csv".split(' ');
    let mut child = Command::new(env!("CARGO_BIN_EXE_surefront"))
        .args(args)
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It listens before the first run.
    while std::fs::read_to_string(place.path("r.csv")).map_or(0, |csv| csv.lines().count()) < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(errors.next().unwrap(), "finishing the runs under way; Ctrl-C again quits at once");
    let mut screen = String::new();
    child.stdout.take().unwrap().read_to_string(&mut screen).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));

    let finished = rows(&std::fs::read_to_string(place.path("r.csv")).unwrap()).len();
    assert!(screen.contains("mean ± s.e.") && screen.contains("\n  dual "), "{screen}");
    assert!(!screen.contains("\n  uniform "), "{screen}");
    let rest = 200_000 - finished;
    assert_eq!(
        errors.next().unwrap(),
        format!(
            "interrupted: {finished} of 200000 runs of dual are finished, go on with --rule dual --first-run {finished} \
             --runs {rest}; 0 of 200000 runs of uniform are finished, go on with --rule uniform --first-run 0 --runs 200000"
        )
    );
}
