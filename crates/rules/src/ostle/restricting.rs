use alloc::vec::Vec;

use hindsight_core::{
    ForbiddenMove, Game, InEdge, OutEdge, Ranked, RestrictedMoveSummary, Value, edges_between,
    edges_from_by_moves, edges_to_by_moves, forbidden_ids_by_moves,
};

use super::board::{OFF, opposite, squares};
use super::ranks::Found;
use super::{Base, Move, Ostle, Position, Rule8, Unrestricted};

/// The number of a move among the ways of its position.
#[inline]
fn number(mv: Move) -> u8 {
    mv.code() + 1
}

/// The squares where a piece falls.
#[inline]
fn stop(base: Base) -> u32 {
    1 << OFF | 1 << base.hole
}

impl Ostle {
    #[inline]
    fn find(&self, base: Base) -> Found {
        self.unrestricted()
            .ranks()
            .find(base.own, base.other, base.hole)
    }

    /// Whether the position is its own image. Such positions are rare, and looked at move by move.
    #[inline]
    fn is_symmetric(&self, base: Base) -> bool {
        self.unrestricted().ranks().is_symmetric(base)
    }

    /// Whether rule 8 may forbid something else here than the move that leads back exactly.
    #[inline]
    fn is_nearly_symmetric(&self, base: Base) -> bool {
        self.near(base) != 0
    }

    /// The symmetries, a bit each, that may take the position to one two moves away: then a move may lead
    /// back to an image of the position before. A move empties one square and fills one, or shifts the
    /// hole by one. None, unless images of positions count as the same.
    #[inline]
    fn near(&self, base: Base) -> u8 {
        if self.setup().rule8 == Rule8::Exact {
            return 0;
        }
        let ranks = self.unrestricted().ranks();
        let pieces = base.pieces();
        let near = ranks.near[usize::from(base.hole)].iter();
        near.filter(|&&symmetry| {
            (ranks.images.of(symmetry.into(), pieces) ^ pieces).count_ones() <= 4
        })
        .fold(0, |near, symmetry| near | 1 << symmetry)
    }

    /// Whether a move of a piece that stands alone led here, and nothing leads back.
    #[inline]
    fn moved_freely(&self, base: Base) -> bool {
        let board = self.board();
        let all = u32::MAX >> (32 - board.squares());
        let empty = all & !base.pieces() & !(1 << base.hole);
        let near = self.near(base);
        (0..4).any(|direction| {
            let mut moved = squares(base.other & board.stepped(empty, direction));
            moved.any(|square| {
                let from = board.next(square, opposite(direction));
                let before = Base {
                    own: base.other ^ (1 << square | 1 << from),
                    other: base.own,
                    ..base
                };
                let mut returns = self.unrestricted().returns(before, base, near);
                near == 0 || returns.next().is_none()
            })
        })
    }

    /// Whether a move that removes nothing may be forbidden: the very position before came from here by
    /// such a move back.
    #[inline]
    fn can_be_taken_back(&self, base: Base, mv: Move) -> bool {
        if mv.square() == base.hole {
            return true;
        }
        let (last, beyond) = self
            .board()
            .row_end(base.pieces(), mv.square(), mv.direction());
        stop(base) >> beyond & 1 == 0 && base.other >> last & 1 == 1
    }

    /// The first way of a ranked position whose move leads to the same position up to symmetry.
    #[inline]
    fn first_like(&self, base: Base, mv: Move) -> u8 {
        let game = self.unrestricted();
        let wanted = game.rank(game.play(base, mv));
        let mut moves = game.all_moves(base);
        let first = moves.find(|&first| game.rank(game.play(base, first)) == wanted);
        first.map_or(0, number)
    }

    /// The first of the ways to each class of successors, ascending. The ranked position has no symmetry.
    #[inline]
    fn ways_of_classes(&self, base: Base, out: &mut Vec<u8>) {
        let game = self.unrestricted();
        let mut classes: Vec<_> = game
            .all_moves(base)
            .filter(|&mv| self.move_id(base, mv) != 0)
            .map(|mv| (game.rank(game.play(base, mv)), number(mv)))
            .collect();
        classes.sort_unstable();
        classes.dedup_by_key(|(class, _)| *class);
        let begin = out.len();
        out.extend(classes.into_iter().map(|(_, way)| way));
        out[begin..].sort_unstable();
    }

