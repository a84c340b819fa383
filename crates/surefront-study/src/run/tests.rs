//! Whole campaigns, as another program would run them.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use surefront::{RuleKind, Study};
use tempfile::TempDir;

use super::*;
use crate::answer::{Condition, Waiting};
use crate::session::{Session, Wishes};
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
    let options = RunOptions { jobs: Some(Jobs::try_from(2).unwrap()), ..RunOptions::default() };
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
        assert!(matches!(end_of(&mut session, &Interrupt::new()), End::Answered));
        // It had its answer already, and no command of a later campaign is hindered by that.
        assert!(matches!(end_of(&mut session, &Interrupt::new()), End::Answered));
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
        assert!(matches!(two.join().unwrap(), End::Answered));
    });
    // What the ended commands would have said is given up, and no failure of theirs.
    to_be_ended
        .look(|view| {
            assert!(view.outstanding()?.is_empty());
            Ok(())
        })
        .unwrap();
    let mut again = study(ended.path(), RICH);
    assert!(matches!(end_of(&mut again, &Interrupt::new()), End::Answered));
}

/// A study whose arms are measured in turns.
fn in_turns(session: &mut Session, jobs: usize, observer: &mut dyn Observer) -> End {
    let wishes = Wishes { rule: Some(RuleKind::Uniform), ..Wishes::default() };
    let options = RunOptions { jobs: Some(Jobs::try_from(jobs).unwrap()), wishes, ..RunOptions::default() };
    measure(session, &options, observer, &Interrupt::new()).unwrap()
}

/// The tickets in a state, and those laid aside among them.
fn tickets(session: &Session, status: &str) -> (Vec<i64>, usize) {
    let connection = rusqlite::Connection::open(session.store_path()).unwrap();
    let sql = "SELECT id, coalesce(ending, '') = 'unused' FROM ticket WHERE status = ?1 ORDER BY id";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([status], |row| Ok((row.get(0)?, row.get::<_, bool>(1)?)));
    let rows: Vec<(i64, bool)> = rows.unwrap().map(Result::unwrap).collect();
    (rows.iter().map(|row| row.0).collect(), rows.iter().filter(|row| row.1).count())
}

#[test]
fn what_was_asked_for_after_a_sufficient_beginning_is_laid_aside() {
    let folder = TempDir::new().unwrap();
    let mut session = study(folder.path(), RICH);
    assert!(matches!(in_turns(&mut session, 1, &mut ()), End::Answered));
    let enough = observations(&mut session);
    // The last that counts takes until others have been begun. The first one beyond hangs until it is ended; those after it are quick.
    for jobs in [2, 5] {
        let folder = TempDir::new().unwrap();
        let slow = |ticket: u64, seconds: &str| format!("[ $SUREFRONT_TICKET != {ticket} ] || sleep {seconds}");
        let hang = |command: &str| format!("{}; {}; {command}", slow(enough, "0.3"), slow(enough + 1, "1000"));
        let mut session = study(folder.path(), &hang(RICH));
        let text = fs::read_to_string(folder.path().join("s.toml")).unwrap();
        fs::write(
            folder.path().join("s.toml"),
            text.replace("\"echo quality=1.", &format!("\"{}", hang("echo quality=1."))),
        )
        .unwrap();
        drop(session);
        session = Session::open(&folder.path().join("s.toml"), None, Access::Create).unwrap();
        assert!(matches!(in_turns(&mut session, jobs, &mut ()), End::Answered));
        assert_eq!(observations(&mut session), enough);
        assert_eq!(tickets(&session, "told").0, (1..=enough as i64).collect::<Vec<_>>());
        let (aside, unused) = tickets(&session, "expired");
        assert!(!aside.is_empty() && unused == aside.len(), "{aside:?}");
        let answer = session.answer().unwrap();
        assert!(answer.stopped && answer.conditions.is_empty() && answer.waiting.is_none(), "{answer:?}");
    }
}

/// Lets the first measurement go on once the others have been held up.
struct Watchman<'a> {
    folder: &'a Path,
    jobs: u64,
    most: u64,
}

impl Observer for Watchman<'_> {
    fn waiting(&mut self, waiting: Option<Waiting>) {
        let Some(Waiting { results, ticket }) = waiting else { return };
        self.most = self.most.max(results);
        // The first of as many as may be ahead is the one that is missing.
        if ticket == 1 && results == 2 * self.jobs - 1 {
            fs::write(self.folder.join("go"), "").unwrap();
        }
    }

    fn show(&mut self, study: &mut Study) {
        assert!(self.folder.join("go").exists() || study.tally().total() == 0);
    }

    fn note(&mut self, note: &Note) {
        panic!("{note}");
    }
}

