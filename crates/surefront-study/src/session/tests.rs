//! Sessions side by side on one store.

use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use surefront::RuleKind;
use tempfile::TempDir;

use super::*;
use crate::answer::{ChangeOf, Condition};
use crate::file::results::Key;
use crate::store::{Ending, Told};

const STUDY: &str = r#"
name = "codecs"
delta = 0.05
[[objective]]
name = "quality"
goal = "max"
variance = 0.04
[[objective]]
name = "bytes"
goal = "min"
[[arm]]
name = "fine"
command = "./fine"
[[arm]]
name = "coarse"
[[arm]]
name = "clumsy"
"#;

/// A folder with a study.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("s.toml"), STUDY).unwrap();
        Desk(folder)
    }

    fn session(&self, rule: RuleKind) -> Session {
        let wishes = Wishes { rule: Some(rule), ..Wishes::default() };
        Session::open(&self.0.path().join("s.toml"), None, Access::Create).unwrap().wishing(wishes)
    }
}

/// Something that people do.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Ask(u64),
    TellOpen(usize, f64),
    TellArm(usize, f64),
    FailOpen(usize),
    Retract(i64),
    Drop(usize),
    Restore(usize),
    Look,
}

fn deed() -> impl Strategy<Value = Deed> {
    let value = -1.0..1.0;
    prop_oneof![
        3 => (1..4u64).prop_map(Deed::Ask),
        4 => (0..8usize, value.clone()).prop_map(|(which, value)| Deed::TellOpen(which, value)),
        3 => (0..3usize, value).prop_map(|(arm, value)| Deed::TellArm(arm, value)),
        1 => (0..8usize).prop_map(Deed::FailOpen),
        1 => (1..20i64).prop_map(Deed::Retract),
        1 => (0..2usize).prop_map(Deed::Drop),
        1 => (0..3usize).prop_map(Deed::Restore),
        2 => Just(Deed::Look),
    ]
}

impl Deed {
    /// Does it; that it may be refused is part of it.
    fn apply(self, session: &mut Session) {
        let open = |session: &mut Session, which: usize| -> Option<Ticket> {
            let tickets = session.look(|view| view.outstanding()).unwrap();
            (!tickets.is_empty()).then(|| tickets[which % tickets.len()].clone())
        };
        // Far apart, but for the noise.
        let values =
            |arm: usize, value: f64| [[0.9, 30.0], [0.5, 10.0], [0.4, 20.0]][arm].map(|mean| mean + 0.2 * value);
        match self {
            Deed::Ask(number) => drop(session.ask(number, "ask").unwrap()),
            Deed::TellOpen(which, value) => {
                // As `run` does it: by way of the study.
                if let Some(Ticket { id, arm, .. }) = open(session, which) {
                    let told = session
                        .write(|batch, followed| followed.tell_ticket(batch, id, &values(arm, value), "run".into()));
                    assert!(matches!(told.unwrap(), Told::New(_)));
                }
            }
            Deed::TellArm(arm, value) => drop(session.tell(Key::Arm(arm), &values(arm, value), "tell").unwrap()),
            Deed::FailOpen(which) => {
                if let Some(ticket) = open(session, which) {
                    session
                        .write(|batch, followed| followed.end(batch, ticket.id, Ending::Failed, "exit code 1"))
                        .unwrap();
                }
            }
            Deed::Retract(observation) => drop(session.retract(&[observation], "a slip")),
            Deed::Drop(arm) => session.change(|batch| batch.drop_arm(arm, "exit code 1")).unwrap(),
            Deed::Restore(arm) => drop(session.change(|batch| batch.restore_arm(arm)).unwrap()),
            Deed::Look => drop(session.known().unwrap()),
        }
    }
}

