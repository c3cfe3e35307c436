//! Heights of squares, and follower sets grouped by them.
//!
//! Squares and sets are seen by the side that the pieces belong to, so one table serves both sides.

use std::collections::BTreeMap;

use crate::space::board_tables::{BoardTables, MoveKind};
use crate::space::sets::{set_rank, squares};

/// Height of each square: the most irreversible moves on any path from it.
///
/// A move is irreversible if no moves lead back from its target. Squares of one strongly connected
/// component share a height.
pub(crate) struct PieceHeights {
    heights: [u8; 32],
    /// Greatest height that a single move loses.
    pub(crate) max_drop: u32,
}

impl PieceHeights {
    /// Finds the heights of all squares; `O(squares^3)`.
    pub(crate) fn new(tables: &BoardTables) -> Self {
        let mut reachable = [0_u32; 32];
        for kind in &tables.kinds {
            for (from, targets) in kind.moves[0].targets.iter().enumerate() {
                reachable[from] |= targets;
            }
        }
        let targets = reachable;
        // Transitive closure by Warshall's algorithm.
        for through in 0..32 {
            let further = reachable[through];
            for reachable in &mut reachable {
                *reachable |= further & (*reachable >> through & 1).wrapping_neg();
            }
        }
        let leads_back = |from: usize, to: usize| from == to || reachable[to] >> from & 1 == 1;
        let mut heights = [0_u8; 32];
        for _ in 0..tables.squares {
            for from in 0..tables.squares {
                let lower = squares(targets[from]).filter(|&to| !leads_back(from, to));
                let above_lower = lower.map(|to| heights[to] + 1).max();
                let connected = squares(targets[from]).filter(|&to| leads_back(from, to));
                let of_connected = connected.map(|to| heights[to]).max();
                let height = above_lower.max(of_connected).unwrap_or(0);
                heights[from] = heights[from].max(height);
            }
        }
        let moves =
            (0..tables.squares).flat_map(|from| squares(targets[from]).map(move |to| (from, to)));
        let max_drop = moves.map(|(from, to)| u32::from(heights[from] - heights[to])).max();
        Self { heights, max_drop: max_drop.unwrap_or(0) }
    }

    /// Most squares that share a height.
    pub(crate) fn widest(&self, tables: &BoardTables) -> usize {
        let heights = &self.heights[..tables.squares];
        let equal = |height: &u8| heights.iter().filter(|&other| other == height).count();
        heights.iter().map(equal).max().unwrap_or(0)
    }

    /// Heights of the squares of a set, ascending.
    fn heights_of(&self, set: u32) -> Vec<u8> {
        let mut heights: Vec<u8> = squares(set).map(|square| self.heights[square]).collect();
        heights.sort_unstable();
        heights
    }
}

/// All follower sets of one size, in classes of equal heights.
pub(crate) struct HeightClasses {
    pub(crate) classes: Vec<HeightClass>,
    /// Class of each set. Index: set rank.
    members: Vec<ClassMember>,
}

/// Follower sets whose squares have the same heights, with multiplicity.
///
/// Indices into the class are those of `sets`, which ascend.
pub(crate) struct HeightClass {
    /// Sum of the heights of the squares of a set.
    pub(crate) height: u32,
    pub(crate) sets: Vec<u32>,
    /// Sets of the canonical rows: of two mirror images the lesser.
    pub(crate) canonical: Vec<u32>,
    /// Moves from each set.
    pub(crate) moves: Vec<FollowerMoves>,
    /// Other sets of the class from which a move leads to each set, as indices into the class.
    pub(crate) predecessors: Vec<Vec<u32>>,
}

/// Followers of one side, with their class.
#[derive(Clone, Copy)]
pub(crate) struct FollowerSet {
    pub(crate) set: u32,
    pub(crate) member: ClassMember,
}

/// Moves of the followers of a set.
pub(crate) struct FollowerMoves {
    /// All moves. Index: kind of move.
    pub(crate) moves_by_kind: Vec<Vec<FollowerMove>>,
    /// Sets after the moves that stay in the class, as indices into it. Index: kind of move.
    pub(crate) inside: Vec<Vec<u32>>,
    /// True if the mover is stuck in some lane, for some square of its leader.
    pub(crate) is_stuck: bool,
}

/// Move of one follower, a capture if the other side has a follower on its target.
pub(crate) struct FollowerMove {
    /// Target square.
    pub(crate) to: usize,
    pub(crate) after: FollowerSet,
}