#[test]
fn a_slow_measurement_holds_up_the_others_and_nothing_is_lost() {
    for jobs in [2, 3] {
        let folder = TempDir::new().unwrap();
        let mut session = study(folder.path(), RICH);
        let text = fs::read_to_string(folder.path().join("s.toml")).unwrap();
        let slow = "while [ $SUREFRONT_TICKET = 1 ] && [ ! -e go ]; do sleep 0.01; done; echo quality=1.";
        fs::write(folder.path().join("s.toml"), text.replace("echo quality=1.", slow)).unwrap();
        drop(session);
        session = Session::open(&folder.path().join("s.toml"), None, Access::Create).unwrap();
        let mut watchman = Watchman { folder: folder.path(), jobs: jobs as u64, most: 0 };
        assert!(matches!(in_turns(&mut session, jobs, &mut watchman), End::Answered));
        assert_eq!(watchman.most, 2 * jobs as u64 - 1);
        let told = tickets(&session, "told").0;
        assert_eq!((told[0], told.len() as u64), (1, observations(&mut session)));
        assert!(session.answer().unwrap().conditions.is_empty());
    }
}

/// Gives up the ticket of somebody else that measuring waits for.
#[derive(Default)]
struct Helpful(Option<PathBuf>, Vec<String>);

impl Observer for Helpful {
    fn show(&mut self, _: &mut Study) {}

    fn note(&mut self, note: &Note) {
        if let Note::HeldUp { waiting, .. } = note {
            let path = self.0.as_ref().unwrap();
            Session::open(path, None, Access::Change).unwrap().fail(waiting.ticket, "not made").unwrap();
        }
        self.1.push(note.to_string());
    }
}

#[test]
fn a_ticket_of_others_is_waited_for_and_said_to_be() {
    for simulated in [false, true] {
        let folder = TempDir::new().unwrap();
        drop(study(folder.path(), RICH));
        let path = folder.path().join("s.toml");
        if simulated {
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(|line| if line.starts_with("command") { "mean = [1, 2]" } else { line });
            let text = lines.collect::<Vec<_>>().join("\n").replacen("mean = [1, 2]", "mean = [3, 2]", 1);
            fs::write(&path, text).unwrap();
        }
        let mut session = Session::open(&path, None, Access::Create).unwrap();
        session.ask(1, "ask").unwrap();
        let mut helpful = Helpful(Some(path), Vec::new());
        assert!(matches!(in_turns(&mut session, 1, &mut helpful), End::Answered));
        let [note] = &helpful.1[..] else { panic!("{:?}", helpful.1) };
        assert!(note.starts_with("2 results wait for ticket 1 of arm \"plain\", which `ask` asked for at "), "{note}");
        let kinds: Vec<_> = session.answer().unwrap().conditions.iter().map(Condition::kind).collect();
        assert_eq!(kinds, ["given up"]);
    }
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
    assert!(matches!(end, End::Answered));
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
    assert!(matches!(end, End::Answered));
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

/// Measures nothing, and says what the ticket's number says; the last assigned is the first to be told.
#[derive(Default)]
struct Backwards {
    assigned: Vec<Task>,
    most: usize,
    ended: bool,
}

impl Crew for Backwards {
    fn size(&self) -> usize {
        3
    }

    fn assign(&mut self, task: Task) {
        self.assigned.push(task);
        self.most = self.most.max(self.assigned.len());
    }

    fn outcome(&mut self, _: Duration) -> Option<Outcome> {
        let task = self.assigned.pop()?;
        let quality = if task.arm == 0 { 1.0 } else { 3.0 } + (task.ticket * 37 % 100) as f64 / 100.0;
        Some(Outcome { task, observed: Ok(vec![quality, if task.arm == 0 { 10.0 } else { 90.0 }]) })
    }

    fn end_all(&mut self) {
        self.ended = true;
    }

    fn way(&self, _: usize) -> Option<String> {
        Some("by heart".to_owned())
    }

    fn refused(&self, _: usize, error: surefront::ObservationError) -> Mishap {
        unreachable!("{error}")
    }
}

#[test]
fn whoever_measures_the_campaign_is_the_same() {
    let folder = TempDir::new().unwrap();
    let mut session = study(folder.path(), RICH);
    let mut crew = Backwards::default();
    let end = measure_by(&mut session, &RunOptions::default(), &mut crew, &mut (), &Interrupt::new()).unwrap();
    assert!(matches!(end, End::Answered));
    assert!(crew.ended && (3..=6).contains(&crew.most), "{} were under way", crew.most);
    let answer = session.answer().unwrap();
    assert_eq!(answer.front.len(), 2);
    assert!(answer.waiting.is_none());
    // Its way is known: a command that goes on is said to be another.
    let changes = session.changes_ahead(1, &|_| Some("./rich".to_owned())).unwrap();
    assert!(changes.iter().any(|change| change.before == "by heart"), "{changes:?}");
    // Where nobody else can come to the store, there is nothing to claim.
    let (file, problem) = (session.file(), session.problem());
    let store = crate::store::Store::private("mine", file, problem).unwrap();
    let text = fs::read_to_string(folder.path().join("s.toml")).unwrap();
    let file = crate::file::study::StudyFile::built_in("mine", &text).unwrap();
    let mut alone = Session::new(file, problem.as_ref().clone(), store);
    let end = measure_by(&mut alone, &RunOptions::default(), &mut Backwards::default(), &mut (), &Interrupt::new());
    assert!(matches!(end, Ok(End::Answered)));
    assert!(!Path::new("mine-run").exists());
}
