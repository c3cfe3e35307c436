//! The server itself, the games, the cards and the kinds of problems.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use hindsight_answers::{all_cards, listed_games};
use serde::Serialize;

use crate::caching::{Caching, JSON, accepted};
use crate::limits::ApiLimits;
use crate::query::Query;
use crate::question::json_of;
use crate::state::ApiState;
use crate::{Problem, ProblemKind};

/// The server.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct ApiReply {
    /// Name of the program.
    #[cfg_attr(test, schema(example = "hindsight"))]
    name: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Version of the API.
    #[cfg_attr(test, schema(example = 1))]
    api: u32,
    /// Limits of requests.
    limits: ApiLimits,
    /// Names of the tables, and specs of the games that were named.
    tables: Vec<String>,
    /// True if any other game is answered too.
    all_games: bool,
}

/// Tells about the server and its limits.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1", tag = "server",
    responses((status = 200, body = ApiReply))))]
pub(super) async fn api(
    State(state): State<Arc<ApiState>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shelf = &state.shelf;
    let names = shelf.tables().iter().map(|table| table.name.clone());
    let specs = shelf.games().iter().map(|game| game.spec().to_string());
    let reply = ApiReply {
        name: "hindsight",
        version: env!("CARGO_PKG_VERSION"),
        api: 1,
        limits: state.limits.clone(),
        tables: names.chain(specs).collect(),
        all_games: !shelf.is_closed(),
    };
    passing_list(&uri, &headers, &reply)
}

/// Lists the games that the program knows, with the form of their specs.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/games", tag = "server",
    responses((status = 200, body = Vec<hindsight_answers::ListedGame>))))]
pub(super) async fn games(uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    list(&uri, &headers, &listed_games())
}

/// Lists the cards of Onitama.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/cards", tag = "server",
    responses((status = 200, body = Vec<hindsight_answers::ListedCard>))))]
pub(super) async fn cards(uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    list(&uri, &headers, &all_cards())
}

fn list(uri: &Uri, headers: &HeaderMap, items: &impl Serialize) -> Result<Response, Problem> {
    let query = Query::read(uri, &[])?;
    accepted(headers, &[JSON])?;
    let caching = Caching::by_digest("lists", query.version() == Some(env!("CARGO_PKG_VERSION")));
    match caching.not_modified(headers) {
        Some(response) => Ok(response),
        None => Ok(caching.reply(JSON, json_of(items)?)),
    }
}

/// Returns an answer without parameters that another time need not be the same.
pub(super) fn passing_list(
    uri: &Uri,
    headers: &HeaderMap,
    items: &impl Serialize,
) -> Result<Response, Problem> {
    Query::read(uri, &[])?;
    accepted(headers, &[JSON])?;
    Ok(Caching::Never.reply(JSON, json_of(items)?))
}

/// Kind of a problem.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct ProblemKindReply {
    /// Address that names the kind.
    r#type: String,
    /// Kind in words.
    title: &'static str,
    /// HTTP status.
    status: u16,
}

/// Explains the `type` of a problem.
#[cfg_attr(test, utoipa::path(get, path = "/problems/{kind}", tag = "server",
    params(("kind" = String, Path, description = "Last part of the type")),
    responses((status = 200, body = ProblemKindReply))))]
pub(super) async fn problem_kind(
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let known = ProblemKind::ALL.into_iter().find(|kind| kind.name() == name);
    let kind = known.ok_or_else(|| {
        let names = ProblemKind::ALL.map(ProblemKind::name).join(", ");
        let detail = format!("there is no kind '{name}' of problems; there are {names}");
        Problem::new(ProblemKind::Path, detail)
    })?;
    let reply = ProblemKindReply {
        r#type: format!("/problems/{}", kind.name()),
        title: kind.title(),
        status: kind.status(),
    };
    list(&uri, &headers, &reply)
}
