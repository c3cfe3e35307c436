//! Comparison of two tables of one game, value by value.

use std::ops::Range;

use hindsight_core::Value;
use hindsight_engine::{Budget, Layer, Progress, parallel};
use hindsight_tablebase::StateLayer;

use super::tablebase::Tablebase;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::positions::decoded_layer::{DecodedLayer, value_of_code};
use crate::tasks::options::{Options, check_memory};

/// Differences that are listed; the others are only counted.
const MAX_LISTED: usize = 10;

/// Ranks of a parallel task.
const TASK_RANKS: u64 = 1 << 16;

/// Comparison of two tables, by [`Tablebase::compare`].
#[derive(Clone, Debug, Default)]
pub struct TableComparison {
    /// Ranks that have a position in one of the tables.
    pub positions: u64,
    /// Ranks that have different values.
    pub different: u64,
    /// The first differences, at most ten.
    pub differences: Vec<ValueDifference>,
}

/// Position to which two tables give different values, in a [`TableComparison`].
#[derive(Clone, Debug)]
pub struct ValueDifference {
    /// The layer.
    pub layer: u32,
    /// The tier.
    pub tier: u64,
    /// The rank in the tier.
    pub rank: u64,
    /// The position; `None` if the game has a hole there.
    pub position: Option<Position>,
    /// Value in each table; `None` where the table has a hole.
    pub values: [Option<Value>; 2],
}

impl Tablebase {
    /// Compares this table with another one of the same rules, value by value.
    ///
    /// # Errors
    /// [`Error::DifferentGames`](crate::Error::DifferentGames); an error of a table that cannot be
    /// read; an error if a limit is passed or the listener stops the work.
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
    /// let same = table.compare(&table, &hindsight_games::Options::default())?;
    /// assert_eq!(same.different, 0);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn compare(&self, other: &Self, options: &Options) -> Result<TableComparison, GamesError> {
        let tables = [self, other];
        if !self.game().has_rules_of(other.game()) {
            return Err(GamesError::DifferentGames {
                paths: tables.map(|table| table.path().to_path_buf()),
                games: tables.map(|table| table.info().spec.clone()),
            });
        }
        let same = self.file().table.has_same_positions(&other.file().table);
        if !same.map_err(|error| GamesError::of_table(self.path(), error))? {
            let paths = tables.map(|table| table.path().to_path_buf());
            return Err(GamesError::DifferentPositions(paths));
        }
        let limits = options.limits();
        self.check_size(limits)?;
        let layers = self.ranks().layers();
        let bytes = |layer| tables.map(|table| table.layer_memory(layer));
        let needed = (0..layers).map(|layer| {
            let [first, second] = bytes(layer);
            first.saturating_add(second)
        });
        check_memory(needed, limits)?;
        let mut comparison = TableComparison::default();
        let mut monitor = options.monitor();
        let (mut budget, mut done) = (Budget::new(limits, &mut monitor), 0);
        for layer in 0..layers {
            let progress = Progress { phase: "compare", done, total: Some(self.info().ranks()) };
            budget.check(progress, done, 0, 0)?;
            comparison.add_layer(self, &[self.decode(layer)?, other.decode(layer)?]);
            done += self.stats()[layer as usize].ranks;
        }
        Ok(comparison)
    }
}

impl TableComparison {
    /// Compares two decoded layers, which have the same tiers.
    fn add_layer(&mut self, table: &Tablebase, layers: &[DecodedLayer; 2]) {
        let ranks = layers[0].ranks().min(layers[1].ranks());
        let tasks = 0..ranks.div_ceil(TASK_RANKS);
        let compared = parallel::map(tasks, &|task| {
            let begin = task * TASK_RANKS;
            compare_range(layers, begin..ranks.min(begin + TASK_RANKS))
        });
        for range in compared {
            self.positions += range.positions;
            self.different += range.different;
            let room = MAX_LISTED - self.differences.len();
            let listed = range.first_differences.into_iter().take(room);
            let described = listed.map(|ordinal| describe(table, layers, ordinal));
            self.differences.extend(described);
        }
    }
}

