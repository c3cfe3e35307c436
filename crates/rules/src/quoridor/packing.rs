use hindsight_core::Packing;

use super::position::Fences;
use super::{Quoridor, QuoridorMove, QuoridorPlayer, QuoridorPosition};
use crate::words::{halves, pack_bytes, unpack_bytes, whole};

impl Packing<6> for Quoridor {
    #[inline]
    fn pack(&self, position: QuoridorPosition) -> [u32; 6] {
        let Fences { vertical, horizontal } = position.fences;
        let ([a, b], [c, d]) = (halves(vertical), halves(horizontal));
        let ([white, black], [first, second]) = (position.pawns, position.hands);
        let pawns = u32::from_be_bytes([white, black, first, second]);
        [a, b, c, d, pawns, position.player as u32]
    }

    #[inline]
    fn unpack(&self, [a, b, c, d, pawns, player]: [u32; 6]) -> QuoridorPosition {
        let [white, black, first, second] = pawns.to_be_bytes();
        QuoridorPosition {
            fences: Fences { vertical: whole([a, b]), horizontal: whole([c, d]) },
            pawns: [white, black],
            hands: [first, second],
            player: match player {
                0 => QuoridorPlayer::White,
                _ => QuoridorPlayer::Black,
            },
        }
    }

    #[inline]
    fn pack_move(&self, mv: QuoridorMove) -> u64 {
        pack_bytes(match mv {
            QuoridorMove::Pawn(square) => [square, 0],
            QuoridorMove::Horizontal(anchor) => [anchor, 1],
            QuoridorMove::Vertical(anchor) => [anchor, 2],
        })
    }

    #[inline]
    fn unpack_move(&self, number: u64) -> QuoridorMove {
        match unpack_bytes(number) {
            [square, 0] => QuoridorMove::Pawn(square),
            [anchor, 1] => QuoridorMove::Horizontal(anchor),
            [anchor, _] => QuoridorMove::Vertical(anchor),
        }
    }
}
