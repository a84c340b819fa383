use serde_json::Value;

use super::{Place, STUDY, vaccine};

/// The screen without the time, which is never the same twice.
fn screen(place: &Place, args: &[&str]) -> String {
    let mut text = place.stdout(args);
    if let Some(at) = text.find("\nMethod ") {
        let comma = at + text[at..].find(',').unwrap();
        text.truncate(comma);
        text += ", [time]\n";
    }
    text
}

#[test]
fn an_arm_comes_onto_the_front() {
    insta::assert_snapshot!(screen(&Place::new(), &["transport", &vaccine()]));
}

#[test]
fn an_arm_comes_to_be_dominated() {
    let place = Place::new().with("s.toml", STUDY).with("w.csv", "weight,arm\n0.01,fine\n1,coarse\n1,clumsy\n");
    insta::assert_snapshot!(screen(&place, &["transport", "s.toml", "--weights", "w.csv"]));
}

#[test]
fn nothing_can_change() {
    let exact = STUDY.replace("variance = 0.04", "noise = \"exact\"").replace("variance = 4", "variance = 0");
    let place = Place::new().with("s.toml", exact);
    insta::assert_snapshot!(screen(&place, &["transport", "s.toml"]));
    let json = place.json(&["transport", "s.toml", "--json"]);
    assert_eq!(json["cost"], Value::Null);
    assert_eq!(json["piece"], Value::Null);
    assert_eq!(json["front"][1]["name"], "coarse");
}

#[test]
fn json_has_the_promised_fields() {
    let json = Place::new().json(&["transport", &vaccine(), "--json"]);
    let numbers = |value: &Value| value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    let cost = json["cost"].as_f64().unwrap();
    let gradient = numbers(&json["gradient"]);
    assert_eq!(gradient.len(), 20);
    assert!((gradient.iter().sum::<f64>() / 20.0 - cost).abs() <= 1e-12 * cost);
    let alternative = json["alternative"].as_array().unwrap();
    assert_eq!(alternative.len(), 20);
    assert_eq!(numbers(&alternative[0]), [9.5, 6.86, 4.56]);
    assert!((numbers(&alternative[14])[2] - 4.955).abs() < 1e-9);
    assert_eq!(json["piece"]["kind"], "add");
    assert_eq!(json["piece"]["arms"], serde_json::json!([{ "name": "ChAd/ChAd + BNT Half", "index": 14 }]));
    assert_eq!(json["method"], "branch");
    assert!(json["micros"].as_f64().unwrap() > 0.0);
    let front: Vec<_> = json["front"].as_array().unwrap().iter().map(|arm| arm["index"].as_u64().unwrap()).collect();
    assert_eq!(front, [8, 18]);
}

#[test]
fn alternatives_are_in_the_objectives_own_units() {
    let place = Place::new().with("s.toml", STUDY);
    let json = place.json(&["transport", "s.toml", "--json"]);
    for row in json["alternative"].as_array().unwrap() {
        assert!(row[1].as_f64().unwrap() >= 10.0, "bytes are not turned around: {row}");
    }
}

#[test]
fn every_method_gives_the_same_cost() {
    let place = Place::new().with("s.toml", STUDY);
    let cost = |method| place.json(&["transport", "s.toml", "--json", "--method", method])["cost"].as_f64().unwrap();
    let auto = cost("auto");
    for method in ["branch", "cells", "sweep"] {
        assert!((cost(method) - auto).abs() <= 1e-9 * auto, "{method}");
    }
}

#[test]
fn weights_come_in_three_forms() {
    let place = Place::new()
        .with("s.toml", STUDY)
        .with("w.csv", "arm,weight\r\nclumsy,3\r\nfine,1\r\ncoarse,2\r\n")
        .with("w.txt", "1\n\n2\n3\n")
        .with("list.json", " [1, 2, 3.0]")
        .with("object.json", "{\"weights\": [1, 2, 3], \"front\": []}");
    let cost = |file| place.json(&["transport", "s.toml", "--json", "--weights", file])["cost"].as_f64().unwrap();
    for file in ["w.txt", "list.json", "object.json"] {
        assert_eq!(cost(file), cost("w.csv"), "{file}");
    }
}

#[test]
fn arms_come_from_a_csv_in_any_order_of_columns() {
    let (head, _) = STUDY.split_once("[[arm]]").unwrap();
    let csv = "\u{feff}bytes, arm ,command,quality\r\n30,fine,./f,0.9\r\n10,coarse,./c,0.5\r\n20,clumsy,./l,0.4\r\n";
    let place = Place::new()
        .with("s.toml", STUDY)
        .with("csv.toml", format!("arms = \"arms.csv\"\n{head}"))
        .with("arms.csv", csv);
    let answer = |study| {
        let mut json = place.json(&["transport", study, "--json"]);
        json["micros"] = Value::Null;
        json
    };
    assert_eq!(answer("s.toml"), answer("csv.toml"));
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_do_not_matter() {
    let windows = format!("\u{feff}{}", STUDY.replace('\n', "\r\n"));
    let place = Place::new().with("s.toml", STUDY).with("windows.toml", windows);
    assert_eq!(screen(&place, &["transport", "s.toml"]), screen(&place, &["transport", "windows.toml"]));
}
