//! Arguments of `deals`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight deals                                    all that are decided
  hindsight deals tiger,crab,monkey,crane,dragon     the 30 deals of these cards
  hindsight deals tiger,boar                         decided deals with both
  hindsight deals --verify 3 --seconds 120           three of them, proved again
  hindsight deals --add proved-deals.txt --out all.txt

Real Onitama is played on 5 x 5 with ten men and five different cards of the base game's sixteen, \
which have 131,040 deals. Of these the list has the ones whose winner was proved by a search, in \
this program or by others with it: who wins, in how many plies at most, the first move, and who \
proved it. A deal and its mirror image count as one in the list. `solve` and `analyse` begin with \
what it has.

`hindsight study onitama-deals --out DIR` searches random deals, and leaves what it proves in \
DIR/proved-deals.txt. --add puts such files and the list together.

The exit code is 1 if --verify finds another winner.")]
pub(crate) struct DealsArgs {
    /// Cards, with commas between them: five for all of their deals, fewer for the decided ones
    /// that have them
    pub(crate) cards: Option<String>,
    /// Prove N deals of the list again, drawn at random
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("deals", 1..=200_000)
    )]
    pub(crate) verify: Option<u64>,
    /// Give each proof of --verify up to N seconds
    #[arg(
        long,
        value_name = "N",
        default_value = "60",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
    /// Seed by which --verify draws deals
    #[arg(
        long,
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = super::parse_seed
    )]
    pub(crate) seed: u64,
    /// Take the deals from a file, not from the list of the program
    #[arg(long, value_name = "FILE")]
    pub(crate) list: Option<PathBuf>,
    /// Add the deals of files to the list, and write all to --out
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        requires = "out",
        conflicts_with_all = ["cards", "verify"]
    )]
    pub(crate) add: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE", requires = "add")]
    pub(crate) out: Option<PathBuf>,
}
