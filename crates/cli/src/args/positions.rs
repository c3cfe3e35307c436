//! Arguments of the commands on one position or on the graph of all: `probe`, `line`, `reach` and
//! `graph`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{FileArgs, SearchArgs, SymmetryArg};

// A doc comment here would replace the help of the commands that share these arguments.
#[derive(clap::Args, Debug)]
pub(crate) struct PositionArgs {
    /// A table, a file or its address https://.., or a game such as onitama:3x4:boar
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// The position [default: the start]
    pub(crate) position: Option<String>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight probe onitama:3x3:boar
  hindsight probe tic-tac-toe xo./.x./... --json
  hindsight probe q552.table 'c1 c5 2,2 - white'
  hindsight probe onitama:3x3:boar 'rRr/2b/bB1 boar,boar boar,boar boar red'
  hindsight probe q552.table --batch positions.txt
  hindsight probe q552.table --batch positions.txt --canonical
  printf 'xo./.x./...\\n' | hindsight probe tic-tac-toe --batch --moves

A table is a file written by `hindsight solve SPEC --out FILE`. A position of a spec is analysed, \
as by `hindsight analyse`; after --seconds, what is not proved has no value (in JSON null). The \
value of a move is for the player who makes it.

--batch reads one position a line and prints one JSON object a line, in the same order: position, \
value, remoteness, and with --moves the moves. A bad line gets an object with the keys line and \
error, and the exit code is then 1. Each position is answered as soon as it is there. For a spec, \
every position is solved once if it fits in memory and takes about a minute at most, else those \
reachable from the start.

--canonical adds the key canonical: the column position of the row of `hindsight export` that \
stands for the position. It is null for a finished position without a row. If Ostle has no row \
with its forbidden move, the row with - instead has the value.

A position with spaces goes in quotes. A position of Onitama has five parts:
  rRr/2b/bB1   the rows from the top, where Red sits: R and B are the
               masters, r and b the students, 2 is two empty squares
  boar,boar    Red's hand
  boar,boar    Blue's hand
  boar         the card aside
  red          the side to move")]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Read positions from FILE, one a line; without FILE or as -, from standard input
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        default_missing_value = "-",
        conflicts_with = "position"
    )]
    pub(crate) batch: Option<PathBuf>,
    /// With --batch: also the value of every move, best first
    #[arg(long, requires = "batch")]
    pub(crate) moves: bool,
    /// Also the position that stands for this one in a table, as `export` writes it
    #[arg(long)]
    pub(crate) canonical: bool,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight line quoridor:5x5:1
  hindsight line q552.table 'c1 c5 2,2 - white' --json

The winner takes the quickest way and the loser the slowest. The first of equally good moves is \
played; their number stands beside it. In a draw the line is a shortest way into a cycle or to a \
drawn end.")]
pub(crate) struct LineArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight reach ostle:4x4:3:1
  hindsight reach ostle:4x4:3:1 --out r431.table
  hindsight reach r431.table 'W.W./.W../BO../B.B. black -'
  hindsight reach ostle --out reach.table --checkpoint work --memory 12G

Without a position, the answer is the number of states at each distance from the start, in plies. \
With one, the answer is its distance and a shortest line to it.

A spec is searched breadth first, with four bytes of memory for every position. A file is a table \
of distances, written by --out. Positions that differ by one of the eight symmetries or by the \
colour to move have one distance. A line may therefore end in an image of the position; the answer \
then says so.")]
pub(crate) struct ReachArgs {
    /// A table of distances, or a game such as ostle:4x4:3:1
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// The position to reach [default: all states]
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight graph onitama:2x3:boar --out graph.dot
  hindsight graph onitama:2x4:boar --out graph.graphml --symmetry all
  hindsight graph tic-tac-toe --out ttt.csv

The file has a node for each position reachable from the start: its number, the position, the \
player to move, value and remoteness. An edge has the move, its value and remoteness for the \
player who makes it, and true if no move is better.

The ending of the file selects the format: .dot or .gv, .graphml or .xml, .csv, .parquet. CSV \
writes two files: ttt.csv becomes ttt.nodes.csv and ttt.edges.csv.")]
pub(crate) struct GraphArgs {
    /// The game, such as onitama:2x3:boar
    pub(crate) spec: String,
    /// The file to write; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Format of the file [default: by its ending]
    #[arg(long, value_enum)]
    pub(crate) format: Option<GraphFormat>,
    /// Symmetric positions that count as one
    #[arg(long, value_enum, default_value_t = SymmetryArg::None)]
    pub(crate) symmetry: SymmetryArg,
    /// Refuse a graph of more than N positions [default: 5000 for dot, 2000000 for other formats]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::parse_positions
    )]
    pub(crate) max_positions: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Graphviz
    Dot,
    /// XML for Gephi, yEd, NetworkX and igraph
    Graphml,
    /// Two tables, NAME.nodes.csv and NAME.edges.csv
    Csv,
    /// Two tables, as CSV; only in a build with --features parquet
    Parquet,
}
