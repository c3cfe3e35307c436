//! Positions whose values are wanted, each looked up where its win and where its loss would be.

use hindsight_core::Placement;

use crate::out_of_core::partition::Partition;
use crate::plane::plane::Plane;
use crate::space::board_tables::BoardTables;
use crate::space::subproblem::{Subproblem, subproblem_of};

/// Positions, and the pass that decided each, or 0.
pub(crate) struct TrackedPositions {
    locations: Vec<Location>,
    pub(crate) passes: Vec<u16>,
}

/// Where a position is as seen by one of the sides.
struct Location {
    /// Problem, side to move, and slice of rows.
    at: (usize, usize, usize),
    position: Placement,
    /// Its number.
    number: usize,
}

impl TrackedPositions {
    pub(crate) fn new(
        (tables, subproblems, cut): (&BoardTables, &[Subproblem], &Partition),
        positions: impl Iterator<Item = Placement>,
    ) -> Self {
        let mut homes = Vec::new();
        let mut count = 0;
        for (number, position) in positions.enumerate() {
            count += 1;
            for mover in 0..2 {
                let position = tables.from_side(position, mover);
                let followers = position.followers.map(u32::count_ones);
                // Positions of more followers are watched in vain.
                let Some(subproblem) = subproblem_of(subproblems, followers) else {
                    continue;
                };
                let slices = cut.slices(&subproblems[subproblem], 1 - mover);
                let slice = slices.slice_of(position.followers[1 - mover]);
                homes.push(Location {
                    at: (subproblem, mover, slice),
                    position,
                    number,
                });
            }
        }
        homes.sort_by_key(|home| (home.at, home.number));
        Self {
            locations: homes,
            passes: vec![0; count],
        }
    }

    /// Looks at those in a slice of a plane after a pass, which has decided those with such a bit.
    pub(crate) fn record(
        &mut self,
        tables: &BoardTables,
        (plane, decided_are): (&Plane, bool),
        at: (usize, usize, usize),
        pass: u16,
    ) {
        let begin = self.locations.partition_point(|home| home.at < at);
        for home in &self.locations[begin..] {
            if home.at != at {
                break;
            }
            let decided = &mut self.passes[home.number];
            if *decided == 0 && plane.bit(tables, home.position) == decided_are {
                *decided = pass;
            }
        }
    }

    /// What is undecided, each with its number, seen by side 0 to move.
    pub(crate) fn undecided(&self) -> impl Iterator<Item = (usize, Placement)> {
        let homes = self.locations.iter();
        let undecided = |home: &&Location| home.at.1 == 0 && self.passes[home.number] == 0;
        homes
            .filter(undecided)
            .map(|home| (home.number, home.position))
    }
}