/// All that can be known of a study: counts, means, arms left out, tickets, verdict, and what it would ask for next.
fn knowledge(session: &mut Session) -> String {
    session
        .read(|_, followed| {
            let mut study = followed.study().clone();
            let known = format!(
                "{:?} {:?} {:?} {:?} {:?} {:?} {}",
                study.tally().counts(),
                study.tally().means(),
                followed.dropped(),
                followed.asked(),
                followed.waiting(),
                study.verdict(),
                serde_json::to_string(&study.memory()).unwrap(),
            );
            let next: Vec<usize> = (0..6).map(|_| study.ask()).collect();
            Ok(format!("{known} {next:?}"))
        })
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn who_follows_knows_what_a_newcomer_knows(
        deeds in prop::collection::vec((any::<bool>(), deed()), 1..40),
        rule in prop::sample::select(vec![RuleKind::Dual, RuleKind::TrackAndStop, RuleKind::Uniform, RuleKind::Weakest]),
    ) {
        let desk = Desk::new();
        let mut sessions = [desk.session(rule), desk.session(rule)];
        for (at, (second, deed)) in deeds.into_iter().enumerate() {
            deed.apply(&mut sessions[usize::from(second)]);
            // Not after each deed, so that there is something to catch up with.
            if at % 3 == 2 {
                let newcomer = knowledge(&mut desk.session(rule));
                prop_assert_eq!(&knowledge(&mut sessions[0]), &newcomer);
                prop_assert_eq!(&knowledge(&mut sessions[1]), &newcomer);
            }
        }
        let newcomer = knowledge(&mut desk.session(rule));
        prop_assert_eq!(&knowledge(&mut sessions[0]), &newcomer);
        prop_assert_eq!(&knowledge(&mut sessions[1]), &newcomer);
    }
}

/// Counts, means and verdict: what the results that count say.
fn evidence(session: &mut Session) -> String {
    let known = |followed: &Followed| {
        let study = followed.study();
        format!("{:?} {:?} {:?}", study.tally().counts(), study.tally().means(), study.verdict())
    };
    session.read(|_, followed| Ok(known(followed))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// However results arrive, a study is that of the results without a gap, told one after the other.
    #[test]
    fn results_count_in_the_order_of_asking(
        arrivals in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
        values in prop::collection::vec(-1.0..1.0, 12),
        lost in prop::collection::btree_set(0..12_usize, 0..4),
        ways in prop::collection::vec(0..3_u8, 12),
        rule in prop::sample::select(vec![RuleKind::Dual, RuleKind::Uniform, RuleKind::Weakest]),
    ) {
        let result = |arm: usize, which: usize| [[0.9, 30.0], [0.5, 10.0], [0.4, 20.0]][arm].map(|mean| mean + 0.2 * values[which]);
        let (desk, orderly) = (Desk::new(), Desk::new());
        let mut sessions = [desk.session(rule), desk.session(rule)];
        let mut reference = orderly.session(rule);
        let Asked::Tickets(tickets) = sessions[0].ask(12, "ask").unwrap() else { panic!("it cannot be sure") };
        let Asked::Tickets(same) = reference.ask(12, "ask").unwrap() else { panic!("it cannot be sure") };
        prop_assert_eq!(tickets.iter().map(|t| t.arm).collect::<Vec<_>>(), same.iter().map(|t| t.arm).collect::<Vec<_>>());
        let (mut closed, mut prefix) = ([false; 12], 0);
        for which in arrivals {
            let Ticket { id, arm, .. } = tickets[which];
            let session = &mut sessions[usize::from(ways[which] > 0)];
            match (lost.contains(&which), ways[which]) {
                (true, 0) => session.fail(id, "sample spilt").unwrap(),
                (true, _) => session.write(|batch, followed| followed.end(batch, id, Ending::GivenUp, "sample spilt")).unwrap(),
                (false, 0) => drop(session.tell(Key::Ticket(id), &result(arm, which), "tell").unwrap()),
                (false, 1) => drop(desk.session(rule).tell(Key::TicketFor(id, arm), &result(arm, which), "tell").unwrap()),
                (false, _) => {
                    session.write(|batch, followed| followed.tell_ticket(batch, id, &result(arm, which), "run".into())).unwrap();
                }
            }
            closed[which] = true;
            while prefix < 12 && closed[prefix] {
                let Ticket { id, arm, .. } = same[prefix];
                if lost.contains(&prefix) {
                    reference.fail(id, "sample spilt").unwrap();
                } else {
                    reference.tell(Key::Ticket(id), &result(arm, prefix), "tell").unwrap();
                }
                prefix += 1;
            }
            let expected = evidence(&mut reference);
            prop_assert_eq!(&evidence(&mut sessions[0]), &expected);
            prop_assert_eq!(&evidence(&mut sessions[1]), &expected);
            prop_assert_eq!(&knowledge(&mut sessions[0]), &knowledge(&mut desk.session(rule)));
            let waiting = (prefix..12).filter(|which| closed[*which] && !lost.contains(which)).count() as u64;
            let said = sessions[0].answer().unwrap().waiting.map_or(0, |waiting| waiting.results);
            prop_assert_eq!(said, waiting);
        }
        prop_assert_eq!(knowledge(&mut sessions[1]), knowledge(&mut reference));
    }
}

/// What the answer says it depends on, by kind.
fn kinds(session: &mut Session) -> Vec<&'static str> {
    session.answer().unwrap().conditions.iter().map(Condition::kind).collect()
}

