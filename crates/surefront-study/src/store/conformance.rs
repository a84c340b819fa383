//! What every store must do, wherever it keeps things. A new kind of store is a [`Shelf`] more in the list at the end.

mod circumstances;
pub(super) mod contents;
mod observations;
mod shelf;
mod tickets;

use tempfile::TempDir;

use self::shelf::{InMemory, OnDisk, Shelf};

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

/// All that is asked of a store, each on an empty one.
fn conforms(shelf: impl Fn() -> Box<dyn Shelf>) {
    let demands: &[fn(&dyn Shelf)] = &[
        observations::what_was_told_is_there_when_the_store_is_opened_again,
        tickets::a_ticket_counts_once,
        observations::an_observation_taken_back_stays_in_the_log_and_its_ticket_may_be_told_again,
        observations::a_batch_is_done_or_not_done,
        tickets::failed_and_expired_tickets_are_no_longer_open,
        circumstances::what_may_change_goes_on,
        circumstances::arms_left_out_can_be_taken_in_again,
        circumstances::progress_is_recorded_once_per_cent_and_when_it_suffices,
        tickets::failures_are_counted_by_arm,
        circumstances::how_it_was_measured_is_kept,
        observations::all_of_an_arm_or_before_a_moment_is_taken_back,
        observations::what_is_new_is_read_from_where_one_was,
        observations::writers_at_once_lose_nothing,
        circumstances::settings_and_memory_are_kept,
        tickets::a_note_stays_with_its_ticket,
        tickets::results_wait_for_earlier_tickets,
        tickets::what_was_not_needed_is_laid_aside_whatever_it_showed,
        tickets::why_there_is_no_result_is_kept,
        tickets::tickets_are_overdue_only_if_results_wait_for_them,
        circumstances::what_is_changed_while_there_are_results_is_remembered,
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
