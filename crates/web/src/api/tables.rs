//! Tables, and games as far as they are solved.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use hindsight_answers::{
    BoardAnswer, SetupAnswer, SolvedStats, TableDescription, TableStats, ValueCounts,
    ValuedPosition,
};
use hindsight_games::{AnyGame, Error, Options, PuzzleTheme, Summary};
use serde::Serialize;

use super::lists::passing_list;
use crate::Problem;
use crate::faults::problem_of;
use crate::question::Question;
use crate::shelf::ServedTable;
use crate::solved_games::{GameOnDemand, OnDemand};
use crate::state::ApiState;

/// A table or a solved game in a list.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct ListedTable {
    /// Name in addresses: that of the table, or the spec.
    id: String,
    /// Spec of the game in its normal form.
    game: String,
    /// Layout of the table; null without a file.
    layout: Option<String>,
    /// Positions that have values: `all` or `reachable`; null if the game is not solved yet.
    scope: Option<&'static str>,
    /// Number of positions; null if the game is not solved yet.
    positions: Option<u64>,
    /// Length of the file; null without one.
    bytes: Option<u64>,
    /// Counts and hash by which solves of the same set are compared.
    signature: Option<String>,
    /// Digest of the values, for addresses whose answers may be kept for ever.
    digest: Option<String>,
}

/// Returns the tables, the games that were named, and the games that are solved at the moment.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables", tag = "tables",
    responses((status = 200, body = Vec<ListedTable>))))]
pub(super) async fn tables(
    State(state): State<Arc<ApiState>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let tables = state.shelf.tables().iter();
    let tables = tables.map(|shelved| ListedTable::of_table(&shelved.latest()));
    let mut listed: Vec<ListedTable> = tables.collect();
    let solved = state.solved.kept();
    let is_solved = |game: &AnyGame| solved.iter().any(|solved| solved.is_of(game));
    let unsolved = state.shelf.games().iter().filter(|game| !is_solved(game));
    listed.extend(unsolved.map(ListedTable::of_game));
    listed.extend(solved.iter().map(|game| ListedTable::of_solved(game)));
    passing_list(&uri, &headers, &listed)
}

impl ListedTable {
    fn of_table(served: &ServedTable) -> Self {
        let info = served.table.info();
        let histogram = info.histogram();
        Self {
            id: served.name.clone(),
            game: info.spec.clone(),
            layout: Some(info.layout.to_string()),
            scope: Some(scope_of(info)),
            positions: Some(histogram.positions()),
            bytes: Some(served.bytes),
            signature: Some(Summary::of(&histogram).signature(Some(&histogram))),
            digest: Some(served.digest.clone()),
        }
    }

    fn of_solved(game: &GameOnDemand) -> Self {
        let spec = game.solved.values().game().spec();
        Self {
            id: spec.to_string(),
            game: spec.to_string(),
            layout: None,
            scope: Some(game.stats.scope),
            positions: Some(game.solved.summary().positions),
            bytes: None,
            signature: Some(game.solved.signature()),
            digest: Some(game.digest.clone()),
        }
    }

    fn of_game(game: &AnyGame) -> Self {
        Self {
            id: game.spec().to_string(),
            game: game.spec().to_string(),
            layout: None,
            scope: None,
            positions: None,
            bytes: None,
            signature: None,
            digest: None,
        }
    }
}

/// A table or a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct TableReply {
    /// Name in addresses: that of the table, or the spec in its normal form.
    id: String,
    /// Source of values: `table`, `solve`, or `analysis` where not all of them are known.
    values: &'static str,
    /// Positions that have values: `all` or `reachable`; null for an analysis.
    scope: Option<&'static str>,
    /// Digest of the values; null for an analysis.
    digest: Option<String>,
    /// Names of players 0 and 1.
    players: [&'static str; 2],
    /// Picture of the start as data.
    board: BoardAnswer,
    /// Themes of puzzles that the game has.
    themes: Vec<&'static str>,
    /// Things that can be put into a picture for `setup`; null if the game has only texts.
    setup: Option<SetupAnswer>,
    /// Description of the table, of the solve, or of the game alone.
    #[serde(flatten)]
    about: TableFacts,
}

/// Description of a table, of a solved game, or of a game alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
enum TableFacts {
    /// A table.
    Table(Box<TableDescription>),
    /// A solved game.
    Solve(SolveFacts),
    /// A game.
    Game {
        /// Spec of the game in its normal form.
        game: String,
        /// True if a table of the game can be written on the machine of this server.
        can_have_table: bool,
    },
}

