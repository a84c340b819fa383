//! Results count in the order of asking, whoever tells them and whenever.

use super::{Place, STUDY};

#[test]
fn results_wait_for_earlier_tickets() {
    let place = Place::new().with("s.toml", STUDY);
    place.stdout(&["ask", "s.toml", "-n", "4"]);
    place.stdout(&["tell", "s.toml", "--ticket", "2", "0.5", "10"]);
    place.stdout(&["tell", "s.toml", "--ticket", "4", "0.9", "30"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!(
        (&json["samples"], &json["waiting"]["results"], &json["waiting"]["ticket"]),
        (&0.into(), &2.into(), &1.into())
    );
    assert_eq!(json["conditions"], serde_json::json!([]));
    let screen = place.stdout(&["status", "s.toml"]);
    assert!(screen.contains("2 results wait for ticket 1, which was asked for earlier"), "{screen}");
    // They are stored all the same.
    assert_eq!(place.stdout(&["export", "s.toml"]).lines().count(), 3);
    place.stdout(&["tell", "s.toml", "--ticket", "1", "--failed", "sample spilt"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!((&json["samples"], &json["waiting"]["ticket"]), (&1.into(), &3.into()));
    assert_eq!(json["conditions"][0]["kind"], "given up");
    place.stdout(&["tell", "s.toml", "--ticket", "3", "0.4", "20"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!((&json["samples"], &json["waiting"]), (&3.into(), &serde_json::Value::Null));
    let report = place.stdout(&["report", "s.toml", "--format", "md", "-o", "-"]);
    assert!(
        report.contains("## What the promise depends on\n\n- 1 ticket was given up: the promise holds"),
        "{report}"
    );
    let report = place.json(&["report", "s.toml", "--format", "json", "-o", "-"]);
    assert_eq!(report["answer"]["conditions"][0]["count"], 1);
}

#[test]
fn how_long_results_wait_is_said_once() {
    let place = Place::new().with("s.toml", STUDY);
    place.stdout(&["ask", "s.toml", "-n", "2", "--patience", "2d"]);
    place.stdout(&["tell", "s.toml", "--ticket", "2", "0.5", "10"]);
    let store = rusqlite::Connection::open(place.path("s.db")).unwrap();
    let sql = "UPDATE ticket SET asked_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-3 days')";
    assert_eq!(store.execute(sql, []).unwrap(), 2);
    place.stdout(&["ask", "s.toml"]);
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!((&json["samples"], &json["conditions"][0]["kind"]), (&1.into(), &"overdue".into()));
    let refused = place.run(&["ask", "s.toml", "--patience", "soon"]);
    assert_eq!(refused.status.code(), Some(2));
}

/// Arms that share a variance are known sooner: whoever says so after seeing the results may have said it because of them.
#[test]
fn a_variance_that_becomes_common_is_a_condition() {
    let unknown = STUDY.replace("variance = 0.04\n", "");
    let place = Place::new().with("s.toml", &unknown);
    place.stdout(&["tell", "s.toml", "--arm", "fine", "0.9", "30"]);
    let kinds = || {
        let status = place.json(&["status", "s.toml", "--json"]);
        let conditions = status["conditions"].as_array().unwrap().iter();
        conditions.map(|condition| condition["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(), ["unasked"]);
    std::fs::write(place.path("s.toml"), STUDY.replace("variance = 0.04", "variance = \"common\"")).unwrap();
    assert_eq!(kinds(), ["unasked", "noise"]);
}
