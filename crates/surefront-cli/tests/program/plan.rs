use super::{Place, STUDY, assert_well_formed, refusal, transcript, vaccine};

#[test]
fn the_screen() {
    let place = Place::new().with("s.toml", STUDY);
    let args = ["plan", "s.toml", "--delta", "0.1,0.01,0.1", "--runs", "40", "--svg", "h.svg"];
    insta::assert_snapshot!(place.stdout(&args));
    let svg = std::fs::read_to_string(place.path("h.svg")).unwrap();
    assert_well_formed(&svg);
    assert_eq!(svg.matches("(dashed)").count(), 2);
}

#[test]
fn what_a_budget_settles() {
    let place = Place::new().with("s.toml", STUDY);
    let args = ["plan", "s.toml", "--delta", "0.1", "--runs", "40", "--budget", "300,20"];
    insta::assert_snapshot!(place.stdout(&args));
    let json = place.json(&[&args[..], &["--json"]].concat());
    let budgets = json["budgets"].as_array().unwrap();
    assert_eq!((&budgets[0]["budget"], &budgets[1]["budget"]), (&20.into(), &300.into()));
    assert!(budgets[0]["arms_settled"].as_f64() <= budgets[1]["arms_settled"].as_f64());
    assert!(budgets[0]["answered"].as_f64() <= budgets[1]["answered"].as_f64());
    let message = refusal(&place, &["plan", "s.toml", "--runs", "0", "--budget", "20"]);
    assert!(message.contains("runs is 0, but must be at least 1"), "{message}");
}

#[test]
fn the_bound_alone() {
    insta::assert_snapshot!(Place::new().stdout(&["plan", &vaccine(), "--runs", "0"]));
}

#[test]
fn the_json() {
    let place = Place::new().with("s.toml", STUDY);
    let json = place.json(&["plan", "s.toml", "--runs", "10", "--delta", "0.2,0.02", "--json"]);
    let bound = place.json(&["bound", "s.toml", "--json"]);
    assert_eq!(json["t_star"], bound["t_star"]);
    assert_eq!(json["front"], bound["front"]);
    for (plan, delta) in [(0, 0.2), (1, 0.02)] {
        let expected = json["plans"][plan]["samples_expected"].as_f64().unwrap();
        assert_eq!(json["plans"][plan]["delta"], delta);
        assert_eq!(json["plans"][plan]["simulated"]["runs"], 10);
        let arms = json["arms"].as_array().unwrap();
        let sum: f64 = arms.iter().map(|arm| arm["samples_expected"][plan].as_f64().unwrap()).sum();
        assert!((sum - expected).abs() < 1e-6 * expected, "{sum} {expected}");
    }
    let driver = &json["drivers"][0];
    assert_eq!(driver["kind"], "add");
    assert_eq!(driver["arm"], serde_json::json!({ "name": "clumsy", "index": 2 }));
    assert_eq!(driver["rival"]["name"], "coarse");
    assert_eq!(driver["objective"], serde_json::json!({ "name": "quality", "index": 0 }));
    assert!(driver["t_star_if_doubled"].as_f64().unwrap() < json["t_star"]["lower"].as_f64().unwrap());
}

