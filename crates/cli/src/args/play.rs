//! Arguments of `play`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight play
  hindsight play tic-tac-toe --agent perfect --second
  hindsight play onitama:3x4:boar --agent random --table boar.table
  hindsight play --load game.jsonl
  printf 'a5a4:boar\\nquit\\n' | hindsight play onitama:5x5:boar --agent random --seed 1

You play against an agent (see `hindsight match --help`). On your turn type a move, or
  moves        the legal moves, with their values where they are known
  hint         the best moves by value, or else the move of a tree search
  undo         takes your last move back
  save FILE    saves the game; --load continues it
  resign, quit
Values are known with --table FILE, and with the agents perfect and lure, for which the game is
solved first. Input may also come from a pipe: a line for each of your turns.")]
pub(crate) struct PlayArgs {
    /// The game [default: that of the table or of the saved game, else onitama:5x5:random]
    pub(crate) spec: Option<String>,
    /// The agent to play against [default: that of the saved game, else
    /// mcts:playouts=10000,prune=1%]
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Let the agent begin
    #[arg(long)]
    pub(crate) second: bool,
    /// Seed of the deal and of everything random [default: from the clock]
    #[arg(long, allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub(crate) seed: Option<u64>,
    /// A table of the game; its values are shown, and perfect and lure play by them
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Continue the last game saved in the file
    #[arg(long, value_name = "FILE", conflicts_with = "second")]
    pub(crate) load: Option<PathBuf>,
}
