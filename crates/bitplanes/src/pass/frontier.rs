//! Frontier: the positions that a pass decides, recorded for the next pass.
//!
//! A position takes four bytes. Positions are grouped by the follower set of the mover, which is
//! the row of the next pass. Each thread writes paged lists of its own.

use std::sync::MutexGuard;

use crate::space::board_tables::BoardTables;
use crate::space::subproblem::Subproblem;
use crate::thread_scratch::ThreadScratch;

/// Words of a page: the number of the page before it in its list, then positions.
const PAGE_WORDS: usize = 32;

/// Most pages in one allocation.
const SLAB_PAGES: usize = 1 << 12;

/// Page number that ends a list.
const NO_PAGE: u32 = u32::MAX;

/// Page number of a list that takes no positions.
const IGNORED: u32 = NO_PAGE - 1;

const SQUARE_BITS: u32 = 5;

/// Bits of both leaders' squares.
const LEADER_BITS: u32 = 2 * SQUARE_BITS;

/// Encoding of a subproblem's positions in 32 bits, given the mover's followers.
///
/// `((block << lane_bits | lane) << 5 | line) << 5 | bit`, where `block` is the rank of the other
/// side's followers beside the mover's, `line` the square of side 0's leader, `bit` that of side
/// 1's.
#[derive(Clone, Copy)]
pub(crate) struct Encoding {
    lane_bits: u32,
}

impl Encoding {
    /// The encoding of a subproblem; `None` if its positions do not fit into 32 bits.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, subproblem: &Subproblem) -> Option<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let lane_bits = bits(tables.lanes);
        let block = [0, 1].map(|mover| bits(subproblem.blocks_per_row(mover)));
        let all_bits = block.into_iter().max()? + lane_bits + LEADER_BITS;
        (all_bits <= u32::BITS).then_some(Self { lane_bits })
    }

    #[inline(always)]
    pub(crate) fn encode(self, block: usize, lane: usize, line: usize, bit: usize) -> u32 {
        (((block << self.lane_bits | lane) << SQUARE_BITS | line) << SQUARE_BITS | bit) as u32
    }

    /// Decodes a position to an entry with one bit.
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

/// Decided positions in one line.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// Rank of the other side's followers beside the mover's.
    pub(crate) block: u32,
    /// Lane of the context.
    pub(crate) lane: u16,
    /// Square of side 0's leader.
    pub(crate) line: u8,
    /// Squares of side 1's leader, in board order.
    pub(crate) bits: u32,
}

impl Entry {
    /// [`Entry::block`] as an index.
    #[inline(always)]
    pub(crate) fn block(&self) -> usize {
        self.block as usize
    }

    /// [`Entry::lane`] as an index.
    #[inline(always)]
    pub(crate) fn lane(&self) -> usize {
        self.lane.into()
    }

    /// [`Entry::line`] as an index.
    #[inline(always)]
    pub(crate) fn line(&self) -> usize {
        self.line.into()
    }
}

/// Positions recorded by one thread: a list of pages for each follower set of the mover.
pub(crate) struct PagedList {
    /// Last page of each list, and the words of it that are used.
    last: Vec<(u32, u8)>,
    /// Pages, [`SLAB_PAGES`] to an allocation.
    slabs: Vec<Vec<[u32; PAGE_WORDS]>>,
    /// Pages in use.
    pages: u32,
    /// Most pages that may be used.
    max_pages: u32,
    /// True if a position was dropped because no page was left.
    overflowed: bool,
}

impl PagedList {
    /// Empty lists for `sets` follower sets.
    #[inline]
    fn new(sets: usize, max_pages: u32) -> Self {
        Self {
            last: vec![(NO_PAGE, PAGE_WORDS as u8); sets],
            slabs: Vec::new(),
            pages: 0,
            max_pages,
            overflowed: false,
        }
    }

    /// Appends an encoded position to the list of a follower set, by set rank.
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

    /// Takes a new page that follows page `before`; `None` if there is none, or the list is
    /// ignored.
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

    /// Makes a set take no positions.
    #[inline]
    fn ignore(&mut self, set: usize) {
        self.last[set].0 = IGNORED;
    }

    /// Positions of a list, page by page, from the last page to the first.
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

/// Positions that a pass has decided in one subproblem, of all threads together.
pub(crate) struct Frontier {
    encoding: Encoding,
    /// Lists of each thread.
    threads: Vec<PagedList>,
}

impl Frontier {
    /// Pages that always suffice for `positions` positions in `lists` lists.
    #[inline]
    pub(crate) fn pages_for(positions: u64, lists: u64) -> u64 {
        positions / (PAGE_WORDS as u64 - 1) + lists
    }

    #[inline]
    pub(crate) fn bytes_for(pages: u64) -> u64 {
        pages * size_of::<[u32; PAGE_WORDS]>() as u64
    }

    /// Pages of the thread with the most.
    #[inline]
    pub(crate) fn most_pages(&self) -> u32 {
        let pages = self.threads.iter().map(|lists| lists.pages);
        pages.max().unwrap_or(0)
    }

