//! How positions lie in planes of bits.
//!
//! The positions of a *problem* (i followers of side 0, j of side 1) are cut into *blocks*: one for each
//! pair of sets of followers. A block has a *lane* for each context, a lane a *row* for each free square
//! of side 0's leader, a row a bit for each free square of side 1's. Free are the squares outside both
//! sets, so a block of a problem always has as many bits. Each of its lanes begins with a byte.

use std::ops::Range;

use hindsight_combinatorics::Subsets;
use hindsight_core::{Placement, TwoSidedRules};

use crate::simd::token::WIDE_WORDS;
use crate::space::mirror::Mirror;
use crate::space::sets::squares;

/// The rules, arranged for blocks in board order: [`Frame::rows`] words a lane, a word of 32 bits a row,
/// the lanes of each group filled up to sixteens of words.
pub(crate) struct BoardTables {
    pub(crate) squares: usize,
    pub(crate) lanes: usize,
    /// Words of a block in board order.
    pub(crate) block_words: usize,
    /// Where the words of each lane begin.
    pub(crate) lane_begin: Vec<usize>,
    /// The context of each lane. Lanes made by one kind of move lie together.
    pub(crate) contexts: Vec<u16>,
    /// For each side and lane the lanes that its moves lead to.
    pub(crate) next_lanes: [Vec<Vec<usize>>; 2],
    /// Of these the groups, and where their words begin.
    pub(crate) next_lane_words: [Vec<Vec<(usize, usize)>>; 2],
    /// For each side and lane the lanes from which its moves lead to it.
    pub(crate) prev_lanes: [Vec<Vec<usize>>; 2],
    pub(crate) kinds: Vec<MoveKind>,
    pub(crate) lane_of_context: Vec<usize>,
    /// For each lane the one with the sides exchanged.
    pub(crate) exchanged_lane: Vec<usize>,
    /// Which group a lane belongs to.
    pub(crate) kind_of_lane: Vec<usize>,
    /// The goal of each side as a set.
    pub(crate) goals: [u32; 2],
    pub(crate) mirror: Option<Mirror>,
}

/// The lanes that one kind of move leads to.
pub(crate) struct MoveKind {
    pub(crate) lanes: Range<usize>,
    /// Their words in a block in board order.
    pub(crate) words: Range<usize>,
    /// What this kind of move does, for each side.
    pub(crate) moves: [SideMoves; 2],
}

/// A kind of move of a side.
pub(crate) struct SideMoves {
    /// The squares that each square leads to.
    pub(crate) targets: [u32; 32],
    /// The squares that lead to each square.
    pub(crate) sources: [u32; 32],
    pub(crate) translations: Vec<Translation>,
}

/// All moves of a kind that go equally far.
pub(crate) struct Translation {
    /// What is added to the number of a square.
    pub(crate) distance: isize,
    /// The squares it can be made from.
    pub(crate) sources: u32,
    /// The same, a word for each row of all lanes of the group: all ones or none.
    pub(crate) line_masks: Vec<u32>,
}

impl BoardTables {
    #[inline]
    pub(crate) fn new(rules: &TwoSidedRules) -> Self {
        let squares = usize::from(rules.squares);
        let mut contexts: Vec<u16> = (0..rules.kind_into.len() as u16).collect();
        let kind = |context: u16| rules.kind_into[usize::from(context)];
        contexts.sort_by_key(|&context| (kind(context), context));
        let mut lane_of = vec![0; contexts.len()];
        for (lane, &context) in contexts.iter().enumerate() {
            lane_of[usize::from(context)] = lane;
        }
        let next = [0, 1].map(|side: usize| {
            let of = |&context: &u16| {
                let next = rules.next_contexts[side][usize::from(context)].iter();
                next.map(|&context| lane_of[usize::from(context)]).collect()
            };
            contexts.iter().map(of).collect::<Vec<Vec<usize>>>()
        });
        let prev = [&next[0], &next[1]].map(|next| {
            let leads = |from: usize, to: &usize| next[from].contains(to);
            let of = |to| (0..next.len()).filter(|&from| leads(from, &to)).collect();
            (0..next.len()).map(of).collect()
        });
        let rows = lines_per_lane_for(squares);
        let mut word_of = Vec::new();
        let mut groups: Vec<MoveKind> = Vec::new();
        for lanes in contexts.chunk_by(|&a, &b| kind(a) == kind(b)) {
            let first = groups.last().map_or(0, |group| group.lanes.end);
            let begin = groups.last().map_or(0, |group| group.words.end);
            word_of.extend((0..lanes.len()).map(|lane| begin + lane * rows));
            let len = (lanes.len() * rows).next_multiple_of(WIDE_WORDS);
            let targets = |side: usize| &rules.targets[side][usize::from(kind(lanes[0]))];
            let moves = [0, 1].map(|side| SideMoves::new(targets(side), lanes.len(), rows, len));
            groups.push(MoveKind {
                lanes: first..first + lanes.len(),
                words: begin..begin + len,
                moves,
            });
        }
        let group_of = groups.iter().enumerate();
        let group_of = group_of.flat_map(|(i, group)| group.lanes.clone().map(move |_| i));
        let group_of: Vec<usize> = group_of.collect();
        let next_words = [&next[0], &next[1]].map(|next| {
            let words = |&lane: &usize| (group_of[lane], word_of[lane]);
            let of = |lanes: &Vec<usize>| lanes.iter().map(words).collect();
            next.iter().map(of).collect()
        });
        Self {
            squares,
            lanes: contexts.len(),
            block_words: groups.last().map_or(0, |group| group.words.end),
            lane_begin: word_of,
            next_lanes: next,
            prev_lanes: prev,
            next_lane_words: next_words,
            kind_of_lane: group_of,
            exchanged_lane: contexts
                .iter()
                .map(|&context| {
                    lane_of[usize::from(rules.exchanged_contexts[usize::from(context)])]
                })
                .collect(),
            kinds: groups,
            goals: rules.goals.map(|goal| 1 << goal),
            mirror: Mirror::new(rules, &contexts, &lane_of),
            contexts,
            lane_of_context: lane_of,
        }
    }

