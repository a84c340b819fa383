//! What a request is refused with: a problem document (RFC 9457), or a page that says the same to a person.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use surefront_study::StudyError;
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::store::{Refusal, StoreError, StoreFault};
use surefront_study::words::plain::plain;

/// Why a request is not answered as it wished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    detail: String,
}

/// As RFC 9457 has it.
#[derive(Serialize)]
struct Document<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
}

impl Problem {
    /// This kind of problem, in a sentence.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let detail: String = detail.into();
        Problem { status, detail: plain(&detail).into_owned() }
    }

    /// What was sent cannot be understood.
    pub fn unreadable(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// What was sent is understood, and not allowed.
    pub fn unfit(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// Nothing is there.
    pub fn missing(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// Not for whoever asks.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::FORBIDDEN, detail)
    }

    /// Something broke here.
    pub fn ours(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    /// The kind.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The sentence.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The document.
    pub fn json(&self) -> String {
        let title = self.status.canonical_reason().unwrap_or("Problem");
        let document = Document { r#type: "about:blank", title, status: self.status.as_u16(), detail: &self.detail };
        serde_json::to_string(&document).expect("texts are valid JSON")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.json()).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        // Whoever asked for a page gets one instead, made from this.
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = match &refusal {
            Refusal::UnknownTicket(_) | Refusal::UnknownObservation(_) => StatusCode::NOT_FOUND,
            Refusal::Observation(_) | Refusal::OtherArm { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::ArmGone { .. }
            | Refusal::OtherValues { .. }
            | Refusal::ToldAlready { .. }
            | Refusal::NothingTold(_)
            | Refusal::RetractedAlready { .. } => StatusCode::CONFLICT,
        };
        Problem::new(status, refusal.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let sentence = error.to_string();
        match error.fault {
            StoreFault::Refused(refusal) => refusal.into(),
            StoreFault::Missing => Problem::missing(sentence),
            StoreFault::Locked => Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence),
            StoreFault::Full => Problem::new(StatusCode::INSUFFICIENT_STORAGE, sentence),
            _ => Problem::ours(sentence),
        }
    }
}

impl From<InputError> for Problem {
    fn from(error: InputError) -> Self {
        match error.fault() {
            Fault::Unreadable(_) => Problem::ours(error.to_string()),
            _ => Problem::unfit(error.to_string()),
        }
    }
}

impl From<StudyError> for Problem {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Input(error) => error.into(),
            StudyError::Store(error) => error.into(),
            StudyError::RowRefused { .. } => Problem::unfit(error.to_string()),
            other => Problem::ours(other.to_string()),
        }
    }
}
