//! What every store must do, wherever it keeps things. A new kind of store is a [`Shelf`] more in the list at the end.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use surefront::{Memory, Progress};
use tempfile::TempDir;

use super::*;

pub(super) const STUDY: &str = r#"
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

/// A place for one store, which can be opened any number of times.
trait Shelf: Sync {
    fn open(&self, study: &str) -> Result<Store, String>;

    fn store(&self) -> Store {
        self.open(STUDY).unwrap()
    }
}

/// A file.
struct OnDisk(TempDir);

impl Shelf for OnDisk {
    fn open(&self, study: &str) -> Result<Store, String> {
        let file = StudyFile::built_in("s.toml", study).unwrap();
        let problem = file.learning_problem().unwrap();
        let path = self.0.path().join("s.db");
        Store::open(&path, &file, &problem, Access::Create).map_err(|error| error.fault.to_string())
    }
}

/// Memory, which lasts as long as one store on it is open.
struct InMemory {
    name: String,
    /// Only one thread at a time could use it; it is there to stay open.
    _first: Mutex<Store>,
}

impl InMemory {
    fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("shelf {}", COUNT.fetch_add(1, Ordering::Relaxed));
        let first = InMemory::at(&name, STUDY).unwrap();
        InMemory { name, _first: Mutex::new(first) }
    }

    fn at(name: &str, study: &str) -> Result<Store, String> {
        let file = StudyFile::built_in("s.toml", study).unwrap();
        let problem = file.learning_problem().unwrap();
        Store::in_memory(name, &file, &problem).map_err(|error| error.fault.to_string())
    }
}

impl Shelf for InMemory {
    fn open(&self, study: &str) -> Result<Store, String> {
        InMemory::at(&self.name, study)
    }
}

