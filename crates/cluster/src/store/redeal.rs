//! Step that gives kept parts to the workers that own their ranks now.

use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::{DRAW, HOLE, Palette, TierCodes};

use super::parts::{Meanings, put_meanings, take_meanings};
use crate::engine::{ParcelHead, Post, Step};
use crate::error::ClusterError;
use crate::ranks::Deal;

/// Part that is filled run by run, with codes of its own.
#[derive(Default)]
pub(crate) struct NewPart {
    pub(crate) values: TierCodes,
    pub(crate) codes: Vec<u8>,
    /// Counts of open moves; empty for a finished layer.
    pub(crate) counts: Vec<u8>,
}

impl NewPart {
    pub(crate) fn new(places: u64, has_counts: bool) -> Self {
        let places = places as usize;
        Self {
            values: TierCodes::new(),
            codes: vec![HOLE; places],
            counts: if has_counts { vec![0; places] } else { Vec::new() },
        }
    }

    /// Fills places from `begin` on.
    fn fill(&mut self, begin: usize, piece: &OldPiece<'_>) -> Result<(), ClusterError> {
        let mut code_of: Vec<u8> = vec![HOLE, DRAW];
        match &piece.meanings {
            Some(meanings) => {
                for &(value, settled) in meanings {
                    code_of.push(self.values.code_for(value, settled)?);
                }
            }
            None => code_of = (0..=255).collect(),
        }
        let wrong = || ClusterError::damaged(Damage("a run of another length".into()));
        let places = begin..begin.saturating_add(piece.codes.len());
        let own = self.codes.get_mut(places.clone()).ok_or_else(wrong)?;
        for (own, &code) in own.iter_mut().zip(piece.codes) {
            *own = *code_of.get(usize::from(code)).ok_or_else(wrong)?;
        }
        if !self.counts.is_empty() {
            let own = &mut self.counts[places];
            if piece.counts.len() != own.len() {
                return Err(wrong());
            }
            own.copy_from_slice(piece.counts);
        }
        Ok(())
    }
}

/// Part that a worker of an earlier run kept.
pub(crate) struct OldPart {
    pub(crate) worker: usize,
    /// Meanings of the codes; `None` if they mean the same everywhere.
    pub(crate) meanings: Option<Meanings>,
    pub(crate) codes: Vec<u8>,
    /// As in [`NewPart::counts`].
    pub(crate) counts: Vec<u8>,
}

/// Run of an [`OldPart`].
struct OldPiece<'a> {
    meanings: Option<Meanings>,
    codes: &'a [u8],
    counts: &'a [u8],
}

impl OldPiece<'_> {
    /// Bytes of the piece, which begins at a place.
    fn to_bytes(&self, place: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, place);
        bytes.push(self.meanings.is_some().into());
        if let Some(meanings) = &self.meanings {
            put_meanings(&mut bytes, meanings);
        }
        put_varint(&mut bytes, self.codes.len() as u64);
        bytes.extend_from_slice(self.codes);
        bytes.extend_from_slice(self.counts);
        bytes
    }
}

/// Meanings of the codes of a palette from 2 on; those of holes and draws are fixed.
pub(crate) fn meanings_of(palette: &Palette) -> Option<Meanings> {
    let values = palette.get(2..).unwrap_or(&[]).iter();
    values.map(|value| Some(((*value)?, false))).collect()
}

/// Deals of a layer: of the run that kept it, and of this one.
#[derive(Clone, Copy)]
pub(crate) struct Redeal {
    pub(crate) old: Deal,
    pub(crate) new: Deal,
}

/// Step that deals old parts out again. Parts are loaded one at a time.
pub(crate) struct RedealStep<'s> {
    pub(crate) deals: Redeal,
    pub(crate) worker: usize,
    /// Loads the next old part; `None` after the last.
    pub(crate) load: &'s mut dyn FnMut() -> Result<Option<OldPart>, ClusterError>,
    pub(crate) part: &'s mut NewPart,
    /// Old part that is dealt out, and its first place that is not.
    pub(crate) current: Option<(OldPart, usize)>,
}

impl RedealStep<'_> {
    /// Deals the piece of an old part that begins at a place. Returns the place after it.
    fn deal(
        &mut self,
        old: &OldPart,
        begin: usize,
        post: &mut Post,
    ) -> Result<usize, ClusterError> {
        let Redeal { old: deal, new } = self.deals;
        let ordinal = deal.ordinal(old.worker, begin as u64);
        let end = deal.stretch_end(ordinal).min(new.stretch_end(ordinal));
        let places = begin..begin + (end - ordinal) as usize;
        let end = places.end;
        let piece = OldPiece {
            meanings: old.meanings.clone(),
            codes: &old.codes[places.clone()],
            counts: old.counts.get(places).unwrap_or(&[]),
        };
        let place = new.place(ordinal);
        if place.worker == self.worker {
            self.part.fill(place.index as usize, &piece)?;
        } else {
            post.send(place.worker, 0, 0, piece.to_bytes(place.index));
        }
        Ok(end)
    }
}

impl Step for RedealStep<'_> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        /// Pieces of a portion.
        const PIECES: usize = 64;
        let loaded = match self.current.take() {
            None => (self.load)()?.map(|old| (old, 0)),
            current => current,
        };
        let Some((old, mut begin)) = loaded else {
            return Ok(false);
        };
        for _ in 0..PIECES {
            if begin < old.codes.len() {
                begin = self.deal(&old, begin, post)?;
            }
        }
        self.current = Some((old, begin)).filter(|(old, begin)| *begin < old.codes.len());
        Ok(true)
    }

    fn receive(&mut self, _: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        let mut cursor = Cursor::new(body, "a run of ranks");
        let begin = cursor.varint().map_err(ClusterError::damaged)?;
        let meanings = match cursor.byte().map_err(ClusterError::damaged)? {
            0 => None,
            _ => Some(take_meanings(&mut cursor).map_err(ClusterError::damaged)?),
        };
        let count = cursor.count().map_err(ClusterError::damaged)?;
        let codes = cursor.take(count).map_err(ClusterError::damaged)?;
        let piece = OldPiece { meanings, codes, counts: cursor.rest() };
        let begin = usize::try_from(begin).unwrap_or(usize::MAX / 2);
        self.part.fill(begin, &piece)?;
        Ok(Vec::new())
    }
}
