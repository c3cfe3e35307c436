//! Tables on disk or on web servers.

use std::fmt;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use hindsight_core::Value;
use hindsight_engine::Limits;
use hindsight_rules::Setup;
use hindsight_tablebase::{
    KeptBlocks, LayerInfo, Layout, ReadAt, Table, TableError, TableFault, TableInfo, TableVerdict,
};

use crate::error::{GamesError, damage_text};
use crate::games::game::AnyGame;
use crate::games::own_games::{how_to_know, rules_of_table};
use crate::parts::distances::DistanceSource;
use crate::parts::numbered_values::{NumberedValues, TakeSacrifices};
use crate::parts::reader::PackedReader;
use crate::parts::structure::GameParts;
use crate::parts::table_ranks::{SecondSolve, TableFile, TableRanks};
use crate::positions::any_value::Position;
use crate::positions::decoded_layer::DecodedLayer;
use crate::positions::numbered::{NumberedPart, PlacedValues};
use crate::solving::distances::StartDistances;
use crate::table_bytes::TableBytes;
use crate::tasks::distances::AnyShortestLine;
use crate::tasks::folder::{KeptWork, TaskFolder};
use crate::tasks::new_table::TaskFiles;
use crate::tasks::options::Options;
use crate::values::Values;

use super::sacrifices;

/// Table on disk or on a web server: the value of every position of a game.
///
/// Opening reads only the header. The first probe of a layer reads its coder and the top of its
/// index, each probe a page of the index and a block.
///
/// ```
/// use hindsight_games::{Method, Options};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # std::env::set_current_dir(folder.path()).expect("a folder");
/// let options = Options {
///     table: Some("q.table".into()),
///     ..Options::default()
/// };
/// hindsight_games::game("quoridor:3x3:1")?.solve(Method::Auto, &options)?;
///
/// let table = hindsight_games::open("q.table")?;
/// let start = table.game().start();
/// assert_eq!(table.probe(&start)?.to_string(), "loss in 8 plies");
/// assert_eq!(table.stats()[0].name, "2 fences on the board");
/// assert!(table.verify(&Options::default())?.faults.is_empty());
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone)]
pub struct Tablebase {
    open: Arc<OpenTable>,
    values: Values,
}

/// Bytes of a file that are copied or compared at a time.
const CHUNK_BYTES: u64 = 1 << 20;

/// Open table and its game, which has ranks.
struct OpenTable {
    file: Arc<TableFile>,
    game: AnyGame,
    /// The same game with the ranks of the table.
    ranked: GameParts,
}

impl OpenTable {
    /// Takes a table and its game.
    ///
    /// # Errors
    /// [`GamesError::Unranked`] if the game has no ranks and the table has not, either. Any error
    /// of its keys.
    fn new(file: Arc<TableFile>, game: AnyGame) -> Result<Self, GamesError> {
        let ranked = file.table.ranked_game(game.rules());
        let ranked = ranked.map_err(|error| GamesError::of_table(&file.path, error))?;
        let is_reachable = file.table.info().reachable.is_some();
        let ranked = GameParts::of_table(ranked, game.parts().symmetry, is_reachable);
        match ranked.ranks() {
            Some(_) => Ok(Self { file, game, ranked }),
            None => Err(GamesError::Unranked(game.spec().to_string())),
        }
    }

    fn ranks(&self) -> &dyn TableRanks {
        self.ranked.ranks().expect("the game of a table has ranks")
    }
}