/// By arm: how many observations count.
fn counts(store: &mut Store) -> Vec<u64> {
    store
        .read(|view| {
            let mut counts = vec![0; view.definition.problem.arm_count()];
            view.observed_since(0, i64::MAX, |arm, _| {
                counts[arm] += 1;
                Ok(())
            })?;
            Ok(counts)
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

fn what_was_told_is_there_when_the_store_is_opened_again(shelf: &dyn Shelf) {
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

fn a_ticket_counts_once(shelf: &dyn Shelf) {
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

fn an_observation_taken_back_stays_in_the_log_and_its_ticket_may_be_told_again(shelf: &dyn Shelf) {
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

fn a_batch_is_done_or_not_done(shelf: &dyn Shelf) {
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

fn failed_and_expired_tickets_are_no_longer_open(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let ids = store
        .write(|batch| (0..3).map(|_| Ok(batch.ask(0, "run")?.id)).collect::<Result<Vec<_>, StoreFault>>())
        .unwrap();
    store.write(|batch| batch.end(ids[0], Ending::Failed, "exit code 1")).unwrap();
    store.write(|batch| batch.end(ids[1], Ending::Lost, "interrupted")).unwrap();
    let open = store.read(|view| view.outstanding()).unwrap();
    assert_eq!(open.iter().map(|ticket| ticket.id).collect::<Vec<_>>(), ids[2..]);
    store.write(|batch| batch.tell_ticket(ids[2], &[1.0, 1.0], "run")).unwrap();
    assert!(store.write(|batch| batch.end(ids[2], Ending::Failed, "too late")).is_err());
    let unknown = store.write(|batch| batch.end(99, Ending::Failed, "")).unwrap_err().fault.to_string();
    assert!(unknown.starts_with("there is no ticket 99"), "{unknown}");
}

fn what_may_change_goes_on(shelf: &dyn Shelf) {
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

fn arms_left_out_can_be_taken_in_again(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    store.write(|batch| batch.drop_arm(1, "exit code 1")).unwrap();
    let dropped = store.read(|view| view.dropped()).unwrap();
    assert_eq!((dropped.len(), dropped[0].arm, dropped[0].reason.as_str()), (1, 1, "exit code 1"));
    assert!(store.write(|batch| batch.restore_arm(1)).unwrap());
    assert!(!store.write(|batch| batch.restore_arm(1)).unwrap());
    assert!(store.read(|view| view.dropped()).unwrap().is_empty());
}

fn progress_is_recorded_once_per_cent_and_when_it_suffices(shelf: &dyn Shelf) {
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

fn failures_are_counted_by_arm(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let ids: Vec<i64> =
        (0..5).map(|arm| store.write(|batch| batch.ask(usize::from(arm > 2), "run")).unwrap().id).collect();
    store.write(|batch| batch.end(ids[0], Ending::Failed, "exit code 1")).unwrap();
    store.write(|batch| batch.end(ids[1], Ending::Failed, "exit code 2")).unwrap();
    // Neither is a failure: one was told after all, the observation of the other was taken back.
    store.write(|batch| batch.end(ids[2], Ending::Failed, "too early")).unwrap();
    store.write(|batch| batch.tell_ticket(ids[2], &[0.5, 10.0], "tell")).unwrap();
    store.write(|batch| batch.tell_ticket(ids[3], &[0.5, 11.0], "tell")).unwrap();
    store.write(|batch| batch.retract_ticket(ids[3], "a slip")).unwrap();
    store.write(|batch| batch.end(ids[4], Ending::Lost, "interrupted")).unwrap();
    let failures = store.read(|view| view.failures()).unwrap();
    assert_eq!(failures.len(), 1);
    assert_eq!((failures[0].arm, failures[0].count, failures[0].last.as_str()), (0, 2, "exit code 2"));
}

fn how_it_was_measured_is_kept(shelf: &dyn Shelf) {
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

fn all_of_an_arm_or_before_a_moment_is_taken_back(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    store.write(|batch| batch.tell_arm(0, &[0.5, 10.0], "tell")).unwrap();
    store.write(|batch| batch.tell_arm(1, &[0.5, 10.0], "tell")).unwrap();
    store.write(|batch| batch.tell_arm(1, &[0.6, 10.0], "tell")).unwrap();
    let long_ago: Moment = "2001-01-01".parse().unwrap();
    let far_ahead: Moment = "2999-12-31T23:59:59Z".parse().unwrap();
    let mut retract = |arm, before| store.write(|batch| batch.retract_all(arm, before, "another command")).unwrap();
    assert!(retract(Some(1), Some(&long_ago)).is_empty());
    assert_eq!(retract(Some(1), Some(&far_ahead)), [2, 3]);
    assert!(retract(Some(1), None).is_empty());
    assert_eq!(retract(None, Some(&far_ahead)), [1]);
    assert_eq!(counts(&mut store), [0, 0]);
    assert_eq!(store.read(|view| view.retractions()).unwrap(), 3);
}

fn what_is_new_is_read_from_where_one_was(shelf: &dyn Shelf) {
    let (mut one, mut other) = (shelf.store(), shelf.store());
    one.write(|batch| batch.tell_arm(0, &[0.5, 10.0], "tell")).unwrap();
    let (last, before) =
        one.read(|view| Ok((view.observed_since(0, i64::MAX, |_, _| Ok(()))?, view.revision()?))).unwrap();
    // What one writes oneself is no news; what others write is.
    one.write(|batch| batch.ask(0, "ask")).unwrap();
    assert_eq!(one.read(|view| view.revision()).unwrap(), before);
    other.write(|batch| batch.tell_arm(1, &[0.25, 20.0], "tell")).unwrap();
    other.write(|batch| batch.tell_arm(0, &[0.75, 10.0], "tell")).unwrap();
    other.write(|batch| batch.retract(2, "a slip")).unwrap();
    assert_ne!(one.read(|view| view.revision()).unwrap(), before);
    let mut seen = Vec::new();
    let newest = one.read(|view| {
        view.observed_since(last, i64::MAX, |arm, values| {
            seen.push((arm, values.to_vec()));
            Ok(())
        })
    });
    assert_eq!((newest.unwrap(), seen), (3, vec![(0, vec![0.75, 10.0])]));
    assert_eq!(one.read(|view| view.asked(view.frontier(0)?)).unwrap(), [1, 0]);
}

fn writers_at_once_lose_nothing(shelf: &dyn Shelf) {
    const WRITERS: usize = 4;
    const TELLS: usize = 25;
    drop(shelf.store());
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let mut store = shelf.store();
                for _ in 0..TELLS {
                    let ticket = store.write(|batch| batch.ask(writer % 2, "ask")).unwrap().id;
                    store.write(|batch| batch.tell_ticket(ticket, &[0.5, 10.0], "tell")).unwrap();
                }
            });
        }
    });
    let mut store = shelf.store();
    let half = (WRITERS * TELLS / 2) as u64;
    assert_eq!(counts(&mut store), [half, half]);
    let mut tickets: Vec<_> = observations(&mut store).into_iter().map(|observation| observation.ticket).collect();
    tickets.sort_unstable();
    tickets.dedup();
    assert_eq!(tickets.len(), WRITERS * TELLS);
}

fn settings_and_memory_are_kept(shelf: &dyn Shelf) {
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

fn a_note_stays_with_its_ticket(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let ticket = store.write(|batch| batch.ask(0, "run")).unwrap().id;
    assert!(store.read(|view| view.is_open(ticket)).unwrap());
    assert_eq!(store.read(|view| view.told_of(ticket)).unwrap(), None);
    store.write(|batch| batch.tell_ticket(ticket, &[0.5, 10.0], "tell")).unwrap();
    store.write(|batch| batch.note(ticket, "measured as well")).unwrap();
    assert!(!store.read(|view| view.is_open(ticket)).unwrap());
    assert_eq!(store.read(|view| view.told_of(ticket)).unwrap(), Some((1, vec![0.5, 10.0])));
}

/// The arms and first values of what tickets were told, in their order.
fn results(store: &mut Store, tickets: std::ops::Range<i64>) -> Vec<(usize, f64)> {
    let mut seen = Vec::new();
    let read = |view: &View| {
        view.results_of(tickets.clone(), |arm, values| {
            seen.push((arm, values[0]));
            Ok(())
        })
    };
    assert_eq!(store.read(read).unwrap(), seen.len() as u64);
    seen
}

fn results_wait_for_earlier_tickets(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    assert_eq!(store.read(|view| view.frontier(0)).unwrap(), 1);
    let ids: Vec<i64> = (0..5).map(|arm| store.write(|batch| batch.ask(arm % 2, "run")).unwrap().id).collect();
    let state = |store: &mut Store, from: i64| {
        store
            .read(|view| {
                let frontier = view.frontier(from)?;
                assert_eq!(frontier, view.frontier(0)?);
                Ok((frontier, view.asked(frontier)?, view.waiting(frontier)?))
            })
            .unwrap()
    };
    assert_eq!(state(&mut store, 1), (ids[0], vec![3, 2], 0));
    let tell = |store: &mut Store, which: usize, value: f64| {
        store.write(|batch| batch.tell_ticket(ids[which], &[value, 10.0], "run")).unwrap();
    };
    tell(&mut store, 3, 0.3);
    tell(&mut store, 1, 0.1);
    assert_eq!(state(&mut store, ids[0]), (ids[0], vec![3, 2], 2));
    // What nobody asked for does not wait.
    store.write(|batch| batch.tell_arm(0, &[0.9, 10.0], "tell")).unwrap();
    let mut counting = Vec::new();
    let read = |view: &View| {
        view.observed_since(0, ids[0], |arm, values| {
            counting.push((arm, values[0]));
            Ok(())
        })
    };
    assert_eq!((store.read(read).unwrap(), counting), (3, vec![(0, 0.9)]));
    store.write(|batch| batch.end(ids[0], Ending::Failed, "exit code 1")).unwrap();
    assert_eq!(state(&mut store, ids[0]), (ids[2], vec![2, 1], 1));
    tell(&mut store, 2, 0.2);
    assert_eq!(state(&mut store, ids[2]), (ids[4], vec![1, 0], 0));
    assert_eq!(results(&mut store, ids[0]..ids[4]), [(1, 0.1), (0, 0.2), (1, 0.3)]);
    tell(&mut store, 4, 0.4);
    assert_eq!(state(&mut store, ids[4]), (ids[4] + 1, vec![0, 0], 0));
}

fn what_was_not_needed_is_laid_aside_whatever_it_showed(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let ids: Vec<i64> =
        ["run", "run", "ask", "run"].map(|source| store.write(|batch| batch.ask(0, source)).unwrap().id).to_vec();
    for (which, value) in [(0, 0.0), (2, 0.2), (3, 0.3)] {
        store.write(|batch| batch.tell_ticket(ids[which], &[value, 10.0], "run")).unwrap();
    }
    let aside = |store: &mut Store| store.write(|batch| batch.lay_aside(ids[1], "run", "the answer was sure")).unwrap();
    assert!(aside(&mut store));
    assert!(!aside(&mut store));
    assert_eq!(results(&mut store, 0..100), [(0, 0.0), (0, 0.2)]);
    assert!(store.read(|view| view.outstanding()).unwrap().is_empty());
    let (ended, taken_back) = store.read(|view| Ok((view.ended()?, view.taken_back()?))).unwrap();
    assert_eq!(ended, [Ended { arm: 0, ending: Ending::Unused, count: 1 }]);
    assert_eq!(taken_back, [0, 0]);
    // It is there for whoever asks.
    assert_eq!(observations(&mut store)[2].retracted.as_ref().unwrap().1, "the answer was sure");
}

fn why_there_is_no_result_is_kept(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let endings = [Ending::Failed, Ending::TimedOut, Ending::GivenUp, Ending::Lost, Ending::Overdue, Ending::Unused];
    for (times, ending) in (1..).zip(endings) {
        for _ in 0..times {
            store
                .write(|batch| {
                    let ticket = batch.ask(1, "run")?;
                    batch.end(ticket.id, ending, "why")
                })
                .unwrap();
        }
    }
    let mut ended = shelf.store().read(|view| view.ended()).unwrap();
    ended.sort_by_key(|ended| ended.ending);
    assert_eq!(
        ended.iter().map(|ended| (ended.ending, ended.count)).collect::<Vec<_>>(),
        endings.into_iter().zip(1..).collect::<Vec<_>>()
    );
    // Told after all, there is a result.
    store.write(|batch| batch.tell_ticket(1, &[0.5, 10.0], "tell")).unwrap();
    assert_eq!(store.read(|view| view.ended()).unwrap().len(), 5);
    store.write(|batch| batch.tell_arm(0, &[0.5, 10.0], "tell")).unwrap();
    store.write(|batch| batch.retract(1, "a slip")).unwrap();
    let (ended, unasked, back) = store.read(|view| Ok((view.ended()?, view.unasked()?, view.taken_back()?))).unwrap();
    assert_eq!((ended.len(), unasked, back), (5, vec![1, 0], vec![0, 1]));
}

fn tickets_are_overdue_only_if_results_wait_for_them(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let overdue =
        |store: &mut Store| store.read(|view| view.overdue(view.frontier(0)?)).unwrap().map(|ticket| ticket.id);
    assert_eq!(store.read(|view| view.patience()).unwrap(), Duration::from_secs(604_800));
    for arm in 0..2 {
        store.write(|batch| batch.ask(arm, "ask")).unwrap();
    }
    let asked_at = |store: &Store, days: &str| {
        let sql = "UPDATE ticket SET asked_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?1)";
        store.connection.execute(sql, [days]).unwrap();
    };
    asked_at(&store, "-8 days");
    assert_eq!(overdue(&mut store), None);
    store.write(|batch| batch.tell_ticket(2, &[0.5, 10.0], "tell")).unwrap();
    assert_eq!(overdue(&mut store), Some(1));
    asked_at(&store, "-6 days");
    assert_eq!(overdue(&mut store), None);
    store.write(|batch| batch.keep_patience(Duration::from_secs(86_400))).unwrap();
    assert_eq!(overdue(&mut shelf.store()), Some(1));
}

fn what_is_changed_while_there_are_results_is_remembered(shelf: &dyn Shelf) {
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

/// All that is asked of a store, each on an empty one.
fn conforms(shelf: impl Fn() -> Box<dyn Shelf>) {
    let demands: &[fn(&dyn Shelf)] = &[
        what_was_told_is_there_when_the_store_is_opened_again,
        a_ticket_counts_once,
        an_observation_taken_back_stays_in_the_log_and_its_ticket_may_be_told_again,
        a_batch_is_done_or_not_done,
        failed_and_expired_tickets_are_no_longer_open,
        what_may_change_goes_on,
        arms_left_out_can_be_taken_in_again,
        progress_is_recorded_once_per_cent_and_when_it_suffices,
        failures_are_counted_by_arm,
        how_it_was_measured_is_kept,
        all_of_an_arm_or_before_a_moment_is_taken_back,
        what_is_new_is_read_from_where_one_was,
        writers_at_once_lose_nothing,
        settings_and_memory_are_kept,
        a_note_stays_with_its_ticket,
        results_wait_for_earlier_tickets,
        what_was_not_needed_is_laid_aside_whatever_it_showed,
        why_there_is_no_result_is_kept,
        tickets_are_overdue_only_if_results_wait_for_them,
        what_is_changed_while_there_are_results_is_remembered,
    ];
    demands.iter().for_each(|demand| demand(&*shelf()));
}

#[test]
fn a_file_conforms() {
    conforms(|| Box::new(OnDisk(TempDir::new().unwrap())));
}

#[test]
fn memory_conforms() {
    conforms(|| Box::new(InMemory::new()));
}
