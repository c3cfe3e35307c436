use alloc::vec::Vec;

use game::{
    Edge, Game, Ranked, RestrictedOutlook, Restricting, Value, edges_between, edges_by_moves,
    ways_by_moves,
};

use super::board::{opposite, squares};
use super::ranks::Found;
use super::{Base, Move, Ostle, Position, Rule8, Unrestricted};

/// The number of a move among the ways of its position.
fn number(mv: Move) -> u8 {
    mv.code() + 1
}

impl Ostle {
    fn find(&self, base: Base) -> Found {
        self.unrestricted()
            .ranks()
            .find(base.own, base.other, base.hole)
    }

    /// Whether what is forbidden here may differ from what the moves that lead back exactly would tell,
    /// or the position is its own image. Such positions are rare, and looked at move by move.
    fn is_special(&self, base: Base) -> bool {
        match self.setup().rule8 {
            Rule8::Exact => self.unrestricted().ranks().is_symmetric(base),
            Rule8::Paper => self.is_nearly_symmetric(base),
        }
    }

    /// Whether two moves may lead to an image of the position, or a position two moves away be its image.
    /// A move empties one square and fills one, or shifts the hole by one.
    fn is_nearly_symmetric(&self, base: Base) -> bool {
        let images = &self.unrestricted().ranks().images;
        let board = self.board();
        let pieces = base.pieces();
        let apart = |a: u8, b: u8| {
            let size = board.size();
            (a / size).abs_diff(b / size) + (a % size).abs_diff(b % size)
        };
        (1..board.symmetries()).any(|symmetry| {
            apart(base.hole, board.map_square(symmetry, base.hole)) <= 2
                && (images.of(symmetry, pieces) ^ pieces).count_ones() <= 4
        })
    }

    /// Whether a move that removes nothing may be forbidden: the very position before came from here by
    /// such a move back.
    fn can_be_taken_back(&self, base: Base, mv: Move) -> bool {
        let game = self.unrestricted();
        if mv.square() == base.hole {
            return true;
        }
        let row = game.row(base.pieces(), base.hole, mv);
        !row.falls && row.last & base.other != 0
    }

    /// The first way of a ranked position whose move leads to the same position up to symmetry.
    fn first_like(&self, base: Base, mv: Move) -> u8 {
        let game = self.unrestricted();
        let wanted = game.rank(game.play(base, mv));
        let mut moves = game.all_moves(base);
        let first = moves.find(|&first| game.rank(game.play(base, first)) == wanted);
        first.map_or(0, number)
    }

    /// The move out of a ranked position as its edge from a position before.
    fn edge(&self, from: Found, mv: Move, back: Option<Move>) -> Edge {
        let way = |_| number(self.board().map_move(from.symmetry, mv));
        Edge {
            rank: from.rank,
            way: back.map_or(0, way),
            back: back.map_or(0, number),
        }
    }

    /// Appends the edges by moves that shifted the hole.
    fn hole_edges(&self, base: Base, edges: &mut Edges<'_>) {
        let board = self.board();
        let pieces = base.pieces();
        for direction in 0..4 {
            let from = board.stepped(1 << base.hole, opposite(direction)) & !pieces;
            if from != 0 {
                let hole = from.trailing_zeros() as u8;
                let before = (base.other, base.own, hole);
                let back = Move::new(base.hole, opposite(direction));
                self.add(before, Move::new(hole, direction), Some(back), edges);
            }
        }
    }

    /// Appends the edges by moves of pieces in a direction: rows that begin with a piece of the side
    /// that moved, behind it an empty square, shifted back as a whole or their first part.
    fn row_edges(&self, base: Base, direction: u8, edges: &mut Edges<'_>) {
        let board = self.board();
        let back = opposite(direction);
        let pieces = base.pieces();
        let all = u32::MAX >> (32 - board.squares());
        let empty = all & !pieces & !(1 << base.hole);
        let moved = base.other & board.stepped(empty, direction);
        for square in squares(moved) {
            let mut end = 1 << square;
            let from = board.stepped(end, back);
            let mv = Move::new(from.trailing_zeros() as u8, direction);
            let (mut own, mut other) = (base.other, base.own);
            let mut behind = from;
            while end & pieces != 0 {
                // The piece on `end` goes back to the square that the one before it left.
                if own & end != 0 {
                    own ^= end | behind;
                } else {
                    other ^= end | behind;
                }
                let is_pushed_back = base.own & end != 0;
                let taken_back =
                    is_pushed_back.then(|| Move::new(end.trailing_zeros() as u8, back));
                self.add((own, other, base.hole), mv, taken_back, edges);
                behind = end;
                end = board.stepped(end, direction);
            }
        }
    }

