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

Authors of programs compare these numbers to find faults in rules. For each number of plies, from \
0 to --plies, there are two:
  paths      sequences of legal moves of that length (the perft number)
  positions  different positions at the end of these sequences
A finished game has no moves. Positions with a different side to move, hand or forbidden move are \
different, and so are mirror images.

Two plies of positions are held in memory. The count fails if they need more than --memory, or if \
there are more paths than 128 bits can count.")]
pub(crate) struct PerftArgs {
    /// The game, such as onitama:3x4:boar
    pub(crate) spec: String,
    /// The position to begin with [default: the start]
    pub(crate) position: Option<String>,
    /// Most plies to count, 0 to 1000
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("plies", 0..=MOST_PLIES)
    )]
    pub(crate) plies: u32,
    /// Also count the paths behind each first move; their sum is the last number
    #[arg(long)]
    pub(crate) divide: bool,
}
