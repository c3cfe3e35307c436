//! Programs that answer on the processor of the thread that waits for them.
//!
//! A question and its answer alternate, so two processors are never busy together, and each turn
//! would wake an idle one. On a virtual machine that takes longer than all else: breakthrough on
//! 3 x 6 is proved in 30 s instead of 137 s (`runs/2026-12-01-xeon-2c/own-programs.md`).

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// Questions before a program is moved. By then it has started the threads that it works with,
/// which keep their processors: its first thread alone is moved.
const QUESTIONS_BEFORE: u32 = 100;

/// Processors on which programs of this process answer, each on its own.
static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn taken() -> MutexGuard<'static, Vec<usize>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a program answers.
#[derive(Debug)]
pub(crate) struct AnsweringProcessor {
    program: Pid,
    questions: u32,
    /// The processor, in [`TAKEN`] as well; `None` if the system chooses.
    processor: Option<usize>,
}

impl AnsweringProcessor {
    pub(crate) fn new(program: Pid) -> Self {
        Self { program, questions: 0, processor: None }
    }

    /// Brings the calling thread and the program together until the result is dropped: where the
    /// thread is, or on another of its processors if a program answers there already. Does nothing
    /// if there is none, or if the system does not allow it.
    pub(crate) fn share(&mut self) -> Option<SharedProcessor> {
        if self.questions < QUESTIONS_BEFORE {
            self.questions += 1;
            return None;
        }
        let before = sched_getaffinity(None).ok().filter(|before| before.count() > 1)?;
        let here = sched_getcpu();
        if self.processor != Some(here) {
            self.leave();
            let mut taken = taken();
            let mut others = (0..CpuSet::MAX_CPU).filter(|&other| before.is_set(other));
            let free = |processor: &usize| !taken.contains(processor);
            let to = Some(here).filter(free).or_else(|| others.find(free));
            let processors = to.map_or(before, only);
            sched_setaffinity(Some(self.program), &processors).ok()?;
            taken.extend(to);
            self.processor = to;
        }
        sched_setaffinity(None, &only(self.processor?)).ok()?;
        Some(SharedProcessor { before })
    }

    fn leave(&mut self) {
        if let Some(left) = self.processor.take() {
            taken().retain(|&processor| processor != left);
        }
    }
}

impl Drop for AnsweringProcessor {
    fn drop(&mut self) {
        self.leave();
    }
}

/// A thread that stays on the processor of a program. Dropping it lets the thread go.
pub(crate) struct SharedProcessor {
    /// Processors of the thread before.
    before: CpuSet,
}

impl Drop for SharedProcessor {
    fn drop(&mut self) {
        // A thread that was allowed to run on these may do so again.
        let _ = sched_setaffinity(None, &self.before);
    }
}

fn only(processor: usize) -> CpuSet {
    let mut processors = CpuSet::new();
    processors.set(processor);
    processors
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity};

    use super::{AnsweringProcessor, QUESTIONS_BEFORE};

    fn waiting_program() -> Child {
        Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("cat")
    }

    fn processors(of: Option<Pid>) -> CpuSet {
        sched_getaffinity(of).expect("processors")
    }

    /// Programs are left alone at first, then each has a processor of its own, where the thread is
    /// too until the answer; the thread is free again after that.
    #[test]
    fn a_thread_and_its_program_share_a_processor() {
        let free = processors(None);
        if free.count() < 2 {
            return;
        }
        let mut programs = [(); 2].map(|()| waiting_program());
        let ids = programs.each_ref().map(Pid::from_child);
        let mut shared = ids.map(AnsweringProcessor::new);
        for _ in 0..QUESTIONS_BEFORE {
            assert!(shared[0].share().is_none());
            assert!(shared[1].share().is_none());
        }
        for _ in 0..3 {
            for (program, shared) in ids.into_iter().zip(&mut shared) {
                assert_eq!(processors(Some(program)).count() == 1, shared.processor.is_some());
                let together = shared.share().expect("a processor");
                assert_eq!(processors(None), processors(Some(program)));
                assert_eq!(processors(None).count(), 1);
                drop(together);
                assert_eq!(processors(None), free);
            }
        }
        assert_ne!(shared[0].processor, shared[1].processor);
        for program in &mut programs {
            program.kill().expect("it runs");
            program.wait().expect("its end");
        }
    }
}
