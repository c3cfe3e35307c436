use alloc::vec::Vec;

use hindsight_core::{
    ForbiddenMove, Game, InEdge, OutEdge, Ranked, RestrictedMoveSummary, Value, edges_between,
    edges_from_by_moves, edges_to_by_moves, forbidden_ids_by_moves,
};

use super::board::{OFF, opposite, squares};
use super::ranking::RankedImage;
use super::{BasePosition, Ostle, OstleMove, OstlePosition, Rule8, UnrestrictedOstle};

/// The number of a move among the ways of its position.
#[inline]
fn id_of(mv: OstleMove) -> u8 {
    mv.code() + 1
}

/// The squares where a piece falls.
#[inline]
fn falling_squares(base: BasePosition) -> u32 {
    1 << OFF | 1 << base.hole
}

impl Ostle {
    #[inline]
    fn ranked_image(&self, base: BasePosition) -> RankedImage {
        self.unrestricted()
            .ranks()
            .find(base.own, base.other, base.hole)
    }

    /// Whether the position is its own image. Such positions are rare, and looked at move by move.
    #[inline]
    fn is_symmetric(&self, base: BasePosition) -> bool {
        self.unrestricted().ranks().is_symmetric(base)
    }

    /// Whether rule 8 may forbid something else here than the move that leads back exactly.
    #[inline]
    fn is_nearly_symmetric(&self, base: BasePosition) -> bool {
        self.near_symmetries(base) != 0
    }