#[test]
fn a_ticket_that_is_overdue_is_given_up_and_may_still_be_told() {
    let desk = Desk::new();
    let mut session = desk.session(RuleKind::Uniform);
    session.be_patient(Duration::from_secs(3600)).unwrap();
    session.ask(3, "ask").unwrap();
    session.tell(Key::Ticket(2), &[0.5, 10.0], "tell").unwrap();
    let path = session.store_path().to_owned();
    let sql = "UPDATE ticket SET asked_at = '2020-01-01T00:00:00.000Z'";
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
    assert_eq!(session.answer().unwrap().waiting.unwrap().phrase(), "1 waits for ticket 1");
    session.ask(1, "ask").unwrap();
    let answer = session.answer().unwrap();
    assert_eq!((answer.samples, answer.waiting), (1, None));
    assert_eq!(answer.conditions, [Condition::Overdue { count: 1 }]);
    // Ticket 3 is as old, but nothing waits for it.
    assert!(session.look(|view| view.is_open(3)).unwrap());
    session.tell(Key::Ticket(1), &[0.9, 30.0], "tell").unwrap();
    let answer = session.answer().unwrap();
    assert_eq!((answer.samples, answer.conditions), (2, vec![]));
}

#[test]
fn what_the_promise_depends_on_is_said_as_long_as_it_does() {
    let desk = Desk::new();
    let mut session = desk.session(RuleKind::Uniform);
    session.ask(8, "ask").unwrap();
    for (ticket, values) in [(1, [0.9, 30.0]), (2, [0.5, 10.0]), (3, [0.4, 20.0])] {
        session.tell(Key::Ticket(ticket), &values, "tell").unwrap();
    }
    assert_eq!(kinds(&mut session), Vec::<&str>::new());
    session.fail(4, "sample spilt").unwrap();
    for (ticket, ending) in [(5, Ending::Failed), (6, Ending::TimedOut), (7, Ending::Lost), (8, Ending::Unused)] {
        session.change(|batch| batch.end(ticket, ending, "why")).unwrap();
    }
    assert_eq!(kinds(&mut session), ["failed", "timed out", "given up", "lost"]);
    session.tell(Key::Arm(2), &[0.4, 20.0], "tell").unwrap();
    session.retract(&[3], "a slip").unwrap();
    session.change(|batch| batch.drop_arm(0, "exit code 1")).unwrap();
    // What happened to an arm that is left out is not in the answer.
    assert_eq!(kinds(&mut session), ["failed", "timed out", "unasked", "taken back", "left out"]);
    // Whatever was measured meanwhile, the promise is that of all arms again.
    session.change(|batch| batch.restore_arm(0)).unwrap();
    assert_eq!(kinds(&mut session)[4..], ["unasked", "taken back"]);
    let edited = |study: &str| {
        std::fs::write(desk.0.path().join("s.toml"), study).unwrap();
        kinds(&mut desk.session(RuleKind::Uniform))[6..].to_vec()
    };
    assert_eq!(edited(&format!("{STUDY}[[arm]]\nname = \"new\"\n")), ["added"]);
    let noise = STUDY.replace("variance = 0.04", "variance = 0.05");
    assert_eq!(edited(&noise), ["noise"]);
    assert_eq!(edited(STUDY), [""; 0]);
    assert_eq!(edited(&format!("{STUDY}variance = [1, 1]\n")), ["noise"]);
    assert_eq!(edited(&format!("correlation = [[1, 0.5], [0.5, 1]]\n{STUDY}")), ["correlation"]);
    assert_eq!(edited(&format!("correlation = \"estimate\"\n{STUDY}")), ["correlation"]);
    assert_eq!(edited(&STUDY.replace("0.05", "0.01")), ["delta"]);
    assert_eq!(edited(&STUDY.replace("0.05", "0.06")), [""; 0]);
    // A smaller one that is only looked at is chosen after looking as well.
    std::fs::write(desk.0.path().join("s.toml"), STUDY).unwrap();
    let wishes = Wishes { delta: Some(1e-6), ..Wishes::default() };
    let mut session = desk.session(RuleKind::Uniform).wishing(wishes);
    let conditions = session.answer().unwrap().conditions;
    assert_eq!(conditions.last(), Some(&Condition::Delta { before: 0.06, now: 1e-6 }));
    let json = serde_json::to_value(&conditions[0]).unwrap();
    assert_eq!((&json["kind"], &json["count"]), (&"failed".into(), &1.into()));
    assert!(json["sentence"].as_str().unwrap().starts_with("1 measurement failed"));
}

