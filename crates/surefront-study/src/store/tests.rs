//! Stores as the commands use them.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rusqlite::Connection;
use surefront::{Memory, Progress};
use tempfile::TempDir;

use super::*;

const STUDY: &str = r#"
name = "codecs"
delta = 0.05
[[objective]]
name = "quality"
goal = "max"
[[objective]]
name = "bytes"
goal = "min"
noise = "exact"
[[arm]]
name = "fine"
[[arm]]
name = "coarse"
command = "./coarse"
"#;

/// A place for one store.
struct Shelf(TempDir);

impl Shelf {
    fn new() -> Self {
        Shelf(TempDir::new().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("s.db")
    }

    fn open(&self, study: &str) -> Result<Store, String> {
        let file = StudyFile::built_in("s.toml", study).unwrap();
        let problem = file.learning_problem().unwrap();
        let opened = Store::open(&self.path(), &file, &problem, IfMissing::Create);
        opened.map_err(|error| error.fault.to_string())
    }

    fn store(&self) -> Store {
        self.open(STUDY).unwrap()
    }
}

fn counts(store: &mut Store) -> Vec<u64> {
    store
        .read(|view| {
            let arms: Vec<usize> = (0..view.definition.problem.arm_count()).collect();
            let tally = view.tally(&view.definition.problem, &arms)?;
            Ok(arms.iter().map(|&arm| tally.count(arm)).collect())
        })
        .unwrap()
}

fn observations(store: &mut Store) -> Vec<Observation> {
    let mut all = Vec::new();
    let collect = |view: &View| {
        view.each_observation(|observation| {
            all.push(observation.clone());
            ControlFlow::Continue(())
        })
    };
    store.read(collect).unwrap();
    all
}

#[test]
fn what_was_told_is_there_when_the_store_is_opened_again() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let ticket = store.write(|batch| batch.ask(1, "ask")).unwrap();
    let told = store.write(|batch| batch.tell_ticket(ticket.id, &[0.1, 30.0], "tell")).unwrap();
    store.write(|batch| batch.tell_arm(0, &[0.2, -0.0], "notes.csv")).unwrap();
    drop(store);

    let mut store = shelf.store();
    assert_eq!(counts(&mut store), [1, 1]);
    let all = observations(&mut store);
    assert_eq!(told, Told::New(all[0].id));
    assert_eq!((all[0].arm.as_str(), all[0].ticket, &all[0].values[..]), ("coarse", Some(ticket.id), &[0.1, 30.0][..]));
    assert_eq!((all[1].arm.as_str(), all[1].ticket, all[1].source.as_str()), ("fine", None, "notes.csv"));
    assert!(store.read(|view| view.outstanding()).unwrap().is_empty());
}

#[test]
fn a_ticket_counts_once() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let ticket = store.write(|batch| batch.ask(0, "ask")).unwrap().id;
    let mut tell = |values: &[f64]| store.write(|batch| batch.tell_ticket(ticket, values, "tell"));
    let Told::New(observation) = tell(&[0.5, 10.0]).unwrap() else { panic!("it is new") };
    assert_eq!(tell(&[0.5, 10.0]).unwrap(), Told::Same(observation));
    let message = tell(&[0.6, 10.0]).unwrap_err().fault.to_string();
    assert!(message.contains("was told 0.5, 10 already (observation 1), not 0.6, 10"), "{message}");
    assert!(tell(&[0.5]).is_err() && tell(&[f64::NAN, 10.0]).is_err());
    assert_eq!(counts(&mut store), [1, 0]);
}

