//! Where something is undecided: side 0 to move has not won, and, the sides exchanged, has not lost.

use rayon::prelude::*;

use super::Planes;
use super::cpu::{Cpu, Family, Instructions};
use super::pack::{Free, unpack};
use super::shape::{Frame, Plane};
use super::words;

/// What blocks are compared in.
struct Pair<'a> {
    frame: &'a Frame,
    plane: &'a Plane,
    twin: &'a Plane,
    /// Whether the plane tells losses, and its twin what is not won.
    losses: bool,
}

impl Planes {
    /// Finds the rows with undecided positions of every block and lane.
    pub(super) fn find_open(&mut self, instructions: Instructions) {
        let find = |losses: bool| -> Vec<Vec<u32>> {
            let planes = &self.planes[usize::from(losses)];
            let twins = &self.planes[usize::from(!losses)];
            let of = |(i, plane): (usize, &Plane)| {
                let [own, other] = self.problems[i].followers;
                let twin = self.problem([other, own]);
                let pair = Pair {
                    frame: &self.frame,
                    plane,
                    twin: &twins[twin.expect("problems come with their mirror images")],
                    losses,
                };
                let sets = &self.problems[i].sets[plane.major];
                let beside = &self.problems[i].beside[1 - plane.major];
                let words = plane.row * self.frame.lanes;
                let mut open = vec![0; sets.len() as usize * words];
                open.par_chunks_mut(words)
                    .enumerate()
                    .for_each(|(n, open)| {
                        let major = sets.unrank(n as u64);
                        for (m, open) in open.chunks_mut(self.frame.lanes).enumerate() {
                            let minor = index::expand(beside.unrank(m as u64), !major);
                            let mut followers = [0; 2];
                            followers[plane.major] = major as u32;
                            followers[1 - plane.major] = minor as u32;
                            find_in(instructions, &pair, followers, open);
                        }
                    });
                open
            };
            planes.iter().enumerate().map(of).collect()
        };
        self.open = Some([find(false), find(true)]);
    }
}

/// Enters the code for the instructions of this processor.
#[expect(unsafe_code, reason = "instructions that were found")]
fn find_in(instructions: Instructions, pair: &Pair<'_>, followers: [u32; 2], open: &mut [u32]) {
    match instructions.family() {
        Family::Portable => find::<super::cpu::Portable>(pair, followers, open),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: only `Instructions::all` makes this one, where the processor has it.
        Family::Avx2 => unsafe { find_avx2(pair, followers, open) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Family::Avx512 => unsafe { find_avx2(pair, followers, open) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn find_avx2(pair: &Pair<'_>, followers: [u32; 2], open: &mut [u32]) {
    find::<super::cpu::Avx2>(pair, followers, open);
}

/// Finds the open rows of a block.
#[inline(always)]
fn find<C: Cpu>(pair: &Pair<'_>, followers: [u32; 2], open: &mut [u32]) {
    let frame = pair.frame;
    let free = frame.board() & !(followers[0] | followers[1]);
    let turned = [followers[1], followers[0]].map(|set| frame.turned(set));
    let own = pair.plane.block(pair.plane.index::<C>(followers));
    let twin = pair.twin.block(pair.twin.index::<C>(turned));
    let (free, free_turned) = (Free::new(free), Free::new(frame.turned(free)));
    let (last, bytes) = (frame.squares - 1, pair.plane.lane);
    for (lane, open) in open.iter_mut().enumerate() {
        let (mut words, mut theirs) = ([0; 32], [0; 32]);
        unpack::<C, 32>(&own[lane * bytes..], &free, &mut words);
        let exchanged = frame.exchanged[lane];
        unpack::<C, 32>(&twin[exchanged * bytes..], &free_turned, &mut theirs);
        // Rows and bits exchanged and both in reversed order: the same as both reversed and exchanged.
        let mut turned = [0; 32];
        for row in 0..=last {
            turned[row] = theirs[last - row];
        }
        words::reverse(&mut turned, frame.squares);
        words::transpose(&mut turned);
        *open = 0;
        for row in 0..32 {
            let undecided = if pair.losses {
                turned[row] & !words[row]
            } else {
                words[row] & !turned[row]
            };
            *open |= u32::from(undecided != 0) << row;
        }
    }
}
