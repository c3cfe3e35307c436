//! Analyses, as a stream of events.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use hindsight_answers::AnalysisAnswer;
use hindsight_games::{AnalysisStore, AnalysisWatcher, AnyAnalysis, AnyGame, Progress};
use tokio::sync::watch;

use crate::caching::accepted;
use crate::faults::problem_of;
use crate::long_work::LongTurn;
use crate::question::{Question, json_of};
use crate::{Problem, RunningWork, StopFlag};

/// Form of a stream of events.
const EVENTS: &str = "text/event-stream";
/// Header by which some proxies pass events on at once.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// Seconds of an analysis if the request does not say.
const DEFAULT_SECONDS: f64 = 5.0;
/// Time without an event after which a comment is sent: so a client that has left is noticed.
const ALIVE_INTERVAL: Duration = Duration::from_millis(500);
/// Least time between two events.
const EVENT_INTERVAL: Duration = Duration::from_millis(100);

/// Analyses a position: a stream of server-sent events, each the analysis as far as it has come.
///
/// The last event is named `done`, or `problem` if the analysis failed. The analysis ends when the
/// client leaves. Where all values are known, there is one event.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/analyse", tag = "positions",
    params(
        ("p" = Option<String>, Query),
        ("seconds" = Option<f64>, Query, description = "Most seconds; 5 if left out"),
        ("every_move" = Option<bool>, Query,
            description = "Prove every move, and not the best one first"),
    ),
    responses((status = 200, body = AnalysisAnswer, content_type = "text/event-stream"))))]
pub(super) async fn analyse(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["p", "seconds", "every_move"])?;
    accepted(&question.headers, &[EVENTS])?;
    let position = question.position(&query)?;
    let most = question.state.limits.seconds;
    let seconds = query.seconds(most)?.unwrap_or(DEFAULT_SECONDS.min(most));
    let wants_every_move = query.is_set("every_move")?;
    let game = question.game().clone();
    let (sender, events) = watch::channel(None);
    let analyse: AnalysisWork = match question.values_of(&position).await? {
        Some(known) => Box::new(move |_| {
            let analysis = known.values.analysis(&position).map_err(problem_of)?;
            drop(sender);
            json_of_analysis(&game, &analysis)
        }),
        None => {
            let state = question.state.clone();
            let limits = state.analysis_limits(seconds);
            Box::new(move |stop| {
                let mut watcher = EventWatcher {
                    game: &game,
                    events: sender,
                    stop,
                    wants_every_move,
                    sent_at: None,
                };
                let kept = Some(&state.analyses as &dyn AnalysisStore);
                let analysis = game.analyse_watched(&position, limits, kept, &mut watcher);
                json_of_analysis(&game, &analysis.map_err(problem_of)?)
            })
        }
    };
    let turn = question.state.long.enqueue()?;
    let stream = events_of(AnalysisStream::Waiting { turn, analyse, events });
    let mut response =
        Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE_INTERVAL)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies that collect answers would hold the events back.
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

fn json_of_analysis(game: &AnyGame, analysis: &AnyAnalysis) -> Result<Bytes, Problem> {
    json_of(&AnalysisAnswer::new(game, analysis).map_err(problem_of)?)
}

/// Analysis that has not begun.
type AnalysisWork = Box<dyn FnOnce(StopFlag) -> AnalysisResult + Send>;

type AnalysisResult = Result<Bytes, Problem>;

/// Analysis with the latest of its events. If it is dropped, it ends, or never begins.
enum AnalysisStream {
    Waiting { turn: LongTurn, analyse: AnalysisWork, events: watch::Receiver<Option<Bytes>> },
    Running { work: RunningWork<AnalysisResult>, events: watch::Receiver<Option<Bytes>> },
    Ended,
}

/// Returns the events of an analysis. A client that reads slowly misses some before the last.
fn events_of(stream: AnalysisStream) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(stream, |stream| async {
        let (work, mut events) = match stream {
            AnalysisStream::Ended => return None,
            AnalysisStream::Running { work, events } => (work, events),
            AnalysisStream::Waiting { turn, analyse, events } => match turn.begin(analyse).await {
                Ok(work) => (work, events),
                Err(problem) => return Some((Ok(last_event(Err(problem))), AnalysisStream::Ended)),
            },
        };
        if events.changed().await.is_ok() {
            let json = events.borrow_and_update().clone();
            let event = event("message", &json.unwrap_or_default());
            return Some((Ok(event), AnalysisStream::Running { work, events }));
        }
        let result = work.finish().await.and_then(|result| result);
        Some((Ok(last_event(result)), AnalysisStream::Ended))
    })
}

fn last_event(result: AnalysisResult) -> Event {
    match result {
        Ok(json) => event("done", &json),
        Err(problem) => event("problem", &json_of(&problem).unwrap_or_default()),
    }
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
    wants_every_move: bool,
    sent_at: Option<Instant>,
}

impl AnalysisWatcher for EventWatcher<'_> {
    fn report(&mut self, _: Progress) -> bool {
        !self.stop.is_set()
    }

    fn wants_every_move(&self) -> bool {
        self.wants_every_move
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
