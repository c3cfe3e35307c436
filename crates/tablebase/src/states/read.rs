//! Probes of tables of states.

use hindsight_core::{
    Answer, ForbiddenMove, Game, Packed, PackedGame, Probe, States, Tiers, Value, Wdl,
};

use super::decode::{StateFields, StateLayer, decode_states};
use super::rank_class::{RankClass, WIN_IN_ONE, classify_rank};
use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::reading::batch::{AddressedReader, ValueSource};
use crate::reading::block_cache::BlockCache;
use crate::reading::table::Table;
use crate::symbols::symbol::Symbol;
use hindsight_engine::StateValues;

impl<R: ReadAt> Table<R> {
    /// Returns a reader for the states of `game`, which must be the game of
    /// [`TableInfo::spec`](crate::TableInfo::spec); otherwise the answers mean nothing.
    ///
    /// A reader keeps the blocks that it decoded last, so each thread should have its own.
    pub fn with_states<'a>(&'a self, game: &'a PackedGame) -> TableStatesReader<'a, R> {
        TableStatesReader { game, layout: Layout::States, blocks: BlockCache::new(self) }
    }

    /// Returns a reader for the distances of `game`, as [`Table::with_states`] for states.
    pub fn with_distances<'a>(&'a self, game: &'a PackedGame) -> TableStatesReader<'a, R> {
        TableStatesReader { game, layout: Layout::Distances, blocks: BlockCache::new(self) }
    }

    /// Decodes all states of a layer, three bytes per rank.
    ///
    /// # Errors
    /// - [`TableError::MissingLayer`] if there is no such layer.
    /// - [`TableError::OtherContent`] if the table does not store states.
    /// - [`TableError::Damaged`] or [`TableError::Io`] if the layer is damaged or cannot be read.
    pub fn decode_states(&self, game: &PackedGame, layer: u32) -> Result<StateLayer, TableError> {
        self.decode_fields(game, layer, StateFields::All)
    }

    /// Decodes the values of a layer with nothing forbidden, one byte per rank.
    ///
    /// # Errors
    /// As [`Table::decode_states`].
    pub fn decode_unrestricted(
        &self,
        game: &PackedGame,
        layer: u32,
    ) -> Result<StateLayer, TableError> {
        self.decode_fields(game, layer, StateFields::ValuesOnly)
    }

    fn decode_fields(
        &self,
        game: &PackedGame,
        layer: u32,
        fields: StateFields,
    ) -> Result<StateLayer, TableError> {
        if layer >= game.base().layers() {
            return Err(TableError::MissingLayer(layer));
        }
        let file = self.uncached_layer(layer)?;
        file.check_content(Layout::States)?;
        decode_states(game, layer, &file, fields)
    }
}

/// Reads values of states, or distances, from a [`Table`].
pub struct TableStatesReader<'a, R> {
    pub(super) game: &'a PackedGame,
    /// Content that the table must have: states or distances.
    pub(super) layout: Layout,
    pub(super) blocks: BlockCache<'a, R>,
}

/// Address of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StateAddress {
    rank: Address,
    /// Id of the forbidden move, or 0.
    forbidden: u8,
}

impl<R: ReadAt> AddressedReader for TableStatesReader<'_, R> {
    type Position = Packed;
    type Address = StateAddress;

    fn fresh(&self) -> Self {
        Self { game: self.game, layout: self.layout, blocks: BlockCache::new(self.blocks.table) }
    }

    fn concurrent_reads(&self) -> usize {
        self.blocks.table.reader().concurrent_reads()
    }

    fn source(&self, state: Packed) -> Result<ValueSource<StateAddress>, TableError> {
        if let Some(wdl) = self.game.terminal(state) {
            return Ok(ValueSource::Rules(Answer::Exact(Value::terminal(wdl))));
        }
        Ok(match self.game.rank_state(state) {
            Some((tier, rank, forbidden)) => {
                ValueSource::Table(StateAddress { rank: Address { tier, rank }, forbidden })
            }
            None => ValueSource::Rules(Answer::Unknown),
        })
    }

    fn read(&self, _: Packed, address: StateAddress) -> Result<Answer, TableError> {
        let StateAddress { rank, forbidden } = address;
        let Some((value, exception)) = self.stored_values(rank)? else {
            return Ok(Answer::Unknown);
        };
        Ok(Answer::Exact(match exception {
            Some((number, without))
                if forbidden != 0 && forbidden == self.move_id(rank, number)? =>
            {
                without
            }
            _ => value,
        }))
    }
}

