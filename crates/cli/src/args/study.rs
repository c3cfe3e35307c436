//! Arguments of `study`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight study onitama-thesis
  hindsight study onitama-thesis --table 6 --table 7 --seconds 10
  hindsight study onitama-thesis --format markdown > thesis.md
  hindsight study quoridor-reduced
  hindsight study quoridor-reduced --game quoridor:4x4:2 --table changes
  hindsight study ostle --game ostle:4x4:3:1
  hindsight study ostle --table 2 --solved exact.table --solved paper.table
  hindsight study onitama-agents --scale 0.01
  hindsight study onitama-agents --table 10 --table 11 --out agents
  hindsight study onitama-agents --playouts 100000 --out agents
  hindsight study onitama-atlas --table 3x3 --seconds 600 --out atlas
  hindsight study onitama-deals --deals 10 --seconds 60 --out deals

Studies:
  onitama-thesis  Tables 1 to 11 of L. Elderbroek's thesis on retrograde analysis (Leiden
                  2025), its bounds (1) to (5), Theorem 1, and the cells it had to leave
                  open. --memory and --seconds hold for each cell. With the default of 20
                  seconds it takes some minutes; Ctrl-C prints what is there.
  quoridor-reduced
                  Table 1 of S. Ikeda et al. on reusing results from the reduced version of
                  Quoridor (2024): positions by fences on the board, what each set of them
                  changes in the sets before, memory and time beside one piece, and other
                  ways to split. --game takes any board and stock; tables: 1, changes, sets,
                  shares, cost, partitions, stocks, boards.
  ostle           Tables 1 to 3 of H. Takizawa, Strongly solved Ostle (2023), and the numbers
                  of its text, for rule 8 as its program reads it and as it is written.
                  --game takes any variant. The official game takes an hour or two for each
                  reading: solve it with --out, and hand the tables over with --solved.
  onitama-agents  Figures 8 to 19 of R. Arntzenius, Agents for the Strategy Game Onitama (Leiden
                  2021), and what the thesis says of them; --table is the number of a figure.
                  With the default of 1000 games and 1000 playouts a move at most it takes 20
                  minutes on two cores, with --playouts 100000 as in the thesis many hours; try
                  --scale 0.01 first. --out keeps every game, so that the study goes on where it
                  was stopped, also with more games or playouts, and gets a CSV, an SVG and a PNG
                  for each figure, those of the last run. --seconds and --memory do not matter.
  onitama-atlas   The fairness of sets of five cards: all 4,368 of the base game, each solved with
                  every position in its 30 deals, on the boards of --table [default: 2x4, 3x3 and
                  3x4]. Sets come in the order of --seed, and no more are begun after --seconds
                  on a board, so that what is there is a sample; all of these boards take a quarter
                  of an hour on two cores.
                  --out keeps every set, so that the study goes on where it was stopped, and gets
                  for each board the sets and the deals as CSV, and a page of plots.
  onitama-deals   The winners of random deals on a board too large to solve, as far as solve --weak
                  finds them: --deals of them on the board of --table [default: 100 on 5x5],
                  --seconds each. --out keeps results in DIR/deals/deals.sqlite, so that the study
                  goes on where it was stopped, also with more deals or more seconds for each.")]
pub(crate) struct StudyArgs {
    /// The study
    #[arg(value_enum)]
    pub(crate) name: StudyName,
    /// Only this table, such as 6 or remoteness, or this board; may be given more than once
    #[arg(long = "table", value_name = "TABLE")]
    pub(crate) tables: Vec<String>,
    /// The game of quoridor-reduced or ostle [default: the paper's, quoridor:5x5:1 or ostle]
    #[arg(long, value_name = "SPEC")]
    pub(crate) game: Option<String>,
    /// A table of ostle's game, taken instead of a solve: values for a reading of rule 8, or
    /// distances
    #[arg(long = "solved", value_name = "FILE")]
    pub(crate) solved: Vec<PathBuf>,
    /// Most seconds for a solve; onitama-atlas: for a board, and sets begun by then are finished
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20.0,
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
    /// The form of the report [default: text]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) format: Option<ReportFormat>,
    #[command(flatten)]
    pub(crate) resumable: ResumableStudyArgs,
}

/// Options of the studies that keep their results in a folder and can be resumed.
#[derive(clap::Args, Debug)]
pub(crate) struct ResumableStudyArgs {
    /// onitama-agents: games of each series, as a multiple of the thesis's 1000 [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = parse_scale)]
    pub(crate) scale: Option<f64>,
    /// onitama-agents: largest number of playouts a move, 1 to 100000 [default: 1000]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("playouts", 1..=100_000)
    )]
    pub(crate) playouts: Option<u64>,
    /// onitama-deals: number of deals [default: 100]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("deals", 1..=1_000_000)
    )]
    pub(crate) deals: Option<u64>,
    /// Seed; onitama-agents: of deals and everything random; onitama-atlas: of the order of sets;
    /// onitama-deals: of the deals [default: 1]
    #[arg(long, allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub(crate) seed: Option<u64>,
    /// onitama-agents, onitama-atlas, onitama-deals: a folder for games, sets or deals, and
    /// figures; it may be that of a study that was stopped
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

fn parse_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale <= 1000.0 => Ok(scale),
        _ => Err(String::from("a number above 0, at most 1000, such as 0.01")),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StudyName {
    /// Retrograde analysis and its forward-looking variant on Onitama
    OnitamaThesis,
    /// Quoridor solved from its reduced versions up
    QuoridorReduced,
    /// Ostle: positions, states by plies to the end and from the start
    Ostle,
    /// Monte Carlo agents for Onitama: strength, pruning, and the character of their play
    OnitamaAgents,
    /// Fairness of sets of cards, on small boards of Onitama
    OnitamaAtlas,
    /// Winners of random deals of Onitama, as far as a search finds them
    OnitamaDeals,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Tables for the terminal
    Text,
    /// Tables for a document
    Markdown,
    /// One row a cell
    Csv,
    /// One array of cells, as --json
    Json,
}
