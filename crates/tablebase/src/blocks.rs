//! Symbols by their places, with the blocks that were decoded last.

use std::sync::{Mutex, PoisonError};

use crate::coder::Scratch;
use crate::index::Place;
use crate::info::Symbol;
use crate::layer_file::{Block, LayerFile, Looked};
use crate::layout::MOST_PLANES;
use crate::read::ReadAt;
use crate::{Error, Table};

/// Decoded blocks that are kept.
const RECENT: usize = 64;

/// Reads symbols of a table, block by block.
pub(crate) struct Blocks<'a, R> {
    pub(crate) table: &'a Table<R>,
    recent: Mutex<Recent>,
}

/// The blocks decoded last.
#[derive(Default)]
struct Recent {
    blocks: Vec<(u32, Block)>,
    /// The one to be replaced next.
    next: usize,
    scratch: Option<Scratch>,
}

impl<'a, R: ReadAt> Blocks<'a, R> {
    pub(crate) fn new(table: &'a Table<R>) -> Self {
        Self {
            table,
            recent: Mutex::new(Recent::default()),
        }
    }

    /// The symbols at a place, as many as its layout has, the others as the first; `None` where the table
    /// has no such place.
    pub(crate) fn symbols(&self, place: Place) -> Result<Option<[Symbol; MOST_PLANES]>, Error> {
        let Some(layer) = self.table.layer_of(place.0) else {
            return Ok(None);
        };
        let file = self.table.layer(layer)?;
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match recent.look(layer, place) {
            Looked::Symbols(symbols) => symbols,
            looked => match recent.read((layer, file), place, looked)? {
                Some(symbols) => symbols,
                None => return Ok(None),
            },
        };
        let symbol = |plane: usize| {
            let plane = if plane < file.planes() { plane } else { 0 };
            let symbol = file.info.symbols.get(usize::from(found[plane])).copied();
            symbol.ok_or_else(|| Error::damaged("a block has a symbol that its layer lacks"))
        };
        Ok(Some([symbol(0)?, symbol(1)?, symbol(2)?]))
    }
}

impl Recent {
    fn look(&self, layer: u32, place: Place) -> Looked {
        let mut found = Looked::Elsewhere;
        for (_, block) in self.blocks.iter().filter(|(of, _)| *of == layer) {
            match block.look(place) {
                Looked::Elsewhere => {}
                Looked::NotYet => found = Looked::NotYet,
                symbols => return symbols,
            }
        }
        found
    }

    /// Reads the block of a place and keeps it.
    fn read<R: ReadAt>(
        &mut self,
        (layer, file): (u32, &LayerFile<R>),
        place: Place,
        looked: Looked,
    ) -> Result<Option<[u8; MOST_PLANES]>, Error> {
        let Some((number, entry)) = file.find(place)? else {
            return Ok(None);
        };
        let mut scratch = match self.scratch.take() {
            Some(scratch) => scratch,
            None => Scratch::new()?,
        };
        // Who comes back for more gets all of it.
        let up_to = match looked {
            Looked::NotYet => None,
            _ => Some(place),
        };
        let block = file.block((number, &entry), up_to, &mut scratch)?;
        self.scratch = Some(scratch);
        let looked = block.look(place);
        self.keep(layer, block);
        match looked {
            Looked::Symbols(symbols) => Ok(Some(symbols)),
            _ => Ok(None),
        }
    }

    fn keep(&mut self, layer: u32, block: Block) {
        if self.blocks.len() < RECENT {
            self.blocks.push((layer, block));
        } else {
            self.blocks[self.next] = (layer, block);
            self.next = (self.next + 1) % RECENT;
        }
    }
}
