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
    pub(crate) const NOTHING: Self = Self { answer: Answer::Unknown, bound: None };

    pub(crate) fn new(answer: Answer, bound: Option<u16>) -> Self {
        Self { answer, bound }
    }

    pub(crate) fn exact(value: Value) -> Self {
        Self { answer: Answer::Exact(value), bound: None }
    }

    /// Returns a win in some plies of the side to move, or else of the other side.
    pub(crate) fn of_win(is_movers: bool, plies: u16) -> Self {
        Self::exact(if is_movers { Value::Win(plies) } else { Value::Loss(plies) })
    }

    pub(crate) fn of_wdl(wdl: Wdl, bound: Option<u16>) -> Self {
        match wdl {
            Wdl::Draw => Self::exact(Value::Draw),
            wdl => Self { answer: Answer::Wdl(wdl), bound },
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
            (Answer::Wdl(_), Answer::Wdl(_)) => {
                Self { bound: [self.bound, other.bound].into_iter().flatten().min(), ..self }
            }
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
        Self { answer, bound: self.bound.map(|plies| plies.saturating_sub(1)) }
    }

    /// Returns the knowledge of a position, to which that of its moves is added, each for the side
    /// that makes it. Adds what the position tells of its moves.
    pub(crate) fn concluded(self, moves: &mut [Self]) -> Self {
        let mut root = self;
        if let Some(quickest) = quickest_win(moves) {
            // Another move might win sooner, so the plies of this one are a bound.
            let is_quickest = quickest.answer == Answer::Exact(Value::Win(1));
            root = root.with(if is_quickest {
                quickest
            } else {
                Self::of_wdl(Wdl::Win, quickest.most_plies())
            });
        }
        let exact: Option<Vec<Value>> = moves.iter().map(|known| known.answer.exact()).collect();
        root = match exact.and_then(|values| values.into_iter().max()) {
            Some(best) => root.with(Self::exact(best)),
            None => root.with(Self::of_results(moves)),
        };
        let of_each = root.of_each_move();
        for known in moves.iter_mut() {
            *known = known.with(of_each);
        }
        // A move that alone can have the value of the position has it.
        if let Some(index) = root.only_best(moves) {
            moves[index] = moves[index].with(root);
        }
        root
    }

    /// Returns the index of the only move that may have the value of the position.
    fn only_best(self, moves: &[Self]) -> Option<usize> {
        let wdl = self.answer.wdl()?;
        let exact = self.answer.exact();
        let may_be_best = |known: &Self| match (exact, known.answer.exact(), known.most_plies()) {
            (Some(value), Some(of_move), _) => value == of_move,
            (Some(Value::Loss(plies)), None, Some(most)) => most >= plies,
            _ => known.answer.wdl().is_none_or(|of_move| of_move == wdl),
        };
        let mut candidates = moves.iter().enumerate();
        let (index, _) = candidates.find(|(_, known)| may_be_best(known))?;
        let is_only = !candidates.any(|(_, known)| may_be_best(known));
        is_only.then_some(index)
    }

    /// Returns what is shown of a position beside its moves, each for the side that makes it: a win
    /// or a draw that a move has too, with the plies of that move.
    pub(crate) fn shown_with(self, moves: &[Self]) -> Self {
        let is_of_a_move = moves.iter().any(|known| known.answer == self.answer);
        match (self.answer, quickest_win(moves)) {
            _ if moves.is_empty() => self,
            (Answer::Exact(Value::Win(_) | Value::Draw), _) if is_of_a_move => self,
            (Answer::Exact(Value::Draw), _) => Self::NOTHING,
            (answer, Some(quickest)) if answer.wdl() == Some(Wdl::Win) => {
                Self::of_wdl(Wdl::Win, quickest.most_plies().or(self.bound))
            }
            (answer, None) if answer.wdl() == Some(Wdl::Win) => Self::NOTHING,
            _ => self,
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
    fn of_each_move(self) -> Self {
        match self.answer.wdl() {
            Some(Wdl::Loss) => Self::of_wdl(Wdl::Loss, self.most_plies()),
            _ => Self::NOTHING,
        }
    }

    /// Returns the plies, or the most that there may be.
    pub(crate) fn most_plies(&self) -> Option<u16> {
        match self.answer {
            Answer::Exact(value) => value.remoteness(),
            _ => self.bound,
        }
    }
}

/// Returns the win of the fewest plies, or of the least bound, among moves.
fn quickest_win(moves: &[Known]) -> Option<Known> {
    let winning = moves.iter().copied();
    let winning = winning.filter(|known| known.answer.wdl() == Some(Wdl::Win));
    winning.min_by_key(|known| known.most_plies().unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use hindsight_core::{Answer, Value, Wdl};

    use super::Known;

    const WITHIN_71: Known = Known { answer: Answer::Wdl(Wdl::Win), bound: Some(71) };

    #[test]
    fn the_only_move_that_may_win_has_the_plies_of_the_position() {
        let within_73 = Known::of_wdl(Wdl::Win, Some(73));
        let mut moves = [Known::of_wdl(Wdl::Loss, Some(6)), within_73];
        assert_eq!(WITHIN_71.concluded(&mut moves), WITHIN_71);
        assert_eq!(moves[1], WITHIN_71);
        let mut moves = [Known::exact(Value::Draw), Known::NOTHING];
        let exact = Known::exact(Value::Win(7));
        assert_eq!(exact.concluded(&mut moves), exact);
        assert_eq!(moves[1], exact);
        let mut moves = [Known::exact(Value::Loss(4)), Known::NOTHING];
        let lost = Known::exact(Value::Loss(8));
        assert_eq!(lost.concluded(&mut moves), lost);
        assert_eq!(moves[1], lost);
    }

    #[test]
    fn a_win_is_shown_with_a_move_and_its_plies() {
        let within_73 = Known::of_wdl(Wdl::Win, Some(73));
        let moves = [within_73, Known::NOTHING];
        assert_eq!(WITHIN_71.shown_with(&moves), within_73);
        let exact = Known::exact(Value::Win(7));
        assert_eq!(exact.shown_with(&moves), within_73);
        assert_eq!(exact.shown_with(&[exact, within_73]), exact);
        assert_eq!(exact.shown_with(&[Known::NOTHING; 2]), Known::NOTHING);
        let drawn = Known::exact(Value::Draw);
        assert_eq!(drawn.shown_with(&[Known::NOTHING; 2]), Known::NOTHING);
        assert_eq!(drawn.shown_with(&[drawn, Known::NOTHING]), drawn);
    }
}
