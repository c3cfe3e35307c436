//! The rules of a game, tabulated for blocks in board order.
//!
//! A block in board order has a lane for each context, a lane has [`BoardTables::lines_per_lane`]
//! words, and a word has a bit for each square of side 1's leader. Lanes that one kind of move
//! leads to lie together; the words of each kind are filled up to a multiple of [`WIDE_WORDS`].

use std::ops::Range;

use hindsight_core::combinatorics::Subsets;
use hindsight_core::{Placement, TwoSidedRules};

use crate::simd::token::WIDE_WORDS;
use crate::space::mirror::Mirror;
use crate::space::sets::squares;

/// The rules of a game, with contexts numbered as lanes.
pub(crate) struct BoardTables {
    /// Squares of the board, at most 32.
    pub(crate) squares: usize,
    /// Lanes of a block: one for each context.
    pub(crate) lanes: usize,
    /// Words of a block in board order.
    pub(crate) block_words: usize,
    /// Index of each lane's first word in a block in board order.
    pub(crate) lane_begin: Vec<usize>,
    /// Context of each lane. Lanes that one kind of move leads to lie together.
    pub(crate) contexts: Vec<u16>,
    /// Lanes that moves lead to. Index: `[mover][lane]`.
    pub(crate) next_lanes: [Vec<Vec<usize>>; 2],
    /// The same lanes as `(kind, first word)`. Index: `[mover][lane]`.
    pub(crate) next_lane_words: [Vec<Vec<(usize, usize)>>; 2],
    /// Lanes whose moves lead to a lane. Index: `[mover][lane]`.
    pub(crate) prev_lanes: [Vec<Vec<usize>>; 2],
    /// Kinds of moves, in the order of their lanes.
    pub(crate) kinds: Vec<MoveKind>,
    pub(crate) lane_of_context: Vec<usize>,
    /// Lane of each lane's context with the sides exchanged.
    pub(crate) exchanged_lane: Vec<usize>,
    /// Index into `kinds`, for each lane.
    pub(crate) kind_of_lane: Vec<usize>,
    /// Goal square of each side, as a set of one square.
    pub(crate) goals: [u32; 2],
    /// Left-right mirror of the board, if values are invariant under it.
    pub(crate) mirror: Option<Mirror>,
}

/// One kind of move: in Onitama, the moves of one card.
pub(crate) struct MoveKind {
    /// Lanes that this kind of move leads to.
    pub(crate) lanes: Range<usize>,
    /// Words of these lanes in a block in board order.
    pub(crate) words: Range<usize>,
    pub(crate) moves: [SideMoves; 2],
}

/// Moves of one kind and side.
pub(crate) struct SideMoves {
    /// Squares that a piece can go to, by its square.
    pub(crate) targets: [u32; 32],
    /// Squares that a piece can come from, by its square.
    pub(crate) sources: [u32; 32],
    /// The same moves, grouped by distance.
    pub(crate) translations: Vec<Translation>,
}

/// All moves of one kind and side whose square numbers differ by the same distance.
pub(crate) struct Translation {
    /// Target minus source.
    pub(crate) distance: isize,
    /// Squares that the moves start from.
    pub(crate) sources: u32,
    /// `u32::MAX` for the lines of these squares, 0 for others; a word for each word of the kind.
    pub(crate) line_masks: Vec<u32>,
}

