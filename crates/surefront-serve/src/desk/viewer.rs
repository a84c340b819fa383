//! Who looks at a study: one thread, whatever the number of readers. It makes a snapshot when something has changed, whoever changed
//! it, and somebody wants to know.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use surefront_study::session::{Session, Wishes};
use surefront_study::store::{Access, LastSettings, Store, StoreFault};
use surefront_study::{StudyError, file::study::StudyFile};
use tokio::sync::{oneshot, watch};

use super::post::Deed;
use super::snapshot::Snapshot;
use super::stamp::Stamp;
use crate::problem::Problem;

/// How often it looks whether something has changed, while somebody follows.
const GLANCE: Duration = Duration::from_millis(100);
/// A study that takes long to look at is looked at less often: at most this part of the time goes into it.
const SHARE: u32 = 2;

/// The way to the thread.
#[derive(Debug)]
pub struct Viewer {
    wishes: Sender<Wish>,
    shown: watch::Receiver<Option<Arc<Snapshot>>>,
}

/// What somebody wants of it.
enum Wish {
    /// What is known.
    Now(oneshot::Sender<Result<Arc<Snapshot>, Problem>>),
    /// Something else.
    Look(Deed),
    /// To be there.
    Wake,
}

impl Viewer {
    /// Starts the thread.
    pub fn start(id: &str, path: PathBuf) -> Self {
        let (wishes, arriving) = mpsc::channel();
        let (show, shown) = watch::channel(None);
        let mut eye = Eye { path, open: None, show, sequence: first_number(), next: Instant::now() };
        let _ = thread::Builder::new().name(format!("views {id}")).spawn(move || eye.work(&arriving));
        Viewer { wishes, shown }
    }

    pub fn wake(&self) {
        let _ = self.wishes.send(Wish::Wake);
    }

    pub fn follow(&self) -> watch::Receiver<Option<Arc<Snapshot>>> {
        self.shown.clone()
    }

    pub async fn now(&self) -> Result<Arc<Snapshot>, Problem> {
        self.answer(Wish::Now).await
    }

    pub async fn look<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        // The sentence of what is wrong comes with the snapshot.
        self.now().await?;
        self.answer(|reply| Wish::Look(Box::new(move |session| drop(reply.send(work(session)))))).await
    }

    async fn answer<T>(&self, wish: impl FnOnce(oneshot::Sender<Result<T, Problem>>) -> Wish) -> Result<T, Problem> {
        let nobody = || Problem::ours("this study cannot be looked at any more: start the server again");
        let (reply, answer) = oneshot::channel();
        self.wishes.send(wish(reply)).map_err(|_| nobody())?;
        answer.await.map_err(|_| nobody())?
    }
}

/// Another one each time that the program starts: a page of an earlier one is out of date.
fn first_number() -> u64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_millis() as u64)
}

/// Who looks.
struct Eye {
    path: PathBuf,
    open: Option<Opened>,
    show: watch::Sender<Option<Arc<Snapshot>>>,
    sequence: u64,
    /// When it may look closely again.
    next: Instant,
}

struct Opened {
    session: Session,
    stamp: Stamp,
    /// Where there was no store: where there may be one by now.
    missing: Option<PathBuf>,
    /// The store's, when it was last looked at.
    revision: Option<i64>,
    last: Option<LastSettings>,
    snapshot: Option<Arc<Snapshot>>,
}

