//! What programs are given.

use serde_json::{Value, json};
use surefront_study::file::results::Key;
use surefront_study::session::Session;
use surefront_study::status::Status;
use surefront_study::store::Access;

use crate::client::House;

#[test]
fn a_loop_asks_and_tells() {
    let house = House::open();
    let asked = house.post("/api/studies/codecs/ask", r#"{"n": 2}"#);
    assert_eq!(asked.status, 200, "{}", asked.text());
    let tickets = asked.json()["tickets"].clone();
    assert_eq!((tickets[0]["ticket"].clone(), tickets[1]["ticket"].clone()), (json!(1), json!(2)));
    assert!(tickets[0]["arm"].is_string(), "{tickets}");
    let told = r#"{"ticket": 1, "values": {"quality": 0.5, "bytes": 8}}"#;
    assert_eq!(
        house.post("/api/studies/codecs/tell", told).json(),
        json!({"stored": 1, "same": 0, "left_open": 0, "observation": 1})
    );
    assert_eq!(
        house.post("/api/studies/codecs/tell", told).json(),
        json!({"stored": 0, "same": 1, "left_open": 0, "observation": 1})
    );
    let other = house.post("/api/studies/codecs/tell", r#"{"ticket": 1, "values": [0.5, 9]}"#);
    assert_eq!(other.status, 409);
    assert!(other.detail().contains("ticket 1 was told 0.5, 8 already"), "{}", other.detail());
    let arm = house.post("/api/studies/codecs/tell", r#"{"arm": "fine", "values": [0.5, ">9"]}"#);
    assert_eq!(arm.status, 422, "{}", arm.text());
    let failed = house.post("/api/studies/codecs/tell", r#"{"ticket": 2, "failed": "spilt"}"#);
    assert_eq!((failed.status, failed.json()["stored"].clone()), (200, json!(0)));
    let retracted = house.post("/api/studies/codecs/retract", r#"{"observation": 1, "reason": "decimal point"}"#);
    assert_eq!(retracted.json(), json!({"retracted": [1], "reason": "decimal point"}));
    assert_eq!(house.post("/api/studies/codecs/retract", r#"{"observation": 1}"#).status, 409);
    let export = house.get("/api/studies/codecs/export?all=true").text();
    assert!(
        export.starts_with("observation,arm,ticket,told_at,source,retracted_at,retracted_reason,quality,bytes\n1,"),
        "{export}"
    );
    assert!(export.contains("decimal point"));
    assert_eq!(house.get("/api/studies/codecs/export?format=jsonl").text(), "");
}

#[test]
fn the_status_is_that_of_the_program() {
    let house = House::open();
    // Nothing was asked: looking makes no store.
    let nothing: Value = house.get("/api/studies/codecs").json();
    assert_eq!((nothing["samples"].clone(), nothing["study"].clone()), (json!(0), json!("codecs")));
    assert!(!house.path().join("codecs.db").exists());
    let mut session = Session::open(&house.study(), None, Access::Create).unwrap();
    for turn in 0..30 {
        for arm in 0..3 {
            session
                .tell(Key::Arm(arm), &[arm as f64 * 3.0 + f64::from(turn % 2) * 0.1, 5.0 * arm as f64], "test")
                .unwrap();
        }
    }
    let known = serde_json::to_value(Status::of(&mut session).unwrap()).unwrap();
    // As text, so that the numbers are those of the program to the last digit.
    let served: Value = house.get("/api/studies/codecs").json();
    assert_eq!(served, known);
    let list = house.get("/api/studies").json();
    assert_eq!((list["studies"][0]["id"].clone(), list["studies"][0]["samples"].clone()), (json!("codecs"), json!(90)));
    // Whatever others choose is what is shown.
    let wishes = surefront_study::session::Wishes { delta: Some(0.001), ..Default::default() };
    session.wish(wishes);
    session.ask(1, "test").unwrap();
    assert_eq!(house.get("/api/studies/codecs").json()["delta"], json!(0.001));
}

#[test]
fn nothing_more_is_asked_for_once_it_is_sure() {
    let house = House::open();
    let mut rows = "arm,quality,bytes\n".to_owned();
    for turn in 0..40 {
        for (arm, name) in ["fine", "coarse", "<script>alert(1)</script>"].iter().enumerate() {
            rows += &format!("{name},{},{}\n", 9.0 - 4.0 * arm as f64 + 0.1 * f64::from(turn % 3), 30 * arm);
        }
    }
    let told = house.request("POST", "/api/studies/codecs/tell", &[("content-type", "text/csv")], rows.as_bytes());
    assert_eq!(told.json(), json!({"stored": 120, "same": 0, "left_open": 0}));
    let asked = house.post("/api/studies/codecs/ask", "{}").json();
    assert_eq!(
        (asked["stopped"].clone(), asked["promise"].clone(), asked["tickets"].clone()),
        (json!(true), json!("proved"), json!([]))
    );
    assert_eq!(house.get("/api/studies/codecs").json()["front"][0]["name"], "fine");
}

#[test]
fn a_wrong_row_stores_nothing() {
    let house = House::open();
    let csv = b"arm,quality,bytes\nfine,1,2\nfine,x,2\n";
    let told = house.request("POST", "/api/studies/codecs/tell", &[("content-type", "text/csv")], csv);
    assert_eq!(told.status, 422);
    assert!(
        told.detail().contains("line 3") && told.detail().contains("nothing of this file was stored"),
        "{}",
        told.detail()
    );
    assert_eq!(house.get("/api/studies/codecs").json()["samples"], 0);
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let house = House::open();
    for (path, body, status, words) in [
        ("tell", r#"{"arm": "fin", "values": [1, 2]}"#, 422, "did you mean \"fine\"?"),
        ("tell", r#"{"arm": "fine", "values": {"quality": 1}}"#, 422, "\"bytes\" is missing"),
        ("tell", r#"{"arm": "fine", "values": {"quality": 1, "byte": 2}}"#, 422, "no objective \"byte\""),
        ("tell", r#"{"arm": "fine", "values": [1]}"#, 422, "one number for each of"),
        ("tell", r#"{"arm": "fine", "values": ["NaN", 1]}"#, 422, "give a finite number"),
        ("tell", r#"{"arm": "fine", "values": [1e999, 1]}"#, 400, "number out of range"),
        ("tell", r#"{"arm": "fine"}"#, 422, "\"values\" is missing"),
        ("tell", r#"{"values": [1, 2]}"#, 422, "name a \"ticket\" or an \"arm\""),
        ("tell", r#"{"ticket": 99, "values": [1, 2]}"#, 404, "there is no ticket 99"),
        ("tell", r#"{"arm": "fine", "values": [1, 2], "command": "rm"}"#, 400, "unknown field `command`"),
        ("ask", r#"{"n": 0}"#, 422, "1 to 10000"),
        ("ask", r#"{"n": -1}"#, 400, "not as it should be"),
        ("ask", r#"{"n": 1"#, 400, "not as it should be"),
        ("retract", r#"{"observation": 5}"#, 404, "there is no observation 5"),
        ("retract", "{}", 422, "name one of"),
        ("retract", r#"{"before": "soon"}"#, 422, "before: "),
    ] {
        let answer = house.post(&format!("/api/studies/codecs/{path}"), body);
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
        assert!(answer.detail().contains(words), "{body}: {}", answer.detail());
    }
    assert_eq!(house.get("/api/studies/none").status, 404);
    assert_eq!(house.get("/api/studies/codecs/report?format=pdf").status, 400);
    assert_eq!(house.get("/api/studies/codecs/export?form=csv").status, 400);
    let text = house.request("POST", "/api/studies/codecs/ask", &[("content-type", "application/xml")], b"<n/>");
    assert_eq!(text.status, 415);
    assert_eq!(
        house.request("DELETE", "/api/studies/codecs", &[("content-type", "application/json")], b"").status,
        405
    );
    // None of it left anything behind.
    assert_eq!(house.get("/api/studies/codecs").json()["samples"], 0);
}

#[test]
fn a_study_file_may_be_edited_meanwhile() {
    let house = House::open();
    assert_eq!(house.get("/api/studies/codecs").json()["arms"].as_array().unwrap().len(), 3);
    let edited = crate::client::STUDY.to_owned() + "[[arm]]\nname = \"late\"\n";
    std::fs::write(house.study(), edited).unwrap();
    assert_eq!(house.get("/api/studies/codecs").json()["arms"].as_array().unwrap().len(), 4);
    let told = house.post("/api/studies/codecs/tell", r#"{"arm": "late", "values": [1, 2]}"#);
    assert_eq!(told.status, 200, "{}", told.text());
    std::fs::write(house.study(), "[[objective]]\nname = 3\n").unwrap();
    let broken = house.get("/api/studies/codecs");
    assert_eq!(broken.status, 422);
    assert!(broken.detail().contains("line 2"), "{}", broken.detail());
    assert!(house.get("/api/studies").json()["studies"][0]["error"].as_str().unwrap().contains("line 2"));
}

#[test]
fn reports_come_in_all_formats() {
    let house = House::open();
    for (format, kind, begin) in [
        ("html", "text/html; charset=utf-8", "<!DOCTYPE html>"),
        ("md", "text/markdown; charset=utf-8", "# codecs"),
        ("json", "application/json", "{"),
        ("svg", "image/svg+xml", "<svg"),
    ] {
        let report = house.get(&format!("/api/studies/codecs/report?format={format}"));
        assert_eq!((report.status, report.header("content-type")), (200, Some(kind)));
        assert!(report.text().starts_with(begin), "{}", report.text());
        assert!(report.header("content-security-policy").unwrap().starts_with("default-src 'none'; style-src"));
    }
}
