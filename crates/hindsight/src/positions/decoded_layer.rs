//! Layers of a table in memory, and their rows.

use std::ops::Range;

use hindsight_core::Value;
use hindsight_engine::Layer;
use hindsight_tablebase::StateLayer;

/// Values of a layer of a table, by rank.
#[derive(Debug)]
pub(crate) enum DecodedLayer {
    /// Values of positions.
    Positions(Layer),
    /// Values of positions in which a move may be forbidden.
    States(StateLayer),
}

impl DecodedLayer {
    pub(crate) fn layer(&self) -> u32 {
        match self {
            Self::Positions(layer) => layer.layer,
            Self::States(layer) => layer.layer(),
        }
    }

    /// Returns the number of ranks, holes included.
    pub(crate) fn ranks(&self) -> u64 {
        match self {
            Self::Positions(layer) => layer.codes.len() as u64,
            Self::States(layer) => layer.ranks(),
        }
    }

    /// Returns the number of ranks of the `i`-th tier; `None` after the last tier.
    pub(crate) fn tier_len(&self, i: usize) -> Option<u64> {
        match self {
            Self::Positions(layer) => Some(layer.starts.get(i + 1)? - layer.starts[i]),
            Self::States(layer) => (i == 0).then(|| layer.ranks()),
        }
    }

    /// Returns the `i`-th tier, which must be there.
    pub(crate) fn tier(&self, i: usize) -> u64 {
        match self {
            Self::Positions(layer) => layer.tiers[i],
            Self::States(layer) => layer.tier(),
        }
    }

    /// Returns the value at a rank of the `i`-th tier, with no move forbidden; `None` for a hole.
    pub(crate) fn value(&self, i: usize, rank: u64) -> Option<Value> {
        match self {
            Self::Positions(layer) => value_of_code(layer, layer.tier_codes(i)[rank as usize]),
            Self::States(layer) => layer.value(rank),
        }
    }
}

impl DecodedLayer {
    /// Returns the tier and rank of a rank that is counted through all tiers.
    pub(crate) fn address(&self, place: u64) -> (u64, u64) {
        match self {
            Self::Positions(layer) => {
                let i = layer.starts.partition_point(|&start| start <= place) - 1;
                (layer.tiers[i], place - layer.starts[i])
            }
            Self::States(layer) => (layer.tier(), place),
        }
    }

    /// Returns those of some ranks, counted through all tiers, that have a wanted value. Of states,
    /// the value with no move forbidden counts, and that without the only best move.
    pub(crate) fn places_with<'a>(
        &'a self,
        places: Range<u64>,
        wanted: &'a dyn Fn(Value) -> bool,
    ) -> Box<dyn Iterator<Item = u64> + 'a> {
        match self {
            Self::Positions(layer) => {
                let is_wanted = layer.codes_with(wanted);
                let codes = &layer.codes;
                Box::new(places.filter(move |&rank| is_wanted[usize::from(codes[rank as usize])]))
            }
            Self::States(layer) => Box::new(places.filter(move |&rank| {
                layer.value(rank).is_some_and(wanted)
                    || layer.exception(rank).is_some_and(|(_, value)| wanted(value))
            })),
        }
    }
}

/// Returns the value that a code of a layer stands for; `None` for a hole.
pub(crate) fn value_of_code(layer: &Layer, code: u8) -> Option<Value> {
    layer.palette.get(usize::from(code)).copied().flatten()
}

/// Position of a table with its value.
///
/// ```
/// # let folder = tempfile::tempdir().expect("a folder");
/// # std::env::set_current_dir(folder.path()).expect("a folder");
/// # let options = hindsight_games::Options {
/// #     table: Some("q.table".into()),
/// #     ..Default::default()
/// # };
/// # hindsight_games::game("quoridor:3x3:1")?.solve(Default::default(), &options)?;
/// let table = hindsight_games::open("q.table")?;
/// let rows = table.rows(2, |_| true)?.flatten();
/// let longest = rows.max_by_key(|row| row.value.remoteness()).expect("a row");
/// let position = table.game().parse(&longest.position)?;
/// assert_eq!(table.probe(&position)?.exact(), Some(longest.value));
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// The tier.
    pub tier: u64,
    /// The rank in the tier.
    pub rank: u64,
    /// Number of tiers that the position's tier stands for by symmetry, itself included.
    pub copies: u64,
    /// The position as text.
    pub position: String,
    /// Name of the player to move.
    pub player: &'static str,
    /// Value for the player to move.
    pub value: Value,
}
