//! The L-game: two L-shaped pieces and two neutral squares on a board of 4 x 4.
//!
//! Source: E. de Bono, *The Five-Day Course in Thinking* (1967).

mod notation;
mod picture;
mod pieces;
mod ranks;

use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{Game, Grid, PackedGame, Packing, ParseError, Symmetry, Wdl};

use crate::game_entry::{GameEntry, Setup, TextToken};
use crate::words::{pack_bytes, pack_option, unpack_bytes, unpack_option};
use pieces::{L_PIECES, l_piece};

const GRID: Grid = Grid::new(4, 4);
const ALL_SQUARES: u16 = u16::MAX;

/// The rules, with the symmetries of `canonical`.
///
/// The two sides play by the same rules, so `canonical` always merges the players: a class is what
/// the player to move sees. `Symmetry::All` also merges the images under the eight symmetries of
/// the board.
#[derive(Clone, Copy, Debug, Default)]
pub struct LGame(pub Symmetry);

/// The two L pieces by their numbers in the list of all places, and the squares of the neutral
/// pieces. `player` is 0 for X and 1 for O.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LGamePosition {
    player: u8,
    own: u8,
    other: u8,
    neutral: u16,
}

/// New place of the own L piece, and the step of a neutral piece, if one moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LGameMove {
    to: u8,
    neutral: Option<NeutralStep>,
}

/// Squares that a neutral piece leaves and enters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct NeutralStep {
    from: u8,
    to: u8,
}

impl NeutralStep {
    /// Squares of both neutral pieces after the step.
    fn applied(self, neutral: u16) -> u16 {
        neutral & !(1 << self.from) | 1 << self.to
    }
}

impl LGame {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry::alone(
        "l-game",
        "two L pieces and two neutral squares on 4x4; who cannot move loses",
        |spec, setup| Ok(PackedGame::ranked(Self::from_spec(spec, setup)?)),
    );
    fn from_spec(_: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self(setup.symmetry))
    }
}

impl LGamePosition {
    /// Squares on which the own L piece may not be put.
    fn taken(self) -> u16 {
        L_PIECES[usize::from(self.other)].squares | self.neutral
    }

    /// Places to which the own L piece may go.
    fn targets(self) -> impl Iterator<Item = u8> {
        let taken = self.taken();
        let is_target =
            move |&to: &u8| to != self.own && L_PIECES[usize::from(to)].squares & taken == 0;
        (0..L_PIECES.len() as u8).filter(is_target)
    }
}

/// Steps of the neutral pieces to squares outside `taken`.
fn neutral_steps(neutral: u16, taken: u16) -> impl Iterator<Item = NeutralStep> {
    let free = u64::from(ALL_SQUARES & !taken & !neutral);
    let steps = move |from| SetBits(free).map(move |to| NeutralStep { from, to });
    SetBits(u64::from(neutral)).flat_map(steps)
}

impl Game for LGame {
    type Position = LGamePosition;
    type Move = LGameMove;
    fn start(&self) -> LGamePosition {
        LGamePosition {
            player: 0,
            own: l_piece(0b0000_0100_0100_0110).expect("an L"),
            other: l_piece(0b0110_0010_0010_0000).expect("an L"),
            neutral: 0b1000_0000_0000_0001,
        }
    }
    fn player_to_move(&self, position: LGamePosition) -> usize {
        position.player.into()
    }
    /// A player who cannot move the own L piece has lost.
    fn terminal(&self, position: LGamePosition) -> Option<Wdl> {
        let is_over = position.targets().next().is_none();
        is_over.then_some(Wdl::Loss)
    }
    #[inline]
    fn is_position(&self, position: LGamePosition) -> bool {
        let LGamePosition { player, own, other, neutral } = position;
        let piece = |number: u8| L_PIECES.get(usize::from(number)).map(|piece| piece.squares);
        let (Some(own), Some(other)) = (piece(own), piece(other)) else {
            return false;
        };
        let is_free = own & other == 0 && (own | other) & neutral == 0;
        player < 2 && is_free && neutral.count_ones() == 2
    }
    fn moves(&self, position: LGamePosition, out: &mut Vec<LGameMove>) {
        let other = L_PIECES[usize::from(position.other)].squares;
        for to in position.targets() {
            out.push(LGameMove { to, neutral: None });
            let taken = other | L_PIECES[usize::from(to)].squares;
            let steps = neutral_steps(position.neutral, taken);
            let neutral = steps.map(Some);
            out.extend(neutral.map(|neutral| LGameMove { to, neutral }));
        }
    }
    fn play(&self, position: LGamePosition, mv: LGameMove) -> LGamePosition {
        let neutral = mv.neutral.map(|step| step.applied(position.neutral));
        LGamePosition {
            player: 1 - position.player,
            own: position.other,
            other: mv.to,
            neutral: neutral.unwrap_or(position.neutral),
        }
    }
    fn images(&self, position: LGamePosition, out: &mut Vec<LGamePosition>) {
        let count = if self.0 == Symmetry::All { 8 } else { 1 };
        for symmetry in 0..count {
            let image = |set: u16| GRID.image(set.into(), symmetry) as u16;
            let piece = |number: u8| {
                let squares = image(L_PIECES[usize::from(number)].squares);
                l_piece(squares).expect("the image of an L is an L")
            };
            let [own, other] = [position.own, position.other].map(piece);
            let neutral = image(position.neutral);
            let images = [0, 1].map(|player| LGamePosition { player, own, other, neutral });
            out.extend(images.into_iter().filter(|&image| image != position));
        }
    }
}

impl Packing<2> for LGame {
    #[inline]
    fn pack(&self, position: LGamePosition) -> [u32; 2] {
        let LGamePosition { player, own, other, neutral } = position;
        [u32::from_be_bytes([0, player, own, other]), neutral.into()]
    }
    #[inline]
    fn unpack(&self, [bytes, neutral]: [u32; 2]) -> LGamePosition {
        let [_, player, own, other] = bytes.to_be_bytes();
        LGamePosition { player, own, other, neutral: neutral as u16 }
    }
    fn pack_move(&self, mv: LGameMove) -> u64 {
        let from = pack_option(mv.neutral.map(|step| step.from));
        pack_bytes([mv.to, from, mv.neutral.map_or(0, |step| step.to)])
    }
    fn unpack_move(&self, number: u64) -> LGameMove {
        let [place, from, to] = unpack_bytes(number);
        let neutral = unpack_option(from).map(|from| NeutralStep { from, to });
        LGameMove { to: place, neutral }
    }
}