    /// Appends the edges by moves that shifted the hole.
    #[inline]
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
    #[inline]
    fn row_edges(&self, base: Base, direction: u8, edges: &mut Edges<'_>) {
        let board = self.board();
        let back = opposite(direction);
        let pieces = base.pieces();
        let all = u32::MAX >> (32 - board.squares());
        let empty = all & !pieces & !(1 << base.hole);
        let moved = base.other & board.stepped(empty, direction);
        for square in squares(moved) {
            let from = board.next(square, back);
            let mv = Move::new(from, direction);
            let (mut own, mut other) = (base.other, base.own);
            let (mut behind, mut end) = (1 << from, square);
            while pieces >> end & 1 == 1 {
                // The piece on `end` goes back to the square that the one before it left.
                let here = 1 << end;
                if own & here != 0 {
                    own ^= here | behind;
                } else {
                    other ^= here | behind;
                }
                let is_pushed_back = base.own & here != 0;
                let taken_back = is_pushed_back.then(|| Move::new(end, back));
                self.add((own, other, base.hole), mv, taken_back, edges);
                behind = here;
                end = board.next(end, direction);
            }
        }
    }

    /// A move of a position that has no symmetry but such as lead `near`, and where it goes. `last` is the
    /// hole or the last piece that moves, if it can be moved back.
    #[inline]
    fn step(
        &self,
        (base, near): (Base, u8),
        mv: Move,
        (next, found): (Base, Found),
        last: Option<u8>,
    ) -> OutEdge {
        let number_there = |back| number(self.board().map_move(found.symmetry, back));
        let back = if found.symmetric {
            let state = self.encode(next, self.forbidden_after(base, mv));
            self.rank_state(state).map_or(0, |place| place.2)
        } else if near == 0 {
            last.map_or(0, |last| {
                let end = self.board().next(last, mv.direction());
                number_there(Move::new(end, opposite(mv.direction())))
            })
        } else {
            // An image that a move leads back to is two moves away from the position.
            let game = self.unrestricted();
            let returns = game.returns(base, next, near | 1).map(number_there);
            returns.min().unwrap_or(0)
        };
        OutEdge {
            tier: found.tier,
            rank: found.rank,
            forbids: back,
            move_id: if back == 0 { 0 } else { number(mv) },
            may_share_target: found.symmetric || near != 0,
        }
    }

    /// Adds the move from a position to the one whose edges these are; `back` is what leads back exactly.
    #[inline]
    fn add(
        &self,
        (own, other, hole): (u32, u32, u8),
        mv: Move,
        back: Option<Move>,
        edges: &mut Edges<'_>,
    ) {
        let from = self.unrestricted().ranks().find(own, other, hole);
        if from.symmetric {
            edges.apart.push(from.rank);
            return;
        }
        let mut back = back.map_or(0, number);
        if edges.near != 0 {
            let before = Base {
                own,
                other,
                hole,
                white: !edges.to.white,
            };
            let symmetries = edges.near | 1;
            let returns = self.unrestricted().returns(before, edges.to, symmetries);
            back = returns.map(number).min().unwrap_or(0);
        }
        let way = if back == 0 {
            0
        } else {
            number(self.board().map_move(from.symmetry, mv))
        };
        edges.out.push(InEdge {
            rank: from.rank,
            move_id: way,
            forbids: back,
        });
    }
}

/// Edges found, and ranks whose moves must be looked at one by one.
struct Edges<'a> {
    to: Base,
    /// The symmetries under which moves may lead back to an image.
    near: u8,
    out: &'a mut Vec<InEdge>,
    apart: Vec<u64>,
}

impl ForbiddenMove for Ostle {
    type Base = Unrestricted;

    #[inline]
    fn base(&self) -> &Unrestricted {
        self.unrestricted()
    }

    #[inline]
    fn decode(&self, state: Position) -> (Base, Option<Move>) {
        (state.base, state.forbidden)
    }

    #[inline]
    fn encode(&self, base: Base, forbidden: Option<Move>) -> Position {
        Position { base, forbidden }
    }

    #[inline]
    fn forbidden_after(&self, base: Base, mv: Move) -> Option<Move> {
        self.unrestricted().forbidden_after(base, mv)
    }

    #[inline]
    fn move_id(&self, base: Base, mv: Move) -> u8 {
        let game = self.unrestricted();
        let returns = || {
            let near = self.near(base);
            let mut returns = game.returns(base, game.play(base, mv), near);
            near != 0 && !game.removes(base, mv) && returns.next().is_some()
        };
        if self.can_be_taken_back(base, mv) || returns() {
            number(mv)
        } else {
            0
        }
    }

