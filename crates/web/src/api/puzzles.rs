//! Puzzles.

use axum::response::Response;
use hindsight_answers::PuzzlesAnswer;
use hindsight_games::{PuzzleCriteria, PuzzleSearch, PuzzleTheme, Uniqueness};
use serde::Serialize;

use crate::faults::problem_of;
use crate::query::Query;
use crate::question::{Question, StoppableAnswer};
use crate::{Problem, ProblemKind};

/// Most puzzles of an answer.
pub(super) const MOST_PUZZLES: u64 = 100;
/// Places that are drawn if the request does not say.
const DEFAULT_SAMPLE: u64 = 20_000;
/// Most places that are drawn.
pub(super) const MOST_PLACES: u64 = 100_000;

/// Puzzles of a sample.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct PuzzlesReply {
    #[serde(flatten)]
    answer: PuzzlesAnswer,
    /// True if the time was over before all places were looked at.
    is_cut: bool,
}

/// Finds puzzles among positions drawn at random, hardest first. After the seconds that `/api/v1`
/// tells, the answer has what was found by then.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/puzzles", tag = "play",
    params(
        ("theme" = Option<String>, Query,
            description = "`sacrifice`, `quiet`, `only` or `swindle`"),
        ("unique" = Option<String>, Query, description = "`line` (if left out), `first` or `win`"),
        ("count" = Option<u64>, Query, description = "Most puzzles, up to 100; 10 if left out"),
        ("min_plies" = Option<u16>, Query, description = "Fewest plies"),
        ("max_plies" = Option<u16>, Query, description = "Most plies"),
        ("sample" = Option<u64>, Query,
            description = "Places that are drawn, up to 100,000; 20,000 if left out"),
        ("seed" = Option<u64>, Query, description = "Seed of the draw; 1 if left out"),
    ),
    responses((status = 200, body = PuzzlesReply))))]
pub(super) async fn puzzles(question: Question) -> Result<Response, Problem> {
    let query = question.query(&[
        "theme",
        "unique",
        "count",
        "min_plies",
        "max_plies",
        "sample",
        "seed",
    ])?;
    let search = search_of(&query)?;
    let known = question.values().await?;
    let game = question.game().clone();
    let (values, state) = (known.values, question.state.clone());
    let find = move |stop| {
        let found = values.puzzles(&search, &state.options(stop)).map_err(problem_of)?;
        let answer = PuzzlesAnswer::of_sample(&game, &search, &found).map_err(problem_of)?;
        let is_cut = found.is_cut;
        let answer = PuzzlesReply { answer, is_cut };
        Ok(StoppableAnswer { answer, is_cut })
    };
    question.stoppable_answer(&query, &known.digest, find).await
}

/// Reads what is looked for.
fn search_of(query: &Query) -> Result<PuzzleSearch, Problem> {
    let default = PuzzleSearch::default();
    let themes = PuzzleTheme::ALL.map(|theme| (theme.name(), theme));
    let kinds = Uniqueness::ALL.map(|unique| (unique.name(), unique));
    let plies = |name| query.whole(name, 1..=u64::from(u16::MAX));
    let fewest = plies("min_plies")?.map_or(1, |plies| plies as u16);
    let most = plies("max_plies")?.map_or(u16::MAX, |plies| plies as u16);
    if fewest > most {
        let detail = format!("min_plies {fewest} is more than max_plies {most}");
        let problem = Problem::new(ProblemKind::Parameter, detail);
        return Err(problem.of_parameter("min_plies"));
    }
    let unique = query.word("unique", &kinds)?;
    let count = query.whole("count", 1..=MOST_PUZZLES)?;
    let sample = query.whole("sample", 1..=MOST_PLACES)?;
    Ok(PuzzleSearch {
        criteria: PuzzleCriteria {
            unique: unique.unwrap_or(default.criteria.unique),
            theme: query.word("theme", &themes)?,
            plies: fewest..=most,
        },
        choice: default.choice,
        count: count.map_or(default.count, |count| count as usize),
        sample: Some(sample.unwrap_or(DEFAULT_SAMPLE) as usize),
        seed: query.whole("seed", 0..=u64::MAX)?.unwrap_or(default.seed),
    })
}
