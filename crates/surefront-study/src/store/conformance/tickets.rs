//! What was asked for: in which order results count, and why there is none.

use std::time::Duration;

use super::contents::{counts, observations, results};
use super::shelf::Shelf;
use crate::store::{Ended, Ending, Store, StoreFault, Told, View};

pub(super) fn a_ticket_counts_once(shelf: &dyn Shelf) {
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

pub(super) fn failed_and_expired_tickets_are_no_longer_open(shelf: &dyn Shelf) {
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

pub(super) fn a_note_stays_with_its_ticket(shelf: &dyn Shelf) {
    let mut store = shelf.store();
    let ticket = store.write(|batch| batch.ask(0, "run")).unwrap().id;
    assert!(store.read(|view| view.is_open(ticket)).unwrap());
    assert_eq!(store.read(|view| view.told_of(ticket)).unwrap(), None);
    store.write(|batch| batch.tell_ticket(ticket, &[0.5, 10.0], "tell")).unwrap();
    store.write(|batch| batch.note(ticket, "measured as well")).unwrap();
    assert!(!store.read(|view| view.is_open(ticket)).unwrap());
    assert_eq!(store.read(|view| view.told_of(ticket)).unwrap(), Some((1, vec![0.5, 10.0])));
}

pub(super) fn failures_are_counted_by_arm(shelf: &dyn Shelf) {
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

pub(super) fn results_wait_for_earlier_tickets(shelf: &dyn Shelf) {
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

pub(super) fn what_was_not_needed_is_laid_aside_whatever_it_showed(shelf: &dyn Shelf) {
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

pub(super) fn why_there_is_no_result_is_kept(shelf: &dyn Shelf) {
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

pub(super) fn tickets_are_overdue_only_if_results_wait_for_them(shelf: &dyn Shelf) {
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
