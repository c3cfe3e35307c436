//! Arguments of `puzzles`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight puzzles tic-tac-toe
  hindsight puzzles onitama:3x4:boar --theme sacrifice --count 3
  hindsight puzzles ostle:3x3:2:1 --theme quiet --count 3
  hindsight puzzles o45.table --unique first --min-plies 9 --seed 7 --svg sheet.svg
  hindsight puzzles ostle.table --theme sacrifice --tally
  hindsight puzzles q551.table --certificate proof.json --full

In a puzzle the side to move wins, and the solution is unique. In a table every position is
searched, in Ostle every state; with --seed or --sample, only a random sample. For a spec, the
positions reachable from the start are searched.

--unique selects the part that must be unique:
  line   at each of the solver's plies, after every slowest reply, only one move wins in the
         fewest plies
  first  only one first move wins in the fewest plies
  win    only one first move wins at all

Themes:
  sacrifice  every winning move gives up a piece: in Ostle an own piece leaves the board,
             in Onitama it captures nothing and leaves a student to be captured at once
  quiet      only one move wins, and it captures nothing
  only       the position is won, and every move but one loses
  swindle    the position is drawn, and every move but one loses; only the first move is solved

A puzzle is harder if it takes more plies. Between puzzles of equal length these decide in turn:
more tempting moves along the line (wrong moves that capture something), a quiet first move (it
captures nothing), more wrong moves along the line (they spoil the win or the draw).")]
pub(crate) struct PuzzlesArgs {
    /// A table, or a game such as onitama:3x4:boar
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// Theme of the puzzles
    #[arg(long, value_enum)]
    pub(crate) theme: Option<Theme>,
    /// Part of the solution that must be unique
    #[arg(long, value_enum, default_value_t = Unique::Line, conflicts_with = "tally")]
    pub(crate) unique: Unique,
    /// Number of puzzles, hardest first
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true,
        value_parser = parse_count,
        conflicts_with = "tally"
    )]
    pub(crate) count: usize,
    /// Shortest solution, in plies
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_plies)]
    pub(crate) min_plies: Option<u16>,
    /// Longest solution, in plies
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_plies)]
    pub(crate) max_plies: Option<u16>,
    /// Search a random sample of a table, drawn with this seed [default with --sample: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub(crate) seed: Option<u64>,
    /// Search a random sample of N positions of a table [default with --seed: 100000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_count)]
    pub(crate) sample: Option<usize>,
    /// Count puzzles instead, by plies and by uniqueness of the solution
    #[arg(long)]
    pub(crate) tally: bool,
    /// Write a proof of each puzzle to FILE, as JSON that a program can check
    #[arg(long, value_name = "FILE", conflicts_with = "tally")]
    pub(crate) certificate: Option<PathBuf>,
    /// Follow every reply in the certificate, not only the slowest
    #[arg(long, requires = "certificate")]
    pub(crate) full: bool,
    /// Draw a sheet FILE.svg, and its solutions FILE-solutions.svg
    #[arg(long, value_name = "FILE.svg", conflicts_with = "tally")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Theme {
    /// Every winning move gives up a piece
    Sacrifice,
    /// The only winning move captures nothing
    Quiet,
    /// Every move but one loses
    Only,
    /// Every move but one loses, and that one draws
    Swindle,
}

impl From<Theme> for hindsight_puzzles::PuzzleTheme {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Sacrifice => Self::Sacrifice,
            Theme::Quiet => Self::Quiet,
            Theme::Only => Self::OnlyMove,
            Theme::Swindle => Self::Swindle,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Unique {
    /// One quickest move at each ply, after every slowest reply
    Line,
    /// One quickest first move
    First,
    /// One winning first move
    Win,
}

impl From<Unique> for hindsight_puzzles::Uniqueness {
    fn from(unique: Unique) -> Self {
        match unique {
            Unique::Line => Self::Line,
            Unique::First => Self::FastestMove,
            Unique::Win => Self::WinningMove,
        }
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=1_000_000_000).contains(&count) => Ok(count),
        _ => Err(String::from("a number from 1 to 1000000000")),
    }
}

fn parse_plies(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(plies) if plies > 0 => Ok(plies),
        _ => Err(String::from("a number of plies, from 1 to 65535")),
    }
}
