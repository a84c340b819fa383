//! A study: in memory, or in a store that the program `surefront` shares.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use surefront::Promise;
use surefront_study::file::input_error::Fault;
use surefront_study::file::results::{Key, ResultRow};
use surefront_study::file::study::Given;
use surefront_study::report::{self, Format, ReportData};
use surefront_study::run::{self, End};
use surefront_study::session::{Session, Swift};
use surefront_study::status::Status;
use surefront_study::store::{Access, Moment, Store};
use surefront_study::words::suggestion::advice;

use crate::definition::{Definition, wishes};
use crate::error::{AnsweredError, Failure, MeasurementError};
use crate::executor::{Executor, Names};
use crate::json::json;
use crate::kept::{Kept, SOURCE};
use crate::listener::{Alarm, Listener};
use crate::observed::{Observed, Shown};
use crate::run_choice::RunChoice;
use crate::ticket::{Ticket, Whose};
use crate::values::{Objectives, sound};

/// A study; `surefront.Study` is what people see of it.
#[pyclass(frozen, module = "surefront._surefront")]
pub struct Core {
    kept: Mutex<Option<Kept>>,
    /// Whether `run` is under way.
    running: AtomicBool,
    /// The files that it is read from, and the store.
    inputs: Vec<PathBuf>,
    arms: Vec<String>,
    arm_names: Vec<Py<PyString>>,
    /// What is measured, in order.
    objectives: Arc<Objectives>,
}

