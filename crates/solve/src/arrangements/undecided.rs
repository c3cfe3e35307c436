//! What side 1, to move, has lost, or what is undecided with it to move: each is what is left of the other
//! and of what it has won.

use rayon::prelude::*;

use super::Planes;
use super::cpu::{Cpu, Instructions, Work};
use super::pack::{Free, LONGEST, is_zero, pack, unpack, wides_of};
use super::plane::Plane;
use super::shape::{Frame, WIDE};
use super::words;

impl Planes {
    /// From what is lost to what is undecided, or back.
    pub(super) fn exchange_losses(&mut self, instructions: Instructions) {
        for i in 0..self.problems.len() {
            let [own, other] = self.problems[i].followers;
            let twin = self.problem([other, own]);
            let twin = twin.expect("problems come with their mirror images");
            let mut plane = std::mem::take(&mut self.planes[1][i].bytes);
            let stride = self.planes[1][i].stride;
            let len = self.problems[i].kept_blocks(0) as usize * stride;
            let wins = (&self.frame, &self.planes[0][twin]);
            let blocks = plane[..len].par_chunks_mut(stride).enumerate();
            blocks.for_each(|(n, block)| {
                instructions.run(Turn {
                    of: wins,
                    followers: self.followers_of(1, i, n),
                    block,
                    what: Turned::LessBlock,
                });
            });
            self.planes[1][i].bytes = plane;
        }
        self.undecided = !self.undecided;
    }

    /// The followers of a block of a problem with a side to move.
    fn followers_of(&self, mover: usize, problem: usize, block: usize) -> [u32; 2] {
        let plane = &self.planes[mover][problem];
        let problem = &self.problems[problem];
        let (n, m) = (block / plane.row, block % plane.row);
        let major = problem.kept[plane.major].sets[n];
        let minor = problem.beside[1 - plane.major].unrank(m as u64);
        let minor = hindsight_combinatorics::expand(minor, !u64::from(major));
        let mut followers = [0; 2];
        followers[plane.major] = major;
        followers[1 - plane.major] = minor as u32;
        followers
    }
}

/// To look at a block of a plane from the other side: at those of the same positions with the sides exchanged.
pub(super) struct Turn<'a> {
    pub(super) of: (&'a Frame, &'a Plane),
    /// Those of the block that comes of it.
    pub(super) followers: [u32; 2],
    pub(super) block: &'a mut [u8],
    pub(super) what: Turned,
}

/// What becomes of a block.
#[derive(Clone, Copy)]
pub(super) enum Turned {
    /// What is turned.
    Instead,
    /// What is turned but was not in the block.
    LessBlock,
    /// The block without what is turned.
    Removed,
}

impl Work for Turn<'_> {
    type Done = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        match self.what {
            Turned::Instead => turn(cpu, self, |_, turned| turned),
            Turned::LessBlock => turn(cpu, self, |block, turned| turned & !block),
            Turned::Removed => turn(cpu, self, |block, turned| block & !turned),
        }
    }
}

#[inline(always)]
fn turn<C: Cpu>(cpu: C, turn: Turn<'_>, become_of: impl Fn(u8, u8) -> u8) {
    let Turn {
        of: (frame, plane),
        followers,
        block,
        ..
    } = turn;
    let free = frame.board() & !(followers[0] | followers[1]);
    let turned = [followers[1], followers[0]].map(|set| frame.turned(set));
    // Turned, a row that is kept is one that is kept.
    let other = plane.block(plane.find(cpu, frame, turned).block);
    if is_zero(&other[..plane.stride]) {
        block
            .iter_mut()
            .for_each(|byte| *byte = become_of(*byte, 0));
        return;
    }
    let free_turned = Free::<C, 32>::new(cpu, frame.turned(free));
    let free = Free::<C, 32>::new(cpu, free);
    let bytes = free.bytes();
    let mut packed = [0; LONGEST];
    // Turned by transposing, the first square comes so many places late.
    let late = 32 - frame.squares;
    for (lane, block) in block.chunks_exact_mut(bytes).enumerate() {
        let lane = &other[frame.exchanged[lane] * bytes..];
        if is_zero(&lane[..bytes]) {
            block
                .iter_mut()
                .for_each(|byte| *byte = become_of(*byte, 0));
            continue;
        }
        let mut words = [0; 64];
        let first = words.first_chunk_mut().expect("half of them");
        unpack::<C, 32>(cpu, lane, &free_turned, first);
        words::transpose_back(first);
        let mut open = [0; 32];
        for i in 0..2 {
            let words = words[late + i * WIDE..].first_chunk().expect("a wide");
            let out = open[i * WIDE..].first_chunk_mut().expect("a wide");
            cpu.store(cpu.shift(cpu.load(words), late as i32), out);
        }
        pack::<C, 32>(cpu, &wides_of(cpu, &open), &free, &mut packed);
        for (byte, turned) in block.iter_mut().zip(&packed) {
            *byte = become_of(*byte, *turned);
        }
    }
}
