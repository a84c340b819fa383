//! Whole campaigns, as another program would run them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use surefront::Study;
use tempfile::TempDir;

use super::*;
use crate::session::Session;
use crate::store::Access;

/// More than anything here takes on the slowest machine: whoever waits longer waits for ever.
const GENEROUS: Duration = Duration::from_secs(300);

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < GENEROUS, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Two arms whose noise depends on the ticket; the second is measured by `command`.
fn study(folder: &Path, command: &str) -> Session {
    let text = format!(
        r#"
[[objective]]
name = "quality"
goal = "max"
variance = 1
[[objective]]
name = "bytes"
goal = "min"
noise = "exact"
[[arm]]
name = "plain"
command = "echo quality=1.$((SUREFRONT_TICKET * 37 % 100)) bytes=10"
[[arm]]
name = "rich"
command = '''{command}'''
"#
    );
    let path = folder.join("s.toml");
    fs::write(&path, text).unwrap();
    Session::open(&path, None, Access::Create).unwrap()
}

const RICH: &str = "echo quality=3.$((SUREFRONT_TICKET * 53 % 100)) bytes=90";

fn end_of(session: &mut Session, interrupt: &Interrupt) -> End {
    let options = RunOptions { jobs: Jobs::try_from(2).unwrap(), ..RunOptions::default() };
    measure(session, &options, &mut (), interrupt).unwrap()
}

fn observations(session: &mut Session) -> u64 {
    session.known().unwrap().study().tally().total()
}

#[test]
fn one_campaign_after_the_other() {
    for _ in 0..2 {
        let folder = TempDir::new().unwrap();
        let mut session = study(folder.path(), RICH);
        assert!(matches!(end_of(&mut session, &Interrupt::new()), End::Sure));
        // It was sure already, and no command of a later campaign is hindered by that.
        assert!(matches!(end_of(&mut session, &Interrupt::new()), End::Sure));
    }
}

#[test]
fn ending_one_campaign_leaves_another_alone() {
    let (ended, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let stuck = "echo $$ > running; sleep 1000";
    let mut to_be_ended = study(ended.path(), stuck);
    let mut to_go_on =
        study(other.path(), &format!("echo $$ > running; while [ ! -e go ]; do sleep 0.01; done; {RICH}"));
    let interrupt = Interrupt::new();
    thread::scope(|scope| {
        let one = scope.spawn(|| end_of(&mut to_be_ended, &interrupt));
        let two = scope.spawn(|| end_of(&mut to_go_on, &Interrupt::new()));
        for folder in [&ended, &other] {
            wait_for("a command runs", || folder.path().join("running").exists());
        }
        interrupt.end_at_once();
        assert!(matches!(one.join().unwrap(), End::Interrupted(Urgency::AtOnce)));
        fs::write(other.path().join("go"), "").unwrap();
        assert!(matches!(two.join().unwrap(), End::Sure));
    });
    // What the ended commands would have said is given up, and no failure of theirs.
    to_be_ended
        .look(|view| {
            assert!(view.outstanding()?.is_empty());
            Ok(())
        })
        .unwrap();
    let mut again = study(ended.path(), RICH);
    assert!(matches!(end_of(&mut again, &Interrupt::new()), End::Sure));
}

/// Asks for an end as soon as a command runs, which then may go on.
struct Impatient<'a> {
    folder: &'a Path,
    interrupt: &'a Interrupt,
}

impl Observer for Impatient<'_> {
    fn show(&mut self, _: &mut Study) {
        if self.folder.join("running").exists() {
            self.interrupt.finish();
            fs::write(self.folder.join("go"), "").unwrap();
        }
    }

    fn note(&mut self, note: &Note) {
        panic!("{note}");
    }
}

