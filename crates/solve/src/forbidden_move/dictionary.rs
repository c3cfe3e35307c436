use hindsight_combinatorics::SymmetryClasses;
use hindsight_core::{ForbiddenMove, Value};

use super::solved_tier::SolvedStateTier;

/// The values of all states of a tier, each on its own: what H. Takizawa, "Strongly solved Ostle" (2023),
/// keeps by its Algorithm 6, to be compared with the three numbers a position of [`Solved`].
///
/// A position has a slot for the state that forbids nothing and one for each of its ways. A bit vector
/// says which slots are states that some move leads to, in positions that are not won by a move that ends
/// the game; its rank is the place of the state's value, 16 bits.
pub struct StateDictionary {
    tier: u64,
    slots: u64,
    states: SymmetryClasses,
    values: Vec<i16>,
}

impl StateDictionary {
    /// Lists the states of a finished tier. A few hundred nanoseconds a position.
    #[inline]
    pub fn new<G: ForbiddenMove>(game: &G, solved: &SolvedStateTier) -> Self {
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
        let (mut here, mut values) = (0_u64, Vec::new());
        let states = SymmetryClasses::new(ranks * slots, |number| {
            let (rank, slot) = (number / slots, number % slots);
            if slot == 0 {
                ids_of(rank, &mut move_ids);
                here = states_of(game, solved, rank, move_ids.len());
            }
            let is_state = here >> slot & 1 == 1;
            if is_state {
                let move_id = slot.checked_sub(1).map_or(0, |i| move_ids[i as usize]);
                values.push(to_number(solved.state_value(rank, move_id)));
            }
            is_state
        });
        Self {
            tier,
            slots,
            states,
            values,
        }
    }

    /// How many states there are.
    #[must_use]
    #[inline]
    pub fn states(&self) -> u64 {
        self.states.len()
    }

    /// Bytes of the bit vector, its counts and the values.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.states.bytes() + 2 * self.values.len() as u64
    }

    /// The value of a state; `None` where no move leads to it, or the position is won at once.
    #[inline]
    pub fn state_value<G: ForbiddenMove>(&self, game: &G, rank: u64, move_id: u8) -> Option<Value> {
        let slot = if move_id == 0 {
            0
        } else {
            let mut move_ids = Vec::new();
            game.forbiddable_ids(self.tier, rank, &mut move_ids);
            1 + move_ids.binary_search(&move_id).ok()? as u64
        };
        let place = self.states.rank(rank * self.slots + slot)?;
        Some(match self.values[place as usize] {
            0 => Value::Draw,
            plies if plies < 0 => Value::Loss(plies.unsigned_abs()),
            plies => Value::Win(plies.unsigned_abs()),
        })
    }
}

/// The slots of a position that are states, a bit each.
#[inline]
fn states_of<G: ForbiddenMove>(
    game: &G,
    solved: &SolvedStateTier,
    rank: u64,
    move_ids: usize,
) -> u64 {
    use hindsight_core::Ranked;
    let Some(position) = game.base().unrank(solved.tier, rank) else {
        return 0;
    };
    if solved.unrestricted_value(rank) == Some(Value::Win(1)) {
        return 0;
    }
    let forbidding = (2_u64 << move_ids) - 2;
    forbidding | u64::from(game.reached_unrestricted(position))
}

/// Plies, positive for a win, negative for a loss; 0 for a draw.
#[inline]
fn to_number(value: Option<Value>) -> i16 {
    let plies = |n: u16| i16::try_from(n).expect("fewer plies than codes");
    match value.expect("a position has a value") {
        Value::Draw => 0,
        Value::Win(n) => plies(n),
        Value::Loss(n) => -plies(n),
    }
}