    /// Reads the positions with one follower set of the mover into `out`.
    ///
    /// Positions of one line that were recorded one after the other share an entry. `is_wanted` is
    /// asked once a line, so it must not depend on single bits.
    #[inline(always)]
    pub(crate) fn read(
        &self,
        set: usize,
        is_wanted: impl Fn(&Entry) -> bool,
        out: &mut Vec<Entry>,
    ) {
        out.clear();
        for lists in &self.threads {
            for page in lists.pages_of(set) {
                let mut last = None;
                for &position in page {
                    let entry = self.encoding.decode(position);
                    let line = Some(position >> SQUARE_BITS);
                    match out.last_mut() {
                        Some(before) if last == line => before.bits |= entry.bits,
                        _ if is_wanted(&entry) => out.push(entry),
                        _ => continue,
                    }
                    last = line;
                }
            }
        }
    }
}

/// Frontiers of the last pass with each mover; `None` where they were not recorded. Index:
/// `[mover][subproblem]`.
pub(crate) type PassFrontiers = [Vec<Option<Frontier>>; 2];

/// A frontier that several threads write.
pub(crate) struct FrontierWriter {
    pub(crate) encoding: Encoding,
    threads: ThreadScratch<PagedList>,
}

impl FrontierWriter {
    /// Takes positions of `sets` follower sets of the mover, up to `max_pages` pages a thread.
    #[inline]
    pub(crate) fn new(encoding: Encoding, sets: usize, max_pages: u32) -> Self {
        let threads = ThreadScratch::new(|| PagedList::new(sets, max_pages));
        Self { encoding, threads }
    }

    /// As [`FrontierWriter::new`], but ignores the sets that are not wanted. Index: set rank.
    #[inline]
    pub(crate) fn of_some(encoding: Encoding, is_wanted: &[bool], max_pages: u32) -> Self {
        let lists = || {
            let mut lists = PagedList::new(is_wanted.len(), max_pages);
            let sets = (0..is_wanted.len()).filter(|&set| !is_wanted[set]);
            sets.for_each(|set| lists.ignore(set));
            lists
        };
        let threads = ThreadScratch::new(lists);
        Self { encoding, threads }
    }

    /// Lists of the current thread.
    #[inline]
    pub(crate) fn own(&self) -> MutexGuard<'_, PagedList> {
        self.threads.own()
    }

    /// The frontier; `None` if a position was dropped.
    #[inline]
    pub(crate) fn finish(self) -> Option<Frontier> {
        let threads = self.threads.into_all();
        let encoding = self.encoding;
        let overflowed = threads.iter().any(|lists| lists.overflowed);
        (!overflowed).then_some(Frontier { encoding, threads })
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Entry, Frontier, LEADER_BITS, PAGE_WORDS, PagedList};

    const ENCODING: Encoding = Encoding { lane_bits: 10 };

    /// Encoded positions that are read of a list, ascending.
    fn read(frontier: &Frontier, set: usize, is_wanted: impl Fn(&Entry) -> bool) -> Vec<u32> {
        let mut words = Vec::new();
        frontier.read(set, is_wanted, &mut words);
        let mut positions = Vec::new();
        for Entry { block, lane, line, bits } in words {
            for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
                let [block, lane, line] = [block as usize, lane.into(), line.into()];
                positions.push(ENCODING.encode(block, lane, line, bit));
            }
        }
        positions.sort_unstable();
        positions
    }

    #[test]
    fn an_entry_is_what_was_encoded() {
        for lane_bits in [0, 1, 5, 10] {
            let encoding = Encoding { lane_bits };
            let blocks = 1 << (u32::BITS - LEADER_BITS - lane_bits);
            for block in [0, 1, blocks / 3, blocks - 1] {
                for lane in [0, (1_usize << lane_bits) / 2, (1 << lane_bits) - 1] {
                    for line in 0..32 {
                        for bit in 0..32 {
                            let entry = encoding.decode(encoding.encode(block, lane, line, bit));
                            assert_eq!(
                                [entry.block(), entry.lane(), entry.line()],
                                [block, lane, line]
                            );
                            assert_eq!(entry.bits, 1 << bit);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn lists_of_any_length_are_read_whole() {
        for len in
            [0, 1, PAGE_WORDS - 2, PAGE_WORDS - 1, PAGE_WORDS, 3 * PAGE_WORDS, 5000 * PAGE_WORDS]
        {
            let mut lists = [PagedList::new(3, u32::MAX), PagedList::new(3, u32::MAX)];
            let position = |n: usize| ENCODING.encode(n / 630, n % 630, n % 25, n * 7 % 32);
            for n in 0..len {
                lists[n % 2].push(1, position(n));
                lists[0].push(2, 77);
            }
            let overflowed = lists.iter().any(|lists| lists.overflowed);
            assert!(!overflowed);
            let frontier = Frontier { encoding: ENCODING, threads: lists.into() };
            let mut expected: Vec<u32> = (0..len).map(position).collect();
            expected.sort_unstable();
            assert_eq!(read(&frontier, 1, |_| true), expected);
            assert_eq!(read(&frontier, 0, |_| true), []);
            let odd = |entry: &Entry| entry.lane % 2 == 1;
            expected.retain(|position| odd(&ENCODING.decode(*position)));
            assert_eq!(read(&frontier, 1, odd), expected);
        }
    }

    #[test]
    fn overflow_is_detected() {
        let mut lists = PagedList::new(2, 1);
        for n in 0..PAGE_WORDS as u32 - 1 {
            lists.push(0, n);
            assert!(!lists.overflowed);
        }
        lists.push(0, 99);
        assert!(lists.overflowed);
        lists.push(1, 99);
        assert_eq!(lists.pages_of(0).map(<[u32]>::len).sum::<usize>(), PAGE_WORDS - 1);
        assert_eq!(lists.pages_of(1).count(), 0);
    }
}
