//! Probes of several positions, in the descending order of their addresses, on all threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use hindsight_core::Answer;
use rayon::prelude::*;

use crate::error::TableError;
use crate::stop_check::{StopCheck, set_stop_check, stop_check};

/// Fewest positions that are divided among threads. Each part begins without decoded blocks.
const PARALLEL_POSITIONS: usize = 1 << 9;

/// Time between two questions whether reads are to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Parts of a batch for each thread. More parts end at the same time, but decode more blocks twice.
const PARTS_PER_THREAD: usize = 8;

/// Positions whose sources a thread looks up together.
const SOURCES_TOGETHER: usize = 1 << 12;

/// Source of the value of a position.
pub(crate) enum ValueSource<A> {
    Rules(Answer),
    /// The table at an address.
    Table(A),
}

/// Sources of the values of some positions, in their order.
pub(crate) type Sources<A> = Vec<ValueSource<A>>;

/// Reader of a table that knows the address of each position.
pub(crate) trait AddressedReader: Sync + Sized {
    type Position: Copy + Send + Sync;
    /// Addresses in the order of the blocks.
    type Address: Copy + Ord + Send + Sync;

    /// Returns a reader of the same table without decoded blocks.
    fn fresh(&self) -> Self;

    /// Number of reads that are best begun at once.
    fn concurrent_reads(&self) -> usize;

    /// Returns the source of the value of a position.
    fn source(&self, position: Self::Position) -> Result<ValueSource<Self::Address>, TableError>;

    /// Returns the sources of the values of some positions, in their order.
    fn sources(&self, positions: &[Self::Position]) -> Result<Sources<Self::Address>, TableError> {
        positions.iter().map(|&position| self.source(position)).collect()
    }

    /// Reads the value of a position from the table.
    fn read(&self, position: Self::Position, address: Self::Address) -> Result<Answer, TableError>;

    fn probe_one(&self, position: Self::Position) -> Result<Answer, TableError> {
        match self.source(position)? {
            ValueSource::Rules(answer) => Ok(answer),
            ValueSource::Table(address) => self.read(position, address),
        }
    }

    /// Returns the values of several positions, in their order.
    ///
    /// Positions are read in descending order of their addresses. So a block is decoded once, up to
    /// the last address that is needed.
    fn probe_batch(&self, positions: &[Self::Position]) -> Result<Vec<Answer>, TableError> {
        // Threads of the pool cannot ask whether they are to stop while they wait for a server.
        let may_stop = self.concurrent_reads() > 1 && stop_check().is_some();
        let is_small = positions.len() < PARALLEL_POSITIONS;
        if is_small || may_stop || rayon::current_num_threads() == 1 {
            let (mut answers, mut reads) = split(self.sources(positions)?);
            reads.sort_unstable_by(|first, second| second.cmp(first));
            let read = match self.concurrent_reads().min(reads.len()) {
                0 | 1 => self.read_all(&reads, positions)?,
                threads => self.read_at_once(&reads, positions, threads)?,
            };
            for (i, answer) in read {
                answers[i] = answer;
            }
            return Ok(answers);
        }
        let sources = positions.par_chunks(SOURCES_TOGETHER).map(|part| self.sources(part));
        let sources: Vec<Sources<Self::Address>> = sources.collect::<Result<_, _>>()?;
        let (mut answers, mut reads) = split(sources.into_iter().flatten().collect());
        reads.par_sort_unstable_by(|first, second| second.cmp(first));
        let most_parts = PARTS_PER_THREAD * rayon::current_num_threads();
        let parts: Vec<Vec<IndexedAnswer>> = reads
            .par_chunks(reads.len().div_ceil(most_parts).max(1))
            .map(|part| self.fresh().read_all(part, positions))
            .collect::<Result<_, _>>()?;
        for (i, answer) in parts.into_iter().flatten() {
            answers[i] = answer;
        }
        Ok(answers)
    }

    /// Reads the positions of some addresses, in this order.
    fn read_all(
        &self,
        reads: &[(Self::Address, usize)],
        positions: &[Self::Position],
    ) -> Result<Vec<IndexedAnswer>, TableError> {
        let read = |&(address, i): &(Self::Address, usize)| {
            let answer = self.read(positions[i], address)?;
            Ok((i, answer))
        };
        reads.iter().map(read).collect()
    }

    /// As [`AddressedReader::read_all`], in threads that wait for their bytes at the same time.
    /// This thread asks meanwhile whether they are to stop.
    fn read_at_once(
        &self,
        reads: &[(Self::Address, usize)],
        positions: &[Self::Position],
        threads: usize,
    ) -> Result<Vec<IndexedAnswer>, TableError> {
        let check = stop_check();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (sender, parts) = mpsc::channel();
        thread::scope(|scope| {
            for part in reads.chunks(reads.len().div_ceil(threads)) {
                let (sender, heard) = (sender.clone(), Arc::clone(&is_stopped));
                let told: StopCheck = Arc::new(move || heard.load(Ordering::Relaxed));
                let told = check.as_ref().map(|_| told);
                scope.spawn(move || {
                    set_stop_check(told);
                    // The receiver is gone if another part has failed.
                    drop(sender.send(self.fresh().read_all(part, positions)));
                });
            }
            drop(sender);
            let mut answers = Vec::with_capacity(reads.len());
            loop {
                match parts.recv_timeout(STOP_INTERVAL) {
                    Ok(part) => answers.extend(part?),
                    Err(RecvTimeoutError::Disconnected) => return Ok(answers),
                    Err(RecvTimeoutError::Timeout) => {
                        if check.as_ref().is_some_and(|is_to_stop| is_to_stop()) {
                            is_stopped.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        })
    }
}

/// Index of a position in the batch, and its answer.
type IndexedAnswer = (usize, Answer);

/// Returns the answers by the rules, and the addresses of the other positions with their indices.
fn split<A>(sources: Sources<A>) -> (Vec<Answer>, Vec<(A, usize)>) {
    let mut answers = vec![Answer::Unknown; sources.len()];
    let mut reads = Vec::with_capacity(sources.len());
    for (i, source) in sources.into_iter().enumerate() {
        match source {
            ValueSource::Rules(answer) => answers[i] = answer,
            ValueSource::Table(address) => reads.push((address, i)),
        }
    }
    (answers, reads)
}
