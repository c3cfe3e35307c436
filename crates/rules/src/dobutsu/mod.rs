//! Dobutsu shogi: a lion, a giraffe, an elephant and a chick a side, on a board of 3 x 4.
//!
//! Source of the rules and of numbers: T. Tanaka, "An Analysis of a Board Game 'Dobutsu Shogi'"
//! (2009), IPSJ SIG Technical Report 2009-GI-22(3).

mod arrangements;
mod notation;
mod picture;
mod ranks;
mod replies;
mod side;
mod squares;

use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{
    Game, Material, PackedGame, Packing, ParseError, Symmetry, Wdl, leaves_piece_en_prise,
};

use crate::game_entry::{GameEntry, Setup, TextToken};
use crate::words::{pack_bytes, pack_option, unpack_bytes, unpack_option};
use side::{CHICK, DobutsuSide, HAND_KINDS, HEN, LION};
use squares::{BOARD, Forward, MIRRORED, SOURCES, TURNED};

/// The rules, with the symmetries of `canonical`.
///
/// Both sides play by the same rules, so `canonical` always merges the players: a class is what the
/// player to move sees. `Symmetry::All` also merges images with left and right exchanged.
#[derive(Clone, Debug, Default)]
pub struct Dobutsu {
    arrangements: arrangements::Arrangements,
    symmetry: Symmetry,
}

/// Pieces as the player to move sees them: the own ones move up. `player` is 0 for South, whose
/// pieces move up the board that is not turned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DobutsuPosition {
    player: u8,
    own: DobutsuSide,
    other: DobutsuSide,
}

/// A piece goes to a square, as its player sees them; `from` is `None` for a piece out of the hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DobutsuMove {
    kind: u8,
    from: Option<u8>,
    to: u8,
}

/// Bit of the player in the first word of a packed position; sets have 12 bits.
const PLAYER_BIT: u32 = 31;

impl Dobutsu {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry::alone(
        "dobutsu",
        "dobutsu shogi on 3x4: take the lion, or bring yours to the last row",
        |spec, setup| Ok(PackedGame::ranked(Self::from_spec(spec, setup)?)),
    );
    fn from_spec(_: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self::new(setup.symmetry))
    }
}

impl Dobutsu {
    /// Returns the rules, with tables of some kilobytes that number the positions.
    #[must_use]
    pub fn new(symmetry: Symmetry) -> Self {
        Self { symmetry, ..Self::default() }
    }
}

impl DobutsuPosition {
    /// The same position, seen by the other side, with the other side to move.
    #[inline]
    fn turned(self) -> Self {
        Self {
            player: 1 - self.player,
            own: self.other.image(&TURNED),
            other: self.own.image(&TURNED),
        }
    }

    fn mirrored(self) -> Self {
        Self { own: self.own.image(&MIRRORED), other: self.other.image(&MIRRORED), ..self }
    }

    /// Position after a move, before the board is turned: the mover is `own`.
    #[inline]
    fn moved(self, mv: DobutsuMove) -> Self {
        let Self { mut own, mut other, .. } = self;
        let (kind, to) = (usize::from(mv.kind), 1 << mv.to);
        match mv.from {
            Some(from) => own.board[kind] &= !(1 << from),
            None => *own.in_hand_mut(kind) -= 1,
        }
        let becomes_hen = kind == CHICK && mv.from.is_some() && to & Forward::Up.last_row() != 0;
        own.board[if becomes_hen { HEN } else { kind }] |= to;
        if let Some(taken) = other.lose(to) {
            *own.in_hand_mut(taken) += 1;
        }
        Self { own, other, ..self }
    }

    /// Calls `visit` with every move of a position that is not terminal: pieces on the board by
    /// kind, then pieces out of the hand.
    #[inline]
    fn each_move(&self, mut visit: impl FnMut(DobutsuMove)) {
        let (own, other) = (self.own.squares(), self.other.squares());
        for (kind, &pieces) in self.own.board.iter().enumerate() {
            for from in SetBits(u64::from(pieces)) {
                // A step leads from `from` to the sources of the same step backward.
                let targets = SOURCES[Forward::Down as usize][kind][usize::from(from)] & !own;
                SetBits(u64::from(targets)).for_each(|to| {
                    visit(DobutsuMove { kind: kind as u8, from: Some(from), to });
                });
            }
        }
        let free = u64::from(BOARD & !own & !other);
        for kind in HAND_KINDS.into_iter().filter(|&kind| *self.own.in_hand(kind) > 0) {
            SetBits(free).for_each(|to| {
                visit(DobutsuMove { kind: kind as u8, from: None, to });
            });
        }
    }
}

