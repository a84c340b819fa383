//! What people should know while a study is being measured, as data: whoever shows it may add advice of its own.

use std::fmt;
use std::time::Duration;

use super::mishap::Mishap;
use super::runner::PassedOver;
use crate::answer::{Change, Remark, Waiting};
use crate::store::in_words;
use crate::words::number::rough_duration;
use crate::words::plural::counted;
use crate::words::suggestion::listed;

/// Something that happened. As text it is a plain sentence.
#[derive(Debug)]
#[non_exhaustive]
pub enum Note {
    /// A measurement came to nothing and is tried again.
    Retry {
        /// What happened.
        mishap: Mishap,
        /// Which trial comes next, of how many before it is given up.
        trial: u32,
        /// How many there are.
        trials: u32,
        /// How long it waits until then.
        pause: Duration,
    },
    /// An arm could not be measured: the study goes on without it.
    LeftOut(Mishap),
    /// A measurement takes much longer than all before.
    Slow {
        /// Of this arm.
        arm: String,
        /// So far.
        took: Duration,
    },
    /// Somebody else told a ticket while it was being measured, and is right.
    ToldMeanwhile {
        /// The ticket.
        ticket: i64,
        /// Its arm.
        arm: String,
        /// What was told.
        told: Vec<f64>,
        /// What came of measuring it, as the store has it.
        here: String,
    },
    /// A command prints more than the objectives' values: the rest is not kept. Said once.
    PassedOver(PassedOver),
    /// Measurements are made in another way from now on.
    Changed(Change),
    /// Nothing more is measured until a ticket is told or given up that others asked for: too many results wait for it.
    HeldUp {
        /// What waits for what.
        waiting: Waiting,
        /// The ticket's arm.
        arm: String,
        /// Who asked for it.
        source: String,
        /// When.
        asked_at: String,
    },
    /// The observations are not what the answer takes them for.
    Remark(Remark),
}

impl Note {
    /// The measurement that came to nothing, if this is about one.
    pub fn mishap(&self) -> Option<&Mishap> {
        match self {
            Note::Retry { mishap, .. } | Note::LeftOut(mishap) => Some(mishap),
            Note::Slow { .. }
            | Note::ToldMeanwhile { .. }
            | Note::PassedOver(_)
            | Note::Changed(_)
            | Note::HeldUp { .. }
            | Note::Remark(_) => None,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Note::Retry { mishap, trial, trials, .. } => write!(f, "{mishap}. Trying again ({trial} of {trials})."),
            Note::LeftOut(mishap) => write!(f, "{mishap}. The arm is left out from now on."),
            Note::Slow { arm, took } => {
                write!(f, "arm \"{arm}\" has been measured for {} now", rough_duration(1e6 * took.as_secs_f64()))
            }
            Note::ToldMeanwhile { ticket, arm, told, here } => {
                let told = in_words(told);
                write!(f, "ticket {ticket} of arm \"{arm}\" was told {told} while it was being measured; {here}")
            }
            Note::PassedOver(PassedOver { arm, names }) => {
                let names = listed(names.iter().map(String::as_str));
                write!(
                    f,
                    "the command of arm \"{arm}\" also prints {names}, which is no objective: it is passed over, here and later"
                )
            }
            Note::Changed(change) => f.write_str(&change.sentence()),
            Note::HeldUp { waiting, arm, source, asked_at } => {
                let results = counted(waiting.results as usize, "result waits", "results wait");
                let ticket = waiting.ticket;
                write!(
                    f,
                    "{results} for ticket {ticket} of arm \"{arm}\", which `{source}` asked for at {asked_at}; measuring goes on once it is \
                     told or given up"
                )
            }
            Note::Remark(remark) => f.write_str(&remark.sentence),
        }
    }
}
