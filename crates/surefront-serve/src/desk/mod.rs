//! A study that is served: one thread writes to its store, and one looks at it.

mod post;
mod snapshot;
mod stamp;
mod viewer;
mod writer;

use std::path::PathBuf;

use tokio::sync::watch;

pub use self::post::{Asking, Telling, ToldValues, arm_named, value};
pub use self::snapshot::{Snapshot, Summary};
use self::viewer::Viewer;
use self::writer::Writer;
use crate::problem::Problem;
use std::sync::Arc;
use surefront_study::session::{Asked, Session};

/// Where a study is looked at and written to.
#[derive(Debug)]
pub struct Desk {
    viewer: Viewer,
    writer: Writer,
}

/// What came of asking, with what the session knew then.
#[derive(Debug)]
pub struct AskedOf {
    /// What came of it.
    pub asked: Asked,
    /// The study's name.
    pub study: String,
    /// The problem that it states.
    pub problem: Arc<surefront::Problem>,
}

impl Desk {
    /// Of the study in this file.
    pub fn of(id: &str, path: PathBuf) -> Self {
        Desk { viewer: Viewer::start(id, path.clone()), writer: Writer::start(id, path) }
    }

    /// Begins to look, if it did not yet.
    pub fn wake(&self) {
        self.viewer.wake();
    }

    /// What is known at this moment, all that was told before included.
    pub async fn now(&self) -> Result<Arc<Snapshot>, Problem> {
        self.viewer.now().await
    }

    /// What is known, and whatever will be.
    pub async fn follow(&self) -> Result<watch::Receiver<Option<Arc<Snapshot>>>, Problem> {
        let changes = self.viewer.follow();
        self.viewer.now().await?;
        Ok(changes)
    }

    /// Reads something else from the store, as it is at this moment.
    pub async fn look<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.viewer.look(work).await
    }

    /// Asks for measurements; the tickets are on the disk by then.
    pub async fn ask(&self, asking: Asking) -> Result<AskedOf, Problem> {
        self.writer.ask(asking).await
    }

    /// Tells a result; it is on the disk by then.
    pub async fn tell(&self, telling: Telling) -> Result<surefront_study::store::Told, Problem> {
        self.writer.tell(telling).await
    }

    /// Does something else to the store; it is on the disk by then.
    pub async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.writer.change(work).await
    }
}
