//! Measurements that cost differently.

use super::{Place, STUDY, refusal};

/// `STUDY`, in which measuring the first arm costs ten times as much as the others.
fn dear() -> String {
    STUDY.replacen("mean = [", "cost = 10\nmean = [", 1)
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_bound_is_a_cost() {
    let place = Place::new().with("alike.toml", STUDY).with("dear.toml", dear());
    let alike = json(&place.stdout(&["bound", "alike.toml", "--json"]));
    let dear = json(&place.stdout(&["bound", "dear.toml", "--json"]));
    let upper = |bound: &serde_json::Value| bound["t_star"]["upper"].as_f64().unwrap();
    assert!(alike.get("mean_cost").is_none() && dear["mean_cost"].as_f64().unwrap() > 1.0, "{dear}");
    assert!(upper(&dear) > upper(&alike) && upper(&dear) < 10.0 * upper(&alike), "{dear} {alike}");
    assert!(dear["weights"][0].as_f64() < alike["weights"][0].as_f64());
    assert!(place.stdout(&["bound", "dear.toml"]).contains("= a cost of "));
}

#[test]
fn simulations_and_plans_count_it() {
    let place = Place::new().with("s.toml", dear());
    let found = json(&place.stdout(&["simulate", "s.toml", "--runs", "5", "--rule", "dual,uniform", "--json"]));
    let [dual, uniform] = [0, 1].map(|rule| found["rules"][rule].clone());
    // In turns, three samples cost twelve.
    let (cost, samples) = (uniform["mean_cost"].as_f64().unwrap(), uniform["mean"].as_f64().unwrap());
    assert!((cost / samples - 4.0).abs() < 0.2, "{uniform}");
    assert!(dual["mean_cost"].as_f64() > dual["mean"].as_f64() && found["cost_expected"].as_f64() > Some(0.0));
    let plan = json(&place.stdout(&["plan", "s.toml", "--runs", "0", "--json"]));
    assert_eq!((&plan["arms"][0]["cost"], &plan["arms"][1]["cost"]), (&10.0.into(), &1.0.into()));
    assert!(place.stdout(&["plan", "s.toml", "--runs", "0"]).contains("the least cost"));
    let message = refusal(&place, &["simulate", "s.toml", "--rule", "ape"]);
    assert!(message.contains("\"ape\" takes every measurement to cost the same"), "{message}");
}

/// Simulated arms: a budget ends the run, and everything counts what was spent.
#[test]
fn a_run_ends_when_the_cost_is_spent() {
    let place = Place::new().with("s.toml", dear().replace("[0.4, 20]", "[0.8999, 30]"));
    let output = place.run(&["run", "s.toml", "--max-cost", "200", "--no-report", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let answer = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((&answer["end"], &answer["cost"]["measured"]), (&"out of cost".into(), &false.into()));
    let spent = answer["cost"]["spent"].as_f64().unwrap();
    assert!((200.0..210.0).contains(&spent), "{answer}");
    let by_arm = answer["arms"].as_array().unwrap().iter();
    let total: f64 = by_arm.map(|arm| arm["n"].as_f64().unwrap() * arm["cost"].as_f64().unwrap()).sum();
    assert_eq!(total, spent);
    let status = String::from_utf8(place.run(&["status", "s.toml"]).stdout).unwrap();
    assert!(status.contains("That has taken a cost of 20"), "{status}");
    for bad in ["0", "-1", "nan", "inf", "much"] {
        let output = place.run(&["run", "s.toml", &format!("--max-cost={bad}")]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
    }
}

/// Where costs are measured, how long each measurement took is kept, and the slow arm is asked for less.
#[test]
fn measured_costs_are_times() {
    let study = "cost = \"measured\"\n[[objective]]\nname = \"gain\"\ngoal = \"max\"\nvariance = 1\n\
        [[arm]]\nname = \"quick\"\ncommand = \"echo gain=1.$((SUREFRONT_TICKET * 37 % 100))\"\n\
        [[arm]]\nname = \"slow\"\ncommand = \"sleep 0.3; echo gain=1.$((SUREFRONT_TICKET * 53 % 100))\"\n";
    let place = Place::new().with("s.toml", study);
    let output = place.run(&["run", "s.toml", "--max-samples", "16", "--no-report", "--json"]);
    let answer = json(&String::from_utf8(output.stdout).unwrap());
    let arm = |index: usize, key: &str| answer["arms"][index][key].as_f64().unwrap();
    assert!(arm(1, "cost") >= 0.3 && arm(0, "cost") < arm(1, "cost"), "{answer}");
    assert!(answer["cost"]["measured"].as_bool().unwrap());
    assert!(
        (arm(0, "n") * arm(0, "cost") + arm(1, "n") * arm(1, "cost")) / answer["cost"]["spent"].as_f64().unwrap()
            > 0.999
    );
    let message = refusal(&place, &["status", "s.toml", "--rule", "track-and-stop"]);
    assert!(message.contains("takes every measurement to cost the same"), "{message}");
}
