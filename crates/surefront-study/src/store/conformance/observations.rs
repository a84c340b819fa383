//! What is told, taken back and read again.

use std::thread;

use super::contents::{counts, observations};
use super::shelf::Shelf;
use crate::store::{Moment, Told};

pub(super) fn what_was_told_is_there_when_the_store_is_opened_again(shelf: &dyn Shelf) {
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

pub(super) fn an_observation_taken_back_stays_in_the_log_and_its_ticket_may_be_told_again(shelf: &dyn Shelf) {
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

pub(super) fn a_batch_is_done_or_not_done(shelf: &dyn Shelf) {
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

pub(super) fn all_of_an_arm_or_before_a_moment_is_taken_back(shelf: &dyn Shelf) {
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

pub(super) fn what_is_new_is_read_from_where_one_was(shelf: &dyn Shelf) {
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

pub(super) fn writers_at_once_lose_nothing(shelf: &dyn Shelf) {
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
