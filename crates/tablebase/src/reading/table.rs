//! Tables: opening a file, and decoding its layers.

use std::sync::{Arc, OnceLock};

use hindsight_core::{Game, Packed, PackedGame, Ranked};
use hindsight_engine::Layer;
use hindsight_engine::keys::KeySet;

use super::decode::decode_layer;
use super::kept_blocks::{KeptBlocks, KeptTable};
use crate::error::TableError;
use crate::format::header_checks::{first_fault, position_header_faults};
use crate::format::info::{
    MAGIC, MAX_HEADER_BYTES, OLDEST_FORMAT_VERSION, PREFIX_BYTES, REACHABLE_FORMAT_VERSION,
    Reachable, TableInfo,
};
use crate::format::layer_file::LayerFile;
use crate::keys::reachable_layer::{ReachableLayer, keyed_game};
use crate::keys::table_keys::{Keys, TableKeys};
use crate::read_at::ReadAt;
use crate::verdict::TableFault;

/// The value of every position of a game, or of every state, in any bytes with random access.
pub struct Table<R> {
    info: TableInfo,
    layers: Vec<LayerFile<Arc<R>>>,
    reader: Arc<R>,
    /// Offset of each layer, in bytes.
    layer_offsets: Vec<u64>,
    /// Offset of the keys, in bytes.
    keys_offset: u64,
    /// Keys of reachable positions, once they are needed.
    keys: OnceLock<Arc<TableKeys<R>>>,
    /// Blocks that all readers share.
    kept_blocks: OnceLock<KeptTable>,
}

impl<R: ReadAt + 'static> Table<R> {
    /// Returns a game with the ranks of the table: `game` itself, or, of a table of reachable
    /// positions, with ranks for these and no others. Ranks are `None` there unless
    /// [`Table::load_keys`] has succeeded, or does so when they are asked for.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::Io`] if the index of the keys is damaged or cannot
    /// be read.
    pub fn ranked_game(&self, game: &PackedGame) -> Result<PackedGame, TableError> {
        Ok(match self.table_keys()? {
            Some(keys) => keyed_game(game, Arc::clone(keys) as Arc<dyn Keys>),
            None => game.clone(),
        })
    }
}

impl<R: ReadAt> Table<R> {
    /// Opens a table. Reads only the header; everything else is checked when it is read.
    ///
    /// # Errors
    /// - [`TableError::NotATable`] if the file does not begin with the magic bytes of a table.
    /// - [`TableError::Version`] if the format version is unknown.
    /// - [`TableError::Damaged`] if the header is damaged or the length differs from the header's.
    /// - [`TableError::Io`] if the bytes cannot be read.
    pub fn open(reader: R) -> Result<Self, TableError> {
        let length = reader.len().map_err(TableError::io("read the header"))?;
        let header = read_header(&reader, length)?;
        let info = TableInfo::decode(&header)?;
        let mut layer_offsets = Vec::with_capacity(info.layers.len());
        let mut end = header.len() as u64;
        for layer in &info.layers {
            layer_offsets.push(end);
            end = end.saturating_add(layer.bytes());
        }
        let keys_offset = end;
        if let Some(Reachable { keys, .. }) = info.reachable {
            if !keys.are_possible(info.ranks()) {
                return Err(TableError::damaged("its keys are longer than its positions can be"));
            }
            end = end.saturating_add(keys.top.saturating_add(keys.pages));
        }
        if end != length {
            return Err(TableError::damaged(format!(
                "the file has {length} bytes, its header says {end}"
            )));
        }
        let reader = Arc::new(reader);
        let layers = info.layers.iter().zip(&layer_offsets).map(|(layer, &base)| {
            let offsets = layer.section_offsets(base, info.format_version);
            LayerFile::new(Arc::clone(&reader), offsets, layer.clone(), info.layout)
        });
        Ok(Self {
            layers: layers.collect(),
            info,
            reader,
            layer_offsets,
            keys_offset,
            keys: OnceLock::new(),
            kept_blocks: OnceLock::new(),
        })
    }

    /// The header.
    #[must_use]
    pub fn info(&self) -> &TableInfo {
        &self.info
    }

