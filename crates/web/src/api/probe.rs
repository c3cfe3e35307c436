//! The value of a position and of its moves.

use axum::response::Response;
use hindsight_answers::{ProbeAnswer, ProbedMove, given_word};
use hindsight_games::{
    AnalysisStore, Answer, AnyGame, AnyMove, Error, GivenAway, Position, Values, ValuesReader,
};
use serde::Serialize;

use crate::Problem;
use crate::faults::problem_of;
use crate::question::Question;
use crate::watchers::StopWatcher;

/// Most seconds of the analysis of a position whose value is not known.
const ANALYSIS_SECONDS: f64 = 2.0;

/// Value of a position, and of its moves if they are asked for.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct ProbeReply {
    /// Spec of the game in its normal form.
    game: String,
    /// Name of the side to move.
    player: &'static str,
    #[serde(flatten)]
    probe: ProbeAnswer<MoveReply>,
}

/// A move with its value and the position after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct MoveReply {
    #[serde(flatten)]
    rated: ProbedMove,
    /// Position after the move.
    to: String,
    /// True if no move is better; null if that is not known.
    best: Option<bool>,
    /// Loss by the move: `nothing`, `plies`, `draw` or `win`; null if it is not known.
    gives: Option<&'static str>,
    /// Plies by which a win becomes longer or a loss shorter.
    plies_lost: Option<u16>,
}

/// A move, the position after it, and its value for the player who makes it.
struct ValuedMove<'a> {
    mv: &'a AnyMove,
    to: &'a Position,
    answer: Answer,
    bound: Option<u16>,
}

/// Returns the value of a position and of each move.
///
/// Of a game that is too large to be solved here, the position is analysed for two seconds; values
/// that are not proved are null.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/probe", tag = "positions",
    params(
        ("p" = Option<String>, Query),
        ("canonical" = Option<bool>, Query, description = "Add the member of the class in tables"),
    ),
    responses((status = 200, body = ProbeReply))))]
pub(super) async fn probe(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["p", "canonical"])?;
    let position = question.position(&query)?;
    let canonical = query.is_set("canonical")?;
    let game = question.game().clone();
    if let Some(values) = question.values_of(&position).await? {
        let probe = move || ProbeReply::by_values(&game, &values.values, &position, canonical);
        return question.answer(&query, &values.digest, probe).await;
    }
    let seconds = ANALYSIS_SECONDS.min(question.state.limits.seconds);
    let state = question.state.clone();
    let limits = state.analysis_limits(seconds);
    let analyse = move |stop| {
        let mut watcher = StopWatcher(stop);
        let kept = Some(&state.analyses as &dyn AnalysisStore);
        let analysis = game.analyse_watched(&position, limits, kept, &mut watcher);
        let analysis = analysis.map_err(problem_of)?;
        let moves = analysis.moves.iter().map(|analysed| ValuedMove {
            mv: &analysed.mv,
            to: &analysed.to,
            answer: analysed.answer,
            bound: analysed.bound,
        });
        let reply = ProbeReply::new(&game, &position, analysis.answer, analysis.bound);
        let mut reply = reply.map_err(problem_of)?;
        reply.add_moves(&game, &position, analysis.answer, moves).map_err(problem_of)?;
        reply.add_canonical(&game, &position, canonical).map_err(problem_of)?;
        Ok(reply)
    };
    question.passing_answer(analyse).await
}

impl ProbeReply {
    /// Returns the answer on a position with its bound, without its moves.
    pub(super) fn new(
        game: &AnyGame,
        position: &Position,
        answer: Answer,
        bound: Option<u16>,
    ) -> Result<Self, Error> {
        Ok(Self {
            game: game.spec().to_string(),
            player: game.player_names()[game.player_to_move(position)?],
            probe: ProbeAnswer::new(game, position, answer, bound)?,
        })
    }

    /// Returns the answer on a position of which nothing is known, with its moves.
    pub(super) fn unknown(
        game: &AnyGame,
        position: &Position,
        moves: &[AnyMove],
    ) -> Result<Self, Error> {
        let mut reply = Self::new(game, position, Answer::Unknown, None)?;
        let after = moves.iter().map(|mv| game.play(position, mv));
        let after: Vec<Position> = after.collect::<Result<_, _>>()?;
        let valued = moves.iter().zip(&after).map(|(mv, to)| ValuedMove {
            mv,
            to,
            answer: Answer::Unknown,
            bound: None,
        });
        reply.add_moves(game, position, Answer::Unknown, valued)?;
        Ok(reply)
    }

    /// Returns the answer on a position by known values, with its moves.
    pub(super) fn by_values(
        game: &AnyGame,
        values: &Values,
        position: &Position,
        canonical: bool,
    ) -> Result<Self, Problem> {
        let reader = values.reader();
        let reply = || -> Result<Self, Error> {
            let answer = reader.probe(position)?;
            let mut reply = Self::new(game, position, answer, None)?;
            reply.add_known_moves(game, position, answer, &reader)?;
            reply.add_canonical(game, position, canonical)?;
            Ok(reply)
        };
        reply().map_err(problem_of)
    }

    /// Adds the moves by known values, best first.
    pub(super) fn add_known_moves(
        &mut self,
        game: &AnyGame,
        position: &Position,
        answer: Answer,
        reader: &ValuesReader<'_>,
    ) -> Result<(), Error> {
        let rated = reader.rated_moves(position)?;
        let moves = rated.iter().map(|rated| ValuedMove {
            mv: &rated.mv,
            to: &rated.next,
            answer: rated.value,
            bound: None,
        });
        self.add_moves(game, position, answer, moves)
    }

    /// Adds the member of the position's class that tables keep, if it is asked for.
    pub(super) fn add_canonical(
        &mut self,
        game: &AnyGame,
        position: &Position,
        is_wanted: bool,
    ) -> Result<(), Error> {
        if is_wanted { self.probe.add_canonical(game, position) } else { Ok(()) }
    }

    fn add_moves<'a>(
        &mut self,
        game: &AnyGame,
        position: &Position,
        answer: Answer,
        moves: impl Iterator<Item = ValuedMove<'a>>,
    ) -> Result<(), Error> {
        let reply = |valued: ValuedMove<'_>| {
            let given = GivenAway::between_answers(answer, valued.answer);
            Ok(MoveReply {
                rated: ProbedMove::new(game, position, valued.mv, valued.answer, valued.bound)?,
                to: game.format(valued.to)?,
                best: given.map(|given| given == GivenAway::Nothing),
                gives: given.map(given_word),
                plies_lost: given.and_then(GivenAway::plies),
            })
        };
        self.probe.moves = Some(moves.map(reply).collect::<Result<_, Error>>()?);
        Ok(())
    }
}
