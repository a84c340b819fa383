//! The order of asking: a result counts once no earlier ticket is open.

use std::ops::Range;
use std::time::Duration;

use rusqlite::Row;
use surefront::ObservationError;

use super::batch::Batch;
use super::ending::Ending;
use super::schema::NOW;
use super::store_error::StoreFault;
use super::ticket::Ticket;
use super::view::View;

/// How long results wait for an earlier ticket where nobody said it: seven days.
const USUAL_PATIENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

impl View<'_> {
    /// The first ticket that is open, or else the next that there will be: what earlier ones asked for counts. It never becomes less;
    /// `from` is what it was before, or 0.
    pub fn frontier(&self, from: i64) -> Result<i64, StoreFault> {
        // From the beginning, the open ones are the shorter list; later, those since the last time.
        let first = match from {
            0 => "SELECT min(id) FROM ticket WHERE status = 'asked' AND ?1 = 0",
            _ => "SELECT id FROM ticket WHERE id >= ?1 AND status = 'asked' ORDER BY id LIMIT 1",
        };
        let sql = format!("SELECT coalesce(({first}), (SELECT max(id) FROM ticket) + 1, 1)");
        Ok(self.connection.prepare_cached(&sql)?.query_row([from], |row| row.get(0))?)
    }

    /// By arm: how many results are still to count, since their tickets are open or an earlier one is. `frontier` is the first open one.
    pub fn asked(&self, frontier: i64) -> Result<Vec<u64>, StoreFault> {
        let mut asked = vec![0; self.definition.arm_ids.len()];
        let sql = "SELECT arm, count(*) FROM ticket WHERE id >= ?1 AND status IN ('asked', 'told') GROUP BY arm";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([frontier])?;
        while let Some(row) = rows.next()? {
            if let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) {
                asked[arm] = row.get::<_, i64>(1)?.unsigned_abs();
            }
        }
        Ok(asked)
    }

    /// How many results wait for an earlier ticket. `frontier` is the first open one.
    pub fn waiting(&self, frontier: i64) -> Result<u64, StoreFault> {
        let sql = "SELECT count(*) FROM ticket WHERE id >= ?1 AND status = 'told'";
        Ok(self.connection.prepare_cached(sql)?.query_row([frontier], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    /// Shows the arm and the values of what these tickets were told, in their order, as far as it counts; how many there are.
    pub fn results_of(
        &self,
        tickets: Range<i64>,
        mut show: impl FnMut(usize, &[f64]) -> Result<(), ObservationError>,
    ) -> Result<u64, StoreFault> {
        let columns = &self.definition.columns;
        let sql = format!(
            "SELECT {columns}, arm, id FROM observation
             WHERE ticket >= ?1 AND ticket < ?2 AND retracted_at IS NULL ORDER BY ticket"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([tickets.start, tickets.end])?;
        let (mut count, mut values) = (0, Vec::new());
        while let Some(row) = rows.next()? {
            count += u64::from(self.show(row, &mut values, &mut show)?);
        }
        Ok(count)
    }

    /// Shows one row of values, arm and number; whether its arm is still in the study file. The values have room to be read into.
    pub(super) fn show(
        &self,
        row: &Row,
        values: &mut Vec<f64>,
        show: &mut impl FnMut(usize, &[f64]) -> Result<(), ObservationError>,
    ) -> Result<bool, StoreFault> {
        let d = self.definition.problem.objective_count();
        // An arm that left the study file has nothing that counts.
        let Some(&arm) = self.definition.arm_of.get(&row.get(d)?) else { return Ok(false) };
        values.clear();
        for j in 0..d {
            values.push(row.get(j)?);
        }
        let id: i64 = row.get(d + 1)?;
        show(arm, values).map_err(|error| StoreFault::Differs(vec![format!("observation {id}: {error}")]))?;
        Ok(true)
    }

    /// How long results wait for an earlier ticket before it is given up.
    pub fn patience(&self) -> Result<Duration, StoreFault> {
        let seconds = self.meta("patience")?.and_then(|text| text.parse().ok());
        Ok(seconds.map_or(USUAL_PATIENCE, Duration::from_secs))
    }

    /// The ticket that results wait for, if it was asked longer ago than they are to wait.
    pub fn overdue(&self, frontier: i64) -> Result<Option<Ticket>, StoreFault> {
        let patience = i64::try_from(self.patience()?.as_secs()).unwrap_or(i64::MAX);
        let sql = "SELECT count(*) FROM ticket WHERE id = ?1 AND status = 'asked'
                   AND unixepoch('now') - unixepoch(asked_at) > ?2";
        let late: i64 = self.connection.prepare_cached(sql)?.query_row((frontier, patience), |row| row.get(0))?;
        if late == 0 || self.waiting(frontier)? == 0 { Ok(None) } else { self.ticket(frontier) }
    }
}

impl Batch<'_> {
    /// From now on results wait this long, in whole seconds, for an earlier ticket.
    pub fn keep_patience(&self, patience: Duration) -> Result<(), StoreFault> {
        Ok(self.set_meta("patience", &patience.as_secs().to_string())?)
    }

    /// Lays aside the tickets from `frontier` on that `source` asked for, told or not: a choice that does not look at what they show. Whether
    /// there were any.
    pub fn lay_aside(&self, frontier: i64, source: &str, note: &str) -> Result<bool, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, status FROM ticket WHERE id >= ?1 AND source = ?2 AND status IN ('asked', 'told') ORDER BY id",
        )?;
        let rows = statement.query_map((frontier, source), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let tickets: Vec<(i64, String)> = rows.collect::<Result<_, _>>()?;
        for (ticket, status) in &tickets {
            if status == "told" {
                let sql = format!(
                    "UPDATE observation SET retracted_at = {NOW}, retracted_reason = ?2
                     WHERE ticket = ?1 AND retracted_at IS NULL"
                );
                self.connection.prepare_cached(&sql)?.execute((ticket, note))?;
            }
            self.close_as(*ticket, Ending::Unused, note)?;
        }
        Ok(!tickets.is_empty())
    }
}
