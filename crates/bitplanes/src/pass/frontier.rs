//! Positions that a pass finds, for the next one to go on from: four bytes each, by the followers of the
//! side that moved. The next pass goes over rows of these.

use std::sync::MutexGuard;

use crate::space::board_tables::BoardTables;
use crate::space::subproblem::Subproblem;
use crate::thread_scratch::ThreadScratch;

/// Words of a page: the number of the page before it, then positions.
const PAGE_WORDS: usize = 32;

/// Pages that are allocated at once, at most.
const SLAB_PAGES: usize = 1 << 12;

/// No page.
const NO_PAGE: u32 = u32::MAX;

/// No page, and none to come.
const IGNORED: u32 = NO_PAGE - 1;

/// The bits of a square, and of a pair of them.
const SQUARE_BITS: u32 = 5;

const LEADER_BITS: u32 = 2 * SQUARE_BITS;

/// How positions of a problem are written.
#[derive(Clone, Copy)]
pub(crate) struct Encoding {
    /// Bits of the lane.
    lane_bits: u32,
}

impl Encoding {
    /// `None` if there are more positions with the same followers of one side than four bytes can tell apart.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, subproblem: &Subproblem) -> Option<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let lane = bits(tables.lanes);
        let block = [0, 1].map(|mover| bits(subproblem.blocks_per_row(mover)));
        (block.into_iter().max()? + lane + LEADER_BITS <= u32::BITS)
            .then_some(Self { lane_bits: lane })
    }

    /// A position: the number of the other side's followers beside the mover's, and what is in the block.
    #[inline(always)]
    pub(crate) fn encode(self, block: usize, lane: usize, row: usize, bit: usize) -> u32 {
        (((block << self.lane_bits | lane) << SQUARE_BITS | row) << SQUARE_BITS | bit) as u32
    }

    /// The word that a position is in.
    #[inline(always)]
    fn decode(self, position: u32) -> Entry {
        let squares = (1 << SQUARE_BITS) - 1;
        Entry {
            block: position >> LEADER_BITS >> self.lane_bits,
            lane: (position >> LEADER_BITS & ((1 << self.lane_bits) - 1)) as u16,
            line: (position >> SQUARE_BITS & squares) as u8,
            bits: 1 << (position & squares),
        }
    }
}

/// New positions in one word.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The number of the other side's followers beside the mover's.
    pub(crate) block: u32,
    pub(crate) lane: u16,
    pub(crate) line: u8,
    pub(crate) bits: u32,
}

impl Entry {
    #[inline(always)]
    pub(crate) fn block(&self) -> usize {
        self.block as usize
    }

    #[inline(always)]
    pub(crate) fn lane(&self) -> usize {
        self.lane.into()
    }

    #[inline(always)]
    pub(crate) fn line(&self) -> usize {
        self.line.into()
    }
}

/// What one thread found: for each set of followers of the mover a chain of pages.
pub(crate) struct PagedList {
    /// The last page of each chain, and how full it is.
    last: Vec<(u32, u8)>,
    slabs: Vec<Vec<[u32; PAGE_WORDS]>>,
    /// Pages in use, and how many there may be.
    pages: u32,
    max_pages: u32,
    /// Whether there was no room for something.
    overflowed: bool,
}

impl PagedList {
    #[inline]
    fn new(sets: usize, room: u32) -> Self {
        Self {
            last: vec![(NO_PAGE, PAGE_WORDS as u8); sets],
            slabs: Vec::new(),
            pages: 0,
            max_pages: room,
            overflowed: false,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, set: usize, position: u32) {
        let (mut page, mut used) = self.last[set];
        if usize::from(used) == PAGE_WORDS {
            let Some(next) = self.next_page(page) else {
                return;
            };
            (page, used) = (next, 1);
        }
        self.slabs[page as usize / SLAB_PAGES][page as usize % SLAB_PAGES][usize::from(used)] =
            position;
        self.last[set] = (page, used + 1);
    }

    #[cold]
    fn next_page(&mut self, before: u32) -> Option<u32> {
        if before == IGNORED {
            return None;
        }
        let page = self.pages;
        self.overflowed |= page == self.max_pages;
        if self.overflowed {
            return None;
        }
        if page as usize / SLAB_PAGES == self.slabs.len() {
            let pages = SLAB_PAGES.min((self.max_pages - page) as usize);
            self.slabs.push(vec![[0; PAGE_WORDS]; pages]);
        }
        self.slabs[page as usize / SLAB_PAGES][page as usize % SLAB_PAGES][0] = before;
        self.pages += 1;
        Some(page)
    }

    /// Takes nothing down for a set.
    #[inline]
    fn ignore(&mut self, set: usize) {
        self.last[set].0 = IGNORED;
    }

    /// The positions of a chain, page by page.
    #[inline]
    fn pages_of(&self, set: usize) -> impl Iterator<Item = &[u32]> {
        let (mut page, used) = self.last[set];
        let mut used = usize::from(used);
        std::iter::from_fn(move || {
            let all = self.slabs.get(page as usize / SLAB_PAGES)?;
            let all = &all[page as usize % SLAB_PAGES];
            let positions = &all[1..used];
            (page, used) = (all[0], PAGE_WORDS);
            Some(positions)
        })
    }
}

/// What a pass found in a problem, all threads together.
pub(crate) struct Frontier {
    encoding: Encoding,
    threads: Vec<PagedList>,
}

impl Frontier {
    /// Pages for so many positions in so many chains.
    #[inline]
    pub(crate) fn pages_for(positions: u64, chains: u64) -> u64 {
        positions / (PAGE_WORDS as u64 - 1) + chains
    }

