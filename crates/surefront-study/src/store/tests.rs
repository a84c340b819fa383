//! Stores in files: what can be wrong with one, where it is, and which release made it.

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use surefront::Tally;
use tempfile::TempDir;

use super::conformance::STUDY;
use super::conformance::contents::{counts, try_counts};
use super::*;

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
        let opened = Store::open(&self.path(), &file, &problem, Access::Create);
        opened.map_err(|error| error.fault.to_string())
    }

    fn store(&self) -> Store {
        self.open(STUDY).unwrap()
    }
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
    let problem = store.definition.problem.clone();
    let mut tally = Tally::new(&problem);
    let read = store.read(|view| view.observed_since(0, i64::MAX, |arm, values| tally.add(&problem, arm, values)));
    let message = read.unwrap_err().fault.to_string();
    assert!(message.contains("observation 2: arm \"coarse\" was 0.5 in objective \"quality\""), "{message}");
}

#[test]
fn files_that_are_no_store_of_ours() {
    let shelf = Shelf::new();
    let refused = || shelf.open(STUDY).unwrap_err();
    fs::write(shelf.path(), "arm,weight\n".repeat(100)).unwrap();
    let mut messages = vec![refused()];
    fs::remove_file(shelf.path()).unwrap();
    Connection::open(shelf.path()).unwrap().execute_batch("CREATE TABLE x (y); PRAGMA user_version = 1").unwrap();
    messages.push(refused());
    fs::remove_file(shelf.path()).unwrap();
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
    let mut bytes = fs::read(shelf.path()).unwrap();
    let from = bytes.len() / 2;
    bytes[from..].fill(0xa5);
    fs::write(shelf.path(), bytes).unwrap();
    let opened = shelf.open(STUDY);
    let message = match opened {
        Err(message) => message,
        Ok(mut store) => try_counts(&mut store).unwrap_err().fault.to_string(),
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
    store.patience = Duration::from_millis(1);
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
    let error = Store::open(&path, &file, &file.learning_problem().unwrap(), Access::Create).unwrap_err();
    assert!(error.fault.to_string().starts_with("the store cannot be opened for writing"), "{error}");
}

/// A store that release 0.1 left: tickets told, failed, open; an observation taken back; an arm left out.
fn of_version_0_1(shelf: &Shelf) {
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-0.1.db"), shelf.path()).unwrap();
}

fn version(shelf: &Shelf) -> i32 {
    Connection::open(shelf.path()).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

const OF_0_1: &str = include_str!("../../tests/data/version-0.1.toml");

#[test]
fn a_store_of_version_0_1_goes_on() {
    let shelf = Shelf::new();
    of_version_0_1(&shelf);
    assert_eq!(version(&shelf), 1);
    let mut store = shelf.open(OF_0_1).unwrap();
    assert_eq!(version(&shelf), schema::VERSION);
    assert_eq!(counts(&mut store), [3, 5, 5, 0]);
    let (tickets, dropped, failures, measured, retractions) = store
        .read(|view| {
            Ok((view.outstanding()?, view.dropped()?, view.failures()?, view.measured()?, view.retractions()?))
        })
        .unwrap();
    assert_eq!(tickets.iter().map(|ticket| (ticket.id, ticket.arm)).collect::<Vec<_>>(), [(16, 2), (17, 2)]);
    assert_eq!(dropped.iter().map(|dropped| dropped.arm).collect::<Vec<_>>(), [3]);
    assert_eq!(failures.iter().map(|failures| (failures.arm, failures.count)).collect::<Vec<_>>(), [(2, 1), (3, 1)]);
    assert_eq!(failures[0].last, "sample spilt");
    // What `run` measured, it measured with the command that the store knows; how many side by side, nobody knows.
    let ways: Vec<_> = measured.iter().map(|way| (way.arm, way.jobs, way.count)).collect();
    assert_eq!(ways, [(0, None, 2), (2, None, 5), (1, None, 4)]);
    assert!(measured[0].command.starts_with("echo quality=0.9"));
    assert_eq!(retractions, 1);
    let (settings, memory, progress) =
        store.read(|view| Ok((view.last_settings()?, view.memory()?, view.progress()?))).unwrap();
    assert_eq!((settings.delta, settings.rule.as_deref(), settings.seed), (Some(1e-9), Some("dual"), Some(7)));
    assert!(memory.is_some());
    assert_eq!((progress.len(), progress[0].samples), (8, 5));
}

#[test]
fn a_store_of_an_earlier_layout_becomes_one_like_a_new_one() {
    let shelf = Shelf::new();
    of_version_0_1(&shelf);
    drop(shelf.open(OF_0_1).unwrap());
    let layout = |shelf: &Shelf| -> Vec<(String, String)> {
        let connection = Connection::open(shelf.path()).unwrap();
        let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1).unwrap_or_default())));
        rows.unwrap().map(Result::unwrap).collect()
    };
    let new = Shelf::new();
    drop(new.open(OF_0_1).unwrap());
    assert_eq!(layout(&shelf), layout(&new));
}

