//! Positions that a pass finds, for the next one to go on from: four bytes each, by the followers of the
//! side that moved. The next pass goes over rows of these.

use std::sync::MutexGuard;

use crate::space::board_tables::Frame;
use crate::space::subproblem::Problem;
use crate::thread_scratch::PerThread;

/// Words of a page: the number of the page before it, then positions.
const PAGE: usize = 32;

/// Pages that are allocated at once, at most.
const SLAB: usize = 1 << 12;

/// No page.
const NONE: u32 = u32::MAX;

/// No page, and none to come.
const UNWANTED: u32 = NONE - 1;

/// The bits of a square, and of a pair of them.
const SQUARE: u32 = 5;

const LEADERS: u32 = 2 * SQUARE;

/// How positions of a problem are written.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// Bits of the lane.
    lane: u32,
}

impl Form {
    /// `None` if there are more positions with the same followers of one side than four bytes can tell apart.
    #[inline]
    pub(crate) fn new(frame: &Frame, problem: &Problem) -> Option<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let lane = bits(frame.lanes);
        let block = [0, 1].map(|mover| bits(problem.row(mover)));
        (block.into_iter().max()? + lane + LEADERS <= u32::BITS).then_some(Self { lane })
    }

    /// A position: the number of the other side's followers beside the mover's, and what is in the block.
    #[inline(always)]
    pub(crate) fn position(self, block: usize, lane: usize, row: usize, bit: usize) -> u32 {
        (((block << self.lane | lane) << SQUARE | row) << SQUARE | bit) as u32
    }

    /// The word that a position is in.
    #[inline(always)]
    fn word(self, position: u32) -> News {
        let squares = (1 << SQUARE) - 1;
        News {
            block: position >> LEADERS >> self.lane,
            lane: (position >> LEADERS & ((1 << self.lane) - 1)) as u16,
            row: (position >> SQUARE & squares) as u8,
            bits: 1 << (position & squares),
        }
    }
}

/// New positions in one word.
#[derive(Clone, Copy)]
pub(crate) struct News {
    /// The number of the other side's followers beside the mover's.
    pub(crate) block: u32,
    pub(crate) lane: u16,
    pub(crate) row: u8,
    pub(crate) bits: u32,
}

impl News {
    #[inline(always)]
    pub(crate) fn block(&self) -> usize {
        self.block as usize
    }

    #[inline(always)]
    pub(crate) fn lane(&self) -> usize {
        self.lane.into()
    }

    #[inline(always)]
    pub(crate) fn row(&self) -> usize {
        self.row.into()
    }
}

/// What one thread found: for each set of followers of the mover a chain of pages.
pub(crate) struct Chains {
    /// The last page of each chain, and how full it is.
    last: Vec<(u32, u8)>,
    slabs: Vec<Vec<[u32; PAGE]>>,
    /// Pages in use, and how many there may be.
    pages: u32,
    room: u32,
    /// Whether there was no room for something.
    full: bool,
}

impl Chains {
    #[inline]
    fn new(sets: usize, room: u32) -> Self {
        Self {
            last: vec![(NONE, PAGE as u8); sets],
            slabs: Vec::new(),
            pages: 0,
            room,
            full: false,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, set: usize, position: u32) {
        let (mut page, mut used) = self.last[set];
        if usize::from(used) == PAGE {
            let Some(next) = self.page_after(page) else {
                return;
            };
            (page, used) = (next, 1);
        }
        self.slabs[page as usize / SLAB][page as usize % SLAB][usize::from(used)] = position;
        self.last[set] = (page, used + 1);
    }

    #[cold]
    fn page_after(&mut self, before: u32) -> Option<u32> {
        if before == UNWANTED {
            return None;
        }
        let page = self.pages;
        self.full |= page == self.room;
        if self.full {
            return None;
        }
        if page as usize / SLAB == self.slabs.len() {
            let pages = SLAB.min((self.room - page) as usize);
            self.slabs.push(vec![[0; PAGE]; pages]);
        }
        self.slabs[page as usize / SLAB][page as usize % SLAB][0] = before;
        self.pages += 1;
        Some(page)
    }

    /// Takes nothing down for a set.
    #[inline]
    fn without(&mut self, set: usize) {
        self.last[set].0 = UNWANTED;
    }

    /// The positions of a chain, page by page.
    #[inline]
    fn pages_of(&self, set: usize) -> impl Iterator<Item = &[u32]> {
        let (mut page, used) = self.last[set];
        let mut used = usize::from(used);
        std::iter::from_fn(move || {
            let all = self.slabs.get(page as usize / SLAB)?;
            let all = &all[page as usize % SLAB];
            let positions = &all[1..used];
            (page, used) = (all[0], PAGE);
            Some(positions)
        })
    }
}

/// What a pass found in a problem, all threads together.
pub(crate) struct Listed {
    form: Form,
    threads: Vec<Chains>,
}

impl Listed {
    /// Pages for so many positions in so many chains.
    #[inline]
    pub(crate) fn pages(positions: u64, chains: u64) -> u64 {
        positions / (PAGE as u64 - 1) + chains
    }

