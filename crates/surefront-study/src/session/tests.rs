//! Sessions side by side on one store.

use std::path::Path;

use proptest::prelude::*;
use surefront::RuleKind;
use tempfile::TempDir;

use super::*;
use crate::answer::ChangeOf;
use crate::file::results::Key;
use crate::store::Told;

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
                    session.write(|batch, followed| followed.fail(batch, ticket.id, "exit code 1")).unwrap();
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
                "{:?} {:?} {:?} {:?} {:?} {}",
                study.tally().counts(),
                study.tally().means(),
                followed.dropped(),
                followed.asked(),
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
            let Asked::Tickets(tickets) = session.ask(60, "ask").unwrap() else { panic!("it cannot be sure") };
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
    let Asked::Tickets(tickets) = session.ask(8, "ask").unwrap() else { panic!("it is not sure") };
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
        let ahead: Vec<String> = session.changes_ahead(jobs).unwrap().iter().map(Change::sentence).collect();
        session
            .change(|batch| {
                let command = if study.contains("./finer") { "./finer" } else { "./fine" };
                let origin = crate::store::Origin { source: "run", setup: Some(batch.setup(command, jobs)?) };
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
