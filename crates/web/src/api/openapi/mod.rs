//! The description of the API, as OpenAPI 3.1.
//!
//! A test makes it from the types of the answers, and compares it with the file that is served.

#[cfg(test)]
mod made;

use axum::body::Bytes;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::Problem;
use crate::caching::{Caching, JSON, accepted};
use crate::query::Query;

/// The description; its examples are answers of a server without tables.
const DESCRIPTION: &str = include_str!("../openapi.json");

/// Returns the description of the API.
pub(super) async fn openapi(uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    accepted(&headers, &[JSON])?;
    Ok(Caching::Never.reply(JSON, Bytes::from_static(DESCRIPTION.as_bytes())))
}