#[test]
fn what_was_not_stored_is_not_known() {
    let desk = Desk::new();
    let mut session = desk.session(RuleKind::Dual);
    session.tell(Key::Arm(0), &[0.9, 30.0], "tell").unwrap();
    let before = knowledge(&mut session);
    let failed = session.write(|batch, followed| {
        let ticket = followed.ask(batch, "run")?;
        followed.tell_ticket(batch, ticket.id, &[0.5, 10.0], "run".into())?;
        batch.arm_of_ticket(99)
    });
    assert!(failed.is_err());
    assert_eq!(knowledge(&mut session), before);
}

/// What SQLite read of the tables since it was asked last is not to be had; that an observation is read again is seen by its values.
#[test]
fn who_follows_reads_only_what_is_new() {
    let desk = Desk::new();
    let mut session = desk.session(RuleKind::Uniform);
    session.tell(Key::Arm(0), &[0.9, 30.0], "tell").unwrap();
    assert_eq!(session.known().unwrap().study().tally().total(), 1);
    // Behind everybody's back, what has been read already becomes something that would be refused.
    let path = session.store_path().to_owned();
    let spoil = |sql: &str| rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    spoil("UPDATE observation SET value_1 = 1e300");
    desk.session(RuleKind::Uniform).tell(Key::Arm(1), &[0.5, 10.0], "tell").unwrap();
    assert_eq!(session.read(|_, followed| Ok(followed.study().tally().total())).unwrap(), 2);
    assert!(desk.session(RuleKind::Uniform).known().is_err());
}

#[test]
fn another_seed_begins_afresh_and_the_same_does_not() {
    let asked = |seeds: &[Option<u64>]| -> Vec<Vec<usize>> {
        let desk = Desk::new();
        let mut session = desk.session(RuleKind::Dual);
        for turn in 0..12_u32 {
            for (arm, values) in [[0.9, 30.0], [0.5, 10.0], [0.45, 10.5]].into_iter().enumerate() {
                let noise = 0.3 * f64::from((turn * 7 + arm as u32 * 3) % 5) - 0.6;
                session.tell(Key::Arm(arm), &values.map(|value| value + noise), "tell").unwrap();
            }
        }
        let ask = |&seed: &Option<u64>| {
            let wishes = Wishes { rule: Some(RuleKind::Dual), delta: Some(1e-30), seed, ..Wishes::default() };
            let mut session = desk.session(RuleKind::Dual).wishing(wishes);
            let Asked::Tickets(tickets) = session.ask(60, "ask").unwrap() else { panic!("it cannot have an answer") };
            let arms = tickets.iter().map(|ticket| ticket.arm).collect();
            for ticket in tickets {
                session.fail(ticket.id, "not made").unwrap();
            }
            if let Some(seed) = seed {
                assert_eq!(session.look(|view| view.last_settings()).unwrap().seed, Some(seed));
            }
            arms
        };
        seeds.iter().map(ask).collect()
    };
    let one = asked(&[Some(1), Some(2), Some(2), None]);
    // From 2 on, as a study that began with 2.
    assert_eq!(one[1], asked(&[Some(2)])[0]);
    assert_ne!(one[0], one[1]);
    // The same again, and nothing typed, go on.
    assert_ne!(one[1], one[2]);
    assert_eq!(one[1..], asked(&[Some(2), None, Some(2)]));
}

