//! Turns at the threads of a pool. Clients have equal shares: the one that runs least is next, and
//! the one with most makes room.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::clients::Client;

/// Threads of a pool, and those who wait for them.
#[derive(Debug)]
pub(crate) struct WorkQueue {
    threads: usize,
    most_waiting: usize,
    turns: Mutex<Turns>,
}

/// Work of the server itself has no client.
type Asker = Option<Client>;

#[derive(Default, Debug)]
struct Turns {
    /// Who asked for each piece of work that runs.
    running: Vec<Asker>,
    /// Pieces that wait, the oldest first.
    waiting: VecDeque<Waiter>,
    /// Waiters so far.
    numbered: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    asker: Asker,
    call: oneshot::Sender<()>,
}

impl Turns {
    fn running_of(&self, asker: Asker) -> usize {
        self.running.iter().filter(|other| **other == asker).count()
    }

    /// Returns the pieces of work of a client, running or waiting.
    fn load_of(&self, asker: Asker) -> usize {
        let waiting = self.waiting.iter().filter(|waiter| waiter.asker == asker);
        self.running_of(asker) + waiting.count()
    }

    /// Takes the place of a waiter away from the client with the most work, for one with less.
    fn displace_for(&mut self, asker: Asker) -> bool {
        let waiters = self.waiting.iter().enumerate();
        let loads = waiters.map(|(at, waiter)| (self.load_of(waiter.asker), at));
        // The newest of the greediest client has waited least.
        let Some((load, at)) = loads.max() else {
            return false;
        };
        let is_greedier = load > self.load_of(asker) + 1;
        if is_greedier {
            drop(self.waiting.remove(at));
        }
        is_greedier
    }

    /// Ends a piece of work, and calls the next one.
    fn end(&mut self, asker: Asker) {
        if let Some(at) = self.running.iter().position(|other| *other == asker) {
            self.running.swap_remove(at);
        }
        loop {
            let waiters = self.waiting.iter().enumerate();
            let turns = waiters.map(|(at, waiter)| (self.running_of(waiter.asker), at));
            let Some(waiter) = turns.min().and_then(|(_, at)| self.waiting.remove(at)) else {
                return;
            };
            if waiter.call.send(()).is_ok() {
                self.running.push(waiter.asker);
                return;
            }
        }
    }
}

impl WorkQueue {
    pub(crate) fn new(threads: usize, most_waiting: usize) -> Self {
        Self { threads, most_waiting, turns: Mutex::default() }
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn most_waiting(&self) -> usize {
        self.most_waiting
    }

    pub(crate) fn running(&self) -> usize {
        self.turns().running.len()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.turns().waiting.len()
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a free thread, or a place among those who wait; `None` if there is neither.
    pub(crate) fn enqueue(self: &Arc<Self>, asker: Asker) -> Option<Turn> {
        let mut turns = self.turns();
        if turns.running.len() < self.threads {
            turns.running.push(asker);
            return Some(Turn::Now(TakenThread { queue: self.clone(), asker }));
        }
        if turns.waiting.len() >= self.most_waiting && !turns.displace_for(asker) {
            return None;
        }
        let (call, called) = oneshot::channel();
        turns.numbered += 1;
        let number = turns.numbered;
        turns.waiting.push_back(Waiter { number, asker, call });
        Some(Turn::Later(WaitingPlace { queue: self.clone(), asker, number, called }))
    }
}

/// Turn of a piece of work: a thread, or a place among those who wait for one.
#[derive(Debug)]
pub(crate) enum Turn {
    Now(TakenThread),
    Later(WaitingPlace),
}

impl Turn {
    /// Waits for the thread; `None` if the place was given to a client with less work.
    pub(crate) async fn thread(self) -> Option<TakenThread> {
        match self {
            Self::Now(thread) => Some(thread),
            Self::Later(mut place) => {
                (&mut place.called).await.ok()?;
                // The call was heard, so that the place has nothing to give back.
                Some(TakenThread { queue: place.queue.clone(), asker: place.asker })
            }
        }
    }
}

/// Thread that a piece of work has, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct TakenThread {
    queue: Arc<WorkQueue>,
    asker: Asker,
}

impl Drop for TakenThread {
    fn drop(&mut self) {
        self.queue.turns().end(self.asker);
    }
}

/// Place among those who wait, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct WaitingPlace {
    queue: Arc<WorkQueue>,
    asker: Asker,
    number: u64,
    called: oneshot::Receiver<()>,
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        let mut turns = self.queue.turns();
        turns.waiting.retain(|waiter| waiter.number != self.number);
        // A call that nobody has heard gives its thread back.
        if self.called.try_recv().is_ok() {
            turns.end(self.asker);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Asker {
        Some(Client::of([203, 0, 113, last].into()))
    }

    fn queue(threads: usize, most_waiting: usize) -> Arc<WorkQueue> {
        Arc::new(WorkQueue::new(threads, most_waiting))
    }

    #[tokio::test]
    async fn a_client_with_little_work_takes_the_place_of_one_with_much_and_is_next() {
        let queue = queue(2, 3);
        let mut greedy: Vec<Turn> = (0..5).filter_map(|_| queue.enqueue(client(1))).collect();
        assert_eq!((queue.running(), queue.waiting()), (2, 3));
        assert!(queue.enqueue(client(1)).is_none());
        let other = queue.enqueue(client(2)).expect("a place");
        assert_eq!(queue.waiting(), 3);
        let displaced = greedy.pop().expect("a turn");
        assert!(displaced.thread().await.is_none());
        let running = greedy.remove(0);
        drop(running.thread().await);
        let thread = other.thread().await.expect("the next turn");
        assert_eq!((queue.running(), queue.waiting()), (2, 2));
        drop(thread);
        let oldest = greedy.remove(1);
        assert!(oldest.thread().await.is_some());
    }

    #[tokio::test]
    async fn equal_clients_wait_their_turn_and_are_not_displaced() {
        let queue = queue(1, 2);
        let _running = queue.enqueue(client(1)).expect("a thread");
        let _first = queue.enqueue(client(1)).expect("a place");
        let _second = queue.enqueue(client(2)).expect("a place");
        assert!(queue.enqueue(client(2)).is_none());
        assert!(queue.enqueue(client(1)).is_none());
    }

    #[tokio::test]
    async fn places_and_calls_that_are_dropped_are_given_back() {
        let queue = queue(1, 2);
        let running = queue.enqueue(None).expect("a thread");
        let [first, second] = [client(1), client(2)].map(|asker| queue.enqueue(asker));
        drop(running);
        assert_eq!((queue.running(), queue.waiting()), (1, 1));
        drop(first);
        assert_eq!((queue.running(), queue.waiting()), (1, 0));
        assert!(second.expect("a place").thread().await.is_some());
        assert_eq!((queue.running(), queue.waiting()), (0, 0));
    }
}
