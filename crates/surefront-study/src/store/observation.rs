//! Observations: what was measured.

use std::ops::ControlFlow;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params_from_iter};
use surefront::{Noise, ObservationError, Reading};

use super::batch::Batch;
use super::moment::Moment;
use super::schema::NOW;
use super::setup::SetupId;
use super::store_error::{Refusal, StoreFault};
use super::view::View;
use crate::words::number::short;

/// One observation with all that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Its number.
    pub id: i64,
    /// The arm's name.
    pub arm: String,
    /// Its place in the study file, if it is still there.
    pub index: Option<usize>,
    /// The ticket that asked for it.
    pub ticket: Option<i64>,
    /// Who told it: a command, or a file.
    pub source: String,
    /// When.
    pub told_at: String,
    /// When and why it was taken back, if it was.
    pub retracted: Option<(String, String)>,
    /// One value for each objective.
    pub values: Vec<f64>,
}

/// What became of something told, and the number it has as an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It counts from now on.
    New(i64),
    /// The same was told before: nothing has changed.
    Same(i64),
}

/// Who told an observation, and how it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// A command, or a file.
    pub source: &'a str,
    /// How it was measured, if that was recorded.
    pub setup: Option<SetupId>,
    /// How long that took, if it was timed.
    pub took: Option<Duration>,
}

impl<'a> From<&'a str> for Origin<'a> {
    fn from(source: &'a str) -> Self {
        Origin { source, setup: None, took: None }
    }
}