    /// All squares.
    #[inline]
    pub(crate) fn board(&self) -> u32 {
        u32::MAX >> (32 - self.squares)
    }

    /// Words of a lane in board order.
    #[inline]
    pub(crate) fn lines_per_lane(&self) -> usize {
        lines_per_lane_for(self.squares)
    }

    /// The squares of a side's leader with which no piece can move by a kind of move.
    #[inline(always)]
    fn stuck_leaders_by_kind(&self, mover: usize, own: u32, group: usize) -> u32 {
        let targets = &self.kinds[group].moves[mover].targets;
        let open = self.open_targets(mover, own, group);
        // The leader may bar the only way.
        let candidates = match open.count_ones() {
            0 => self.board() & !own,
            1 => open & !own,
            _ => 0,
        };
        let stuck = squares(candidates).filter(|&from| targets[from] & !own == 0);
        stuck.fold(0, |all, from| all | 1 << from)
    }

    /// Where a side's followers can go by a kind of move.
    #[inline(always)]
    fn open_targets(&self, mover: usize, own: u32, group: usize) -> u32 {
        let targets = &self.kinds[group].moves[mover].targets;
        // No closures: they would be compiled without the instructions.
        let mut open = 0;
        for from in squares(own) {
            open |= targets[from] & (!own | 1_u32 << from);
        }
        open
    }

    /// Whether there may be a kind of move that no piece can make, wherever a side's leader is.
    #[inline(always)]
    pub(crate) fn may_lack_moves(&self, mover: usize, own: u32) -> bool {
        let mut tight = false;
        for group in 0..self.kinds.len() {
            tight |= self.open_targets(mover, own, group).count_ones() < 2;
        }
        tight
    }

    /// Whether a side with so many followers may have no move in some lane.
    #[inline]
    pub(crate) fn can_be_stuck(&self, mover: usize, followers: u32) -> bool {
        let sets = Subsets::new(self.squares as u32, followers);
        (0..sets.len()).any(|n| {
            let own = sets.unrank(n) as u32;
            let stuck = |lane| self.stuck_leaders(mover, own, lane) & !own != 0;
            self.may_lack_moves(mover, own) && (0..self.lanes).any(stuck)
        })
    }

    /// The squares of a side's leader with which no piece can move in a lane.
    #[inline(always)]
    pub(crate) fn stuck_leaders(&self, mover: usize, own: u32, lane: usize) -> u32 {
        let next = self.next_lanes[mover][lane].iter();
        let groups = next.map(|&next| self.kind_of_lane[next]);
        groups.fold(u32::MAX, |all, group| {
            all & self.stuck_leaders_by_kind(mover, own, group)
        })
    }

    /// The image of a set, or the set where there is no mirror.
    #[inline(always)]
    pub(crate) fn mirror_set(&self, set: u32) -> u32 {
        match &self.mirror {
            Some(mirror) => mirror.image(set),
            None => set,
        }
    }

    /// How many sets a set stands for: two, if its image is another.
    #[inline]
    pub(crate) fn orbit_size(&self, set: u32) -> u64 {
        1 + u64::from(self.mirror_set(set) != set)
    }

    /// A position with a side to move, turned if it is the other's turn.
    #[inline]
    pub(crate) fn from_side(&self, position: Placement, mover: usize) -> Placement {
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

    /// A set in reversed order of squares.
    #[inline(always)]
    pub(crate) fn half_turn(&self, set: u32) -> u32 {
        set.reverse_bits() >> (32 - self.squares)
    }
}

/// Words of a lane in board order: one of few even numbers, each with code of its own. With 32 of them for 25 squares
/// lanes begin with cache lines, which gains more than the additional words take.
#[inline]
fn lines_per_lane_for(squares: usize) -> usize {
    match squares {
        ..=16 => 16,
        17..=20 => 20,
        _ => 32,
    }
}

impl SideMoves {
    /// For so many lanes of so many rows, in `len` words.
    #[inline]
    fn new(targets: &[u32], lanes: usize, rows: usize, len: usize) -> Self {
        let mut sources = [0; 32];
        let mut steps: Vec<Translation> = Vec::new();
        for (from, &set) in targets.iter().enumerate() {
            for to in squares(set) {
                sources[to] |= 1 << from;
                let distance = to as isize - from as isize;
                match steps.iter_mut().find(|step| step.distance == distance) {
                    Some(step) => step.sources |= 1 << from,
                    None => steps.push(Translation {
                        distance,
                        sources: 1 << from,
                        line_masks: vec![0; len],
                    }),
                }
            }
        }
        for step in &mut steps {
            for (word, row) in step
                .line_masks
                .iter_mut()
                .zip((0..lanes).flat_map(|_| 0..rows))
            {
                *word = (step.sources >> row & 1).wrapping_neg();
            }
        }
        Self {
            targets: std::array::from_fn(|from| targets.get(from).copied().unwrap_or(0)),
            sources,
            translations: steps,
        }
    }
}

impl Translation {
    /// The squares from which it leads to squares of a set.
    #[inline(always)]
    pub(crate) fn sources_of(&self, to: u32) -> u32 {
        let by = self.distance.unsigned_abs();
        let from = if self.distance >= 0 {
            to >> by
        } else {
            to << by
        };
        from & self.sources
    }
}
