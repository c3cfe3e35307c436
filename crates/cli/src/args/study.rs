//! Arguments of `study`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use hindsight_study::StudyPart;

#[derive(clap::Args, Debug)]
#[command(
    after_help = "\
Examples:
  hindsight study onitama-thesis --table 6 --format markdown
  hindsight study quoridor-reduced --game quoridor:4x4:2 --table changes
  hindsight study ostle --game ostle:4x4:3:1
  hindsight study onitama-agents --scale 0.01 --out agents
  hindsight study onitama-atlas --table 3x4 --part 2/8 --out atlas2
  hindsight study lure --game dodgem:4x4 --opponent level:4 -n 40

onitama-thesis
  L. Elderbroek's thesis on retrograde analysis (Leiden 2025): Tables 1 to 11,
  its bounds (1) to (5), Theorem 1, and the cells that it left open. Ctrl-C
  prints the cells that are done.
  Tables: 1 to 11, bounds, theorem1, remoteness.

quoridor-reduced
  S. Ikeda et al. on reusing results from the reduced version of Quoridor
  (2024): Table 1, and the changes that each set makes in the smaller sets.
  Further tables compare memory and time with a solve in one piece, and with
  other partitions. --game takes any board and stock of fences.
  Tables: 1, changes, sets, shares, cost, partitions, stocks, boards.

ostle
  H. Takizawa, Strongly solved Ostle (2023): Tables 1 to 3 and the numbers of
  its text. There are two columns, for rule 8 as the paper's program reads it
  and as it is written. --game takes any variant. The official game takes an
  hour or two for each reading: solve it with --out, and give the tables to
  --solved.
  Tables: 1, 2, 3, totals, figures.

onitama-agents
  R. Arntzenius, Agents for the Strategy Game Onitama (Leiden 2021): Figures 8
  to 19, and the claims of the thesis about them. --table is the number of a
  figure. With the defaults it takes about 40 minutes of processor time; with
  --playouts 100000, as in the thesis, many hours. Try --scale 0.01 first.
  --out also gets a CSV, an SVG and a PNG for each figure. The study ignores
  --seconds and --memory.

onitama-atlas
  Which sets of five cards are fair? All 4,368 sets of the base game are solved
  in their 30 deals, on the boards of --table [default: 2x4, 3x3 and 3x4]. No
  set is begun after --seconds on a board. The order of the sets is random, so
  the solved ones are a random sample. All sets of the three boards took half
  an hour on two cores. --out also gets sets, deals and a page of plots for
  each board.

onitama-deals
  Who wins random deals on a board too large to solve? --deals deals on the
  board of --table [default: 5x5] are searched as by solve --weak, for --seconds
  each. The results are in DIR/deals/deals.sqlite.

lure
  How often does perfect play win a drawn game, and how often where it leads the
  opponent into mistakes? The agents perfect and lure play -n games [default:
  400] each against every --opponent, from the same drawn positions. These are
  reached by 0 to 6 random moves that keep the draw. Opponents see no values.
  --game is a game whose start is a draw [default: ostle:4x4:3:1]. It is solved
  first, or --solved names a table of it. A game is a tie after 100 plies. The
  defaults take some minutes. The study ignores --memory.

All studies but onitama-deals are in the program hindsight-papers, which this command runs. It is \
made by `cargo build --release --package hindsight-papers`.

The last four studies keep their results in the folder of --out. The same call continues a study \
that was stopped, also with more games, playouts, opponents, deals or seconds.

With --part K/N, onitama-atlas and onitama-deals do every N-th of their solves, so that N machines \
share a study. Each part has a folder of its own. `hindsight study merge` puts the folders \
together.",
    override_usage = "\
hindsight study [OPTIONS] <NAME>
       hindsight study merge [OPTIONS] --out <DIR> <DIR>...",
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub struct StudyArgs {
    #[command(subcommand)]
    pub action: Option<StudyAction>,
    /// The study
    #[arg(value_enum, required = true)]
    pub name: Option<StudyName>,
    /// Only this table, figure or board, such as 6, changes or 3x4; may be repeated
    #[arg(long = "table", value_name = "TABLE")]
    pub tables: Vec<String>,
    /// The game of quoridor-reduced, ostle or lure [default: quoridor:5x5:1, ostle, ostle:4x4:3:1]
    #[arg(long, value_name = "SPEC")]
    pub game: Option<String>,
    /// ostle: take values or distances from a table instead of a solve; may be repeated;
    /// lure: the values of the game
    #[arg(long = "solved", value_name = "FILE")]
    pub solved: Vec<PathBuf>,
    /// Most seconds for a solve; onitama-atlas: for a board; onitama-deals: for a deal
    /// [default: 20; no limit for a part of onitama-atlas]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub seconds: Option<f64>,
    /// Format of the report [default: text]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub format: Option<ReportFormat>,
    #[command(flatten)]
    pub resumable: ResumableStudyArgs,
}