    #[inline]
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
                if found.symmetric || self.is_nearly_symmetric(base) {
                    self.first_like(base, mv)
                } else {
                    number(mv)
                }
            });
            (found.tier, found.rank, way)
        })
    }

    #[inline]
    fn predecessor_moves(&self, base: Base, out: &mut Vec<(Base, Move)>) {
        self.unrestricted().predecessors(base, out);
        self.unrestricted().predecessors_by_removal(base, out);
    }

    #[inline]
    fn reached_unrestricted(&self, base: Base) -> bool {
        self.moved_freely(base) || self.reachable_in_one(self.encode(base, None))
    }

    #[inline]
    fn forbidden_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        let game = self.unrestricted();
        let base = game.ranks().unrank(tier, rank);
        if self.is_symmetric(base) {
            return forbidden_ids_by_moves(self, tier, rank, out);
        }
        if self.is_nearly_symmetric(base) {
            return self.ways_of_classes(base, out);
        }
        let ways = game
            .all_moves(base)
            .filter(|&mv| self.can_be_taken_back(base, mv));
        out.extend(ways.map(number));
    }

    #[inline]
    fn classify_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<RestrictedMoveSummary> {
        let game = self.unrestricted();
        let base = game.ranks().prepared().unrank(tier, rank);
        let special = self.is_nearly_symmetric(base);
        let (board, pieces) = (self.board(), base.pieces());
        let (mut outlook, mut best) = (RestrictedMoveSummary::default(), None);
        let mut stay = |mv: Move, is_way: bool| {
            outlook.open += 1;
            outlook.open_ids ^= match (special, is_way) {
                (true, _) => self.move_id(base, mv),
                (false, true) => number(mv),
                (false, false) => 0,
            };
        };
        for direction in 0..4 {
            if game.is_move(base, Move::new(base.hole, direction)) {
                stay(Move::new(base.hole, direction), true);
            }
            for square in squares(base.own) {
                let mv = Move::new(square, direction);
                let (last, beyond) = board.row_end(pieces, square, direction);
                if stop(base) >> beyond & 1 == 0 {
                    stay(mv, base.other >> last & 1 == 1);
                    continue;
                }
                let next = game.after_row(base, mv, &game.row(pieces, base.hole, mv));
                match game.terminal(next) {
                    Some(wdl) => {
                        let value = Value::terminal(wdl).before();
                        best = best.max(Some(value));
                    }
                    None => outside.extend(game.rank(next)),
                }
            }
        }
        Some(RestrictedMoveSummary { best, ..outlook })
    }

    #[inline]
    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool {
        let game = self.unrestricted();
        let base = game.ranks().prepared().unrank(tier, rank);
        if self.is_symmetric(base) {
            edges_from_by_moves(self, tier, rank, out);
            return true;
        }
        let near = self.near(base);
        let from = (base, near);
        let (board, pieces) = (self.board(), base.pieces());
        // Most moves leave the other's pieces, which are the mover's after it, where they are.
        let seat = game.ranks().seat(base.other, base.hole);
        for direction in 0..4 {
            let hole = Move::new(base.hole, direction);
            if game.is_move(base, hole) {
                let next = game.play(base, hole);
                out.push(self.step(from, hole, (next, self.find(next)), Some(base.hole)));
            }
            for square in squares(base.own) {
                let mv = Move::new(square, direction);
                let (last, beyond) = board.row_end(pieces, square, direction);
                let falls = stop(base) >> beyond & 1 == 1;
                let next = if last == square {
                    let moved = if falls { 0 } else { 1 << beyond };
                    Base {
                        own: base.other,
                        other: base.own ^ 1 << square | moved,
                        hole: base.hole,
                        white: !base.white,
                    }
                } else {
                    game.after_row(base, mv, &game.row(pieces, base.hole, mv))
                };
                if falls && game.terminal(next).is_some() {
                    continue;
                }
                let found = match seat {
                    Some(seat) if next.own == base.other => game.ranks().find_at(seat, next.other),
                    _ => self.find(next),
                };
                let is_pushed = !falls && base.other >> last & 1 == 1;
                out.push(self.step(from, mv, (next, found), is_pushed.then_some(last)));
            }
        }
        near != 0
    }

    #[inline]
    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>) {
        let base = self.unrestricted().ranks().prepared().unrank(tier, rank);
        if self.is_symmetric(base) {
            return edges_to_by_moves(self, tier, rank, out);
        }
        let mut edges = Edges {
            to: base,
            near: self.near(base),
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
