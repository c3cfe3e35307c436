//! How far pieces can still go, where no piece can go back.

use std::collections::BTreeMap;

use crate::space::board_tables::{BoardTables, MoveKind};
use crate::space::sets::{set_rank, squares};

/// For each square, seen by the side whose piece is there, how often a piece can leave such a square for a lower one.
pub(crate) struct PieceHeights {
    heights: [u8; 32],
    /// How much lower a move leads at most.
    pub(crate) max_drop: u32,
}

impl PieceHeights {
    pub(crate) fn new(tables: &BoardTables) -> Self {
        let mut reached = [0_u32; 32];
        for group in &tables.kinds {
            for (from, targets) in group.moves[0].targets.iter().enumerate() {
                reached[from] |= targets;
            }
        }
        let moves = reached;
        for through in 0..32 {
            let further = reached[through];
            for reached in &mut reached {
                *reached |= further & (*reached >> through & 1).wrapping_neg();
            }
        }
        let leads_back = |from: usize, to: usize| from == to || reached[to] >> from & 1 == 1;
        let mut heights = [0_u8; 32];
        for _ in 0..tables.squares {
            for from in 0..tables.squares {
                let lower = squares(moves[from]).filter(|&to| !leads_back(from, to));
                let height = lower.map(|to| heights[to] + 1).max();
                // Whoever leads back is as high.
                let equals = squares(moves[from]).filter(|&to| leads_back(from, to));
                let equal = equals.map(|to| heights[to]).max();
                heights[from] = heights[from].max(height.max(equal).unwrap_or(0));
            }
        }
        let edges =
            (0..tables.squares).flat_map(|from| squares(moves[from]).map(move |to| (from, to)));
        let drop = edges
            .map(|(from, to)| u32::from(heights[from] - heights[to]))
            .max();
        Self {
            heights,
            max_drop: drop.unwrap_or(0),
        }
    }

    /// The most squares of equal height.
    pub(crate) fn widest(&self, tables: &BoardTables) -> usize {
        let heights = &self.heights[..tables.squares];
        let equal = |height: &u8| heights.iter().filter(|&other| other == height).count();
        heights.iter().map(equal).max().unwrap_or(0)
    }

    fn heights_of(&self, set: u32) -> Vec<u8> {
        let mut heights: Vec<u8> = squares(set).map(|square| self.heights[square]).collect();
        heights.sort_unstable();
        heights
    }
}

/// All sets of so many followers, seen by their side, by their heights: a class each.
pub(crate) struct HeightClasses {
    pub(crate) classes: Vec<HeightClass>,
    /// For each set by its rank.
    members: Vec<ClassMember>,
}

/// Sets of followers on squares of the same heights.
pub(crate) struct HeightClass {
    /// How high they are together.
    pub(crate) height: u32,
    pub(crate) sets: Vec<u32>,
    /// The rows that are kept: of two images one.
    pub(crate) canonical: Vec<u32>,
    /// For each set its moves.
    pub(crate) moves: Vec<FollowerMoves>,
    /// For each set those of the class from which a move leads to it, as numbers in the class.
    pub(crate) predecessors: Vec<Vec<u32>>,
}

/// Followers of a side, seen by it, and where they are.
#[derive(Clone, Copy)]
pub(crate) struct FollowerSet {
    pub(crate) set: u32,
    pub(crate) member: ClassMember,
}

/// What can be done with followers.
pub(crate) struct FollowerMoves {
    /// Moves of followers, by kind.
    pub(crate) moves_by_kind: Vec<Vec<FollowerMove>>,
    /// Of these those that stay in the class, as numbers in it.
    pub(crate) inside: Vec<Vec<u32>>,
    /// Whether the leader may be where no piece can move.
    pub(crate) is_stuck: bool,
}

/// A move of a follower.
pub(crate) struct FollowerMove {
    pub(crate) to: usize,
    pub(crate) after: FollowerSet,
}

