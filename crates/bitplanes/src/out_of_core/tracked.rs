//! Positions whose values are wanted, looked up in each pass that may decide them.
//!
//! The position itself may be won in a W plane, and its exchanged position lost in an L plane, so
//! each position has two locations.

use hindsight_core::Placement;

use crate::out_of_core::partition::Partition;
use crate::plane::plane::Plane;
use crate::space::board_tables::BoardTables;
use crate::space::subproblem::{Subproblem, subproblem_of};

/// Tracked positions, with the passes that decided them.
pub(crate) struct TrackedPositions {
    /// Locations, ascending by slice.
    locations: Vec<Location>,
    /// Pass that decided each position; 0 while it is undecided.
    pub(crate) passes: Vec<u16>,
}

/// One slice of the rows of one plane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SliceKey {
    pub(crate) subproblem: usize,
    /// Side to move in the plane, 0 or 1.
    pub(crate) mover: usize,
    /// Slice of the rows.
    pub(crate) slice: usize,
}

/// Location of a position in one of its two planes.
struct Location {
    key: SliceKey,
    /// The position, or the exchanged one, with the plane's mover to move.
    position: Placement,
    /// Index of the position among the tracked ones.
    number: usize,
}

impl TrackedPositions {
    /// Locates positions. Those with more followers than the subproblems have are never decided.
    pub(crate) fn new(
        tables: &BoardTables,
        subproblems: &[Subproblem],
        partition: &Partition,
        positions: impl Iterator<Item = Placement>,
    ) -> Self {
        let mut locations = Vec::new();
        let mut count = 0;
        for (number, position) in positions.enumerate() {
            count += 1;
            for mover in 0..2 {
                let position = tables.side_view(position, mover);
                let followers = position.followers.map(u32::count_ones);
                let Some(subproblem) = subproblem_of(subproblems, followers) else {
                    continue;
                };
                let slices = partition.slices(&subproblems[subproblem], 1 - mover);
                let slice = slices.slice_of(position.followers[1 - mover]);
                locations.push(Location {
                    key: SliceKey { subproblem, mover, slice },
                    position,
                    number,
                });
            }
        }
        locations.sort_by_key(|location| (location.key, location.number));
        Self { locations, passes: vec![0; count] }
    }

    /// Looks up the undecided positions of a slice after `pass`.
    ///
    /// `plane` holds the slice's rows; a bit equal to `decided_bit` means that the pass has
    /// decided.
    pub(crate) fn record(
        &mut self,
        tables: &BoardTables,
        plane: &Plane,
        decided_bit: bool,
        key: SliceKey,
        pass: u16,
    ) {
        let begin = self.locations.partition_point(|location| location.key < key);
        for location in &self.locations[begin..] {
            if location.key != key {
                break;
            }
            let decided = &mut self.passes[location.number];
            if *decided == 0 && plane.bit(tables, location.position) == decided_bit {
                *decided = pass;
            }
        }
    }

    /// Undecided positions with their numbers, from side 0 to move.
    pub(crate) fn undecided(&self) -> impl Iterator<Item = (usize, Placement)> {
        let locations = self.locations.iter();
        let undecided = locations
            .filter(|location| location.key.mover == 0 && self.passes[location.number] == 0);
        undecided.map(|location| (location.number, location.position))
    }
}
