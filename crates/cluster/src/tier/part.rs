//! Values of one part of a layer while it is solved: two bytes a rank.

use hindsight_core::{MoveSummary, Value};
use hindsight_engine::{Error, HOLE, Known, TierCodes};
use hindsight_tablebase::RUN_RANKS;

/// Places whose remotenesses share a set of marks.
const RUN: usize = RUN_RANKS as usize;

/// Values of one part of a layer, found so far.
///
/// The two bytes of a place are [`Known`].
#[derive(Debug, Default)]
pub(crate) struct TierPart {
    pub(crate) codes: Vec<u8>,
    pub(crate) counts: Vec<u8>,
    pub(crate) values: TierCodes,
    /// For each run of places, a bit set of the remotenesses modulo 256 that its codes may have.
    marks: Vec<PlySet>,
    /// Places whose values are known to be final.
    pub(crate) decided: u64,
}

/// Set of plies below 256.
pub(crate) type PlySet = [u64; 4];

/// Places that are decided at a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DecidedPlace {
    pub(crate) place: usize,
    pub(crate) won: bool,
}

impl TierPart {
    pub(crate) fn new(len: u64) -> Self {
        let len = len as usize;
        Self {
            codes: vec![HOLE; len],
            counts: vec![0; len],
            values: TierCodes::new(),
            marks: vec![PlySet::default(); len.div_ceil(RUN)],
            decided: 0,
        }
    }

    /// Takes up a part that was stopped. Its codes and counts have equal lengths.
    pub(crate) fn restored(values: TierCodes, codes: Vec<u8>, counts: Vec<u8>) -> Self {
        let mut part = Self {
            marks: vec![PlySet::default(); codes.len().div_ceil(RUN)],
            codes,
            counts,
            values,
            decided: 0,
        };
        for place in 0..part.codes.len() {
            let code = part.codes[place];
            if code == HOLE || part.values.is_settled(code) {
                part.decided += 1;
            } else {
                part.mark(place, code);
            }
        }
        part
    }

    /// Bytes that a part takes in memory.
    pub(crate) fn bytes(len: u64) -> u64 {
        2 * len + len / 256
    }

    /// Plies at which some place may be decided.
    pub(crate) fn plies(&self) -> PlySet {
        let mut all = PlySet::default();
        for marks in &self.marks {
            all.iter_mut().zip(marks).for_each(|(all, word)| *all |= word);
        }
        all
    }

    /// Records a value that predecessors see without being told.
    #[inline]
    pub(crate) fn settle(&mut self, place: usize, value: Value) -> Result<(), Error> {
        self.codes[place] = self.values.code_for(value, true)?;
        self.decided += 1;
        Ok(())
    }

    /// Records what is known of a position's moves before the first ply.
    #[inline]
    pub(crate) fn begin(&mut self, place: usize, summary: MoveSummary) -> Result<(), Error> {
        let known = self.values.begin(summary)?;
        self.set_known(place, known);
        Ok(())
    }

    /// Records the value of another move out of the tier, for the one who makes it.
    #[inline]
    pub(crate) fn raise(&mut self, place: usize, value: Value) -> Result<(), Error> {
        let known = self.values.raise(self.known(place), value)?;
        self.set_known(place, known);
        Ok(())
    }

    #[inline]
    fn known(&self, place: usize) -> Known {
        Known { code: self.codes[place], count: self.counts[place] }
    }

    #[inline]
    fn set_known(&mut self, place: usize, known: Known) {
        (self.codes[place], self.counts[place]) = (known.code, known.count);
        self.mark(place, known.code);
    }

    /// Records that one open move loses in `next` plies.
    #[inline]
    pub(crate) fn losing_move(&mut self, place: usize, next: u16) -> Result<(), Error> {
        let count = &mut self.counts[place];
        *count = count.wrapping_sub(1);
        if *count == 0 {
            let (code, plies) = self.values.lost(self.codes[place], next)?;
            self.codes[place] = code;
            self.mark_ply(place, plies);
        }
        Ok(())
    }

    /// Records that a move wins in `next` plies, which have the code `code`.
    #[inline]
    pub(crate) fn winning_move(&mut self, place: usize, next: u16, code: u8) {
        if self.values.improves(code, next, self.codes[place]) {
            self.codes[place] = code;
            self.mark_ply(place, next);
        }
    }

    #[inline]
    fn mark(&mut self, place: usize, code: u8) {
        if let Some(plies) = self.values.value(code).and_then(Value::remoteness) {
            self.mark_ply(place, plies);
        }
    }

    #[inline]
    fn mark_ply(&mut self, place: usize, plies: u16) {
        self.marks[place / RUN][usize::from(plies >> 6 & 3)] |= 1 << (plies & 63);
    }

    /// Appends the places of a run that are decided at a ply.
    pub(crate) fn decided_at(&mut self, run: usize, ply: u16, out: &mut Vec<DecidedPlace>) {
        if self.marks[run][usize::from(ply >> 6 & 3)] >> (ply & 63) & 1 == 0 {
            return;
        }
        let decided = self.values.at_ply(ply);
        let begin = run * RUN;
        let end = self.codes.len().min(begin + RUN);
        let before = out.len();
        for (i, codes) in self.codes[begin..end].chunks(64).enumerate() {
            // Most plies decide few places: a comparison of 64 at once is some instructions.
            let hits = |hit, &code: &u8| hit | decided.has(code);
            if !codes.iter().fold(false, hits) {
                continue;
            }
            for place in (begin + 64 * i..).take(codes.len()) {
                if let Some(won) = decided.decided(self.known(place)) {
                    out.push(DecidedPlace { place, won });
                }
            }
        }
        self.decided += (out.len() - before) as u64;
    }

    /// Turns losses that are not proved into draws: a move inside the tier is still open.
    pub(crate) fn finish(&mut self) {
        for (code, &count) in self.codes.iter_mut().zip(&self.counts) {
            *code = self.values.finish(Known { code: *code, count });
        }
    }
}
