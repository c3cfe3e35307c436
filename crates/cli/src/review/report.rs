//! Answer of `review`, as JSON and as text.

use hindsight_answers::{KnownValue, ReviewedPly};
use hindsight_core::Wdl;
use hindsight_games::{
    AnyGame, AnyMove, Error, GameReview, GivenAway, PlayerReview, Position, ReviewSource,
    ReviewedMove,
};
use hindsight_play::GameRecord;
use hindsight_report::TextTable;
use serde::Serialize;

use crate::kept_game::ReplayedGame;
use crate::knowledge::knowledge_text;
use crate::output::fitted;
use crate::sizes::counted;

/// Least part of the estimate that the text shows as given away.
const LEAST_SHOWN: f64 = 0.1;

/// The JSON report of `review`.
#[derive(Serialize)]
pub(crate) struct ReviewReport {
    game: String,
    number: u64,
    start: String,
    plies: Vec<PlyReport>,
    players: Vec<PlayerReport>,
    winner: Option<&'static str>,
    ending: String,
    source: &'static str,
    seconds: f64,
}

/// A move, and the words for it in the text.
#[derive(Serialize)]
struct PlyReport {
    #[serde(flatten)]
    answer: ReviewedPly,
    #[serde(skip)]
    after_text: String,
    #[serde(skip)]
    gave_text: String,
    #[serde(skip)]
    better_text: String,
}

#[derive(Serialize)]
struct PlayerReport {
    player: &'static str,
    agent: String,
    moves: u64,
    best_moves: u64,
    gave_away: u64,
    unknown: u64,
}

impl ReviewReport {
    pub(super) fn new(
        record: &GameRecord,
        played: &ReplayedGame,
        review: &GameReview,
        seconds: f64,
    ) -> Result<Self, Error> {
        let game = &played.game;
        let names = game.player_names();
        let plies = review.plies.iter().enumerate();
        let plies =
            plies.map(|(index, ply)| PlyReport::new(game, index, review.player(index), ply));
        let agents = [0, 1].map(|player| &record.agents[agent_of(player, record, review)]);
        let players = [0, 1].map(|i| PlayerReport::new(names[i], agents[i], review.players()[i]));
        let (winner, ending) = result(record, played, review)?;
        Ok(Self {
            game: game.spec().to_string(),
            number: record.number,
            start: game.format(&played.positions[0])?,
            plies: plies.collect::<Result<_, _>>()?,
            players: players.into(),
            winner: winner.map(|player| names[player]),
            ending,
            source: match review.source {
                ReviewSource::Table => "table",
                ReviewSource::Solve => "solve",
                ReviewSource::Analyses => "analyses",
            },
            seconds,
        })
    }

    /// Returns the headings of the graph: the result, and the players with the game.
    pub(super) fn headings(&self) -> [String; 2] {
        [self.result_text(), format!("{}; {}", self.game, self.players_text())]
    }

    fn players_text(&self) -> String {
        let players = self.players.iter();
        let players = players.map(|player| format!("{} ({})", player.player, player.agent));
        players.collect::<Vec<_>>().join(" against ")
    }

    fn result_text(&self) -> String {
        let plies = counted(self.plies.len() as u64, "ply");
        let result = match (self.winner, self.ending.as_str()) {
            (Some(winner), "win") => format!("{winner} wins"),
            (Some(winner), ending) => format!("{winner} wins ({ending})"),
            (None, "draw") => String::from("a draw"),
            (None, "limit") => String::from("cut off"),
            (None, ending) => ending.to_string(),
        };
        format!("{result} after {plies}")
    }

