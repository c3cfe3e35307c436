//! Characters of pieces: filled ones for dark pieces, outlines for light ones.

use hindsight_core::{Drawing, PieceShape};

use super::inks::Ink;

/// The home of a leader who is elsewhere.
pub(super) const HOME: char = '⌂';
/// The edge of a cell on the side of the player whose home it is.
pub(super) const HOME_EDGE: &str = "═══";
/// A hole, as wide as its cell.
pub(super) const HOLE: &str = "▒▒▒";
/// The player to move.
pub(super) const TO_MOVE: char = '►';

/// Returns the character of a piece.
pub(super) fn piece_sign(shape: PieceShape, is_dark: bool) -> char {
    let [dark, light] = match shape {
        PieceShape::Pawn => ['●', '○'],
        PieceShape::Leader => ['♚', '♔'],
        PieceShape::Block => ['■', '□'],
        PieceShape::Cross => ['×', '×'],
        PieceShape::Ring => ['○', '○'],
        PieceShape::Arrow(right, up) => arrow_signs(right, up),
        // Other letters may be two columns wide, or none.
        PieceShape::Sign(sign) if sign.is_ascii_graphic() => [sign, sign],
        PieceShape::Sign(_) => ['?', '?'],
    };
    if is_dark { dark } else { light }
}

fn arrow_signs(right: i8, up: i8) -> [char; 2] {
    match (right.signum(), up.signum()) {
        (0, 1) => ['▲', '△'],
        (1, 1) => ['◥', '◹'],
        (1, 0) => ['►', '▻'],
        (1, _) => ['◢', '◿'],
        (0, -1) => ['▼', '▽'],
        (0, _) => ['◆', '◇'],
        (_, 1) => ['◤', '◸'],
        (_, 0) => ['◄', '◅'],
        _ => ['◣', '◺'],
    }
}

/// Returns the character and the colour of a player's ordinary pieces; `None` if there are none.
pub(super) fn player_sign(drawing: &Drawing, player: usize) -> Option<(char, Ink)> {
    let seat = &drawing.seats[player];
    let pieces = drawing.pieces.iter();
    let mut pieces = pieces.filter(|piece| piece.player == Some(player));
    let any = pieces.clone().next()?;
    let piece = pieces.find(|piece| piece.shape != PieceShape::Leader);
    let shape = drawing.shape_of(piece.unwrap_or(any));
    Some((piece_sign(shape, seat.is_dark), Ink::of_seat(seat)))
}
