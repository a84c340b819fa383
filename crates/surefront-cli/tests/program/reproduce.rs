use super::{Place, assert_well_formed, refusal};

const QUICK: [&str; 6] = ["--repeats", "2", "--cells-seconds", "0.01", "--seed", "5"];

fn quick<'a>(command: &[&'a str]) -> Vec<&'a str> {
    [&["reproduce"], command, &QUICK].concat()
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

#[test]
fn vaccine_stands_beside_the_published_runs() {
    let place = Place::new();
    let json = place.json(&["reproduce", "vaccine", "--runs", "3", "--rules", "fixed,dual,dual", "--json"]);
    let upper = json["t_star"]["upper"].as_f64().unwrap();
    assert!(2103.74 < upper && upper < 2103.76, "{upper}");
    for arm in json["weights"].as_array().unwrap() {
        let (weight, published) = (arm["weight"].as_f64().unwrap(), arm["published"].as_f64().unwrap());
        // Two digits were printed, from a numerical optimum of its own.
        assert!((weight - published).abs() <= 0.06 * published, "{arm}");
    }
    assert_eq!(json["published"]["mean"], 17_909.525);
    let rules = json["rules"].as_array().unwrap();
    assert_eq!((rules.len(), &rules[0]["rule"], &rules[1]["rule"]), (2, &"fixed".into(), &"dual".into()));
    for rule in rules {
        assert_eq!((&rule["runs"], &rule["undecided"]), (&3.into(), &0.into()));
    }
    assert_well_formed(&std::fs::read_to_string(place.path("vaccine.svg")).unwrap());
}

#[test]
fn track_and_stop_has_both_steps_and_its_distance_to_the_published_runs() {
    let place = Place::new();
    let args = ["reproduce", "vaccine", "--runs", "2", "--rules", "track-and-stop,dual"];
    let json = place.json(&[&args[..], &["--json"]].concat());
    let rules = json["rules"].as_array().unwrap();
    let names: Vec<&str> = rules.iter().map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert_eq!(names, ["track-and-stop", "dual", "track-and-stop, authors' step"]);
    for (rule, has) in rules.iter().zip([true, false, true]) {
        assert_eq!(rule["distance_to_published"]["p"].as_f64().is_some(), has, "{rule}");
    }
    let screen = place.stdout(&args);
    assert!(screen.contains("  track-and-stop, authors' step: D = "), "{screen}");
}

#[test]
fn the_vaccine_screen_has_the_published_figures() {
    let screen = Place::new().stdout(&["reproduce", "vaccine", "--runs", "1", "--rules", "fixed", "--jobs", "1"]);
    for figure in
        ["(published 2103.78)", "17,910 ± 303", "6,025   10,575   15,125   21,231   38,601", "≈ 86 h", "39,000"]
    {
        assert!(screen.contains(figure), "{figure}: {screen}");
    }
    assert!(screen.ends_with("Plot written to vaccine.svg\n"));
}

#[test]
fn suite_has_24_instances_and_a_summary_of_each_rule() {
    let place = Place::new();
    let json = place.json(&["reproduce", "suite", "--runs", "1", "--rules", "fixed,dual", "--json"]);
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 48);
    assert_eq!((&rows[47]["arms"], &rows[47]["objectives"]), (&40.into(), &4.into()));
    assert!(rows.iter().all(|row| row["t_star"].as_f64().unwrap() < 5000.0));
    let overall = json["rules"].as_array().unwrap();
    assert_eq!((&overall[1]["rule"], &overall[1]["runs"]), (&"dual".into(), &24.into()));
    let ratios = rows.iter().filter(|row| row["rule"] == "dual").map(|row| row["ratio_to_bound"].as_f64().unwrap());
    let geometric_mean = (ratios.map(f64::ln).sum::<f64>() / 24.0).exp();
    assert!((overall[1]["geometric_mean_ratio"].as_f64().unwrap() - geometric_mean).abs() < 1e-9);
    assert_well_formed(&std::fs::read_to_string(place.path("suite.svg")).unwrap());
    // All of it once more, for the screen alone: for whoever has the time.
    if std::env::var_os("SUREFRONT_TESTS").is_none_or(|tests| tests != "long") {
        return;
    }
    let screen = place.stdout(&["reproduce", "suite", "--runs", "1", "--rules", "fixed"]);
    assert!(
        screen.contains("geometric mean of the ratio") && screen.ends_with("Plot written to suite.svg\n"),
        "{screen}"
    );
}

#[test]
fn variances_known_and_unknown_face_the_same_instances() {
    let place = Place::new();
    let quick = ["reproduce", "variances", "--runs", "2"];
    let json = place.json(&[&quick[..], &["--json"]].concat());
    assert_eq!((&json["threshold"], &json["rule"]), (&"stylized".into(), &"dual".into()));
    let rows = json["rows"].as_array().unwrap();
    let sizes: Vec<_> = rows.iter().map(|row| (row["arms"].as_u64(), row["objectives"].as_u64())).collect();
    let by_size = [5, 20, 50].into_iter().flat_map(|k| [2, 3].map(|d| [(Some(k), Some(d)); 3])).flatten();
    assert_eq!(sizes, by_size.chain([(None, None); 3]).collect::<Vec<_>>());
    for (row, noise) in rows.iter().zip(["gaussian", "heavy tails", "variances by arm"].into_iter().cycle()) {
        assert_eq!(row["noise"], noise);
        let runs = if row["arms"].is_null() { 12 } else { 2 };
        for side in [&row["known"], &row["unknown"]] {
            assert_eq!((&side["runs"], &side["undecided"]), (&runs.into(), &0.into()), "{row}");
        }
        let mean = |side: &str| row[side]["mean"].as_f64().unwrap();
        assert!((row["ratio"].as_f64().unwrap() - mean("unknown") / mean("known")).abs() < 1e-9, "{row}");
    }
    let screen = place.stdout(&quick);
    assert_eq!(screen.lines().filter(|line| line.contains("heavy tails")).count(), 7, "{screen}");
    assert!(screen.contains("δ = 0.1, stylized threshold, rule dual.\n"), "{screen}");
}

