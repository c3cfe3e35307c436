//! The first page: what is served, and where the API is described.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse};
use hindsight_answers::{ListedGame, listed_games};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::shelf::ServedTable;
use crate::state::ApiState;

/// Characters that are encoded in a part of a path.
const PATH_PART: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b',')
    .remove(b'=');

const STYLE: &str = include_str!("../assets/style.css");

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <title>Hindsight</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n<h1>Hindsight</h1>\n\
    <p>Board games solved exactly: the value of every position, and best play.</p>\n";

const TAIL: &str = "<h2>For programs</h2>\n<ul>\n\
    <li><a href=\"/api/v1\">/api/v1</a>: this server and its limits</li>\n\
    <li><a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a>: \
    the description of the API (OpenAPI 3.1)</li>\n\
    <li><a href=\"/api/v1/tables\">/api/v1/tables</a>, \
    <a href=\"/api/v1/games\">/api/v1/games</a>, \
    <a href=\"/api/v1/cards\">/api/v1/cards</a>: lists</li>\n\
    <li><a href=\"/healthz\">/healthz</a>, <a href=\"/metrics\">/metrics</a>: \
    for those who run it</li>\n</ul>\n</html>\n";

/// Returns the first page.
pub(crate) async fn first_page(State(state): State<Arc<ApiState>>) -> Html<String> {
    let shelf = &state.shelf;
    let mut page = String::from(HEAD);
    if !shelf.tables().is_empty() || !shelf.games().is_empty() {
        page.push_str("<h2>Tables</h2>\n");
        let tables = shelf.tables().iter().map(|table| table_row(table));
        let games = shelf.games().iter().map(|game| game_row(game.spec()));
        let head = "<tr><th>name<th>game<th class=\"number\">positions<th>start";
        page.push_str(&html_table(head, tables.chain(games)));
    }
    if !shelf.is_closed() {
        page.push_str("<h2>Games</h2>\n");
        let head = "<tr><th>to try<th>game<th>spec";
        page.push_str(&html_table(head, listed_games().iter().map(listed_row)));
    }
    page.push_str(TAIL);
    Html(page)
}

/// Returns the style of the first page.
pub(crate) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

fn html_table(head: &str, rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.collect();
    format!("<div class=\"wide\"><table>\n{head}\n{rows}</table></div>\n")
}

fn table_row(served: &ServedTable) -> String {
    let info = served.table.info();
    format!(
        "<tr><td>{}<td><code>{}</code><td class=\"number\">{}<td>{}\n",
        link(&served.name, ""),
        escaped(&info.spec),
        with_commas(info.histogram().positions()),
        escaped(&hindsight_games::Answer::Exact(info.start.value).to_string())
    )
}

fn game_row(spec: &str) -> String {
    format!(
        "<tr><td>{}<td><code>{}</code><td><td>\n",
        link(spec, ""),
        escaped(spec)
    )
}

fn listed_row(game: &ListedGame) -> String {
    format!(
        "<tr><td>{}<td>{}<td><code>{}</code>\n",
        link(game.example, "/position"),
        escaped(game.about),
        escaped(game.spec)
    )
}

/// Returns a link to a table or a game by its id, or to a page of it.
fn link(id: &str, page: &str) -> String {
    let path = utf8_percent_encode(id, PATH_PART);
    let text = escaped(id);
    format!("<a href=\"/api/v1/tables/{path}{page}\"><code>{text}</code></a>")
}

/// Returns a text as HTML shows it.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}
