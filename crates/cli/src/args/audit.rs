//! Arguments of `audit`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight audit mcts --table q556.table
  hindsight audit mcts mc random --table q556.table --playouts 30,100,1000 --plot q556.svg
  hindsight audit mcts:c=0.2 mcts:c=0.4 --table o45.table --playouts 100,1000 -n 5000
  hindsight audit mcts mcts:prune=1% --table o45.table --from ranks --playouts 1000 --csv o45.csv
  hindsight audit alphabeta:depth=4 mcts:time=0.1 --table ostle.table -n 100 --json

Agents are those of `hindsight match`. With --playouts each agent with a number of playouts a move
is judged once for each number in the list; others, such as random, alphabeta or mcts:time=1, once.
With no more playouts than moves, mcts plays the first move.

Positions (--from)
  self-play  the agent plays both sides from the start. The first plies of a game (--opening) are
             drawn at random, so that games differ, and are not judged; they are the same for
             every agent. Every later position with at least two moves is judged, until there
             are enough. Strong agents therefore meet other positions than weak ones.
  ranks      any position of the table, each rank as likely as any other, reachable or not, the
             same for all agents; in Ostle with no move forbidden. Finished positions and those
             with a single move are skipped. A small table may have too few positions.

Columns
  kept       moves that keep the result: a win stays a win, and a draw does not become a loss
  critical   positions in which some move does not keep the result
  by chance  share of these in which a random move keeps the result, on average
  best       moves that no other move beats, plies included
  plies lost mean plies by which wins became longer, and by which losses became shorter
The share given away is listed by the plies to the end under best play, and by the layer of the
table (see `hindsight stats`). Bounds hold with a confidence of 95 % (Wilson's) if positions are
independent; those of one game are not quite. --json has ranges of plies, as the text does; --csv
has every number of plies. The plot shows the share given away in critical positions by playouts,
on a logarithmic scale, with bounds and the share of random moves; without --playouts, bars.

The same seed gives the same numbers for any number of threads, the time a move excepted, unless
agents have a time limit. Ctrl-C ends the audit early, after the moves in progress: the agents that
are done are reported and written to the files. A second one ends it at once.")]
pub(crate) struct AuditArgs {
    /// The agents, such as mcts:c=0.4; a row for each
    #[arg(required = true, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// The table with the values of moves
    #[arg(long, value_name = "FILE")]
    pub(crate) table: PathBuf,
    /// Numbers of playouts a move to judge agents with, such as 1,10,100
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("playouts", 1..=1 << 24)
    )]
    pub(crate) playouts: Vec<u64>,
    /// Number of positions in which to judge each agent
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        default_value_t = 1000,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("positions", 1..=10_000_000)
    )]
    pub(crate) positions: u64,
    /// Origin of the positions
    #[arg(long, value_enum, default_value_t = Origin::SelfPlay)]
    pub(crate) from: Origin,
    /// With self-play: plies drawn at random before the agent takes over [default: 4]
    #[arg(
        long,
        value_name = "PLIES",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 0..=u32::MAX.into())
    )]
    pub(crate) opening: Option<u32>,
    /// With self-play: plies after which a game is cut off [default: 100]
    #[arg(
        long,
        value_name = "PLIES",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 1..=u32::MAX.into())
    )]
    pub(crate) max_turns: Option<u32>,
    /// Seed of everything random
    #[arg(
        long,
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = super::parse_seed
    )]
    pub(crate) seed: u64,
    /// Write all counts to FILE: for each agent a line for each value and each layer
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the share given away by playouts: to FILE.svg, FILE.png, or - for the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// Origin of judged positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Origin {
    /// Games of the agent against itself
    SelfPlay,
    /// Positions of the table, each as likely as any other
    Ranks,
}
