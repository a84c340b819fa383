//! What can be asked of whoever writes.

use surefront::{Problem as Stated, Reading};
use surefront_study::file::results::Key;
use surefront_study::file::study::Readings;
use surefront_study::session::{Session, ToldBy};
use surefront_study::words::suggestion::{advice, listed};
use tokio::sync::oneshot;

use super::AskedOf;
use crate::problem::Problem;
use surefront_study::store::Told;

/// A wish for measurements.
#[derive(Clone, Debug)]
pub struct Asking {
    /// How many.
    pub number: u64,
    /// Who asks.
    pub source: &'static str,
}

/// A result, as it was sent.
#[derive(Clone, Debug)]
pub struct Telling {
    /// The ticket that asked for it.
    pub ticket: Option<i64>,
    /// The arm.
    pub arm: Option<String>,
    /// What was measured.
    pub values: ToldValues,
    /// Who tells it.
    pub source: &'static str,
}

/// Values as they were sent.
#[derive(Clone, Debug)]
pub enum ToldValues {
    /// Each with its objective's name.
    Named(Vec<(String, String)>),
    /// In the objectives' order.
    Ordered(Vec<String>),
}

/// Something else to be done with the session.
pub type Deed = Box<dyn FnOnce(&mut Session) + Send>;

/// What arrives at the writer.
pub enum Post {
    Ask(Asking, oneshot::Sender<Result<AskedOf, Problem>>),
    Tell(Telling, oneshot::Sender<Result<Told, Problem>>),
    Do(Deed),
}

impl Telling {
    /// As the session takes it.
    pub fn checked(&self, session: &Session) -> Result<ToldBy, Problem> {
        let stated = session.problem();
        let arm = self.arm.as_ref().map(|name| arm_named(stated, name)).transpose()?;
        let key = match (self.ticket, arm) {
            (Some(ticket), Some(arm)) => Key::TicketFor(ticket, arm),
            (Some(ticket), None) => Key::Ticket(ticket),
            (None, Some(arm)) => Key::Arm(arm),
            (None, None) => return Err(Problem::unfit("name a \"ticket\" or an \"arm\"")),
        };
        Ok(ToldBy { key, values: self.values.checked(&session.file().readings())?, source: self.source.to_owned() })
    }
}

/// The arm of this name.
pub fn arm_named(stated: &Stated, name: &str) -> Result<usize, Problem> {
    stated.arm_named(name).ok_or_else(|| {
        let advice = advice(name, stated.arms().iter().map(|arm| arm.name.as_str()));
        Problem::unfit(format!("there is no arm \"{name}\": {advice}"))
    })
}

impl ToldValues {
    /// One number for each objective, made of the readings, or given as they are.
    pub fn checked(&self, readings: &Readings) -> Result<Vec<f64>, Problem> {
        let given = match self {
            ToldValues::Ordered(texts) => readings.in_order(texts.len()),
            ToldValues::Named(pairs) => readings.among(|name| pairs.iter().any(|(known, _)| known == name)),
        };
        let known = readings.names_of(given);
        let names = || known.iter().copied();
        let texts: Vec<&str> = match self {
            ToldValues::Ordered(texts) => texts.iter().map(String::as_str).collect(),
            ToldValues::Named(pairs) => {
                if let Some((name, _)) = pairs.iter().find(|(name, _)| !names().any(|known| known == name)) {
                    let advice = advice(name, names());
                    return Err(Problem::unfit(format!("there is no objective \"{name}\": {advice}")));
                }
                let of = |name: &str| pairs.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
                names()
                    .map(|name| of(name).ok_or_else(|| Problem::unfit(format!("the value of \"{name}\" is missing"))))
                    .collect::<Result<_, _>>()?
            }
        };
        if texts.len() != known.len() {
            let names = listed(names());
            return Err(Problem::unfit(format!("give one number for each of {names}")));
        }
        let number = |(text, name): (&&str, &str)| {
            value(text)
                .ok_or_else(|| Problem::unfit(format!("the value of \"{name}\" is \"{text}\": give a finite number")))
        };
        let values = texts.iter().zip(names()).map(number).collect::<Result<Vec<_>, _>>()?;
        readings.made_of(given, &values).map_err(|error| Problem::unfit(error.to_string()))
    }
}

/// A finite number, or that a value is more than something; whether that can be borne is for the study to say.
pub fn value(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = |number: &f64| number.is_finite() && Reading::is_plain(*number);
    Reading::parse(text).map(Reading::as_value).or_else(|| text.parse().ok().filter(plain))
}
