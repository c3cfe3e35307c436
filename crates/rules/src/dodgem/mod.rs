//! Dodgem: cars that leave a square board by its right and by its upper edge.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways for Your Mathematical Plays*;
//! the game is by Colin Vout.

mod picture;

use alloc::{format, string::String, vec::Vec};

use hindsight_core::combinatorics::{
    PieceArrangements, SetBits, rank_mixed_radix, unrank_mixed_radix,
};
use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Grid, Notation, PackedGame, Packing, ParseError, Ranked,
    Retro, Symmetry, Tiers, Wdl,
};

use crate::game_entry::{GameEntry, Setup, TextToken};
use crate::grammar::parse_size;
use crate::words::{halves, pack_bytes, pack_option, unpack_bytes, unpack_option, whole};

/// Symmetry of [`Grid::image`] that exchanges the directions right and up; its own inverse.
const EXCHANGE: u8 = 1 | 2 | 4;

/// The rules on a board of `size` x `size`.
///
/// Right has cars on the left column, Up on the bottom row. The corner between them is empty.
///
/// # Panics
/// Methods panic if `size` is not 2 to 8.
#[derive(Clone, Copy, Debug)]
pub struct Dodgem {
    /// Squares of a side of the board, 2 to 8.
    pub size: u8,
    /// Symmetries of `canonical`: the exchange of the players, with `Swap` or `All`.
    pub symmetry: Symmetry,
}

/// Position as the player to move sees it: the own cars move right, the other cars move up.
///
/// `player` is 0 for Right and 1 for Up. Bit `s` of a set is square `s` of the [`Grid`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DodgemPosition {
    player: u8,
    own: u64,
    other: u64,
}

/// Step of a car, in squares as its player sees them; `to` is `None` if the car leaves the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DodgemMove {
    from: u8,
    to: Option<u8>,
}

impl Dodgem {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry {
        name: "dodgem",
        form: "dodgem:SIZExSIZE",
        about: "cars that leave a square board, 2x2 to 8x8, by its right and its upper edge",
        example: "dodgem:3x3",
        options: &[],
        rules: |spec, setup| Ok(PackedGame::ranked(Self::from_spec(spec, setup)?)),
    };
    fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        let tokens: Vec<_> = spec.split(':').collect();
        let [_, size] = tokens.as_slice() else {
            let message =
                "dodgem needs a size and nothing else: dodgem:SIZExSIZE, such as dodgem:3x3";
            return Err(ParseError::new(spec.end(), message));
        };
        let (size, _) = parse_size(*size, |width, height| {
            if width == height && (2..=8).contains(&width) {
                return Ok(());
            }
            let message = "dodgem is played on a square board, 2x2 to 8x8";
            Err(format!("{message}, not on {width}x{height}"))
        })?;
        Ok(Self { size, symmetry: setup.symmetry })
    }
}

impl Dodgem {
    fn grid(self) -> Grid {
        Grid::new(self.size, self.size)
    }
    /// Image of a set by the reflection that exchanges the directions right and up.
    fn exchanged(self, set: u64) -> u64 {
        self.grid().image(set, EXCHANGE)
    }
    /// Free neighbours of a square: both beside it, and the one ahead (`ahead` = 1) or behind (-1).
    fn free_steps(self, from: u8, ahead: i8, taken: u64) -> impl Iterator<Item = u8> {
        let size = self.size as i8;
        let steps = [(ahead, 0), (0, -1), (0, 1)].into_iter();
        let targets = steps.filter_map(move |(right, down)| {
            let (row, column) = (from as i8 / size + down, from as i8 % size + right);
            let inside = (0..size).contains(&row) && (0..size).contains(&column);
            inside.then_some((row * size + column) as u8)
        });
        targets.filter(move |to| taken >> to & 1 == 0)
    }
    /// Squares of the cars of Right and of Up.
    fn cars(self, position: DodgemPosition) -> [u64; 2] {
        let DodgemPosition { player, own, other } = position;
        match player {
            0 => [own, other],
            _ => [self.exchanged(other), self.exchanged(own)],
        }
    }
    fn position(self, player: u8, [right, up]: [u64; 2]) -> DodgemPosition {
        let [own, other] = match player {
            0 => [right, up],
            _ => [self.exchanged(up), self.exchanged(right)],
        };
        DodgemPosition { player, own, other }
    }
}

