//! What the program itself can measure of a command.

/// An objective that is not read from a command's output but measured while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The time from its start to its end, in seconds.
    WallSeconds,
    /// The time that it spent computing, in seconds.
    UserSeconds,
    /// The most memory that it held, in bytes.
    MaxRssBytes,
}

impl Measure {
    /// All of them, under the names they have in a study file.
    const ALL: [(&str, Measure); 3] = [
        ("wall_seconds", Measure::WallSeconds),
        ("user_seconds", Measure::UserSeconds),
        ("max_rss_bytes", Measure::MaxRssBytes),
    ];

    /// The measure of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Measure::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, measure)| measure)
    }

    /// Its name in a study file.
    pub fn name(self) -> &'static str {
        Measure::ALL.into_iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// The names there are.
    pub(super) fn names() -> [&'static str; 3] {
        Measure::ALL.map(|(name, _)| name)
    }
}
