//! Arguments of `analyse` and `cache`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::PositionArgs;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight analyse onitama:3x4:boar
  hindsight analyse tic-tac-toe xo./.x./... --json
  hindsight analyse quoridor:5x5:2 'c1 c5 2,2 - white' --moves c2,b1
  hindsight analyse q552.table 'c1 c5 2,2 - white'

Every move is shown, best first. A value is proved, with its plies or a bound on them. A number \
from -1 (lost) to 1 (won) is an estimate. All are for the side that makes the move.

The sources are asked in rounds until all is proved or time is over: what earlier analyses have \
proved; short wins; estimates; a proof-number search; the graph of what is reachable, if it is \
small, or endgames, solved on the spot or kept in the cache. More time never knows less. Ctrl-C \
ends it with the best answer so far.

The cache holds what was proved, and endgames that took long to solve: at most 10 GB, and a \
fifth of the free disk. `hindsight cache` lists it.")]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Moves to look at, each by itself [default: all]
    #[arg(long, value_name = "M,M,..", value_delimiter = ',')]
    pub(crate) moves: Option<Vec<String>>,
    /// Prove every move, and not the best one first
    #[arg(long, conflicts_with = "moves")]
    pub(crate) all_moves: bool,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

// Options of an analysis.
#[derive(clap::Args, Debug)]
pub(crate) struct SearchArgs {
    /// Stop after N seconds
    #[arg(
        long,
        value_name = "N",
        default_value = "10",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
    /// Folder of endgames that are kept, or none
    /// [default: hindsight in $XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<String>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight cache
  hindsight cache add q552.table
  hindsight cache clear

The cache is a folder of endgames and proofs that `analyse` keeps, and of tables that were \
added. It is hindsight in $XDG_CACHE_HOME, or in ~/.cache. Each file can be removed at any time.")]
pub(crate) struct CacheArgs {
    /// Action [default: list the files]
    #[arg(value_enum)]
    pub(crate) action: Option<CacheAction>,
    /// With add: the table
    #[arg(value_name = "FILE", required_if_eq("action", "add"))]
    pub(crate) table: Option<PathBuf>,
    /// Folder of the cache [default: hindsight in $XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CacheAction {
    /// Copy a table into the cache: analyses of its game then take their values from there
    Add,
    /// Remove all files
    Clear,
}
