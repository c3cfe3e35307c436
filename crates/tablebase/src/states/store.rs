//! Checkpoints of solves of states, tier by tier.

use std::fs::File;

use hindsight_core::{ForbiddenMove, Game, PackedGame, States};
use hindsight_engine::{Error, FinishedTier, Layer, StateTierStore, StoreError};

use super::decode::{StateFields, decode_states};
use super::encode::write_states;
use crate::address::Address;
use crate::checkpoint::checkpoint_dir::CheckpointDir;
use crate::checkpoint::checkpoint_layer::LayerTrailer;
use crate::checkpoint::checkpoint_layer::check_trailer;
use crate::error::TableError;
use crate::layout::Layout;
use crate::writing::memory::write_layer_memory;
use hindsight_engine::StateSource;

impl CheckpointDir {
    /// Writes the states of a finished layer with one tier to a file of its own. Takes `memory`
    /// bytes besides the states, or [`write_layer_memory`] if that is more; the file is the same.
    ///
    /// # Errors
    /// - [`TableError::OtherContent`] if the layout is not [`Layout::States`].
    /// - [`TableError::Unfit`] if the states do not belong to a layer of the game.
    /// - [`TableError::TooManySymbols`] if the layer has more symbols than a table can store.
    /// - [`TableError::File`] if the file cannot be written.
    pub fn put_states(
        &self,
        game: &PackedGame,
        states: &dyn StateSource,
        memory: u64,
    ) -> Result<(), TableError> {
        self.layout().check_content(Layout::States)?;
        self.put_layer(states.layer(), |out| write_states(out, game, states, memory))
    }

    /// Writes the distances of a layer with one tier to a file of its own: distance `n` as
    /// `Loss(n)`, and a state that cannot be reached as a draw.
    ///
    /// # Errors
    /// As [`CheckpointDir::put_states`], but for [`Layout::Distances`].
    pub fn put_distances(
        &self,
        game: &PackedGame,
        distances: &dyn StateSource,
        memory: u64,
    ) -> Result<(), TableError> {
        self.layout().check_content(Layout::Distances)?;
        self.put_layer(distances.layer(), |out| write_states(out, game, distances, memory))
    }

    /// Returns the store that a solver of states writes its tiers to.
    pub fn state_store<'a>(&'a self, game: &'a PackedGame) -> impl StateTierStore {
        StateStore { checkpoint: self, game, memory: u64::MAX }
    }
}

/// Store of a solver's tiers: a file of a [`CheckpointDir`] each, as in a table.
#[derive(Debug)]
struct StateStore<'a> {
    checkpoint: &'a CheckpointDir,
    game: &'a PackedGame,
    /// Memory allowed for writing, besides the tier, in bytes.
    memory: u64,
}

impl StateStore<'_> {
    /// Opens the file of a layer, and checks its trailer against the game.
    fn checked_trailer(&self, layer: u32) -> Result<(LayerTrailer, File), TableError> {
        let (trailer, file) = self.checkpoint.layer_trailer(layer)?;
        let start = self.game.rank_state(self.game.start());
        let start = start.map(|(tier, rank, _)| Address { tier, rank });
        check_trailer(&trailer, self.game.base(), start, Layout::States)?;
        Ok((trailer, file))
    }
}

impl StateTierStore for StateStore<'_> {
    fn takes(&self, ranks: u64) -> u64 {
        write_layer_memory(ranks, 1, Layout::States, rayon::current_num_threads())
    }

    fn allow(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    fn put(&mut self, solved: &dyn StateSource) -> Result<(), Error> {
        let put = self.checkpoint.put_states(self.game, solved, self.memory);
        put.map_err(|error| Error::Store(error.into()))
    }

    fn finished(&mut self, layer: u32) -> Result<Option<FinishedTier>, StoreError> {
        let trailer = match self.checked_trailer(layer) {
            Ok((trailer, _)) => trailer,
            Err(TableError::MissingLayer(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let start = trailer.start.map(|start| start.value);
        Ok(Some(FinishedTier {
            positions: trailer.info.histogram,
            states: trailer.info.states.unwrap_or_default(),
            start,
        }))
    }

    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let (trailer, file) = self.checked_trailer(layer)?;
        let file = trailer.layer_file(file, Layout::States);
        let decoded = decode_states(self.game, layer, &file, StateFields::ValuesOnly)?;
        Ok(decoded.into_values())
    }
}
