use alloc::vec::Vec;

use hindsight_core::{
    ForbiddableMoveSummary, ForbiddenMove, Game, InEdge, OutEdge, Ranked, States, Value,
    edges_between, edges_from_by_moves, edges_to_by_moves, forbiddable_ids_by_moves,
};

use super::board::{OFF, opposite, squares};
use super::ranking::RankedImage;
use super::{BasePosition, Ostle, OstleMove, OstlePosition, Rule8, UnrestrictedOstle};

/// Move id: `4 * square + direction + 1`, in `1..=100`.
#[inline]
fn id_of(mv: OstleMove) -> u8 {
    mv.code() + 1
}

/// Squares onto which a pushed piece falls: the hole, and [`OFF`].
#[inline]
fn falling_squares(base: BasePosition) -> u32 {
    1 << OFF | 1 << base.hole
}

/// A move that was played, and the position after it.
struct PlayedMove {
    mv: OstleMove,
    next: BasePosition,
    /// Ranked image of `next`.
    image: RankedImage,
    /// Square, before the move, of the hole or of the last pushed piece, if it can move back.
    returning: Option<u8>,
}

impl Ostle {
    #[inline]
    fn ranked_image(&self, base: BasePosition) -> RankedImage {
        self.unrestricted().ranking().find(base.own, base.other, base.hole)
    }

    /// Returns true if a symmetry other than the identity fixes a ranked position.
    ///
    /// Symmetric positions are rare and are handled move by move.
    #[inline]
    fn is_symmetric(&self, base: BasePosition) -> bool {
        self.unrestricted().ranking().is_symmetric(base)
    }

    /// Returns true if rule 8 may forbid a move that leads back to an image only, not exactly.
    #[inline]
    fn is_nearly_symmetric(&self, base: BasePosition) -> bool {
        self.near_symmetries(base) != 0
    }

    /// Set of symmetries, bit `s` for symmetry `s`, that may take the position to an image two
    /// moves away. A move may then lead back to an image of the position before. The identity is
    /// left out. Always 0 for [`Rule8::Exact`].
    ///
    /// Only a necessary condition is tested. A move empties one square and fills one, or shifts the
    /// hole by one step; so two moves change at most four squares, or shift the hole by two steps.
    #[inline]
    fn near_symmetries(&self, base: BasePosition) -> u8 {
        if self.setup().rule8 == Rule8::Exact {
            return 0;
        }
        let ranking = self.unrestricted().ranking();
        let images = &ranking.index.holes.images;
        let pieces = base.pieces();
        let near = ranking.near[usize::from(base.hole)].iter();
        near.filter(|&&symmetry| (images.get(symmetry.into(), pieces) ^ pieces).count_ones() <= 4)
            .fold(0, |near, symmetry| near | 1 << symmetry)
    }