/// Where a set is.
#[derive(Clone, Copy, Default)]
pub(crate) struct ClassMember {
    pub(crate) class: u32,
    /// Its number in the class.
    pub(crate) number: u32,
    /// Its row, or that of its image.
    pub(crate) row: u32,
    pub(crate) is_image: bool,
}

impl HeightClasses {
    pub(crate) fn new(tables: &BoardTables, ways: &PieceHeights, followers: u32) -> Self {
        let all = hindsight_combinatorics::Subsets::new(tables.squares as u32, followers);
        let mut by_heights: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        for n in 0..all.len() {
            let set = all.unrank(n) as u32;
            by_heights
                .entry(ways.heights_of(set))
                .or_default()
                .push(set);
        }
        let mut of = vec![ClassMember::default(); all.len() as usize];
        let mut classes = Vec::new();
        for (class, (heights, sets)) in (0..).zip(by_heights) {
            let mut kept = Vec::new();
            for (at, &set) in (0..).zip(&sets) {
                of[set_rank(set)] = ClassMember {
                    class,
                    number: at,
                    ..ClassMember::default()
                };
                if set <= tables.mirror_set(set) {
                    kept.push(set);
                }
            }
            for (row, &set) in (0..).zip(&kept) {
                let image = &mut of[set_rank(tables.mirror_set(set))];
                (image.row, image.is_image) = (row, true);
                let own = &mut of[set_rank(set)];
                (own.row, own.is_image) = (row, false);
            }
            classes.push(HeightClass {
                height: heights.iter().map(|&height| u32::from(height)).sum(),
                sets,
                canonical: kept,
                moves: Vec::new(),
                predecessors: Vec::new(),
            });
        }
        let mut all = Self {
            classes,
            members: of,
        };
        for class in 0..all.classes.len() {
            let sets = all.classes[class].sets.iter();
            let moves: Vec<FollowerMoves> = sets.map(|&set| all.moves(tables, set)).collect();
            all.classes[class].predecessors = predecessors(&moves, class as u32);
            all.classes[class].moves = moves;
        }
        all
    }

    fn moves(&self, tables: &BoardTables, set: u32) -> FollowerMoves {
        let steps = |group: &MoveKind| {
            let mut steps = Vec::new();
            for from in squares(set) {
                let rest = set & !(1 << from);
                for to in squares(group.moves[0].targets[from] & !rest) {
                    let after = self.side(rest | 1 << to);
                    steps.push(FollowerMove { to, after });
                }
            }
            steps
        };
        let is_stuck = |lane| tables.stuck_leaders(0, set, lane) & tables.board() & !set != 0;
        let class = self.member(set).class;
        let steps: Vec<Vec<FollowerMove>> = tables.kinds.iter().map(steps).collect();
        let inside = |steps: &Vec<FollowerMove>| {
            let members = steps.iter().map(|step| step.after.member);
            members
                .filter(|to| to.class == class)
                .map(|to| to.number)
                .collect()
        };
        FollowerMoves {
            inside: steps.iter().map(inside).collect(),
            moves_by_kind: steps,
            is_stuck: (0..tables.lanes).any(is_stuck),
        }
    }

    #[inline(always)]
    pub(crate) fn member(&self, set: u32) -> ClassMember {
        self.members[set_rank(set)]
    }

    #[inline(always)]
    pub(crate) fn side(&self, set: u32) -> FollowerSet {
        FollowerSet {
            set,
            member: self.member(set),
        }
    }
}

/// For each set of a class with these moves those of the class that lead to it.
fn predecessors(moves: &[FollowerMoves], class: u32) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); moves.len()];
    for (at, moves) in (0..).zip(moves) {
        for to in moves
            .moves_by_kind
            .iter()
            .flatten()
            .map(|step| step.after.member)
        {
            if to.class != class || to.number == at {
                continue;
            }
            let before = &mut before[to.number as usize];
            if before.last() != Some(&at) {
                before.push(at);
            }
        }
    }
    before
}
