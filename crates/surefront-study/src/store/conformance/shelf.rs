//! Places for stores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::STUDY;
use crate::file::study::StudyFile;
use crate::store::{Access, Store};

/// A place for one store, which can be opened any number of times.
pub(super) trait Shelf: Sync {
    fn open(&self, study: &str) -> Result<Store, String>;

    fn store(&self) -> Store {
        self.open(STUDY).unwrap()
    }
}

/// A file.
pub(super) struct OnDisk(pub TempDir);

impl Shelf for OnDisk {
    fn open(&self, study: &str) -> Result<Store, String> {
        let file = StudyFile::built_in("s.toml", study).unwrap();
        let problem = file.learning_problem().unwrap();
        let path = self.0.path().join("s.db");
        Store::open(&path, &file, &problem, Access::Create).map_err(|error| error.fault.to_string())
    }
}

/// Memory, which lasts as long as one store on it is open.
pub(super) struct InMemory {
    name: String,
    /// Only one thread at a time could use it; it is there to stay open.
    _first: Mutex<Store>,
}

impl InMemory {
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("shelf {}", COUNT.fetch_add(1, Ordering::Relaxed));
        let first = InMemory::at(&name, STUDY).unwrap();
        InMemory { name, _first: Mutex::new(first) }
    }

    fn at(name: &str, study: &str) -> Result<Store, String> {
        let file = StudyFile::built_in("s.toml", study).unwrap();
        let problem = file.learning_problem().unwrap();
        Store::in_memory(name, &file, &problem).map_err(|error| error.fault.to_string())
    }
}

impl Shelf for InMemory {
    fn open(&self, study: &str) -> Result<Store, String> {
        InMemory::at(&self.name, study)
    }
}