impl BoardTables {
    /// Numbers contexts as lanes, by kind of move, and tabulates the moves.
    #[inline]
    pub(crate) fn new(rules: &TwoSidedRules) -> Self {
        let squares = usize::from(rules.squares);
        let mut contexts: Vec<u16> = (0..rules.kind_into.len() as u16).collect();
        let kind_of = |context: u16| rules.kind_into[usize::from(context)];
        contexts.sort_by_key(|&context| (kind_of(context), context));
        let mut lane_of = vec![0; contexts.len()];
        for (lane, &context) in contexts.iter().enumerate() {
            lane_of[usize::from(context)] = lane;
        }
        let next = [0, 1].map(|side: usize| {
            let lanes_after = |&context: &u16| {
                let next = rules.next_contexts[side][usize::from(context)].iter();
                next.map(|&context| lane_of[usize::from(context)]).collect()
            };
            let lanes = contexts.iter().map(lanes_after);
            lanes.collect::<Vec<Vec<usize>>>()
        });
        let prev = [&next[0], &next[1]].map(|next| {
            let leads = |from: usize, to: &usize| next[from].contains(to);
            let lanes_before = |to| (0..next.len()).filter(|&from| leads(from, &to)).collect();
            (0..next.len()).map(lanes_before).collect()
        });
        let lines = lines_per_lane_for(squares);
        let mut lane_begin = Vec::new();
        let mut kinds: Vec<MoveKind> = Vec::new();
        for lanes in contexts.chunk_by(|&a, &b| kind_of(a) == kind_of(b)) {
            let first = kinds.last().map_or(0, |kind| kind.lanes.end);
            let begin = kinds.last().map_or(0, |kind| kind.words.end);
            lane_begin.extend((0..lanes.len()).map(|lane| begin + lane * lines));
            let len = (lanes.len() * lines).next_multiple_of(WIDE_WORDS);
            let targets = |side: usize| &rules.targets[side][usize::from(kind_of(lanes[0]))];
            let moves = [0, 1].map(|side| SideMoves::new(targets(side), lanes.len(), lines, len));
            kinds.push(MoveKind {
                lanes: first..first + lanes.len(),
                words: begin..begin + len,
                moves,
            });
        }
        let kind_of_lane: Vec<usize> = kinds
            .iter()
            .enumerate()
            .flat_map(|(i, kind)| kind.lanes.clone().map(move |_| i))
            .collect();
        let next_words = [&next[0], &next[1]].map(|next| {
            let words = |&lane: &usize| (kind_of_lane[lane], lane_begin[lane]);
            let words_of_lanes = |lanes: &Vec<usize>| lanes.iter().map(words).collect();
            next.iter().map(words_of_lanes).collect()
        });
        Self {
            squares,
            lanes: contexts.len(),
            block_words: kinds.last().map_or(0, |kind| kind.words.end),
            lane_begin,
            next_lanes: next,
            prev_lanes: prev,
            next_lane_words: next_words,
            kind_of_lane,
            exchanged_lane: contexts
                .iter()
                .map(|&context| {
                    lane_of[usize::from(rules.exchanged_contexts[usize::from(context)])]
                })
                .collect(),
            kinds,
            goals: rules.goals.map(|goal| 1 << goal),
            mirror: Mirror::new(rules, &contexts, &lane_of),
            contexts,
            lane_of_context: lane_of,
        }
    }

    /// Set of all squares.
    #[inline]
    pub(crate) fn board(&self) -> u32 {
        u32::MAX >> (32 - self.squares)
    }

    /// Words of a lane in board order: at least `squares`, even.
    #[inline]
    pub(crate) fn lines_per_lane(&self) -> usize {
        lines_per_lane_for(self.squares)
    }

    /// Squares of the mover's leader with which no piece of the mover can move by one kind of move.
    ///
    /// `own` are the mover's followers.
    #[inline(always)]
    fn stuck_leaders_by_kind(&self, mover: usize, own: u32, kind: usize) -> u32 {
        let targets = &self.kinds[kind].moves[mover].targets;
        let open = self.open_targets(mover, own, kind);
        // The leader itself may stand on the only target.
        let candidates = match open.count_ones() {
            0 => self.board() & !own,
            1 => open & !own,
            _ => 0,
        };
        let stuck = squares(candidates).filter(|&from| targets[from] & !own == 0);
        stuck.fold(0, |all, from| all | 1 << from)
    }

    /// Squares that the mover's followers can go to by one kind of move, wherever its leader is.
    #[inline(always)]
    fn open_targets(&self, mover: usize, own: u32, kind: usize) -> u32 {
        let targets = &self.kinds[kind].moves[mover].targets;
        // No closures here: they would be compiled without the instruction set of the kernel.
        let mut open = 0;
        for from in squares(own) {
            open |= targets[from] & (!own | 1_u32 << from);
        }
        open
    }

    /// Returns false if followers alone can make every kind of move, wherever the leader is.
    ///
    /// Cheap test before [`BoardTables::stuck_leaders`], which then finds no square.
    #[inline(always)]
    pub(crate) fn may_lack_moves(&self, mover: usize, own: u32) -> bool {
        let mut tight = false;
        for kind in 0..self.kinds.len() {
            tight |= self.open_targets(mover, own, kind).count_ones() < 2;
        }
        tight
    }