    fn add(
        &self,
        (own, other, hole): (u32, u32, u8),
        mv: Move,
        back: Option<Move>,
        edges: &mut Edges<'_>,
    ) {
        let from = self.unrestricted().ranks().find(own, other, hole);
        let special = match self.setup().rule8 {
            Rule8::Exact => from.symmetric,
            Rule8::Paper => self.is_nearly_symmetric(Base {
                own,
                other,
                hole,
                white: false,
            }),
        };
        if special {
            edges.apart.push(from.rank);
        } else {
            edges.out.push(self.edge(from, mv, back));
        }
    }
}

/// Edges found, and ranks whose moves must be looked at one by one.
struct Edges<'a> {
    out: &'a mut Vec<Edge>,
    apart: Vec<u64>,
}

impl Restricting for Ostle {
    type Base = Unrestricted;

    fn base(&self) -> &Unrestricted {
        self.unrestricted()
    }

    fn split(&self, state: Position) -> (Base, Option<Move>) {
        (state.base, state.forbidden)
    }

    fn join(&self, base: Base, forbidden: Option<Move>) -> Position {
        Position { base, forbidden }
    }

    fn forbidden_after(&self, base: Base, mv: Move) -> Option<Move> {
        self.unrestricted().forbidden_after(base, mv)
    }

    fn way(&self, base: Base, mv: Move) -> u8 {
        let game = self.unrestricted();
        let may_be = match self.setup().rule8 {
            Rule8::Paper if !game.removes(base, mv) && self.is_nearly_symmetric(base) => {
                game.forbidden_after(base, mv).is_some()
            }
            _ => self.can_be_taken_back(base, mv),
        };
        if may_be { number(mv) } else { 0 }
    }

    fn rank_state(&self, state: Position) -> Option<(u64, u64, u8)> {
        let game = self.unrestricted();
        game.terminal(state.base).is_none().then(|| {
            let found = self.find(state.base);
            let way = state.forbidden.map_or(0, |mv| {
                let mv = self.board().map_move(found.symmetry, mv);
                if !found.symmetric && self.setup().rule8 == Rule8::Exact {
                    return number(mv);
                }
                let base = game.ranks().unrank(found.tier, found.rank);
                if self.is_special(base) {
                    self.first_like(base, mv)
                } else {
                    number(mv)
                }
            });
            (found.tier, found.rank, way)
        })
    }

    fn reached_free(&self, base: Base) -> bool {
        let board = self.board();
        let all = u32::MAX >> (32 - board.squares());
        let empty = all & !base.pieces() & !(1 << base.hole);
        // A piece alone that moved from an empty square is not pushed back.
        let moved = (0..4).any(|direction| base.other & board.stepped(empty, direction) != 0);
        if moved && (self.setup().rule8 == Rule8::Exact || !self.is_nearly_symmetric(base)) {
            return true;
        }
        self.reachable_in_one(self.join(base, None))
    }

    fn ways(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        let game = self.unrestricted();
        let base = game.ranks().unrank(tier, rank);
        if self.is_special(base) {
            return ways_by_moves(self, tier, rank, out);
        }
        let ways = game
            .all_moves(base)
            .filter(|&mv| self.can_be_taken_back(base, mv));
        out.extend(ways.map(number));
    }

    fn outlook(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<RestrictedOutlook> {
        let game = self.unrestricted();
        let base = game.ranks().unrank(tier, rank);
        let special = self.setup().rule8 == Rule8::Paper && self.is_nearly_symmetric(base);
        let mut outlook = RestrictedOutlook::default();
        for mv in game.all_moves(base) {
            let row = if mv.square() == base.hole {
                None
            } else {
                Some(game.row(base.pieces(), base.hole, mv))
            };
            if let Some(row) = row.as_ref().filter(|row| row.falls) {
                let next = game.after_fall(base, mv, row);
                match game.terminal(next) {
                    Some(wdl) => {
                        let value = Value::terminal(wdl).before();
                        outlook.best = outlook.best.max(Some(value));
                    }
                    None => outside.extend(game.rank(next)),
                }
                continue;
            }
            outlook.open += 1;
            outlook.ways ^= match row {
                _ if special => self.way(base, mv),
                Some(row) if row.last & base.other == 0 => 0,
                _ => number(mv),
            };
        }
        Some(outlook)
    }

    fn has_twins(&self, tier: u64, rank: u64) -> bool {
        self.is_special(self.unrestricted().ranks().unrank(tier, rank))
    }

    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<Edge>) {
        let base = self.unrestricted().ranks().unrank(tier, rank);
        if self.is_special(base) {
            return edges_by_moves(self, tier, rank, out);
        }
        let mut edges = Edges {
            out,
            apart: Vec::new(),
        };
        self.hole_edges(base, &mut edges);
        for direction in 0..4 {
            self.row_edges(base, direction, &mut edges);
        }
        let mut apart = edges.apart;
        apart.sort_unstable();
        apart.dedup();
        for from in apart {
            edges_between(self, tier, (from, rank), out);
        }
    }
}
