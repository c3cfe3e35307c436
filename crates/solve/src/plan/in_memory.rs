//! Values that a solve keeps in memory, and their places: numbers from 0 without gaps.

use std::iter;
use std::ops::Range;

use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Value};
use hindsight_engine::{Layer, MemoryStore, StateSource};

use crate::forbidden_move::SolvedStates;
use crate::graph::GraphSolution;
use crate::sorted::SortedSolution;

/// Sorted positions that are read together.
const READ_TOGETHER: usize = 1 << 12;

/// Values that a solve keeps in memory.
pub(super) enum ValuesInMemory {
    Graph(GraphSolution),
    Sorted(SortedSolution),
    Layers(MemoryStore),
    States(SolvedStates),
}

/// Position in a place of the values in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlacedPosition {
    /// The position itself.
    Position(Packed),
    /// Address of a position, which has several states if a move may be forbidden.
    Rank {
        /// The tier.
        tier: u64,
        /// The rank in the tier.
        rank: u64,
    },
}

impl ValuesInMemory {
    /// Returns the value of a position that is not terminal.
    pub(super) fn read(&self, game: &PackedGame, position: Packed) -> Answer {
        match self {
            Self::Graph(solution) => {
                let Ok(answer) = solution.reader(game).probe(position);
                answer
            }
            Self::Sorted(solution) => {
                let value = solution.value(&game.canonical(position));
                value.map_or(Answer::Unknown, Answer::Exact)
            }
            Self::Layers(layers) => {
                let Ok(answer) = layers.with(game).probe(position);
                answer
            }
            Self::States(states) => {
                let Ok(answer) = states.with(game).probe(position);
                answer
            }
        }
    }

    pub(super) fn reached_value(&self, game: &PackedGame, position: Packed) -> Option<Value> {
        match self {
            Self::Graph(solution) => {
                let number = solution.number(game, position)?;
                Some(solution.value(number))
            }
            Self::Sorted(solution) => solution.value(&game.canonical(position)),
            Self::Layers(_) | Self::States(_) => None,
        }
    }

    /// Returns the positions in some places, with their values, if they were reached one by one.
    pub(super) fn reached(
        &self,
        places: Range<u64>,
    ) -> Box<dyn Iterator<Item = (Packed, Value)> + '_> {
        let places = places.start..places.end.min(self.places());
        match self {
            Self::Graph(solution) => Box::new(places.filter_map(|number| {
                let number = number as usize;
                Some((solution.position(number)?, solution.value(number)))
            })),
            Self::Sorted(solution) => {
                let end = places.end;
                Box::new(places.step_by(READ_TOGETHER).flat_map(move |first| {
                    let numbers = first..end.min(first + READ_TOGETHER as u64);
                    let values = numbers.clone().map(|number| solution.value_of(number));
                    solution.keys.positions(numbers).into_iter().zip(values)
                }))
            }
            Self::Layers(_) | Self::States(_) => Box::new(iter::empty()),
        }
    }

    pub(super) fn places(&self) -> u64 {
        match self {
            Self::Graph(solution) => solution.len() as u64,
            Self::Sorted(solution) => solution.keys.len(),
            Self::Layers(layers) => layers.0.iter().map(ranks_of).sum(),
            Self::States(states) => states.0.iter().map(|tier| tier.ranks()).sum(),
        }
    }

    /// Returns the position in a place; `None` after the last place.
    pub(super) fn position_in(&self, place: u64) -> Option<PlacedPosition> {
        let mut left = place;
        match self {
            Self::Graph(solution) => {
                let position = solution.position(usize::try_from(place).ok()?);
                position.map(PlacedPosition::Position)
            }
            Self::Sorted(solution) => solution.keys.get(place).map(PlacedPosition::Position),
            Self::Layers(layers) => {
                let mut layers = layers.0.iter();
                let layer = layers.find(|layer| is_within(&mut left, ranks_of(layer)))?;
                let i = layer.starts.partition_point(|&start| start <= left) - 1;
                Some(PlacedPosition::Rank { tier: layer.tiers[i], rank: left - layer.starts[i] })
            }
            Self::States(states) => {
                let mut tiers = states.0.iter();
                let solved = tiers.find(|tier| is_within(&mut left, tier.ranks()))?;
                Some(PlacedPosition::Rank { tier: solved.tier, rank: left })
            }
        }
    }

    /// Returns those of some places that have a wanted value, or a state that has it.
    pub(super) fn places_with<'a>(
        &'a self,
        places: Range<u64>,
        wanted: &'a dyn Fn(Value) -> bool,
    ) -> Box<dyn Iterator<Item = u64> + 'a> {
        match self {
            Self::Graph(solution) => {
                Box::new(places.filter(|&place| wanted(solution.value(place as usize))))
            }
            Self::Sorted(solution) => {
                Box::new(places.filter(|&place| wanted(solution.value_of(place))))
            }
            Self::Layers(layers) => {
                let layers =
                    parts_of(places, layers.0.iter().map(|layer| (layer, ranks_of(layer))));
                Box::new(layers.flat_map(move |(layer, first, ranks)| {
                    let codes = layer.codes_with(wanted);
                    let is_wanted =
                        move |&rank: &u64| codes[usize::from(layer.codes[rank as usize])];
                    ranks.filter(is_wanted).map(move |rank| first + rank)
                }))
            }
            Self::States(states) => {
                let tiers = parts_of(places, states.0.iter().map(|tier| (tier, tier.ranks())));
                Box::new(tiers.flat_map(move |(tier, first, ranks)| {
                    let is_wanted = move |&rank: &u64| {
                        tier.value(rank).is_some_and(wanted)
                            || tier.exception(rank).is_some_and(|(_, value)| wanted(value))
                    };
                    ranks.filter(is_wanted).map(move |rank| first + rank)
                }))
            }
        }
    }

    /// Returns the bytes of memory of the values.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Graph(solution) => solution.bytes(),
            Self::Sorted(solution) => solution.bytes(),
            Self::Layers(layers) => layers.0.iter().map(bytes_of_layer).sum(),
            Self::States { .. } => self.places() * size_of::<u32>() as u64,
        }
    }
}

/// Returns the parts that have some of the `places`, each with its first place and with those of
/// its ranks. `parts` yields each part with the number of its ranks.
fn parts_of<T>(
    places: Range<u64>,
    parts: impl Iterator<Item = (T, u64)>,
) -> impl Iterator<Item = (T, u64, Range<u64>)> {
    let mut end = 0;
    parts.filter_map(move |(part, len)| {
        let first = end;
        end += len;
        let ranks = places.start.max(first)..places.end.min(end);
        (!ranks.is_empty()).then(|| (part, first, ranks.start - first..ranks.end - first))
    })
}

fn ranks_of(layer: &Layer) -> u64 {
    layer.codes.len() as u64
}

fn bytes_of_layer(layer: &Layer) -> u64 {
    let words = layer.tiers.len() + layer.starts.len();
    ranks_of(layer) + (words * size_of::<u64>() + size_of_val(&*layer.palette)) as u64
}

/// Returns true if `left` is less than the number of ranks; else takes these from it.
fn is_within(left: &mut u64, ranks: u64) -> bool {
    let is_within = *left < ranks;
    if !is_within {
        *left -= ranks;
    }
    is_within
}
