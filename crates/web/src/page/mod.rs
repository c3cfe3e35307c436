//! The page for browsers: its files, and the data that it begins with. `docs/explorer.md` says how
//! it is built.

mod files;
mod folder;
mod imports;
#[cfg(test)]
mod lean;
mod server_data;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::http::{HeaderMap, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use crate::state::ApiState;
use crate::{Problem, api, layers};
pub use files::PageFiles;
use server_data::DataSource;

/// Path below which the files are.
pub(crate) const FILES_PATH: &str = "/page/";

/// Place of the links to the modules in the first file.
const MODULES_PLACE: &str = "<!--modules-->";

/// Place of the data in the first file.
const DATA_PLACE: &str = "<!--data-->";

/// Security policy of the page. It may load files and answers of this server, and pictures that it
/// makes itself.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The page of a server.
struct ExplorerPage {
    files: PageFiles,
    data: DataSource,
    state: Arc<ApiState>,
}

/// Returns the routes of the API and of the page.
pub fn router(state: Arc<ApiState>) -> Router {
    router_with_page(state, PageFiles::of_program())
}

/// As [`router`], with files of the page from elsewhere.
pub fn router_with_page(state: Arc<ApiState>, files: PageFiles) -> Router {
    let api = api::router(state.clone());
    let page = ExplorerPage { files, data: DataSource::new(api.clone(), state.clone()), state };
    let pages = Router::new()
        .route("/", get(first_page))
        .route("/page/{*name}", get(page_file))
        .with_state(Arc::new(page));
    api.merge(pages)
}

/// Returns the page with the data that it begins with.
async fn first_page(State(page): State<Arc<ExplorerPage>>, uri: Uri) -> Result<Response, Problem> {
    let index = page.files.index().ok_or_else(Problem::fault)?;
    let json = page.data.json(uri.query().unwrap_or_default()).await?;
    let data = format!("<script type=\"application/json\" id=\"server\">{json}</script>");
    let names = page.files.first_modules().into_iter();
    let links =
        names.map(|name| format!("<link rel=\"modulepreload\" href=\"{FILES_PATH}{name}\">"));
    let modules = links.collect::<Vec<_>>().join("\n");
    let html = index.replacen(MODULES_PLACE, &modules, 1).replacen(DATA_PLACE, &data, 1);
    let html = page.state.unread.hold(Bytes::from(html))?;
    let headers = [(CACHE_CONTROL, "no-cache"), (CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers, Html(html)).into_response())
}

async fn page_file(
    State(page): State<Arc<ExplorerPage>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let name = uri.path().strip_prefix(FILES_PATH);
    let Some(file) = name.and_then(|name| page.files.file(name)) else {
        return Err(layers::unknown_path(uri).await);
    };
    let known = file.caching.not_modified(&headers);
    Ok(known.unwrap_or_else(|| file.caching.reply(file.content_type, file.content)))
}