impl StudyArgs {
    /// Returns true if no study and none of its options is named.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { action: _, name, tables, game, solved, seconds, format, resumable } = self;
        let is_named = name.is_some() || format.is_some() || seconds.is_some() || game.is_some();
        !is_named && tables.is_empty() && solved.is_empty() && resumable.is_empty()
    }

    /// Returns the seconds of `--seconds`, or the default.
    pub fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(20.0)
    }
}

/// Actions on the results of studies.
#[derive(Subcommand, Debug)]
pub enum StudyAction {
    /// Put the parts of a study together
    Merge(MergeArgs),
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight study onitama-deals --table 3x3 --deals 9 --part 1/2 --out p1
  hindsight study onitama-deals --table 3x3 --deals 9 --part 2/2 --out p2
  hindsight study merge p1 p2 --out deals

The new folder is the one that the study without --part makes: the same results in the same order, \
report, lists and pages. Measured times are those of the parts. All parts of one study must be \
there and complete. Nothing in their folders is changed.")]
pub struct MergeArgs {
    /// Folders of all parts of one study, in any order
    #[arg(value_name = "DIR", required = true)]
    pub parts: Vec<PathBuf>,
    /// Folder for the whole; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Format of the report [default: text]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub format: Option<ReportFormat>,
}

/// Options of the studies that keep their results in a folder and can be resumed.
#[derive(clap::Args, Debug)]
pub struct ResumableStudyArgs {
    /// onitama-agents: games of a series, as a multiple of 1000; at most 1000 [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = parse_scale)]
    pub scale: Option<f64>,
    /// onitama-agents: most playouts for a move, 1 to 100000 [default: 1000]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("playouts", 1..=100_000)
    )]
    pub playouts: Option<u64>,
    /// lure: an opponent, such as mcts:playouts=100; may be repeated
    #[arg(long = "opponent", value_name = "AGENT")]
    pub opponents: Vec<String>,
    /// lure: games of each agent against each opponent, 1 to 1000000 [default: 400]
    #[arg(
        short,
        long,
        value_name = "GAMES",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("games", 1..=1_000_000)
    )]
    pub number: Option<u64>,
    /// onitama-deals: number of deals, 1 to 1000000 [default: 100]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("deals", 1..=1_000_000)
    )]
    pub deals: Option<u64>,
    /// onitama-agents, onitama-atlas, onitama-deals, lure: seed of every random choice [default: 1]
    #[arg(long, allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub seed: Option<u64>,
    /// onitama-agents, onitama-atlas, onitama-deals, lure: folder for the results
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// onitama-atlas, onitama-deals: only part K of N; with --out
    #[arg(long, value_name = "K/N", allow_negative_numbers = true)]
    pub part: Option<StudyPart>,
}

impl ResumableStudyArgs {
    /// Returns true if no option is given.
    fn is_empty(&self) -> bool {
        let Self { scale, playouts, opponents, number, deals, seed, out, part } = self;
        let numbers = [playouts, number, deals, seed];
        let has_number = numbers.into_iter().any(Option::is_some);
        !has_number && opponents.is_empty() && scale.is_none() && out.is_none() && part.is_none()
    }
}

fn parse_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale <= 1000.0 => Ok(scale),
        _ => Err(String::from("a number above 0, at most 1000, such as 0.01")),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StudyName {
    /// Retrograde analysis of Onitama, and its forward-looking variant
    OnitamaThesis,
    /// Quoridor, solved from its reduced versions up
    QuoridorReduced,
    /// Ostle: positions, and states by plies to the end and from the start
    Ostle,
    /// Monte Carlo agents for Onitama: strength, pruning, style of play
    OnitamaAgents,
    /// Fairness of sets of cards, on small boards of Onitama
    OnitamaAtlas,
    /// Winners of random deals of Onitama
    OnitamaDeals,
    /// Wins of perfect play in drawn games, and of play that sets traps
    Lure,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReportFormat {
    /// Tables for the terminal
    Text,
    /// Tables for a document
    Markdown,
    /// A row for each cell
    Csv,
    /// An array of cells, as --json
    Json,
}
