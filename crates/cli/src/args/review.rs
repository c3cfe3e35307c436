//! Arguments of `review`.

use std::path::PathBuf;

use super::SearchArgs;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight review game.jsonl
  hindsight review games.jsonl --game 3 --seconds 60
  hindsight review game.jsonl --svg game.svg
  hindsight review four:7x6 --moves 4453
  hindsight review quoridor:5x5:2 --moves '1. c2 c4 2. b3h {!} *'

The file has a game on each line, as `match --games` and `save` of `play` write it; or it is one \
game as people write it, with numbers, comments and a result, and begins with [Game \"SPEC\"].

Columns:
  after      value after the move for the player who made it: proved, or an
             estimate from -1 (lost) to 1 (won)
  gave away  a win, a draw, or plies: a win takes longer, or a loss comes
             sooner; else a part of the estimate. Nothing is written if no
             move was better, and ? if that is not known.
  better     a better move; with ? if only its estimate is better; ? if one
             is better, and which one is not known

Values come from the table, or from one in the cache. A game that is solved in half of the time \
is solved. Otherwise each position is analysed in its share of the time, the last first. Ctrl-C \
ends that with what is known.")]
pub(crate) struct ReviewArgs {
    /// File with the game; with --moves the game, such as four:7x6
    #[arg(value_name = "FILE-OR-SPEC", required_unless_present = "moves")]
    pub(crate) spec: Option<String>,
    /// With --moves: the first position [default: the start]
    #[arg(requires = "moves")]
    pub(crate) position: Option<String>,
    /// The moves as people write a game; - reads them from standard input
    #[arg(long, value_name = "TEXT", conflicts_with = "game")]
    pub(crate) moves: Option<String>,
    /// Number of the game in the file, from 0 [default: the last]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<usize>("a game", 0..=u32::MAX.into())
    )]
    pub(crate) game: Option<usize>,
    /// A table of the game
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Draw the value over the game, to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}