    /// The symmetries, a bit each, that may take the position to one two moves away: then a move may lead
    /// back to an image of the position before. A move empties one square and fills one, or shifts the
    /// hole by one. None, unless images of positions count as the same.
    #[inline]
    fn near_symmetries(&self, base: BasePosition) -> u8 {
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
    fn has_irreversible_predecessor(&self, base: BasePosition) -> bool {
        let board = self.board();
        let all = u32::MAX >> (32 - board.squares());
        let empty = all & !base.pieces() & !(1 << base.hole);
        let near = self.near_symmetries(base);
        (0..4).any(|direction| {
            let mut moved = squares(base.other & board.shifted(empty, direction));
            moved.any(|square| {
                let from = board.next(square, opposite(direction));
                let before = BasePosition {
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
    fn is_reversible(&self, base: BasePosition, mv: OstleMove) -> bool {
        if mv.square() == base.hole {
            return true;
        }
        let (last, beyond) = self
            .board()
            .line_end(base.pieces(), mv.square(), mv.direction());
        falling_squares(base) >> beyond & 1 == 0 && base.other >> last & 1 == 1
    }

    /// The first way of a ranked position whose move leads to the same position up to symmetry.
    #[inline]
    fn least_equivalent_id(&self, base: BasePosition, mv: OstleMove) -> u8 {
        let game = self.unrestricted();
        let wanted = game.rank(game.play(base, mv));
        let mut moves = game.all_moves(base);
        let first = moves.find(|&first| game.rank(game.play(base, first)) == wanted);
        first.map_or(0, id_of)
    }

    /// The first of the ways to each class of successors, ascending. The ranked position has no symmetry.
    #[inline]
    fn least_ids_by_class(&self, base: BasePosition, out: &mut Vec<u8>) {
        let game = self.unrestricted();
        let mut classes: Vec<_> = game
            .all_moves(base)
            .filter(|&mv| self.move_id(base, mv) != 0)
            .map(|mv| (game.rank(game.play(base, mv)), id_of(mv)))
            .collect();
        classes.sort_unstable();
        classes.dedup_by_key(|(class, _)| *class);
        let begin = out.len();
        out.extend(classes.into_iter().map(|(_, way)| way));
        out[begin..].sort_unstable();
    }

    /// Appends the edges by moves that shifted the hole.
    #[inline]
    fn hole_edges(&self, base: BasePosition, edges: &mut InEdgeCollector<'_>) {
        let board = self.board();
        let pieces = base.pieces();
        for direction in 0..4 {
            let from = board.shifted(1 << base.hole, opposite(direction)) & !pieces;
            if from != 0 {
                let hole = from.trailing_zeros() as u8;
                let before = (base.other, base.own, hole);
                let back = OstleMove::new(base.hole, opposite(direction));
                self.add_edge(before, OstleMove::new(hole, direction), Some(back), edges);
            }
        }
    }

    /// Appends the edges by moves of pieces in a direction: rows that begin with a piece of the side
    /// that moved, behind it an empty square, shifted back as a whole or their first part.
    #[inline]
    fn push_edges(&self, base: BasePosition, direction: u8, edges: &mut InEdgeCollector<'_>) {
        let board = self.board();
        let back = opposite(direction);
        let pieces = base.pieces();
        let all = u32::MAX >> (32 - board.squares());
        let empty = all & !pieces & !(1 << base.hole);
        let moved = base.other & board.shifted(empty, direction);
        for square in squares(moved) {
            let from = board.next(square, back);
            let mv = OstleMove::new(from, direction);
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
                let taken_back = is_pushed_back.then(|| OstleMove::new(end, back));
                self.add_edge((own, other, base.hole), mv, taken_back, edges);
                behind = here;
                end = board.next(end, direction);
            }
        }
    }

    /// A move of a position that has no symmetry but such as lead `near`, and where it goes. `last` is the
    /// hole or the last piece that moves, if it can be moved back.
    #[inline]
    fn out_edge(
        &self,
        (base, near): (BasePosition, u8),
        mv: OstleMove,
        (next, found): (BasePosition, RankedImage),
        last: Option<u8>,
    ) -> OutEdge {
        let number_there = |back| id_of(self.board().map_move(found.symmetry, back));
        let back = if found.symmetric {
            let state = self.encode(next, self.forbidden_after(base, mv));
            self.rank_state(state).map_or(0, |place| place.2)
        } else if near == 0 {
            last.map_or(0, |last| {
                let end = self.board().next(last, mv.direction());
                number_there(OstleMove::new(end, opposite(mv.direction())))
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
            move_id: if back == 0 { 0 } else { id_of(mv) },
            may_share_target: found.symmetric || near != 0,
        }
    }

    /// Adds the move from a position to the one whose edges these are; `back` is what leads back exactly.
    #[inline]
    fn add_edge(
        &self,
        (own, other, hole): (u32, u32, u8),
        mv: OstleMove,
        back: Option<OstleMove>,
        edges: &mut InEdgeCollector<'_>,
    ) {
        let from = self.unrestricted().ranks().find(own, other, hole);
        if from.symmetric {
            edges.apart.push(from.rank);
            return;
        }
        let mut back = back.map_or(0, id_of);
        if edges.near != 0 {
            let before = BasePosition {
                own,
                other,
                hole,
                white: !edges.to.white,
            };
            let symmetries = edges.near | 1;
            let returns = self.unrestricted().returns(before, edges.to, symmetries);
            back = returns.map(id_of).min().unwrap_or(0);
        }
        let way = if back == 0 {
            0
        } else {
            id_of(self.board().map_move(from.symmetry, mv))
        };
        edges.out.push(InEdge {
            rank: from.rank,
            move_id: way,
            forbids: back,
        });
    }
}

/// Edges found, and ranks whose moves must be looked at one by one.
struct InEdgeCollector<'a> {
    to: BasePosition,
    /// The symmetries under which moves may lead back to an image.
    near: u8,
    out: &'a mut Vec<InEdge>,
    apart: Vec<u64>,
}

impl ForbiddenMove for Ostle {
    type Base = UnrestrictedOstle;

    #[inline]
    fn base(&self) -> &UnrestrictedOstle {
        self.unrestricted()
    }

    #[inline]
    fn decode(&self, state: OstlePosition) -> (BasePosition, Option<OstleMove>) {
        (state.base, state.forbidden)
    }

    #[inline]
    fn encode(&self, base: BasePosition, forbidden: Option<OstleMove>) -> OstlePosition {
        OstlePosition { base, forbidden }
    }

    #[inline]
    fn forbidden_after(&self, base: BasePosition, mv: OstleMove) -> Option<OstleMove> {
        self.unrestricted().forbidden_after(base, mv)
    }

    #[inline]
    fn move_id(&self, base: BasePosition, mv: OstleMove) -> u8 {
        let game = self.unrestricted();
        let returns = || {
            let near = self.near_symmetries(base);
            let mut returns = game.returns(base, game.play(base, mv), near);
            near != 0 && !game.removes(base, mv) && returns.next().is_some()
        };
        if self.is_reversible(base, mv) || returns() {
            id_of(mv)
        } else {
            0
        }
    }

    #[inline]
    fn rank_state(&self, state: OstlePosition) -> Option<(u64, u64, u8)> {
        let game = self.unrestricted();
        game.terminal(state.base).is_none().then(|| {
            let found = self.ranked_image(state.base);
            let way = state.forbidden.map_or(0, |mv| {
                let mv = self.board().map_move(found.symmetry, mv);
                if !found.symmetric && self.setup().rule8 == Rule8::Exact {
                    return id_of(mv);
                }
                let base = game.ranks().unrank(found.tier, found.rank);
                if found.symmetric || self.is_nearly_symmetric(base) {
                    self.least_equivalent_id(base, mv)
                } else {
                    id_of(mv)
                }
            });
            (found.tier, found.rank, way)
        })
    }

    #[inline]
    fn predecessor_moves(&self, base: BasePosition, out: &mut Vec<(BasePosition, OstleMove)>) {
        self.unrestricted().predecessors(base, out);
        self.unrestricted().predecessors_by_removal(base, out);
    }

    #[inline]
    fn reached_unrestricted(&self, base: BasePosition) -> bool {
        self.has_irreversible_predecessor(base) || self.reachable_in_one(self.encode(base, None))
    }

    #[inline]
    fn forbidden_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        let game = self.unrestricted();
        let base = game.ranks().unrank(tier, rank);
        if self.is_symmetric(base) {
            return forbidden_ids_by_moves(self, tier, rank, out);
        }
        if self.is_nearly_symmetric(base) {
            return self.least_ids_by_class(base, out);
        }
        let ways = game
            .all_moves(base)
            .filter(|&mv| self.is_reversible(base, mv));
        out.extend(ways.map(id_of));
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
        let mut stay = |mv: OstleMove, is_way: bool| {
            outlook.open += 1;
            outlook.open_ids ^= match (special, is_way) {
                (true, _) => self.move_id(base, mv),
                (false, true) => id_of(mv),
                (false, false) => 0,
            };
        };
        for direction in 0..4 {
            if game.is_move(base, OstleMove::new(base.hole, direction)) {
                stay(OstleMove::new(base.hole, direction), true);
            }
            for square in squares(base.own) {
                let mv = OstleMove::new(square, direction);
                let (last, beyond) = board.line_end(pieces, square, direction);
                if falling_squares(base) >> beyond & 1 == 0 {
                    stay(mv, base.other >> last & 1 == 1);
                    continue;
                }
                let next = game.after_push(base, mv, &game.pushed_line(pieces, base.hole, mv));
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
        let near = self.near_symmetries(base);
        let from = (base, near);
        let (board, pieces) = (self.board(), base.pieces());
        // Most moves leave the other's pieces, which are the mover's after it, where they are.
        let seat = game.ranks().seat(base.other, base.hole);
        for direction in 0..4 {
            let hole = OstleMove::new(base.hole, direction);
            if game.is_move(base, hole) {
                let next = game.play(base, hole);
                out.push(self.out_edge(
                    from,
                    hole,
                    (next, self.ranked_image(next)),
                    Some(base.hole),
                ));
            }
            for square in squares(base.own) {
                let mv = OstleMove::new(square, direction);
                let (last, beyond) = board.line_end(pieces, square, direction);
                let falls = falling_squares(base) >> beyond & 1 == 1;
                let next = if last == square {
                    let moved = if falls { 0 } else { 1 << beyond };
                    BasePosition {
                        own: base.other,
                        other: base.own ^ 1 << square | moved,
                        hole: base.hole,
                        white: !base.white,
                    }
                } else {
                    game.after_push(base, mv, &game.pushed_line(pieces, base.hole, mv))
                };
                if falls && game.terminal(next).is_some() {
                    continue;
                }
                let found = match seat {
                    Some(seat) if next.own == base.other => game.ranks().find_at(seat, next.other),
                    _ => self.ranked_image(next),
                };
                let is_pushed = !falls && base.other >> last & 1 == 1;
                out.push(self.out_edge(from, mv, (next, found), is_pushed.then_some(last)));
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
        let mut edges = InEdgeCollector {
            to: base,
            near: self.near_symmetries(base),
            out,
            apart: Vec::new(),
        };
        self.hole_edges(base, &mut edges);
        for direction in 0..4 {
            self.push_edges(base, direction, &mut edges);
        }
        let mut apart = edges.apart;
        apart.sort_unstable();
        apart.dedup();
        for from in apart {
            edges_between(self, tier, (from, rank), out);
        }
    }
}
