//! Arguments of `play`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = concat!("\
Examples:
  hindsight play
  hindsight play tic-tac-toe --agent perfect --second
  hindsight play onitama:5x5:random --level 3
  hindsight play tic-tac-toe 'xx./oo./...' --agent human
  hindsight play --load game.jsonl
  printf 'a5a4:boar\\nquit\\n' | hindsight play onitama:5x5:boar --agent random

On your turn, type a move or one of these words. The card of a move may be
left out where only one fits.
", include_str!("../play/words.txt"), "
After the end of the game all of them still work. Values are known with --table. They are also \
known if the agent is perfect or lure, or a level in a small game; then the game is solved first. \
`hindsight match --help` describes the agents.

With --json each line is an event, and the last one the game."))]
pub(crate) struct PlayArgs {
    /// The game [default: the game of --table or --load, else onitama:5x5:random]
    pub(crate) spec: Option<String>,
    /// The position to begin with [default: the start]
    #[arg(conflicts_with = "load")]
    pub(crate) position: Option<String>,
    /// The agent to play against, or human for two people [default: the
    /// agent of --load, else alphabeta, or mcts for games without estimates]
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// The strength of the agent, from 1 to 10; as --agent level:N
    #[arg(long, value_name = "N", conflicts_with = "agent")]
    pub(crate) level: Option<String>,
    /// Let the agent move first
    #[arg(long)]
    pub(crate) second: bool,
    /// Seed of the deal and of every random choice [default: from the clock]
    #[arg(long, allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) programs: super::ProgramArgs,
    /// A table of the game, to show values; perfect and lure play by it
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Continue the last game in FILE
    #[arg(long, value_name = "FILE", conflicts_with = "second")]
    pub(crate) load: Option<PathBuf>,
}