impl NumberedValues for OpenTable {
    fn reader(&self) -> PackedReader<'_> {
        self.ranks().reader(&self.file)
    }

    fn has_layers(&self) -> bool {
        true
    }

    fn check_size(&self, limits: Limits) -> Result<(), GamesError> {
        self.file.load_keys()?;
        Ok(self.ranks().check_size(limits.memory)?)
    }

    fn parts(&self) -> Result<Vec<NumberedPart>, GamesError> {
        match self.file.table.info().layout {
            Layout::Distances => Err(GamesError::KeepsDistances(self.file.path.clone())),
            _ => Ok(self.file.parts(self.ranks())),
        }
    }

    fn positions_in(&self, layer: u32, places: &[u64]) -> Vec<Vec<Position>> {
        TableFile::positions_in(self.ranks(), layer, places)
    }

    fn plain_positions(&self, layer: u32, places: &[u64]) -> Vec<Option<Position>> {
        let addresses = self.ranks().addresses(layer, places).into_iter();
        let position = |(tier, rank)| self.ranks().position_at(tier, rank, 0);
        addresses.map(position).collect()
    }

    fn layer_of(&self, position: &Position) -> u32 {
        let layers = &self.file.table.info().layers;
        let tier = self.ranks().tier(position);
        let begins_before =
            |layer: &LayerInfo| layer.first_tier.is_some() && tier >= layer.first_tier;
        layers.iter().rposition(begins_before).unwrap_or(0) as u32
    }

    fn part_memory(&self, layer: u32) -> u64 {
        // An unreadable layer is reported when it is read.
        self.ranks().decode_memory(&self.file.table, layer).unwrap_or(0)
    }

    fn open_part(&self, layer: u32) -> Result<Box<dyn PlacedValues + '_>, GamesError> {
        let decoded = self.ranks().decode(&self.file.table, layer);
        let decoded = decoded.map_err(|error| GamesError::of_table(&self.file.path, error))?;
        Ok(Box::new(OpenLayer { ranks: self.ranks(), decoded }))
    }

    fn sacrifices(
        &self,
        limits: Limits,
        take: TakeSacrifices<'_>,
    ) -> Option<Result<u64, GamesError>> {
        let has_states = self.file.table.info().layout == Layout::States;
        has_states.then(|| sacrifices::find(&self.file, self.game.rules(), limits, take))
    }
}

/// Layer in memory, with the numbering of its positions.
struct OpenLayer<'a> {
    ranks: &'a dyn TableRanks,
    decoded: DecodedLayer,
}

impl PlacedValues for OpenLayer<'_> {
    fn places_with<'a>(
        &'a self,
        places: Range<u64>,
        wanted: &'a dyn Fn(Value) -> bool,
    ) -> Box<dyn Iterator<Item = u64> + 'a> {
        self.decoded.places_with(places, wanted)
    }

    fn positions_in(&self, places: &[u64]) -> Vec<Vec<Position>> {
        let addresses = places.iter().map(|&place| self.decoded.address(place));
        addresses.map(|(tier, rank)| self.ranks.positions_at(tier, rank)).collect()
    }
}

impl DistanceSource for OpenTable {
    fn states(&self) -> Vec<u64> {
        let counts = self.file.table.info().states().unwrap_or_default();
        let mut states = Vec::new();
        for (value, n) in counts.all.rows() {
            let plies = usize::from(value.remoteness().unwrap_or(0));
            states.resize(states.len().max(plies + 1), 0);
            states[plies] += n;
        }
        states
    }

    fn line_to(&self, position: &Position) -> Result<Option<AnyShortestLine>, GamesError> {
        self.ranks().line_to(&self.file, position)
    }
}

/// Opens a table of values: a file, or by an address `http://..` or `https://..` a file on a web
/// server, of which only the parts that are needed are read. Its header is checked against its
/// game.
///
/// # Errors
/// If the file does not exist or cannot be read, is no table, is damaged, has another version of
/// the format, or keeps distances.
pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, GamesError> {
    let table = open_any(path)?;
    match table.info().layout {
        Layout::Distances => Err(GamesError::KeepsDistances(table.path().to_path_buf())),
        _ => Ok(table),
    }
}