    /// Returns the heading and the moves as text.
    pub(super) fn moves_text(&self) -> String {
        let source = match self.source {
            "table" => "The values are those of the table.",
            "solve" => "The game was solved: every value is exact.",
            _ => "Each position was analysed by itself.",
        };
        let players = self.players_text();
        let mut text = format!("{}\n{players}: {}\n{source}\n\n", self.game, self.result_text());
        let mut moves = TextTable::new("rlllll");
        moves.push(["ply", "player", "move", "after", "gave away", "better"]);
        for ply in &self.plies {
            moves.push([
                &ply.answer.ply.to_string(),
                ply.answer.player,
                &ply.answer.r#move,
                &ply.after_text,
                &ply.gave_text,
                &ply.better_text,
            ]);
        }
        text.push_str(&fitted(&moves));
        text.push('\n');
        text
    }

    /// Returns the counts of the players as text.
    pub(super) fn summary_text(&self) -> String {
        let mut table = TextTable::new("lrrrrl");
        table.push(["player", "moves", "best", "gave away", "not known", "agent"]);
        for player in &self.players {
            table.push([
                player.player,
                &player.moves.to_string(),
                &player.best_moves.to_string(),
                &player.gave_away.to_string(),
                &player.unknown.to_string(),
                &player.agent,
            ]);
        }
        fitted(&table)
    }
}

/// Returns the agent, 0 or 1, that played for a player.
fn agent_of(player: usize, record: &GameRecord, review: &GameReview) -> usize {
    record.first ^ player ^ review.first
}

/// Returns the player who won and the kind of ending: by the rules if the game is over, else as the
/// record has it.
fn result(
    record: &GameRecord,
    played: &ReplayedGame,
    review: &GameReview,
) -> Result<(Option<usize>, String), Error> {
    let (game, last) = (&played.game, played.last());
    let Some(outcome) = game.outcome(last)? else {
        let winner = record.winner.map(|agent| agent_of(agent, record, review));
        return Ok((winner, record.ending.clone()));
    };
    let mover = game.player_to_move(last)?;
    Ok(match outcome {
        Wdl::Draw => (None, String::from("draw")),
        outcome => {
            let winner = if outcome == Wdl::Win { mover } else { 1 - mover };
            let condition = game.win_condition(last)?;
            (Some(winner), condition.unwrap_or("win").to_string())
        }
    })
}

impl PlayerReport {
    fn new(player: &'static str, agent: &str, counts: PlayerReview) -> Self {
        Self {
            player,
            agent: agent.to_string(),
            moves: counts.moves,
            best_moves: counts.best_moves,
            gave_away: counts.gave_away,
            unknown: counts.unknown,
        }
    }
}

impl PlyReport {
    fn new(
        game: &AnyGame,
        index: usize,
        player: usize,
        ply: &ReviewedMove<Position, AnyMove>,
    ) -> Result<Self, Error> {
        let answer = ReviewedPly::new(game, index, player, ply)?;
        let (before, after) = (&ply.before, &ply.after);
        let (best, estimate_lost) = (&answer.best, answer.estimate_lost);
        let is_shown = estimate_lost.is_some_and(|lost| lost >= LEAST_SHOWN);
        let is_kept = before.answer.wdl().is_some() && before.answer.wdl() == after.answer.wdl();
        let gave_text = match (ply.given_away, estimate_lost) {
            (Some(GivenAway::Nothing), _) => String::new(),
            (Some(GivenAway::Plies(plies)), _) => counted(plies, "ply"),
            (Some(GivenAway::Draw), _) => String::from("a draw"),
            (Some(GivenAway::Win), _) => String::from("a win"),
            (None, Some(lost)) if is_shown => format!("estimate {lost:.2}"),
            (None, _) if is_kept => String::from("plies?"),
            (None, _) => String::from("?"),
        };
        let better_text = match ply.given_away {
            Some(GivenAway::Nothing) => String::new(),
            Some(_) if ply.best_is_proved => best.clone(),
            Some(_) => String::from("?"),
            None if is_shown => format!("{best}?"),
            None => String::new(),
        };
        let known_after = KnownValue::new(after.answer, after.bound, after.estimate);
        Ok(Self { after_text: knowledge_text(&known_after), answer, gave_text, better_text })
    }
}
