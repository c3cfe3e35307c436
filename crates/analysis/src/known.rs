//! Proved knowledge of a position, and what follows from it.

use hindsight_core::{Answer, Value, Wdl};

/// Proved value of a position, or what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) answer: Answer,
    /// Most plies of a win or loss whose exact number is not known.
    pub(crate) bound: Option<u16>,
}

impl Known {
    pub(crate) const NOTHING: Self = Self {
        answer: Answer::Unknown,
        bound: None,
    };

    pub(crate) fn new(answer: Answer, bound: Option<u16>) -> Self {
        Self { answer, bound }
    }

    pub(crate) fn exact(value: Value) -> Self {
        Self {
            answer: Answer::Exact(value),
            bound: None,
        }
    }

    pub(crate) fn of_wdl(wdl: Wdl, bound: Option<u16>) -> Self {
        match wdl {
            Wdl::Draw => Self::exact(Value::Draw),
            wdl => Self {
                answer: Answer::Wdl(wdl),
                bound,
            },
        }
    }

    pub(crate) fn of_answer(answer: Answer, bound: Option<u16>) -> Self {
        match answer {
            Answer::Exact(value) => Self::exact(value),
            Answer::Wdl(wdl) => Self::of_wdl(wdl, bound),
            Answer::Unknown => Self::NOTHING,
        }
    }

    /// Returns the more precise of two pieces of knowledge of one position.
    pub(crate) fn with(self, other: Self) -> Self {
        match (self.answer, other.answer) {
            (Answer::Exact(_), _) | (_, Answer::Unknown) => self,
            (_, Answer::Exact(_)) | (Answer::Unknown, _) => other,
            (Answer::Wdl(_), Answer::Wdl(_)) => Self {
                bound: [self.bound, other.bound].into_iter().flatten().min(),
                ..self
            },
        }
    }

    /// Returns the knowledge of the position one ply earlier, by this move.
    pub(crate) fn before(self) -> Self {
        Self {
            answer: self.answer.before(),
            bound: self.bound.map(|plies| plies.saturating_add(1)),
        }
    }

    /// Returns the knowledge of the position to which a move of this knowledge leads.
    ///
    /// The reverse of [`Known::before`]; a bound of 0 plies leaves nothing to subtract.
    pub(crate) fn after(self) -> Self {
        let answer = match self.answer {
            Answer::Exact(value) => value.after().map_or(Answer::Unknown, Answer::Exact),
            // Win and loss change places, whatever the direction.
            answer => answer.before(),
        };
        Self {
            answer,
            bound: self.bound.map(|plies| plies.saturating_sub(1)),
        }
    }

    /// Returns the knowledge of a position, to which that of its moves is added, each for the side
    /// that makes it.
    pub(crate) fn concluded(self, moves: &[Self]) -> Self {
        let winning = moves.iter().copied();
        let winning = winning.filter(|known| known.answer.wdl() == Some(Wdl::Win));
        let quickest = winning.min_by_key(|known| known.most_plies().unwrap_or(u16::MAX));
        let mut root = self;
        if let Some(known) = quickest {
            // Another move might win sooner, so the plies of this one are a bound.
            let is_quickest = known.answer == Answer::Exact(Value::Win(1));
            root = root.with(match is_quickest {
                true => known,
                false => Self::of_wdl(Wdl::Win, known.most_plies()),
            });
        }
        let exact: Option<Vec<Value>> = moves.iter().map(|known| known.answer.exact()).collect();
        match exact.and_then(|values| values.into_iter().max()) {
            Some(best) => root.with(Self::exact(best)),
            None => root.with(Self::of_results(moves)),
        }
    }

    /// Returns the knowledge of a position whose moves all have known results but no win.
    fn of_results(moves: &[Self]) -> Self {
        let results: Option<Vec<Wdl>> = moves.iter().map(|known| known.answer.wdl()).collect();
        match results.and_then(|results| results.into_iter().max()) {
            None | Some(Wdl::Win) => Self::NOTHING,
            Some(Wdl::Draw) => Self::exact(Value::Draw),
            Some(Wdl::Loss) => {
                let plies = moves.iter().map(Self::most_plies);
                let plies: Option<Vec<u16>> = plies.collect();
                Self::of_wdl(Wdl::Loss, plies.and_then(|plies| plies.into_iter().max()))
            }
        }
    }

    /// Returns what the position tells of each of its moves: in a lost one, all lose.
    pub(crate) fn of_each_move(self) -> Self {
        match self.answer.wdl() {
            Some(Wdl::Loss) => Self::of_wdl(Wdl::Loss, self.most_plies()),
            _ => Self::NOTHING,
        }
    }

    /// Returns the plies, or the most that there may be.
    fn most_plies(&self) -> Option<u16> {
        match self.answer {
            Answer::Exact(value) => value.remoteness(),
            _ => self.bound,
        }
    }
}
