//! Runs steps in a worker.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hindsight_engine::checkpoint::Damage;
use timely::dataflow::operators::Capability;
use timely::worker::Worker;

use super::mail::{MailEnds, build};
use super::parcel::{Parcel, ParcelBody, ParcelHead};
use super::post::Post;
use crate::error::ClusterError;
use crate::net::Watch;
use crate::report::{LayerShare, SolveReport};

/// Bytes on the way to all workers, shared out evenly. Beyond its share nothing is sent to one.
const ALL_UNANSWERED: u64 = 64 << 20;
/// Largest share of one worker.
const MAX_UNANSWERED: u64 = 2 << 20;
/// Smallest share of one worker.
const MIN_UNANSWERED: u64 = 1 << 17;
/// Bytes that a parcel takes besides its body.
const PARCEL_BYTES: u64 = 128;
/// Time between two looks at the watch while a worker has nothing to do.
const IDLE: Duration = Duration::from_millis(50);

/// Work of one worker in a step.
pub(crate) trait Step {
    /// Does a portion of the work, some milliseconds of it. Returns false when there is no more.
    ///
    /// # Errors
    /// Ends the solve.
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError>;

    /// Handles a parcel from another worker, and returns the body of the answer.
    ///
    /// # Errors
    /// Ends the solve.
    fn receive(&mut self, head: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError>;

    /// Tag from which on parcels are answered later, once this has grown beyond theirs. So a worker
    /// that does not need them yet keeps few of them: the others send no more than their share.
    fn answers_below(&self) -> u64 {
        u64::MAX
    }

    /// Share of the layer that is done; `None` if the step is none of those that take long.
    fn share(&self) -> Option<LayerShare> {
        None
    }

    /// Handles an answer; `tag` is that of the parcel that was sent.
    ///
    /// # Errors
    /// Ends the solve.
    fn answered(&mut self, _tag: u64, _answer: &[u8]) -> Result<(), ClusterError> {
        Ok(())
    }
}

/// Runner of steps in one worker.
pub(crate) struct Steps<'w> {
    pub(crate) report: SolveReport<'w>,
    worker: &'w mut Worker,
    ends: MailEnds,
    watch: Arc<Watch>,
    step: u64,
    /// Bytes sent to each worker and not answered.
    unanswered: Vec<u64>,
    /// Answers that wait for [`Step::answers_below`], by tag and worker.
    held: BTreeMap<(u64, u32), (Capability<u64>, Parcel)>,
}

impl<'w> Steps<'w> {
    /// Builds the dataflow. All workers must do so.
    pub(crate) fn new(worker: &'w mut Worker, watch: Arc<Watch>, report: SolveReport<'w>) -> Self {
        let ends = build(worker);
        Self {
            report,
            unanswered: vec![0; worker.peers()],
            held: BTreeMap::new(),
            worker,
            ends,
            watch,
            step: 0,
        }
    }

    /// Number of this worker, from 0.
    pub(crate) fn worker(&self) -> usize {
        self.worker.index()
    }

    pub(crate) fn workers(&self) -> usize {
        self.worker.peers()
    }

    /// Runs a step to its end in all workers.
    ///
    /// # Errors
    /// Any error of the step; [`ClusterError::Lost`] if another process is lost.
    pub(crate) fn run(&mut self, work: &mut dyn Step) -> Result<(), ClusterError> {
        let mut post = Post::new(self.worker());
        let mut has_more = true;
        loop {
            self.watch.check()?;
            self.deliver(work)?;
            let most = ALL_UNANSWERED / self.workers() as u64;
            let most = most.clamp(MIN_UNANSWERED, MAX_UNANSWERED);
            let has_room = self.unanswered.iter().all(|&bytes| bytes < most);
            if has_more && has_room {
                has_more = work.advance(&mut post)?;
                match work.share() {
                    Some(share) => self.report.share(share)?,
                    None => self.report.again()?,
                }
                self.send(&mut post);
                if !has_more {
                    self.ends.input.advance_to(self.step + 1);
                }
                self.worker.step();
            } else if !has_more && !self.ends.probe.less_than(&(self.step + 1)) {
                self.step += 1;
                return Ok(());
            } else {
                self.report.again()?;
                self.worker.step_or_park(Some(IDLE));
            }
        }
    }

