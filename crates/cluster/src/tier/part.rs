//! Values of one part of a layer while it is solved: two bytes a rank.

use hindsight_core::{MoveSummary, Value};
use hindsight_run::{DRAW, Error, HOLE, TierCodes};
use hindsight_solve::tiered::NEVER_LOST;
use hindsight_tablebase::RUN_RANKS;

/// Places whose remotenesses share a set of marks.
const RUN: usize = RUN_RANKS as usize;

/// Values of one part of a layer, found so far.
///
/// The code of a place is the best value known. A win in `n` plies is final once all plies before
/// `n` are propagated. A loss also needs that every move is known to lose.
#[derive(Debug, Default)]
pub(crate) struct TierPart {
    pub(crate) codes: Vec<u8>,
    /// Open moves inside the tier that are not known to lose; counted down from [`NEVER_LOST`] if
    /// another move does not lose.
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
            match code == HOLE || part.values.is_settled(code) {
                true => part.decided += 1,
                false => part.mark(place, code),
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

    /// Value known of a place.
    #[inline]
    pub(crate) fn value(&self, place: usize) -> Option<Value> {
        self.values.value(self.codes[place])
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
        self.counts[place] = match u8::try_from(summary.open) {
            Ok(NEVER_LOST) | Err(_) => return Err(Error::TooManyMoves(u16::from(NEVER_LOST) - 1)),
            Ok(count) => count,
        };
        self.codes[place] = DRAW;
        match summary.best {
            Some(best) => self.raise(place, best),
            None => Ok(()),
        }
    }

    /// Records the value of another move out of the tier, for the one who makes it.
    #[inline]
    pub(crate) fn raise(&mut self, place: usize, value: Value) -> Result<(), Error> {
        // The code of a draw stands for no known value until some move does not lose.
        let known = match (self.value(place), self.counts[place]) {
            (Some(Value::Draw), count) if count != NEVER_LOST => None,
            (known, _) => known,
        };
        if !matches!(value, Value::Loss(_)) {
            self.counts[place] = NEVER_LOST;
        }
        if known < Some(value) {
            self.set(place, value)?;
        }
        Ok(())
    }

    /// Records that one open move loses in `next` plies.
    #[inline]
    pub(crate) fn losing_move(&mut self, place: usize, next: u16) -> Result<(), Error> {
        let count = &mut self.counts[place];
        *count = count.wrapping_sub(1);
        if *count == 0 {
            // A move out of the tier may lose later.
            let plies = match self.value(place) {
                Some(Value::Loss(plies)) => plies.max(next),
                _ => next,
            };
            self.set(place, Value::Loss(plies))?;
        }
        Ok(())
    }

    /// Records that a move wins in `next` plies, which have the code `code`.
    #[inline]
    pub(crate) fn winning_move(&mut self, place: usize, next: u16, code: u8) {
        let known = self.codes[place];
        if known != code && !matches!(self.values.value(known), Some(Value::Win(n)) if n <= next) {
            self.codes[place] = code;
            self.mark_ply(place, next);
        }
    }

    #[inline]
    fn set(&mut self, place: usize, value: Value) -> Result<(), Error> {
        let code = self.values.code_for(value, false)?;
        self.codes[place] = code;
        self.mark(place, code);
        Ok(())
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
        let code = |value| self.values.open_code(value).unwrap_or(HOLE);
        let [win, loss] = [Value::Win(ply), Value::Loss(ply)].map(code);
        let begin = run * RUN;
        let end = self.codes.len().min(begin + RUN);
        let before = out.len();
        for (i, codes) in self.codes[begin..end].chunks(64).enumerate() {
            // Most plies decide few places: a comparison of 64 at once is some instructions.
            let hits = |hit, &code: &u8| hit | (code == win) | (code == loss);
            if !codes.iter().fold(false, hits) {
                continue;
            }
            for (place, &code) in (begin + 64 * i..).zip(codes) {
                if code == HOLE || code != win && code != loss {
                    continue;
                }
                let won = code == win;
                if won || self.counts[place] == 0 {
                    out.push(DecidedPlace { place, won });
                }
            }
        }
        self.decided += (out.len() - before) as u64;
    }

    /// Turns losses that are not proved into draws: a move inside the tier is still open.
    pub(crate) fn finish(&mut self) {
        let values = &self.values;
        for (code, &count) in self.codes.iter_mut().zip(&self.counts) {
            if count != 0 && matches!(values.value(*code), Some(Value::Loss(_))) {
                *code = DRAW;
            }
        }
    }
}