impl Game for Dodgem {
    type Position = DodgemPosition;
    type Move = DodgemMove;
    fn start(&self) -> DodgemPosition {
        let rows = 0..self.size - 1;
        let left = rows.fold(0, |cars, row| cars | 1 << (row * self.size));
        self.position(0, [left, self.exchanged(left)])
    }
    fn player_to_move(&self, position: DodgemPosition) -> usize {
        position.player.into()
    }
    /// A player without cars on the board has won, and so has a player to move who cannot move.
    fn terminal(&self, position: DodgemPosition) -> Option<Wdl> {
        if position.other == 0 {
            return Some(Wdl::Loss);
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.is_empty().then_some(Wdl::Win)
    }
    #[inline]
    fn is_position(&self, DodgemPosition { player, own, other }: DodgemPosition) -> bool {
        let board = u64::MAX >> (64 - self.grid().squares());
        let has_cars = |cars: u64| cars.count_ones() < self.size.into();
        let is_on_board = (own | other) & !board == 0 && own & other == 0;
        player < 2 && is_on_board && own != 0 && has_cars(own) && has_cars(other)
    }
    fn moves(&self, position: DodgemPosition, out: &mut Vec<DodgemMove>) {
        let DodgemPosition { own, other, .. } = position;
        let cars = if other == 0 { 0 } else { own };
        for from in SetBits(cars) {
            let last_column = from % self.size == self.size - 1;
            out.extend(last_column.then_some(DodgemMove { from, to: None }));
            let free = self.free_steps(from, 1, own | other);
            out.extend(free.map(|to| DodgemMove { from, to: Some(to) }));
        }
    }
    fn play(&self, position: DodgemPosition, mv: DodgemMove) -> DodgemPosition {
        let own = position.own & !(1 << mv.from) | mv.to.map_or(0, |to| 1 << to);
        DodgemPosition {
            player: 1 - position.player,
            own: self.exchanged(position.other),
            other: self.exchanged(own),
        }
    }
    fn images(&self, position: DodgemPosition, out: &mut Vec<DodgemPosition>) {
        if self.symmetry != Symmetry::None {
            let player = 1 - position.player;
            out.push(DodgemPosition { player, ..position });
        }
    }
}

impl Notation for Dodgem {
    fn spec(&self) -> String {
        format!("dodgem:{0}x{0}", self.size)
    }
    fn player_names(&self) -> [&'static str; 2] {
        ["Right", "Up"]
    }
    fn format(&self, position: DodgemPosition) -> String {
        let [right, up] = self.cars(position);
        let board = self.grid().format(&[('R', right), ('U', up)]);
        format!("{board} {}", ["right", "up"][usize::from(position.player)])
    }
    fn parse(&self, text: &str) -> Result<DodgemPosition, ParseError> {
        let [board, turn] = TextToken::words(text)[..] else {
            let message = "a position is its rows and right or up, who moves";
            let start = self.format(self.start());
            return Err(ParseError::new(0, format!("{message}: {start}")));
        };
        let player = turn.turn(["right", "up"])?;
        let cars = self.grid().parse(board.text, ['R', 'U']).map_err(|e| e.shifted(board.at))?;
        for (name, cars) in self.player_names().into_iter().zip(cars) {
            let (count, most) = (cars.count_ones(), self.size - 1);
            if count > most.into() {
                return board.reject(format!("{name} has {count} cars; here the most is {most}"));
            }
        }
        if cars[usize::from(player)] == 0 {
            let name = self.player_names()[usize::from(player)];
            return board.reject(format!("{name} is to move and has no car"));
        }
        Ok(self.position(player, cars))
    }
    fn format_move(&self, position: DodgemPosition, mv: DodgemMove) -> String {
        let name = |square: u8| self.cell(position, square).name();
        format!("{}{}", name(mv.from), mv.to.map_or("off".into(), name))
    }
    fn drawing(&self, position: DodgemPosition) -> Drawing {
        self.picture(position)
    }
    fn drawn_move(&self, position: DodgemPosition, mv: DodgemMove) -> Option<DrawnMove> {
        Some(self.picture_of_move(position, mv))
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }
}

/// A tier holds the positions with the same two numbers of cars, `more >= fewer`, whichever side
/// has more: `tier = more * (more - 1) / 2 + fewer - 1`.
impl Tiers for Dodgem {
    fn layers(&self) -> u32 {
        u32::from(self.size) * u32::from(self.size - 1) / 2
    }
    fn layer_name(&self, layer: u32) -> String {
        let [more, fewer] = counts(layer.into());
        format!("cars: {more} and {fewer}")
    }
    fn tier_len(&self, tier: u64) -> u64 {
        let [more, fewer] = counts(tier);
        let orders = if more == fewer { 1 } else { 2 };
        orders * self.arrangements(more, fewer).len()
    }
}

/// Numbers of cars in a tier, the greater first.
fn counts(tier: u64) -> [u32; 2] {
    let (mut more, mut rest) = (1, tier as u32);
    while rest >= more {
        rest -= more;
        more += 1;
    }
    [more, rest + 1]
}

impl Dodgem {
    fn arrangements(self, own: u32, other: u32) -> PieceArrangements<2> {
        let squares = self.grid().squares().into();
        PieceArrangements::new(squares, [own, other]).expect("room for two rows of cars")
    }
}

/// `rank = behind * arrangements + rank of the own and the other cars`. `behind` is 1 if the player
/// to move has fewer cars, else 0. The players are exchanged so that a rank has Right to move.
impl Ranked for Dodgem {
    fn rank(&self, position: DodgemPosition) -> Option<(u64, u64)> {
        let sets = [position.own, position.other];
        let [own, other] = sets.map(u64::count_ones);
        let (more, fewer) = (own.max(other), own.min(other));
        let tier = (more * (more - 1) / 2 + fewer.checked_sub(1)?).into();
        let all = self.arrangements(own, other);
        let rank = rank_mixed_radix(&[(u64::from(own < other), 2), (all.rank(sets), all.len())]);
        Some((tier, rank?))
    }
    fn unrank(&self, tier: u64, rank: u64) -> Option<DodgemPosition> {
        let [more, fewer] = counts(tier);
        let len = self.arrangements(more, fewer).len();
        let [behind, rank] = unrank_mixed_radix(rank, [2, len]);
        let [own, other] = match behind {
            0 => self.arrangements(more, fewer).unrank(rank),
            _ => self.arrangements(fewer, more).unrank(rank),
        };
        Some(DodgemPosition { player: 0, own, other })
    }
}

impl Retro for Dodgem {
    fn predecessors(&self, position: DodgemPosition, out: &mut Vec<DodgemPosition>) {
        let (own, other) = (self.exchanged(position.other), self.exchanged(position.own));
        for to in SetBits(own) {
            let free = self.free_steps(to, -1, own | other);
            out.extend(free.map(|from| DodgemPosition {
                player: 1 - position.player,
                own: own & !(1 << to) | 1 << from,
                other,
            }));
        }
    }
}

impl Packing<6> for Dodgem {
    #[inline]
    fn pack(&self, position: DodgemPosition) -> [u32; 6] {
        let ([a, b], [c, d]) = (halves(position.own), halves(position.other));
        [position.player.into(), a, b, c, d, 0]
    }
    #[inline]
    fn unpack(&self, [player, a, b, c, d, _]: [u32; 6]) -> DodgemPosition {
        DodgemPosition { player: player as u8, own: whole([a, b]), other: whole([c, d]) }
    }
    fn pack_move(&self, mv: DodgemMove) -> u64 {
        pack_bytes([mv.from, pack_option(mv.to)])
    }
    fn unpack_move(&self, number: u64) -> DodgemMove {
        let [from, to] = unpack_bytes(number);
        DodgemMove { from, to: unpack_option(to) }
    }
}