/// Comparison of a range of two layers.
#[derive(Default)]
struct RangeComparison {
    positions: u64,
    different: u64,
    /// Ordinals in the layer of the first differences, at most [`MAX_LISTED`].
    first_differences: Vec<u64>,
}

impl RangeComparison {
    fn add_difference(&mut self, ordinal: u64) {
        self.different += 1;
        if self.first_differences.len() < MAX_LISTED {
            self.first_differences.push(ordinal);
        }
    }
}

fn compare_range(layers: &[DecodedLayer; 2], ordinals: Range<u64>) -> RangeComparison {
    match layers {
        [DecodedLayer::Positions(a), DecodedLayer::Positions(b)] => compare_codes(a, b, ordinals),
        [DecodedLayer::States(a), DecodedLayer::States(b)] => compare_states(a, b, ordinals),
        _ => panic!("tables of one game keep the same kind of values"),
    }
}

/// Compares a range of the codes of two layers.
fn compare_codes(a: &Layer, b: &Layer, ordinals: Range<u64>) -> RangeComparison {
    let mut compared = RangeComparison::default();
    let range = ordinals.start as usize..ordinals.end as usize;
    let codes = a.codes[range.clone()].iter().zip(&b.codes[range]);
    for (ordinal, (&first, &second)) in ordinals.zip(codes) {
        let values = (value_of_code(a, first), value_of_code(b, second));
        compared.positions += u64::from(values != (None, None));
        if values.0 != values.1 {
            compared.add_difference(ordinal);
        }
    }
    compared
}

/// Compares a range of ranks of two layers of states.
fn compare_states(a: &StateLayer, b: &StateLayer, ranks: Range<u64>) -> RangeComparison {
    let mut compared = RangeComparison::default();
    for rank in ranks {
        let values = |layer: &StateLayer| (layer.value(rank), layer.exception(rank));
        let (first, second) = (values(a), values(b));
        compared.positions += u64::from(first.0.is_some() || second.0.is_some());
        if first != second {
            compared.add_difference(rank);
        }
    }
    compared
}

/// Describes the difference at an ordinal of a layer.
fn describe(table: &Tablebase, layers: &[DecodedLayer; 2], ordinal: u64) -> ValueDifference {
    match layers {
        [DecodedLayer::Positions(a), DecodedLayer::Positions(b)] => {
            let tier = a.starts.partition_point(|&start| start <= ordinal) - 1;
            let (rank, tier) = (ordinal - a.starts[tier], a.tiers[tier]);
            let value = |layer: &Layer| value_of_code(layer, layer.codes[ordinal as usize]);
            ValueDifference {
                layer: a.layer,
                tier,
                rank,
                position: table.position_at(tier, rank),
                values: [value(a), value(b)],
            }
        }
        [DecodedLayer::States(a), DecodedLayer::States(b)] => {
            let forbidden = differing_state(a, b, ordinal);
            ValueDifference {
                layer: a.layer(),
                tier: a.tier(),
                rank: ordinal,
                position: table.ranks().position_at(a.tier(), ordinal, forbidden),
                values: [a.state(ordinal, forbidden), b.state(ordinal, forbidden)],
            }
        }
        _ => panic!("tables of one game keep the same kind of values"),
    }
}

/// Returns the id of the forbidden move of a state that differs: 0 for none, if that one does.
fn differing_state(a: &StateLayer, b: &StateLayer, rank: u64) -> u8 {
    let exceptions = [a, b].into_iter().filter_map(|layer| layer.exception(rank));
    let mut candidates = std::iter::once(0).chain(exceptions.map(|(id, _)| id));
    let differing = candidates.find(|&id| a.state(rank, id) != b.state(rank, id));
    differing.unwrap_or(0)
}
