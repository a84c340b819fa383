//! The study's definition, in the store and in the study file: what may change goes on, what may not is refused.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use surefront::{Correlation, End, Family, Goal, Noise, Objective, Problem};

use super::edit::{self, EditOf};
use super::schema;
use super::store_error::StoreFault;
use crate::file::study::StudyFile;
use crate::words::plural::counted;

/// The study as the file has it, and where the store keeps each part of it.
#[derive(Debug)]
pub struct Definition {
    pub problem: Problem,
    /// By arm: its id in the store.
    pub arm_ids: Vec<i64>,
    /// By id in the store: the arm.
    pub arm_of: HashMap<i64, usize>,
    /// By objective: the columns of its values, with commas.
    pub columns: String,
}

impl Definition {
    /// Brings the store to what the file says, making it if it is empty; or says why the two do not fit.
    pub fn agree(connection: &mut Connection, file: &StudyFile, problem: &Problem) -> Result<Self, StoreFault> {
        if layout(connection)? == Some(schema::VERSION) {
            let transaction = connection.transaction()?;
            let changes = Changes::between(&transaction, file, problem)?;
            if changes.is_empty() {
                return Ok(changes.definition(problem));
            }
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have been faster.
        match layout(&transaction)? {
            None => create(&transaction, problem)?,
            Some(schema::VERSION) => {}
            Some(older) => schema::migrate(&transaction, older)?,
        }
        Changes::between(&transaction, file, problem)?.make(&transaction, file, problem)?;
        let definition = Changes::between(&transaction, file, problem)?.definition(problem);
        transaction.commit()?;
        Ok(definition)
    }
}

/// The layout of the tables, none if there is nothing in the file yet; refuses what is no store, or one of a later release.
fn layout(connection: &Connection) -> Result<Option<i32>, StoreFault> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (number("application_id")?, number("user_version")?) {
        (0, 0) if tables == 0 => Ok(None),
        (schema::APPLICATION_ID, known) if (1..=schema::VERSION).contains(&known) => Ok(Some(known)),
        (schema::APPLICATION_ID, found) => Err(StoreFault::OtherVersion { found }),
        _ => Err(StoreFault::NotAStore),
    }
}

fn create(transaction: &Transaction, problem: &Problem) -> rusqlite::Result<()> {
    let names: Vec<&str> = problem.objectives().iter().map(|objective| objective.name.as_str()).collect();
    schema::create(transaction, &names)?;
    let by = concat!("surefront ", env!("CARGO_PKG_VERSION"));
    transaction.execute("INSERT INTO meta (key, value) VALUES ('created_by', ?1)", [by])?;
    for (id, objective) in (1i64..).zip(problem.objectives()) {
        transaction.execute(
            "INSERT INTO objective (id, position, name, goal, noise) VALUES (?1, ?1, ?2, ?3, ?4)",
            (id, &objective.name, goal(objective.goal), noise_of_objective(objective)),
        )?;
    }
    Ok(())
}

fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::Max => "max",
        Goal::Min => "min",
    }
}

/// Noise, as the store has it.
pub(super) fn noise(noise: Noise) -> String {
    match noise {
        Noise::Exact => "exact".to_owned(),
        Noise::Common => "common".to_owned(),
        Noise::Variance(variance) => variance.to_string(),
        Noise::Bounded { low, high } => format!("from {low} to {high}"),
        noise if noise.is_unknown() => "unknown".to_owned(),
        noise => noise.family().map_or("unknown", Family::name).to_owned(),
    }
}

/// What is said of an objective's noise, as the store has it: where a quantile is compared, which one, since nothing else matters.
pub(super) fn noise_of_objective(objective: &Objective) -> String {
    if objective.statistic.is_mean() { noise(objective.noise) } else { objective.statistic.to_string() }
}

