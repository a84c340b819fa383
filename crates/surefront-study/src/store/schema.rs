//! The tables of a store, worded for whoever opens one with `sqlite3`.

use rusqlite::Connection;

/// Marks an SQLite file as a store of ours ("sure" in ASCII).
pub const APPLICATION_ID: i32 = 0x7375_7265;

/// The layout of the tables: an older one is brought up to this, a newer one is refused.
pub const VERSION: i32 = 1 + MIGRATIONS.len() as i32;

/// This moment, as every time in the store is written.
pub const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/// The tables of layout 1; those of later ones are made from it, so that there is one way to come to them.
const TABLES: &str = "
CREATE TABLE meta (
  -- study: its name. file_delta: the study file's delta. created_by: the program. memory: where the rule and its random
  -- numbers are, as JSON. delta, rule, threshold, seed: as chosen last.
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE objective (
  id INTEGER PRIMARY KEY,    -- its values are in the column value_<id> of observation
  position INTEGER NOT NULL, -- in the study file, from 1
  name TEXT NOT NULL UNIQUE,
  goal TEXT NOT NULL CHECK (goal IN ('max', 'min')),
  noise TEXT NOT NULL        -- 'exact', 'unknown', or the variance
);

CREATE TABLE arm (
  id INTEGER PRIMARY KEY,
  position INTEGER,          -- in the study file, from 1; NULL if it is no longer there
  name TEXT NOT NULL UNIQUE,
  command TEXT,              -- what measures it: a line for the shell, or a list of words
  dropped_at TEXT,           -- set if it could not be measured and was left out
  dropped_reason TEXT
);

CREATE TABLE ticket (
  id INTEGER PRIMARY KEY,
  arm INTEGER NOT NULL REFERENCES arm (id),
  source TEXT NOT NULL,      -- the command that asked
  status TEXT NOT NULL DEFAULT 'asked' CHECK (status IN ('asked', 'told', 'failed', 'expired')),
  asked_at TEXT NOT NULL DEFAULT ({NOW}),
  closed_at TEXT,
  note TEXT
);
CREATE INDEX ticket_open ON ticket (arm) WHERE status = 'asked';

CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  arm INTEGER NOT NULL REFERENCES arm (id),
  ticket INTEGER REFERENCES ticket (id), -- NULL if nobody asked for it
  source TEXT NOT NULL,                  -- the command, or the file, that told it
  told_at TEXT NOT NULL DEFAULT ({NOW}),
  retracted_at TEXT,                     -- set if it was taken back: it no longer counts
  retracted_reason TEXT{VALUES}
);
-- No ticket counts twice, whatever the program does.
CREATE UNIQUE INDEX observation_of_ticket ON observation (ticket) WHERE ticket IS NOT NULL AND retracted_at IS NULL;
CREATE INDEX observation_of_arm ON observation (arm) WHERE retracted_at IS NULL;

CREATE TABLE progress (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL DEFAULT ({NOW}),
  samples INTEGER NOT NULL,
  evidence REAL NOT NULL,
  threshold REAL NOT NULL
);

CREATE VIEW measurement AS
  -- The observations that count, with names.
  SELECT observation.id AS observation, arm.name AS arm, ticket, told_at, source{NAMES}
  FROM observation JOIN arm ON arm.id = observation.arm
  WHERE retracted_at IS NULL;
";

/// By layout, from 2 on: what turns the one before into it. What has been released is never changed.
const MIGRATIONS: [&str; 3] = [
    "
CREATE TABLE setup (
  -- How measurements were made.
  id INTEGER PRIMARY KEY,
  command TEXT NOT NULL, -- what measured the arm
  jobs INTEGER           -- commands side by side; NULL if nobody knows
);
CREATE UNIQUE INDEX setup_once ON setup (command, coalesce(jobs, 0));
-- NULL if it was told by hand, or simulated.
ALTER TABLE observation ADD COLUMN setup INTEGER REFERENCES setup (id);
-- What was measured before: with the arm's command, as far as anybody knows.
INSERT INTO setup (command)
  SELECT DISTINCT command FROM arm
  WHERE command IS NOT NULL AND EXISTS (SELECT 1 FROM observation WHERE arm = arm.id AND source = 'run');
UPDATE observation
  SET setup = (SELECT setup.id FROM setup JOIN arm ON arm.command = setup.command WHERE arm.id = observation.arm)
  WHERE source = 'run';
-- Followers count what was taken back; failures are counted by arm.
CREATE INDEX observation_retracted ON observation (ticket) WHERE retracted_at IS NOT NULL;
CREATE INDEX ticket_failed ON ticket (arm) WHERE status = 'failed';
",
    "
-- Why there is no result: failed, timed out, given up, lost, overdue, unused; NULL if nobody recorded it.
ALTER TABLE ticket ADD COLUMN ending TEXT;
-- The noise that the study file gives an arm of its own, by objective; empty if none, NULL if nobody recorded it.
ALTER TABLE arm ADD COLUMN noise TEXT;
CREATE TABLE edit (
  -- What was changed while there were results.
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  what TEXT NOT NULL,  -- arm added, arm removed, noise, arm noise, delta
  name TEXT NOT NULL,  -- of the arm or the objective; empty for delta
  before TEXT NOT NULL -- how it was; empty for an arm that is new or gone
);
",
    "
-- How long the measurement took, in millionths of a second; NULL if nobody timed it.
ALTER TABLE observation ADD COLUMN micros INTEGER;
",
];

/// The column that holds the values of an objective.
pub fn column(objective_id: i64) -> String {
    format!("value_{objective_id}")
}

/// Makes all tables, for objectives of these names whose ids are 1, 2, ….
pub fn create(connection: &Connection, objectives: &[&str]) -> rusqlite::Result<()> {
    let (mut values, mut names) = (String::new(), String::new());
    for (id, name) in (1..).zip(objectives) {
        values += &format!(",\n  {} REAL NOT NULL", column(id));
        names += &format!(", {} AS \"{}\"", column(id), name.replace('"', "\"\""));
    }
    let tables = TABLES.replace("{NOW}", NOW).replace("{VALUES}", &values).replace("{NAMES}", &names);
    connection.execute_batch(&tables)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    migrate(connection, 1)
}

/// Brings tables of an older layout, which is known, up to this one. To be done in a transaction: the layout's number is part of it.
pub fn migrate(connection: &Connection, found: i32) -> rusqlite::Result<()> {
    let first = usize::try_from(found - 1).expect("layouts count from 1");
    MIGRATIONS[first..].iter().try_for_each(|migration| connection.execute_batch(migration))?;
    connection.pragma_update(None, "user_version", VERSION)
}
