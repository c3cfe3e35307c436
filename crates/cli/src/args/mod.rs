//! Command-line arguments. Doc comments of fields and variants here are the texts of `--help`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

mod agent;
mod analyse;
mod audit;
mod cluster;
mod deals;
mod draw;
mod fairness;
mod laws;
mod matches;
mod memory;
mod perft;
mod play;
mod positions;
mod programs;
mod puzzles;
mod review;
mod serve;
mod solve;
mod study;
mod tables;
mod tournament;
pub(crate) use agent::*;
pub(crate) use analyse::*;
pub(crate) use audit::*;
pub(crate) use cluster::*;
pub(crate) use deals::*;
pub(crate) use draw::*;
pub(crate) use fairness::*;
pub(crate) use laws::*;
pub(crate) use matches::*;
pub(crate) use perft::*;
pub(crate) use play::*;
pub(crate) use positions::*;
pub(crate) use programs::*;
pub(crate) use puzzles::*;
pub(crate) use review::*;
pub(crate) use serve::*;
pub(crate) use solve::*;
pub use study::*;
pub(crate) use tables::*;
pub(crate) use tournament::*;

const AFTER_HELP: &str = "\
Examples:
  hindsight solve onitama:3x4:boar               who wins, and how
  hindsight probe tic-tac-toe xo./.x./...        the value of every move
  hindsight solve quoridor:5x5:2 --out q.table   every position, in a file
  hindsight play tic-tac-toe --agent perfect     you against an agent

A game is named by one word, its spec. `hindsight games` shows how specs are written.

Exit codes:
  0    done
  1    the answer is \"no\": verify found a fault, compare a difference,
       probe --batch a bad line
  2    failure or bad input; nothing was written under the requested names
  129  stopped by SIGHUP
  130  stopped by Ctrl-C (SIGINT)
  143  stopped by SIGTERM

A signal stops the work where nothing is lost; a checkpoint is kept. A second signal ends the \
program at once.";

/// Solves board games exactly: who wins, in how many plies, and by which moves.
#[derive(Parser, Debug)]
#[command(name = "hindsight", version, after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Heading of the options that every command takes.
const GLOBAL_OPTIONS: &str = "Options of every command";

/// Options that every command takes.
#[derive(clap::Args, Debug)]
pub(crate) struct GlobalArgs {
    /// Print one JSON value instead of text
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) json: bool,
    /// Show no progress on standard error
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) quiet: bool,
    /// Show boards in letters and without colours, as where no terminal is
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) plain: bool,
    /// Threads to use, 1 to 1024 [default: one for each processor]
    #[arg(
        long,
        global = true,
        help_heading = GLOBAL_OPTIONS,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = parse_threads
    )]
    pub(crate) threads: Option<usize>,
    /// Most memory to use, in bytes, or with K, M, G or T (powers of 1024), such as 16G
    /// [default: 7/8 of the free memory]
    #[arg(
        long,
        global = true,
        help_heading = GLOBAL_OPTIONS,
        value_name = "SIZE",
        value_parser = crate::shown::sizes::parse_size,
        allow_negative_numbers = true
    )]
    pub(crate) memory: Option<u64>,
    /// Overwrite output files that exist
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) force: bool,
    /// Your own game, cmd:PROGRAM, of which a table, checkpoint or kept game is
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS, value_name = "SPEC")]
    pub(crate) rules: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Solve a game: who wins, in how many plies, by which line
    Solve(SolveArgs),
    /// Solve a game in several processes, on one machine or many
    Cluster(ClusterArgs),
    /// Show each move of any position, proved or estimated, best first
    Analyse(AnalyseArgs),
    /// Show the proved value of a position and of each move, best first
    Probe(ProbeArgs),
    /// Show a best line from a position to the end of the game
    Line(LineArgs),
    /// Draw a picture of a position, as SVG or PNG
    Draw(DrawArgs),
    /// Find the fewest plies from the start to a position of Ostle
    Reach(ReachArgs),
    /// Count move sequences and positions, to compare programs
    Perft(PerftArgs),
    /// Find positions with one solution, or count them
    Puzzles(PuzzlesArgs),
    /// Play against an agent, in a terminal or through a pipe
    Play(PlayArgs),
    /// Show what each move of a played game gave away
    Review(ReviewArgs),
    /// Let two agents play: wins, Elo, lengths, time per move
    Match(MatchArgs),
    /// Let several agents play each other: ratings with bounds
    Tournament(TournamentArgs),
    /// Let an agent play for another program, by lines of text
    Agent(AgentArgs),
    /// Measure how often agents give away a result, by a table
    Audit(AuditArgs),
    /// Show the summary of a table: game, value, counts, size
    Info(InfoArgs),
    /// Count the positions of a table by value and remoteness
    Stats(StatsArgs),
    /// Check every byte and every value of a table
    Verify(VerifyArgs),
    /// Compare the values of two tables of the same game
    Compare(CompareArgs),
    /// Write positions of a table with their values to a file
    Export(ExportArgs),
    /// Show who wins deals of real Onitama, as far as it is decided
    Deals(DealsArgs),
    /// Judge if a game is fair: by perfect play, by games, card by card
    Fairness(FairnessArgs),
    /// Reproduce the tables of a paper, or measure sets of cards
    Study(StudyArgs),
    /// Write the state graph of a game to a file
    Graph(GraphArgs),
    /// Check the laws of a game of your own in random games
    Laws(LawsArgs),
    /// Serve tables and games to browsers and programs, until Ctrl-C
    Serve(ServeArgs),
    /// List the games and how their specs are written
    Games,
    /// List the move cards of Onitama, or draw some of them
    Cards(CardsArgs),
    /// List the endgames that analyses keep, or remove them
    Cache(CacheArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command
    Man(ManArgs),
}