    /// Returns true if a move of a piece that pushed nothing leads here, and no move leads back.
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
                let mut returns = self.unrestricted().return_moves(before, base, near);
                near == 0 || returns.next().is_none()
            })
        })
    }

    /// Returns true if a move that removes nothing can undo a previous ply of the opponent exactly.
    ///
    /// By its exact reading, rule 8 forbids no other moves.
    #[inline]
    fn can_undo(&self, base: BasePosition, mv: OstleMove) -> bool {
        if mv.square() == base.hole {
            return true;
        }
        let (last, beyond) = self.board().line_end(base.pieces(), mv.square(), mv.direction());
        falling_squares(base) >> beyond & 1 == 0 && base.other >> last & 1 == 1
    }

    /// Least id of the moves of a ranked position that have the same successor as `mv`, up to
    /// symmetry.
    #[inline]
    fn least_equivalent_id(&self, base: BasePosition, mv: OstleMove) -> u8 {
        let game = self.unrestricted();
        let wanted = game.rank(game.play(base, mv));
        let mut moves = game.all_moves(base);
        let first = moves.find(|&first| game.rank(game.play(base, first)) == wanted);
        first.map_or(0, id_of)
    }

    /// Appends the least move id of each class of successors, ascending.
    ///
    /// Precondition: no symmetry but the identity fixes the ranked position.
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
        out.extend(classes.into_iter().map(|(_, id)| id));
        out[begin..].sort_unstable();
    }

    /// Collects the edges by moves of the hole.
    #[inline]
    fn hole_edges(&self, base: BasePosition, edges: &mut InEdgeCollector<'_>) {
        let board = self.board();
        let pieces = base.pieces();
        for direction in 0..4 {
            let from = board.shifted(1 << base.hole, opposite(direction)) & !pieces;
            if from != 0 {
                let hole = from.trailing_zeros() as u8;
                let before = edges.position_before(base.other, base.own, hole);
                let back = OstleMove::new(base.hole, opposite(direction));
                self.add_edge(before, OstleMove::new(hole, direction), Some(back), edges);
            }
        }
    }

    /// Collects the edges by moves of pieces in a direction.
    ///
    /// The last move left an empty square behind a piece of the side that moved. The line that
    /// begins with this piece goes back, as a whole or only its first pieces.
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
                // The piece on `end` goes back to the square that the piece behind it left.
                let here = 1 << end;
                if own & here != 0 {
                    own ^= here | behind;
                } else {
                    other ^= here | behind;
                }
                let can_return = base.own & here != 0;
                let reply = can_return.then(|| OstleMove::new(end, back));
                let before = edges.position_before(own, other, base.hole);
                self.add_edge(before, mv, reply, edges);
                behind = here;
                end = board.next(end, direction);
            }
        }
    }

    /// Edge of a move from a ranked position that no symmetry but the identity fixes.
    ///
    /// `near` holds the [`Ostle::near_symmetries`] of the position.
    #[inline]
    fn out_edge(&self, base: BasePosition, near: u8, played: PlayedMove) -> OutEdge {
        let PlayedMove { mv, next, image, returning } = played;
        let id_in_image = |back| id_of(self.board().map_move(image.symmetry, back));
        let forbids = if image.is_symmetric {
            let state = self.encode(next, self.forbidden_after(base, mv));
            self.rank_state(state).map_or(0, |address| address.2)
        } else if near == 0 {
            returning.map_or(0, |square| {
                let end = self.board().next(square, mv.direction());
                id_in_image(OstleMove::new(end, opposite(mv.direction())))
            })
        } else {
            // A move that leads back to an image makes this image two moves away from the position.
            let game = self.unrestricted();
            let returns = game.return_moves(base, next, near | 1).map(id_in_image);
            returns.min().unwrap_or(0)
        };
        OutEdge {
            tier: image.tier,
            rank: image.rank,
            forbids,
            move_id: if forbids == 0 { 0 } else { id_of(mv) },
            may_share_target: image.is_symmetric || near != 0,
        }
    }

    /// Adds the edge of a move from `before`. `back` is the move that leads back exactly; `None` if
    /// there is none.
    #[inline]
    fn add_edge(
        &self,
        before: BasePosition,
        mv: OstleMove,
        back: Option<OstleMove>,
        edges: &mut InEdgeCollector<'_>,
    ) {
        let from = self.ranked_image(before);
        if from.is_symmetric {
            edges.symmetric_ranks.push(from.rank);
            return;
        }
        let mut forbids = back.map_or(0, id_of);
        if edges.near != 0 {
            let symmetries = edges.near | 1;
            let returns = self.unrestricted().return_moves(before, edges.to, symmetries);
            forbids = returns.map(id_of).min().unwrap_or(0);
        }
        let move_id =
            if forbids == 0 { 0 } else { id_of(self.board().map_move(from.symmetry, mv)) };
        edges.out.push(InEdge { rank: from.rank, move_id, forbids });
    }
}

/// Collects the edges that lead to a position.
struct InEdgeCollector<'a> {
    to: BasePosition,
    /// Symmetries under which a move may lead back to an image.
    near: u8,
    out: &'a mut Vec<InEdge>,
    /// Ranks of symmetric predecessors, whose moves must be examined one by one.
    symmetric_ranks: Vec<u64>,
}

impl InEdgeCollector<'_> {
    /// A position with the other side to move than in the target.
    #[inline]
    fn position_before(&self, own: u32, other: u32, hole: u8) -> BasePosition {
        BasePosition { own, other, hole, white: !self.to.white }
    }
}

impl States for Ostle {
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
    fn predecessor_moves(&self, base: BasePosition, out: &mut Vec<(BasePosition, OstleMove)>) {
        self.unrestricted().predecessors(base, out);
        self.unrestricted().predecessors_by_removal(base, out);
    }

    #[inline]
    fn reached_unrestricted(&self, base: BasePosition) -> bool {
        self.has_irreversible_predecessor(base) || self.reachable_in_one(self.encode(base, None))
    }
}

impl ForbiddenMove for Ostle {
    #[inline]
    fn move_id(&self, base: BasePosition, mv: OstleMove) -> u8 {
        let game = self.unrestricted();
        let returns = || {
            let near = self.near_symmetries(base);
            let mut returns = game.return_moves(base, game.play(base, mv), near);
            near != 0 && !game.removes(base, mv) && returns.next().is_some()
        };
        if self.can_undo(base, mv) || returns() { id_of(mv) } else { 0 }
    }