    /// Checks that this can be a table of `game`: its header has the game's layers, tiers, ranks
    /// and start, and possible values. Lists the tiers of one layer at a time.
    ///
    /// # Errors
    /// [`TableError::Damaged`] with the first difference; any error of reading keys.
    pub fn fits(&self, game: &PackedGame) -> Result<(), TableError> {
        first_fault(self.header_faults(game)?)
    }

    /// Returns the claims of the header that cannot be true of a table of `game`.
    pub(crate) fn header_faults(&self, game: &PackedGame) -> Result<Vec<TableFault>, TableError> {
        let start = self.address_of(game, game.start())?;
        if let Some(keys) = self.table_keys()? {
            // They are looked up again, where an error would be damage.
            let layers = self.info.layers.iter();
            let examples = layers.flat_map(|layer| [layer.longest_win, layer.longest_loss]);
            examples.flatten().try_for_each(|example| keys.get(example.rank).map(|_| ()))?;
        }
        Ok(position_header_faults(&self.info, game, start))
    }

    /// Reads the keys of a table of reachable positions, which stay in memory. Of any other table
    /// there is nothing to read.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::Io`] if the keys are damaged or cannot be read.
    pub fn load_keys(&self) -> Result<(), TableError> {
        self.keys().map(|_| ())
    }

    /// Returns the first position that only the table or only a layer has; `None` if they have the
    /// same. In a forged table it may be no position of the game.
    ///
    /// # Errors
    /// As [`Table::ranked_game`].
    pub fn different_position(&self, layer: &ReachableLayer) -> Result<Option<Packed>, TableError> {
        let keys = self.keys()?;
        Ok(keys.and_then(|keys| keys.first_difference(&layer.keys)))
    }

    /// Returns true if another table of the same game has the same ranks: none of the two is of
    /// reachable positions, or both are, of the same ones.
    ///
    /// # Errors
    /// As [`Table::ranked_game`].
    pub fn has_same_positions(&self, other: &Self) -> Result<bool, TableError> {
        Ok(self.keys()? == other.keys()?)
    }

    /// Returns all keys of a table of reachable positions, which are read once.
    pub(crate) fn keys(&self) -> Result<Option<&Arc<KeySet>>, TableError> {
        self.table_keys()?.map(|keys| keys.whole()).transpose()
    }

    /// Returns the keys of a table of reachable positions, whose index is read once.
    fn table_keys(&self) -> Result<Option<&Arc<TableKeys<R>>>, TableError> {
        if let Some(keys) = self.keys.get() {
            return Ok(Some(keys));
        }
        let Some(Reachable { keys, .. }) = self.info.reachable else {
            return Ok(None);
        };
        let keys = Arc::new(TableKeys::open(&self.reader, self.keys_offset, keys)?);
        Ok(Some(self.keys.get_or_init(|| keys)))
    }

    /// Returns the ranks of some positions by the keys of a table of reachable positions, if all
    /// keys are in memory or the positions may well need all.
    pub(crate) fn reached_ranks(
        &self,
        game: &PackedGame,
        positions: &[Packed],
    ) -> Result<Option<Vec<Option<u64>>>, TableError> {
        let Some(keys) = self.table_keys()? else { return Ok(None) };
        if !keys.are_worth_reading(positions.len()) {
            return Ok(None);
        }
        let mut canonical = positions.to_vec();
        game.canonicalize(&mut canonical);
        Ok(Some(keys.whole()?.find_all(&canonical)))
    }

    /// Returns the tier and rank of a position of `game`. Of the keys of reachable positions only
    /// the page is read that may have it.
    pub(crate) fn address_of(
        &self,
        game: &PackedGame,
        position: Packed,
    ) -> Result<Option<(u64, u64)>, TableError> {
        let Some(keys) = self.table_keys()? else { return Ok(game.rank(position)) };
        Ok(keys.find(&game.canonical(position))?.map(|rank| (0, rank)))
    }

    /// The bytes of the table.
    #[must_use]
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Lets all readers share the blocks that they decode, in a store that other tables may use
    /// too. Without it, each reader keeps a few. A table has one store; a second is not used.
    pub fn keep_blocks(&self, store: &Arc<KeptBlocks>) {
        self.kept_blocks.get_or_init(|| KeptTable::new(store));
    }

