//! Arguments of the commands on tables: `info`, `stats`, `verify`, `compare` and `export`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight info q552.table
  hindsight info q552.table --json

Only the header is read, of a table on a web server too. Positions are counted as by `solve`, so \
the signature is the one that `solve` printed. `hindsight verify` checks the rest of the file.")]
pub(crate) struct InfoArgs {
    /// The table, a file written by `hindsight solve SPEC --out FILE`, or its address https://..
    pub(crate) file: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight verify q552.table
  hindsight verify q552.table --threads 8 --memory 32G

Every checksum is checked, and the header is compared with the contents. Values are compared \
with those of a second solve. In tables of Ostle, and if memory is too short for a solve, every \
value is computed from the values of its successors, which takes much longer. Symmetric positions \
are checked once.

With --checkpoint the second solve of Onitama keeps in the folder what memory does not hold. A \
check that was stopped goes on with --resume.

Memory: that of the solve with --out; or, by successors, one byte for each rank of \
a layer and of the layers that it leads to. A table of states takes three bytes for each rank of \
the layer.

Exit codes:
  0  no fault
  1  a fault, for example in a file that is cut off or is no table
  2  there is no such file, or the check could not be done")]
pub(crate) struct VerifyArgs {
    /// The table to check, a file or an address
    pub(crate) file: PathBuf,
    /// Keep the second solve of Onitama in a folder, for --resume
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Continue the check in the folder of --checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight stats q552.table
  hindsight stats q552.table --layer 3 --plot -
  hindsight stats q552.table --format csv > q552.csv
  hindsight stats q552.table --plot q552.svg

Only the header is read. Layers are numbered from 0 in the order of the solve. Positions are \
counted as by `solve`, by value for the side to move. Mean and longest are plies to the end, \
without draws.

CSV has a row for each value in each layer. The plot shows wins and losses by plies to the end, on \
a logarithmic scale.")]
pub(crate) struct StatsArgs {
    /// The table, a file or an address
    pub(crate) file: PathBuf,
    /// Only layer N
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_layer)]
    pub(crate) layer: Option<u32>,
    /// Format of the answer [default: text]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) format: Option<StatsFormat>,
    /// Also draw a plot, to FILE.svg, to FILE.png, or with - in the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StatsFormat {
    /// Tables for the terminal
    Text,
    /// One row for each value in each layer
    Csv,
    /// One object, as --json
    Json,
}

fn parse_layer(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| String::from("the number of a layer, from 0"))
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight compare q552.table q552-compact.table
  hindsight compare mine.table theirs.table --json

The tables must be of the same game; their layouts may differ. Symmetric positions are compared \
once. The answer is the number of differences and the first ten.

Exit codes:
  0  every value is the same
  1  some values differ
  2  the tables cannot be compared")]
pub(crate) struct CompareArgs {
    /// The first table, a file or an address
    pub(crate) first: PathBuf,
    /// The second table, of the same game
    pub(crate) second: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight export q551.table --out q551.csv
  hindsight export q551.table --out lost.csv --value loss --remoteness 16
  hindsight export q551.table --out first.parquet --layer 0

A row has tier, rank, copies, position, player, value and remoteness (empty for a draw). The \
player is the one to move, and the value is for that player. A row stands for all positions that \
are equal by symmetry; `copies` is their number. In a table of states a position has a second row \
if forbidding its only best move changes its value.

`hindsight probe q551.table --batch game.txt --canonical` names the row of each position of a \
game: its key canonical is the column position.

The ending of the file selects the format: .csv, or .parquet in a build with --features parquet.")]
pub(crate) struct ExportArgs {
    /// The table, a file or an address
    pub(crate) file: PathBuf,
    /// The file to write, .csv or .parquet; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Only layer N, as numbered by `hindsight stats`
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_layer)]
    pub(crate) layer: Option<u32>,
    /// Only positions with this value
    #[arg(long, value_enum)]
    pub(crate) value: Option<WdlArg>,
    /// Only positions N plies from the end, 0 to 65535
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_plies)]
    pub(crate) remoteness: Option<u16>,
    /// Refuse to write more than N rows
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000_000,
        allow_negative_numbers = true,
        value_parser = super::parse_positions
    )]
    pub(crate) max_positions: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WdlArg {
    /// The side to move wins
    Win,
    /// The side to move loses
    Loss,
    /// Neither side wins
    Draw,
}

impl From<WdlArg> for hindsight_core::Wdl {
    fn from(won: WdlArg) -> Self {
        match won {
            WdlArg::Win => Self::Win,
            WdlArg::Loss => Self::Loss,
            WdlArg::Draw => Self::Draw,
        }
    }
}

fn parse_plies(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| String::from("a number of plies, from 0 to 65535"))
}
