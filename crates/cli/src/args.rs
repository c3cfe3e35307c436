//! Command-line arguments. Doc comments of fields and variants here are the texts of `--help`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

mod audit;
mod matches;
mod perft;
mod play;
mod puzzles;
mod study;
mod tables;
pub(crate) use audit::*;
pub(crate) use matches::*;
pub(crate) use perft::*;
pub(crate) use play::*;
pub(crate) use puzzles::*;
pub(crate) use study::*;
pub(crate) use tables::*;

const AFTER_HELP: &str = "\
Examples:
  hindsight solve onitama:3x4:boar           who wins, in how many plies, and how
  hindsight probe tic-tac-toe xo./.x./...    every move of a position with its value
  hindsight study onitama-thesis --table 6   a paper's table beside ours
  hindsight solve quoridor:5x5:2 --out q.table   every position in a file: see info and verify
  hindsight play tic-tac-toe --agent perfect     you against an agent; match plays them off

A game is named by one word, its spec: `hindsight games` lists the forms of specs.
Exit codes: 0 done, 1 the answer is \"no\", 2 failure or bad input (nothing written under the
requested names); 129, 130, 143 stopped by SIGHUP, Ctrl-C, SIGTERM: a checkpoint is kept.
A second signal ends the program at once.";

/// Solves board games exactly: who wins, in how many plies, and by which moves.
#[derive(Parser, Debug)]
#[command(name = "hindsight", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every command takes.
#[derive(clap::Args, Debug)]
pub(crate) struct GlobalArgs {
    /// Print one JSON value instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show no progress on standard error
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Threads to use, at least 1 [default: all processors]
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = parse_threads
    )]
    pub(crate) threads: Option<usize>,
    /// Most memory to use, such as 500M or 16G (G = 2^30 bytes) [default: 7/8 of the free memory]
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        value_parser = crate::sizes::parse_size,
        allow_negative_numbers = true
    )]
    pub(crate) memory: Option<u64>,
    /// Overwrite output files that exist
    #[arg(long, global = true)]
    pub(crate) force: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Solve a game from its start: its value, the number of positions, a best line
    Solve(SolveArgs),
    /// Show the value of a position and of each of its moves, best first
    Probe(ProbeArgs),
    /// Show a best line from a position to the end, with the number of equally good moves at each
    /// ply
    Line(LineArgs),
    /// Find the fewest plies from the start to a position, with a shortest line (Ostle)
    Reach(ReachArgs),
    /// Count paths of legal moves and distinct positions by ply, to compare rules with other
    /// programs
    Perft(PerftArgs),
    /// Find positions with one solution, hardest first, drawn and proved; or count them
    Puzzles(PuzzlesArgs),
    /// Play games between two agents: wins, Elo, lengths, endings, time per move
    Match(MatchArgs),
    /// Judge agents by a table: the share of moves that give away a result, by number of playouts
    Audit(AuditArgs),
    /// Play against an agent, in a terminal or through a pipe
    Play(PlayArgs),
    /// Show the header of a table: game, value of the start, counts, size
    Info(InfoArgs),
    /// Count the positions of a table by value and remoteness, layer by layer
    Stats(StatsArgs),
    /// Check every byte and every value of a table
    Verify(VerifyArgs),
    /// Compare the values of two tables of the same game
    Compare(CompareArgs),
    /// Write positions of a table with their values to CSV or Parquet
    Export(ExportArgs),
    /// Write the state graph with values and best moves to a file
    Graph(GraphArgs),
    /// Regenerate the tables of a paper beside the published ones, or compare sets of cards
    Study(StudyArgs),
    /// List the games and the forms of their specs
    Games,
    /// List the move cards of Onitama, or draw some of them
    Cards(CardsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

impl Command {
    /// Returns true if the command itself compares its need with the memory limit and reports it.
    pub(crate) fn reports_needed_memory(&self) -> bool {
        matches!(
            self,
            Self::Solve(_)
                | Self::Verify(_)
                | Self::Compare(_)
                | Self::Export(_)
                | Self::Graph(_)
                | Self::Perft(_)
                | Self::Puzzles(_)
                | Self::Reach(_)
                | Self::Study(_)
        )
    }
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight solve onitama:3x4:boar
  hindsight solve onitama:3x3:tiger,crab,monkey,crane,dragon --json
  hindsight solve 'onitama:3x4:(-1,2)(1,2)(0,-1)' --symmetry all
  hindsight solve onitama:4x4:boar --solver forward --symmetry swap
  hindsight solve onitama:5x5:boar,ox,elephant,horse,crab:students=2 --solver planes
  hindsight solve onitama:4x5:boar --weak
  hindsight solve onitama:5x5:tiger,crab,monkey,crane,dragon --weak --seconds 600
  hindsight solve onitama:4x4:boar --weak --strategy wins.csv

  hindsight solve quoridor:5x5:2 --out q552.table
  hindsight solve onitama:4x5:boar --out o45.table --checkpoint work --memory 8G
  hindsight solve onitama:4x5:boar --out o45.table --checkpoint work --resume
  hindsight solve ostle:4x4:4:2 --out o44.table
  hindsight solve onitama:4x4:boar --solver planes --check 100000
  hindsight solve onitama:4x5:boar,ox,eel,cobra,crab --solver planes --memory 2G --checkpoint work2

Solvers:
  tiered   every position, reachable or not, with exact remoteness, tier by tier; the default
           for Quoridor, Ostle and Onitama with students=, and with --out
  planes   the same for Onitama on up to 32 squares, many positions at once. Memory: about two
           and a half bits a position to count them, half of that if the width is odd and the
           cards are each other's mirror images; a byte more for a table; if no piece can go
           back (five boars) and memory allows, two to three times that
  graph    every position reachable from the start, with exact remoteness; the default otherwise,
           and with --symmetry
  forward  only who wins from the start, and a first move, from few positions

Counts: graph counts the positions reachable from the start, finished ones included. It counts
the two colours separately unless --symmetry merges them; edges are legal moves. forward counts
the positions that it looked at, and as wins, losses and draws those that it decided. It finds no
remoteness (null in JSON). tiered and planes do not count moves. For Onitama they count the
unfinished positions as the side to move sees them. For Quoridor they count positions with either
side to move, each symmetric one, and also those lost because the other pawn has arrived.

--weak asks two questions by proof-number search within --memory: can the side to move force a
win, and can the other? For Onitama it uses tables of positions with few students; the longer the
search, the more students they have. After --seconds it prints the results so far: an unknown
value, remoteness or count is null in JSON.

--strategy writes a line for each position in which the winner may have to move (in a draw, for
each side): position, move, value, and the most plies to the win. The search then runs without
tables.

--check draws positions at random, equally many with each number of students, and records their
values and those of all their successors during the solve. A value that contradicts its successors
is an error. If one of every N/3 positions is wrong, this is found with a probability of 95 %.
`hindsight verify` checks all of a table.

A table is complete when it appears under its name. With --checkpoint every finished layer is
kept in a folder, and --solver planes also saves its progress every few minutes. --resume
continues a solve that was stopped or killed. Planes that do not fit in memory are kept in that
folder and solved slice by slice.")]
pub(crate) struct SolveArgs {
    /// The game, such as onitama:3x4:boar
    pub(crate) spec: String,
    /// The algorithm [default: see below]
    #[arg(long, value_enum)]
    pub(crate) solver: Option<Solver>,
    /// Positions to count as one: those with the players exchanged (swap), also mirror images (all)
    #[arg(long, value_enum, default_value_t = SymmetryArg::None)]
    pub(crate) symmetry: SymmetryArg,
    /// Variant of the forward solver: ours, the thesis's program, or its Algorithm 2 as printed
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) way: Option<ForwardWay>,
    /// Only find who wins from the start, and by which move, by a search within --memory
    #[arg(long)]
    pub(crate) weak: bool,
    /// With --weak: most seconds to search [default: no limit]
    #[arg(
        long,
        value_name = "N",
        requires = "weak",
        allow_negative_numbers = true,
        value_parser = parse_seconds
    )]
    pub(crate) seconds: Option<f64>,
    /// With --weak: write a strategy to a CSV file: a move in every position that it may reach
    #[arg(long, value_name = "FILE", requires = "weak")]
    pub(crate) strategy: Option<PathBuf>,
    /// With --solver planes and no --out: check N positions, drawn at random, against their
    /// successors
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = number_parser::<u32>("positions", 1..=1_000_000)
    )]
    pub(crate) check: Option<u32>,
    /// Layout of the table: every value (full), or wins without their plies (compact)
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutArg>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// Options for the files of a long solve.
#[derive(clap::Args, Debug)]
pub(crate) struct FileArgs {
    /// Write the value of every position to a table
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Keep finished work in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight reach ostle:4x4:3:1
  hindsight reach ostle:4x4:3:1 --out r431.table
  hindsight reach r431.table 'W.W./.W../BO../B.B. black -'
  hindsight reach ostle --out reach.table --checkpoint work --memory 12G
  hindsight reach ostle --out reach.table --checkpoint work --resume

For games in which a move may be forbidden (Ostle). A spec is searched breadth first from the
start, in four bytes of memory for every position; a file is a table made by --out. Without a
position, it prints the number of states at each distance from the start, in plies. With one, it
prints the distance of the position and a shortest line to it. Positions equal up to the eight
symmetries and the colour to move count as one, so the line may end in an image of the position;
the answer then says so.")]
pub(crate) struct ReachArgs {
    /// A table of distances, or a game such as ostle:4x4:3:1
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// The position to reach
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LayoutArg {
    /// Every value: a probe reads one block
    Full,
    /// Smaller: a probe recomputes the plies of a win from the successors
    Compact,
    /// Every state of a game in which a move may be forbidden: the only layout for Ostle
    States,
}

impl From<LayoutArg> for hindsight_tablebase::Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Full => Self::Full,
            LayoutArg::Compact => Self::Compact,
            LayoutArg::States => Self::States,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Solver {
    /// Every position, tier by tier
    Tiered,
    /// Every position of Onitama, by planes of bits: many at once
    Planes,
    /// State graph, then retrograde analysis
    Graph,
    /// Forward-looking retrograde analysis
    Forward,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SymmetryArg {
    /// Every position stands for itself
    None,
    /// Players exchanged
    Swap,
    /// Every symmetry the game has
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
    /// Fewest positions: moves that leave the opponent the fewest replies first
    Best,
    /// Counts equal to Tables 9 and 11 of the Onitama retrograde thesis
    Program,
    /// Algorithm 2 word by word
    Printed,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight probe onitama:3x3:boar
  hindsight probe q552.table 'c1 c5 2,2 - white'
  hindsight probe onitama:3x3:boar 'rRr/2b/bB1 boar,boar boar,boar boar red'
  hindsight probe tic-tac-toe xo./.x./... --json

The value of a move is for the player who makes it. A file is a table made by `solve --out`; for
a spec, all positions reachable from the given one are solved first.
Positions of Onitama: rows from the top (Red's side) with / between them, R r B b for pieces,
numbers for empty squares; Red's hand, Blue's hand, the card aside, and the side to move.
A position contains spaces, so put it in quotes.")]
pub(crate) struct ProbeArgs {
    /// A table, or a game such as onitama:3x4:boar
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// The position; the start if none is given
    pub(crate) position: Option<String>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight line quoridor:5x5:1
  hindsight line q552.table 'c1 c5 2,2 - white' --json

The winner hurries and the loser delays; among equally good moves the first is played. In a draw
the line is a shortest way into a cycle, or to a drawn end.")]
pub(crate) struct LineArgs {
    /// A table, or a game such as onitama:3x4:boar
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// The position; the start if none is given
    pub(crate) position: Option<String>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight graph onitama:2x3:boar --out graph.dot
  hindsight graph onitama:2x4:boar --out graph.graphml --symmetry all
  hindsight graph tic-tac-toe --out ttt.csv      (writes ttt.nodes.csv and ttt.edges.csv)

Nodes have a number, the position, the player to move, value and remoteness. Edges have the move,
its value for the player who makes it, and true or false for a best move. Endings: .dot .gv,
.graphml .xml, .csv, .parquet.")]
pub(crate) struct GraphArgs {
    /// The game, such as onitama:2x3:boar
    pub(crate) spec: String,
    /// The file to write; its ending selects the format unless --format does
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The format [default: by the ending of the file]
    #[arg(long, value_enum)]
    pub(crate) format: Option<GraphFormat>,
    /// Positions to count as one, as in `hindsight solve`
    #[arg(long, value_enum, default_value_t = SymmetryArg::None)]
    pub(crate) symmetry: SymmetryArg,
    /// Refuse a graph of more than N positions [default: 5000 for dot, else 2000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_positions)]
    pub(crate) max_positions: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Graphviz
    Dot,
    /// XML, for Gephi, yEd, NetworkX, igraph
    Graphml,
    /// Two tables, FILE.nodes.csv and FILE.edges.csv
    Csv,
    /// Two tables, FILE.nodes.parquet and FILE.edges.parquet (in a build with --features parquet)
    Parquet,
}

/// Returns a parser of whole numbers in `range`; `counted` is the plural noun in its errors.
fn number_parser<T: TryFrom<u64>>(
    counted: &'static str,
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let (min, max) = (range.start(), range.end());
        number.ok_or_else(|| format!("a number of {counted} from {min} to {max}"))
    }
}

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=1024).contains(&threads) => Ok(threads),
        _ => Err(String::from("a number of threads from 1 to 1024")),
    }
}

fn parse_positions(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| String::from("a number of positions, such as 10000"))
}

pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err(String::from(
            "a number of seconds above 0 and below 1e9, such as 20",
        )),
    }
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| String::from("a seed, a number from 0 to 18446744073709551615"))
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight cards
  hindsight cards boar tiger '(-1,0)(0,1)'
  hindsight cards --deck my-cards.toml

A deck file is TOML with one [[card]] for each card:
  [[card]]
  name = \"wolf\"
  stamp = \"blue\"                      (first player when it is set aside; default red)
  offsets = [[-1, 2], [1, 2], [0, -1]]  (right, forward as the holder sees; -2 to 2)")]
pub(crate) struct CardsArgs {
    /// Cards to draw, by name or inline; all if none is given
    pub(crate) cards: Vec<String>,
    /// Also take the cards of a deck file
    #[arg(long, value_name = "FILE")]
    pub(crate) deck: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  hindsight completions bash > \
                  ~/.local/share/bash-completion/completions/hindsight")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  hindsight man | man -l -\n  hindsight man solve > hindsight-solve.1"
)]
pub(crate) struct ManArgs {
    /// The page of one command, such as solve
    pub(crate) command: Option<String>,
}

impl SymmetryArg {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Swap => "swap",
            Self::All => "all",
        }
    }
}
