use serde_json::Value;

use super::{Place, STUDY, vaccine};

#[test]
fn the_vaccine_bound_is_the_published_one() {
    let json = Place::new().json(&["bound", &vaccine(), "--json"]);
    let (lower, upper) = (json["t_star"]["lower"].as_f64().unwrap(), json["t_star"]["upper"].as_f64().unwrap());
    assert!(2103.74 < lower && lower <= upper && upper < 2103.76, "{lower} {upper}");
    assert!(upper - lower <= 1e-6 * lower);
    let weights: Vec<f64> = json["weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
    assert_eq!(weights.len(), 20);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(json["front"][1], serde_json::json!({ "name": "ChAd/ChAd + m1273", "index": 18 }));
}

#[test]
fn the_screen_shows_every_arm() {
    insta::assert_snapshot!(Place::new().stdout(&["bound", &vaccine(), "--tol", "1e-9"]));
}

#[test]
fn without_delta_there_is_no_hint() {
    let place = Place::new().with("s.toml", STUDY.replace("delta = 0.05", ""));
    assert!(!place.stdout(&["bound", "s.toml"]).contains('δ'));
}

#[test]
fn what_cannot_change_needs_no_samples() {
    let exact = STUDY.replace("variance = 0.04", "noise = \"exact\"").replace("variance = 4", "variance = 0");
    let place = Place::new().with("s.toml", exact);
    assert!(place.stdout(&["bound", "s.toml"]).contains("T* = 0"));
    let json = place.json(&["bound", "s.toml", "--json"]);
    assert_eq!(json["t_star"], serde_json::json!({ "lower": 0.0, "upper": 0.0 }));
}

#[test]
fn the_allocation_attains_the_bound() {
    let place = Place::new().with("s.toml", STUDY);
    let bound = place.stdout(&["bound", "s.toml", "--json"]);
    let place = place.with("best.json", &bound);
    let bound: Value = serde_json::from_str(&bound).unwrap();
    let json = place.json(&["transport", "s.toml", "--weights", "best.json", "--json"]);
    let attained = 1.0 / json["cost"].as_f64().unwrap();
    let upper = bound["t_star"]["upper"].as_f64().unwrap();
    assert!((attained - upper).abs() <= 1e-6 * upper, "{attained} {upper}");
}
