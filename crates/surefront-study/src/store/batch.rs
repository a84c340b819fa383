//! Changes of a store that are made together or not at all.

use std::ops::Deref;

use super::view::View;

/// What can be written to a store, and read while nobody else writes; the files of this folder say what there is to write.
pub struct Batch<'a> {
    view: View<'a>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(view: View<'a>) -> Self {
        Batch { view }
    }

    /// Sets an entry of the table `meta`.
    pub(super) fn set_meta(&self, key: &str, value: &str) -> rusqlite::Result<()> {
        let mut statement =
            self.connection.prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)")?;
        statement.execute((key, value)).map(drop)
    }
}

impl<'a> Deref for Batch<'a> {
    type Target = View<'a>;

    fn deref(&self) -> &View<'a> {
        &self.view
    }
}