    #[inline]
    fn rank_state(&self, state: OstlePosition) -> Option<(u64, u64, u8)> {
        let game = self.unrestricted();
        game.terminal(state.base).is_none().then(|| {
            let image = self.ranked_image(state.base);
            let id = state.forbidden.map_or(0, |mv| {
                let mv = self.board().map_move(image.symmetry, mv);
                if !image.is_symmetric && self.setup().rule8 == Rule8::Exact {
                    return id_of(mv);
                }
                let base = game.ranking().unrank(image.tier, image.rank);
                if image.is_symmetric || self.is_nearly_symmetric(base) {
                    self.least_equivalent_id(base, mv)
                } else {
                    id_of(mv)
                }
            });
            (image.tier, image.rank, id)
        })
    }

    #[inline]
    fn forbiddable_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        let game = self.unrestricted();
        let base = game.ranking().unrank(tier, rank);
        if self.is_symmetric(base) {
            return forbiddable_ids_by_moves(self, tier, rank, out);
        }
        if self.is_nearly_symmetric(base) {
            return self.least_ids_by_class(base, out);
        }
        let undoing = game.all_moves(base).filter(|&mv| self.can_undo(base, mv));
        out.extend(undoing.map(id_of));
    }

    #[inline]
    fn summarize_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<ForbiddableMoveSummary> {
        let game = self.unrestricted();
        let base = game.ranking().prepared().unrank(tier, rank);
        let is_nearly_symmetric = self.is_nearly_symmetric(base);
        let (board, pieces) = (self.board(), base.pieces());
        let (mut summary, mut best) = (ForbiddableMoveSummary::default(), None);
        let mut add_open = |mv: OstleMove, can_undo: bool| {
            summary.open += 1;
            summary.open_ids ^= match (is_nearly_symmetric, can_undo) {
                (true, _) => self.move_id(base, mv),
                (false, true) => id_of(mv),
                (false, false) => 0,
            };
        };
        for direction in 0..4 {
            if game.is_move(base, OstleMove::new(base.hole, direction)) {
                add_open(OstleMove::new(base.hole, direction), true);
            }
            for square in squares(base.own) {
                let mv = OstleMove::new(square, direction);
                let (last, beyond) = board.line_end(pieces, square, direction);
                if falling_squares(base) >> beyond & 1 == 0 {
                    add_open(mv, base.other >> last & 1 == 1);
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
        Some(ForbiddableMoveSummary { best, ..summary })
    }

    #[inline]
    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool {
        let game = self.unrestricted();
        let base = game.ranking().prepared().unrank(tier, rank);
        if self.is_symmetric(base) {
            edges_from_by_moves(self, tier, rank, out);
            return true;
        }
        let near = self.near_symmetries(base);
        let (board, pieces) = (self.board(), base.pieces());
        // Most moves leave the opponent's pieces in place. They are the mover's pieces of the
        // successor, so the row entry is shared.
        let other_entry = game.ranking().row_entry(base.other, base.hole);
        for direction in 0..4 {
            let hole = OstleMove::new(base.hole, direction);
            if game.is_move(base, hole) {
                let next = game.play(base, hole);
                let played = PlayedMove {
                    mv: hole,
                    next,
                    image: self.ranked_image(next),
                    returning: Some(base.hole),
                };
                out.push(self.out_edge(base, near, played));
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
                let image = match other_entry {
                    Some((count, entry)) if next.own == base.other => {
                        game.ranking().find_in_row(count, entry, next.other)
                    }
                    _ => self.ranked_image(next),
                };
                let can_return = !falls && base.other >> last & 1 == 1;
                let played = PlayedMove { mv, next, image, returning: can_return.then_some(last) };
                out.push(self.out_edge(base, near, played));
            }
        }
        near != 0
    }

    #[inline]
    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>) {
        let base = self.unrestricted().ranking().prepared().unrank(tier, rank);
        if self.is_symmetric(base) {
            return edges_to_by_moves(self, tier, rank, out);
        }
        let mut edges = InEdgeCollector {
            to: base,
            near: self.near_symmetries(base),
            out,
            symmetric_ranks: Vec::new(),
        };
        self.hole_edges(base, &mut edges);
        for direction in 0..4 {
            self.push_edges(base, direction, &mut edges);
        }
        let mut symmetric_ranks = edges.symmetric_ranks;
        symmetric_ranks.sort_unstable();
        symmetric_ranks.dedup();
        for from in symmetric_ranks {
            edges_between(self, tier, from, rank, out);
        }
    }
}
