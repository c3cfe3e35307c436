//! Arguments of `fairness`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight fairness onitama:3x4:tiger,crab,monkey,crane,dragon
  hindsight fairness onitama:3x4 --deck five-cards.toml --plot fair.svg
  hindsight fairness onitama:5x5:tiger,crab,monkey,crane,dragon -n 90
  hindsight fairness quoridor:5x5:1 --agent alphabeta:nodes=2000 -n 20

A game of Onitama is judged with every deal of its cards: 30 of them for five different cards. The \
player who moves first is the same in each deal, whatever the stamps say. Any other game is judged \
from its start.

The report has
  perfect play  The deals that the first player wins, draws and loses, if the
                game is solved in about --seconds.
  games         An agent against itself, as often with each deal: points of
                the first player with bounds, lengths, ties, endings. Where
                all positions are solved, also the ply after which the value
                no longer changes, and the moves that change it.
  cards         For each card the points of the player to whom it is dealt,
                the share of the turns on which it is played from the hand,
                and the share of the wins that it ends.
  deals         Value and games of each deal, for the first player.

A win is worth one point, a draw or a game that is cut off half a point. Bounds are Wilson's, with \
a confidence of 95%. --deck takes all cards of a file, as many as are dealt; for some of them, \
name these in the spec. The same seed gives the same games for any number of threads, unless the \
agent has a time limit.")]
pub(crate) struct FairnessArgs {
    /// The game; with --deck its size is enough, such as onitama:3x4
    #[arg(value_name = "SPEC")]
    pub(crate) game: String,
    /// A TOML file of own cards
    #[arg(long, value_name = "FILE")]
    pub(crate) deck: Option<PathBuf>,
    /// The agent that plays both sides; `hindsight match --help` describes agents
    #[arg(long, value_name = "AGENT", default_value = "mcts:playouts=1000")]
    pub(crate) agent: String,
    /// Games in all, 1 to 10000000; each deal has the same number, rounded up
    #[arg(
        short = 'n',
        long = "number",
        value_name = "GAMES",
        default_value_t = 600,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("games", 1..=10_000_000)
    )]
    pub(crate) number: u64,
    /// End a game as a tie after this number of plies
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 200,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 1..=u32::MAX.into())
    )]
    pub(crate) max_turns: u32,
    /// Seed of every random choice
    #[arg(
        long,
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = super::parse_seed
    )]
    pub(crate) seed: u64,
    /// Solve the game if that takes about N seconds at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 60.0,
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
    /// Draw a page of plots, to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}
