//! Signs of life of another process, counted in beats of this one.

/// Beats of silence that are told, and told again after as many more.
const TELL_SILENCE: u64 = 5;
/// Beats after which bytes that should have come are taken for lost: no byte comes meanwhile,
/// though the process is heard of.
const STUCK: u64 = 10;

/// Signs of life of a process, until now.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    was_heard: bool,
    /// Beats since it was heard.
    silence: u64,
    /// Silence that was told last.
    told: u64,
    /// Bytes that it says it has sent over the data connection.
    sent: u64,
    /// Bytes sent and received, at the beat before.
    before: [u64; 2],
    /// Beats for which these have stayed unequal.
    stuck: u64,
    /// Further beats for which they may. After a silence of the whole network one connection may
    /// come back later than the other: the system waits twice as long before each new attempt.
    grace: u64,
}

/// Finding of a beat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    AnswersAgain,
    /// Nothing was heard for this number of beats.
    Silent(u64),
    /// The same, and nobody waits any longer.
    Gone(u64),
    /// Bytes were lost or added on the way.
    Stuck {
        sent: u64,
        received: u64,
    },
}

impl Pulse {
    /// The process was heard.
    pub(super) fn hear(&mut self) {
        self.was_heard = true;
    }

    /// The process says that it has sent this number of bytes.
    pub(super) fn claim(&mut self, sent: u64) {
        self.sent = sent;
    }

    /// A beat has passed. `received` is the number of bytes that came, `patience` that of the beats
    /// of silence after which the process is given up.
    pub(super) fn beat(&mut self, received: u64, patience: u64) -> Option<Trouble> {
        if !std::mem::take(&mut self.was_heard) {
            self.silence += 1;
            self.grace = self.grace.max(2 * self.silence);
            if self.silence >= patience {
                return Some(Trouble::Gone(self.silence));
            }
            let is_told = self.silence >= self.told + TELL_SILENCE;
            return is_told.then(|| {
                self.told = self.silence;
                Trouble::Silent(self.silence)
            });
        }
        self.silence = 0;
        let now = [self.sent, received];
        let is_whole = self.sent == received;
        let is_stuck = now == self.before && !is_whole;
        self.stuck = if is_stuck { self.stuck + 1 } else { 0 };
        if is_whole || received != self.before[1] {
            self.grace = 0;
        }
        self.before = now;
        if self.stuck >= STUCK + self.grace {
            let sent = self.sent;
            return Some(Trouble::Stuck { sent, received });
        }
        (std::mem::take(&mut self.told) > 0).then_some(Trouble::AnswersAgain)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pulse, STUCK, Trouble};

    #[test]
    fn silence_is_told_and_ends_in_time() {
        let mut pulse = Pulse::default();
        let mut found = Vec::new();
        for beat in 1..=17 {
            if beat == 8 {
                pulse.hear();
            }
            found.extend(pulse.beat(0, 9).map(|trouble| (beat, trouble)));
        }
        let expected = [
            (5, Trouble::Silent(5)),
            (8, Trouble::AnswersAgain),
            (13, Trouble::Silent(5)),
            (17, Trouble::Gone(9)),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_connection_may_come_back_later_than_the_other() {
        let mut pulse = Pulse::default();
        pulse.claim(290);
        pulse.hear();
        assert_eq!(pulse.beat(290, 100), None);
        pulse.claim(300);
        for _ in 0..20 {
            let _ = pulse.beat(290, 100);
        }
        for _ in 0..40 {
            pulse.hear();
            let trouble = pulse.beat(290, 100);
            assert!(matches!(trouble, None | Some(Trouble::AnswersAgain)));
        }
        pulse.hear();
        assert_eq!(pulse.beat(300, 100), None);
    }

    #[test]
    fn bytes_that_never_come_are_noticed_while_the_process_is_heard() {
        let mut pulse = Pulse::default();
        let mut beat = |sent, received| {
            pulse.hear();
            pulse.claim(sent);
            pulse.beat(received, 100)
        };
        for i in 0..50 {
            assert_eq!(beat(100 + i, i), None, "slow, but on its way");
        }
        for _ in 0..50 {
            assert_eq!(beat(200, 200), None, "all came");
        }
        for _ in 0..STUCK {
            assert_eq!(beat(300, 290), None);
        }
        let (sent, received) = (300, 290);
        assert_eq!(beat(300, 290), Some(Trouble::Stuck { sent, received }));
        for _ in 0..STUCK {
            let _ = beat(300, 305);
        }
        let (sent, received) = (300, 305);
        assert_eq!(beat(300, 305), Some(Trouble::Stuck { sent, received }));
    }
}
