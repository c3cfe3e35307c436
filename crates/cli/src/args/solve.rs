//! Arguments of `solve`, and of every command that writes a table of a game.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight solve onitama:3x4:boar
  hindsight solve 'onitama:3x4:(-1,2)(1,2)(0,-1)' --symmetry all
  hindsight solve onitama:4x5:boar --weak --seconds 60
  hindsight solve tic-tac-toe 'xo./.x./...' --weak
  hindsight solve quoridor:5x5:2 --out q552.table --checkpoint work

Solvers:
  tiered   every position, reachable or not, with its remoteness
  planes   the same for Onitama on up to 32 squares, in little memory
  graph    the positions reachable from the start, with their remoteness
  forward  who wins from the start, and a first move, from few positions
  proof    the same, with less memory: what --weak asks for
  search   who wins, in how many plies, and a best move: for four and
           tic-tac-toe, where every move fills a square
Remoteness is the number of plies to the end under best play.

Without --solver the program chooses what will finish, and says which solver and why:
  1. With --out, --layout or --checkpoint: every position, by tiered or planes; of a game without
     numbers of all positions, what can be reached, by graph.
  2. graph, if few positions are reachable. Not for Quoridor, for Ostle and for Onitama with
     students=, unless --symmetry is swap or all.
  3. Without --symmetry: every position, if one thread solves it in an hour and in 16 GiB.
  4. Otherwise search for four, and proof for other games. A search has no
     known end: --seconds or Ctrl-C end it.
A solver that would not end in --seconds is not chosen. The choice never depends on the machine; \
a solve that does not fit in its memory is refused.

Memory of planes: about two and a half bits a position. Half of that is enough if the width is \
odd and the cards are mirror images of each other. A table takes two or three bytes a position \
more, or, if they do not fit, disk. If no piece can move back, as with five \
boars, a solve without --out is faster: it then takes two to three times the memory, if that is \
free. Planes that do not fit go to the folder of --checkpoint, and are solved slice by slice.

Counts of positions:
  graph    reachable from the start, finished ones included; the two players
           apart, unless --symmetry merges them; edges are legal moves
  search   looked at, each time again
  forward  looked at; wins, losses and draws are those that it decided
  tiered, planes (neither counts moves)
           Onitama: unfinished ones, as the side to move sees them
           Quoridor: either side to move, mirror images apart, those
           included that are lost because the other pawn has arrived
           Ostle: up to the eight symmetries, and states: positions with
           the move that is forbidden, if any
           Dodgem: as the side to move sees them, both sides with cars
           L-game, Quixo: as the side to move sees them, as graph does too
           dobutsu: so too, mirror images of the lions' squares merged
           tic-tac-toe: either side to move, finished ones included

Memory of search: a table of --memory at most, which grows with the work. Its answer does not \
depend on the size.

--weak runs a proof-number search within --memory. The search asks if the side to move can force \
a win, and if the other side can. For Onitama it ends lines in tables of positions with few \
students.

After --seconds the answer is what is known by then, and the exit code is 0; JSON has null for the \
rest. A table or a checkpoint that is not complete by then is a failure.

--strategy writes the columns position, move, value and plies: the most plies to the win. A \
position has a line if the winner may have to move in it. In a draw there are lines for both \
sides. The search then uses no tables.

--check draws as many positions with each number of students, notes their values during the solve \
and compares them with the values of their successors. If one position in N/3 is wrong, this finds \
the fault with a probability of 95%. `hindsight verify` checks a whole table.

A table appears under its name when it is complete. With --checkpoint every finished layer is kept \
in the folder; planes are saved every few minutes. --resume goes on after a signal or a kill.")]
pub(crate) struct SolveArgs {
    /// The game, such as onitama:3x4:boar
    pub(crate) spec: String,
    /// Position from which to solve, for graph, proof and search [default: the start]
    pub(crate) position: Option<String>,
    /// Algorithm [default: the one that will finish, see below]
    #[arg(long, value_enum)]
    pub(crate) solver: Option<Solver>,
    /// Symmetric positions that count as one
    #[arg(long, value_enum, default_value_t = SymmetryArg::None)]
    pub(crate) symmetry: SymmetryArg,
    /// With --solver forward: variant of the algorithm [default: best]
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) way: Option<ForwardWay>,
    /// Search only for the winner and a winning move, as --solver proof
    #[arg(long)]
    pub(crate) weak: bool,
    /// Stop after N seconds [default: no limit]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: Option<f64>,
    /// With --weak: write a move for every position of the winner to a CSV file
    #[arg(long, value_name = "FILE", requires = "weak")]
    pub(crate) strategy: Option<PathBuf>,
    /// With --solver planes, without --out: check the values of N random positions, 1 to 1000000
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("positions", 1..=1_000_000)
    )]
    pub(crate) check: Option<u32>,
    /// Layout of the table [default: states for Ostle, full for other games]
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutArg>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// Options for the files of a long solve.
#[derive(clap::Args, Debug)]
pub(crate) struct FileArgs {
    /// Write a table: the answer for every position
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Keep finished work in a folder, for --resume
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Continue the work in the folder of --checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LayoutArg {
    /// Every value; a probe reads one block
    Full,
    /// Wins without their plies, in a smaller file; a probe finds the plies from the successors
    Compact,
    /// Wins without their plies, losses with rounded ones: the smallest file; a probe finds the
    /// plies by a search of three plies
    Wdl,
    /// Every state of Ostle; the only layout for Ostle
    States,
}

impl From<LayoutArg> for hindsight_games::Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Full => Self::Full,
            LayoutArg::Compact => Self::Compact,
            LayoutArg::Wdl => Self::Wdl,
            LayoutArg::States => Self::States,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Solver {
    /// Every position, tier by tier
    Tiered,
    /// Every position of Onitama, in planes of bits
    Planes,
    /// The state graph, by retrograde analysis
    Graph,
    /// The winner only, by forward-looking retrograde analysis
    Forward,
    /// The winner only, by proof-number search
    Proof,
    /// The value and its plies, by null-window search: four and tic-tac-toe
    Search,
}

impl Solver {
    /// Returns true if the solver can write a table and keep a checkpoint.
    pub(crate) fn stores(self) -> bool {
        matches!(self, Self::Tiered | Self::Planes)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SymmetryArg {
    /// Every position counts
    None,
    /// Positions that differ by an exchange of the players count as one
    Swap,
    /// So do mirror images, and positions under any other symmetry of the game
    All,
}

impl From<SymmetryArg> for hindsight_core::Symmetry {
    fn from(symmetry: SymmetryArg) -> Self {
        match symmetry {
            SymmetryArg::None => Self::None,
            SymmetryArg::Swap => Self::Swap,
            SymmetryArg::All => Self::All,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ForwardWay {
    /// Fewest positions: moves that leave the opponent the fewest replies come first
    Best,
    /// The program of the Onitama thesis; its counts are those of Tables 9 and 11
    Program,
    /// Algorithm 2 of the thesis, word for word
    Printed,
}