#[test]
fn guarantees_are_put_to_the_test_under_all_thresholds() {
    let place = Place::new();
    let quick = ["reproduce", "guarantees", "--runs", "12"];
    let json = place.json(&[&quick[..], &["--only", "20 objectives", "--json"]].concat());
    let rows = json["rows"].as_array().unwrap();
    let found: Vec<_> = rows.iter().map(|row| (row["threshold"].as_str(), row["promised"].as_str())).collect();
    let expected = [("certified", "kept"), ("calibrated", "kept"), ("stylized", "broken")];
    assert_eq!(found, expected.map(|(threshold, promised)| (Some(threshold), Some(promised))));
    // No number of equal repeats is evidence, and what is beyond all assumptions is remarked upon.
    let json = place.json(&[&quick[..], &["--only", "four rows", "--json"]].concat());
    assert!(json["rows"].as_array().unwrap().iter().all(|row| row["undecided"] == 12), "{json}");
    let screen = place.stdout(&[&quick[..], &["--only", "exponential, mean 1", "--thresholds", "certified"]].concat());
    assert!(screen.starts_with("Laws beyond what is assumed") && screen.contains("  none "), "{screen}");
    let failure = refusal(&place, &[&quick[..], &["--only", "weather"]].concat());
    assert!(failure.contains("only is \"weather\"") && failure.contains("\"four rows: 1, 1 and 0, 0\""), "{failure}");
}

#[test]
fn speed_has_the_vaccine_instance_first_and_a_row_for_each_size() {
    let place = Place::new();
    let quick = ["reproduce", "speed", "--rounds", "200", "--eager-rounds", "50", "--max-arms", "100"];
    let json = place.json(&[&quick[..], &["--json", "--eager-seconds", "1000"]].concat());
    assert_eq!((&json["experiment"], &json["rounds"]), (&"speed".into(), &200.into()));
    let rows = json["rows"].as_array().unwrap();
    assert_eq!((&rows[0]["instance"], &rows[0]["front_arms"]), (&"vaccine".into(), &2.into()));
    let sizes: Vec<_> = rows.iter().map(|row| (row["arms"].as_u64(), row["objectives"].as_u64())).collect();
    let random = [20, 100].into_iter().flat_map(|k| [2, 3, 5].map(|d| (Some(k), Some(d))));
    let expected: Vec<_> = std::iter::once((Some(20), Some(3))).chain(random).collect();
    assert_eq!(sizes, expected);
    for row in rows {
        assert_eq!((&row["rounds"], &row["eager"]["ran"]["rounds"]), (&200.into(), &50.into()));
        for time in [&row["lazy_micros_per_round"], &row["eager"]["ran"]["times_faster"]] {
            assert!(time.as_f64().unwrap() > 0.0, "{row}");
        }
        let arms = row["arms"].as_f64().unwrap();
        assert!((0.0..arms).contains(&row["pieces_per_round"].as_f64().unwrap()), "{row}");
        assert_eq!(row["memory_megabytes"].is_f64(), cfg!(target_os = "linux"), "{row}");
    }
    // One size is no growth.
    assert_eq!(json["slopes"], serde_json::json!([]));
    assert_well_formed(&std::fs::read_to_string(place.path("speed.svg")).unwrap());
}

#[test]
fn speed_without_time_for_the_eager_oracle_says_so() {
    let place = Place::new();
    let args = ["reproduce", "speed", "--rounds", "20", "--max-arms", "20", "--eager-seconds", "0", "--svg", "s.svg"];
    let screen = place.stdout(&args);
    assert_eq!(screen.matches("skipped (≈").count(), 4, "{screen}");
    assert!(screen.ends_with("Plot written to s.svg\n"), "{screen}");
}

#[test]
fn analyze_reads_what_it_wrote() {
    let place = Place::new();
    let json = place.json(&["reproduce", "analyze", "--rows", "3000", "--arms", "7", "--objectives", "2", "--json"]);
    let found = ["rows", "arms", "objectives"].map(|key| json[key].as_u64().unwrap());
    assert_eq!(found, [3000, 7, 2]);
    assert!(json["rows_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(place.stdout(&["reproduce", "analyze", "--rows", "3000"]).lines().count(), 3);
}

#[test]
fn the_store_holds_all_that_was_told() {
    let place = Place::new();
    let json = place.json(&["reproduce", "store", "--tells", "5", "--rows", "500", "--processes", "3", "--json"]);
    let rows = json["rows"].as_array().unwrap();
    let observations: Vec<_> = rows.iter().map(|row| row["observations"].as_u64().unwrap()).collect();
    assert_eq!(observations, [5, 5, 500, 15]);
    assert_eq!(std::fs::read_dir(place.0.path()).unwrap().count(), 0, "nothing is left behind");
}
