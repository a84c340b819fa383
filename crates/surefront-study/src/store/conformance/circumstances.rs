//! What is kept beside tickets and observations: the study as it was, how it was run and measured.

use surefront::{Memory, Progress};

use super::STUDY;
use super::contents::{counts, observations};
use super::shelf::Shelf;
use crate::store::{EditOf, LastSettings, Origin, Ticket};

pub(super) fn what_may_change_goes_on(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    store.write(|batch| batch.tell_arm(1, &[0.5, 10.0], "tell")).unwrap();
    let ticket = store.write(|batch| batch.ask(0, "ask")).unwrap();
    // The other order of arms and objectives, a new arm in front, another command, δ and name.
    let changed = r#"
        delta = 0.2
        [[objective]]
        name = "bytes"
        goal = "min"
        [[objective]]
        name = "quality"
        goal = "max"
        variance = 0.5
        [[arm]]
        name = "new"
        [[arm]]
        name = "coarse"
        command = ["./coarse", "-v"]
        [[arm]]
        name = "fine"
    "#;
    let mut store = shelf.open(changed).unwrap();
    assert_eq!(counts(&mut store), [0, 1, 0]);
    assert_eq!(observations(&mut store)[0].values, [10.0, 0.5]);
    assert_eq!(store.read(|view| view.outstanding()).unwrap(), [Ticket { arm: 2, ..ticket }]);
    // An arm of which nothing was told may go, and its tickets with it.
    let fewer = changed.replace("[[arm]]\n        name = \"fine\"", "");
    let mut store = shelf.open(&fewer).unwrap();
    assert!(store.read(|view| view.outstanding()).unwrap().is_empty());
}

pub(super) fn arms_left_out_can_be_taken_in_again(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    store.write(|batch| batch.drop_arm(1, "exit code 1")).unwrap();
    let dropped = store.read(|view| view.dropped()).unwrap();
    assert_eq!((dropped.len(), dropped[0].arm, dropped[0].reason.as_str()), (1, 1, "exit code 1"));
    assert!(store.write(|batch| batch.restore_arm(1)).unwrap());
    assert!(!store.write(|batch| batch.restore_arm(1)).unwrap());
    assert!(store.read(|view| view.dropped()).unwrap().is_empty());
}

pub(super) fn progress_is_recorded_once_per_cent_and_when_it_suffices(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let mut record = |samples: u64, evidence: f64| {
        store.write(|batch| batch.record_progress(samples, Progress::new(evidence, 5.0))).unwrap();
    };
    for (samples, evidence) in [(1000, 1.0), (1005, 1.1), (1011, 1.2), (1012, 5.1), (1013, 5.2), (1000, 1.0)] {
        record(samples, evidence);
    }
    record(2000, f64::INFINITY);
    let records = store.read(|view| view.progress()).unwrap();
    assert_eq!(records.iter().map(|record| record.samples).collect::<Vec<_>>(), [1000, 1011, 1012, 1000]);
}

pub(super) fn how_it_was_measured_is_kept(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let mut tell = |command: &str, jobs: u64, times: usize| {
        store
            .write(|batch| {
                let origin = Origin { source: "run", setup: Some(batch.setup(command, jobs)?), took: None };
                (0..times).try_for_each(|_| batch.tell_arm(1, &[0.5, 10.0], origin).map(drop))
            })
            .unwrap();
    };
    tell("./coarse", 1, 2);
    tell("./coarse -v", 1, 1);
    tell("./coarse", 1, 1);
    tell("./coarse", 4, 1);
    store.write(|batch| batch.tell_arm(1, &[0.5, 10.0], "tell")).unwrap();
    let measured = shelf.store().read(|view| view.measured()).unwrap();
    let ways: Vec<_> = measured.iter().map(|way| (way.arm, way.command.as_str(), way.jobs, way.count)).collect();
    assert_eq!(ways, [(1, "./coarse", Some(1), 3), (1, "./coarse -v", Some(1), 1), (1, "./coarse", Some(4), 1)]);
    assert!(measured[0].first_at <= measured[0].last_at);
}

