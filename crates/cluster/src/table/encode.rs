//! Encoding of a layer, run by run.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use hindsight_engine::Error;
use hindsight_tablebase::{BlockEncoder, CheckpointDir, LayerEncoding};

use super::runs::OwnRuns;
use crate::engine::{ParcelHead, Post, Step, Steps};
use crate::error::ClusterError;

const WAITING_RUNS: usize = 64;

/// Encodes the runs of a layer. Worker 0 writes them to a folder.
///
/// A run is answered once it is written. So workers that are ahead wait, and those that are early
/// take no more memory in worker 0 than what may be on its way.
pub(super) fn encode_layer(
    encoding: &LayerEncoding<'_>,
    coder: &[u8],
    runs: &OwnRuns<'_>,
    steps: &mut Steps<'_>,
    folder: Option<&CheckpointDir>,
) -> Result<(), ClusterError> {
    let encoder = encoding.encoder(coder)?;
    let mut step = EncodeStep { encoder: &encoder, runs, own: runs.numbers(), sorter: None };
    let Some(folder) = folder else {
        return steps.run(&mut step);
    };
    let (to_writer, runs_in_order) = sync_channel(WAITING_RUNS);
    thread::scope(|scope| {
        let writer = thread::Builder::new()
            .name("table".into())
            .spawn_scoped(scope, move || {
                folder.put_layer_parts(encoding, coder, &mut |_| next_run(&runs_in_order))
            })
            .map_err(|error| ClusterError::Solve(Error::Thread(error)))?;
        step.sorter = Some(RunSorter { next: 0, early: BTreeMap::new(), to_writer });
        let ran = steps.run(&mut step);
        // The writer ends when no more runs can come.
        drop(step);
        let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (ran, written) {
            // The writer's own fault is the reason why it hung up.
            (_, Err(error)) if !is_hung_up(&error) => Err(error),
            (ran, written) => ran.and(written),
        }
    })
}

/// Text of the errors by which the writer and worker 0 tell each other to end.
const HUNG_UP: &str = "the layer was not written to its end";

fn hung_up() -> ClusterError {
    ClusterError::Lost(HUNG_UP.into())
}

fn is_hung_up(error: &ClusterError) -> bool {
    matches!(error, ClusterError::Lost(text) if text == HUNG_UP)
}

fn next_run(runs: &Receiver<Vec<u8>>) -> Result<Vec<u8>, ClusterError> {
    runs.recv().map_err(|_| hung_up())
}

/// Puts runs in order for the writer.
struct RunSorter {
    next: u64,
    /// Runs that came before their turn.
    early: BTreeMap<u64, Vec<u8>>,
    to_writer: SyncSender<Vec<u8>>,
}

impl RunSorter {
    fn add(&mut self, run: u64, bytes: Vec<u8>) -> Result<(), ClusterError> {
        self.early.insert(run, bytes);
        while let Some(bytes) = self.early.remove(&self.next) {
            self.next += 1;
            self.to_writer.send(bytes).map_err(|_| hung_up())?;
        }
        Ok(())
    }
}

/// Step in which every worker encodes its runs, and worker 0 gets them.
struct EncodeStep<'s, 'e, 'a, I> {
    encoder: &'s BlockEncoder<'e>,
    runs: &'s OwnRuns<'a>,
    own: I,
    /// Sorts the runs in worker 0.
    sorter: Option<RunSorter>,
}

impl<I: Iterator<Item = u64>> Step for EncodeStep<'_, '_, '_, I> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        let Some(run) = self.own.next() else {
            return Ok(false);
        };
        let codes = self.runs.codes(run)?;
        let bytes = self.encoder.encode_run(self.runs.piece(run, &codes))?;
        post.send(0, 0, run, bytes);
        Ok(true)
    }

    fn answers_below(&self) -> u64 {
        self.sorter.as_ref().map_or(u64::MAX, |sorter| sorter.next)
    }

    fn receive(&mut self, head: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        if let Some(sorter) = &mut self.sorter {
            sorter.add(head.tag, body.to_vec())?;
        }
        Ok(Vec::new())
    }
}
