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

Agents are a name, and options behind a colon:
  random    any legal move
  mc        pure Monte Carlo: as many playouts for each move, and the one that wins most
  mcts      Monte Carlo tree search
  alphabeta alpha-beta search, a ply deeper each time: nodes=100000, time=SECONDS, depth=PLIES
  perfect   the quickest win, the slowest loss, by a table (--table) or a solve of the game
  lure      as perfect; of equal moves the one after which most replies are mistakes
Options of mc and mcts: playouts=1000 of a move in all, or time=SECONDS; length=100, the plies
after which a playout is cut off; cutoff=-0.05, what it is worth then (a win 1, a loss 0).
Of mcts: c=0.4, exploration; rollouts=1, playouts of one node; prune=100 or, with playouts,
prune=1%, the node cycles, or the share of them, after which moves that can no longer win the
count are dropped; depth=1, a factor for each ply that a win is away; proven=no, or yes to search
no further in positions that are proved won or lost.

Games are played in pairs with the same deal, in which the agents exchange seats. In a game such
as onitama:5x5:random cards and the player who begins are drawn; a random among five cards is
drawn too. The same seed gives the same games for any number of threads, unless agents think by
time. Elo is the first agent's lead, with bounds that hold with a confidence of 95 %; a tie counts
half. Ctrl-C ends a match early, after the moves that are thought about: what was played is
told and kept. A second one ends it at once.

An SQLite file has the tables matches and games, and results, a line for each match; agents are 1
and 2 in it.")]
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
    /// Plies after which a game is a tie
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
    /// Keep every game, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
    /// Add the match and its games to an SQLite file, which is made if there is none
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
