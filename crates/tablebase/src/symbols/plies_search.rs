//! Remoteness that a layout leaves out, found by a search of at most three plies.

use hindsight_core::{Game, Packed, PackedGame, Value};

use super::ordinals::value_by_rules;
use super::symbol::{Symbol, is_storable};

/// Search for remoteness in the symbols of positions.
///
/// `symbol` returns the symbol of a position, exact where the rules give the value; `None` if the
/// position has none.
pub(crate) struct PliesSearch<'a, F> {
    pub(crate) game: &'a PackedGame,
    pub(crate) symbol: F,
}

/// A lost successor whose plies were rounded.
struct RoundedLoss {
    position: Packed,
    within: u16,
}

impl<E, F> PliesSearch<'_, F>
where
    F: Fn(Packed) -> Result<Option<Symbol>, E>,
{
    /// Value of a win: one ply more than its quickest lost successor. `None` without one.
    /// `successors` is a buffer.
    pub(crate) fn win(
        &self,
        position: Packed,
        successors: &mut Vec<Packed>,
    ) -> Result<Option<Value>, E> {
        let (mut least, mut rounded) = (None::<u16>, Vec::new());
        successors.clear();
        self.game.successors(position, successors);
        for &next in successors.iter() {
            match (self.symbol)(next)? {
                Some(Symbol::Exact(Value::Loss(n))) => {
                    least = Some(least.map_or(n, |least| least.min(n)));
                }
                Some(Symbol::LossWithin(within)) => {
                    rounded.push(RoundedLoss { position: next, within })
                }
                _ => {}
            }
        }
        rounded.sort_by_key(|loss| loss.within);
        for RoundedLoss { position, within } in rounded {
            if least.is_some_and(|least| least <= within - 2) {
                break;
            }
            let plies = self.loss_plies(position, within)?;
            least = Some(least.map_or(plies, |least| least.min(plies)));
        }
        let win = least.and_then(|plies| plies.checked_add(1)).map(Value::Win);
        Ok(win.filter(|&win| is_storable(win)))
    }

    /// Value of a position that is lost in `within` plies or two fewer.
    pub(crate) fn loss(&self, position: Packed, within: u16) -> Result<Value, E> {
        self.loss_plies(position, within).map(Value::Loss)
    }

    /// Remoteness of such a position: the smaller one, if every move allows an answer after which
    /// the position is lost in at most `within - 4` plies. A multiple of four, this bound never
    /// lies between the two numbers that a symbol stands for.
    fn loss_plies(&self, position: Packed, within: u16) -> Result<u16, E> {
        let mut moves = Vec::new();
        self.game.successors(position, &mut moves);
        for next in moves {
            if !self.has_loss_within(next, within.saturating_sub(4))? {
                return Ok(within);
            }
        }
        Ok(within - 2)
    }

    /// Returns true if some successor is lost in at most `plies` plies.
    fn has_loss_within(&self, position: Packed, plies: u16) -> Result<bool, E> {
        if let Some(value) = value_by_rules(self.game, position) {
            return Ok(matches!(value, Value::Win(n) if n <= plies + 1));
        }
        let mut moves = Vec::new();
        self.game.successors(position, &mut moves);
        for next in moves {
            let is_quick = match (self.symbol)(next)? {
                Some(Symbol::Exact(Value::Loss(n)) | Symbol::LossWithin(n)) => n <= plies,
                _ => false,
            };
            if is_quick {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
