//! Arguments of the commands on tables: `info`, `stats`, `verify`, `compare` and `export`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight info q552.table
  hindsight info q552.table --json

Reads only the header, which has a checksum of its own; `hindsight verify` checks the rest.
Positions are counted as in `solve`, so the signature is the one that `solve` printed.")]
pub(crate) struct InfoArgs {
    /// A table, written by `hindsight solve SPEC --out FILE`
    pub(crate) file: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight verify q552.table
  hindsight verify q552.table --threads 8 --memory 32G
  hindsight verify q552.table --json

Checks every checksum, recomputes the value of every position from those of its successors,
and compares the header with the contents. Memory: a layer and the layers that it leads to, a
byte a rank; in a table of states three bytes a rank for the layer. Symmetric positions are
checked once.
Exit code 0: no fault; 1: a fault was found, for example a truncated file or a file that is no
table; 2: there is no such file, or the check could not be done.")]
pub(crate) struct VerifyArgs {
    /// The table to check
    pub(crate) file: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight stats q552.table
  hindsight stats q552.table --layer 3 --plot -
  hindsight stats q552.table --format csv > q552.csv      (a row for each value in each layer)
  hindsight stats q552.table --plot q552.svg              (or .png)

Reads only the header. Layers are numbered from 0 in the order of the solve; positions are
counted as in `solve`, by value for the side to move. Mean and longest are plies, without draws.
The plot shows wins and losses by plies to the end, on a logarithmic scale.")]
pub(crate) struct StatsArgs {
    /// The table
    pub(crate) file: PathBuf,
    /// Only this layer
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_layer)]
    pub(crate) layer: Option<u32>,
    /// The format of the answer [default: text]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) format: Option<StatsFormat>,
    /// Also draw the positions by plies: to FILE.svg, FILE.png, or - for the terminal
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
    text.parse()
        .map_err(|_| String::from("the number of a layer, from 0"))
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight compare q552.table q552-compact.table
  hindsight compare mine.table theirs.table --json

Both must be tables of the same game; their layouts may differ. Values are compared position
by position, symmetric ones once. The number of differences is printed, and the first ten.
Exit code 0: every value is the same; 1: some differ; 2: they cannot be compared.")]
pub(crate) struct CompareArgs {
    /// A table
    pub(crate) first: PathBuf,
    /// Another table of the same game
    pub(crate) second: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight export q551.table --out q551.csv
  hindsight export q551.table --out lost.csv --value loss --remoteness 16
  hindsight export q551.table --out first.parquet --layer 0

A row has tier, rank, copies, position, player, value and remoteness (empty for a draw). It also
stands for positions equal by symmetry; `copies` is their number in the counts of `solve`, itself
included. The player is the one to move, and the value is for that player. In a table of states, a
position has a second row if forbidding its only best move changes its value.
Endings: .csv, and .parquet in a build with --features parquet.")]
pub(crate) struct ExportArgs {
    /// The table
    pub(crate) file: PathBuf,
    /// The file to write; its ending selects the format
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Only this layer (see `hindsight stats`)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_layer)]
    pub(crate) layer: Option<u32>,
    /// Only positions of this value
    #[arg(long, value_enum)]
    pub(crate) value: Option<WdlArg>,
    /// Only positions that are N plies from the end
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
    text.parse()
        .map_err(|_| String::from("a number of plies, from 0 to 65535"))
}
