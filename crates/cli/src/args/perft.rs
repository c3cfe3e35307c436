//! Arguments of `perft`.

/// Most plies to count. In most games the paths exceed 128 bits much earlier.
const MOST_PLIES: u64 = 1000;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight perft tic-tac-toe --plies 9
  hindsight perft onitama:5x5:tiger,crab,monkey,crane,dragon --plies 6
  hindsight perft ostle --plies 4 --divide
  hindsight perft quoridor:5x5:2 'c2 c4 1,2 a1h white' --plies 3 --json

For authors of rules, to compare programs. For each number of plies, from 0 to --plies:
  paths      the sequences of legal moves of that length (the perft number); a finished game has
             no moves
  positions  the distinct positions they end in; positions that differ in the side to move, in a
             hand or in the forbidden move are distinct, and so are symmetric ones
--divide counts the paths that begin with each first move; their sum is the last perft number.
Counting goes breadth first, with the distinct positions of two plies in memory. The count fails if
--memory does not suffice, or if there are more paths than 128 bits can count.")]
pub(crate) struct PerftArgs {
    /// The game, such as onitama:3x4:boar
    pub(crate) spec: String,
    /// The position to begin with; the start if none is given
    pub(crate) position: Option<String>,
    /// Plies to count, 0 to 1000
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 0..=MOST_PLIES)
    )]
    pub(crate) plies: u32,
    /// Also count the paths below each first move
    #[arg(long)]
    pub(crate) divide: bool,
}
