//! Errors of requests, as the problem details of RFC 9457.

use std::any::Any;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hindsight_answers::PlaceAnswer;
use hindsight_foreign::RulesFault;
use hindsight_games::{DrawnPlace, without_middle};
use serde::Serialize;

/// Most characters of a detail, which may repeat texts of the request.
const DETAIL_CHARACTERS: usize = 4000;

/// Reason why a request has no answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Problem {
    /// Address that names the kind, such as `/problems/position`.
    r#type: String,
    /// Kind in words.
    title: &'static str,
    /// HTTP status.
    status: u16,
    /// Fault of this request, and what would be right.
    detail: String,
    /// Offset of the fault in the text, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    /// Parameter that has the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'static str>,
    /// Fault of a picture that shows no position.
    #[serde(flatten)]
    #[cfg_attr(test, schema(value_type = PictureFault))]
    picture: Option<Box<PictureFault>>,
    /// Seconds after which the request may be sent again.
    #[serde(skip)]
    retry_after: Option<u32>,
}

/// Fault of a picture that shows no position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct PictureFault {
    /// Text of the picture; `at` is the offset of the fault in it.
    #[cfg_attr(test, schema(required = false))]
    text: String,
    /// Place of the fault in the picture; null if it is at none, or at several.
    place: Option<PlaceAnswer>,
}

/// Kind of a problem, with its HTTP status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The text is no position of the game.
    Position,
    /// The text is no legal move of the position.
    Move,
    /// The text names no game.
    Spec,
    /// The text names no agent, or one that takes more than is allowed.
    Agent,
    /// A parameter is missing, unknown or out of range.
    Parameter,
    /// The body of a request is not what it should be.
    Body,
    /// The text is no request of HTTP.
    Request,
    /// There is no such path.
    Path,
    /// There is no such table.
    Table,
    /// The table has no such position.
    NoPosition,
    /// The path has other methods.
    Method,
    /// The answer has none of the forms that are accepted.
    Accept,
    /// The request did not come in time.
    Slow,
    /// The values that the request needs are not known.
    NoValues,
    /// The game is over, so that no move can be chosen.
    NoMove,
    /// Positions of the game are not put together from pictures.
    NoSetup,
    /// The request is too large.
    TooLarge,
    /// The path and the headers are too long.
    Head,
    /// The body has another type than JSON.
    MediaType,
    /// The name of the host is not one of this server.
    Host,
    /// More requests came from one address than are allowed.
    Rate,
    /// More work waits than the server takes on.
    Busy,
    /// The file of a table is another one than before.
    Changed,
    /// The program that has the rules of the game failed.
    Rules,
    /// A fault of the server, or of a file that it reads.
    Fault,
}

impl ProblemKind {
    /// All kinds.
    pub const ALL: [Self; 25] = [
        Self::Position,
        Self::Move,
        Self::Spec,
        Self::Agent,
        Self::Parameter,
        Self::Body,
        Self::Request,
        Self::Path,
        Self::Table,
        Self::NoPosition,
        Self::Method,
        Self::Accept,
        Self::Slow,
        Self::NoValues,
        Self::NoMove,
        Self::NoSetup,
        Self::TooLarge,
        Self::Head,
        Self::MediaType,
        Self::Host,
        Self::Rate,
        Self::Busy,
        Self::Changed,
        Self::Rules,
        Self::Fault,
    ];

    /// Returns the last part of the address that names the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.facts().1
    }

    /// Returns the kind in words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.facts().2
    }

    const fn facts(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::Position => ("position", 400, "This is no position of the game"),
            Self::Move => ("move", 400, "This is no legal move"),
            Self::Spec => ("spec", 400, "This names no game"),
            Self::Agent => ("agent", 400, "This agent cannot play here"),
            Self::Parameter => ("parameter", 400, "A parameter is wrong"),
            Self::Body => ("body", 400, "The body of the request is wrong"),
            Self::Request => ("request", 400, "This is no request"),
            Self::Path => ("path", 404, "There is nothing at this address"),
            Self::Table => ("table", 404, "There is no such table"),
            Self::NoPosition => ("no-position", 404, "There is no such position"),
            Self::Method => ("method", 405, "This address has other methods"),
            Self::Accept => ("accept", 406, "The answer has another form"),
            Self::Slow => ("slow", 408, "The request did not come in time"),
            Self::NoValues => ("no-values", 409, "The values are not known"),
            Self::NoMove => ("no-move", 409, "There is no move to choose"),
            Self::NoSetup => ("no-setup", 409, "Positions of this game are texts"),
            Self::TooLarge => ("too-large", 413, "The request is too large"),
            Self::MediaType => ("media-type", 415, "The body is not JSON"),
            Self::Head => ("head", 431, "The path and headers are too long"),
            Self::Host => ("host", 421, "This server has another name"),
            Self::Rate => ("rate", 429, "Too many requests"),
            Self::Busy => ("busy", 503, "Too much work waits"),
            Self::Changed => ("changed", 503, "The table has changed"),
            Self::Rules => ("rules", 502, "The rules of the game have failed"),
            Self::Fault => ("fault", 500, "The server has failed"),
        }
    }
}

impl Problem {
    pub(crate) const CONTENT_TYPE: &'static str = "application/problem+json";

    /// Returns a problem; `detail` says what is wrong and what would be right.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self {
            r#type: format!("/problems/{}", kind.name()),
            title: kind.title(),
            status: kind.status(),
            detail: without_middle(&detail.into(), DETAIL_CHARACTERS).into_owned(),
            at: None,
            parameter: None,
            picture: None,
            retry_after: None,
        }
    }

    /// Returns a fault of the server, without its details.
    /// Returns the problem of work that was unwound: by a fault of rules, or by a panic, whose
    /// message stays here.
    pub(crate) fn of_unwound(cause: Box<dyn Any + Send>) -> Self {
        match cause.downcast::<RulesFault>() {
            Ok(fault) => Self::new(ProblemKind::Rules, fault.to_string()),
            Err(_) => Self::fault(),
        }
    }

    pub(crate) fn fault() -> Self {
        Self::new(ProblemKind::Fault, "the server failed on this request; others go on")
    }

    /// Returns the problem of a table whose file was replaced; later requests open it anew.
    pub(crate) fn changed() -> Self {
        let detail = "the file of the table has changed, and is opened anew; ask again";
        Self::new(ProblemKind::Changed, detail).retry_after(1)
    }

    /// Names the parameter that has the fault.
    #[must_use]
    pub(crate) fn of_parameter(self, parameter: &'static str) -> Self {
        Self { parameter: Some(parameter), ..self }
    }

    /// Adds the offset of the fault in the text of the parameter, in bytes.
    #[must_use]
    pub fn at(self, offset: usize) -> Self {
        Self { at: Some(offset), ..self }
    }

    /// Adds the text of a picture, and the place of the fault in the picture.
    pub(crate) fn of_picture(self, text: String, place: Option<&DrawnPlace>) -> Self {
        Self {
            picture: Some(Box::new(PictureFault { text, place: place.map(PlaceAnswer::new) })),
            ..self
        }
    }

    /// Moves the offset, for a text inside of another.
    pub(crate) fn moved(self, by: usize) -> Self {
        Self { at: self.at.map(|at| at + by), ..self }
    }

    /// Adds the seconds after which the request may be sent again.
    #[must_use]
    pub fn retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    pub(crate) fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.json();
        let status = StatusCode::from_u16(self.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static(Self::CONTENT_TYPE);
        headers.insert(CONTENT_TYPE, json);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