/// Opens a table of values or of distances, like [`open`].
///
/// A table of distances has a header, [`Tablebase::distances`], and can be verified. Probes, rows
/// and comparisons of it are errors.
///
/// # Errors
/// As [`open`].
pub fn open_any(path: impl AsRef<Path>) -> Result<Tablebase, GamesError> {
    let path = path.as_ref();
    let reader = TableBytes::open(path)?;
    let path = path.to_path_buf();
    let bytes =
        reader.len().map_err(|source| GamesError::Unreadable { path: path.clone(), source })?;
    let explain = |error| GamesError::of_table(&path, error);
    let table = Table::open(reader).map_err(explain)?;
    // A spec in its normal form needs no other files, so none that a header might name is read.
    let symmetry = table.info().reachable.map(|reachable| reachable.symmetry);
    let setup = Setup { symmetry: symmetry.unwrap_or_default(), ..Setup::default() };
    let game = AnyGame::by_setup(&table.info().spec, &setup);
    let game = game.map_err(|error| match rules_of_table(&table.info().spec) {
        Some(name) => GamesError::OwnRules { name: name.to_string(), reason: how_to_know(name) },
        None => GamesError::UnknownGame(error.into()),
    })?;
    let file = Arc::new(TableFile { path: path.clone(), bytes, table });
    let open = OpenTable::new(file, game)?;
    open.ranks().check_header(&open.file.table).map_err(explain)?;
    Ok(Tablebase::of(open))
}

impl Tablebase {
    /// Takes an open table.
    fn of(open: OpenTable) -> Self {
        let (game, open) = (open.game.clone(), Arc::new(open));
        Self { values: Values::new(game, open.clone()), open }
    }

