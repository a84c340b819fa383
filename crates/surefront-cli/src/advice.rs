//! What to type after something went wrong: the options and commands that only this door of a study has. The sentences follow those
//! of the study's own errors, with the sign that joins the two.

use surefront_serve::ServeError;
use surefront_study::StudyError;
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::output::output_error::OutputError;
use surefront_study::run::{Mishap, Reason};
use surefront_study::store::{Refusal, StoreError, StoreFault};

use crate::server::ServerError;

/// After a fault in a file.
pub fn on_input(error: &InputError) -> String {
    match error.fault() {
        Fault::WhichArmColumn { .. } | Fault::NoArmColumn { .. } => {
            ": say which names the arm with --arm-column".to_owned()
        }
        Fault::NoMetricColumn { .. } | Fault::WhichMetricColumn { .. } => {
            ": say which column names the objective with --metric-column".to_owned()
        }
        Fault::WhichValueColumn { .. } => ": say which with --value-column".to_owned(),
        Fault::WhichDecimal { .. } => ": say --decimal comma or --decimal point".to_owned(),
        Fault::NoSpread { objective, .. } => format!(" (--exact {objective})"),
        Fault::ParquetLeftOut => " (`cargo install --path crates/surefront-cli --features parquet`)".to_owned(),
        Fault::ArmIsObjective { .. } => ": choose another with --arm-column".to_owned(),
        Fault::NotExact { objective, .. } => format!(": leave out --exact {objective}"),
        Fault::NotATicket { .. } => ", as `surefront ask` gave it".to_owned(),
        _ => String::new(),
    }
}

/// After anything else that is wrong with a study.
pub fn on_study(error: &StudyError) -> String {
    match error {
        StudyError::Input(error) => on_input(error),
        StudyError::Store(error) => on_store(error),
        StudyError::RowRefused { refusal, .. } => on_refusal(refusal),
        StudyError::Output(OutputError::FilledIn { file }) => {
            format!(" (`surefront tell STUDY --csv {}`)", file.display())
        }
        _ => String::new(),
    }
}

/// After a fault of a store.
pub fn on_store(error: &StoreError) -> String {
    match &error.fault {
        StoreFault::Missing => {
            ": begin with `surefront run`, `surefront ask` or `surefront tell`, or name an existing one with --store"
                .to_owned()
        }
        StoreFault::NotAStore => ": name another file with --store".to_owned(),
        StoreFault::OtherVersion { .. } | StoreFault::Differs(_) => ", or begin a new store with --store".to_owned(),
        StoreFault::NoArmLeft => " with `surefront run STUDY --restore`".to_owned(),
        StoreFault::Closed(_) => ", or choose another place with --store".to_owned(),
        StoreFault::Refused(refusal) => on_refusal(refusal),
        _ => String::new(),
    }
}

fn on_refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::UnknownTicket(_) => ": `surefront status` lists those that are open".to_owned(),
        Refusal::OtherValues { observation, .. } | Refusal::ToldAlready { observation, .. } => {
            format!(" with `surefront retract STUDY {observation}`")
        }
        Refusal::UnknownObservation(_) => ": `surefront export` lists them all".to_owned(),
        _ => String::new(),
    }
}

/// After a server that does not begin.
pub fn on_serve(error: &ServeError) -> &'static str {
    match error {
        ServeError::TokensNeeded { .. } => " (--token-file)",
        ServeError::Listen { .. } => ": choose another address or port with --listen",
        _ => "",
    }
}

/// After a server that says no.
pub fn on_server(error: &ServerError) -> &'static str {
    match error {
        ServerError::Refused { status: 401 | 403, .. } => " (--token-file names a file with the token)",
        _ => "",
    }
}

/// After a measurement that came to nothing.
pub fn on_mishap(mishap: &Mishap) -> &'static str {
    match *mishap.reason {
        Reason::TimedOut { .. } => ", or raise --timeout",
        _ => "",
    }
}
