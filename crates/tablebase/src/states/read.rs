//! Reads values of states from a table.

use hindsight_core::{Answer, ForbiddenMove, Probe, Ranked, Value};

use super::decode::{StateFields, StateLayer, decode_states};
use super::{RankClass, WIN_IN_ONE, classify_rank};
use crate::block_cache::BlockCache;
use crate::info::Symbol;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::table::missing_rank_error;
use crate::{Table, TableError};

/// The value of a position with nothing forbidden, and the only best way with the value without it.
type StateValues = (Value, Option<(u8, Value)>);

impl<R: ReadAt> Table<R> {
    /// Reads values of states of a game. It must be the game of [`crate::Info::spec`], else the answers
    /// mean nothing. Each handle keeps the blocks it decoded last: a thread should have its own.
    pub fn with_states<'a, G: ForbiddenMove>(&'a self, game: &'a G) -> TableStatesReader<'a, G, R> {
        TableStatesReader {
            game,
            layout: Layout::States,
            blocks: BlockCache::new(self),
        }
    }

    /// All states of a layer, three bytes a rank.
    ///
    /// # Errors
    /// When there is no such layer, the table keeps no states, or it is damaged or cannot be read.
    pub fn decode_states<G: ForbiddenMove>(
        &self,
        game: &G,
        layer: u32,
    ) -> Result<StateLayer, TableError> {
        self.decode_fields(game, layer, StateFields::All)
    }

    /// The values of a layer with nothing forbidden alone, a byte a rank.
    ///
    /// # Errors
    /// As [`Table::decode_states`].
    pub fn decode_unrestricted<G: ForbiddenMove>(
        &self,
        game: &G,
        layer: u32,
    ) -> Result<StateLayer, TableError> {
        self.decode_fields(game, layer, StateFields::ValuesOnly)
    }

    fn decode_fields<G: ForbiddenMove>(
        &self,
        game: &G,
        layer: u32,
        part: StateFields,
    ) -> Result<StateLayer, TableError> {
        if layer >= game.base().layers() {
            return Err(TableError::MissingLayer(layer));
        }
        let file = self.uncached_layer(layer)?;
        file.check_content(Layout::States)?;
        decode_states(game, layer, &file, part)
    }
}

/// Reads values of states from a [`Table`].
pub struct TableStatesReader<'a, G, R> {
    pub(super) game: &'a G,
    /// What the table must keep: states or distances.
    pub(super) layout: Layout,
    pub(super) blocks: BlockCache<'a, R>,
}

impl<G: ForbiddenMove, R: ReadAt> TableStatesReader<'_, G, R> {
    /// The value of a state; `None` where the numbering has no such state.
    ///
    /// # Errors
    /// When the table keeps no states, is damaged or cannot be read.
    pub fn value(&self, state: G::Position) -> Result<Option<Value>, TableError> {
        if let Some(wdl) = self.game.terminal(state) {
            return Ok(Some(Value::terminal(wdl)));
        }
        let Some((tier, rank, way)) = self.game.rank_state(state) else {
            return Ok(None);
        };
        let Some((value, exception)) = self.stored_values(tier, rank)? else {
            return Ok(None);
        };
        match exception {
            Some((ordinal, without)) if way != 0 => {
                let is_best = way == self.move_id((tier, rank), ordinal)?;
                Ok(Some(if is_best { without } else { value }))
            }
            _ => Ok(Some(value)),
        }
    }

    /// The value at a rank with nothing forbidden, and the only best way, if there is one that can be
    /// forbidden, with the value without it; `None` for a hole.
    ///
    /// # Errors
    /// As [`StatesReader::value`].
    pub fn value_and_exception(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<StateValues>, TableError> {
        let Some((value, exception)) = self.stored_values(tier, rank)? else {
            return Ok(None);
        };
        let exception = match exception {
            Some((ordinal, without)) => Some((self.move_id((tier, rank), ordinal)?, without)),
            None => None,
        };
        Ok(Some((value, exception)))
    }

    /// As [`StatesReader::known`], with which of the ways is best in the place of its number.
    fn stored_values(&self, tier: u64, rank: u64) -> Result<Option<StateValues>, TableError> {
        self.blocks.table.info().layout.check_content(self.layout)?;
        match classify_rank(self.game, self.layout, (tier, rank), &mut Vec::new()) {
            RankClass::Hole => return Ok(None),
            RankClass::WinInOne => return Ok(Some((WIN_IN_ONE, None))),
            RankClass::Open => {}
        }
        let place = (tier, rank);
        let symbols = self.blocks.symbols(place)?;
        let symbols = symbols.ok_or_else(|| missing_rank_error(place))?;
        match symbols {
            [Symbol::Exact(value), Symbol::BestMove(0), _] => Ok(Some((value, None))),
            [
                Symbol::Exact(value),
                Symbol::BestMove(ordinal),
                Symbol::Exact(without),
            ] => Ok(Some((value, Some((ordinal, without))))),
            _ => Err(TableError::damaged("a rank has no state's symbols")),
        }
    }

    /// The number of one of the ways of a rank, counted from 1.
    fn move_id(&self, (tier, rank): (u64, u64), ordinal: u8) -> Result<u8, TableError> {
        let mut ways = Vec::new();
        self.game.forbiddable_ids(tier, rank, &mut ways);
        let way = ways.get(usize::from(ordinal).wrapping_sub(1)).copied();
        way.ok_or_else(|| TableError::damaged("a rank has not so many ways"))
    }
}

impl<G: ForbiddenMove, R: ReadAt> Probe<G> for TableStatesReader<'_, G, R> {
    type Error = TableError;

    fn probe(&self, state: G::Position) -> Result<Answer, TableError> {
        let value = self.value(state)?;
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