impl Game for Dobutsu {
    type Position = DobutsuPosition;
    type Move = DobutsuMove;
    fn start(&self) -> DobutsuPosition {
        let own = DobutsuSide { board: [1 << 10, 1 << 11, 1 << 9, 1 << 7, 0], hand: [0; 3] };
        DobutsuPosition { player: 0, own, other: own.image(&TURNED) }
    }
    fn player_to_move(&self, position: DobutsuPosition) -> usize {
        position.player.into()
    }
    /// A side has won whose lion has stayed on its last row, or reaches it where it cannot be
    /// taken. A player who cannot move has lost.
    #[inline]
    fn terminal(&self, position: DobutsuPosition) -> Option<Wdl> {
        let DobutsuPosition { own, other, .. } = position;
        if own.board[LION] == 0 {
            return Some(Wdl::Loss);
        }
        if own.board[LION] & Forward::Up.last_row() != 0 {
            return Some(Wdl::Win);
        }
        let has_arrived = other.board[LION] & Forward::Down.last_row() != 0;
        let lion = other.board[LION].trailing_zeros();
        let is_lost = has_arrived && !own.attacks(lion, Forward::Up) || !own.can_move(Forward::Up);
        is_lost.then_some(Wdl::Loss)
    }
    #[inline]
    fn is_position(&self, DobutsuPosition { own, other, .. }: DobutsuPosition) -> bool {
        let pieces = |side: &DobutsuSide| side.board.iter().map(|set| set.count_ones()).sum();
        let counts: [u32; 2] = [&own, &other].map(pieces);
        let squares = own.squares() | other.squares();
        let is_apart = squares & !BOARD == 0 && squares.count_ones() == counts[0] + counts[1];
        let lions = [own, other].map(|side| side.board[LION].count_ones());
        is_apart
            && lions[0] <= 1
            && lions[1] == 1
            && HAND_KINDS.iter().all(|&kind| own.count(kind) + other.count(kind) == 2)
    }
    fn moves(&self, position: DobutsuPosition, out: &mut Vec<DobutsuMove>) {
        if self.terminal(position).is_none() {
            position.each_move(|mv| out.push(mv));
        }
    }
    fn play(&self, position: DobutsuPosition, mv: DobutsuMove) -> DobutsuPosition {
        position.moved(mv).turned()
    }
    fn images(&self, position: DobutsuPosition, out: &mut Vec<DobutsuPosition>) {
        let of_players =
            |position: DobutsuPosition| [0, 1].map(|player| DobutsuPosition { player, ..position });
        let mut images = of_players(position).to_vec();
        if self.symmetry == Symmetry::All {
            images.extend(of_players(position.mirrored()));
        }
        out.extend(images.into_iter().filter(|&image| image != position));
    }
    #[inline]
    fn canonical(&self, position: DobutsuPosition) -> DobutsuPosition {
        let seen = DobutsuPosition { player: 0, ..position };
        match self.symmetry {
            Symmetry::All => seen.min(seen.mirrored()),
            _ => seen,
        }
    }
    fn material(&self) -> Option<&dyn Material<Position = DobutsuPosition, Move = DobutsuMove>> {
        Some(self)
    }
}

impl Material for Dobutsu {
    fn describe_sacrifice(&self) -> &'static str {
        "a piece that can be taken"
    }
    fn piece_counts(&self, position: DobutsuPosition) -> [u32; 2] {
        [position.own, position.other].map(|side| {
            let in_hand: u8 = side.hand.iter().sum();
            side.squares().count_ones() + u32::from(in_hand)
        })
    }
    fn gives_up_piece(&self, position: DobutsuPosition, mv: DobutsuMove) -> bool {
        leaves_piece_en_prise(self, position, mv)
    }
}

impl Packing<6> for Dobutsu {
    #[inline]
    fn pack(&self, position: DobutsuPosition) -> [u32; 6] {
        let [[a, b, c], [d, e, f]] = [position.own, position.other].map(DobutsuSide::words);
        [u32::from(position.player) << PLAYER_BIT | a, b, c, d, e, f]
    }
    #[inline]
    fn unpack(&self, [first, b, c, d, e, f]: [u32; 6]) -> DobutsuPosition {
        DobutsuPosition {
            player: (first >> PLAYER_BIT) as u8,
            own: DobutsuSide::of_words([first & !(1 << PLAYER_BIT), b, c]),
            other: DobutsuSide::of_words([d, e, f]),
        }
    }
    fn pack_move(&self, mv: DobutsuMove) -> u64 {
        pack_bytes([mv.kind, pack_option(mv.from), mv.to])
    }
    fn unpack_move(&self, number: u64) -> DobutsuMove {
        let [kind, from, to] = unpack_bytes(number);
        DobutsuMove { kind, from: unpack_option(from), to }
    }
}
