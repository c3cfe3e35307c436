//! Every place of an L piece on the board.

/// An L piece on the board: a stroke of three squares with a foot at one end. Bit `s` of `squares`
/// is square `s` of the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct LPiece {
    pub(super) squares: u16,
    /// End of the stroke without the foot.
    pub(super) tip: u8,
    /// End of the stroke with the foot.
    pub(super) corner: u8,
    /// Square of the foot.
    pub(super) foot: u8,
}

/// Number of places of an L piece.
pub(super) const L_PIECE_COUNT: usize = 48;

/// Every place of an L piece, in the order of the first squares of the strokes.
pub(super) const L_PIECES: [LPiece; L_PIECE_COUNT] = list();

/// Returns the number of the L piece on these squares; `None` if they are no L.
pub(super) fn l_piece(squares: u16) -> Option<u8> {
    let number = L_PIECES.iter().position(|piece| piece.squares == squares)?;
    Some(number as u8)
}

const fn list() -> [LPiece; L_PIECE_COUNT] {
    let none = LPiece { squares: 0, tip: 0, corner: 0, foot: 0 };
    let (mut pieces, mut count) = ([none; L_PIECE_COUNT], 0);
    let mut number = 0;
    while number < 16 * 8 {
        if let Some(piece) = placed(number / 8, number % 8) {
            pieces[count] = piece;
            count += 1;
        }
        number += 1;
    }
    assert!(count == L_PIECE_COUNT, "an L has 48 places");
    pieces
}

/// Returns the L piece whose stroke has `first` as its square nearest to the top left corner.
///
/// Bit 0 of `form` lays the stroke level. Bit 1 puts the foot at the first square, else it is at
/// the last. Bit 2 puts the foot below or to the right of the stroke, else it is on the other side.
const fn placed(first: u8, form: u8) -> Option<LPiece> {
    let (along, across) = if form & 1 == 0 { (4, 1) } else { (1, 4) };
    let [at_along, at_across] = [first / along % 4, first / across % 4];
    let is_after = form & 4 != 0;
    if at_along > 1 || is_after && at_across == 3 || !is_after && at_across == 0 {
        return None;
    }
    let (tip, corner) =
        if form & 2 == 0 { (first, first + 2 * along) } else { (first + 2 * along, first) };
    let foot = if is_after { corner + across } else { corner - across };
    Some(LPiece {
        squares: 1 << first | 1 << (first + along) | 1 << (first + 2 * along) | 1 << foot,
        tip,
        corner,
        foot,
    })
}
