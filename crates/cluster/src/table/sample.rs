//! Choice of the coder of a layer, by sampled runs.

use hindsight_engine::checkpoint::Damage;
use hindsight_tablebase::LayerEncoding;

use super::runs::OwnRuns;
use crate::engine::{ParcelHead, Post, Step, Steps};
use crate::error::ClusterError;

/// Chooses the coder in worker 0. All workers get its bytes.
pub(super) fn choose_coder(
    encoding: &LayerEncoding<'_>,
    runs: &OwnRuns<'_>,
    steps: &mut Steps<'_>,
    memory: u64,
) -> Result<Vec<u8>, ClusterError> {
    let worker = steps.worker();
    let sampled: Vec<u64> = encoding.sampled_runs().collect();
    let own = sampled.iter().enumerate().filter(|(_, run)| runs.encoder(**run) == worker);
    let own: Vec<(usize, u64)> = own.map(|(i, &run)| (i, run)).collect();
    let mut samples = vec![Vec::new(); if worker == 0 { sampled.len() } else { 0 }];
    steps.run(&mut SampleStep {
        encoding,
        runs,
        own: own.into_iter(),
        worker,
        samples: &mut samples,
    })?;
    let coder = match worker {
        0 => encoding.choose_coder(samples, memory)?,
        _ => Vec::new(),
    };
    steps.broadcast(coder)
}

/// Step in which worker 0 gets the symbols of the sampled runs.
struct SampleStep<'s, 'e, 'a, I> {
    encoding: &'s LayerEncoding<'e>,
    runs: &'s OwnRuns<'a>,
    /// Index in the sample and number of each own sampled run.
    own: I,
    worker: usize,
    samples: &'s mut [Vec<u16>],
}

impl<I: Iterator<Item = (usize, u64)>> Step for SampleStep<'_, '_, '_, I> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        let Some((i, run)) = self.own.next() else {
            return Ok(false);
        };
        let codes = self.runs.codes(run)?;
        let symbols = self.encoding.sample(self.runs.piece(run, &codes))?;
        match self.worker {
            0 => self.samples[i] = symbols,
            _ => {
                let bytes = symbols.iter().flat_map(|symbol| symbol.to_le_bytes());
                post.send(0, 0, i as u64, bytes.collect());
            }
        }
        Ok(true)
    }

    fn receive(&mut self, head: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        let symbols = body.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        let sample = usize::try_from(head.tag).ok().and_then(|i| self.samples.get_mut(i));
        let sample = sample
            .ok_or_else(|| ClusterError::damaged(Damage("a run that is not sampled".into())))?;
        *sample = symbols.collect();
        Ok(Vec::new())
    }
}
