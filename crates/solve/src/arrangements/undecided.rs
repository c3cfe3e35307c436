//! What side 1, to move, has lost, or what is undecided with it to move: each is what is left of the other
//! and of what it has won.

use rayon::prelude::*;

use super::Planes;
use super::cpu::{Cpu, Instructions, Work};
use super::pack::{Free, LONGEST, pack, unpack, wides_of};
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
                instructions.run(Exchange {
                    wins,
                    followers: self.followers_of(1, i, n),
                    block,
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
        let minor = index::expand(minor, !u64::from(major));
        let mut followers = [0; 2];
        followers[plane.major] = major;
        followers[1 - plane.major] = minor as u32;
        followers
    }
}

/// What side 0 has not won.
type Wins<'a> = (&'a Frame, &'a Plane);

/// To exchange a block.
struct Exchange<'a> {
    wins: Wins<'a>,
    followers: [u32; 2],
    block: &'a mut [u8],
}

impl Work for Exchange<'_> {
    type Done = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        exchange::<C>(self.wins, self.followers, self.block);
    }
}

/// Exchanges a block.
#[inline(always)]
fn exchange<C: Cpu>((frame, wins): Wins<'_>, followers: [u32; 2], block: &mut [u8]) {
    let free = frame.board() & !(followers[0] | followers[1]);
    let turned = [followers[1], followers[0]].map(|set| frame.turned(set));
    // Turned, a row that is kept is one that is kept.
    let not_won = wins.block(wins.find::<C>(frame, turned).block);
    let free_turned = Free::<C, 32>::new(frame.turned(free));
    let free = Free::<C, 32>::new(free);
    let bytes = free.bytes();
    let mut packed = [0; LONGEST];
    // Turned by transposing, the first square comes so many places late.
    let late = 32 - frame.squares;
    for (lane, block) in block.chunks_exact_mut(bytes).enumerate() {
        let mut words = [0; 64];
        let first = words.first_chunk_mut().expect("half of them");
        unpack::<C, 32>(
            &not_won[frame.exchanged[lane] * bytes..],
            &free_turned,
            first,
        );
        words::transpose_back(first);
        let mut open = [0; 32];
        for i in 0..2 {
            let words = words[late + i * WIDE..].first_chunk().expect("a wide");
            let out = open[i * WIDE..].first_chunk_mut().expect("a wide");
            C::store(C::shift(C::load(words), late as i32), out);
        }
        pack::<C, 32>(&wides_of::<C>(&open), &free, &mut packed);
        for (byte, not_won) in block.iter_mut().zip(&packed) {
            *byte = not_won & !*byte;
        }
    }
}
