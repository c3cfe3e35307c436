//! Answers to what is no request. The HTTP library makes them, without a body; here they become
//! problems as all others.

use crate::{Problem, ProblemKind};

/// Beginnings of the answers that the library makes, and the kinds of their problems.
const BEGINNINGS: [(&[u8], ProblemKind, &str); 2] = [
    (b"HTTP/1.1 400 Bad Request\r\n", ProblemKind::Request, "this is no request of HTTP/1.1"),
    (
        b"HTTP/1.1 431 Request Header Fields Too Large\r\n",
        ProblemKind::Head,
        "the path and headers together may have 32768 bytes, in 64 headers",
    ),
];

/// Header of an answer without a body. No answer of a handler with these statuses has it.
const NO_BODY: &[u8] = b"content-length: 0\r\n";

/// Returns the answer to send instead of one that the HTTP library has made.
pub(super) fn full_refusal(answer: &[u8]) -> Option<Vec<u8>> {
    let (beginning, kind, detail) =
        BEGINNINGS.into_iter().find(|(beginning, ..)| answer.starts_with(beginning))?;
    if !answer.windows(NO_BODY.len()).any(|part| part == NO_BODY) {
        return None;
    }
    Some([beginning, &headers_and_body(kind, detail)].concat())
}

/// Returns a whole answer outside of the HTTP library.
pub(super) fn refusal(kind: ProblemKind, detail: &str) -> Vec<u8> {
    let beginning = format!("HTTP/1.1 {} {}\r\n", kind.status(), kind.title());
    [beginning.as_bytes(), &headers_and_body(kind, detail)].concat()
}

fn headers_and_body(kind: ProblemKind, detail: &str) -> Vec<u8> {
    let body = Problem::new(kind, detail).json();
    let headers = format!(
        "content-type: {}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n",
        Problem::CONTENT_TYPE,
        body.len()
    );
    [headers.as_bytes(), &body].concat()
}
