//! The result of a match as text.

use std::collections::BTreeMap;

use hindsight_answers::report::TextTable;
use hindsight_answers::{FirstMoverScore, GamesDescription, MatchAnswer};
use hindsight_play::MatchScore;

use crate::output::fitted;
use crate::shown::sizes::counted;

/// Returns the result of a match as text.
pub(super) fn text(answer: &MatchAnswer, score: &MatchScore) -> String {
    let share = |wins: u64| format!("{:.1} %", 100.0 * wins as f64 / answer.games.max(1) as f64);
    let mut table = TextTable::new("lrrrr");
    table.push(["", "wins", "share", "ms a move", "work a move"]);
    for i in 0..2 {
        let moves = score.moves[i].max(1) as f64;
        table.push([
            answer.agents[i].clone(),
            answer.wins[i].to_string(),
            share(answer.wins[i]),
            format!("{:.3}", 1e3 * answer.seconds_a_move[i]),
            format!("{:.0}", score.work[i] as f64 / moves),
        ]);
    }
    table.push(["ties".into(), answer.ties.to_string(), share(answer.ties)]);
    let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{elo:+.0}"));
    let [low, high] = answer.elo_interval.map(elo);
    let mut text = format!("{}\n\n{}", games_line(&answer.described, answer.games), fitted(&table));
    let FirstMoverScore { wins, ties, losses } = answer.first_mover;
    text.push_str(&format!(
        "\nThe agent that moved first won {wins}, tied {ties} and lost {losses}.\n\
         Elo of the first agent {} (95 %: {low} to {high})\n\
         mean length {:.1} plies, median {}\n\n",
        elo(answer.elo),
        answer.mean_plies,
        answer.median_plies
    ));
    let mut endings = TextTable::new("lr");
    endings.push(["ending", "games"]);
    for (ending, games) in &answer.endings {
        endings.push([ending, &games.to_string()]);
    }
    text.push_str(&format!("{}\n", fitted(&endings)));
    for (agent, order) in ["first", "second"].into_iter().enumerate() {
        if let Some(first) = &answer.first_faults[agent] {
            let game = format!("game {}", first.game);
            let agent_text = format!("The {order} agent");
            text.push_str(&faults_text(&agent_text, &answer.faults[agent], &game, &first.text));
        }
    }
    text.push_str(&format!("{:.3} s\n", answer.described.seconds));
    text
}

/// Returns what was played, and how many games.
pub(crate) fn games_line(described: &GamesDescription, games: u64) -> String {
    let opening = match described.opening {
        0 => String::new(),
        plies => format!(" after {} at random", counted(plies, "ply")),
    };
    format!(
        "{}: {} of at most {}{opening}, seed {}",
        described.game,
        counted(games, "game"),
        counted(described.max_turns, "ply"),
        described.seed
    )
}

/// Returns how often an agent lost by a fault, and the first one, with its game.
pub(crate) fn faults_text(
    agent: &str,
    faults: &BTreeMap<String, u64>,
    game: &str,
    first: &str,
) -> String {
    let faults: Vec<String> =
        faults.iter().map(|(fault, games)| format!("{games} {fault}")).collect();
    format!("{agent} lost by faults: {}.\nThe first, in {game}: {first}\n\n", faults.join(", "))
}
