//! Asking for an end, from another thread or a signal handler.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::process_groups::ProcessGroups;

/// How soon a campaign is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// What is under way is finished and kept; nothing more begins.
    Finish,
    /// Commands under way are ended; what was told is kept.
    AtOnce,
}

/// A handle to end campaigns with: whoever starts one keeps a clone. Once used, it ends every campaign that it is given to.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    urgency: Option<Urgency>,
    /// The commands to be ended at once.
    commands: Vec<Weak<ProcessGroups>>,
}

impl Interrupt {
    /// Nothing is to end yet.
    pub fn new() -> Self {
        Interrupt::default()
    }

    /// Finishes what is under way, and lets nothing more begin.
    pub fn finish(&self) {
        let mut state = self.state();
        state.urgency = state.urgency.max(Some(Urgency::Finish));
    }

    /// Ends the commands under way. They have their signal when this returns, whatever their campaign is busy with.
    pub fn end_at_once(&self) {
        let mut state = self.state();
        state.urgency = Some(Urgency::AtOnce);
        state.commands.iter().filter_map(Weak::upgrade).for_each(|groups| groups.end_all());
    }

    /// How soon to end, if an end was asked for.
    pub fn urgency(&self) -> Option<Urgency> {
        self.state().urgency
    }

    /// Commands that are to be ended with all others.
    pub(super) fn reaches(&self, groups: &Arc<ProcessGroups>) {
        let mut state = self.state();
        state.commands.retain(|known| known.strong_count() > 0);
        state.commands.push(Arc::downgrade(groups));
        if state.urgency == Some(Urgency::AtOnce) {
            groups.end_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_never_less_urgent_than_before() {
        let interrupt = Interrupt::new();
        let handle = interrupt.clone();
        assert_eq!(interrupt.urgency(), None);
        handle.finish();
        assert_eq!(interrupt.urgency(), Some(Urgency::Finish));
        handle.end_at_once();
        handle.finish();
        assert_eq!(interrupt.urgency(), Some(Urgency::AtOnce));
        assert_eq!(Interrupt::new().urgency(), None);
    }

    #[test]
    fn commands_that_come_late_are_ended_too() {
        let interrupt = Interrupt::new();
        let (early, late, other) =
            (Arc::<ProcessGroups>::default(), Arc::<ProcessGroups>::default(), Arc::<ProcessGroups>::default());
        interrupt.reaches(&early);
        interrupt.finish();
        assert!(!early.over());
        interrupt.end_at_once();
        interrupt.reaches(&late);
        assert!(early.over() && late.over() && !other.over());
    }
}
