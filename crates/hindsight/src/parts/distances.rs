//! A [`DistanceTask`] on a game in which a move may be forbidden.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hindsight_core::{Packed, PackedMove, States, Tiers};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Error, Limits};
use hindsight_solve::distance::{
    self, DistanceReader, Distances, MAX_DISTANCE, NextStates, ProbeDistances,
};
use hindsight_solve::plan::{DiskNeeds, SolveTimes};
use hindsight_tablebase::Layout;

use super::structure::StatesGame;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::tasks::distances::{AnyShortestLine, DistanceNeeds, DistanceTask};
use crate::tasks::folder::TaskFolder;
use crate::tasks::solve::WrittenTable;

/// Result of a search for a line: an error of the game, or else one of the distances.
type LineResult<E> = Result<Result<Option<AnyShortestLine>, E>, GamesError>;

impl StatesGame {
    /// Finds the distances, stores what the task asks for, and writes the table.
    pub(crate) fn find(&self, task: DistanceTask<'_>) -> Result<FoundDistanceTask, GamesError> {
        if task.table.is_some() && task.folder.is_none() {
            return Err(GamesError::NoFolder);
        }
        let resumed = TaskFolder::resumed(task.folder, &self.named.spec, Layout::Distances)?;
        let limits = resumed.as_ref().map_or(task.limits, |folder| folder.limits(task.limits));
        let game = &self.named.game;
        let needs = self.distance_needs(&task);
        let mut monitor = (task.begin)(&needs).map_err(GamesError::Refused)?;
        needs.check(limits)?;
        let folder = match resumed {
            None => TaskFolder::created(task.folder, &self.named.spec, Layout::Distances, limits)?,
            resumed => resumed,
        };
        let begin = Instant::now();
        let checkpoint = folder.as_ref().and_then(TaskFolder::checkpoint);
        let (next_states, saved) = (NextStates::Allowed, checkpoint.as_ref());
        let distances = distance::solve_from(game, next_states, saved, limits, &mut *monitor)?;
        let saving = saved.map_or(Duration::ZERO, Checkpoint::spent);
        let solving = begin.elapsed().saturating_sub(saving);
        let begin = Instant::now();
        let mut table = None;
        if let (Some(folder), Some(out)) = (&folder, task.table) {
            let free_memory = needs.memory.saturating_sub(distance::peak(game));
            let layers = folder.layers();
            for layer in distances.layers(game) {
                layers.put_distances(game, &layer, free_memory)?;
            }
            let storing = begin.elapsed();
            table = Some(folder.write_table(out, needs.positions, storing, None, monitor)?);
        }
        let times = SolveTimes { solving, storing: saving + begin.elapsed() };
        Ok(FoundDistanceTask {
            distances: Arc::new(FoundDistances {
                game: Self { named: Arc::clone(&self.named) },
                distances,
            }),
            needs,
            times,
            table,
        })
    }

    fn distance_needs(&self, task: &DistanceTask<'_>) -> DistanceNeeds {
        let (game, has_table) = (&self.named.game, task.table.is_some());
        let search_bytes = distance::peak(game);
        // The search takes 4 bytes a position.
        let positions = search_bytes / 4;
        let write_bytes = |layer: u32| {
            let ranks = game.base().estimated_ranks(layer);
            let threads = rayon::current_num_threads();
            hindsight_tablebase::write_layer_memory(ranks, 1, Layout::Distances, threads)
        };
        let layers = (0..game.base().layers()).filter(|_| has_table);
        let writing = layers.map(write_bytes).max().unwrap_or(0);
        DistanceNeeds {
            positions,
            memory: search_bytes.saturating_add(writing),
            disk: DiskNeeds::of_states(positions, positions, has_table),
            max_distance: MAX_DISTANCE,
        }
    }

    /// Returns a shortest line to a position by any distances.
    pub(super) fn line_by<E>(
        &self,
        probe: &ProbeDistances<'_, E>,
        position: &Position,
    ) -> LineResult<E> {
        let state = self.named.unwrap(position)?;
        let reader = DistanceReader::new(&self.named.game, probe);
        let found =
            reader.distance(state).and_then(|plies| Ok((plies, reader.shortest_line(state)?)));
        let (plies, line) = match found {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        if plies.map(usize::from) != line.as_ref().map(|line| line.len() - 1) {
            return Err(GamesError::InconsistentDistances);
        }
        let mut before = state;
        let wrap = |(state, mv): (Packed, Option<PackedMove>)| {
            let wrapped = (self.named.wrap(state), mv.map(|mv| self.named.wrap_move(before, mv)));
            before = state;
            wrapped
        };
        Ok(Ok(line.map(|line| line.into_iter().map(wrap).collect())))
    }
}

impl DistanceNeeds {
    /// Refuses a search that does not fit in memory.
    fn check(&self, limits: Limits) -> Result<(), Error> {
        if self.memory <= limits.memory {
            return Ok(());
        }
        Err(Error::TooLarge { ranks: self.positions, needed: self.memory, limit: limits.memory })
    }
}

/// Result of a [`DistanceTask`].
pub(crate) struct FoundDistanceTask {
    pub(crate) distances: Arc<dyn DistanceSource>,
    pub(crate) needs: DistanceNeeds,
    pub(crate) times: SolveTimes,
    pub(crate) table: Option<WrittenTable>,
}

/// Distances of the states of a game from its start.
pub(crate) trait DistanceSource: Send + Sync {
    /// Returns the number of states at each distance, from 0.
    fn states(&self) -> Vec<u64>;
    fn line_to(&self, position: &Position) -> Result<Option<AnyShortestLine>, GamesError>;
}

/// Distances in memory.
struct FoundDistances {
    game: StatesGame,
    distances: Arc<Distances>,
}

impl DistanceSource for FoundDistances {
    fn states(&self) -> Vec<u64> {
        self.distances.states_by_distance()
    }

    fn line_to(&self, position: &Position) -> Result<Option<AnyShortestLine>, GamesError> {
        let probe = |tier, rank| Ok::<_, Infallible>(self.distances.nearest(tier, rank));
        let line = self.game.line_by(&probe, position)?;
        line.map_err(|never| match never {})
    }
}