    /// Bytes of so many pages.
    #[inline]
    pub(crate) fn bytes_for(pages: u64) -> u64 {
        pages * size_of::<[u32; PAGE_WORDS]>() as u64
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
    pub(crate) fn read(&self, set: usize, wanted: impl Fn(&Entry) -> bool, out: &mut Vec<Entry>) {
        out.clear();
        for chains in &self.threads {
            for page in chains.pages_of(set) {
                let mut last = None;
                for &position in page {
                    let new = self.encoding.decode(position);
                    let same = Some(position >> SQUARE_BITS);
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
pub(crate) struct FrontierWriter {
    pub(crate) encoding: Encoding,
    threads: ThreadScratch<PagedList>,
}

impl FrontierWriter {
    /// For so many sets of followers of the mover, and so many pages a thread.
    #[inline]
    pub(crate) fn new(form: Encoding, sets: usize, room: u32) -> Self {
        let threads = ThreadScratch::new(|| PagedList::new(sets, room));
        Self {
            encoding: form,
            threads,
        }
    }

    /// The same for some of these sets.
    #[inline]
    pub(crate) fn of_some(form: Encoding, wanted: &[bool], room: u32) -> Self {
        let chains = || {
            let mut chains = PagedList::new(wanted.len(), room);
            let sets = (0..wanted.len()).filter(|&set| !wanted[set]);
            sets.for_each(|set| chains.ignore(set));
            chains
        };
        let threads = ThreadScratch::new(chains);
        Self {
            encoding: form,
            threads,
        }
    }

    /// The chains of this thread, which no other thread asks for.
    #[inline]
    pub(crate) fn own(&self) -> MutexGuard<'_, PagedList> {
        self.threads.own()
    }

    /// The list, if there was room for all of it.
    #[inline]
    pub(crate) fn finish(self) -> Option<Frontier> {
        let threads = self.threads.into_all();
        let form = self.encoding;
        let full = threads.iter().any(|chains| chains.overflowed);
        (!full).then_some(Frontier {
            encoding: form,
            threads,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Entry, Frontier, PAGE_WORDS, PagedList};

    const FORM: Encoding = Encoding { lane_bits: 10 };

    /// What is read of a chain, position by position.
    fn read(listed: &Frontier, set: usize, wanted: impl Fn(&Entry) -> bool) -> Vec<u32> {
        let mut words = Vec::new();
        listed.read(set, wanted, &mut words);
        let mut positions = Vec::new();
        for Entry {
            block,
            lane,
            line: row,
            bits,
        } in words
        {
            for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
                let [block, lane, row] = [block as usize, lane.into(), row.into()];
                positions.push(FORM.encode(block, lane, row, bit));
            }
        }
        positions.sort_unstable();
        positions
    }

    #[test]
    fn chains_of_any_length_are_read_whole() {
        for len in [
            0,
            1,
            PAGE_WORDS - 2,
            PAGE_WORDS - 1,
            PAGE_WORDS,
            3 * PAGE_WORDS,
            5000 * PAGE_WORDS,
        ] {
            let mut chains = [PagedList::new(3, u32::MAX), PagedList::new(3, u32::MAX)];
            let position = |n: usize| FORM.encode(n / 630, n % 630, n % 25, n * 7 % 32);
            for n in 0..len {
                chains[n % 2].push(1, position(n));
                chains[0].push(2, 77);
            }
            let full = chains.iter().any(|chains| chains.overflowed);
            assert!(!full);
            let listed = Frontier {
                encoding: FORM,
                threads: chains.into(),
            };
            let mut expected: Vec<u32> = (0..len).map(position).collect();
            expected.sort_unstable();
            assert_eq!(read(&listed, 1, |_| true), expected);
            assert_eq!(read(&listed, 0, |_| true), []);
            let odd = |new: &Entry| new.lane % 2 == 1;
            expected.retain(|position| odd(&FORM.decode(*position)));
            assert_eq!(read(&listed, 1, odd), expected);
        }
    }

    #[test]
    fn what_finds_no_room_is_told() {
        let mut chains = PagedList::new(2, 1);
        for n in 0..PAGE_WORDS as u32 - 1 {
            chains.push(0, n);
            assert!(!chains.overflowed);
        }
        chains.push(0, 99);
        assert!(chains.overflowed);
        chains.push(1, 99);
        assert_eq!(
            chains.pages_of(0).map(<[u32]>::len).sum::<usize>(),
            PAGE_WORDS - 1
        );
        assert_eq!(chains.pages_of(1).count(), 0);
    }
}

/// What a pass with each side to move found, if it was listed, by problem.
pub(crate) type PassFrontiers = [Vec<Option<Frontier>>; 2];
