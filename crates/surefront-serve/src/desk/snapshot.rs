//! A study as it was at one moment, with all that pages and programs are shown of it. What is long is written when it is first wanted.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use serde::Serialize;
use surefront::{Problem as Stated, Promise};
use surefront_study::answer::Verdict;
use surefront_study::file::study::Readings;
use surefront_study::report::{self, ReportData, Sections};
use surefront_study::session::Session;
use surefront_study::status::Status;
use surefront_study::store::{EndedTicket, Observation, StoreError};

/// Measurements of the log that a study's page shows.
pub const LOG_ON_PAGE: u32 = 20;

/// All of it.
#[derive(Debug)]
pub struct Snapshot {
    /// Another number each time that something has changed.
    pub sequence: u64,
    /// What is known.
    pub status: Status,
    /// The same, for a report.
    pub report: ReportData,
    /// The problem that the study file states.
    pub stated: Arc<Stated>,
    /// What is read of an arm.
    pub readings: Readings,
    /// The last measurements, newest first.
    pub latest: Vec<Observation>,
    /// The last tickets without a result, newest first.
    pub endings: Vec<EndedTicket>,
    /// What is said to whoever follows.
    pub event: Bytes,
    json: OnceLock<Bytes>,
    sections: OnceLock<Sections>,
}

/// A study in a few numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The study's name.
    pub study: String,
    /// The answer in a sentence.
    pub answer: String,
    /// How sure that is, in a sentence.
    pub sureness: String,
    /// Whether there is an answer.
    pub stopped: bool,
    /// How strong it is, or will be.
    pub promise: Promise,
    /// The observations so far.
    pub samples: u64,
    /// About how many more it will take.
    pub samples_expected: Option<f64>,
    /// The evidence for the front.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// About the part of the way that is done.
    pub fraction: f64,
    /// The arms.
    pub arms: usize,
    /// Those of which it is known where they are.
    pub decided: usize,
    /// What was asked for and is not told yet.
    pub open_tickets: usize,
}

#[derive(Serialize)]
struct Change<'a> {
    sequence: u64,
    #[serde(flatten)]
    summary: &'a Summary,
}

impl Snapshot {
    /// Of a study at this moment.
    pub fn of(session: &mut Session, sequence: u64) -> Result<Self, StoreError> {
        let status = Status::of(session)?;
        let report = ReportData::with_answer(status.answer.clone(), session)?;
        let (latest, endings) = session
            .look(|view| Ok((view.latest_observations(i64::MAX, LOG_ON_PAGE)?, view.latest_endings(LOG_ON_PAGE)?)))?;
        let stated = Arc::clone(session.problem());
        let mut snapshot = Snapshot {
            sequence,
            status,
            report,
            stated,
            readings: session.file().readings(),
            latest,
            endings,
            event: Bytes::new(),
            json: OnceLock::new(),
            sections: OnceLock::new(),
        };
        let summary = snapshot.summary();
        let data =
            serde_json::to_string(&Change { sequence, summary: &summary }).expect("numbers and texts are valid JSON");
        snapshot.event = format!("event: change\nid: {sequence}\ndata: {data}\n\n").into();
        Ok(snapshot)
    }

    /// In a few numbers.
    pub fn summary(&self) -> Summary {
        let answer = &self.status.answer;
        Summary {
            study: answer.study.clone(),
            answer: report::answer_sentence(&self.report),
            sureness: report::sureness(&self.report),
            stopped: answer.stopped,
            promise: answer.promise,
            samples: answer.samples,
            samples_expected: answer.samples_expected,
            evidence: answer.evidence,
            threshold: answer.threshold,
            fraction: answer.fraction,
            arms: answer.arms.len(),
            decided: answer.arms.iter().filter(|arm| arm.verdict != Verdict::Undecided).count(),
            open_tickets: self.status.open_tickets.len(),
        }
    }

    /// All that is known, as JSON.
    pub fn json(&self) -> Bytes {
        let write = || serde_json::to_vec_pretty(&self.status).expect("a status is valid JSON").into();
        self.json.get_or_init(write).clone()
    }

    /// The parts of its page.
    pub fn sections(&self) -> &Sections {
        self.sections.get_or_init(|| Sections::of(&self.report))
    }
}
