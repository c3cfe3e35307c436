//! Reads values of states from a table.

use hindsight_core::{Answer, ForbiddenMove, Probe, Ranked, Value};

use super::decode::{Part, StateLayer, decode};
use super::{AT_ONCE, Given, given};
use crate::blocks::Blocks;
use crate::info::Symbol;
use crate::layout::Layout;
use crate::read::ReadAt;
use crate::table::not_there;
use crate::{Error, Table};

/// The value of a position with nothing forbidden, and the only best way with the value without it.
type Known = (Value, Option<(u8, Value)>);

impl<R: ReadAt> Table<R> {
    /// Reads values of states of a game. It must be the game of [`crate::Info::spec`], else the answers
    /// mean nothing. Each handle keeps the blocks it decoded last: a thread should have its own.
    pub fn with_states<'a, G: ForbiddenMove>(&'a self, game: &'a G) -> StatesReader<'a, G, R> {
        StatesReader {
            game,
            layout: Layout::States,
            blocks: Blocks::new(self),
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
    ) -> Result<StateLayer, Error> {
        self.decode_part(game, layer, Part::States)
    }

    /// The values of a layer with nothing forbidden alone, a byte a rank.
    ///
    /// # Errors
    /// As [`Table::decode_states`].
    pub fn decode_free<G: ForbiddenMove>(&self, game: &G, layer: u32) -> Result<StateLayer, Error> {
        self.decode_part(game, layer, Part::Plain)
    }

    fn decode_part<G: ForbiddenMove>(
        &self,
        game: &G,
        layer: u32,
        part: Part,
    ) -> Result<StateLayer, Error> {
        if layer >= game.base().layers() {
            return Err(Error::MissingLayer(layer));
        }
        let file = self.layer_alone(layer)?;
        file.keeps(Layout::States)?;
        decode(game, layer, &file, part)
    }
}

/// Reads values of states from a [`Table`].
pub struct StatesReader<'a, G, R> {
    pub(super) game: &'a G,
    /// What the table must keep: states or distances.
    pub(super) layout: Layout,
    pub(super) blocks: Blocks<'a, R>,
}

impl<G: ForbiddenMove, R: ReadAt> StatesReader<'_, G, R> {
    /// The value of a state; `None` where the numbering has no such state.
    ///
    /// # Errors
    /// When the table keeps no states, is damaged or cannot be read.
    pub fn value(&self, state: G::Position) -> Result<Option<Value>, Error> {
        if let Some(wdl) = self.game.terminal(state) {
            return Ok(Some(Value::terminal(wdl)));
        }
        let Some((tier, rank, way)) = self.game.rank_state(state) else {
            return Ok(None);
        };
        let Some((value, exception)) = self.stored(tier, rank)? else {
            return Ok(None);
        };
        match exception {
            Some((ordinal, without)) if way != 0 => {
                let is_best = way == self.way((tier, rank), ordinal)?;
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
    pub fn known(&self, tier: u64, rank: u64) -> Result<Option<Known>, Error> {
        let Some((value, exception)) = self.stored(tier, rank)? else {
            return Ok(None);
        };
        let exception = match exception {
            Some((ordinal, without)) => Some((self.way((tier, rank), ordinal)?, without)),
            None => None,
        };
        Ok(Some((value, exception)))
    }

    /// As [`StatesReader::known`], with which of the ways is best in the place of its number.
    fn stored(&self, tier: u64, rank: u64) -> Result<Option<Known>, Error> {
        self.blocks.table.info().layout.keeps(self.layout)?;
        match given(self.game, self.layout, (tier, rank), &mut Vec::new()) {
            Given::Hole => return Ok(None),
            Given::AtOnce => return Ok(Some((AT_ONCE, None))),
            Given::Open => {}
        }
        let place = (tier, rank);
        let symbols = self.blocks.symbols(place)?;
        let symbols = symbols.ok_or_else(|| not_there(place))?;
        match symbols {
            [Symbol::Exact(value), Symbol::Way(0), _] => Ok(Some((value, None))),
            [
                Symbol::Exact(value),
                Symbol::Way(ordinal),
                Symbol::Exact(without),
            ] => Ok(Some((value, Some((ordinal, without))))),
            _ => Err(Error::damaged("a rank has no state's symbols")),
        }
    }

    /// The number of one of the ways of a rank, counted from 1.
    fn way(&self, (tier, rank): (u64, u64), ordinal: u8) -> Result<u8, Error> {
        let mut ways = Vec::new();
        self.game.forbidden_ids(tier, rank, &mut ways);
        let way = ways.get(usize::from(ordinal).wrapping_sub(1)).copied();
        way.ok_or_else(|| Error::damaged("a rank has not so many ways"))
    }
}

impl<G: ForbiddenMove, R: ReadAt> Probe<G> for StatesReader<'_, G, R> {
    type Error = Error;

    fn probe(&self, state: G::Position) -> Result<Answer, Error> {
        let value = self.value(state)?;
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