impl Command {
    /// Returns true if the command itself compares its need with the memory limit and reports it.
    pub(crate) fn reports_needed_memory(&self) -> bool {
        matches!(
            self,
            Self::Solve(_)
                | Self::Cluster(_)
                | Self::Verify(_)
                | Self::Compare(_)
                | Self::Export(_)
                | Self::Graph(_)
                | Self::Perft(_)
                | Self::Reach(_)
                | Self::Study(_)
        )
    }
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
    text.parse().map_err(|_| String::from("a number of positions, such as 10000"))
}

/// Reads a time: seconds, or a number with the unit `s`, `m` or `h`.
pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let parts = units.map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let number = parts.into_iter().flatten().next();
    let seconds = number.and_then(|(number, unit)| Some(number.parse::<f64>().ok()? * unit));
    let in_range = seconds.filter(|&seconds| seconds > 0.0 && seconds < 1e9);
    in_range.ok_or_else(|| {
        String::from("a time above 0 and below 1e9 seconds, such as 20, 90s, 10m or 2h")
    })
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| String::from("a seed, a number from 0 to 18446744073709551615"))
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight cards
  hindsight cards boar tiger '(-1,0)(0,1)' 'wolf=(0,2)(0,-1)'
  hindsight cards --deck my-cards.toml

A deck file is TOML, with one [[card]] for each card:
  [[card]]
  name = \"wolf\"
  stamp = \"blue\"
  offsets = [[-1, 2], [1, 2], [0, -1]]
The stamp is the player who begins when the card is set aside; red is the default. An offset is \
[right, forward] as the holder of the card sees the board, each from -2 to 2.")]
pub(crate) struct CardsArgs {
    /// Cards to draw, by name or inline [default: all]
    pub(crate) cards: Vec<String>,
    /// Also take the cards of a deck file
    #[arg(long, value_name = "FILE")]
    pub(crate) deck: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  source <(hindsight completions bash)
  hindsight completions zsh > _hindsight
  hindsight completions fish > ~/.config/fish/completions/hindsight.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight man | man -l -
  hindsight man solve > hindsight-solve.1")]
pub(crate) struct ManArgs {
    /// The command, such as solve [default: the program]
    pub(crate) command: Option<String>,
}