#[test]
fn an_observation_taken_back_stays_in_the_log_and_its_ticket_may_be_told_again() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let ticket = store.write(|batch| batch.ask(0, "ask")).unwrap().id;
    store.write(|batch| batch.tell_ticket(ticket, &[5.0, 10.0], "tell")).unwrap();
    assert_eq!(store.write(|batch| batch.retract_ticket(ticket, "a slip")).unwrap(), 1);
    assert_eq!(counts(&mut store), [0, 0]);
    let again = store.write(|batch| batch.retract(1, "a slip")).unwrap_err().fault.to_string();
    assert!(again.starts_with("observation 1 was taken back already"), "{again}");
    // The exact objective may be another one as well: nothing that counts contradicts it.
    store.write(|batch| batch.tell_ticket(ticket, &[0.5, 11.0], "tell")).unwrap();
    assert_eq!(counts(&mut store), [1, 0]);
    let all = observations(&mut store);
    assert_eq!(all.iter().map(|o| o.retracted.is_some()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(all[0].retracted.as_ref().unwrap().1, "a slip");
}

#[test]
fn a_batch_is_done_or_not_done() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let result = store.write(|batch| {
        batch.tell_arm(0, &[0.5, 10.0], "tell")?;
        batch.tell_arm(0, &[0.6, 10.0], "tell")?;
        // Not what the exact objective was before.
        batch.tell_arm(0, &[0.6, 11.0], "tell")
    });
    let message = result.unwrap_err().fault.to_string();
    assert!(message.contains("was 10 in objective \"bytes\" and is 11 now"), "{message}");
    assert_eq!(counts(&mut store), [0, 0]);
}

#[test]
fn failed_and_expired_tickets_are_no_longer_open() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let ids = store
        .write(|batch| (0..3).map(|_| Ok(batch.ask(0, "run")?.id)).collect::<Result<Vec<_>, StoreFault>>())
        .unwrap();
    store.write(|batch| batch.fail(ids[0], "exit code 1")).unwrap();
    store.write(|batch| batch.expire(&ids[1..2], "interrupted")).unwrap();
    let open = store.read(|view| view.outstanding()).unwrap();
    assert_eq!(open.iter().map(|ticket| ticket.id).collect::<Vec<_>>(), ids[2..]);
    store.write(|batch| batch.tell_ticket(ids[2], &[1.0, 1.0], "run")).unwrap();
    assert!(store.write(|batch| batch.fail(ids[2], "too late")).is_err());
    let unknown = store.write(|batch| batch.fail(99, "")).unwrap_err().fault.to_string();
    assert!(unknown.starts_with("there is no ticket 99"), "{unknown}");
}

#[test]
fn what_may_change_goes_on() {
    let shelf = Shelf::new();
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

#[test]
fn what_may_not_change_is_refused_with_the_difference() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    for quality in [0.5, 0.6] {
        store.write(|batch| batch.tell_arm(1, &[quality, 10.0], "tell")).unwrap();
    }
    let refused = |from: &str, to: &str| shelf.open(&STUDY.replace(from, to)).unwrap_err();
    insta::assert_snapshot!(
        [
            refused("goal = \"max\"", "goal = \"min\""),
            refused("\"quality\"", "\"taste\""),
            refused("name = \"coarse\"", "name = \"course\""),
            shelf.open(&format!("{STUDY}[[objective]]\nname = \"x\"\ngoal = \"max\"\n")).unwrap_err(),
        ]
        .join("\n")
    );
    // Noise may be taken away only where the observations agree.
    let mut store = shelf.open(&STUDY.replace("goal = \"max\"", "goal = \"max\"\nnoise = \"exact\"")).unwrap();
    let message = store.read(|view| view.tally(&view.definition.problem, &[0, 1])).unwrap_err().fault.to_string();
    assert!(message.contains("observation 2: arm \"coarse\" was 0.5 in objective \"quality\""), "{message}");
}

#[test]
fn files_that_are_no_store_of_ours() {
    let shelf = Shelf::new();
    let refused = || shelf.open(STUDY).unwrap_err();
    std::fs::write(shelf.path(), "arm,weight\n".repeat(100)).unwrap();
    let mut messages = vec![refused()];
    std::fs::remove_file(shelf.path()).unwrap();
    Connection::open(shelf.path()).unwrap().execute_batch("CREATE TABLE x (y); PRAGMA user_version = 1").unwrap();
    messages.push(refused());
    std::fs::remove_file(shelf.path()).unwrap();
    drop(shelf.store());
    Connection::open(shelf.path()).unwrap().pragma_update(None, "user_version", 7).unwrap();
    messages.push(refused());
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_damaged_store_is_said_to_be_so() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    store.write(|batch| (0..2000).try_for_each(|i| batch.tell_arm(0, &[f64::from(i), 1.0], "tell").map(drop))).unwrap();
    drop(store);
    let mut bytes = std::fs::read(shelf.path()).unwrap();
    let from = bytes.len() / 2;
    bytes[from..].fill(0xa5);
    std::fs::write(shelf.path(), bytes).unwrap();
    let opened = shelf.open(STUDY);
    let message = match opened {
        Err(message) => message,
        Ok(mut store) => {
            let problem = store.definition.problem.clone();
            store.read(|view| view.tally(&problem, &[0, 1])).unwrap_err().fault.to_string()
        }
    };
    assert!(message.starts_with("the store is damaged"), "{message}");
}