    /// Handles the parcels of this step, and the answers, that have come.
    fn deliver(&mut self, work: &mut dyn Step) -> Result<(), ClusterError> {
        loop {
            let mut mail = self.ends.mail.borrow_mut();
            // Parcels of the next step may come before this worker knows that the step has ended.
            let step = self.step;
            let next = mail.arrived.iter().position(|(time, _)| *time.time() == step);
            let parcel = next.and_then(|i| mail.arrived.remove(i));
            let answer = mail.answered.pop_front();
            drop(mail);
            if let Some(Parcel { head: Some(head), body }) = &answer {
                let unanswered = self.unanswered.get_mut(head.from as usize);
                let unanswered = unanswered.ok_or_else(from_nobody)?;
                *unanswered = unanswered.saturating_sub(u64::from(head.length) + PARCEL_BYTES);
                work.answered(head.tag, body)?;
            }
            match parcel {
                Some((capability, Parcel { head: Some(head), body })) => {
                    if head.from as usize >= self.workers() {
                        return Err(from_nobody());
                    }
                    let answer = work.receive(&head, &body)?;
                    let head = ParcelHead { to: head.from, from: head.to, ..head };
                    let answer = Parcel { head: Some(head), body: ParcelBody::Own(answer) };
                    let earlier = self.held.insert((head.tag, head.to), (capability, answer));
                    if earlier.is_some() {
                        return Err(ClusterError::damaged(Damage(
                            "two parcels of a worker have one tag".into(),
                        )));
                    }
                    self.send_answers(work.answers_below());
                }
                _ if answer.is_none() => return Ok(()),
                _ => {}
            }
        }
    }

    /// Sends the answers to parcels with tags below one.
    fn send_answers(&mut self, below: u64) {
        let later = self.held.split_off(&(below, 0));
        let answers = std::mem::replace(&mut self.held, later);
        if !answers.is_empty() {
            let mut mail = self.ends.mail.borrow_mut();
            mail.answers.extend(answers.into_values());
            self.ends.activator.activate();
        }
    }

    fn send(&mut self, post: &mut Post) {
        for mut parcel in post.parcels.drain(..) {
            let to = parcel.head.map_or(0, |head| head.to as usize);
            self.unanswered[to] += parcel.body.len() as u64 + PARCEL_BYTES;
            self.ends.input.send_batch(&mut parcel);
        }
        self.ends.input.flush();
    }

    /// Ends the dataflow; to be called after the last step.
    ///
    /// # Errors
    /// [`ClusterError::Lost`] if another process is lost; [`ClusterError::Solve`] if the monitor
    /// asks to stop.
    pub(crate) fn close(self) -> Result<(), ClusterError> {
        let Self { worker, ends, watch, mut report, .. } = self;
        ends.input.close();
        while worker.has_dataflows() {
            watch.check()?;
            report.again()?;
            worker.step_or_park(Some(IDLE));
        }
        Ok(())
    }
}

fn from_nobody() -> ClusterError {
    ClusterError::damaged(Damage("a parcel from no worker".into()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use timely::WorkerConfig;
    use timely::communication::allocator::Allocator;
    use timely::communication::allocator::thread::Thread;
    use timely::worker::Worker;

    use super::{ParcelHead, Post, Step, Steps};
    use crate::error::ClusterError;
    use crate::net::{Patience, Voice, Watch};
    use crate::report::SolveReport;

    const PARCELS: u64 = 20;

    /// Step of a worker that sends parcels of 1 MiB to itself, and needs each when the next has
    /// come.
    #[derive(Default)]
    struct LateStep {
        sent: u64,
        came: u64,
        answered: u64,
    }

    impl Step for LateStep {
        fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
            assert!(self.sent < self.answered + 2, "no more than the share");
            post.send(0, 0, self.sent, vec![0; 1 << 20]);
            self.sent += 1;
            Ok(self.sent < PARCELS)
        }

        fn receive(&mut self, _: &ParcelHead, _: &[u8]) -> Result<Vec<u8>, ClusterError> {
            self.came += 1;
            Ok(Vec::new())
        }

        fn answers_below(&self) -> u64 {
            match self.came {
                PARCELS => u64::MAX,
                came => came.saturating_sub(1),
            }
        }

        fn answered(&mut self, tag: u64, _: &[u8]) -> Result<(), ClusterError> {
            assert!(tag < self.answers_below(), "parcel {tag} is needed later");
            self.answered += 1;
            Ok(())
        }
    }

    #[test]
    fn parcels_that_are_needed_later_are_answered_later() {
        let voice = Voice {
            name: "process 0".into(),
            reword: Arc::new(|sentence| sentence),
            tell: Arc::new(|_: &str| ()),
        };
        let patience = Patience { working: Duration::MAX, beginning: Duration::MAX };
        let watch = Watch::start(voice, Vec::new(), patience).expect("no thread");
        let allocator = Allocator::Thread(Thread::default());
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let mut steps = Steps::new(&mut worker, watch, SolveReport::new(None));
        let mut step = LateStep::default();
        steps.run(&mut step).expect("a step");
        assert_eq!([step.sent, step.came, step.answered], [PARCELS; 3]);
        steps.close().expect("an end");
    }
}
