//! Where something is undecided: side 0 to move has not won, and, the sides exchanged, has not lost.

use rayon::prelude::*;

use super::Planes;
use super::cpu::{self, Cpu, Family, Instructions};
use super::pack::{Free, unpack};
use super::shape::{Frame, Plane, WIDE};
use super::words;

/// What blocks are compared in.
struct Pair<'a> {
    frame: &'a Frame,
    /// What is not won.
    wins: &'a Plane,
    /// What is lost, of the problem with the sides exchanged.
    losses: &'a Plane,
}

impl Planes {
    /// Finds the rows with undecided positions of every block and lane.
    pub(super) fn find_open(&mut self, instructions: Instructions) {
        let lanes = self.frame.lanes;
        let mut open = [0, 1].map(|_| vec![Vec::new(); self.problems.len()]);
        for (i, problem) in self.problems.iter().enumerate() {
            let [own, other] = problem.followers;
            let twin = self.problem([other, own]);
            let twin = twin.expect("problems come with their mirror images");
            let pair = Pair {
                frame: &self.frame,
                wins: &self.planes[0][i],
                losses: &self.planes[1][twin],
            };
            let mut rows = vec![0; problem.blocks() as usize * lanes];
            // The squares of side 1's leader with something undecided.
            let mut bits = rows.clone();
            let blocks = rows.par_chunks_mut(lanes).zip(bits.par_chunks_mut(lanes));
            blocks.enumerate().for_each(|(n, open)| {
                let followers = self.followers_of(0, i, n);
                find_in(instructions, &pair, followers, open);
            });
            let mut turned = vec![0; rows.len()];
            let blocks = turned.par_chunks_mut(lanes).enumerate();
            blocks.for_each(|(n, turned)| {
                let [one, other] = self.followers_of(1, twin, n);
                let followers = [other, one].map(|set| self.frame.turned(set));
                let block = pair.wins.index::<cpu::Portable>(followers) * lanes;
                for (lane, rows) in turned.iter_mut().enumerate() {
                    let exchanged = self.frame.exchanged[lane];
                    *rows = self.frame.turned(bits[block + exchanged]);
                }
            });
            open[0][i] = rows;
            open[1][twin] = turned;
        }
        self.open = Some(open);
    }

    /// The followers of a block of a problem with a side to move.
    fn followers_of(&self, mover: usize, problem: usize, block: usize) -> [u32; 2] {
        let plane = &self.planes[mover][problem];
        let problem = &self.problems[problem];
        let (n, m) = (block / plane.row, block % plane.row);
        let major = problem.sets[plane.major].unrank(n as u64);
        let minor = index::expand(problem.beside[1 - plane.major].unrank(m as u64), !major);
        let mut followers = [0; 2];
        followers[plane.major] = major as u32;
        followers[1 - plane.major] = minor as u32;
        followers
    }
}

/// For each lane of a block the squares of each leader with something undecided.
type Open<'a> = (&'a mut [u32], &'a mut [u32]);

/// Enters the code for the instructions of this processor.
#[expect(unsafe_code, reason = "instructions that were found")]
fn find_in(instructions: Instructions, pair: &Pair<'_>, followers: [u32; 2], open: Open<'_>) {
    match instructions.family() {
        Family::Portable => find::<cpu::Portable>(pair, followers, open),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: only `Instructions::all` makes this one, where the processor has it.
        Family::Avx2 => unsafe { find_avx2(pair, followers, open) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn find_avx2(pair: &Pair<'_>, followers: [u32; 2], open: Open<'_>) {
    find::<cpu::Avx2>(pair, followers, open);
}

/// Finds what is open in a block.
#[inline(always)]
fn find<C: Cpu>(pair: &Pair<'_>, followers: [u32; 2], (rows, bits): Open<'_>) {
    let frame = pair.frame;
    let free = frame.board() & !(followers[0] | followers[1]);
    let turned = [followers[1], followers[0]].map(|set| frame.turned(set));
    let wins = pair.wins.block(pair.wins.index::<C>(followers));
    let losses = pair.losses.block(pair.losses.index::<C>(turned));
    let [free, free_turned] = [free, frame.turned(free)].map(Free::<32>::new);
    let bytes = pair.wins.lane;
    // Turned by transposing, the first square comes so many places late.
    let late = 32 - frame.squares;
    for (lane, (rows, bits)) in rows.iter_mut().zip(bits).enumerate() {
        let (mut wins_of, mut losses_of) = ([0; 32], [0; 64]);
        unpack::<C, 32>(&wins[lane * bytes..], &free, &mut wins_of);
        let words = losses_of.first_chunk_mut().expect("half of them");
        let exchanged = frame.exchanged[lane];
        unpack::<C, 32>(&losses[exchanged * bytes..], &free_turned, words);
        words::transpose_back(words);
        *rows = 0;
        let mut all = C::splat(0);
        for i in 0..2 {
            let lost = C::shift(load::<C>(&losses_of, late + i * WIDE), late as i32);
            let open = C::without(load::<C>(&wins_of, i * WIDE), lost);
            *rows |= C::nonzero(open) << (i * WIDE);
            all = C::or(all, open);
        }
        let mut words = [0; WIDE];
        C::store(all, &mut words);
        *bits = words.iter().fold(0, |all, word| all | word);
    }
}

#[inline(always)]
fn load<C: Cpu>(words: &[u32], at: usize) -> C::Wide {
    C::load(words[at..].first_chunk().expect("a wide"))
}
