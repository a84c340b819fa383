use super::Place;

const QUICK: [&str; 6] = ["--repeats", "2", "--cells-seconds", "0.01", "--seed", "5"];

fn quick<'a>(command: &[&'a str]) -> Vec<&'a str> {
    [&["reproduce"], command, &QUICK].concat()
}

/// Every element is closed, in order: enough to know that a viewer will show it.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn scaling_has_a_row_for_each_size_and_a_plot() {
    let place = Place::new();
    let json = place.json(&quick(&["scaling", "--json", "--max-objectives", "4", "--max-arms", "32"]));
    let rows = json["rows"].as_array().unwrap();
    let sizes: Vec<_> = rows.iter().map(|row| (row["objectives"].as_u64(), row["front_arms"].as_u64())).collect();
    let expected: Vec<_> = (2..=4).flat_map(|d| [4, 8, 16, 32].map(|p| (Some(d), Some(p)))).collect();
    assert_eq!(sizes, expected);
    assert_eq!(rows[11]["cell_count"], 6545);
    assert_eq!(rows[11]["published_cells_micros"], 6.8e6);
    for row in rows {
        assert_eq!(row["branch"]["instances"], 2);
        assert_eq!(row["sweep"].is_object(), row["objectives"] == 2);
    }
    assert_well_formed(&std::fs::read_to_string(place.path("scaling.svg")).unwrap());
}

#[test]
fn speedup_stands_beside_the_published_table() {
    let place = Place::new();
    let json = place.json(&quick(&["speedup", "--json", "--max-arms", "1024", "--svg", "s.svg"]));
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    assert_eq!(rows[8]["published"]["cells_per_sweep"], 87.3);
    assert!(rows[9]["published"].is_null());
    assert_well_formed(&std::fs::read_to_string(place.path("s.svg")).unwrap());
}

#[test]
fn a_row_without_cells_says_so() {
    let place = Place::new();
    let args = ["reproduce", "speedup", "--repeats", "1", "--cells-seconds", "0", "--max-arms", "8"];
    let screen = place.stdout(&args);
    assert_eq!(screen.matches("skipped (≈").count(), 2, "{screen}");
    assert!(screen.ends_with("Plot written to speedup.svg\n"), "{screen}");
}

#[test]
fn a_plot_that_cannot_be_written_is_refused_before_the_work() {
    let output = Place::new().run(&["reproduce", "scaling", "--svg", "no/such/place.svg"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("error: cannot write no/such/place.svg"), "{errors}");
}
