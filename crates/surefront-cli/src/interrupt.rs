//! Signals: the one handler of the program. It only uses the handle of the work that is to end.
//!
//! Ctrl-C once finishes what is under way. A second one ends it, and so does at once whoever has no patience: a service manager
//! (SIGTERM) or a terminal that hangs up (SIGHUP).

use std::ffi::c_int;
use std::process::{self, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use surefront_study::run::Interrupt;

use crate::remark::remark;

/// What there is to store gets this long once the commands are ended. Service managers lose patience after ten seconds.
const LAST_STEPS: Duration = Duration::from_secs(8);

/// What ends the measurements of a study.
pub struct Measurements {
    /// Given to whoever measures.
    pub interrupt: Interrupt,
    heard: Arc<Heard>,
}

#[derive(Default)]
struct Heard {
    /// The signal that ended them at once.
    ended_by: AtomicI32,
    /// Whether there is nothing left to end, nor to store.
    over: AtomicBool,
}

impl Measurements {
    /// Listens from now on.
    pub fn listen() -> Self {
        let interrupt = Interrupt::new();
        let heard = Arc::new(Heard::default());
        let measurements = Measurements { interrupt: interrupt.clone(), heard: Arc::clone(&heard) };
        let signals = if hang_ups_are_ignored() { vec![SIGINT, SIGTERM] } else { vec![SIGINT, SIGTERM, SIGHUP] };
        listen(&signals, move |signal| {
            if heard.over.load(Ordering::SeqCst) {
                quit(signal);
            }
            if signal == SIGINT && interrupt.urgency().is_none() {
                interrupt.finish();
                return say_again("measurements");
            }
            heard.ended_by.store(signal, Ordering::SeqCst);
            interrupt.end_at_once();
            thread::sleep(LAST_STEPS);
            quit(signal);
        });
        measurements
    }

    /// From now on every signal ends the program.
    pub fn over(&self) {
        self.heard.over.store(true, Ordering::SeqCst);
    }

    /// The exit code of a program that was ended at once.
    pub fn exit_code(&self) -> u8 {
        exit_code(self.heard.ended_by.load(Ordering::SeqCst))
    }
}

/// Set by Ctrl-C once what is under way should be finished, and no more begun; a second one quits.
pub fn flag(under_way: &'static str) -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&interrupted);
    listen(&[SIGINT], move |signal| {
        if heard.swap(true, Ordering::Relaxed) {
            quit(signal);
        }
        say_again(under_way);
    });
    interrupted
}

/// Does this when the program is to end; a second signal quits.
pub fn on_end(end: impl Fn() + Send + 'static) {
    let heard = AtomicBool::new(false);
    listen(&[SIGINT, SIGTERM, SIGHUP], move |signal| {
        if heard.swap(true, Ordering::Relaxed) {
            quit(signal);
        }
        end();
    });
}

fn listen(signals: &[c_int], react: impl FnMut(c_int) + Send + 'static) {
    // Where signals cannot be caught, they end the program as they do by default.
    if let Ok(mut signals) = Signals::new(signals) {
        thread::spawn(move || signals.forever().for_each(react));
    }
}

fn say_again(under_way: &str) {
    remark(&format!("finishing the {under_way} under way; Ctrl-C again quits at once\n"));
}

fn quit(signal: c_int) -> ! {
    process::exit(exit_code(signal).into())
}

/// What shells report for a program that a signal ended.
fn exit_code(signal: c_int) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Whether the program is to outlive its terminal (`nohup`). Whatever it starts inherits that, and shows it.
fn hang_ups_are_ignored() -> bool {
    Command::new("sh").args(["-c", "kill -HUP $$"]).status().is_ok_and(|status| status.success())
}
