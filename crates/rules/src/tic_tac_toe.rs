//! Three in a row on nine squares: the game to copy when adding one.

use alloc::{format, string::String, vec::Vec};

use hindsight_core::combinatorics::PieceArrangements;
use hindsight_core::{
    Countdown, Drawing, DrawnMove, DrawnSetup, Game, Grid, Notation, PackedGame, Packing,
    ParseError, PlacedText, Ranked, Retro, SetupKinds, Symmetry, Tiers, Wdl,
};

use crate::crosses_and_rings::{X_AND_O, setup_kinds, text_of};
use crate::game_entry::{GameEntry, Setup, TextToken};

const GRID: Grid = Grid::new(3, 3);
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The rules, with the symmetries of `canonical`. `Symmetry::Swap` acts as `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe(pub Symmetry);

impl TicTacToe {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry =
        GameEntry::alone("tic-tac-toe", "three in a row on nine squares", |spec, setup| {
            Ok(PackedGame::ranked(Self::from_spec(spec, setup)?))
        });
    fn from_spec(_: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self(setup.symmetry))
    }
}

fn has_line(stones: u64) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

impl Game for TicTacToe {
    type Position = [u64; 2]; // Squares of the player to move and of the opponent.
    type Move = u8; // The square of the new stone.
    fn start(&self) -> [u64; 2] {
        [0, 0]
    }
    fn player_to_move(&self, [own, other]: [u64; 2]) -> usize {
        usize::from(own.count_ones() < other.count_ones())
    }
    fn terminal(&self, [own, other]: [u64; 2]) -> Option<Wdl> {
        let draw = (own | other == 0o777).then_some(Wdl::Draw);
        has_line(other).then_some(Wdl::Loss).or(draw)
    }
    fn is_position(&self, [own, other]: [u64; 2]) -> bool {
        own & other == 0 && own | other <= 0o777
    }
    fn moves(&self, [own, other]: [u64; 2], out: &mut Vec<u8>) {
        out.extend((0..9).filter(|s| !has_line(other) && (own | other) >> s & 1 == 0));
    }
    fn play(&self, [own, other]: [u64; 2], square: u8) -> [u64; 2] {
        [other, own | 1 << square]
    }
    fn images(&self, sets: [u64; 2], out: &mut Vec<[u64; 2]>) {
        let count = if self.0 == Symmetry::All { 8 } else { 1 };
        out.extend((1..count).map(|symmetry| sets.map(|set| GRID.image(set, symmetry))));
    }
    fn countdown(&self) -> Option<&dyn Countdown<Position = [u64; 2], Move = u8>> {
        Some(self)
    }
}

impl Countdown for TicTacToe {
    fn plies_left(&self, [own, other]: [u64; 2]) -> u32 {
        9 - (own | other).count_ones()
    }
    fn key_bits(&self) -> u32 {
        18
    }
    fn key(&self, [own, other]: [u64; 2]) -> u64 {
        own << 9 | other
    }
    fn class_key(&self, sets: [u64; 2]) -> u64 {
        let image = |symmetry| sets.map(|set| GRID.image(set, symmetry));
        let keys = (1..8).map(|symmetry| self.key(image(symmetry)));
        keys.fold(self.key(sets), Ord::min)
    }
}

impl Notation for TicTacToe {
    fn spec(&self) -> String {
        Self::ENTRY.name.into()
    }
    fn player_names(&self) -> [&'static str; 2] {
        X_AND_O
    }
    fn format(&self, position: [u64; 2]) -> String {
        let player = self.player_to_move(position);
        GRID.format(&[('x', position[player]), ('o', position[1 - player])])
    }
    fn parse(&self, text: &str) -> Result<[u64; 2], ParseError> {
        let [x, o] = GRID.parse(text, ['x', 'o'])?;
        match x.count_ones().checked_sub(o.count_ones()) {
            Some(0) if !has_line(x) => Ok([x, o]),
            Some(1) if !has_line(o) => Ok([o, x]),
            Some(0 | 1) => TextToken::trimmed(text).reject("the game ended with three in a row"),
            _ => TextToken::trimmed(text).reject("X begins: as many x as o, or one more"),
        }
    }
    fn format_move(&self, _: [u64; 2], square: u8) -> String {
        GRID.square_name(square)
    }
    fn drawn_move(&self, _: [u64; 2], square: u8) -> Option<DrawnMove> {
        Some(DrawnMove { to: Some(GRID.cell(square)), ..DrawnMove::default() })
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }
}

impl DrawnSetup for TicTacToe {
    fn kinds(&self) -> SetupKinds {
        setup_kinds()
    }
    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        text_of(drawing, ['x', 'o'])
    }
}

/// Tier `t` holds the positions with `9 - t` stones. Each move leads to tier `t - 1`.
impl Tiers for TicTacToe {
    fn layers(&self) -> u32 {
        10
    }
    fn layer_name(&self, layer: u32) -> String {
        format!("{} stones", 9 - layer)
    }
    fn tier_len(&self, tier: u64) -> u64 {
        arrangements(tier).len()
    }
}

fn arrangements(tier: u64) -> PieceArrangements<2> {
    let stones = 9 - tier as u32;
    PieceArrangements::new(9, [stones / 2, stones.div_ceil(2)]).expect("room")
}

/// A rank is a hole if the player to move has a line: the game ended before.
impl Ranked for TicTacToe {
    fn rank(&self, sets: [u64; 2]) -> Option<(u64, u64)> {
        let tier = u64::from(9 - (sets[0] | sets[1]).count_ones());
        Some((tier, arrangements(tier).rank(sets)))
    }
    fn unrank(&self, tier: u64, rank: u64) -> Option<[u64; 2]> {
        Some(arrangements(tier).unrank(rank)).filter(|sets| !has_line(sets[0]))
    }
}

impl Retro for TicTacToe {}

impl Packing<2> for TicTacToe {
    fn pack(&self, position: [u64; 2]) -> [u32; 2] {
        position.map(|set| set as u32)
    }
    fn unpack(&self, words: [u32; 2]) -> [u64; 2] {
        words.map(u64::from)
    }
    fn pack_move(&self, square: u8) -> u64 {
        square.into()
    }
    fn unpack_move(&self, number: u64) -> u8 {
        number as u8
    }
}