#[pymethods]
impl Core {
    #[new]
    #[pyo3(signature = (definition, store, memory, *, rule=None, threshold=None, delta=None, seed=None))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn new(
        py: Python<'_>,
        definition: Definition,
        store: Option<PathBuf>,
        memory: bool,
        rule: Option<&str>,
        threshold: Option<&str>,
        delta: Option<f64>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let wishes = wishes(rule, threshold, delta, seed)?;
        let (kept, inputs, arms, readings) = py.detach(|| -> Result<_, Failure> {
            let file = definition.read()?;
            let problem = definition.learning_problem(&file)?;
            let arms = problem.arms().iter().map(|arm| arm.name.clone()).collect::<Vec<_>>();
            let readings = file.readings();
            let mut inputs: Vec<PathBuf> = file.paths().iter().map(|path| path.to_path_buf()).collect();
            let kept = if memory {
                let store = Store::private(&file.name, &file, &problem)?;
                Kept::Memory(Box::new(Swift::new(Session::new(file, problem, store).wishing(wishes), SOURCE)))
            } else {
                let path = store.unwrap_or_else(|| file.path().with_extension("db"));
                let store = Store::open(&path, &file, &problem, Access::Create)?;
                inputs.push(path);
                Kept::Stored(Box::new(Session::new(file, problem, store).wishing(wishes)))
            };
            Ok((kept, inputs, arms, readings))
        })?;
        let core = Core {
            kept: Mutex::new(Some(kept)),
            running: AtomicBool::new(false),
            inputs,
            arm_names: arms.iter().map(|name| PyString::new(py, name).unbind()).collect(),
            arms,
            objectives: Arc::new(Objectives::new(py, readings)),
        };
        // What is wrong with rule and threshold is said now, and not at the first question.
        core.with(py, |kept| Ok(kept.look()?.keep_choice().map(|_| ())?))?;
        Ok(core)
    }

    #[getter]
    fn arms(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        self.arm_names.iter().map(|name| name.clone_ref(py)).collect()
    }

    #[getter]
    fn objectives(&self) -> Vec<String> {
        self.objectives.names().to_vec()
    }

    /// What is read of an arm: the objectives, or what they are sums of.
    #[getter]
    fn readings(&self) -> Vec<String> {
        self.objectives.readings().to_vec()
    }

    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |kept| Ok(kept.look()?.file().name.clone()))
    }

    #[getter]
    fn store(&self, py: Python<'_>) -> PyResult<Option<PathBuf>> {
        self.with(py, |kept| Ok(kept.look()?.store_file().map(Path::to_path_buf)))
    }

    /// The next measurement.
    fn ask(&self, py: Python<'_>) -> PyResult<Ticket> {
        let tickets = self.quickly(py, |kept| kept.ask(1))?.map_err(AnsweredError::new_err)?;
        Ok(self.ticket(py, tickets[0]))
    }

    /// The next measurements.
    fn ask_many<'py>(&self, py: Python<'py>, number: u64) -> PyResult<Bound<'py, PyList>> {
        let tickets = self.with(py, |kept| kept.ask(number))?.map_err(AnsweredError::new_err)?;
        PyList::new(py, tickets.into_iter().map(|ticket| self.ticket(py, ticket)).collect::<Vec<_>>())
    }

    /// One result.
    fn tell(&self, py: Python<'_>, whose: Whose<'_>, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = match whose {
            Whose::Ticket(ticket) => Key::Ticket(ticket.get().id),
            Whose::Number(ticket) => Key::Ticket(ticket),
            Whose::Arm(name) => Key::Arm(self.arm_named(&name)?),
        };
        let values = self.objectives.values(given).map_err(|error| Failure::new(format!("there is {error}")))?;
        self.quickly(py, |kept| kept.tell(key, &values))
    }

    /// Many results, all or none: a row of values for each, of the readings or, if that is said or can be told by their number, of the objectives made of them.
    #[pyo3(signature = (tickets, arms, values, *, made=false))]
    fn tell_many(
        &self,
        py: Python<'_>,
        tickets: Option<Vec<i64>>,
        arms: Option<Vec<String>>,
        values: PyReadonlyArray2<'_, f64>,
        made: bool,
    ) -> PyResult<(usize, usize)> {
        let arms = arms.map(|arms| arms.iter().map(|name| self.arm_named(name)).collect::<Result<Vec<_>, _>>());
        let arms = arms.transpose()?;
        let mut rows = Vec::with_capacity(values.shape()[0]);
        let given = if made { Given::Objectives } else { self.objectives.in_order(values.shape()[1]) };
        let names = if given == Given::Readings { self.objectives.readings() } else { self.objectives.names() };
        for (row, values) in values.as_array().outer_iter().enumerate() {
            let key = match (&tickets, &arms) {
                (Some(tickets), Some(arms)) => Key::TicketFor(tickets[row], arms[row]),
                (Some(tickets), None) => Key::Ticket(tickets[row]),
                (None, Some(arms)) => Key::Arm(arms[row]),
                (None, None) => return Err(Failure::new(Fault::NoKeyColumn.to_string()).into()),
            };
            for (&value, objective) in values.iter().zip(names) {
                sound(value, objective)
                    .map_err(|error| Failure::new(format!("row {row}: {error}; nothing was stored")))?;
            }
            let values = self.objectives.made_of(given, &values.to_vec());
            let values = values.map_err(|error| Failure::new(format!("row {row}: {error}; nothing was stored")))?;
            rows.push(ResultRow { line: row, key, values });
        }
        self.with(py, |kept| {
            let told = kept.session()?.tell_all(&rows, SOURCE).map_err(|error| match error {
                surefront_study::StudyError::RowRefused { line, refusal, .. } => {
                    Failure::new(format!("row {line}: {refusal}; nothing was stored"))
                }
                other => other.into(),
            })?;
            Ok((told.stored, told.same))
        })
    }

    /// Nothing will be told of a ticket.
    fn fail(&self, py: Python<'_>, ticket: i64, why: &str) -> PyResult<()> {
        self.with(py, |kept| {
            match kept {
                Kept::Stored(session) => session.fail(ticket, why)?,
                Kept::Memory(swift) => swift.fail(ticket, why)?,
            }
            Ok(())
        })
    }

    /// Takes back what a ticket was told.
    fn retract_ticket(&self, py: Python<'_>, ticket: i64, reason: &str) -> PyResult<Vec<i64>> {
        self.with(py, |kept| Ok(vec![kept.session()?.retract_ticket(ticket, reason)?]))
    }

    /// Takes back observations by number.
    fn retract(&self, py: Python<'_>, observations: Vec<i64>, reason: &str) -> PyResult<Vec<i64>> {
        self.with(py, |kept| {
            kept.session()?.retract(&observations, reason)?;
            Ok(observations)
        })
    }

    /// Takes back all observations of an arm, or those told before a time, or both.
    #[pyo3(signature = (arm, before, reason))]
    fn retract_all(&self, py: Python<'_>, arm: Option<&str>, before: Option<&str>, reason: &str) -> PyResult<Vec<i64>> {
        let arm = arm.map(|name| self.arm_named(name)).transpose()?;
        let before = before.map(|text| text.parse::<Moment>().map_err(|error| Failure::new(error.to_string())));
        let before = before.transpose()?;
        self.with(py, |kept| Ok(kept.session()?.retract_all(arm, before.as_ref(), reason)?))
    }

    /// How strong the answer is, once there is one.
    fn answered(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        let promise = self.quickly(py, Kept::answered)?;
        Ok(promise.map(|promise| match promise {
            Promise::Proved => "proved",
            Promise::Likely => "likely",
        }))
    }

    /// The front of the means so far.
    fn front<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let front = self.quickly(py, Kept::front)?;
        PyList::new(py, front.into_iter().map(|arm| self.arm_names[arm].clone_ref(py)))
    }

    /// All that is known, as JSON, with the sentences that people read.
    fn status(&self, py: Python<'_>) -> PyResult<(String, String, Vec<String>)> {
        self.with(py, |kept| {
            let status = Status::of(kept.look()?)?;
            let conditions = status.answer.conditions.iter().map(|condition| condition.sentence());
            let sentences = status.answer.caveats().into_iter().chain(status.answer.seen()).chain(conditions);
            Ok((json(&status), status.answer.headline(), sentences.collect()))
        })
    }

    /// Every observation, as lines of number, arm, ticket, source, time, when and why it was taken back, values.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Observed>> {
        self.with(py, |kept| {
            let mut rows = Vec::new();
            kept.look()?.look(|view| {
                view.each_observation(|seen| {
                    let seen = seen.clone();
                    let values = seen.values.into_iter().map(Shown::of).collect();
                    rows.push((seen.id, seen.arm, seen.ticket, seen.source, seen.told_at, seen.retracted, values));
                    std::ops::ControlFlow::Continue(())
                })
            })?;
            Ok(rows)
        })
    }

    /// Writes the report; what it is, the end of the file's name says.
    fn report(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let format = Format::of_path(&path).ok_or_else(|| {
            let path = path.display();
            Failure::new(format!(
                "what to write to {path} is not clear from its name: end it in .html, .md, .json or .svg"
            ))
        })?;
        let inputs: Vec<&Path> = self.inputs.iter().map(PathBuf::as_path).collect();
        self.with(py, |kept| {
            let target = report::destination(&path, format, &inputs).map_err(surefront_study::StudyError::from)?;
            let text = report::render(&ReportData::of(kept.look()?)?, format);
            target.write(text.as_bytes()).map_err(|error| surefront_study::StudyError::from(error).into())
        })
    }

    /// The front as a picture.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |kept| Ok(report::render(&ReportData::of(kept.look()?)?, Format::Svg)))
    }

    /// Measures until there is an answer: by `submit`, or else by the arms' commands or means; why it ended.
    #[pyo3(signature = (submit, function, choice, progress, note))]
    fn run(
        &self,
        py: Python<'_>,
        submit: Option<Py<PyAny>>,
        function: String,
        choice: RunChoice,
        progress: Option<Py<PyAny>>,
        note: Option<Py<PyAny>>,
    ) -> PyResult<&'static str> {
        let options = choice.options()?;
        let alarm = Alarm::default();
        let mut listener = Listener { progress, note, alarm: alarm.clone(), heard: None, waiting: 0 };
        let mut crew = submit.map(|submit| {
            let names = Names { arms: self.arms(py), objectives: Arc::clone(&self.objectives) };
            Executor::new(
                names,
                submit,
                function,
                options.jobs.unwrap_or_default().get(),
                options.timeout,
                alarm.clone(),
            )
        });
        let end = self.with(py, |kept| {
            let session = kept.session()?;
            self.running.store(true, Ordering::Release);
            let end = match &mut crew {
                Some(crew) => run::measure_by(session, &options, crew, &mut listener, &alarm.interrupt),
                None => run::measure(session, &options, &mut listener, &alarm.interrupt),
            };
            self.running.store(false, Ordering::Release);
            Ok(end?)
        })?;
        if let Some(error) = alarm.take() {
            return Err(error);
        }
        match end {
            End::Answered => Ok("answered"),
            End::OutOfSamples => Ok("out of samples"),
            End::OutOfCost => Ok("out of cost"),
            End::OutOfTime => Ok("out of time"),
            End::Interrupted(_) => Ok("interrupted"),
            End::Failed(mishap) => Err(MeasurementError::new_err(mishap.to_string())),
        }
    }

    /// Lets go of the store.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if self.running.load(Ordering::Acquire) {
            return Err(busy().into());
        }
        py.detach(|| drop(self.lock().take()));
        Ok(())
    }
}