    /// Returns the same table with the names of another game of the same rules: those of its cards.
    /// [`Tablebase::info`] is still the header.
    ///
    /// # Errors
    /// [`Error::OtherGame`](crate::Error::OtherGame) if the table is of a game with other rules.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("o.table");
    /// # let options = Options {
    /// #     table: Some(path.clone()),
    /// #     ..Options::default()
    /// # };
    /// hindsight_games::game("onitama:2x3:(0,1)(1,0)")?.solve(Method::Auto, &options)?;
    /// let named = hindsight_games::game("onitama:2x3:wolf=(0,1)(1,0)")?;
    /// let table = hindsight_games::open(path)?.with_names_of(&named)?;
    /// assert_eq!(table.game().spec(), "onitama:2x3:wolf=(0,1)(1,0)");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn with_names_of(&self, game: &AnyGame) -> Result<Self, GamesError> {
        if !self.game().has_rules_of(game) {
            return Err(GamesError::OtherGame { game: self.game().spec().to_string() });
        }
        // A spec in its normal form needs no files.
        let symmetry = self.open.ranked.symmetry;
        let game = AnyGame::by_setup(game.spec(), &Setup { symmetry, ..Setup::default() })?;
        Ok(Self::of(OpenTable::new(Arc::clone(&self.open.file), game)?))
    }

    /// Returns the file, or the address of a table on a web server.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.open.file.path
    }

    /// Returns true if the file was written or replaced since it was opened, so that
    /// [`open`](crate::open) gives another table. Of a table on a web server this is known once a
    /// read has met another file.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.open.file.table.reader().have_changed()
    }

    /// Returns the length of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.open.file.bytes
    }

    /// Returns the header: layout, value of the start, counts.
    #[must_use]
    pub fn info(&self) -> &TableInfo {
        self.open.file.table.info()
    }

    /// Returns the counts of each layer: name, ranks, positions by value, longest games.
    #[must_use]
    pub fn stats(&self) -> &[LayerInfo] {
        &self.info().layers
    }

    /// Returns true if another table has the same bytes.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) if one of them cannot be read.
    pub fn has_same_bytes(&self, other: &Self) -> Result<bool, GamesError> {
        if self.bytes() != other.bytes() {
            return Ok(false);
        }
        for (chunk, other) in self.chunks().zip(other.chunks()) {
            if chunk? != other? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the checksum of the header, which has the length and the counts of all that follows.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) if it cannot be read.
    pub fn header_checksum(&self) -> Result<u32, GamesError> {
        let (mut length, mut checksum) = ([0; 8], [0; 4]);
        let reader = self.table().reader();
        let read = reader.read_at(12, &mut length).and_then(|()| {
            reader.read_at(20 + u64::from_le_bytes(length), &mut checksum)?;
            Ok(u32::from_le_bytes(checksum))
        });
        read.map_err(|source| GamesError::Unreadable { path: self.path().to_path_buf(), source })
    }

    /// Writes the same table to that of the options.
    ///
    /// # Errors
    /// [`Error::NoTable`](crate::Error::NoTable) if the options name none. Any error of the files.
    pub fn save(&self, options: &Options) -> Result<(), GamesError> {
        let mut files = TaskFiles::create(options)?;
        let (_, Some(out)) = files.parts() else {
            return Err(GamesError::NoTable);
        };
        let mut chunks = self.chunks();
        let saved = chunks.try_for_each(|chunk| out.write_all(&chunk?).map_err(GamesError::Output));
        saved.map_err(|error| files.explain(error))?;
        files.finish()
    }

    /// Yields all bytes of the file, some at a time.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = Result<Vec<u8>, GamesError>> {
        let chunk = |begin: u64| {
            let mut chunk = vec![0; CHUNK_BYTES.min(self.bytes() - begin) as usize];
            let read = self.table().reader().read_at(begin, &mut chunk);
            let path = self.path().to_path_buf();
            read.map_err(|source| GamesError::Unreadable { path, source })?;
            Ok(chunk)
        };
        (0..self.bytes()).step_by(CHUNK_BYTES as usize).map(chunk)
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.open.game
    }

    /// Returns the values alone, which a solved game has too.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Keeps decoded blocks in a store that other tables may use too, for programs that probe a
    /// table again and again. A table has one store; a second is not used.
    ///
    /// ```
    /// use hindsight_games::{KeptBlocks, Method, Options};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("q.table");
    /// # let options = Options {
    /// #     table: Some(path.clone()),
    /// #     ..Options::default()
    /// # };
    /// # hindsight_games::game("quoridor:3x3:1")?.solve(Method::Auto, &options)?;
    /// let table = hindsight_games::open(path)?;
    /// table.keep_blocks(&KeptBlocks::new(1 << 24));
    /// assert_eq!(table.probe(&table.game().start())?.to_string(), "loss in 8 plies");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn keep_blocks(&self, store: &Arc<KeptBlocks>) {
        self.open.file.table.keep_blocks(store);
    }

    /// Returns the distances of a table of distances.
    ///
    /// # Errors
    /// [`Error::KeepsValues`](crate::Error::KeepsValues) for a table of values;
    /// [`Error::NoDistances`](crate::Error::NoDistances) if its game never forbids a move.
    pub fn distances(&self) -> Result<StartDistances, GamesError> {
        match self.info().layout {
            Layout::Distances => Ok(StartDistances::new(self.game().clone(), self.open.clone())),
            Layout::States => Err(GamesError::KeepsValues(self.path().to_path_buf())),
            _ => Err(GamesError::NoDistances(self.game().spec().to_string())),
        }
    }

    /// Returns the table itself, for readers of a packed game.
    #[must_use]
    pub fn table(&self) -> &Table<TableBytes> {
        &self.open.file.table
    }

    /// Returns the position at a tier and rank, for example of the longest win in the header.
    ///
    /// `None` for a hole, and where the game has no such tier or rank.
    #[must_use]
    pub fn position_at(&self, tier: u64, rank: u64) -> Option<Position> {
        self.ranks().position_at(tier, rank, 0)
    }

    /// Returns the name of a layer, such as `2 fences on the board`; `None` if the game has no such
    /// layer.
    #[must_use]
    pub fn layer_name(&self, layer: u32) -> Option<String> {
        let ranks = self.open.ranks();
        (layer < ranks.layers()).then(|| ranks.layer_name(layer))
    }

    /// Compares every value with that of a second solve, which proves the table. Where memory is
    /// too short for a solve, and in tables of states, recomputes every value from those of the
    /// successors.
    ///
    /// If the options name a checkpoint, planes of Onitama keep there what memory does not hold; it
    /// is refused for other games.
    ///
    /// A fault of the table is no error: it is listed in the verdict.
    ///
    /// # Errors
    /// If the table cannot be read, a limit is passed, the listener stops the work, or the
    /// checkpoint cannot be used.
    pub fn verify(&self, options: &Options) -> Result<TableVerdict, GamesError> {
        let ranks = self.open.ranks();
        let table = &self.open.file.table;
        let explain = |error| GamesError::of_table(self.path(), error);
        let limits = options.limits();
        match table.load_keys() {
            Err(fault) if fault.is_damage() => return Ok(damaged_verdict(&fault)),
            read => read.map_err(explain)?,
        }
        self.check_size(limits)?;
        let (kept_memory, other_positions) = match self.verify_by_solving(limits, options)? {
            SecondSolve::Compared(verdict) => return Ok(verdict),
            SecondSolve::Unsolved { kept_memory, fault } => (kept_memory, fault),
        };
        let needed = ranks.verify_memory(table).map_err(explain)?;
        if needed > limits.memory {
            // Damage that can be seen without that memory is a verdict even then.
            return match table.check_coders() {
                Err(fault) if fault.is_damage() => Ok(damaged_verdict(&fault)),
                _ => Err(lack_of_memory(needed, kept_memory, options)),
            };
        }
        let verdict = ranks.verify(table, limits, &mut options.monitor());
        let mut verdict = verdict.map_err(explain)?;
        let fault = |description| TableFault { layer: Some(0), address: None, description };
        verdict.faults.extend(other_positions.map(fault));
        Ok(verdict)
    }

    /// Compares the table with a second solve, if that is faster and fits the limits.
    fn verify_by_solving(
        &self,
        limits: Limits,
        options: &Options,
    ) -> Result<SecondSolve, GamesError> {
        let (ranks, table) = (self.open.ranks(), &self.open.file.table);
        let info = table.info();
        if options.checkpoint.is_some() && !ranks.keeps_second_solve() {
            return Err(GamesError::NoSecondSolve(info.spec.clone()));
        }
        let folder = TaskFolder::of_options(options, &info.spec, info.layout, limits)?;
        let limits = folder.as_ref().map_or(limits, |folder| folder.limits(limits));
        let checkpoint = folder.as_ref().and_then(TaskFolder::checkpoint);
        let kept = match (&folder, &checkpoint) {
            (Some(folder), Some(checkpoint)) => {
                Some(KeptWork { checkpoint, started: folder.started()? })
            }
            _ => None,
        };
        let verdict = ranks.verify_by_solving(table, limits, kept, &mut options.monitor());
        let verdict = verdict.map_err(|error| GamesError::of_table(self.path(), error))?;
        if let Some(folder) = &folder {
            folder.forget_progress()?;
        }
        Ok(verdict)
    }

    pub(crate) fn ranks(&self) -> &dyn TableRanks {
        self.open.ranks()
    }

    pub(crate) fn file(&self) -> &TableFile {
        &self.open.file
    }

    /// Refuses a game whose tiers are too many to list; a header may name any game.
    pub(crate) fn check_size(&self, limits: Limits) -> Result<(), GamesError> {
        self.open.check_size(limits)
    }

    /// Returns the bytes of memory that a decoded layer needs; 0 for an unreadable layer, which
    /// [`Tablebase::decode`] reports.
    pub(super) fn layer_memory(&self, layer: u32) -> u64 {
        let needed = self.open.ranks().decode_memory(&self.open.file.table, layer);
        needed.unwrap_or(0)
    }

    pub(crate) fn decode(&self, layer: u32) -> Result<DecodedLayer, GamesError> {
        let decoded = self.open.ranks().decode(&self.open.file.table, layer);
        decoded.map_err(|error| GamesError::of_table(self.path(), error))
    }
}

/// A question about values goes to them.
impl Deref for Tablebase {
    type Target = Values;

    fn deref(&self) -> &Values {
        &self.values
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tablebase").field(&self.path()).finish()
    }
}

/// Error of a check that has less memory than it needs by successors, and than a second solve that
/// keeps its work.
fn lack_of_memory(needed: u64, kept_memory: Option<u64>, options: &Options) -> GamesError {
    let limit = options.limits().memory;
    match kept_memory.filter(|&kept| kept < needed) {
        Some(needed) if options.checkpoint.is_some() => GamesError::Memory { needed, limit },
        Some(kept) => GamesError::VerifyMemory { needed, kept, limit },
        None => GamesError::Memory { needed, limit },
    }
}

/// Returns the verdict on a table whose bytes are at fault.
fn damaged_verdict(error: &TableError) -> TableVerdict {
    TableVerdict {
        positions_checked: 0,
        faults: vec![TableFault { layer: None, address: None, description: damage_text(error) }],
    }
}
