//! What was changed in a study that had results already: whoever chose it may have looked at them.

use rusqlite::Connection;

use super::schema::NOW;

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditOf {
    /// An arm is new in the study file.
    ArmAdded,
    /// An arm is no longer in the study file.
    ArmRemoved,
    /// What the study file says of the noise of an objective.
    Noise,
    /// What it says of the noise of one arm.
    ArmNoise,
    /// What it says of the correlation between objectives.
    Correlation,
    /// What it says of differences that do not matter.
    Margins,
    /// What it says of limits.
    Limits,
    /// The accepted chance of a wrong answer.
    Delta,
}

impl EditOf {
    const ALL: [EditOf; 8] = [
        EditOf::ArmAdded,
        EditOf::ArmRemoved,
        EditOf::Noise,
        EditOf::ArmNoise,
        EditOf::Correlation,
        EditOf::Margins,
        EditOf::Limits,
        EditOf::Delta,
    ];

    /// As the store has it.
    fn name(self) -> &'static str {
        match self {
            EditOf::ArmAdded => "arm added",
            EditOf::ArmRemoved => "arm removed",
            EditOf::Noise => "noise",
            EditOf::ArmNoise => "arm noise",
            EditOf::Correlation => "correlation",
            EditOf::Margins => "margins",
            EditOf::Limits => "limits",
            EditOf::Delta => "delta",
        }
    }
}

/// A change in a study that had results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What was changed.
    pub of: EditOf,
    /// The arm, or the objective; empty for δ, the correlation, margins and limits.
    pub name: String,
    /// How it was before; empty for an arm that is new or gone.
    pub before: String,
}

/// What was changed while there were results, oldest first.
pub fn all(connection: &Connection) -> rusqlite::Result<Vec<Edit>> {
    let mut statement = connection.prepare_cached("SELECT what, name, before FROM edit ORDER BY id")?;
    let rows = statement.query_map([], |row| {
        let what: String = row.get(0)?;
        let of = EditOf::ALL.into_iter().find(|of| of.name() == what);
        let (name, before) = (row.get(1)?, row.get(2)?);
        Ok(of.map(|of| Edit { of, name, before }))
    })?;
    rows.filter_map(Result::transpose).collect()
}

/// Records a change, if there are results that it could have been made for.
pub fn record(connection: &Connection, of: EditOf, name: &str, before: &str) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO edit (at, what, name, before)
         SELECT {NOW}, ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM observation WHERE retracted_at IS NULL)"
    );
    connection.prepare_cached(&sql)?.execute((of.name(), name, before)).map(drop)
}