    pub(crate) fn kept_blocks(&self) -> Option<&KeptTable> {
        self.kept_blocks.get()
    }

    /// Checks that a possible coder begins every layer. Reads at most 21 bytes per layer.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if no coder of the layer begins with its bytes; [`TableError::Io`]
    /// if they cannot be read.
    pub fn check_coders(&self) -> Result<(), TableError> {
        let mut layers = self.layers.iter();
        layers.try_for_each(|layer| layer.coder_memory().map(|_| ()))
    }

    /// Decodes all values of a layer, one byte per rank. With
    /// [`Layout::Compact`](crate::Layout::Compact) the successor layers are decoded too, and
    /// dropped at the end.
    ///
    /// # Errors
    /// [`TableError::MissingLayer`], [`TableError::Damaged`] or [`TableError::Io`] if the layer
    /// does not exist, is damaged or cannot be read.
    pub fn decode_layer(&self, game: &PackedGame, layer: u32) -> Result<Layer, TableError> {
        let open = |layer| self.uncached_layer(layer);
        let decoded = decode_layer(game, layer, self.info.layout, &open)?;
        if self.info.reachable.is_some()
            && let Some(hole) = decoded.palette.iter().position(Option::is_none)
            && let Some(rank) = decoded.codes.iter().position(|&code| usize::from(code) == hole)
        {
            return Err(TableError::Damaged(format!(
                "the key of rank {rank} is that of no position"
            )));
        }
        Ok(decoded)
    }

    /// A layer whose index and coder are dropped with the returned value.
    pub(crate) fn uncached_layer(&self, layer: u32) -> Result<LayerFile<Arc<R>>, TableError> {
        let i = layer as usize;
        let info = self.info.layers.get(i).ok_or(TableError::MissingLayer(layer))?;
        let reader = Arc::clone(&self.reader);
        let offsets = info.section_offsets(self.layer_offsets[i], self.info.format_version);
        let (info, layout) = (info.clone(), self.info.layout);
        Ok(LayerFile::new(reader, offsets, info, layout))
    }

    pub(crate) fn layer(&self, layer: u32) -> Result<&LayerFile<Arc<R>>, TableError> {
        self.layers.get(layer as usize).ok_or(TableError::MissingLayer(layer))
    }

    /// The layer that may contain a tier. `None` if the tier is before the first one.
    pub(super) fn layer_of_tier(&self, tier: u64) -> Option<u32> {
        let mut layers = (0..self.info.layers.len()).zip(&self.info.layers).rev();
        let found = layers.find(|(_, layer)| layer.first_tier.is_some_and(|first| first <= tier));
        found.map(|(layer, _)| layer as u32)
    }
}

fn read_header(reader: &impl ReadAt, length: u64) -> Result<Vec<u8>, TableError> {
    let mut prefix = [0; PREFIX_BYTES];
    if length < PREFIX_BYTES as u64 {
        return Err(TableError::NotATable);
    }
    reader.read_at(0, &mut prefix).map_err(TableError::io("read the header"))?;
    let [.., a, b, c, d, e, f, g, h] = prefix;
    if !prefix.starts_with(&MAGIC) {
        return Err(TableError::NotATable);
    }
    let found = u32::from_le_bytes([prefix[8], prefix[9], prefix[10], prefix[11]]);
    if !(OLDEST_FORMAT_VERSION..=REACHABLE_FORMAT_VERSION).contains(&found) {
        return Err(TableError::Version {
            found,
            oldest: OLDEST_FORMAT_VERSION,
            newest: REACHABLE_FORMAT_VERSION,
        });
    }
    let header_bytes = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if header_bytes > MAX_HEADER_BYTES {
        return Err(TableError::damaged("the header is longer than any"));
    }
    let whole = header_bytes.checked_add(PREFIX_BYTES as u64 + 4);
    let Some(whole) = whole.filter(|&whole| whole <= length) else {
        return Err(TableError::damaged("the header is longer than the file"));
    };
    let mut header = vec![0; whole as usize];
    reader.read_at(0, &mut header).map_err(TableError::io("read the header"))?;
    Ok(header)
}
