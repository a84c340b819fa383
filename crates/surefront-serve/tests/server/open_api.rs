//! The description against the routes.

use crate::client::House;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

#[test]
fn every_described_address_is_there_and_no_other() {
    let house = House::open();
    let description = house.get("/api/openapi.json").json();
    assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    let paths = description["paths"].as_object().unwrap();
    // What the sources route and what the description has are the same.
    let source = include_str!("../../src/api/mod.rs");
    let routed: Vec<(&str, bool)> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix(".route(\"")?.split_once("\", "))
        .map(|(path, handler)| (path, handler.starts_with("post")))
        .collect();
    assert_eq!(routed.len(), paths.len());
    for (path, posts) in routed {
        let described = paths.get(path).unwrap_or_else(|| panic!("{path} is not described")).as_object().unwrap();
        for method in METHODS {
            let wanted = method == if posts { "post" } else { "get" };
            assert_eq!(described.contains_key(method), wanted, "{method} {path}");
            if path.ends_with("/events") && wanted {
                continue;
            }
            let body = if posts { "{}" } else { "" };
            let headers = [("content-type", "application/json")];
            let address = path.replace("{id}", "codecs");
            let answer = house.request(&method.to_uppercase(), &address, &headers, body.as_bytes());
            assert_eq!(answer.status != 405, wanted, "{method} {address}: {}", answer.status);
            assert!(answer.status < 500 && answer.status != 404, "{method} {address}: {}", answer.status);
        }
    }
}

#[test]
fn answers_have_the_fields_that_are_described() {
    let house = House::open();
    let schemas = house.get("/api/openapi.json").json()["components"]["schemas"].clone();
    let answers = [
        ("Studies", house.get("/api/studies").json()),
        ("Status", house.get("/api/studies/codecs").json()),
        ("Tickets", house.post("/api/studies/codecs/ask", r#"{"n": 1}"#).json()),
        ("Told", house.post("/api/studies/codecs/tell", r#"{"ticket": 1, "values": [1, 2]}"#).json()),
        ("Retracted", house.post("/api/studies/codecs/retract", r#"{"ticket": 1}"#).json()),
        ("Problem", house.get("/api/studies/none").json()),
        ("Summary", house.get("/api/studies").json()["studies"][0].clone()),
    ];
    for (name, answer) in answers {
        let schema = &schemas[name];
        for field in schema["required"].as_array().unwrap() {
            assert!(answer.get(field.as_str().unwrap()).is_some(), "{name} without {field}: {answer}");
        }
        if name != "Status" {
            for field in answer.as_object().unwrap().keys() {
                assert!(schema["properties"].get(field).is_some(), "{name}: {field} is not described");
            }
        }
    }
}
