//! Numbers keep all of their bits, whichever way they come in.

use std::fs;

use super::Place;

/// Numbers that a reader of JSON in a hurry gets wrong in the last bit.
const NUMBERS: [&str; 4] = ["12483.260073967875", "0.30000000000000004", "8.41", "5.0e-324"];

const STUDY: &str = r#"[[objective]]
name = "x"
goal = "max"
variance = 1

[[arm]]
name = "a"

[[arm]]
name = "b"
"#;

fn exported(place: &Place) -> Vec<u64> {
    let csv = place.stdout(&["export", "s.toml"]);
    let bits = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap().to_bits();
    csv.lines().skip(1).map(bits).collect()
}

fn expected() -> Vec<u64> {
    NUMBERS.iter().map(|text| text.parse::<f64>().unwrap().to_bits()).collect()
}

#[test]
fn a_commands_line_of_json() {
    for number in NUMBERS {
        let study =
            STUDY.replace("name = \"a\"", &format!("name = \"a\"\ncommand = 'echo \"{{\\\"x\\\": {number}}}\"'"));
        let study = study.replace("name = \"b\"", "name = \"b\"\ncommand = \"echo x=1\"");
        let place = Place::new().with("s.toml", study);
        place.run(&["run", "s.toml", "--max-samples", "2", "--no-report", "--rule", "uniform"]);
        assert!(exported(&place).contains(&number.parse::<f64>().unwrap().to_bits()), "{number}");
    }
}

#[test]
fn values_typed_and_files_told() {
    let place = Place::new().with("s.toml", STUDY);
    for number in NUMBERS {
        place.stdout(&["tell", "s.toml", "--arm", "a", number]);
    }
    assert_eq!(exported(&place), expected());
    // What is exported can be told elsewhere, and is the same there.
    let csv = place.stdout(&["export", "s.toml"]);
    let other = Place::new().with("s.toml", STUDY).with("r.csv", csv.replace(",ticket,", ",nothing,"));
    other.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    assert_eq!(exported(&other), expected());
    // Lines of JSON as well.
    let jsonl = place.stdout(&["export", "s.toml", "--format", "jsonl"]);
    for (line, number) in jsonl.lines().zip(NUMBERS) {
        assert!(line.contains(&format!("{{\"x\":{}}}", serde_json::json!(number.parse::<f64>().unwrap()))), "{line}");
    }
}

/// A test's own dependencies may switch features on that the program does not have.
#[test]
fn every_crate_that_reads_json_asks_for_all_bits_itself() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut seen = 0;
    for folder in fs::read_dir(crates).unwrap() {
        let Ok(manifest) = fs::read_to_string(folder.unwrap().path().join("Cargo.toml")) else { continue };
        let lines = manifest.lines().filter(|line| line.starts_with("serde_json"));
        for line in lines {
            seen += 1;
            assert!(line.contains("float_roundtrip"), "{line}");
        }
    }
    assert!(seen > 1);
}