impl<R: ReadAt> TableStatesReader<'_, R> {
    /// Returns the value of a state; `None` if the game gives it no rank.
    ///
    /// # Errors
    /// [`TableError::OtherContent`] if the table does not store states; [`TableError::Damaged`] or
    /// [`TableError::Io`] if it is damaged or cannot be read.
    pub fn value(&self, state: Packed) -> Result<Option<Value>, TableError> {
        self.probe_one(state).map(Answer::exact)
    }

    /// Returns the value at a rank with nothing forbidden; then the only best forbiddable move and
    /// the value without it, if that differs. `None` for a hole. Distances are losses and draws, as
    /// [`CheckpointDir::put_distances`](crate::CheckpointDir::put_distances) takes them.
    ///
    /// # Errors
    /// As [`TableStatesReader::value`].
    pub fn value_and_exception(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<StateValues>, TableError> {
        let Some((value, exception)) = self.stored_values(Address { tier, rank })? else {
            return Ok(None);
        };
        let exception = match exception {
            Some((number, without)) => {
                Some((self.move_id(Address { tier, rank }, number)?, without))
            }
            None => None,
        };
        let without = exception.map(|(_, without)| without);
        let is_win = |value: Value| value.wdl() == Wdl::Win;
        if self.layout == Layout::Distances && (is_win(value) || without.is_some_and(is_win)) {
            return Err(TableError::damaged("a win in the place of a distance"));
        }
        Ok(Some((value, exception)))
    }

    /// As [`TableStatesReader::value_and_exception`], but with the number of the best move instead
    /// of its id.
    fn stored_values(&self, address: Address) -> Result<Option<StateValues>, TableError> {
        self.blocks.table.info().layout.check_content(self.layout)?;
        match classify_rank(self.game, self.layout, address, &mut Vec::new()) {
            RankClass::Hole => return Ok(None),
            RankClass::WinInOne => return Ok(Some((WIN_IN_ONE, None))),
            RankClass::Open => {}
        }
        let symbols = self.blocks.symbols(address)?;
        let symbols = symbols.ok_or_else(|| address.missing_error())?;
        match symbols {
            [Symbol::Exact(value), Symbol::BestMove(0), _] => Ok(Some((value, None))),
            [Symbol::Exact(value), Symbol::BestMove(number), Symbol::Exact(without)] => {
                Ok(Some((value, Some((number, without)))))
            }
            _ => Err(TableError::damaged("a rank has no state's symbols")),
        }
    }

    /// Id of the forbiddable move with a number, counted from 1.
    fn move_id(&self, address: Address, number: u8) -> Result<u8, TableError> {
        let mut move_ids = Vec::new();
        self.game.forbiddable_ids(address.tier, address.rank, &mut move_ids);
        let move_id = move_ids.get(usize::from(number).wrapping_sub(1)).copied();
        move_id.ok_or_else(|| TableError::damaged("a rank has fewer moves that can be forbidden"))
    }
}

impl<R: ReadAt> Probe for TableStatesReader<'_, R> {
    type Error = TableError;

    fn probe(&self, state: Packed) -> Result<Answer, TableError> {
        self.probe_one(state)
    }

    fn probe_many(&self, states: &[Packed]) -> Result<Vec<Answer>, TableError> {
        self.probe_batch(states)
    }
}