#[test]
fn a_study_of_version_0_1_is_taken_up_as_it_was() {
    let folder = TempDir::new().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for name in ["version-0.1.toml", "version-0.1.db"] {
        std::fs::copy(data.join(name), folder.path().join(name)).unwrap();
    }
    let mut session = Session::open(&folder.path().join("version-0.1.toml"), None, Access::Change).unwrap();
    let answer = session.answer().unwrap();
    // As that release said it.
    assert_eq!((answer.samples, answer.delta, answer.rule, answer.threshold_name), (13, 1e-9, "dual", "stylized"));
    assert!((answer.evidence - 0.021_601_109_221_795_322).abs() < 1e-15, "{}", answer.evidence);
    assert_eq!(answer.arms.iter().map(|arm| arm.failures.count).collect::<Vec<_>>(), [0, 0, 1]);
    assert!(answer.changes.is_empty());
    let Asked::Tickets(tickets) = session.ask(8, "ask").unwrap() else { panic!("it has no answer yet") };
    assert_eq!(tickets.iter().map(|ticket| ticket.arm).collect::<Vec<_>>(), [2, 1, 1, 2, 1, 1, 1, 2]);
    assert_eq!(tickets[0].id, 18);
}

#[test]
fn another_command_or_number_of_jobs_is_said_before_and_after() {
    let desk = Desk::new();
    let timed = STUDY.replace("goal = \"min\"\n", "goal = \"min\"\nmeasure = \"wall_seconds\"\n");
    let measure = |study: &str, jobs: u64, times: usize| {
        std::fs::write(desk.0.path().join("s.toml"), study).unwrap();
        let mut session = desk.session(RuleKind::Uniform);
        let file = Arc::clone(session.file());
        let way = |arm: usize| file.command(arm).map(ToString::to_string);
        let ahead: Vec<String> = session.changes_ahead(jobs, &way).unwrap().iter().map(Change::sentence).collect();
        session
            .change(|batch| {
                let command = if study.contains("./finer") { "./finer" } else { "./fine" };
                let origin =
                    crate::store::Origin { source: "run", setup: Some(batch.setup(command, jobs)?), took: None };
                (0..times).try_for_each(|_| batch.tell_arm(0, &[0.9, 30.0], origin).map(drop))
            })
            .unwrap();
        let answer = session.answer().unwrap();
        (ahead, answer.changes)
    };
    assert_eq!(measure(&timed, 1, 2), (vec![], vec![]));
    let (ahead, changes) = measure(&timed.replace("./fine", "./finer"), 1, 1);
    assert_eq!(ahead, ["2 observations of arm \"fine\" were measured by `./fine`; from now on it is `./finer`"]);
    assert_eq!((changes.len(), changes[0].of, changes[0].observations_before), (1, ChangeOf::Command, 2));
    assert!(changes[0].at.is_some());
    let (ahead, changes) = measure(&timed.replace("./fine", "./finer"), 4, 1);
    assert_eq!(ahead, ["3 observations were measured with 1 at a time; from now on it is 4"]);
    assert_eq!((changes.len(), changes[1].of, changes[1].arm.is_none()), (2, ChangeOf::Jobs, true));
    // Where nothing is measured of the commands, what runs beside them does not matter.
    assert_eq!(measure(&STUDY.replace("./fine", "./finer"), 2, 0).0, Vec::<String>::new());
    // What is taken back is mixed with nothing.
    let mut session = desk.session(RuleKind::Uniform);
    session.retract(&[1, 2, 3], "another command").unwrap();
    assert!(session.answer().unwrap().changes.is_empty());
}

#[test]
fn another_risk_is_what_the_rule_goes_by() {
    let desk = Desk::new();
    let mut session = desk.session(RuleKind::Ape);
    for (arm, values) in [[0.9, 30.0], [0.5, 10.0], [0.4, 20.0]].into_iter().enumerate() {
        (0..4).for_each(|turn| {
            let values = values.map(|value| value + 0.1 * f64::from(turn));
            session.tell(Key::Arm(arm), &values, "tell").unwrap();
        });
    }
    let wishes = |delta| Wishes { rule: Some(RuleKind::Ape), delta: Some(delta), ..Wishes::default() };
    let rule = |session: &mut Session| session.known().unwrap().study().settings().rule.clone();
    let mut session = desk.session(RuleKind::Ape).wishing(wishes(0.1));
    session.ask(2, "ask").unwrap();
    let before = rule(&mut session);
    let mut session = desk.session(RuleKind::Ape).wishing(wishes(1e-6));
    session.ask(2, "ask").unwrap();
    assert_ne!(rule(&mut session), before);
    // As if it had been the risk from the beginning.
    let other = Desk::new();
    assert_eq!(rule(&mut session), rule(&mut other.session(RuleKind::Ape).wishing(wishes(1e-6))));
}