/// Class of a set, and index of the set in it.
#[derive(Clone, Copy, Default)]
pub(crate) struct ClassMember {
    pub(crate) class: u32,
    /// Index of the set in the class.
    pub(crate) number: u32,
    /// Canonical row of the set, or of its mirror image.
    pub(crate) row: u32,
    /// True if the canonical row is that of the mirror image.
    pub(crate) is_image: bool,
}

impl HeightClasses {
    /// Groups all sets of `followers` followers, and lists their moves.
    pub(crate) fn new(tables: &BoardTables, heights: &PieceHeights, followers: u32) -> Self {
        let subsets = hindsight_core::combinatorics::Subsets::new(tables.squares as u32, followers);
        let mut sets_by_heights: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        for n in 0..subsets.len() {
            let set = subsets.unrank(n) as u32;
            sets_by_heights.entry(heights.heights_of(set)).or_default().push(set);
        }
        let mut members = vec![ClassMember::default(); subsets.len() as usize];
        let mut classes = Vec::new();
        for (class, (heights, sets)) in (0..).zip(sets_by_heights) {
            let mut canonical = Vec::new();
            for (number, &set) in (0..).zip(&sets) {
                members[set_rank(set)] = ClassMember { class, number, ..ClassMember::default() };
                if set <= tables.mirror_set(set) {
                    canonical.push(set);
                }
            }
            for (row, &set) in (0..).zip(&canonical) {
                let image = &mut members[set_rank(tables.mirror_set(set))];
                (image.row, image.is_image) = (row, true);
                // A set that is its own image is no image.
                let own = &mut members[set_rank(set)];
                (own.row, own.is_image) = (row, false);
            }
            classes.push(HeightClass {
                height: heights.iter().map(|&height| u32::from(height)).sum(),
                sets,
                canonical,
                moves: Vec::new(),
                predecessors: Vec::new(),
            });
        }
        let mut all = Self { classes, members };
        for class in 0..all.classes.len() {
            let sets = all.classes[class].sets.iter();
            let moves: Vec<FollowerMoves> = sets.map(|&set| all.moves(tables, set)).collect();
            all.classes[class].predecessors = predecessors(&moves, class as u32);
            all.classes[class].moves = moves;
        }
        all
    }

    /// Lists the moves of the followers of a set.
    fn moves(&self, tables: &BoardTables, set: u32) -> FollowerMoves {
        let moves_of_kind = |kind: &MoveKind| {
            let mut moves = Vec::new();
            for from in squares(set) {
                let rest = set & !(1 << from);
                for to in squares(kind.moves[0].targets[from] & !rest) {
                    let after = self.follower_set(rest | 1 << to);
                    moves.push(FollowerMove { to, after });
                }
            }
            moves
        };
        let is_stuck = |lane| tables.stuck_leaders(0, set, lane) & tables.board() & !set != 0;
        let class = self.member(set).class;
        let moves_by_kind: Vec<Vec<FollowerMove>> =
            tables.kinds.iter().map(moves_of_kind).collect();
        let inside = |moves: &Vec<FollowerMove>| {
            let members = moves.iter().map(|follower_move| follower_move.after.member);
            members.filter(|after| after.class == class).map(|after| after.number).collect()
        };
        FollowerMoves {
            inside: moves_by_kind.iter().map(inside).collect(),
            moves_by_kind,
            is_stuck: (0..tables.lanes).any(is_stuck),
        }
    }

    /// Class of a set, and its index there.
    #[inline(always)]
    pub(crate) fn member(&self, set: u32) -> ClassMember {
        self.members[set_rank(set)]
    }

    #[inline(always)]
    pub(crate) fn follower_set(&self, set: u32) -> FollowerSet {
        FollowerSet { set, member: self.member(set) }
    }
}

/// Reverses the moves inside a class: `predecessors[to]` are the sets with a move to set `to`.
///
/// Moves that leave a set as it is are left out.
fn predecessors(moves: &[FollowerMoves], class: u32) -> Vec<Vec<u32>> {
    let mut predecessors = vec![Vec::new(); moves.len()];
    for (from, moves) in (0..).zip(moves) {
        for to in
            moves.moves_by_kind.iter().flatten().map(|follower_move| follower_move.after.member)
        {
            if to.class != class || to.number == from {
                continue;
            }
            let sources = &mut predecessors[to.number as usize];
            if sources.last() != Some(&from) {
                sources.push(from);
            }
        }
    }
    predecessors
}