impl Core {
    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Some work that may take long: other threads of Python go on meanwhile.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Kept) -> Result<T, Failure> + Send) -> PyResult<T> {
        if self.running.load(Ordering::Acquire) {
            return Err(busy().into());
        }
        Ok(py.detach(|| self.lock().as_mut().ok_or_else(closed).and_then(work))?)
    }

    /// Some work that takes microseconds in memory, and a disk's time otherwise.
    fn quickly<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Kept) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        if !self.running.load(Ordering::Acquire)
            && let Ok(mut kept) = self.kept.try_lock()
            && let Some(memory @ Kept::Memory(_)) = kept.as_mut()
        {
            return Ok(work(memory)?);
        }
        self.with(py, work)
    }

    fn ticket(&self, py: Python<'_>, (id, arm): (i64, usize)) -> Ticket {
        Ticket { id, arm: self.arm_names[arm].clone_ref(py) }
    }

    fn arm_named(&self, name: &str) -> Result<usize, Failure> {
        self.arms.iter().position(|known| known == name).ok_or_else(|| {
            let advice = advice(name, self.arms.iter().map(String::as_str));
            Failure::new(Fault::UnknownArm { arm: name.to_owned(), advice }.to_string())
        })
    }
}

fn closed() -> Failure {
    Failure::new("the study is closed: open it again")
}

fn busy() -> Failure {
    Failure::new(
        "the study is being measured: `progress` says how it gets on, and a second `Study` on the same store may look at it meanwhile",
    )
}