#[test]
fn a_full_disk_loses_nothing_that_was_told() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    store.write(|batch| batch.tell_arm(0, &[0.5, 1.0], "tell")).unwrap();
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let many = store.write(|batch| (0..5000).try_for_each(|_| batch.tell_arm(0, &[0.5, 1.0], "tell").map(drop)));
    let error = many.unwrap_err();
    assert!(error.fault.to_string().starts_with("the disk is full"), "{error}");
    assert!(!error.is_wrong_input());
    drop(store);
    assert_eq!(counts(&mut shelf.store()), [1, 0]);
}

#[test]
fn a_store_that_somebody_keeps_locked() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let other = Connection::open(shelf.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    store.connection.busy_timeout(Duration::from_millis(1)).unwrap();
    let error = store.write(|batch| batch.tell_arm(0, &[0.5, 1.0], "tell")).unwrap_err();
    assert!(error.fault.to_string().starts_with("another program has kept the store locked for 30 seconds"), "{error}");
    assert!(!error.is_wrong_input());
    // Reading goes on meanwhile.
    assert_eq!(counts(&mut store), [0, 0]);
    other.execute_batch("COMMIT").unwrap();
    store.write(|batch| batch.tell_arm(0, &[0.5, 1.0], "tell")).unwrap();
}

#[test]
fn a_folder_that_is_not_there() {
    let shelf = Shelf::new();
    let file = StudyFile::built_in("s.toml", STUDY).unwrap();
    let path = shelf.0.path().join("none/s.db");
    let error = Store::open(&path, &file, &file.learning_problem().unwrap(), IfMissing::Create).unwrap_err();
    assert!(error.fault.to_string().starts_with("the store cannot be opened for writing"), "{error}");
}

#[test]
fn what_a_rule_remembers_is_forgotten_when_the_arms_change() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let problem = store.definition.problem.clone();
    let chosen = crate::session::Chosen {
        delta: 0.1,
        rule: crate::session::RuleName::Dual,
        threshold: crate::session::ThresholdName::Stylized,
        seed: 3,
    };
    let memory = store
        .write(|batch| {
            let memory = crate::session::Learner::resume(&problem, &chosen, batch)?.study.memory();
            chosen.keep(batch)?;
            batch.remember(&memory).map(|()| memory)
        })
        .unwrap();
    let remembered = |store: &mut Store| -> Option<Memory> { store.read(|view| view.memory()).unwrap() };
    assert_eq!(remembered(&mut shelf.store()), Some(memory));
    let mut store = shelf.open(&format!("{STUDY}[[arm]]\nname = \"new\"\n")).unwrap();
    assert_eq!(remembered(&mut store), None);
    let last = store.read(|view| view.last_settings()).unwrap();
    assert_eq!((last.delta, last.rule.as_deref(), last.seed), (Some(0.1), Some("dual"), Some(3)));
    // Another δ in the file is a newer word than the one that was typed.
    let mut store = shelf.open(&STUDY.replace("0.05", "0.01")).unwrap();
    assert_eq!(store.read(|view| view.last_settings()).unwrap().delta, None);
}

#[test]
fn arms_left_out_can_be_taken_in_again() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    store.write(|batch| batch.drop_arm(1, "exit code 1")).unwrap();
    let dropped = store.read(|view| view.dropped()).unwrap();
    assert_eq!((dropped.len(), dropped[0].arm, dropped[0].reason.as_str()), (1, 1, "exit code 1"));
    assert!(store.write(|batch| batch.restore_arm(1)).unwrap());
    assert!(!store.write(|batch| batch.restore_arm(1)).unwrap());
    assert!(store.read(|view| view.dropped()).unwrap().is_empty());
}

#[test]
fn progress_is_recorded_once_per_cent_and_when_it_suffices() {
    let shelf = Shelf::new();
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
