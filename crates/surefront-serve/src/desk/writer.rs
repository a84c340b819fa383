//! Who writes to the store of a study: one thread. What waits while it writes, it writes together the next time, so that many are
//! answered after one wait for the disk; and nobody is answered before.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use surefront_study::session::{Asked, Session};
use surefront_study::store::{Access, StoreFault, Told};
use tokio::sync::oneshot;

use super::AskedOf;
use super::post::{Asking, Post, Telling};
use super::stamp::Stamp;
use crate::problem::Problem;

/// At most so many are written together.
const MOST_TOGETHER: usize = 512;

/// The way to the thread.
#[derive(Debug)]
pub struct Writer {
    post: Sender<Post>,
}

impl Writer {
    /// Starts the thread; it opens the store when there is something to write.
    pub fn start(id: &str, path: PathBuf) -> Self {
        let (post, arriving) = mpsc::channel();
        let work = move || Clerk { path, open: None }.work(&arriving);
        // Where no thread can be had, whoever sends something hears that nobody is there.
        let _ = thread::Builder::new().name(format!("writes {id}")).spawn(work);
        Writer { post }
    }

    pub async fn ask(&self, asking: Asking) -> Result<AskedOf, Problem> {
        self.answer(|reply| Post::Ask(asking, reply)).await
    }

    pub async fn tell(&self, telling: Telling) -> Result<Told, Problem> {
        self.answer(|reply| Post::Tell(telling, reply)).await
    }

    pub async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.answer(|reply| Post::Do(Box::new(move |session| drop(reply.send(work(session)))))).await
    }

    async fn answer<T>(&self, post: impl FnOnce(oneshot::Sender<Result<T, Problem>>) -> Post) -> Result<T, Problem> {
        let nobody = || Problem::ours("nothing is stored: the store of this study cannot be opened, see its page");
        let (reply, answer) = oneshot::channel();
        self.post.send(post(reply)).map_err(|_| nobody())?;
        answer.await.map_err(|_| nobody())?
    }
}

/// Who does it.
struct Clerk {
    path: PathBuf,
    open: Option<(Session, Stamp)>,
}

impl Clerk {
    /// Until nobody can send anything any more.
    fn work(&mut self, arriving: &Receiver<Post>) {
        while let Ok(first) = arriving.recv() {
            let further = std::iter::from_fn(|| arriving.try_recv().ok()).take(MOST_TOGETHER - 1);
            let (mut tellings, mut askings, mut deeds) = (Vec::new(), Vec::new(), Vec::new());
            for post in std::iter::once(first).chain(further) {
                match post {
                    Post::Tell(telling, reply) => tellings.push((telling, reply)),
                    Post::Ask(asking, reply) => askings.push((asking, reply)),
                    Post::Do(deed) => deeds.push(deed),
                }
            }
            // Whoever waits for an answer sends nothing more before: none of these depends on another.
            self.tell(tellings);
            self.ask(askings);
            for deed in deeds {
                // Where it cannot be opened, the deed is dropped, and whoever waits for it hears so.
                if let Ok(session) = self.session() {
                    deed(session);
                }
            }
        }
    }

    /// The session, opened again where the study file is another one now.
    fn session(&mut self) -> Result<&mut Session, Problem> {
        if self.open.as_ref().is_some_and(|(_, stamp)| stamp.is_old()) {
            self.open = None;
        }
        if self.open.is_none() {
            // Looked at before it is read: what is changed meanwhile is seen the next time.
            let before = Stamp::of(&[&self.path]);
            let session = Session::open(&self.path, None, Access::Create)?;
            let [_, arms] = session.file().paths();
            let stamp = before.with(&Stamp::of(&[arms]));
            self.open = Some((session, stamp));
        }
        Ok(&mut self.open.as_mut().expect("it was opened").0)
    }

    fn tell(&mut self, tellings: Vec<(Telling, oneshot::Sender<Result<Told, Problem>>)>) {
        if tellings.is_empty() {
            return;
        }
        let session = match self.session() {
            Ok(session) => session,
            Err(problem) => return tellings.into_iter().for_each(|(_, reply)| drop(reply.send(Err(problem.clone())))),
        };
        let (mut taken, mut replies) = (Vec::new(), Vec::new());
        for (telling, reply) in tellings {
            match telling.checked(session) {
                Ok(told) => {
                    taken.push(told);
                    replies.push(reply);
                }
                Err(problem) => drop(reply.send(Err(problem))),
            }
        }
        if taken.is_empty() {
            return;
        }
        match session.tell_each(&taken) {
            Ok(done) => {
                for (reply, told) in replies.into_iter().zip(done) {
                    let _ = reply.send(told.map_err(Problem::from));
                }
            }
            Err(error) => {
                self.close_if_gone(&error.fault);
                let problem = Problem::from(error);
                replies.into_iter().for_each(|reply| drop(reply.send(Err(problem.clone()))));
            }
        }
    }

    /// All together, each getting its share.
    fn ask(&mut self, askings: Vec<(Asking, oneshot::Sender<Result<AskedOf, Problem>>)>) {
        if askings.is_empty() {
            return;
        }
        let session = match self.session() {
            Ok(session) => session,
            Err(problem) => return askings.into_iter().for_each(|(_, reply)| drop(reply.send(Err(problem.clone())))),
        };
        // Who asked is kept with each ticket: those of one kind are asked for together.
        let mut waiting = askings;
        while let Some(source) = waiting.first().map(|(asking, _)| asking.source) {
            let (same, others): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(asking, _)| asking.source == source);
            waiting = others;
            let total = same.iter().map(|(asking, _)| asking.number).sum();
            let asked = session.ask(total, source).map_err(Problem::from);
            let (study, problem) = (session.file().name.clone(), session.problem().clone());
            let mut asked = asked.map(|asked| AskedOf { asked, study, problem });
            for (asking, reply) in same {
                let share = match &mut asked {
                    Ok(AskedOf { asked: Asked::Tickets(tickets), study, problem }) => {
                        let share = tickets.drain(..tickets.len().min(asking.number as usize)).collect();
                        Ok(AskedOf { asked: Asked::Tickets(share), study: study.clone(), problem: problem.clone() })
                    }
                    Ok(AskedOf { asked, study, problem }) => {
                        Ok(AskedOf { asked: asked.clone(), study: study.clone(), problem: problem.clone() })
                    }
                    Err(problem) => Err(problem.clone()),
                };
                let _ = reply.send(share);
            }
        }
    }

    /// A store that was deleted or replaced is opened anew the next time.
    fn close_if_gone(&mut self, fault: &StoreFault) {
        if matches!(fault, StoreFault::Gone | StoreFault::Damaged(_)) {
            self.open = None;
        }
    }
}