/// Counts of a solved game.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct SolveFacts {
    /// Spec of the game in its normal form.
    game: String,
    /// The start.
    start: Option<ValuedPosition>,
    /// Counts by value.
    #[serde(flatten)]
    counts: ValueCounts,
    /// Counts and hash by which solves of the same set are compared.
    signature: String,
}

/// Describes a table or a game.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}", tag = "tables",
    responses((status = 200, body = TableReply))))]
pub(super) async fn table(question: Question) -> Result<Response, Problem> {
    let query = question.query(&[])?;
    let (subject, game) = (question.subject.clone(), question.game().clone());
    if let Some(table) = subject.table.clone() {
        let digest = table.digest.clone();
        let describe = move || TableReply::of_table(subject.id, &table).map_err(problem_of);
        return question.answer(&query, &digest, describe).await;
    }
    match question.state.solve_on_demand(&game).await? {
        OnDemand::Solved(solved) => {
            let digest = solved.digest.clone();
            let describe = move || TableReply::of_solved(&game, &solved).map_err(problem_of);
            question.answer(&query, &digest, describe).await
        }
        OnDemand::TooLarge => {
            let describe = move |_| TableReply::of_game(&game).map_err(problem_of);
            question.passing_answer(describe).await
        }
    }
}

impl TableReply {
    /// Describes what every game has.
    fn new(id: String, game: &AnyGame, about: TableFacts) -> Result<Self, Error> {
        let themes = game.puzzle_themes().into_iter();
        Ok(Self {
            id,
            values: "analysis",
            scope: None,
            digest: None,
            players: game.player_names(),
            board: BoardAnswer::new(&game.drawing(&game.start())?),
            themes: themes.map(PuzzleTheme::name).collect(),
            setup: game.setup_kinds().as_ref().map(SetupAnswer::new),
            about,
        })
    }

    fn of_table(id: String, served: &ServedTable) -> Result<Self, Error> {
        let about = TableDescription::new(served.name.clone(), served.bytes, &served.table)?;
        Ok(Self {
            values: "table",
            scope: Some(scope_of(served.table.info())),
            digest: Some(served.digest.clone()),
            ..Self::new(id, &served.game, TableFacts::Table(Box::new(about)))?
        })
    }

    fn of_solved(game: &AnyGame, on_demand: &GameOnDemand) -> Result<Self, Error> {
        let solved = &on_demand.solved;
        let start = game.format(&game.start())?;
        let value = solved.start_value().exact();
        let about = SolveFacts {
            game: game.spec().to_string(),
            start: value.map(|value| ValuedPosition::new(start, value)),
            counts: on_demand.stats.counts.clone(),
            signature: solved.signature(),
        };
        Ok(Self {
            values: "solve",
            scope: Some(on_demand.stats.scope),
            digest: Some(on_demand.digest.clone()),
            ..Self::new(game.spec().to_string(), game, TableFacts::Solve(about))?
        })
    }

    fn of_game(game: &AnyGame) -> Result<Self, Error> {
        let spec = game.spec().to_string();
        let about = TableFacts::Game {
            game: spec.clone(),
            can_have_table: game.has_possible_table(&Options::default()),
        };
        Self::new(spec, game, about)
    }
}

/// Counts of positions by value.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
pub(super) enum StatsReply {
    /// Of a table, layer by layer.
    Table(Box<TableStats>),
    /// Of a solved game.
    Solve(SolvedStats),
}

/// Counts the positions of a table or of a solved game by value.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/stats", tag = "tables",
    params(
        ("layer" = Option<u32>, Query, description = "One layer of a table"),
    ),
    responses((status = 200, body = StatsReply))))]
pub(super) async fn stats(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["layer"])?;
    let layer = query.whole("layer", 0..=u64::from(u32::MAX))?;
    let layer = layer.map(|layer| layer as u32);
    question.check_layer(layer)?;
    if let Some(table) = question.subject.table.clone() {
        let (layers, digest) = (table.table.stats().len(), table.digest.clone());
        let layer = layer.map(|layer| layer as usize);
        let layers = layer.map_or(0..layers, |layer| layer..layer + 1);
        let count = move || {
            let stats = TableStats::new(table.name.clone(), &table.table, layers);
            Ok(StatsReply::Table(Box::new(stats)))
        };
        return question.answer(&query, &digest, count).await;
    }
    let OnDemand::Solved(game) = question.state.solve_on_demand(question.game()).await? else {
        return Err(question.no_values());
    };
    let digest = game.digest.clone();
    let count = move || Ok(StatsReply::Solve(game.stats.clone()));
    question.answer(&query, &digest, count).await
}

/// Returns the set of positions of a table.
fn scope_of(info: &hindsight_games::TableInfo) -> &'static str {
    if info.reachable.is_some() { "reachable" } else { "all" }
}