/// Somebody in memory, and somebody with a store, do the same.
#[derive(Debug)]
struct Pair {
    swift: Swift,
    slow: Session,
}

impl Pair {
    fn new(desk: &Desk, rule: RuleKind) -> Self {
        let file = StudyFile::read(&desk.0.path().join("s.toml")).unwrap();
        let problem = file.learning_problem().unwrap();
        let store = Store::private("codecs", &file, &problem).unwrap();
        let wishes = Wishes { rule: Some(rule), ..Wishes::default() };
        let memory = Session::new(file, problem, store).wishing(wishes);
        Pair { swift: Swift::new(memory, "by hand"), slow: desk.session(rule) }
    }

    /// Sentences are the same but for the name of the store.
    fn said<T: std::fmt::Debug>(done: Result<T, StoreError>) -> Result<(), String> {
        done.map(drop).map_err(|error| error.fault.to_string())
    }

    fn agree(&mut self) {
        let stopped = self.slow.read(|_, followed| Ok(followed.answered())).unwrap();
        assert_eq!(self.swift.answered().unwrap(), stopped);
        let front = self.slow.read(|_, followed| Ok(followed.study().verdict().front)).unwrap();
        assert_eq!(self.swift.front().unwrap(), front);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A study that does not wait for its store is the one that does: what is asked for, refused and known.
    #[test]
    fn who_is_ahead_of_the_store_does_what_the_session_does(
        deeds in prop::collection::vec((0..12_u8, 0..6_i64, -1.0..1.0_f64), 1..120),
        rule in prop::sample::select(vec![RuleKind::Weakest, RuleKind::Uniform]),
    ) {
        let desk = Desk::new();
        let mut pair = Pair::new(&desk, rule);
        let (mut newest, means) = (0_i64, [[0.9, 30.0], [0.5, 12.0], [0.1, 40.0]]);
        for (deed, back, noise) in deeds {
            match deed {
                0..5 => {
                    let slow = match pair.slow.ask(1, "by hand").unwrap() {
                        Asked::Tickets(tickets) => Next::Measure { ticket: tickets[0].id, arm: tickets[0].arm },
                        Asked::Answered { .. } => Next::Nothing,
                    };
                    prop_assert_eq!(pair.swift.ask().unwrap(), slow);
                    if let Next::Measure { ticket, .. } = slow {
                        newest = ticket;
                    }
                }
                5..9 => {
                    let ticket = newest - back;
                    let arm = pair.slow.look(|view| view.arm_of_ticket(ticket)).unwrap_or(0);
                    let mut values = means[arm].to_vec();
                    values[0] += 0.2 * noise;
                    values[1] += noise;
                    if back == 5 {
                        values[1] = f64::NAN;
                    }
                    let slow = pair.slow.tell(Key::Ticket(ticket), &values, "by hand");
                    prop_assert_eq!(Pair::said(pair.swift.tell(ticket, &values)), Pair::said(slow));
                }
                9 => {
                    let slow = pair.slow.fail(newest - back, "spilt");
                    prop_assert_eq!(Pair::said(pair.swift.fail(newest - back, "spilt")), Pair::said(slow));
                }
                10 => {
                    let slow = pair.slow.retract_ticket(newest - back, "wrong");
                    let swift = pair.swift.session().unwrap().retract_ticket(newest - back, "wrong");
                    prop_assert_eq!(Pair::said(swift), Pair::said(slow));
                }
                _ => {
                    let (swift, slow) = (pair.swift.look().unwrap().answer().unwrap(), pair.slow.answer().unwrap());
                    let shown = |mut answer: Answer| {
                        // Each has its own clock.
                        answer.arms.iter_mut().for_each(|arm| arm.failures.at = None);
                        format!("{answer:?}")
                    };
                    prop_assert_eq!(shown(swift), shown(slow));
                }
            }
            pair.agree();
        }
    }
}
