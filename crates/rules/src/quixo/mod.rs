//! Quixo: cubes that are taken from the rim of a square board and pushed back in with a mark.
//!
//! Source of the rules: S. Tanaka, F. Bonnet, S. Tixeuil, Y. Tamura, "Quixo is solved" (2020),
//! arXiv 2007.15895.

mod board_parts;
mod cubes;
mod marked_parts;
mod notation;
mod picture;
mod ranks;

use alloc::format;
use alloc::vec::Vec;

use hindsight_core::{Game, Grid, PackedGame, Packing, ParseError, Symmetry, Wdl};

use crate::game_entry::{GameEntry, Setup, TextToken};
use crate::grammar::parse_size;
use cubes::{Cubes, Push};
use ranks::QuixoRanks;

/// The rules on a board of 3 x 3 to 5 x 5.
///
/// The two sides play by the same rules, so `canonical` always merges the players: a class is what
/// the player to move sees. `Symmetry::All` also merges the images under the eight symmetries of
/// the board.
#[derive(Clone, Debug)]
pub struct Quixo {
    cubes: Cubes,
    ranks: QuixoRanks,
    symmetry: Symmetry,
}

/// Cubes with the mark of the player to move and of the opponent: bit `s` is square `s` of the
/// [`Grid`]. `player` is 0 for X and 1 for O.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QuixoPosition {
    player: u8,
    own: u32,
    other: u32,
}

/// Number of a push in the list of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QuixoMove(u8);

impl Quixo {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry {
        name: "quixo",
        form: "quixo:SIZExSIZE",
        about: "cubes taken from the rim and pushed back in with a mark, 3x3 to 5x5",
        example: "quixo:3x3",
        options: &[],
        rules: |spec, setup| Ok(PackedGame::ranked(Self::from_spec(spec, setup)?)),
    };
    fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        let tokens: Vec<_> = spec.split(':').collect();
        let [_, size] = tokens.as_slice() else {
            let message = "quixo needs a size and nothing else: quixo:SIZExSIZE, such as quixo:3x3";
            return Err(ParseError::new(spec.end(), message));
        };
        let (size, _) = parse_size(*size, |width, height| {
            if width == height && (3..=5).contains(&width) {
                return Ok(());
            }
            let message = "quixo is played on 3x3, 4x4 or 5x5";
            Err(format!("{message}, not on {width}x{height}"))
        })?;
        Ok(Self::new(size, setup.symmetry))
    }
}

impl Quixo {
    /// Returns the rules on a board of `size` x `size`.
    ///
    /// The tables that number the positions take up to 28 MB, on 5 x 5.
    ///
    /// # Panics
    /// If `size` is not 3 to 5.
    #[must_use]
    pub fn new(size: u8, symmetry: Symmetry) -> Self {
        assert!((3..=5).contains(&size), "a board of 3 x 3 to 5 x 5");
        Self { cubes: Cubes::new(size), ranks: QuixoRanks::new(size), symmetry }
    }

    fn size(&self) -> u8 {
        self.cubes.size()
    }

    fn grid(&self) -> Grid {
        Grid::new(self.size(), self.size())
    }

    fn is_over(&self, position: QuixoPosition) -> bool {
        self.cubes.has_line(position.own) || self.cubes.has_line(position.other)
    }

    /// Pushes that the rules allow while the game goes on: the opponent's cubes stay in place.
    fn pushes(&self, position: QuixoPosition) -> impl Iterator<Item = (u8, &Push)> {
        let pushes = (0..).zip(&self.cubes.pushes);
        pushes.filter(move |(_, push)| position.other & push.from == 0)
    }
}

impl QuixoPosition {
    fn after(self, push: &Push) -> Self {
        Self {
            player: 1 - self.player,
            own: push.shifted(self.other),
            other: push.shifted(self.own) | push.to,
        }
    }
}

impl Game for Quixo {
    type Position = QuixoPosition;
    type Move = QuixoMove;
    fn table_bytes(&self) -> u64 {
        self.ranks.bytes()
    }
    fn start(&self) -> QuixoPosition {
        QuixoPosition { player: 0, own: 0, other: 0 }
    }
    fn player_to_move(&self, position: QuixoPosition) -> usize {
        position.player.into()
    }
    /// A line of the player to move counts first: the opponent has made it, and has lost by that.
    #[inline]
    fn terminal(&self, position: QuixoPosition) -> Option<Wdl> {
        if self.cubes.has_line(position.own) {
            return Some(Wdl::Win);
        }
        self.cubes.has_line(position.other).then_some(Wdl::Loss)
    }
    #[inline]
    fn is_position(&self, QuixoPosition { player, own, other }: QuixoPosition) -> bool {
        player < 2 && own & other == 0 && (own | other) >> self.grid().squares() == 0
    }
    fn moves(&self, position: QuixoPosition, out: &mut Vec<QuixoMove>) {
        if !self.is_over(position) {
            out.extend(self.pushes(position).map(|(number, _)| QuixoMove(number)));
        }
    }
    fn play(&self, position: QuixoPosition, mv: QuixoMove) -> QuixoPosition {
        position.after(&self.cubes.pushes[usize::from(mv.0)])
    }
    #[inline]
    fn successors(&self, position: QuixoPosition, out: &mut Vec<QuixoPosition>) {
        if !self.is_over(position) {
            out.extend(self.pushes(position).map(|(_, push)| position.after(push)));
        }
    }
    fn images(&self, position: QuixoPosition, out: &mut Vec<QuixoPosition>) {
        let count = if self.symmetry == Symmetry::All { 8 } else { 1 };
        for symmetry in 0..count {
            let image = |set: u32| self.grid().image(set.into(), symmetry) as u32;
            let [own, other] = [position.own, position.other].map(image);
            let images = [0, 1].map(|player| QuixoPosition { player, own, other });
            out.extend(images.into_iter().filter(|&image| image != position));
        }
    }
    #[inline]
    fn canonical(&self, position: QuixoPosition) -> QuixoPosition {
        let position = QuixoPosition { player: 0, ..position };
        if self.symmetry != Symmetry::All {
            return position;
        }
        let mut images = Vec::new();
        self.images(position, &mut images);
        images.into_iter().fold(position, Ord::min)
    }
}

impl Packing<3> for Quixo {
    #[inline]
    fn pack(&self, position: QuixoPosition) -> [u32; 3] {
        [position.player.into(), position.own, position.other]
    }
    #[inline]
    fn unpack(&self, [player, own, other]: [u32; 3]) -> QuixoPosition {
        QuixoPosition { player: player as u8, own, other }
    }
    fn pack_move(&self, mv: QuixoMove) -> u64 {
        mv.0.into()
    }
    fn unpack_move(&self, number: u64) -> QuixoMove {
        QuixoMove(number as u8)
    }
}