/// The noise that an arm has of its own, whatever the order of the objectives; empty if it has none.
pub(super) fn noise_of_arm(problem: &Problem, arm: usize) -> String {
    let Some(own) = &problem.arms()[arm].noise else { return String::new() };
    let mut entries: Vec<String> = problem
        .objectives()
        .iter()
        .zip(own)
        .filter(|(objective, _)| objective.statistic.is_mean())
        .map(|(objective, &own)| format!("{}={}", objective.name, noise(own)))
        .collect();
    entries.sort_unstable();
    entries.join("; ")
}

/// What is said of the correlation, whatever the order of the objectives; empty if nothing.
pub(super) fn correlation(problem: &Problem) -> String {
    let rows = match problem.correlation() {
        None => return String::new(),
        Some(Correlation::Estimate) => return "estimate".to_owned(),
        Some(Correlation::Given(rows)) => rows,
    };
    let name = |j: usize| problem.objectives()[j].name.as_str();
    let pairs = (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let mut entries: Vec<String> = pairs
        .map(|(i, j)| {
            let (one, other) = (name(i).min(name(j)), name(i).max(name(j)));
            format!("{one} and {other}={}", rows[i][j])
        })
        .collect();
    entries.sort_unstable();
    format!("given: {}", entries.join("; "))
}

/// What is said of margins, whatever the order of the objectives; empty if there are none.
pub(super) fn margins(problem: &Problem) -> String {
    let with_margin = problem.objectives().iter().filter(|objective| !objective.margin.is_none());
    let mut entries: Vec<String> =
        with_margin.map(|objective| format!("{}={}", objective.name, objective.margin)).collect();
    entries.sort_unstable();
    entries.join("; ")
}

/// What is said of limits, whatever the order of the objectives; empty if there are none.
pub(super) fn limits(problem: &Problem) -> String {
    let limited = problem.objectives().iter().filter(|objective| !objective.limits.is_none());
    let mut entries: Vec<String> = limited
        .map(|objective| {
            let role = if objective.is_only_limited() { "constraint " } else { "" };
            let ends = objective.limits.ends().map(|(end, value)| match end {
                End::Least => format!("at least {value}"),
                End::Most => format!("at most {value}"),
            });
            format!("{role}{}={}", objective.name, ends.collect::<Vec<_>>().join(" and "))
        })
        .collect();
    entries.sort_unstable();
    entries.join("; ")
}

/// What the file says otherwise than the store, and may.
struct Changes {
    /// By objective: its id.
    objective_ids: Vec<i64>,
    /// Objectives with another place or another noise.
    objectives: Vec<usize>,
    /// By arm: its id, unless it is new.
    arm_ids: Vec<Option<i64>>,
    /// Arms with another place, command or noise; the new ones as well.
    arms: Vec<usize>,
    /// What the file says otherwise of noise: what, whose, and how it was before.
    noise: Vec<(EditOf, String, String)>,
    /// Arms that are no longer in the file, and of which nothing was told.
    gone: Vec<i64>,
    /// Whether the list of arms is another one.
    other_list: bool,
    name: bool,
    delta: bool,
    /// How the correlation was before, if it is another now.
    correlation: Option<String>,
    /// The same of the margins.
    margins: Option<String>,
    /// The same of the limits.
    limits: Option<String>,
}

impl Changes {
    fn between(connection: &Connection, file: &StudyFile, problem: &Problem) -> Result<Self, StoreFault> {
        let mut differences = Vec::new();
        let mut noise = Vec::new();
        let (objective_ids, objectives) = compare_objectives(connection, problem, &mut noise, &mut differences)?;
        let (mut arm_ids, mut arms, mut gone) = (vec![None; problem.arm_count()], Vec::new(), Vec::new());
        let mut other_list = false;
        let places: HashMap<&str, usize> =
            problem.arms().iter().enumerate().map(|(index, arm)| (arm.name.as_str(), index)).collect();
        let mut statement = connection.prepare("SELECT id, position, name, command, noise FROM arm")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (id, position): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
            let Some(&arm) = places.get(row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?) else {
                if position.is_some() {
                    gone.push(id);
                }
                continue;
            };
            arm_ids[arm] = Some(id);
            let moved = position != Some(arm as i64 + 1);
            other_list |= moved;
            let before: Option<String> = row.get(4)?;
            let other_noise = before.as_ref() != Some(&noise_of_arm(problem, arm));
            if moved || other_noise || row.get::<_, Option<String>>(3)? != file.command(arm).map(ToString::to_string) {
                arms.push(arm);
            }
            if let Some(before) = before.filter(|_| other_noise) {
                noise.push((EditOf::ArmNoise, problem.arms()[arm].name.clone(), before));
            }
        }
        other_list |= !gone.is_empty();
        for (arm, id) in arm_ids.iter().enumerate() {
            if id.is_none() {
                other_list = true;
                arms.push(arm);
            }
        }
        for &id in &gone {
            differences.extend(missed(connection, id)?);
        }
        if !differences.is_empty() {
            return Err(StoreFault::Differs(differences));
        }
        let meta = |key: &str| {
            let sql = "SELECT value FROM meta WHERE key = ?1";
            connection.query_row(sql, [key], |row| row.get::<_, String>(0)).optional()
        };
        let name = meta("study")?.as_deref() != Some(file.name.as_str());
        let delta = meta("file_delta")? != file.delta.map(|delta| delta.to_string());
        // Where nobody recorded it, there was none.
        let correlation =
            Some(meta("correlation")?.unwrap_or_default()).filter(|before| *before != correlation(problem));
        let margins = Some(meta("margins")?.unwrap_or_default()).filter(|before| *before != margins(problem));
        let limits = Some(meta("limits")?.unwrap_or_default()).filter(|before| *before != limits(problem));
        Ok(Changes {
            objective_ids,
            objectives,
            arm_ids,
            arms,
            noise,
            gone,
            other_list,
            name,
            delta,
            correlation,
            margins,
            limits,
        })
    }

    fn is_empty(&self) -> bool {
        let same = !self.name && !self.delta && self.correlation.is_none() && self.margins.is_none();
        let same = same && self.limits.is_none();
        self.objectives.is_empty() && self.arms.is_empty() && self.gone.is_empty() && same
    }

    fn make(&self, transaction: &Transaction, file: &StudyFile, problem: &Problem) -> rusqlite::Result<()> {
        for &j in &self.objectives {
            let noise = noise_of_objective(&problem.objectives()[j]);
            transaction.execute(
                "UPDATE objective SET position = ?2, noise = ?3 WHERE id = ?1",
                (self.objective_ids[j], j as i64 + 1, noise),
            )?;
        }
        for (of, name, before) in &self.noise {
            edit::record(transaction, *of, name, before)?;
        }
        for &id in &self.gone {
            let sql = "UPDATE arm SET position = NULL WHERE id = ?1 RETURNING name";
            let name: String = transaction.query_row(sql, [id], |row| row.get(0))?;
            edit::record(transaction, EditOf::ArmRemoved, &name, "")?;
            let expire = format!(
                "UPDATE ticket SET status = 'expired', closed_at = {}, note = 'the arm is no longer in the study file'
                 WHERE arm = ?1 AND status = 'asked'",
                schema::NOW
            );
            transaction.execute(&expire, [id])?;
        }
        let mut upsert = transaction.prepare(
            "INSERT INTO arm (position, name, command, noise) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (name) DO UPDATE SET position = ?1, command = ?3, noise = ?4",
        )?;
        for &arm in &self.arms {
            let (name, command) = (&problem.arms()[arm].name, file.command(arm).map(ToString::to_string));
            upsert.execute((arm as i64 + 1, name, command, noise_of_arm(problem, arm)))?;
            if self.arm_ids[arm].is_none() {
                edit::record(transaction, EditOf::ArmAdded, name, "")?;
            }
        }
        if self.other_list {
            // What a rule remembers, it remembers by the number of the arm.
            transaction.execute("DELETE FROM meta WHERE key = 'memory'", [])?;
        }
        if self.name {
            transaction.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('study', ?1)", [&file.name])?;
        }
        if let Some(before) = &self.correlation {
            edit::record(transaction, EditOf::Correlation, "", before)?;
            let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('correlation', ?1)";
            transaction.execute(sql, [correlation(problem)])?;
        }
        if let Some(before) = &self.margins {
            edit::record(transaction, EditOf::Margins, "", before)?;
            let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('margins', ?1)";
            transaction.execute(sql, [margins(problem)])?;
        }
        if let Some(before) = &self.limits {
            edit::record(transaction, EditOf::Limits, "", before)?;
            let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('limits', ?1)";
            transaction.execute(sql, [limits(problem)])?;
        }
        if self.delta {
            let sql = "SELECT value FROM meta WHERE key IN ('delta', 'file_delta') ORDER BY key LIMIT 1";
            let before: Option<String> = transaction.query_row(sql, [], |row| row.get(0)).optional()?;
            if let Some(before) = before {
                edit::record(transaction, EditOf::Delta, "", &before)?;
            }
            // The newest word counts: another δ in the file replaces one that was typed before.
            transaction.execute("DELETE FROM meta WHERE key IN ('delta', 'file_delta')", [])?;
            if let Some(delta) = file.delta {
                let delta = delta.to_string();
                transaction.execute("INSERT INTO meta (key, value) VALUES ('file_delta', ?1)", [delta])?;
            }
        }
        Ok(())
    }

    fn definition(self, problem: &Problem) -> Definition {
        let arm_ids: Vec<i64> = self.arm_ids.into_iter().flatten().collect();
        debug_assert_eq!(arm_ids.len(), problem.arm_count(), "all arms are in the store by now");
        let columns: Vec<String> = self.objective_ids.into_iter().map(schema::column).collect();
        Definition {
            problem: problem.clone(),
            arm_of: arm_ids.iter().enumerate().map(|(arm, &id)| (id, arm)).collect(),
            arm_ids,
            columns: columns.join(", "),
        }
    }
}

