//! The result of a tournament as text: a table by rating, and the points of each pair.

use hindsight_answers::report::TextTable;
use hindsight_answers::{RatedAgent, TournamentAnswer};

use crate::matches::{faults_text, games_line};
use crate::output::fitted;
use crate::shown::sizes::counted;

/// Returns the result of a tournament as text.
pub(super) fn text(answer: &TournamentAnswer) -> String {
    let zero = answer.anchor.as_ref().map_or("the mean of all", |anchor| anchor);
    let mut text = format!(
        "{}\nElo 0 is {zero}.\n\n{}\n{}",
        games_line(&answer.described, answer.games),
        fitted(&rating_table(answer)),
        cross_text(answer),
    );
    for agent in &answer.agents {
        if let (Some(first), Some(against)) = (&agent.first_fault, &agent.first_fault_against) {
            let game = format!("game {} against {against}", first.game);
            text.push_str(&faults_text(&agent.agent, &agent.faults, &game, &first.text));
        }
    }
    text.push_str(&format!("{:.3} s\n", answer.described.seconds));
    text
}

/// Returns the key of each agent: its rank and its name.
fn keys(answer: &TournamentAnswer) -> Vec<String> {
    let width = answer.agents.len().to_string().len();
    let ranked = answer.agents.iter().zip(1..);
    ranked.map(|(agent, rank): (_, usize)| format!("{rank:>width$} {}", agent.agent)).collect()
}

fn rating_table(answer: &TournamentAnswer) -> TextTable {
    let mut table = TextTable::new("lrrrrrr");
    table.push(["", "Elo", "95 %", "games", "score", "ties", "ms a move"]);
    for (key, agent) in keys(answer).into_iter().zip(&answer.agents) {
        let share = 100.0 * agent.points / agent.games.max(1) as f64;
        let is_anchor = answer.anchor.as_ref() == Some(&agent.agent);
        let bounds = match agent.interval {
            Some([low, high]) if !is_anchor => format!("{} to {}", signed(low), signed(high)),
            _ => String::new(),
        };
        table.push([
            key,
            agent.rating.map_or("?".into(), signed),
            bounds,
            agent.games.to_string(),
            if agent.games == 0 { "?".into() } else { format!("{share:.1} %") },
            agent.ties.to_string(),
            format!("{:.3}", 1e3 * agent.seconds_a_move),
        ]);
    }
    table
}

/// Returns a whole number with its sign; 0 has none.
fn signed(elo: f64) -> String {
    if elo.round() == 0.0 { "0".into() } else { format!("{elo:+.0}") }
}

/// Returns the points of each agent against each other.
fn cross_text(answer: &TournamentAnswer) -> String {
    let games = answer.pairs.iter().map(|pair| pair.games);
    let (least, most) = (games.clone().min().unwrap_or(0), games.max().unwrap_or(0));
    let games = match least == most {
        true => counted(most, "game"),
        false => format!("{least} to {}", counted(most, "game")),
    };
    let mut table = TextTable::new(&format!("l{}", "r".repeat(answer.agents.len())));
    let ranks = (1..=answer.agents.len()).map(|rank| rank.to_string());
    table.push([String::new()].into_iter().chain(ranks));
    for (key, agent) in keys(answer).into_iter().zip(&answer.agents) {
        let cells = answer.agents.iter().map(|other| cell(answer, agent, other));
        table.push([key].into_iter().chain(cells));
    }
    format!("Points of each agent against each other, in {games} a pair:\n{}\n", fitted(&table))
}

/// Returns the points of an agent against another; `-` if they are no pair.
fn cell(answer: &TournamentAnswer, agent: &RatedAgent, other: &RatedAgent) -> String {
    let points = answer.pairs.iter().find_map(|pair| {
        let seat = pair.agents.iter().position(|name| *name == agent.agent)?;
        let is_pair = agent.agent != other.agent && pair.agents[seat ^ 1] == other.agent;
        is_pair.then(|| pair.wins[seat] as f64 + pair.ties as f64 / 2.0)
    });
    points.map_or("-".into(), |points| points.to_string())
}
