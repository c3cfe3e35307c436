//! How far pieces can still go, where no piece can go back.

use std::collections::BTreeMap;

use crate::space::board_tables::{Frame, Group};
use crate::space::sets::{rank, squares};

/// For each square, seen by the side whose piece is there, how often a piece can leave such a square for a lower one.
pub(crate) struct Ways {
    heights: [u8; 32],
    /// How much lower a move leads at most.
    pub(crate) drop: u32,
}

impl Ways {
    pub(crate) fn new(frame: &Frame) -> Self {
        let mut reached = [0_u32; 32];
        for group in &frame.groups {
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
        for _ in 0..frame.squares {
            for from in 0..frame.squares {
                let lower = squares(moves[from]).filter(|&to| !leads_back(from, to));
                let height = lower.map(|to| heights[to] + 1).max();
                // Whoever leads back is as high.
                let equals = squares(moves[from]).filter(|&to| leads_back(from, to));
                let equal = equals.map(|to| heights[to]).max();
                heights[from] = heights[from].max(height.max(equal).unwrap_or(0));
            }
        }
        let edges =
            (0..frame.squares).flat_map(|from| squares(moves[from]).map(move |to| (from, to)));
        let drop = edges
            .map(|(from, to)| u32::from(heights[from] - heights[to]))
            .max();
        Self {
            heights,
            drop: drop.unwrap_or(0),
        }
    }

    /// The most squares of equal height.
    pub(crate) fn widest(&self, frame: &Frame) -> usize {
        let heights = &self.heights[..frame.squares];
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
pub(crate) struct Sets {
    pub(crate) classes: Vec<Class>,
    /// For each set by its rank.
    of: Vec<Member>,
}

/// Sets of followers on squares of the same heights.
pub(crate) struct Class {
    /// How high they are together.
    pub(crate) height: u32,
    pub(crate) sets: Vec<u32>,
    /// The rows that are kept: of two images one.
    pub(crate) kept: Vec<u32>,
    /// For each set its moves.
    pub(crate) moves: Vec<Moves>,
    /// For each set those of the class from which a move leads to it, as numbers in the class.
    pub(crate) before: Vec<Vec<u32>>,
}

/// Followers of a side, seen by it, and where they are.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) set: u32,
    pub(crate) member: Member,
}

/// What can be done with followers.
pub(crate) struct Moves {
    /// Moves of followers, by kind.
    pub(crate) steps: Vec<Vec<Step>>,
    /// Of these those that stay in the class, as numbers in it.
    pub(crate) inside: Vec<Vec<u32>>,
    /// Whether the leader may be where no piece can move.
    pub(crate) is_stuck: bool,
}

/// A move of a follower.
pub(crate) struct Step {
    pub(crate) to: usize,
    pub(crate) after: Side,
}

/// Where a set is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Member {
    pub(crate) class: u32,
    /// Its number in the class.
    pub(crate) at: u32,
    /// Its row, or that of its image.
    pub(crate) row: u32,
    pub(crate) is_image: bool,
}

impl Sets {
    pub(crate) fn new(frame: &Frame, ways: &Ways, followers: u32) -> Self {
        let all = hindsight_combinatorics::Subsets::new(frame.squares as u32, followers);
        let mut by_heights: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        for n in 0..all.len() {
            let set = all.unrank(n) as u32;
            by_heights
                .entry(ways.heights_of(set))
                .or_default()
                .push(set);
        }
        let mut of = vec![Member::default(); all.len() as usize];
        let mut classes = Vec::new();
        for (class, (heights, sets)) in (0..).zip(by_heights) {
            let mut kept = Vec::new();
            for (at, &set) in (0..).zip(&sets) {
                of[rank(set)] = Member {
                    class,
                    at,
                    ..Member::default()
                };
                if set <= frame.mirrored(set) {
                    kept.push(set);
                }
            }
            for (row, &set) in (0..).zip(&kept) {
                let image = &mut of[rank(frame.mirrored(set))];
                (image.row, image.is_image) = (row, true);
                let own = &mut of[rank(set)];
                (own.row, own.is_image) = (row, false);
            }
            classes.push(Class {
                height: heights.iter().map(|&height| u32::from(height)).sum(),
                sets,
                kept,
                moves: Vec::new(),
                before: Vec::new(),
            });
        }
        let mut all = Self { classes, of };
        for class in 0..all.classes.len() {
            let sets = all.classes[class].sets.iter();
            let moves: Vec<Moves> = sets.map(|&set| all.moves(frame, set)).collect();
            all.classes[class].before = before(&moves, class as u32);
            all.classes[class].moves = moves;
        }
        all
    }

    fn moves(&self, frame: &Frame, set: u32) -> Moves {
        let steps = |group: &Group| {
            let mut steps = Vec::new();
            for from in squares(set) {
                let rest = set & !(1 << from);
                for to in squares(group.moves[0].targets[from] & !rest) {
                    let after = self.side(rest | 1 << to);
                    steps.push(Step { to, after });
                }
            }
            steps
        };
        let is_stuck = |lane| frame.stuck_in(0, set, lane) & frame.board() & !set != 0;
        let class = self.find(set).class;
        let steps: Vec<Vec<Step>> = frame.groups.iter().map(steps).collect();
        let inside = |steps: &Vec<Step>| {
            let members = steps.iter().map(|step| step.after.member);
            members
                .filter(|to| to.class == class)
                .map(|to| to.at)
                .collect()
        };
        Moves {
            inside: steps.iter().map(inside).collect(),
            steps,
            is_stuck: (0..frame.lanes).any(is_stuck),
        }
    }

    #[inline(always)]
    pub(crate) fn find(&self, set: u32) -> Member {
        self.of[rank(set)]
    }

    #[inline(always)]
    pub(crate) fn side(&self, set: u32) -> Side {
        Side {
            set,
            member: self.find(set),
        }
    }
}

/// For each set of a class with these moves those of the class that lead to it.
fn before(moves: &[Moves], class: u32) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); moves.len()];
    for (at, moves) in (0..).zip(moves) {
        for to in moves.steps.iter().flatten().map(|step| step.after.member) {
            if to.class != class || to.at == at {
                continue;
            }
            let before = &mut before[to.at as usize];
            if before.last() != Some(&at) {
                before.push(at);
            }
        }
    }
    before
}
