//! Data with which the page begins, so that it need not ask for them: answers of the API.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Value;
use tower::util::ServiceExt;

use crate::Problem;
use crate::query::decode;
use crate::state::ApiState;

/// Source of the data.
pub(super) struct DataSource {
    api: Router,
    state: Arc<ApiState>,
}

/// Data with which the page begins.
#[derive(Serialize)]
struct ServerData {
    version: Value,
    all_games: Value,
    limits: Value,
    tables: Value,
    games: Value,
    /// Board that the address of the page names; `None` if it names none, or wrongly.
    first: Option<FirstBoard>,
}

/// Board that the page shows first.
#[derive(Serialize)]
struct FirstBoard {
    /// Name of the table, or the spec in its normal form.
    id: String,
    /// Description, if it is known without a solve.
    table: Option<Value>,
    position: Value,
}

impl DataSource {
    /// Returns the source of data from the answers of an API.
    pub(super) const fn new(api: Router, state: Arc<ApiState>) -> Self {
        Self { api, state }
    }

    /// Returns the data as JSON for HTML. `query` is that of the address of the page.
    pub(super) async fn json(&self, query: &str) -> Result<String, Problem> {
        let needed = async |address| self.answer(address).await.ok_or_else(Problem::fault);
        let api = needed("/api/v1").await?;
        let data = ServerData {
            version: api["version"].clone(),
            all_games: api["all_games"].clone(),
            limits: api["limits"].clone(),
            tables: needed("/api/v1/tables").await?,
            games: needed("/api/v1/games").await?,
            first: self.first_board(query).await,
        };
        let json = serde_json::to_string(&data).map_err(|_| Problem::fault())?;
        Ok(for_html(&json))
    }

    /// Returns the board that `g=ID` and `p=POSITION` name.
    async fn first_board(&self, query: &str) -> Option<FirstBoard> {
        let id = query.split('&').find_map(|part| part.strip_prefix("g="))?;
        let id = decode(id).ok()?;
        let subject = self.state.subject(&id).await.ok()?;
        let path = format!("/api/v1/tables/{}", utf8_percent_encode(&id, NON_ALPHANUMERIC));
        // The API refuses a second one.
        let texts = query.split('&').filter(|part| part.starts_with("p="));
        let texts = texts.collect::<Vec<_>>().join("&");
        let position = self.answer(&format!("{path}/position?{texts}")).await?;
        let is_known = subject.table.is_some() || self.state.solved.has(&subject.game);
        let table = if is_known { self.answer(&path).await } else { None };
        Some(FirstBoard { id: subject.id, table, position })
    }

    /// Returns the answer of the API; `None` if it is an error.
    async fn answer(&self, address: &str) -> Option<Value> {
        let request = Request::get(address).body(Body::empty()).ok()?;
        let response = self.api.clone().oneshot(request).await.ok()?;
        if response.status() != StatusCode::OK {
            return None;
        }
        let body = response.into_body().collect().await.ok()?;
        serde_json::from_slice(&body.to_bytes()).ok()
    }
}

/// Returns JSON that ends no element of HTML: `<` stands in texts alone, where it may be escaped.
fn for_html(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::for_html;

    #[test]
    fn no_text_ends_the_element() {
        let text = "</script><!--<script>";
        let json = serde_json::to_string(text).expect("JSON");
        let escaped = for_html(&json);
        assert!(!escaped.contains('<'), "{escaped}");
        let back: String = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(back, text);
    }
}