#[test]
fn deltas_are_the_studys_or_the_usual_ones() {
    let deltas = |study: &str| {
        let json = Place::new().with("s.toml", study).json(&["plan", "s.toml", "--runs", "0", "--json"]);
        let plans = json["plans"].as_array().unwrap().iter();
        plans.map(|plan| plan["delta"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(deltas(STUDY), [0.05]);
    assert_eq!(deltas(&STUDY.replace("delta = 0.05\n", "")), [0.1, 0.05, 0.01]);
}

#[test]
fn the_simulation_is_that_of_simulate() {
    let place = Place::new().with("s.toml", STUDY);
    let plan = place.json(&[
        "plan",
        "s.toml",
        "--runs",
        "20",
        "--seed",
        "5",
        "--jobs",
        "1",
        "--threshold",
        "stylized",
        "--json",
    ]);
    let simulate =
        place.json(&["simulate", "s.toml", "--runs", "20", "--seed", "5", "--threshold", "stylized", "--json"]);
    for key in ["mean", "quantiles", "mistakes"] {
        assert_eq!(plan["plans"][0]["simulated"][key], simulate["rules"][0][key]);
    }
}

#[test]
fn another_threshold_is_simulated() {
    let place = Place::new().with("s.toml", STUDY);
    let mean = |threshold: &str| {
        let json = place.json(&["plan", "s.toml", "--runs", "10", "--threshold", threshold, "--json"]);
        assert_eq!(json["threshold"], threshold);
        json["plans"][0]["simulated"]["mean"].as_f64().unwrap()
    };
    assert!(mean("certified") > mean("calibrated"));
    assert!(mean("certified") > mean("stylized"));
    let screen = place.stdout(&["plan", "s.toml", "--runs", "2", "--threshold", "certified"]);
    assert!(screen.contains("the simulated studies stop by the certified one"), "{screen}");
}

/// The samples that a plan speaks of are those of `run` on the same study file.
#[test]
fn the_threshold_is_that_of_run() {
    let place = Place::new().with("s.toml", STUDY);
    let plan = place.json(&["plan", "s.toml", "--runs", "10", "--json"]);
    let run = place.json(&["run", "s.toml", "--no-report", "--json"]);
    assert_eq!(plan["threshold"], run["threshold_name"]);
    let simulated = &plan["plans"][0]["simulated"];
    assert_eq!(simulated["rule"], run["rule"]);
    assert_eq!(plan["plans"][0]["other_threshold"]["threshold"], run["other_threshold"]["threshold_name"]);
    // What the other would take is simulated: beside a proof it is the quick one, beside anything else the proof.
    let calibrated = place.json(&["plan", "s.toml", "--runs", "10", "--threshold", "calibrated", "--json"]);
    assert_eq!(plan["plans"][0]["other_threshold"]["threshold"], "calibrated");
    assert_eq!(plan["plans"][0]["other_threshold"]["samples_expected"], calibrated["plans"][0]["simulated"]["mean"]);
    let stylized = place.json(&["plan", "s.toml", "--runs", "10", "--threshold", "stylized", "--json"]);
    assert_eq!(stylized["plans"][0]["other_threshold"]["threshold"], "certified");
    assert_eq!(stylized["plans"][0]["other_threshold"]["samples_expected"], simulated["mean"]);
    // `simulate` stops by the same, and says so where it was told otherwise.
    let simulate = place.json(&["simulate", "s.toml", "--runs", "10", "--json"]);
    assert_eq!((&simulate["threshold"], &simulate["promise"]), (&plan["threshold"], &plan["promise"]));
    assert_eq!(simulate["rules"][0]["mean"], simulated["mean"]);
    let screen = place.stdout(&["simulate", "s.toml", "--runs", "2", "--threshold", "stylized"]);
    let words =
        "Stopped by the stylized threshold (likely, not proved); a study of these arms stops by the certified one";
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn what_cannot_change_needs_no_samples() {
    let exact = STUDY.replace("variance = 0.04", "noise = \"exact\"").replace("variance = 4", "variance = 0");
    let screen = Place::new().with("s.toml", exact).stdout(&["plan", "s.toml", "--runs", "2"]);
    assert!(screen.contains("T* = 0"), "{screen}");
}

#[test]
fn a_budget_that_is_too_small() {
    let place = Place::new().with("s.toml", STUDY);
    let output = place.run(&["plan", "s.toml", "--runs", "3", "--max-samples", "4"]);
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "no run came to an answer within 4 samples: raise --max-samples\n");
}

#[test]
fn studies_that_cannot_be_planned() {
    let cases = [
        ("no mean", STUDY.replace("mean = [0.4, 20]", "")),
        ("no variance", STUDY.replace("variance = 4\n", "")),
        ("same means", STUDY.replace("[0.5, 10]", "[0.9, 30]")),
    ];
    insta::assert_snapshot!(transcript(cases.map(|(title, study)| {
        let place = Place::new().with("s.toml", study);
        (title, refusal(&place, &["plan", "s.toml"]))
    })));
}
