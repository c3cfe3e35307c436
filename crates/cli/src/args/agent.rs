//! Arguments of `agent`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight agent mcts:playouts=500 --game tic-tac-toe
  printf 'hello 1 ostle\\nquit\\n' | hindsight agent random
  hindsight match cmd:\"hindsight agent mcts\" random --game ostle -n 2

The program reads lines on standard input and answers on standard output. A short game:
  > hello 1 tic-tac-toe
  < hello 1 hindsight
  > newgame tic-tac-toe 7
  > position xx./oo./...
  > moves a1 b1 c1 c2 c3
  > go 10
  < move c3
  > quit

docs/protocol.md has the protocol. `hindsight match --help` describes the agents. A search ends \
in nine tenths of the seconds of `go`. Lines that are not understood are answered with `info` or \
`error`, and change nothing. After `quit` or the end of the input the program ends within 0.2 \
seconds; a search is answered with its best move so far.")]
pub(crate) struct AgentArgs {
    /// The agent, such as mcts:playouts=10000
    pub(crate) agent: String,
    /// The game [default: the game of --table, else the one in the line hello]
    #[arg(long, value_name = "SPEC")]
    pub(crate) game: Option<String>,
    /// A table of the game, for level, perfect and lure
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
}