impl View<'_> {
    /// Shows the arm and the values of every observation that counts, was told after observation number `after`, and either has no
    /// ticket or one before `frontier`, oldest first; the number of the last one told, whether it counts or not.
    pub fn observed_since(
        &self,
        after: i64,
        frontier: i64,
        mut show: impl FnMut(usize, &[f64]) -> Result<(), ObservationError>,
    ) -> Result<i64, StoreFault> {
        let sql = format!(
            "SELECT {}, arm, id, retracted_at IS NULL AND (ticket IS NULL OR ticket < ?2) FROM observation
             WHERE id > ?1 ORDER BY id",
            self.definition.columns
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([after, frontier])?;
        let d = self.definition.problem.objective_count();
        let (mut last, mut values) = (after, Vec::with_capacity(d));
        while let Some(row) = rows.next()? {
            last = row.get(d + 1)?;
            if row.get(d + 2)? {
                self.show(row, &mut values, &mut show)?;
            }
        }
        Ok(last)
    }

    /// By arm: how many of the observations that were not taken back were timed, and how long they took together, in millionths of a second.
    pub fn times(&self) -> Result<Vec<(u64, u64)>, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT arm, count(*), sum(micros) FROM observation
             WHERE micros IS NOT NULL AND retracted_at IS NULL GROUP BY arm",
        )?;
        let mut times = vec![(0, 0); self.definition.problem.arm_count()];
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) {
                times[arm] = (row.get::<_, i64>(1)?.unsigned_abs(), row.get::<_, i64>(2)?.unsigned_abs());
            }
        }
        Ok(times)
    }

    /// By arm: how many observations count that nobody had asked for.
    pub fn unasked(&self) -> Result<Vec<u64>, StoreFault> {
        self.counted_by_arm("ticket IS NULL AND retracted_at IS NULL")
    }

    /// By arm: how many observations somebody took back. What was laid aside whatever it showed is not among them.
    pub fn taken_back(&self) -> Result<Vec<u64>, StoreFault> {
        self.counted_by_arm(
            "retracted_at IS NOT NULL
             AND (ticket IS NULL OR ticket NOT IN (SELECT id FROM ticket WHERE ending = 'unused'))",
        )
    }

    fn counted_by_arm(&self, which: &str) -> Result<Vec<u64>, StoreFault> {
        let mut counts = vec![0; self.definition.arm_ids.len()];
        let sql = format!("SELECT arm, count(*) FROM observation WHERE {which} GROUP BY arm");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) {
                counts[arm] = row.get::<_, i64>(1)?.unsigned_abs();
            }
        }
        Ok(counts)
    }

    /// How many observations were ever taken back. It never becomes less.
    pub fn retractions(&self) -> Result<u64, StoreFault> {
        let sql = "SELECT count(*) FROM observation WHERE retracted_at IS NOT NULL";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    /// Shows every observation, those taken back as well, in the order in which they were told, until somebody has seen enough.
    pub fn each_observation(&self, mut show: impl FnMut(&Observation) -> ControlFlow<()>) -> Result<(), StoreFault> {
        let sql = format!(
            "SELECT {}, observation.id, arm.name, ticket, source, told_at, retracted_at, retracted_reason, arm.id
             FROM observation JOIN arm ON arm.id = observation.arm ORDER BY observation.id",
            self.definition.columns
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if show(&self.observation(row)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn observation(&self, row: &Row) -> rusqlite::Result<Observation> {
        let d = self.definition.problem.objective_count();
        let retracted: (Option<String>, Option<String>) = (row.get(d + 5)?, row.get(d + 6)?);
        Ok(Observation {
            values: (0..d).map(|j| row.get(j)).collect::<Result<_, _>>()?,
            id: row.get(d)?,
            arm: row.get(d + 1)?,
            index: self.definition.arm_of.get(&row.get(d + 7)?).copied(),
            ticket: row.get(d + 2)?,
            source: row.get(d + 3)?,
            told_at: row.get(d + 4)?,
            retracted: retracted.0.map(|at| (at, retracted.1.unwrap_or_default())),
        })
    }

    /// The observation that a ticket was told, and its values.
    pub fn told_of(&self, ticket: i64) -> Result<Option<(i64, Vec<f64>)>, StoreFault> {
        let columns = &self.definition.columns;
        let sql = format!("SELECT {columns}, id FROM observation WHERE ticket = ?1 AND retracted_at IS NULL");
        self.values_and_id(&sql, ticket)
    }

    fn values_and_id(&self, sql: &str, key: i64) -> Result<Option<(i64, Vec<f64>)>, StoreFault> {
        let d = self.definition.problem.objective_count();
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row| Ok((row.get(d)?, (0..d).map(|j| row.get(j)).collect::<Result<_, _>>()?));
        Ok(statement.query_row([key], read).optional()?)
    }

    /// Refuses what cannot be an observation of this arm.
    fn check(&self, arm: usize, values: &[f64]) -> Result<(), StoreFault> {
        let problem = &self.definition.problem;
        let exact = (0..problem.objective_count()).any(|j| problem.noise(arm, j) == Noise::Exact);
        let earlier = if exact {
            let columns = &self.definition.columns;
            let sql = format!("SELECT {columns}, id FROM observation WHERE arm = ?1 AND retracted_at IS NULL LIMIT 1");
            self.values_and_id(&sql, self.definition.arm_ids[arm])?
        } else {
            None
        };
        Ok(problem.check_observation(arm, values, |j| earlier.as_ref().map(|(_, values)| values[j]))?)
    }
}

impl Batch<'_> {
    /// What a ticket asked for. The same twice is harmless; other values are refused.
    pub fn tell_ticket<'o>(
        &self,
        ticket: i64,
        values: &[f64],
        origin: impl Into<Origin<'o>>,
    ) -> Result<Told, StoreFault> {
        let arm = self.arm_of_ticket(ticket)?;
        if let Some((observation, known)) = self.told_of(ticket)? {
            // What could not be told at all is said first.
            self.definition.problem.check_observation(arm, values, |_| None)?;
            if known == values {
                return Ok(Told::Same(observation));
            }
            let (known, values) = (in_words(&known), in_words(values));
            return Err(Refusal::OtherValues { ticket, observation, known, values }.into());
        }
        let observation = self.insert(arm, Some(ticket), values, origin.into())?;
        self.close(ticket, "told", None, None)?;
        Ok(Told::New(observation))
    }

    /// What nobody asked for; the number of the observation.
    pub fn tell_arm<'o>(&self, arm: usize, values: &[f64], origin: impl Into<Origin<'o>>) -> Result<i64, StoreFault> {
        self.insert(arm, None, values, origin.into())
    }

    fn insert(&self, arm: usize, ticket: Option<i64>, values: &[f64], origin: Origin) -> Result<i64, StoreFault> {
        self.check(arm, values)?;
        let marks = ", ?".repeat(values.len());
        let columns = &self.definition.columns;
        let sql = format!(
            "INSERT INTO observation (arm, ticket, source, setup, micros, {columns}) VALUES (?, ?, ?, ?, ?{marks})"
        );
        let head = [
            self.definition.arm_ids[arm].into(),
            ticket.map_or(Value::Null, Value::from),
            origin.source.to_owned().into(),
            origin.setup.map_or(Value::Null, |setup| setup.0.into()),
            origin.took.and_then(|took| i64::try_from(took.as_micros()).ok()).map_or(Value::Null, Value::from),
        ];
        let cells = head.into_iter().chain(values.iter().map(|&value| Value::from(value)));
        Ok(self.connection.prepare_cached(&sql)?.insert(params_from_iter(cells))?)
    }

    /// Takes an observation back: it stays in the store and no longer counts. Its ticket, if any, is closed without a result, and
    /// may be told again.
    pub fn retract(&self, observation: i64, reason: &str) -> Result<(), StoreFault> {
        let mut statement =
            self.connection.prepare_cached("SELECT ticket, retracted_at FROM observation WHERE id = ?1")?;
        let found = statement.query_row([observation], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (ticket, before): (Option<i64>, Option<String>) = found.ok_or(Refusal::UnknownObservation(observation))?;
        if let Some(at) = before {
            return Err(Refusal::RetractedAlready { observation, at }.into());
        }
        let sql = format!("UPDATE observation SET retracted_at = {NOW}, retracted_reason = ?2 WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.execute((observation, reason))?;
        if let Some(ticket) = ticket {
            let note = format!("observation {observation} was taken back: {reason}");
            self.close(ticket, "failed", None, Some(&note))?;
        }
        Ok(())
    }

    /// Takes back all observations of an arm, or of every one, that were told before a moment, or ever; their numbers.
    pub fn retract_all(
        &self,
        arm: Option<usize>,
        before: Option<&Moment>,
        reason: &str,
    ) -> Result<Vec<i64>, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM observation
             WHERE retracted_at IS NULL AND (?1 IS NULL OR arm = ?1) AND (?2 IS NULL OR told_at < ?2) ORDER BY id",
        )?;
        let arm = arm.map(|arm| self.definition.arm_ids[arm]);
        let rows = statement.query_map((arm, before.map(Moment::as_str)), |row| row.get(0))?;
        let observations: Vec<i64> = rows.collect::<Result<_, _>>()?;
        observations.iter().try_for_each(|&observation| self.retract(observation, reason))?;
        Ok(observations)
    }

    /// Takes back what a ticket was told; the number of the observation.
    pub fn retract_ticket(&self, ticket: i64, reason: &str) -> Result<i64, StoreFault> {
        self.arm_of_ticket(ticket)?;
        let (observation, _) = self.told_of(ticket)?.ok_or(Refusal::NothingTold(ticket))?;
        self.retract(observation, reason)?;
        Ok(observation)
    }
}

fn in_word(value: f64) -> String {
    match Reading::of(value) {
        Reading::Value(value) => short(value),
        more => more.to_string(),
    }
}

/// Values for a sentence.
pub fn in_words(values: &[f64]) -> String {
    values.iter().map(|&value| in_word(value)).collect::<Vec<_>>().join(", ")
}
