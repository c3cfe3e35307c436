//! Arguments of `puzzles`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("sheet").args(["svg", "png", "pdf"]).multiple(true))]
#[command(after_help = "\
Examples:
  hindsight puzzles onitama:3x4:boar --theme sacrifice --count 3
  hindsight puzzles o45.table --unique first --min-plies 9 --pdf sheet.pdf
  hindsight puzzles onitama:3x4:boar --mix --count 5
  hindsight puzzles q551.table --certificate proof.json --full
  hindsight puzzles ostle.table --theme sacrifice --tally

In a puzzle the side to move wins, and the solution is unique. In a table every position is \
searched, in Ostle every state; --seed or --sample draws some at random. For a spec, the positions \
reachable from the start are searched.

Themes:
  sacrifice  every winning move gives up a piece. In Ostle an own piece
             leaves the board. In Onitama the move captures nothing, and
             a student can be captured at once
  quiet      only one move wins, and it captures nothing
  only       the position is won, and every move but one loses
  swindle    the position is drawn, and every move but one loses; the
             solution is that one move

The hardest puzzles come first: those with most plies. Of equal length, those with more tempting \
moves come first: wrong moves along the line that capture something. Next count a first move that \
captures nothing, and the number of wrong moves along the line. A wrong move spoils the win or the \
draw.

Of two puzzles that are alike only the harder is shown: the boards differ in two squares at most, \
the position of one is on the line of the other, or half of the shorter line has such boards, \
counted from the end.

Stars tell the difficulty, from 1 to 5. They rise with the number of moves, of tempting moves and \
of wrong moves.")]
pub(crate) struct PuzzlesArgs {
    /// A table, a file or its address https://.., or a game such as onitama:3x4:boar
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) spec: String,
    /// Theme of the puzzles [default: any win]
    #[arg(long, value_enum)]
    pub(crate) theme: Option<Theme>,
    /// Part of the solution that must be unique
    #[arg(long, value_enum, default_value_t = Unique::Line, conflicts_with = "tally")]
    pub(crate) unique: Unique,
    /// Show N puzzles
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true,
        value_parser = parse_count,
        conflicts_with = "tally"
    )]
    pub(crate) count: usize,
    /// Choose the hardest puzzles, also those that are like a harder one
    #[arg(long, conflicts_with_all = ["tally", "mix"])]
    pub(crate) alike: bool,
    /// Choose puzzles of all degrees of difficulty, and show the easiest first
    #[arg(long, conflicts_with = "tally")]
    pub(crate) mix: bool,
    /// Only solutions of at least N plies [default: 1, with --mix 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_plies)]
    pub(crate) min_plies: Option<u16>,
    /// Only solutions of at most N plies
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_plies)]
    pub(crate) max_plies: Option<u16>,
    /// Search a random sample of a table, drawn with seed S [default with --sample: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub(crate) seed: Option<u64>,
    /// Search a random sample of N positions of a table [default with --seed: 100000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_count)]
    pub(crate) sample: Option<usize>,
    /// Count puzzles by plies and by uniqueness, instead of showing them
    #[arg(long)]
    pub(crate) tally: bool,
    /// Write a proof of each puzzle to a JSON file that a program can check
    #[arg(long, value_name = "FILE", conflicts_with = "tally")]
    pub(crate) certificate: Option<PathBuf>,
    /// With --certificate: follow every reply, not only the slowest
    #[arg(long, requires = "certificate")]
    pub(crate) full: bool,
    /// Draw a sheet to print: the puzzles to FILE.svg, the solutions to FILE-solutions.svg; with
    /// more than ten puzzles to FILE-1.svg, FILE-2.svg .. and FILE-solutions-1.svg ..
    #[arg(long, value_name = "FILE.svg", conflicts_with = "tally")]
    pub(crate) svg: Option<PathBuf>,
    /// The same as pictures of 200 pixels an inch
    #[arg(long, value_name = "FILE.png", conflicts_with = "tally")]
    pub(crate) png: Option<PathBuf>,
    /// The same as one file, the solutions on its last pages
    #[arg(long, value_name = "FILE.pdf", conflicts_with = "tally")]
    pub(crate) pdf: Option<PathBuf>,
    /// Paper of the sheet [default: a4]
    #[arg(long, value_enum, requires = "sheet")]
    pub(crate) paper: Option<PaperArg>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PaperArg {
    /// 210 x 297 mm
    A4,
    /// 8.5 x 11 inches
    Letter,
}

impl From<PaperArg> for hindsight_draw::Paper {
    fn from(paper: PaperArg) -> Self {
        match paper {
            PaperArg::A4 => Self::A4,
            PaperArg::Letter => Self::Letter,
        }
    }
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

impl From<Theme> for hindsight_games::PuzzleTheme {
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
    /// One quickest move at each ply of the solver, after every slowest reply
    Line,
    /// One quickest first move
    First,
    /// One winning first move
    Win,
}

impl From<Unique> for hindsight_games::Uniqueness {
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
