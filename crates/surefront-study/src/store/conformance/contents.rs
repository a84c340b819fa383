//! What there is in a store.

use std::ops::ControlFlow;

use crate::store::{Observation, Store, StoreError, View};

/// By arm: how many observations count.
pub(in crate::store) fn counts(store: &mut Store) -> Vec<u64> {
    try_counts(store).unwrap()
}

/// The same, if it can be read.
pub(in crate::store) fn try_counts(store: &mut Store) -> Result<Vec<u64>, StoreError> {
    store.read(|view| {
        let mut counts = vec![0; view.definition.problem.arm_count()];
        view.observed_since(0, i64::MAX, |arm, _| {
            counts[arm] += 1;
            Ok(())
        })?;
        Ok(counts)
    })
}

pub(super) fn observations(store: &mut Store) -> Vec<Observation> {
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

/// The arms and first values of what tickets were told, in their order.
pub(super) fn results(store: &mut Store, tickets: std::ops::Range<i64>) -> Vec<(usize, f64)> {
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
