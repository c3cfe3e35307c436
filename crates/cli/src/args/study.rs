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
                  open. --memory and --seconds limit each solve. Ctrl-C prints the cells
                  that are done.
  quoridor-reduced
                  Table 1 of S. Ikeda et al. on reusing results from the reduced version of
                  Quoridor (2024): positions by fences on the board, the changes that each
                  set makes in the smaller sets, memory and time beside a solve in one piece,
                  and other partitions. --game takes any board and stock; tables: 1, changes,
                  sets, shares, cost, partitions, stocks, boards.
  ostle           Tables 1 to 3 of H. Takizawa, Strongly solved Ostle (2023), and the numbers
                  of its text, for rule 8 as its program reads it and as it is written.
                  --game takes any variant. The official game takes an hour or two for each
                  reading: solve it with --out, and give the tables to --solved.
  onitama-agents  Figures 8 to 19 of R. Arntzenius, Agents for the Strategy Game Onitama (Leiden
                  2021), and the thesis's claims about them; --table takes a figure number.
                  With the default of 1000 games and at most 1000 playouts a move it takes about
                  40 minutes of processor time, with --playouts 100000 as in the thesis many
                  hours; try --scale 0.01 first. --out keeps every game, so that a stopped study
                  can be continued, also with more games or playouts. The folder also gets a CSV,
                  an SVG and a PNG for each figure of the last run. --seconds and --memory are
                  ignored.
  onitama-atlas   The fairness of sets of five cards: all 4,368 of the base game, each solved with
                  every position in its 30 deals, on the boards of --table [default: 2x4, 3x3 and
                  3x4]. --seed draws the order of the sets, and none is begun after --seconds on a
                  board, so that the solved sets are a random sample. All sets of these boards
                  took half an hour on two cores.
                  --out keeps every set, so that a stopped study can be continued. The folder also
                  gets, for each board, the sets and the deals as CSV, and a page of plots.
  onitama-deals   The winners of random deals on a board too large to solve, as far as solve --weak
                  finds them: --deals deals on the board of --table [default: 100 on 5x5], with
                  --seconds for each. --out keeps the results in DIR/deals/deals.sqlite, so that a
                  stopped study can be continued, also with more deals or more seconds.")]
pub(crate) struct StudyArgs {
    /// The study
    #[arg(value_enum)]
    pub(crate) name: StudyName,
    /// Only this table, figure or board, such as 6, remoteness or 3x4; may be given more than once
    #[arg(long = "table", value_name = "TABLE")]
    pub(crate) tables: Vec<String>,
    /// The game of quoridor-reduced or ostle [default: the paper's, quoridor:5x5:1 or ostle]
    #[arg(long, value_name = "SPEC")]
    pub(crate) game: Option<String>,
    /// ostle: a table file to use instead of a solve: values by one reading of rule 8, or distances
    #[arg(long = "solved", value_name = "FILE")]
    pub(crate) solved: Vec<PathBuf>,
    /// Most seconds for a solve; onitama-atlas: for a board, where sets in progress are finished
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20.0,
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
    /// The format of the report [default: text]
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
    /// Seed of everything random in onitama-agents, of the order of sets in onitama-atlas, of the
    /// deals in onitama-deals [default: 1]
    #[arg(long, allow_negative_numbers = true, value_parser = super::parse_seed)]
    pub(crate) seed: Option<u64>,
    /// onitama-agents, onitama-atlas, onitama-deals: the folder for results and figures; the folder
    /// of a stopped study continues it
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
    /// Ostle: positions, and states by plies to the end and from the start
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
    /// One row for each cell
    Csv,
    /// One array of cells, as --json
    Json,
}
