//! Arguments of `match`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight match mcts mc -n 100
  hindsight match mcts:playouts=10000,prune=1% mcts:playouts=10000 -n 200 --seed 7
  hindsight match alphabeta:time=0.1 mcts:playouts=10000 -n 20
  hindsight match mcts:time=0.05 mc:time=0.05 --game quoridor:5x5:2 -n 20 --max-turns 200
  hindsight match perfect mcts --game onitama:3x4:boar -n 50 --games games.jsonl
  hindsight match lure random --table q.table --json
  hindsight match mcts alphabeta -n 200 --sqlite study.db    (added to what is in it)

An agent is a name, with options after a colon:
  random    a random legal move
  mc        pure Monte Carlo: equally many playouts for each move; plays the best one
  mcts      Monte Carlo tree search
  alphabeta alpha-beta search, a ply deeper each time: nodes=100000, time=SECONDS, depth=PLIES
  perfect   the quickest win or the slowest loss, by a table (--table) or a solve of the game
  lure      as perfect; among equal moves the one with the largest share of wrong replies
Options of mc and mcts: playouts=1000, all playouts for a move, or time=SECONDS; length=100, the
plies after which a playout is cut off; cutoff=-0.05, the points of a playout that is cut off (a
win has 1, a loss 0).
Options of mcts: c=0.4, exploration; rollouts=1, playouts of one node cycle; prune=100, or with
playouts prune=1%, the node cycles, or the share of them, between two prunings of moves that can no
longer become the most visited one; depth=1, a factor for each ply before a win; proven=no, or yes
to search no further in positions whose value is proved.

Games are played in pairs with the same deal, in which the agents exchange seats. In a game such
as onitama:5x5:random the cards and the first player are drawn at random; `random` in place of one
of five cards draws that card. The same seed gives the same games for any number of threads, unless
agents have a time limit. Elo is the first agent's lead, with bounds of 95 % confidence; a tie
counts half. Ctrl-C ends a match early, after the moves in progress: finished games are reported
and kept. A second one ends it at once.

An SQLite file has the tables matches and games, and the view results, a line for each match; it
numbers the agents 1 and 2.")]
pub(crate) struct MatchArgs {
    /// The first agent, such as mcts:playouts=10000
    pub(crate) first: String,
    /// The second agent
    pub(crate) second: String,
    /// Games to play
    #[arg(
        short,
        long,
        value_name = "GAMES",
        default_value_t = 100,
        allow_negative_numbers = true,
        value_parser = parse_games
    )]
    pub(crate) number: u64,
    /// The game to play [default: onitama:5x5:random, or the game of the table]
    #[arg(long, value_name = "SPEC")]
    pub(crate) game: Option<String>,
    /// Plies after which a game is cut off as a tie
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 100,
        allow_negative_numbers = true,
        value_parser = parse_turns
    )]
    pub(crate) max_turns: u32,
    /// Seed of the deals and of everything random
    #[arg(
        long,
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = super::parse_seed
    )]
    pub(crate) seed: u64,
    /// The table that perfect and lure play by
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Write every game to FILE, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
    /// Add the match and its games to an SQLite file, which is created if needed
    #[arg(long, value_name = "FILE")]
    pub(crate) sqlite: Option<PathBuf>,
}

fn parse_games(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(games) if games > 0 => Ok(games),
        _ => Err(String::from("a number of games, from 1")),
    }
}

fn parse_turns(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(plies) if plies > 0 => Ok(plies),
        _ => Err(String::from("a number of plies, from 1 to 4294967295")),
    }
}