#[test]
fn an_interrupted_campaign_keeps_what_was_under_way() {
    let folder = TempDir::new().unwrap();
    let waits = format!("echo $$ > running; while [ ! -e go ]; do sleep 0.01; done; {RICH}");
    let mut session = study(folder.path(), &waits);
    let interrupt = Interrupt::new();
    let mut observer = Impatient { folder: folder.path(), interrupt: &interrupt };
    let end = measure(&mut session, &RunOptions::default(), &mut observer, &interrupt).unwrap();
    assert!(matches!(end, End::Interrupted(Urgency::Finish)), "{end:?}");
    let kept = observations(&mut session);
    assert!(session.known().unwrap().study().tally().count(1) == 1 && kept >= 1);
    // A handle that was used ends the next campaign too.
    let end = measure(&mut session, &RunOptions::default(), &mut (), &interrupt).unwrap();
    assert!(matches!(end, End::Interrupted(Urgency::Finish)), "{end:?}");
    assert_eq!(observations(&mut session), kept);
}

/// Writes everything down.
#[derive(Default)]
struct Scribe {
    begun: Option<u64>,
    shown: u64,
    notes: Vec<String>,
    retries: Vec<(u32, u32)>,
}

impl Observer for Scribe {
    fn begin(&mut self, study: &Study) {
        assert_eq!(self.begun.replace(study.tally().total()), None);
    }

    fn show(&mut self, _: &mut Study) {
        assert!(self.begun.is_some());
        self.shown += 1;
    }

    fn note(&mut self, note: &Note) {
        self.notes.push(note.to_string());
        if let Note::Retry { trial, trials, .. } = note {
            self.retries.push((*trial, *trials));
        }
    }
}

#[test]
fn an_observer_hears_what_happens() {
    let folder = TempDir::new().unwrap();
    let fails_once = format!("[ -e tried ] || {{ touch tried; exit 3; }}; {RICH}");
    let mut session = study(folder.path(), &fails_once);
    let mut scribe = Scribe::default();
    let options = RunOptions { on_failure: OnFailure::Retry, ..RunOptions::default() };
    let end = measure(&mut session, &options, &mut scribe, &Interrupt::new()).unwrap();
    assert!(matches!(end, End::Sure));
    assert!(!session.look(|view| view.progress()).unwrap().is_empty());
    assert_eq!((scribe.begun, scribe.retries), (Some(0), vec![(1, 3)]));
    assert!(scribe.shown > 0);
    assert!(scribe.notes[0].starts_with("arm \"rich\": the command `[ -e tried ]"), "{}", scribe.notes[0]);
    assert!(scribe.notes[0].ends_with(". Trying again (1 of 3)."), "{}", scribe.notes[0]);

    let folder = TempDir::new().unwrap();
    let mut session = study(folder.path(), "exit 3");
    let mut scribe = Scribe::default();
    let options = RunOptions { on_failure: OnFailure::Drop, ..RunOptions::default() };
    let end = measure(&mut session, &options, &mut scribe, &Interrupt::new()).unwrap();
    assert!(matches!(end, End::Sure));
    assert_eq!(session.known().unwrap().dropped().len(), 1);
    assert!(scribe.notes[0].ends_with(" The arm is left out from now on."), "{}", scribe.notes[0]);
}

#[test]
fn no_time_is_spent_after_its_end() {
    let simulated = "[[objective]]\nname = \"x\"\ngoal = \"max\"\nvariance = 1\n[[arm]]\nname = \"a\"\nmean = [1]\n";
    for text in [simulated.to_owned(), simulated.replace("mean = [1]", "command = \"echo x=1\"")] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("s.toml");
        fs::write(&path, format!("{text}[[arm]]\nname = \"b\"\nmean = [1.01]\n")).unwrap();
        let mut session = Session::open(&path, None, Access::Create).unwrap();
        let mut scribe = Scribe::default();
        let options = RunOptions { until: Some(Instant::now()), ..RunOptions::default() };
        let end = measure(&mut session, &options, &mut scribe, &Interrupt::new()).unwrap();
        assert!(matches!(end, End::OutOfTime), "{end:?}");
        // Looking at a study with many arms takes long, and so does asking for one of them.
        assert_eq!((scribe.shown, observations(&mut session)), (0, 0));
    }
}

#[test]
fn only_one_campaign_at_a_time_works_on_a_store() {
    let folder = TempDir::new().unwrap();
    let mut session = study(folder.path(), RICH);
    let _claim = claim::Claim::of(session.store_path()).unwrap();
    let refused = measure(&mut session, &RunOptions::default(), &mut (), &Interrupt::new());
    assert!(matches!(refused, Err(crate::StudyError::AlreadyRunning { .. })));
}
