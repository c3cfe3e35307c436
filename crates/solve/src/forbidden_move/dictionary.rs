//! One value per state behind a bit vector, for comparison.

use hindsight_core::combinatorics::SymmetryClasses;
use hindsight_core::{ForbiddenMove, PackedGame, States, Value};
use hindsight_engine::StateSource;

use super::solved_tier::SolvedStateTier;

/// Values of all states of a tier, one by one, as Algorithm 6 of H. Takizawa, "Strongly solved
/// Ostle" (2023). Serves to compare that layout with [`SolvedStateTier`].
///
/// A position has one slot for the state that forbids nothing, and one per move that may be
/// forbidden. A bit vector marks the slots of states that some move leads to, without positions
/// that are won by a move that ends the game. The number of marked slots before a slot is the index
/// of its 16-bit value: plies, negative for a loss, 0 for a draw.
pub struct StateDictionary {
    tier: u64,
    slots: u64,
    states: SymmetryClasses,
    values: Vec<i16>,
}

impl StateDictionary {
    /// Lists the states of a finished tier. Cost: a few hundred nanoseconds per position.
    #[inline]
    pub fn new(game: &PackedGame, solved: &SolvedStateTier) -> Self {
        let (tier, ranks) = (solved.tier, solved.ranks());
        let mut move_ids = Vec::new();
        let ids_of = |rank: u64, move_ids: &mut Vec<u8>| {
            move_ids.clear();
            game.forbiddable_ids(tier, rank, move_ids);
        };
        let most = (0..ranks).map(|rank| {
            ids_of(rank, &mut move_ids);
            move_ids.len()
        });
        let slots = most.max().unwrap_or(0) as u64 + 1;
        let (mut slot_set, mut values) = (0_u64, Vec::new());
        let states = SymmetryClasses::new(ranks * slots, |number| {
            let (rank, slot) = (number / slots, number % slots);
            if slot == 0 {
                ids_of(rank, &mut move_ids);
                slot_set = states_of(game, solved, rank, move_ids.len());
            }
            let is_state = slot_set >> slot & 1 == 1;
            if is_state {
                let move_id = slot.checked_sub(1).map_or(0, |i| move_ids[i as usize]);
                values.push(to_number(solved.state(rank, move_id)));
            }
            is_state
        });
        Self { tier, slots, states, values }
    }

    /// Returns the number of states.
    #[must_use]
    #[inline]
    pub fn states(&self) -> u64 {
        self.states.len()
    }

    /// Returns the bytes of the bit vector, its counts and the values.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.states.bytes() + 2 * self.values.len() as u64
    }

    /// Returns the value of a state; `None` if no move leads to it, or the position is won at once.
    #[inline]
    pub fn state_value(&self, game: &PackedGame, rank: u64, move_id: u8) -> Option<Value> {
        let slot = if move_id == 0 {
            0
        } else {
            let mut move_ids = Vec::new();
            game.forbiddable_ids(self.tier, rank, &mut move_ids);
            1 + move_ids.binary_search(&move_id).ok()? as u64
        };
        let index = self.states.rank(rank * self.slots + slot)?;
        Some(match self.values[index as usize] {
            0 => Value::Draw,
            plies if plies < 0 => Value::Loss(plies.unsigned_abs()),
            plies => Value::Win(plies.unsigned_abs()),
        })
    }
}

/// Returns the bit set of a position's slots that are states. Slot 0 forbids nothing, slot `i`
/// forbids the `i`-th of its `move_ids` forbiddable moves.
#[inline]
fn states_of(game: &PackedGame, solved: &SolvedStateTier, rank: u64, move_ids: usize) -> u64 {
    use hindsight_core::Ranked;
    let Some(position) = game.base().unrank(solved.tier, rank) else {
        return 0;
    };
    if solved.value(rank) == Some(Value::Win(1)) {
        return 0;
    }
    let forbidding = (2_u64 << move_ids) - 2;
    forbidding | u64::from(game.reached_unrestricted(position))
}

/// Plies as a number: positive for a win, negative for a loss, 0 for a draw.
#[inline]
fn to_number(value: Option<Value>) -> i16 {
    let plies = |n: u16| i16::try_from(n).expect("fewer plies than codes");
    match value.expect("a position has a value") {
        Value::Draw => 0,
        Value::Win(n) => plies(n),
        Value::Loss(n) => -plies(n),
    }
}
