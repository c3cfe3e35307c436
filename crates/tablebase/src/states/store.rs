//! Where a solve of every state puts its tiers: files of a [`Work`].

use std::fs::File;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use hindsight_core::ForbiddenMove;
use hindsight_solve::forbidden_move::{
    FinishedTier, SolvedStateTier, StateCheckpoint, StateCounts, StateStage,
};
use hindsight_solve::{Error, Layer, StoreError};

use super::decode::{StateFields, decode_states};
use super::unfinished_tier;
use crate::checkpoint_clock::CheckpointClock;
use crate::checkpoint_layer::LayerTrailer;
use crate::header_checks::check_trailer;
use crate::layer_file::LayerFile;
use crate::{CheckpointDir, Layout, new_file, write_layer_memory};

/// Keeps finished tiers as in a table, and unfinished ones now and then.
#[derive(Debug)]
pub struct StateStore<'a, G> {
    work: &'a CheckpointDir,
    game: &'a G,
    clock: CheckpointClock,
    /// Bytes beside a tier.
    memory: u64,
}

impl<'a, G: ForbiddenMove> StateStore<'a, G> {
    /// An unfinished tier is kept when so much time has gone since the last one, and when the solve is
    /// stopped.
    pub(crate) fn new(work: &'a CheckpointDir, game: &'a G, every: Duration) -> Self {
        Self {
            work,
            game,
            clock: CheckpointClock::new(every),
            memory: u64::MAX,
        }
    }

    /// The description of a layer's file, held against the game, and the file.
    fn segment(&self, layer: u32) -> Result<(LayerTrailer, File), crate::TableError> {
        let (segment, file) = self.work.layer_trailer(layer)?;
        let start = self.game.rank_state(self.game.start());
        let start = start.map(|(tier, rank, _)| (tier, rank));
        check_trailer(&segment, self.game.base(), (start, Layout::States))?;
        Ok((segment, file))
    }

    /// The time it took to write and to read.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.clock.spent()
    }
}

impl<G: ForbiddenMove> StateCheckpoint for StateStore<'_, G> {
    fn takes(&self, ranks: u64) -> u64 {
        write_layer_memory::<G>(ranks, 1, Layout::States, rayon::current_num_threads())
    }

    fn allow(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error> {
        let (work, game, memory) = (self.work, self.game, self.memory);
        let put = || {
            work.put_states_within(game, &solved, memory)?;
            work.remove_stopped()
        };
        self.clock
            .timed(put)
            .map_err(|error| Error::Store(error.into()))
    }

    fn finished(&mut self, layer: u32) -> Result<Option<FinishedTier>, StoreError> {
        let info = match self.segment(layer) {
            Ok((segment, _)) => segment,
            Err(crate::TableError::MissingLayer(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let start = info.start.map(|start| start.value);
        let states = info.info.states.unwrap_or_default();
        Ok(Some(FinishedTier {
            counts: StateCounts {
                positions: info.info.histogram,
                states: states.all,
                nontrivial: states.nontrivial,
            },
            start,
        }))
    }

    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let (found, game) = (self.segment(layer)?, self.game);
        self.clock.timed(|| {
            let (segment, file) = found;
            let file = LayerFile::new(file, 0, segment.info, Layout::States);
            let plain = decode_states(game, layer, &file, StateFields::ValuesOnly)?;
            Ok(plain.into_values())
        })
    }

    fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    fn put_unfinished(
        &mut self,
        stage: &StateStage,
        words: &[AtomicU32],
    ) -> Result<(), StoreError> {
        let work = self.work;
        self.clock.timed(|| {
            new_file::write_atomically(&work.stopped_path(), |new| {
                unfinished_tier::write(new, stage, words)
            })?;
            Ok(())
        })
    }

    fn unfinished(
        &mut self,
        layer: u32,
        ranks: u64,
    ) -> Result<Option<(StateStage, Vec<AtomicU32>)>, StoreError> {
        let work = self.work;
        self.clock
            .timed(|| Ok(unfinished_tier::read(&work.stopped_path(), layer, ranks)?))
    }
}
