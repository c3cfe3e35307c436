//! Layers around a router: limits, forms of errors and counters of all requests.

mod body;
mod counting;
mod host;
mod problems;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH,
    RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate, SizeAbove};
use tower_http::cors::{Any, CorsLayer};

use crate::clients::Client;
use crate::header_lists::choose_coding;
use crate::metrics::Metrics;
use crate::page::FILES_PATH;
use crate::rate_limit::RateLimit;
use crate::{Problem, ProblemKind, ServerOptions, WorkPools};
use body::{BodyLimits, read_body};
use counting::count;
use host::check_host;
pub(crate) use problems::unknown_path;
use problems::{catch_panic, problem_of_text, unknown_method};

/// Length from which an answer is compressed, in bytes.
const COMPRESSED_BYTES: u64 = 1024;

/// Time for which a browser need not ask again whether it may send requests.
const PREFLIGHT_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Adds `/healthz`, `/metrics`, the limits and the forms of errors to a router. A router of a
/// server that `is_local` answers to local names alone.
pub(crate) fn with_layers(
    router: Router,
    options: &ServerOptions,
    is_local: bool,
    metrics: Arc<Metrics>,
    pools: WorkPools,
) -> Router {
    let shown = metrics.clone();
    let show = move || async move { prometheus_text(shown.text(&pools)) };
    let mut router = router
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(show))
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_method)
        .layer(from_fn_with_state(BodyLimits::new(options), read_body));
    if let Some(requests) = options.requests_a_second {
        let limit = Arc::new(RateLimit::new(requests));
        router = router.layer(from_fn_with_state(limit, limit_rate));
    }
    let compressed = DefaultPredicate::new().and(SizeAbove::new(COMPRESSED_BYTES));
    router = router
        .layer(from_fn(catch_panic))
        .layer(from_fn(problem_of_text))
        .layer(CompressionLayer::new().compress_when(compressed))
        .layer(from_fn(narrow_codings))
        .layer(cors());
    if is_local {
        router = router.layer(from_fn(check_host));
    }
    router.layer(from_fn_with_state(metrics, count)).layer(from_fn(add_headers))
}

fn prometheus_text(text: String) -> Response {
    let form = "text/plain; version=0.0.4; charset=utf-8";
    ([(CONTENT_TYPE, form)], text).into_response()
}

/// Lets pages of other sites read answers; none of them depends on who asks.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST, Method::HEAD, Method::OPTIONS])
        .allow_headers([ACCEPT, CONTENT_TYPE, IF_NONE_MATCH])
        .expose_headers([ETAG, RETRY_AFTER])
        .max_age(PREFLIGHT_TIME)
}

/// Leaves the layer that compresses no choice that it cannot make.
async fn narrow_codings(mut request: Request, next: Next) -> Response {
    choose_coding(request.headers_mut());
    next.run(request).await
}

async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers: [(HeaderName, &'static str); 3] = [
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "default-src 'self'"),
    ];
    for (name, value) in headers {
        let value = HeaderValue::from_static(value);
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}

async fn limit_rate(State(limit): State<Arc<RateLimit>>, request: Request, next: Next) -> Response {
    // A browser asks for all files of the page at once; they take no work.
    let is_file = request.uri().path().starts_with(FILES_PATH);
    let client = Client::current();
    if is_file || client.is_none_or(|client| limit.admit(client, Instant::now())) {
        return next.run(request).await;
    }
    let detail = "this address sends too many requests; ask for less, or more slowly";
    let problem = Problem::new(ProblemKind::Rate, detail);
    problem.retry_after(1).into_response()
}