#[test]
fn a_migration_that_does_not_come_to_its_end_has_not_begun() {
    let shelf = Shelf::new();
    of_version_0_1(&shelf);
    {
        // As far as a process comes that is killed before the commit.
        let mut connection = Connection::open(shelf.path()).unwrap();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        schema::migrate(&transaction, 1).unwrap();
        transaction.execute_batch("DELETE FROM observation").unwrap();
    }
    assert_eq!(version(&shelf), 1);
    let tables: i64 = Connection::open(shelf.path())
        .unwrap()
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'setup'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 0);
    // One that fails in the middle is the same.
    Connection::open(shelf.path()).unwrap().execute_batch("CREATE TABLE ticket_failed (x)").unwrap();
    assert!(shelf.open(OF_0_1).is_err());
    assert_eq!(version(&shelf), 1);
    Connection::open(shelf.path()).unwrap().execute_batch("DROP TABLE ticket_failed").unwrap();
    assert_eq!(counts(&mut shelf.open(OF_0_1).unwrap()), [3, 5, 5, 0]);
}

#[test]
fn a_store_that_may_only_be_read_is_copied_and_nothing_is_left_beside_it() {
    let shelf = Shelf::new();
    for study in [STUDY, OF_0_1] {
        let _ = fs::remove_file(shelf.path());
        let expected = if study == STUDY {
            shelf.store().write(|batch| batch.tell_arm(0, &[0.5, 1.0], "tell")).unwrap();
            vec![1, 0]
        } else {
            of_version_0_1(&shelf);
            vec![3, 5, 5, 0]
        };
        let before = fs::read(shelf.path()).unwrap();
        let file = StudyFile::built_in("s.toml", study).unwrap();
        let problem = file.learning_problem().unwrap();
        let copy = place::copy(&shelf.path()).unwrap();
        let mut store = Store::with(&shelf.path(), copy, None, &file, &problem).unwrap();
        assert_eq!(counts(&mut store), expected);
        let files: Vec<_> = fs::read_dir(shelf.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(files, ["s.db"]);
        assert_eq!(fs::read(shelf.path()).unwrap(), before);
    }
}

#[test]
fn a_copy_has_what_others_have_not_yet_put_in_its_place() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    store.write(|batch| batch.tell_arm(0, &[0.5, 1.0], "tell")).unwrap();
    let log = shelf.0.path().join("s.db-wal");
    assert!(fs::metadata(&log).unwrap().len() > 0, "it is in the log only");
    let file = StudyFile::built_in("s.toml", STUDY).unwrap();
    let problem = file.learning_problem().unwrap();
    let copy = place::copy(&shelf.path()).unwrap();
    assert_eq!(counts(&mut Store::with(&shelf.path(), copy, None, &file, &problem).unwrap()), [1, 0]);
}

#[test]
fn a_store_that_is_taken_away_or_replaced_is_missed() {
    let shelf = Shelf::new();
    let mut store = shelf.store();
    let tell = |store: &mut Store| store.write(|batch| batch.tell_arm(0, &[0.5, 1.0], "tell"));
    tell(&mut store).unwrap();
    let elsewhere = shelf.0.path().join("elsewhere.db");
    fs::rename(shelf.path(), &elsewhere).unwrap();
    let error = tell(&mut store).unwrap_err();
    assert!(error.fault.to_string().starts_with("the store was deleted, moved or replaced"), "{error}");
    assert!(!error.is_wrong_input());
    fs::write(shelf.path(), "something else").unwrap();
    assert!(tell(&mut store).is_err());
    fs::rename(elsewhere, shelf.path()).unwrap();
    tell(&mut store).unwrap();
    assert_eq!(counts(&mut store), [2, 0]);
}
