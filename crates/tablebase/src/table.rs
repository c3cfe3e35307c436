use std::sync::Arc;

use hindsight_core::{Answer, Probe, Ranked, Value};
use hindsight_solve::Layer;

use crate::block_cache::BlockCache;
use crate::decode::decode_layer;
use crate::index::Address;
use crate::info::{FORMAT_VERSION, MAGIC, MAX_HEADER_BYTES, PREFIX_BYTES, Symbol, TableInfo};
use crate::layer_file::LayerFile;
use crate::ordinals::{checked_before, is_storable, value_by_rules};
use crate::read_at::ReadAt;
use crate::{Layout, TableError};

/// The solution of every position of a game, in a file or any bytes that can be read at any place.
pub struct Table<R> {
    info: TableInfo,
    layers: Vec<LayerFile<Arc<R>>>,
    reader: Arc<R>,
    layer_offsets: Vec<u64>,
}

impl<R: ReadAt> Table<R> {
    /// Reads the header, and nothing else: the rest is checked as it is read.
    ///
    /// # Errors
    /// When this is no table, or one of another version, its header is damaged, or its length differs
    /// from what the header says.
    pub fn open(reader: R) -> Result<Self, TableError> {
        let length = reader.len().map_err(TableError::io("read the header"))?;
        let header = read_header(&reader, length)?;
        let info = TableInfo::decode(&header)?;
        let mut bases = Vec::with_capacity(info.layers.len());
        let mut end = header.len() as u64;
        for layer in &info.layers {
            bases.push(end);
            end = end.saturating_add(layer.bytes());
        }
        if end != length {
            return Err(TableError::damaged(format!(
                "the file has {length} bytes, its header says {end}"
            )));
        }
        let reader = Arc::new(reader);
        let layers = info.layers.iter().zip(&bases).map(|(layer, &base)| {
            LayerFile::new(Arc::clone(&reader), base, layer.clone(), info.layout)
        });
        Ok(Self {
            layers: layers.collect(),
            info,
            reader,
            layer_offsets: bases,
        })
    }

    /// What the table says of itself.
    #[must_use]
    pub fn info(&self) -> &TableInfo {
        &self.info
    }

    /// Looks at the first bytes of every layer, which takes no memory to speak of.
    ///
    /// # Errors
    /// [`Error::Damaged`] when they are not those of such a layer; when they cannot be read.
    pub fn check_coders(&self) -> Result<(), TableError> {
        let mut layers = self.layers.iter();
        layers.try_for_each(|layer| layer.coder_memory().map(|_| ()))
    }

    /// Reads values of a game. It must be the game of [`Info::spec`], else the answers mean nothing.
    /// Each handle keeps the blocks it decoded last: a thread should have its own.
    pub fn with<'a, G: Ranked>(&'a self, game: &'a G) -> TableReader<'a, G, R> {
        TableReader {
            game,
            blocks: BlockCache::new(self),
        }
    }

    /// All values of a layer, a byte a rank. With the layout [`crate::Layout::Compact`] the layers it leads to
    /// are held in memory for the time being.
    ///
    /// # Errors
    /// When there is no such layer, or it is damaged or cannot be read.
    pub fn decode_layer<G: Ranked>(&self, game: &G, layer: u32) -> Result<Layer, TableError> {
        decode_layer(game, layer, self.info.layout, &|layer| {
            self.uncached_layer(layer)
        })
    }

    /// A layer of which nothing is kept in memory when it is done with.
    pub(crate) fn uncached_layer(&self, layer: u32) -> Result<LayerFile<Arc<R>>, TableError> {
        let i = layer as usize;
        let info = self
            .info
            .layers
            .get(i)
            .ok_or(TableError::MissingLayer(layer))?;
        let reader = Arc::clone(&self.reader);
        let (info, layout) = (info.clone(), self.info.layout);
        Ok(LayerFile::new(reader, self.layer_offsets[i], info, layout))
    }

    pub(crate) fn layer(&self, layer: u32) -> Result<&LayerFile<Arc<R>>, TableError> {
        self.layers
            .get(layer as usize)
            .ok_or(TableError::MissingLayer(layer))
    }