    /// Returns true if the mover has no move in some lane, for some set of `followers` followers
    /// and some square of its leader.
    #[inline]
    pub(crate) fn can_be_stuck(&self, mover: usize, followers: u32) -> bool {
        let sets = Subsets::new(self.squares as u32, followers);
        (0..sets.len()).any(|n| {
            let own = sets.unrank(n) as u32;
            let stuck = |lane| self.stuck_leaders(mover, own, lane) & !own != 0;
            self.may_lack_moves(mover, own) && (0..self.lanes).any(stuck)
        })
    }

    /// Squares of the mover's leader with which the mover is stuck in a lane.
    ///
    /// `own` are the mover's followers. Squares of `own` and beyond the board may be included.
    #[inline(always)]
    pub(crate) fn stuck_leaders(&self, mover: usize, own: u32, lane: usize) -> u32 {
        let next = self.next_lanes[mover][lane].iter();
        let kinds = next.map(|&next| self.kind_of_lane[next]);
        kinds.fold(u32::MAX, |all, kind| all & self.stuck_leaders_by_kind(mover, own, kind))
    }

    /// Mirror image of a set; the set itself where there is no mirror.
    #[inline(always)]
    pub(crate) fn mirror_set(&self, set: u32) -> u32 {
        match &self.mirror {
            Some(mirror) => mirror.image(set),
            None => set,
        }
    }

    /// Number of sets that a canonical set stands for: 2 if its mirror image is another set, else
    /// 1.
    #[inline]
    pub(crate) fn orbit_size(&self, set: u32) -> u64 {
        1 + u64::from(self.mirror_set(set) != set)
    }

    /// The position with side `mover` to move: the position itself, or its exchanged one.
    #[inline]
    pub(crate) fn side_view(&self, position: Placement, mover: usize) -> Placement {
        if position.mover == mover {
            return position;
        }
        let last = self.squares as u8 - 1;
        let lane = self.exchanged_lane[self.lane_of_context[usize::from(position.context)]];
        let [one, other] = position.followers.map(|set| self.half_turn(set));
        Placement {
            mover,
            followers: [other, one],
            leaders: [last - position.leaders[1], last - position.leaders[0]],
            context: self.contexts[lane],
        }
    }

    /// A set after a half-turn of the board: square `s` becomes `squares - 1 - s`.
    #[inline(always)]
    pub(crate) fn half_turn(&self, set: u32) -> u32 {
        set.reverse_bits() >> (32 - self.squares)
    }
}

/// Words of a lane in board order: 16, 20 or 32, each of which has kernels of its own.
///
/// 25 squares take 32 words, so that lanes begin with cache lines: faster than 26 words.
#[inline]
fn lines_per_lane_for(squares: usize) -> usize {
    match squares {
        ..=16 => 16,
        17..=20 => 20,
        _ => 32,
    }
}

impl SideMoves {
    /// Groups `targets` by distance; masks cover `lanes` lanes of `lines` words, zero-filled to
    /// `len`.
    #[inline]
    fn new(targets: &[u32], lanes: usize, lines: usize, len: usize) -> Self {
        let mut sources = [0; 32];
        let mut translations: Vec<Translation> = Vec::new();
        for (from, &set) in targets.iter().enumerate() {
            for to in squares(set) {
                sources[to] |= 1 << from;
                let distance = to as isize - from as isize;
                match translations.iter_mut().find(|translation| translation.distance == distance) {
                    Some(translation) => translation.sources |= 1 << from,
                    None => translations.push(Translation {
                        distance,
                        sources: 1 << from,
                        line_masks: vec![0; len],
                    }),
                }
            }
        }
        for translation in &mut translations {
            for (word, line) in
                translation.line_masks.iter_mut().zip((0..lanes).flat_map(|_| 0..lines))
            {
                *word = (translation.sources >> line & 1).wrapping_neg();
            }
        }
        Self {
            targets: std::array::from_fn(|from| targets.get(from).copied().unwrap_or(0)),
            sources,
            translations,
        }
    }
}

impl Translation {
    /// Squares from which the translation leads into a set.
    #[inline(always)]
    pub(crate) fn sources_of(&self, to: u32) -> u32 {
        let by = self.distance.unsigned_abs();
        let from = if self.distance >= 0 { to >> by } else { to << by };
        from & self.sources
    }
}
