//! Arms that have to keep limits, and objectives that are weighted sums.

use super::{Place, refusal};

/// "slow" would dominate all others, but for its limit; "faulty" fails too often.
const LIMITED: &str = "delta = 0.05\n\
    [[objective]]\nname = \"gain\"\ngoal = \"max\"\nvariance = 1\n\
    [[objective]]\nname = \"milliseconds\"\ngoal = \"min\"\nvariance = 100\nat_most = 200\n\
    [[constraint]]\nname = \"error rate\"\nnoise = \"bernoulli\"\nat_most = 0.3\n\
    [[arm]]\nname = \"good\"\nmean = [2, 150, 0.05]\n\
    [[arm]]\nname = \"poor\"\nmean = [0.5, 180, 0.05]\n\
    [[arm]]\nname = \"slow\"\nmean = [9, 240, 0.05]\n\
    [[arm]]\nname = \"faulty\"\nmean = [9, 100, 0.8]\n";

#[test]
fn a_study_ends_with_the_arms_that_keep_their_limits() {
    let place = Place::new().with("s.toml", LIMITED);
    let answer = place.json(&["run", "s.toml", "--no-report", "--json"]);
    assert_eq!(answer["front"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["front"][0]["name"], "good");
    let arm = |name: &str| answer["arms"].as_array().unwrap().iter().find(|arm| arm["name"] == name).unwrap().clone();
    assert_eq!((&arm("slow")["verdict"], &arm("slow")["limit"]), (&"out".into(), &"milliseconds".into()));
    let reason = arm("slow")["reason"].as_str().unwrap().to_owned();
    assert!(reason.starts_with("too much milliseconds: 2") && reason.ends_with("> 200"), "{reason}");
    assert_eq!(arm("faulty")["limit"], "error rate");
    assert_eq!(arm("poor")["rival"]["name"], "good");
    let objectives = answer["objectives"].as_array().unwrap();
    assert!(objectives[2]["goal"].is_null() && objectives[2]["at_most"] == 0.3, "{answer}");
    let status = place.stdout(&["status", "s.toml"]);
    assert!(
        status.contains("Wanted are only arms with milliseconds at most 200 and error rate at most 0.3."),
        "{status}"
    );
    assert!(status.contains("milliseconds ↓ ≤ 200"), "{status}");
    place.stdout(&["report", "s.toml", "--output", "r.md"]);
    let report = std::fs::read_to_string(place.path("r.md")).unwrap();
    assert!(
        report.contains("less is better, at most 200") && report.contains("dominated or beyond a limit"),
        "{report}"
    );
}

#[test]
fn every_experiment_knows_limits() {
    let place = Place::new().with("s.toml", LIMITED);
    let change = place.json(&["transport", "s.toml", "--json"]);
    assert!(["remove", "add", "infeasible"].contains(&change["piece"]["kind"].as_str().unwrap()), "{change}");
    let bound = place.json(&["bound", "s.toml", "--json"]);
    assert!(bound["t_star"]["upper"].as_f64() > Some(0.0) && bound["front"].as_array().unwrap().len() == 1, "{bound}");
    let found = place.json(&["simulate", "s.toml", "--runs", "5", "--rule", "dual,uniform,weakest", "--json"]);
    for rule in found["rules"].as_array().unwrap() {
        assert_eq!((&rule["mistakes"], &rule["undecided"]), (&0.into(), &0.into()), "{rule}");
    }
    assert!(place.stdout(&["plan", "s.toml", "--runs", "0"]).contains("from its limit of "));
    let near = LIMITED.replace("[2, 150, 0.05]", "[2, 199, 0.05]");
    let place = place.with("near.toml", near);
    assert_eq!(place.json(&["transport", "near.toml", "--json"])["piece"]["kind"], "infeasible");
    assert!(place.stdout(&["transport", "near.toml"]).contains("good comes to break a limit"));
    let checked = place.stdout(&["check", "s.toml"]);
    assert!(checked.contains("less, at most 200") && checked.contains("at most 0.3"), "{checked}");
}

#[test]
fn no_arm_is_an_answer() {
    let none = LIMITED.replace("at_most = 200", "at_most = 20");
    let place = Place::new().with("s.toml", none);
    let screen = place.stdout(&["run", "s.toml", "--no-report"]);
    assert!(screen.contains("No arm keeps the limits: sure, at δ = 0.05."), "{screen}");
}

#[test]
fn what_cannot_be_is_refused_by_line() {
    let cases = [
        ("at_most = 200", "at_most = nan", "at_most"),
        ("at_most = 0.3", "at_least = 0.4\nat_most = 0.3", "at least 0.4 and at most 0.3"),
        ("at_most = 0.3", "at_most = 1.5", "its mean can be"),
        ("at_most = 0.3\n", "", "has no limit"),
        ("at_most = 0.3", "at_most = \"low\"", "at_most"),
        ("name = \"error rate\"", "name = \"gain\"", "gain"),
        ("noise = \"bernoulli\"", "noise = \"bernoulli\"\ngoal = \"min\"", "goal"),
        ("noise = \"bernoulli\"", "noise = \"bernoulli\"\nstatistic = \"p95\"", "needs no kind of noise"),
    ];
    for (from, to, part) in cases {
        assert!(LIMITED.contains(from), "{from}");
        let place = Place::new().with("s.toml", LIMITED.replacen(from, to, 1));
        let message = refusal(&place, &["check", "s.toml"]);
        assert!(message.contains("s.toml, line ") && message.contains(part), "{to}: {message}");
    }
    let place = Place::new().with(
        "s.toml",
        format!("correlation = \"estimate\"\n{}", LIMITED.replace("noise = \"bernoulli\"", "variance = 1")),
    );
    // What has no oracle can be run, and what rests on one is refused.
    place.stdout(&["check", "s.toml"]);
    let message = refusal(&place, &["ask", "s.toml", "--rule", "dual"]);
    assert!(message.contains("limits and a correlation") && message.contains("\"certified\""), "{message}");
    // Another threshold or rule would not help those that rest on the bound.
    let helps = |message: &str| !message.contains("threshold") && message.contains("leave ");
    let given = "correlation = [[1, 0.3, 0], [0.3, 1, 0], [0, 0, 1]]";
    let place =
        Place::new().with("s.toml", format!("{given}\n{}", LIMITED.replace("noise = \"bernoulli\"", "variance = 1")));
    for command in ["bound", "simulate", "plan"] {
        let message = refusal(&place, &[command, "s.toml"]);
        assert!(message.contains("limits and a correlation") && helps(&message), "{command}: {message}");
    }
    let place = Place::new().with("s.toml", LIMITED.replace("at_most = 200", "at_least = 160"));
    for command in ["bound", "simulate", "plan"] {
        let message = refusal(&place, &[command, "s.toml"]);
        assert!(
            message.contains("\"milliseconds\" has a limit on its better side") && helps(&message),
            "{command}: {message}"
        );
    }
    let message = refusal(&place, &["transport", "s.toml"]);
    assert!(message.contains("a limit on its better side"), "{message}");
    let place = Place::new().with("s.toml", LIMITED);
    let message = refusal(&place, &["simulate", "s.toml", "--rule", "ape"]);
    assert!(message.contains("\"ape\" knows of no limits"), "{message}");
}

/// Samples that exist already.
#[test]
fn samples_are_held_against_limits() {
    let row = |k: u32| {
        let wobble = f64::from(k * 37 % 11) - 5.0;
        format!(
            "a,{},{},{}\nb,{},{},{}\n",
            5.0 + wobble / 10.0,
            150.0 + wobble,
            1.0 + wobble / 50.0,
            9.0 - wobble / 10.0,
            240.0 + wobble,
            1.0 - wobble / 50.0
        )
    };
    let rows: String = (0..60).map(row).collect();
    let place = Place::new().with("r.csv", format!("arm,gain,ms,load\n{rows}"));
    let base = ["analyze", "r.csv", "--max", "gain", "--min", "ms", "--json"];
    let args = |more: &[&'static str]| [&base[..], more].concat();
    let answer = place.json(&args(&["--at-most", "ms=200", "--constraint", "load", "--at-least", "load=0.5"]));
    assert_eq!(answer["front"][0]["name"], "a", "{answer}");
    assert_eq!(answer["arms"][1]["limit"], "ms", "{answer}");
    for (more, part) in [
        (&["--at-most", "mss=200"][..], "speaks of \"mss\""),
        (&["--at-most", "ms=fast"], "milliseconds=200"),
        (&["--constraint", "load"], "has no limit"),
        (&["--constraint", "ms", "--at-most", "ms=200"], "stands in --constraint"),
        (&["--at-least", "ms=200", "--at-least", "ms=100"], "twice"),
    ] {
        let output = place.run(&args(more));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}: {message}");
        assert!(message.contains(part), "{more:?}: {message}");
    }
}

/// A command prints what a sum is of.
#[test]
fn sums_are_made_of_what_is_printed() {
    let study = "[[objective]]\nname = \"net\"\ngoal = \"max\"\nvariance = 1\nof = { revenue = 1.0, cost = -2.0 }\n\
        [[objective]]\nname = \"cost\"\ngoal = \"min\"\nnoise = \"exact\"\n\
        [[arm]]\nname = \"a\"\ncommand = \"echo revenue=10 cost=3 other=1\"\n\
        [[arm]]\nname = \"b\"\ncommand = \"echo revenue=9 cost=4\"\n";
    let place = Place::new().with("s.toml", study);
    assert!(place.stdout(&["check", "s.toml"]).contains("revenue − 2 · cost"));
    let output = place.run(&["run", "s.toml", "--max-samples", "40", "--no-report", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["arms"][0]["mean"], serde_json::json!([4.0, 3.0]), "{answer}");
    assert_eq!(answer["arms"][1]["mean"], serde_json::json!([1.0, 4.0]));
    for (to, part) in [
        ("of = {}", "a sum of nothing"),
        ("of = { revenue = 0 }", "counts 0"),
        ("of = { revenue = \"1\" }", "revenue"),
        ("of = { revenue = 1 }\nmeasure = \"wall_seconds\"", "`of` and `measure`"),
    ] {
        let place = Place::new().with("s.toml", study.replace("of = { revenue = 1.0, cost = -2.0 }", to));
        let message = refusal(&place, &["check", "s.toml"]);
        assert!(message.contains("s.toml, line ") && message.contains(part), "{to}: {message}");
    }
    let place = Place::new().with("s.toml", study.replace("revenue=10 cost=3 other=1", "revenue=10"));
    let output = place.run(&["run", "s.toml", "--max-samples", "4", "--no-report"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no value for \"cost\""), "{message}");
}

/// Whoever tells results gives what is read, by name, in order or in a file; or the objectives, if all of them are named.
#[test]
fn sums_are_made_of_what_is_told() {
    let study = "[[objective]]\nname = \"net\"\ngoal = \"max\"\nvariance = 1\nof = { revenue = 1.0, cost = -2.0 }\n\
        [[objective]]\nname = \"seconds\"\ngoal = \"min\"\nvariance = 1\n\
        [[arm]]\nname = \"a\"\n[[arm]]\nname = \"b\"\n";
    let place = Place::new().with("s.toml", study).with("r.csv", "arm,seconds,cost,revenue\nb,7,1,8\n");
    let asked = place.stdout(&["ask", "s.toml", "-n", "4"]);
    assert!(asked.contains("with \"revenue\", \"cost\", \"seconds\" in this order"), "{asked}");
    place.stdout(&["tell", "s.toml", "--arm", "a", "10", "3", "5"]);
    place.stdout(&["tell", "s.toml", "--arm", "a", "cost=2", "seconds=6", "revenue=12"]);
    place.stdout(&["tell", "s.toml", "--arm", "a", "seconds=7", "net=0"]);
    place.stdout(&["tell", "s.toml", "--arm", "b", "--", "-1", "9"]);
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    place.stdout(&["ask", "s.toml", "--csv=work.csv"]);
    let worklist = std::fs::read_to_string(place.path("work.csv")).unwrap();
    assert!(worklist.starts_with("ticket,arm,revenue,cost,seconds\n"), "{worklist}");
    let status = place.json(&["status", "s.toml", "--json"]);
    // 10 − 2 · 3 = 4, 12 − 2 · 2 = 8 and 0 as it is; −1 as it is, and 8 − 2 · 1 = 6.
    assert_eq!(status["arms"][0]["mean"], serde_json::json!([4.0, 6.0]), "{status}");
    assert_eq!(status["arms"][1]["mean"], serde_json::json!([2.5, 8.0]), "{status}");
    let message = refusal(&place, &["tell", "s.toml", "--arm", "a", "revenue=1", "seconds=2"]);
    assert!(message.contains("\"revenue\", \"cost\", \"seconds\""), "{message}");
    let message = refusal(&place, &["tell", "s.toml", "--arm", "a", "1", ">2", "3"]);
    assert!(message.contains("\"cost\" is only known to be more than something"), "{message}");
}

/// 95 % within a limit: whatever the law of the times.
#[test]
fn the_tail_of_the_times_is_limited() {
    let study = "delta = 0.05\n[[objective]]\nname = \"gain\"\ngoal = \"max\"\nvariance = 1\n\
        [[constraint]]\nname = \"milliseconds\"\nstatistic = \"p95\"\nvariance = 400\nat_most = 200\n\
        [[arm]]\nname = \"quick\"\nmean = [1, 150]\n[[arm]]\nname = \"slow\"\nmean = [5, 240]\n";
    let place = Place::new().with("s.toml", study);
    let answer = place.json(&["run", "s.toml", "--no-report", "--json"]);
    assert_eq!(answer["front"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["front"][0]["name"], "quick", "{answer}");
    assert_eq!(answer["arms"][1]["limit"], "milliseconds", "{answer}");
}