    /// The layer that has a tier, if any has.
    pub(crate) fn layer_of_tier(&self, tier: u64) -> Option<u32> {
        let mut layers = (0..self.info.layers.len()).zip(&self.info.layers).rev();
        let found = layers.find(|(_, layer)| layer.first_tier.is_some_and(|first| first <= tier));
        found.map(|(layer, _)| layer as u32)
    }
}

/// The error of a rank of the game that is in no block.
pub(crate) fn missing_rank_error((tier, rank): Address) -> TableError {
    TableError::damaged(format!("tier {tier} rank {rank} is in no block"))
}

fn read_header(reader: &impl ReadAt, length: u64) -> Result<Vec<u8>, TableError> {
    let mut prefix = [0; PREFIX_BYTES];
    if length < PREFIX_BYTES as u64 {
        return Err(TableError::NotATable);
    }
    reader
        .read_at(0, &mut prefix)
        .map_err(TableError::io("read the header"))?;
    let ([magic @ .., _, _, _, _, _, _, _, _, _, _, _, _], [.., a, b, c, d, e, f, g, h]) =
        (prefix, prefix);
    if magic != MAGIC {
        return Err(TableError::NotATable);
    }
    let found = u32::from_le_bytes([prefix[8], prefix[9], prefix[10], prefix[11]]);
    if found != FORMAT_VERSION {
        return Err(TableError::Version {
            found: u64::from(found),
            known: FORMAT_VERSION,
        });
    }
    let described = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if described > MAX_HEADER_BYTES {
        return Err(TableError::damaged("the header is longer than any"));
    }
    let whole = described.checked_add(PREFIX_BYTES as u64 + 4);
    let Some(whole) = whole.filter(|&whole| whole <= length) else {
        return Err(TableError::damaged("the header is longer than the file"));
    };
    let mut header = vec![0; whole as usize];
    reader
        .read_at(0, &mut header)
        .map_err(TableError::io("read the header"))?;
    Ok(header)
}

/// Reads values of a game from a [`Table`].
pub struct TableReader<'a, G, R> {
    game: &'a G,
    blocks: BlockCache<'a, R>,
}

impl<G: Ranked, R: ReadAt> TableReader<'_, G, R> {
    /// The value of a position; `None` where the numbering has no such position.
    ///
    /// # Errors
    /// When the table is damaged or cannot be read.
    pub fn value(&self, position: G::Position) -> Result<Option<Value>, TableError> {
        match self.known_symbol(position)? {
            Some(Symbol::Win) => self.win_from_successors(position).map(Some),
            Some(Symbol::Exact(value)) => Ok(Some(value)),
            Some(Symbol::BestMove(_)) => Err(TableError::damaged("a way in the place of a value")),
            None => Ok(None),
        }
    }

    /// What the table and the rules say of a position without a look at its successors.
    fn known_symbol(&self, position: G::Position) -> Result<Option<Symbol>, TableError> {
        if let Some(value) = value_by_rules(self.game, position) {
            return Ok(Some(Symbol::Exact(value)));
        }
        match self.game.rank(position) {
            Some(place) => self.stored_symbol(place),
            None => Ok(None),
        }
    }

    /// The plies of a win, from its lost successors.
    fn win_from_successors(&self, position: G::Position) -> Result<Value, TableError> {
        let mut successors = Vec::new();
        self.game.successors(position, &mut successors);
        let mut best = None;
        for next in successors {
            if let Some(Symbol::Exact(value @ Value::Loss(_))) = self.known_symbol(next)? {
                best = best.max(checked_before(value).filter(|&value| is_storable(value)));
            }
        }
        best.ok_or_else(|| TableError::damaged("a win has no lost successor"))
    }

    /// The symbol at a place.
    fn stored_symbol(&self, place: Address) -> Result<Option<Symbol>, TableError> {
        self.blocks.table.info.layout.check_content(Layout::Full)?;
        let symbols = self.blocks.symbols(place)?;
        symbols
            .map(|[symbol, ..]| Some(symbol))
            .ok_or_else(|| missing_rank_error(place))
    }
}

impl<G: Ranked, R: ReadAt> Probe<G> for TableReader<'_, G, R> {
    type Error = TableError;

    fn probe(&self, position: G::Position) -> Result<Answer, TableError> {
        let value = self.value(position)?;
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
