//! Arguments of `match`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight match mcts:playouts=10000,prune=1% mcts:playouts=10000 -n 20
  hindsight match alphabeta:time=0.1 mc --game quoridor:5x5:2 --max-turns 200
  hindsight match perfect mcts --game onitama:3x4:boar --games games.jsonl
  hindsight match mcts alphabeta -n 200 --sqlite study.db
  hindsight match cmd:\"hindsight agent mcts\" mc --game tic-tac-toe -n 4

An agent is a name, with options behind a colon and commas between them:
  random     any legal move
  mc         pure Monte Carlo: as many playouts for each move; the move
             that wins most of them
  mcts       Monte Carlo tree search
  alphabeta  alpha-beta search, one ply deeper each time
  level:N    N from 1 (careless) to 10; by values where they are known, or
             else by a search
  perfect    the quickest win or the slowest loss, by --table or by a
             solve of the game
  lure       as perfect; in a draw it leads the opponent where it errs
             most likely
  cmd:..     a program of yours, such as cmd:\"python3 bot.py\", which reads
             positions and answers moves: see docs/protocol.md

Options of mc and mcts:
  playouts=1000  playouts for a move, in all; or
  time=SECONDS   time for a move
  length=100     plies after which a playout is cut off
  cutoff=-0.05   points of a playout that is cut off (a win has 1, a draw
                 0.5, a loss 0)
Options of mcts:
  c=0.4          exploration
  rollouts=1     playouts from a new node
  prune=100      node cycles between two prunings, which drop moves that
                 can no longer become the most visited one
  prune=1%       the same, as a share of all cycles; not with time
  depth=1        factor for each ply before a win
  proven=no      yes: search no further where a result is proved
Options of alphabeta, of which the first that is reached ends the search:
  nodes=100000, time=SECONDS, depth=PLIES

Games are played in pairs with the same deal, in which the agents exchange seats. In \
onitama:5x5:random the cards and the first player are drawn at random; `random` in place of one \
card draws that card.

The same seed gives the same games for any number of threads, unless agents have a time limit. Elo \
is the lead of the first agent, with bounds of 95% confidence. A tie counts half a point. Ctrl-C \
ends a match after the moves in progress; finished games are reported and kept.

A program that crashes, answers no legal move, or takes longer than --move-seconds loses the game. \
The report says why. Each thread has a program of its own.

An SQLite file has the tables matches and games. Its view results has a row for each match. The \
agents are numbered 1 and 2.")]
pub(crate) struct MatchArgs {
    /// The first agent, such as mcts:playouts=10000
    pub(crate) first: String,
    /// The second agent
    pub(crate) second: String,
    /// Number of games
    #[arg(
        short,
        long,
        value_name = "GAMES",
        default_value_t = 100,
        allow_negative_numbers = true,
        value_parser = parse_games
    )]
    pub(crate) number: u64,
    #[command(flatten)]
    pub(crate) shared: AgentGamesArgs,
}

/// Options of games between agents.
#[derive(clap::Args, Debug)]
pub(crate) struct AgentGamesArgs {
    /// The game [default: the game of --table, else onitama:5x5:random]
    #[arg(long, value_name = "SPEC")]
    pub(crate) game: Option<String>,
    /// End a game as a tie after this number of plies
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 100,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 1..=u64::from(u32::MAX))
    )]
    pub(crate) max_turns: u32,
    /// Plies drawn at random before the agents take over, the same in both games of a pair
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 0..=1000)
    )]
    pub(crate) opening: u32,
    /// Seed of the deals and of every random choice
    #[arg(
        long,
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = super::parse_seed
    )]
    pub(crate) seed: u64,
    /// A table of the game, for level, perfect and lure
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Keep every game in a file, as one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
    /// Add every game to an SQLite file, too; a new one is made if needed
    #[arg(long, value_name = "FILE")]
    pub(crate) sqlite: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) programs: super::ProgramArgs,
}

fn parse_games(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(games) if games > 0 => Ok(games),
        _ => Err(String::from("a number of games, from 1")),
    }
}
