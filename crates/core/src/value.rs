use core::cmp::Ordering;
use core::fmt;

/// Value of a position for the side to move, with its remoteness.
///
/// The remoteness is the number of plies to the end if the winner hurries and the loser delays.
///
/// The greater value is better for the side to move: quick win > slow win > draw > slow loss >
/// quick loss. An unsolved position has no value; solvers use `Option<Value>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move loses in this many plies.
    Loss(u16),
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in this many plies.
    Win(u16),
}

impl Value {
    /// Returns the value for the player who moves *to* a position of this value, one ply earlier.
    ///
    /// `Loss(n)` becomes `Win(n + 1)`, `Win(n)` becomes `Loss(n + 1)`, a draw stays a draw. So the
    /// value of a position is the maximum of `before` over its successors.
    ///
    /// # Panics
    /// If the remoteness would exceed 65,535 plies.
    #[must_use]
    #[inline]
    pub fn before(self) -> Self {
        let one_more = |n: u16| n.checked_add(1).expect("a remoteness of at most 65,535 plies");
        match self {
            Self::Loss(n) => Self::Win(one_more(n)),
            Self::Draw => Self::Draw,
            Self::Win(n) => Self::Loss(one_more(n)),
        }
    }

    /// Returns the value of the successor by a best move, the inverse of [`Value::before`].
    ///
    /// `None` for remoteness 0: a terminal position has no successor.
    #[must_use]
    #[inline]
    pub fn after(self) -> Option<Self> {
        Some(match self {
            Self::Loss(n) => Self::Win(n.checked_sub(1)?),
            Self::Draw => Self::Draw,
            Self::Win(n) => Self::Loss(n.checked_sub(1)?),
        })
    }

    /// Returns the value without its remoteness.
    #[must_use]
    #[inline]
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Loss(_) => Wdl::Loss,
            Self::Draw => Wdl::Draw,
            Self::Win(_) => Wdl::Win,
        }
    }

    /// Returns the plies to the end; `None` for a draw.
    #[must_use]
    #[inline]
    pub fn remoteness(self) -> Option<u16> {
        match self {
            Self::Loss(n) | Self::Win(n) => Some(n),
            Self::Draw => None,
        }
    }

    /// Returns the value of a terminal position, with remoteness 0.
    #[must_use]
    #[inline]
    pub fn terminal(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Loss => Self::Loss(0),
            Wdl::Draw => Self::Draw,
            Wdl::Win => Self::Win(0),
        }
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Loss(a), Self::Loss(b)) => a.cmp(b),
            (Self::Win(a), Self::Win(b)) => b.cmp(a),
            _ => self.wdl().cmp(&other.wdl()),
        }
    }
}

impl PartialOrd for Value {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness() {
            Some(n) => write!(f, "{} in {n}", self.wdl()),
            None => write!(f, "{}", self.wdl()),
        }
    }
}

/// Win, draw or loss for the side to move. The greater value is better for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// Returns the value for the player who moves to a position of this value, one ply earlier.
    #[must_use]
    #[inline]
    pub fn before(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, Wdl};
    use alloc::string::ToString;

    const WORST_TO_BEST: [Value; 7] = [
        Value::Loss(0),
        Value::Loss(4),
        Value::Loss(u16::MAX),
        Value::Draw,
        Value::Win(u16::MAX),
        Value::Win(3),
        Value::Win(1),
    ];

    #[test]
    fn better_is_greater() {
        for pair in WORST_TO_BEST.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
    }

    #[test]
    fn before_changes_sides_and_adds_a_ply() {
        assert_eq!(Value::Loss(0).before(), Value::Win(1));
        assert_eq!(Value::Win(6).before(), Value::Loss(7));
        assert_eq!(Value::Draw.before(), Value::Draw);
        for value in [Value::Loss(2), Value::Draw, Value::Win(9)] {
            assert_eq!(value.before().wdl(), value.wdl().before());
        }
    }

    #[test]
    fn after_undoes_before() {
        for value in [Value::Loss(0), Value::Win(8), Value::Draw, Value::Loss(65_534)] {
            assert_eq!(value.before().after(), Some(value));
        }
        assert_eq!(Value::Win(0).after(), None);
        assert_eq!(Value::Loss(0).after(), None);
        assert_eq!(Value::Loss(u16::MAX).after(), Some(Value::Win(65_534)));
    }

    #[test]
    #[should_panic(expected = "65,535")]
    fn remoteness_never_wraps() {
        let _ = Value::Win(u16::MAX).before();
    }

    #[test]
    fn display_reads_as_prose() {
        assert_eq!(Value::Win(21).to_string(), "win in 21");
        assert_eq!(Value::terminal(Wdl::Draw).to_string(), "draw");
    }
}
