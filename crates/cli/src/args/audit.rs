//! Arguments of `audit`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight audit mcts --table q556.table
  hindsight audit mcts random --table q556.table --playouts 30,100,1000
  hindsight audit mcts:c=0.2 mcts:c=0.4 --table o45.table --plot o45.svg
  hindsight audit alphabeta:depth=4 --table ostle.table --from ranks -n 100

`hindsight match --help` describes the agents. With --playouts, mc and mcts are judged once for \
each number in the list, unless they have a time limit. Other agents are judged once. With no more \
playouts than moves, mcts plays the first move.

Positions (--from):
  self-play  The agent plays both sides from the start. The first plies
             of a game (--opening) are random and are not judged; they are
             the same for every agent. Every later position with at least
             two moves is judged, until there are enough. Strong agents
             therefore meet other positions than weak ones.
  ranks      Positions of the table, reachable or not, each rank as likely
             as any other; in Ostle nothing is forbidden. They are the same
             for every agent. Finished positions and those with a single
             move are skipped. A small table may have too few positions.

Columns:
  kept        moves that keep the result: a win stays a win, and a draw
              does not become a loss
  critical    positions in which some move does not keep the result
  by chance   share of the critical positions in which a random move
              keeps the result, on average
  best        moves that no other move beats, plies included
  plies lost  mean number of plies by which wins became longer, and by
              which losses became shorter

The shares given away are also listed by plies to the end under best play, and by layer of the \
table (see `hindsight stats`). Text and --json have ranges of plies, --csv every number of plies. \
Bounds are Wilson's, with a confidence of 95% if positions are independent; positions of one game \
are not quite. The plot shows the share given away in critical positions over the playouts, with \
bounds and the share of random moves. Without --playouts it shows bars.

A program (`cmd:..`, see `hindsight match --help`) is asked in one thread. Its first fault ends \
the audit.

The same seed gives the same numbers for any number of threads, unless agents have a time limit. \
Only times differ. Ctrl-C ends the audit after the moves in progress; agents that are done are \
reported and written to the files.")]
pub(crate) struct AuditArgs {
    /// The agents to judge, such as mcts:c=0.4
    #[arg(required = true, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// The table that knows the values of moves
    #[arg(long, value_name = "FILE")]
    pub(crate) table: PathBuf,
    /// Numbers of playouts a move, such as 1,10,100; at most 16777216
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("playouts", 1..=1 << 24)
    )]
    pub(crate) playouts: Vec<u64>,
    /// Judge each agent in N positions, 1 to 10000000
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
    /// With self-play: random plies before the agent takes over [default: 4]
    #[arg(
        long,
        value_name = "PLIES",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 0..=u32::MAX.into())
    )]
    pub(crate) opening: Option<u32>,
    /// With self-play: end a game after this number of plies [default: 100]
    #[arg(
        long,
        value_name = "PLIES",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 1..=u32::MAX.into())
    )]
    pub(crate) max_turns: Option<u32>,
    /// Seed of every random choice
    #[arg(
        long,
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = super::parse_seed
    )]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) programs: super::ProgramArgs,
    /// Write all counts to a CSV file: a row for each agent, value and layer
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the share given away, to FILE.svg, to FILE.png, or with - in the terminal
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
