//! Errors that no handler has made: each is a problem too.

use std::panic::AssertUnwindSafe;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::{Problem, ProblemKind};

/// Most bytes of the text of an error.
const TEXT_BYTES: usize = 4096;

/// Most characters of a path that an error repeats.
const PATH_CHARACTERS: usize = 100;

/// Answers requests of unknown paths.
pub(crate) async fn unknown_path(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(PATH_CHARACTERS).collect();
    Problem::new(
        ProblemKind::Path,
        format!("'{path}' is no path of this server; the API begins at /api/v1"),
    )
}

/// Answers requests whose path has other methods. The router adds which.
pub(super) async fn unknown_method(method: Method, uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(PATH_CHARACTERS).collect();
    let method: String = method.as_str().chars().take(PATH_CHARACTERS).collect();
    Problem::new(
        ProblemKind::Method,
        format!("'{path}' has no method {method}; the header Allow names those it has"),
    )
}

/// Turns what unwound the handler into an answer.
pub(super) async fn catch_panic(request: Request, next: Next) -> Response {
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    answer.unwrap_or_else(|cause| Problem::of_unwound(cause).into_response())
}

/// Turns an error in text, such as those of a library, into a problem.
pub(super) async fn problem_of_text(request: Request, next: Next) -> Response {
    let has_body = request.method() == Method::POST;
    let response = next.run(request).await;
    let status = response.status();
    let form = response.headers().get(CONTENT_TYPE);
    let is_error = status.is_client_error() || status.is_server_error();
    let is_problem = form.is_some_and(|form| form.as_bytes().starts_with(b"application/"));
    if !is_error || is_problem {
        return response;
    }
    let allow: Option<HeaderValue> = response.headers().get(ALLOW).cloned();
    let bytes = to_bytes(response.into_body(), TEXT_BYTES).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mut response = problem_of(status, has_body, text.trim()).into_response();
    if let Some(allow) = allow {
        response.headers_mut().insert(ALLOW, allow);
    }
    response
}

/// Returns the problem of a status. It is that of the body if there is one. The text of a fault is
/// not shown.
fn problem_of(status: StatusCode, has_body: bool, text: &str) -> Problem {
    let kind = match status.as_u16() {
        400 | 422 if has_body => ProblemKind::Body,
        400 => ProblemKind::Parameter,
        404 => ProblemKind::Path,
        405 => ProblemKind::Method,
        406 => ProblemKind::Accept,
        408 => ProblemKind::Slow,
        413 => ProblemKind::TooLarge,
        415 => ProblemKind::MediaType,
        _ => return Problem::fault(),
    };
    let detail = if text.is_empty() { kind.title() } else { text };
    Problem::new(kind, detail)
}