impl Eye {
    fn work(&mut self, arriving: &Receiver<Wish>) {
        loop {
            // The way to this thread holds one receiver; every other one is somebody who follows.
            let followed = self.show.receiver_count() > 1;
            let first = if followed {
                match arriving.recv_timeout(GLANCE) {
                    Ok(wish) => Some(wish),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            } else {
                match arriving.recv() {
                    Ok(wish) => Some(wish),
                    Err(_) => return,
                }
            };
            // Those that come while it waits are answered together.
            if self.has_changed() {
                thread::sleep(self.next.saturating_duration_since(Instant::now()));
            }
            let (mut waiting, mut deeds) = (Vec::new(), Vec::new());
            for wish in first.into_iter().chain(std::iter::from_fn(|| arriving.try_recv().ok())) {
                match wish {
                    Wish::Now(reply) => waiting.push(reply),
                    Wish::Look(deed) => deeds.push(deed),
                    Wish::Wake => {}
                }
            }
            let snapshot = self.snapshot();
            waiting.into_iter().for_each(|reply| drop(reply.send(snapshot.clone())));
            for deed in deeds {
                if let Some(opened) = &mut self.open {
                    deed(&mut opened.session);
                }
            }
        }
    }

    /// Whether there is anything that the last snapshot does not show.
    fn has_changed(&mut self) -> bool {
        let Some(opened) = &mut self.open else { return true };
        let revision = opened.session.look(|view| view.revision()).ok();
        opened.is_old() || opened.snapshot.is_none() || revision != opened.revision
    }

    /// What is known now; shown to whoever follows if it is something else than before.
    fn snapshot(&mut self) -> Result<Arc<Snapshot>, Problem> {
        if !self.has_changed()
            && let Some(snapshot) = self.open.as_ref().and_then(|opened| opened.snapshot.clone())
        {
            return Ok(snapshot);
        }
        let begin = Instant::now();
        if self.open.as_ref().is_none_or(Opened::is_old) {
            self.open = None;
            self.open = Some(Opened::at(&self.path)?);
        }
        let opened = self.open.as_mut().expect("it was opened");
        self.sequence += 1;
        let snapshot = match opened.snapshot(self.sequence) {
            Ok(snapshot) => snapshot,
            Err(error) => {
                // Opened anew the next time: the store may have been replaced.
                self.open = None;
                return Err(error);
            }
        };
        self.next = begin + GLANCE.max(begin.elapsed() * SHARE);
        self.show.send_replace(Some(Arc::clone(&snapshot)));
        Ok(snapshot)
    }
}

impl Opened {
    /// The study in this file. Looking makes no store: where there is none yet, nothing was measured.
    fn at(path: &std::path::Path) -> Result<Self, Problem> {
        let before = Stamp::of(&[path]);
        let (session, missing) = match Session::open(path, None, Access::Read) {
            Ok(session) => (session, None),
            Err(StudyError::Store(error)) if matches!(error.fault, StoreFault::Missing) => {
                let file = StudyFile::read(path)?;
                let stated = file.learning_problem()?;
                let place = path.with_extension("db");
                let store = Store::private(&place.display().to_string(), &file, &stated)?;
                (Session::new(file, stated, store), Some(place))
            }
            Err(error) => return Err(error.into()),
        };
        let [_, arms] = session.file().paths();
        // The study file was looked at before it was read: what is changed meanwhile is seen the next time.
        let stamp = before.with(&Stamp::of(&[arms]));
        Ok(Opened { session, stamp, missing, revision: None, last: None, snapshot: None })
    }

    /// Whether there is another study file by now, or a store where there was none.
    fn is_old(&self) -> bool {
        self.stamp.is_old() || self.missing.as_ref().is_some_and(|place| place.exists())
    }

    fn snapshot(&mut self, sequence: u64) -> Result<Arc<Snapshot>, Problem> {
        let (revision, last) = self.session.look(|view| Ok((view.revision()?, view.last_settings()?)))?;
        if self.last.as_ref().is_some_and(|before| *before != last) {
            // Somebody wished for another way to go on, and so it is shown.
            self.session.wish(Wishes::default());
        }
        let snapshot = Arc::new(Snapshot::of(&mut self.session, sequence)?);
        (self.revision, self.last, self.snapshot) = (Some(revision), Some(last), Some(Arc::clone(&snapshot)));
        Ok(snapshot)
    }
}
