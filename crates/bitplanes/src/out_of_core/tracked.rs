//! Positions whose values are wanted, each looked up where its win and where its loss would be.

use hindsight_core::Placement;

use crate::out_of_core::partition::Cut;
use crate::plane::plane::Plane;
use crate::space::board_tables::Frame;
use crate::space::subproblem::{Problem, problem_of};

/// Positions, and the pass that decided each, or 0.
pub(crate) struct Watch {
    homes: Vec<Home>,
    pub(crate) passes: Vec<u16>,
}

/// Where a position is as seen by one of the sides.
struct Home {
    /// Problem, side to move, and slice of rows.
    at: (usize, usize, usize),
    position: Placement,
    /// Its number.
    number: usize,
}

impl Watch {
    pub(crate) fn new(
        (frame, problems, cut): (&Frame, &[Problem], &Cut),
        positions: impl Iterator<Item = Placement>,
    ) -> Self {
        let mut homes = Vec::new();
        let mut count = 0;
        for (number, position) in positions.enumerate() {
            count += 1;
            for mover in 0..2 {
                let position = frame.seen_by(position, mover);
                let followers = position.followers.map(u32::count_ones);
                // Positions of more followers are watched in vain.
                let Some(problem) = problem_of(problems, followers) else {
                    continue;
                };
                let slices = cut.of(&problems[problem], 1 - mover);
                let slice = slices.of(position.followers[1 - mover]);
                homes.push(Home {
                    at: (problem, mover, slice),
                    position,
                    number,
                });
            }
        }
        homes.sort_by_key(|home| (home.at, home.number));
        Self {
            homes,
            passes: vec![0; count],
        }
    }

    /// Looks at those in a slice of a plane after a pass, which has decided those with such a bit.
    pub(crate) fn note(
        &mut self,
        frame: &Frame,
        (plane, decided_are): (&Plane, bool),
        at: (usize, usize, usize),
        pass: u16,
    ) {
        let begin = self.homes.partition_point(|home| home.at < at);
        for home in &self.homes[begin..] {
            if home.at != at {
                break;
            }
            let decided = &mut self.passes[home.number];
            if *decided == 0 && plane.bit(frame, home.position) == decided_are {
                *decided = pass;
            }
        }
    }

    /// What is undecided, each with its number, seen by side 0 to move.
    pub(crate) fn undecided(&self) -> impl Iterator<Item = (usize, Placement)> {
        let homes = self.homes.iter();
        let undecided = |home: &&Home| home.at.1 == 0 && self.passes[home.number] == 0;
        homes
            .filter(undecided)
            .map(|home| (home.number, home.position))
    }
}
