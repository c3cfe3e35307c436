//! Analyses, as a stream of events.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use hindsight_answers::AnalysisAnswer;
use hindsight_games::{AnalysisWatcher, AnyAnalysis, AnyGame, Progress};
use tokio::sync::watch;

use crate::caching::accepted;
use crate::faults::problem_of;
use crate::question::{Question, json_of};
use crate::{Problem, RunningWork, StopFlag};

/// Form of a stream of events.
const EVENTS: &str = "text/event-stream";
/// Seconds of an analysis if the request does not say.
const DEFAULT_SECONDS: f64 = 5.0;
/// Least time between two events.
const EVENT_INTERVAL: Duration = Duration::from_millis(100);

/// Analyses a position: a stream of server-sent events, each the analysis as far as it has come.
///
/// The last event is named `done`, or `problem` if the analysis failed. The analysis ends when the
/// client leaves. Where all values are known, there is one event.
#[utoipa::path(get, path = "/api/v1/tables/{id}/analyse", tag = "positions",
    params(
        ("id" = String, Path, description = "Name of a table, or spec of a game"),
        ("p" = Option<String>, Query, description = "Position; `_` is a space; the start if left out"),
        ("seconds" = Option<f64>, Query, description = "Most seconds; 5 if left out"),
    ),
    responses((status = 200, body = AnalysisAnswer, content_type = "text/event-stream"),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 503, body = Problem)))]
pub(super) async fn analyse(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["p", "seconds"])?;
    accepted(&question.headers, &[EVENTS])?;
    let position = question.position(&query)?;
    let most = question.state.limits.seconds;
    let seconds = query.seconds(most)?.unwrap_or(DEFAULT_SECONDS.min(most));
    let game = question.game().clone();
    let (sender, events) = watch::channel(None);
    let work = match question.values_of(&position).await? {
        Some(known) => {
            let analyse = move |_: StopFlag| {
                let analysis = known.values.analysis(&position).map_err(problem_of)?;
                drop(sender);
                json_of_analysis(&game, &analysis)
            };
            question.state.long.begin(analyse).await?
        }
        None => {
            let limits = question.state.analysis_limits(seconds);
            let analyse = move |stop| {
                let mut watcher = EventWatcher::new(&game, sender, stop);
                let analysis = game.analyse_watched(&position, limits, None, &mut watcher);
                json_of_analysis(&game, &analysis.map_err(problem_of)?)
            };
            question.state.long.begin(analyse).await?
        }
    };
    let events = Sse::new(events_of(RunningAnalysis { events, work }));
    let mut response = events.keep_alive(KeepAlive::default()).into_response();
    let headers = response.headers_mut();
    headers.insert(
        "cache-control",
        axum::http::HeaderValue::from_static("no-store"),
    );
    // Proxies that collect answers would hold the events back.
    headers.insert(
        "x-accel-buffering",
        axum::http::HeaderValue::from_static("no"),
    );
    Ok(response)
}

fn json_of_analysis(game: &AnyGame, analysis: &AnyAnalysis) -> Result<Bytes, Problem> {
    json_of(&AnalysisAnswer::new(game, analysis).map_err(problem_of)?)
}

/// Analysis that goes on, with the latest of its events. If it is dropped, the analysis ends.
struct RunningAnalysis {
    events: watch::Receiver<Option<Bytes>>,
    work: RunningWork<Result<Bytes, Problem>>,
}

/// Returns the events of an analysis. A client that reads slowly misses some before the last.
fn events_of(running: RunningAnalysis) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(Some(running), |running| async {
        let mut running = running?;
        if running.events.changed().await.is_ok() {
            let json = running.events.borrow_and_update().clone();
            let event = event("message", &json.unwrap_or_default());
            return Some((Ok(event), Some(running)));
        }
        let result = running.work.finish().await.and_then(|result| result);
        let event = match result {
            Ok(json) => event("done", &json),
            Err(problem) => event("problem", &json_of(&problem).unwrap_or_default()),
        };
        Some((Ok(event), None))
    })
}

/// Returns an event of a name; `message` is the name of events without one.
fn event(name: &str, json: &[u8]) -> Event {
    let event = Event::default().data(String::from_utf8_lossy(json));
    match name {
        "message" => event,
        name => event.event(name),
    }
}

/// Watcher of an analysis, which sends what is known of it from time to time.
struct EventWatcher<'a> {
    game: &'a AnyGame,
    events: watch::Sender<Option<Bytes>>,
    stop: StopFlag,
    sent_at: Option<Instant>,
}

impl<'a> EventWatcher<'a> {
    fn new(game: &'a AnyGame, events: watch::Sender<Option<Bytes>>, stop: StopFlag) -> Self {
        Self {
            game,
            events,
            stop,
            sent_at: None,
        }
    }
}

impl AnalysisWatcher for EventWatcher<'_> {
    fn report(&mut self, _: Progress) -> bool {
        !self.stop.is_set()
    }

    fn improved(&mut self, analysis: &AnyAnalysis) {
        let is_soon = |sent_at: Instant| sent_at.elapsed() < EVENT_INTERVAL;
        if self.sent_at.is_some_and(is_soon) {
            return;
        }
        self.sent_at = Some(Instant::now());
        if let Ok(json) = json_of_analysis(self.game, analysis) {
            // Ignored: a client that has left reads no more events.
            let _ = self.events.send(Some(json));
        }
    }
}