pub(super) fn settings_and_memory_are_kept(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    assert_eq!(store.read(|view| view.last_settings()).unwrap(), LastSettings::default());
    let chosen = LastSettings {
        // All of its bits, as text.
        delta: Some(0.012_483_260_073_967_875),
        rule: Some("dual".to_owned()),
        threshold: Some("stylized".to_owned()),
        seed: Some(u64::MAX),
    };
    store.write(|batch| batch.keep_settings(&chosen)).unwrap();
    let memory: Memory = serde_json::from_str(
        r#"{"arm_count":2,"rule":{"Dual":{"rhythm":{"explore":10,"rounds":12}}},"rng":{"s":[1,2,3,4]}}"#,
    )
    .unwrap();
    store.write(|batch| batch.remember(&memory)).unwrap();
    let mut store = shelf.store();
    assert_eq!(store.read(|view| view.last_settings()).unwrap(), chosen);
    assert_eq!(store.read(|view| view.memory()).unwrap().as_ref(), Some(&memory));
    // Another δ in the file is a newer word than the one that was typed.
    let mut store = shelf.open(&STUDY.replace("0.05", "0.01")).unwrap();
    assert_eq!(store.read(|view| view.last_settings()).unwrap(), LastSettings { delta: None, ..chosen });
    // What a rule remembers, it remembers by the number of the arm.
    let mut store = shelf.open(&format!("{STUDY}[[arm]]\nname = \"new\"\n")).unwrap();
    assert_eq!(store.read(|view| view.memory()).unwrap(), None);
    store.write(|batch| batch.remember(&memory)).unwrap();
    store.write(|batch| batch.forget()).unwrap();
    assert_eq!(store.read(|view| view.memory()).unwrap(), None);
}

pub(super) fn what_is_changed_while_there_are_results_is_remembered(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let other = |text: &str| {
        text.replace("delta = 0.05", "delta = 0.01").replace("goal = \"max\"", "goal = \"max\"\nvariance = 0.5")
            + "[[arm]]\nname = \"new\"\nvariance = [2, 0]\n"
    };
    // Nothing could have been looked at.
    shelf.open(&other(STUDY)).unwrap();
    let mut back = shelf.open(STUDY).unwrap();
    assert_eq!(back.read(|view| view.edits()).unwrap(), []);
    store.write(|batch| batch.tell_arm(1, &[0.5, 10.0], "tell")).unwrap();
    shelf.open(&other(STUDY)).unwrap();
    let mut last = shelf.open(&other(STUDY).replace("[2, 0]", "[3, 0]")).unwrap();
    last.write(|batch| batch.keep_settings(&LastSettings { delta: Some(0.2), ..LastSettings::default() })).unwrap();
    let mut last = shelf.open(STUDY).unwrap();
    let edits = last.read(|view| view.edits()).unwrap();
    let said: Vec<_> = edits.iter().map(|edit| (edit.of, edit.name.as_str(), edit.before.as_str())).collect();
    assert_eq!(
        said,
        [
            // The arm itself was known from before.
            (EditOf::Noise, "quality", "unknown"),
            (EditOf::Delta, "", "0.05"),
            (EditOf::ArmNoise, "new", "bytes=exact; quality=2"),
            (EditOf::Delta, "", "0.01"),
            (EditOf::Noise, "quality", "0.5"),
            (EditOf::ArmRemoved, "new", ""),
            (EditOf::Delta, "", "0.2"),
        ]
    );
    shelf.open(&format!("{STUDY}[[arm]]\nname = \"newer\"\n")).unwrap();
    let edits = last.read(|view| view.edits()).unwrap();
    assert_eq!((edits.len(), edits[7].of, edits[7].name.as_str()), (8, EditOf::ArmAdded, "newer"));
}