/// The ids of all objectives, and those that changed place or noise; anything else that differs is said.
fn compare_objectives(
    connection: &Connection,
    problem: &Problem,
    edited: &mut Vec<(EditOf, String, String)>,
    differences: &mut Vec<String>,
) -> rusqlite::Result<(Vec<i64>, Vec<usize>)> {
    let mut stored = HashMap::new();
    let mut statement = connection.prepare("SELECT name, id, position, goal, noise FROM objective")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let entry: (i64, i64, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        stored.insert(row.get::<_, String>(0)?, entry);
    }
    let (mut ids, mut changed) = (Vec::new(), Vec::new());
    for (j, objective) in problem.objectives().iter().enumerate() {
        let Some((id, position, stored_goal, stored_noise)) = stored.remove(&objective.name) else {
            differences.push(format!("the store has no objective \"{}\"", objective.name));
            continue;
        };
        let goal = goal(objective.goal);
        if stored_goal != goal {
            differences.push(format!(
                "the goal of objective \"{}\" is \"{goal}\" in the file and \"{stored_goal}\" in the store",
                objective.name
            ));
        }
        let other_noise = stored_noise != noise_of_objective(objective);
        if position != j as i64 + 1 || other_noise {
            changed.push(j);
        }
        if other_noise {
            edited.push((EditOf::Noise, objective.name.clone(), stored_noise));
        }
        ids.push(id);
    }
    let mut missing: Vec<_> = stored.into_iter().map(|(name, (id, ..))| (id, name)).collect();
    missing.sort_unstable();
    differences.extend(missing.into_iter().map(|(_, name)| format!("the file has no objective \"{name}\"")));
    Ok((ids, changed))
}

/// What would be lost without this arm, if anything.
fn missed(connection: &Connection, arm_id: i64) -> rusqlite::Result<Option<String>> {
    let (name, count): (String, u32) = connection.query_row(
        "SELECT name, (SELECT count(*) FROM observation WHERE arm = arm.id AND retracted_at IS NULL) FROM arm WHERE id = ?1",
        [arm_id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let observations = counted(count as usize, "observation", "observations");
    Ok((count > 0).then(|| format!("the file has no arm \"{name}\", of which the store has {observations}")))
}