    /// Bytes of so many pages.
    #[inline]
    pub(crate) fn bytes(pages: u64) -> u64 {
        pages * size_of::<[u32; PAGE]>() as u64
    }

    /// The pages of the thread with the most.
    #[inline]
    pub(crate) fn most_pages(&self) -> u32 {
        let pages = self.threads.iter().map(|chains| chains.pages);
        pages.max().unwrap_or(0)
    }

    /// The positions with these followers of the mover, several of a word together where they were found
    /// together; only those in blocks and rows of which `wanted` has to be true.
    #[inline(always)]
    pub(crate) fn read(&self, set: usize, wanted: impl Fn(&News) -> bool, out: &mut Vec<News>) {
        out.clear();
        for chains in &self.threads {
            for page in chains.pages_of(set) {
                let mut last = None;
                for &position in page {
                    let new = self.form.word(position);
                    let same = Some(position >> SQUARE);
                    match out.last_mut() {
                        Some(before) if last == same => before.bits |= new.bits,
                        _ if wanted(&new) => out.push(new),
                        _ => continue,
                    }
                    last = same;
                }
            }
        }
    }
}

/// A list that several threads write.
pub(crate) struct Writers {
    pub(crate) form: Form,
    threads: PerThread<Chains>,
}

impl Writers {
    /// For so many sets of followers of the mover, and so many pages a thread.
    #[inline]
    pub(crate) fn new(form: Form, sets: usize, room: u32) -> Self {
        let threads = PerThread::new(|| Chains::new(sets, room));
        Self { form, threads }
    }

    /// The same for some of these sets.
    #[inline]
    pub(crate) fn of_some(form: Form, wanted: &[bool], room: u32) -> Self {
        let chains = || {
            let mut chains = Chains::new(wanted.len(), room);
            let sets = (0..wanted.len()).filter(|&set| !wanted[set]);
            sets.for_each(|set| chains.without(set));
            chains
        };
        let threads = PerThread::new(chains);
        Self { form, threads }
    }

    /// The chains of this thread, which no other thread asks for.
    #[inline]
    pub(crate) fn own(&self) -> MutexGuard<'_, Chains> {
        self.threads.own()
    }

    /// The list, if there was room for all of it.
    #[inline]
    pub(crate) fn finish(self) -> Option<Listed> {
        let threads = self.threads.into_all();
        let form = self.form;
        let full = threads.iter().any(|chains| chains.full);
        (!full).then_some(Listed { form, threads })
    }
}

#[cfg(test)]
mod tests {
    use super::{Chains, Form, Listed, News, PAGE};

    const FORM: Form = Form { lane: 10 };

    /// What is read of a chain, position by position.
    fn read(listed: &Listed, set: usize, wanted: impl Fn(&News) -> bool) -> Vec<u32> {
        let mut words = Vec::new();
        listed.read(set, wanted, &mut words);
        let mut positions = Vec::new();
        for News {
            block,
            lane,
            row,
            bits,
        } in words
        {
            for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
                let [block, lane, row] = [block as usize, lane.into(), row.into()];
                positions.push(FORM.position(block, lane, row, bit));
            }
        }
        positions.sort_unstable();
        positions
    }

    #[test]
    fn chains_of_any_length_are_read_whole() {
        for len in [0, 1, PAGE - 2, PAGE - 1, PAGE, 3 * PAGE, 5000 * PAGE] {
            let mut chains = [Chains::new(3, u32::MAX), Chains::new(3, u32::MAX)];
            let position = |n: usize| FORM.position(n / 630, n % 630, n % 25, n * 7 % 32);
            for n in 0..len {
                chains[n % 2].push(1, position(n));
                chains[0].push(2, 77);
            }
            let full = chains.iter().any(|chains| chains.full);
            assert!(!full);
            let listed = Listed {
                form: FORM,
                threads: chains.into(),
            };
            let mut expected: Vec<u32> = (0..len).map(position).collect();
            expected.sort_unstable();
            assert_eq!(read(&listed, 1, |_| true), expected);
            assert_eq!(read(&listed, 0, |_| true), []);
            let odd = |new: &News| new.lane % 2 == 1;
            expected.retain(|position| odd(&FORM.word(*position)));
            assert_eq!(read(&listed, 1, odd), expected);
        }
    }

    #[test]
    fn what_finds_no_room_is_told() {
        let mut chains = Chains::new(2, 1);
        for n in 0..PAGE as u32 - 1 {
            chains.push(0, n);
            assert!(!chains.full);
        }
        chains.push(0, 99);
        assert!(chains.full);
        chains.push(1, 99);
        assert_eq!(
            chains.pages_of(0).map(<[u32]>::len).sum::<usize>(),
            PAGE - 1
        );
        assert_eq!(chains.pages_of(1).count(), 0);
    }
}

/// What a pass with each side to move found, if it was listed, by problem.
pub(crate) type Lists = [Vec<Option<Listed>>; 2];
