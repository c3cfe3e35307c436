//! Distances of single states and shortest lines to them, from the distances of positions.

use hindsight_core::{ForbiddenMove, Game, Packed, PackedGame, PackedMove, States};

use super::nearest::{NearestDistances, NextStates};

type StateAddress = (u64, u64, u8);

/// A position, with the index of its predecessor in the level before and the move from there.
type LevelNode = (Packed, Option<(usize, PackedMove)>);

/// Function that returns the distances at a tier and rank; `None` if it cannot be reached.
pub type ProbeDistances<'a, E> = dyn Fn(u64, u64) -> Result<Option<NearestDistances>, E> + 'a;

/// Reads distances of single states.
pub struct DistanceReader<'a, E> {
    game: &'a PackedGame,
    probe: &'a ProbeDistances<'a, E>,
    next_states: NextStates,
}

/// A shortest line: each position with the move that leads to it; `None` for the start.
pub(crate) type ShortestLine = Vec<(Packed, Option<PackedMove>)>;

impl<'a, E> DistanceReader<'a, E> {
    /// Creates a reader under the rules: forbidden moves are not played.
    pub fn new(game: &'a PackedGame, probe: &'a ProbeDistances<'a, E>) -> Self {
        Self { game, probe, next_states: NextStates::Allowed }
    }

    /// Sets whether forbidden moves are played on the way.
    #[must_use]
    pub fn with_next_states(self, next_states: NextStates) -> Self {
        Self { next_states, ..self }
    }

    /// Returns the fewest plies from the start to a state, or to its image under a symmetry of the
    /// game. `None` if the state cannot be reached or is terminal.
    ///
    /// # Errors
    /// Any error of the probe.
    pub fn distance(&self, state: Packed) -> Result<Option<u16>, E> {
        let Some(address) = self.game.rank_state(state) else {
            return Ok(None);
        };
        if Some(address) == self.start() {
            return Ok(Some(0));
        }
        let mut least = None;
        for (before, mv) in self.moves_to(state, address) {
            if let Some(plies) = self.distance_before(before, mv)? {
                least = Some(least.unwrap_or(u16::MAX).min(plies.saturating_add(1)));
            }
        }
        Ok(least)
    }

    /// Returns a shortest line from the start to a state, or else to its image under a symmetry.
    /// `None` as in [`DistanceReader::distance`].
    ///
    /// # Errors
    /// Any error of the probe.
    pub fn shortest_line(&self, state: Packed) -> Result<Option<ShortestLine>, E> {
        let Some(mut distance) = self.distance(state)? else {
            return Ok(None);
        };
        let mut current = state;
        let mut addresses = Vec::from_iter(self.game.rank_state(state));
        while distance > 0 {
            let Some(before) = self.state_before(current, distance)? else {
                return Ok(None);
            };
            current = before;
            addresses.extend(self.game.rank_state(current));
            distance -= 1;
        }
        addresses.reverse();
        Ok(self.play_through(&addresses, state))
    }

    fn start(&self) -> Option<StateAddress> {
        self.game.rank_state(self.game.start())
    }

    /// Moves that lead to a state, or to its image under a symmetry.
    fn moves_to(&self, state: Packed, address: StateAddress) -> Vec<(Packed, PackedMove)> {
        let (base, _) = self.game.decode(state);
        let mut origins = Vec::new();
        self.game.predecessor_moves(base, &mut origins);
        origins.retain(|&(before, mv)| {
            let forbidden = self.game.forbidden_after(before, mv);
            self.game.rank_state(self.game.encode(base, forbidden)) == Some(address)
        });
        origins
    }

    /// Least distance of the states of position `before` that allow a move.
    fn distance_before(&self, before: Packed, mv: PackedMove) -> Result<Option<u16>, E> {
        let forbidding = self.game.encode(before, Some(mv));
        let Some((tier, rank, move_id)) = self.game.rank_state(forbidding) else {
            return Ok(None);
        };
        let move_id = match self.next_states {
            NextStates::Allowed => move_id,
            NextStates::All => 0,
        };
        let nearest = (self.probe)(tier, rank)?;
        Ok(nearest.and_then(|nearest| nearest.distance_allowing(move_id)))
    }

    /// Returns a predecessor of a state that is one ply nearer to the start.
    fn state_before(&self, state: Packed, distance: u16) -> Result<Option<Packed>, E> {
        let Some(address) = self.game.rank_state(state) else {
            return Ok(None);
        };
        for (before, mv) in self.moves_to(state, address) {
            if self.distance_before(before, mv)? != Some(distance - 1) {
                continue;
            }
            let mut moves = Vec::new();
            self.game.base().moves(before, &mut moves);
            if self.next_states == NextStates::Allowed {
                moves.retain(|&forbidden| forbidden != mv);
            }
            let forbidden = moves.into_iter().map(Some).chain([None]);
            for state in forbidden.map(|forbidden| self.game.encode(before, forbidden)) {
                if self.distance(state)? == Some(distance - 1) {
                    return Ok(Some(state));
                }
            }
        }
        Ok(None)
    }

    /// Plays from the start through the given addresses, to the state `to` itself if possible.
    fn play_through(&self, addresses: &[StateAddress], to: Packed) -> Option<ShortestLine> {
        // Images of a position may have different lines: a few positions per ply.
        let mut levels: Vec<Vec<LevelNode>> = vec![vec![(self.game.start(), None)]];
        for &address in addresses.get(1..)? {
            let mut level: Vec<LevelNode> = Vec::new();
            for (i, &(position, _)) in levels.last()?.iter().enumerate() {
                let mut moves = Vec::new();
                let free = match self.next_states {
                    NextStates::Allowed => position,
                    NextStates::All => self.game.encode(self.game.decode(position).0, None),
                };
                self.game.moves(free, &mut moves);
                for mv in moves {
                    let next = self.game.play(position, mv);
                    let is_new = level.iter().all(|known| known.0 != next);
                    if is_new && self.game.rank_state(next) == Some(address) {
                        level.push((next, Some((i, mv))));
                    }
                }
            }
            levels.push(level);
        }
        let last = levels.last()?;
        let mut index = last.iter().position(|found| found.0 == to).unwrap_or(0);
        let mut line = Vec::new();
        for level in levels.iter().rev() {
            let &(position, origin) = level.get(index)?;
            line.push((position, origin.map(|(_, mv)| mv)));
            index = origin.map_or(0, |(from, _)| from);
        }
        line.reverse();
        Some(line)
    }
}
