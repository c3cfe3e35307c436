//! Answer of `review`, as JSON and as text.

use hindsight_answers::report::TextTable;
use hindsight_answers::{
    KnownValue, LEAST_LOSS, PlayerCounts, ReviewAnswer, ReviewedPlayer, ReviewedPly, TurningPoint,
    explorer_link,
};
use hindsight_core::Wdl;
use hindsight_games::{Error, GameReview, GivenAway, ReviewSource};
use hindsight_play::GameRecord;

use crate::inputs::kept_game::ReplayedGame;
use crate::inputs::knowledge::knowledge_text;
use crate::output::fitted;
use crate::shown::sizes::counted;

/// Returns the review of a kept game as an answer.
pub(super) fn answer(
    record: &GameRecord,
    played: &ReplayedGame,
    review: &GameReview,
    seconds: f64,
) -> Result<ReviewAnswer, Error> {
    let game = &played.game;
    let names = game.player_names();
    let plies = review.plies.iter().enumerate();
    let plies = plies.map(|(index, ply)| ReviewedPly::new(game, index, review.player(index), ply));
    let plies: Vec<ReviewedPly> = plies.collect::<Result<_, _>>()?;
    let moves: Vec<String> = plies.iter().map(|ply| ply.r#move.clone()).collect();
    let agent = |player| record.agents[agent_of(player, record, review)].clone();
    let players = PlayerCounts::of_both(game, review).into_iter().enumerate();
    let players = players.map(|(player, counts)| ReviewedPlayer { counts, agent: agent(player) });
    let (winner, ending) = result(record, played, review)?;
    Ok(ReviewAnswer {
        game: game.spec().to_string(),
        number: record.number,
        start: game.format(&played.positions[0])?,
        plies,
        players: players.collect(),
        turning_points: TurningPoint::of_game(game, review)?,
        link: explorer_link(game, &played.positions[0], &moves)?,
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
pub(super) fn headings(review: &ReviewAnswer) -> [String; 2] {
    [result_text(review), format!("{}; {}", review.game, players_text(review))]
}

fn players_text(review: &ReviewAnswer) -> String {
    let players = review.players.iter();
    let players = players.map(|player| format!("{} ({})", player.counts.player, player.agent));
    players.collect::<Vec<_>>().join(" against ")
}

fn result_text(review: &ReviewAnswer) -> String {
    let plies = counted(review.plies.len() as u64, "ply");
    let result = match (review.winner, review.ending.as_str()) {
        (Some(winner), "win") => format!("{winner} wins"),
        (Some(winner), ending) => format!("{winner} wins ({ending})"),
        (None, "draw") => String::from("a draw"),
        (None, "limit") => String::from("cut off"),
        (None, ending) => ending.to_string(),
    };
    format!("{result} after {plies}")
}

/// Returns the heading and the moves as text.
pub(super) fn moves_text(answer: &ReviewAnswer, review: &GameReview) -> String {
    let source = match answer.source {
        "table" => "The values are those of the table.",
        "solve" => "The game was solved: every value is exact.",
        _ => "Each position was analysed by itself.",
    };
    let players = players_text(answer);
    let mut text = format!("{}\n{players}: {}\n{source}\n\n", answer.game, result_text(answer));
    let mut moves = TextTable::new("rlllll");
    moves.push(["ply", "player", "move", "after", "gave away", "better"]);
    for (ply, reviewed) in answer.plies.iter().zip(&review.plies) {
        let (before, after) = (&reviewed.before, &reviewed.after);
        let is_kept = before.answer.wdl().is_some() && before.answer.wdl() == after.answer.wdl();
        let after = KnownValue::new(after.answer, after.bound, after.estimate);
        moves.push([
            &ply.ply.to_string(),
            ply.player,
            &ply.r#move,
            &knowledge_text(&after),
            &gave_text(ply, reviewed.given_away, is_kept),
            &better_text(ply, reviewed.given_away),
        ]);
    }
    text.push_str(&fitted(&moves));
    text.push('\n');
    text
}

/// Returns the turning points, the counts of the players with their worst moves, and where to look
/// at them, as text.
pub(super) fn summary_text(review: &ReviewAnswer) -> String {
    let mut text = String::new();
    for point in &review.turning_points {
        let TurningPoint { ply, player, goal, plies, solution, .. } = point;
        let plies = plies.map_or(String::new(), |plies| format!(" in {}", counted(plies, "ply")));
        let played = &review.plies[ply - 1].r#move;
        let better = solution.as_ref().map(|better| format!("; {better} keeps it"));
        let better = better.unwrap_or_default();
        text += &format!(
            "Ply {ply}: {player} had a {goal}{plies}, and {played} gave it away{better}\n"
        );
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let mut table = TextTable::new("lrrrrrll");
    table.push([
        "player",
        "moves",
        "best",
        "gave away",
        "not known",
        "accuracy",
        "worst plies",
        "agent",
    ]);
    for ReviewedPlayer { counts, agent } in &review.players {
        let worst: Vec<String> = counts.worst.iter().map(ToString::to_string).collect();
        table.push([
            counts.player,
            &counts.moves.to_string(),
            &counts.best_moves.to_string(),
            &counts.gave_away.to_string(),
            &counts.unknown.to_string(),
            &counts.accuracy.map_or("-".into(), |accuracy| format!("{accuracy:.1}%")),
            &worst.join(", "),
            agent,
        ]);
    }
    text += &fitted(&table);
    text += &format!(
        "\nIn the explorer, behind the address that `hindsight serve` prints:\n{}\n",
        review.link
    );
    text
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

/// Returns what a move gave away, in words; `is_kept` is true if it kept the result.
fn gave_text(ply: &ReviewedPly, given_away: Option<GivenAway>, is_kept: bool) -> String {
    match (given_away, shown_loss(ply)) {
        (Some(GivenAway::Nothing), _) => String::new(),
        (Some(GivenAway::Plies(plies)), _) => counted(plies, "ply"),
        (Some(GivenAway::Draw), _) => String::from("a draw"),
        (Some(GivenAway::Win), _) => String::from("a win"),
        (None, Some(lost)) => format!("estimate {lost:.2}"),
        (None, None) if is_kept => String::from("plies?"),
        (None, None) => String::from("?"),
    }
}

/// Returns the better move; marked by `?` if it is not proved to be better, empty if there is none.
fn better_text(ply: &ReviewedPly, given_away: Option<GivenAway>) -> String {
    match given_away {
        Some(GivenAway::Nothing) => String::new(),
        Some(_) if ply.best_is_proved => ply.best.clone(),
        Some(_) => String::from("?"),
        None if shown_loss(ply).is_some() => format!("{}?", ply.best),
        None => String::new(),
    }
}

/// Returns the part of the estimate that a move gave away, if it is large enough to be shown.
fn shown_loss(ply: &ReviewedPly) -> Option<f64> {
    ply.estimate_lost.filter(|&lost| lost >= LEAST_LOSS)
}
