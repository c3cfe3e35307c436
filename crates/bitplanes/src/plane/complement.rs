//! What side 1, to move, has lost, or what is undecided with it to move: each is what is left of the other
//! and of what it has won.

use crate::plane::packing::{Free, LONGEST, is_zero, pack, unpack, wides_of};
use crate::plane::plane::Plane;
use crate::plane::transpose::transpose_back;
use crate::simd::token::{Cpu, WIDE, Work};
use crate::space::board_tables::Frame;

/// To look at a block of a plane from the other side: at those of the same positions with the sides exchanged.
pub(crate) struct Turn<'a> {
    pub(crate) of: (&'a Frame, &'a Plane),
    /// Those of the block that comes of it.
    pub(crate) followers: [u32; 2],
    pub(crate) block: &'a mut [u8],
    pub(crate) what: Turned,
}

/// What becomes of a block.
#[derive(Clone, Copy)]
pub(crate) enum Turned {
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
        transpose_back(first);
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
