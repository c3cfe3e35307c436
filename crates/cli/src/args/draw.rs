//! Arguments of `draw`.

use std::path::PathBuf;

use super::PositionArgs;

/// Most pixels for each unit of a picture.
const MOST_SCALE: u64 = 8;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight draw onitama:5x5:tiger,crab,monkey,crane,dragon --out start.svg
  hindsight draw ostle 'WWWWW/...../..O../...../B.BBB black c3D' --out ostle.png
  hindsight draw quoridor:5x5:2 'c1 c5 1,2 b2h black' --last b2h --out q.svg
  hindsight draw dodgem:3x3 --flip --out turned.svg
  hindsight draw tic-tac-toe --out - > start.svg

The ending of the file says its format: SVG, which any browser shows, or PNG. To standard output \
goes SVG. The players differ by light and dark as well as by colour. The cards of Onitama show \
their moves as the board lies in the picture: those of the player at the top are turned.")]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// The picture, a file that ends in .svg or .png; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Mark the squares, or the fence, of the move that led here, such as b1b2:crane
    #[arg(long, value_name = "MOVE")]
    pub(crate) last: Option<String>,
    /// Draw the board as it is seen from the other side
    #[arg(long)]
    pub(crate) flip: bool,
    /// Pixels of a PNG for each unit of the picture, 1 to 8; a square of the board has 56 units
    #[arg(
        long,
        value_name = "N",
        default_value = "2",
        value_parser = super::number_parser::<u16>("pixels", 1..=MOST_SCALE)
    )]
    pub(crate) scale: u16,
}
