//! The commands of one campaign: each is a process group, and all can be ended at once.

use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::system::{self, Process, Stop};

/// The process groups under way.
#[derive(Debug, Default)]
pub struct ProcessGroups(Mutex<UnderWay>);

#[derive(Debug, Default)]
struct UnderWay {
    groups: Vec<Process>,
    /// Whether no more may begin.
    over: bool,
}

impl ProcessGroups {
    /// Ends all commands under way, and lets no more begin.
    pub fn end_all(&self) {
        let mut under_way = self.under_way();
        under_way.over = true;
        for &group in &under_way.groups {
            // One that has just ended needs no ending.
            system::stop_group(group, Stop::AtOnce);
        }
    }

    /// Whether they were all ended.
    pub fn over(&self) -> bool {
        self.under_way().over
    }

    /// A command that has just been started in a group of its own.
    pub(super) fn enter(&self, child: &Child) -> Group<'_> {
        let group = Group { leader: system::leader(child), among: self };
        let mut under_way = self.under_way();
        under_way.groups.push(group.leader);
        if under_way.over {
            group.stop(Stop::AtOnce);
        }
        group
    }

    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The process group of a command under way, known to the others as long as this is there.
pub(super) struct Group<'a> {
    pub(super) leader: Process,
    among: &'a ProcessGroups,
}

impl Group<'_> {
    pub(super) fn stop(&self, stop: Stop) {
        system::stop_group(self.leader, stop);
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        self.among.under_way().groups.retain(|&group| group != self.leader);
    }
}
