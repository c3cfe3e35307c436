use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Card, OnitamaBoard, OnitamaPlayer};

/// A game of Onitama: the board, the cards as dealt and the variants.
#[derive(Clone, Debug)]
pub struct OnitamaSetup {
    /// Squares in a row, at least 1.
    pub width: u8,
    /// Rows, at least 2; at most 64 squares in all.
    pub height: u8,
    /// The card set aside, then Red's hand, then Blue's hand.
    pub cards: Vec<Card>,
    /// Cards in a hand, 1 to 6.
    pub hand: u8,
    /// Player who begins; `None` for the stamp of the card set aside.
    pub first: Option<OnitamaPlayer>,
    /// True if the offset (0,0) is a move.
    pub stay: bool,
    /// Upper limit for the students of a side at the start; `None` for a full row.
    pub students: Option<u8>,
}

/// Most cards in a hand. 13 different cards have 12,012 deals, 15 cards 51,480; a position stores a
/// deal in 15 bits.
pub(super) const MAX_CARDS_IN_HAND: u8 = 6;

impl OnitamaSetup {
    /// Creates a game without variants. Cards as dealt: the card set aside, Red's two, Blue's two.
    #[must_use]
    pub fn new(width: u8, height: u8, cards: Vec<Card>) -> Self {
        Self { width, height, cards, hand: 2, first: None, stay: false, students: None }
    }

    /// Checks that the board, the number of cards and their names are possible.
    ///
    /// # Errors
    /// A sentence that names the fault and what would be right.
    pub fn check(&self) -> Result<(), String> {
        let (width, height) = (self.width, self.height);
        check_board(width.into(), height.into())?;
        if !(1..=MAX_CARDS_IN_HAND).contains(&self.hand) {
            return Err(format!("a hand has 1 to {MAX_CARDS_IN_HAND} cards, not {}", self.hand));
        }
        let needed = 2 * usize::from(self.hand) + 1;
        if self.cards.len() != needed {
            let few = if self.cards.len() < needed { "only " } else { "" };
            return Err(format!(
                "{few}{} cards; {needed} are dealt (one set aside, {hand} for Red, {hand} for \
                 Blue), or name one for {needed} copies of it",
                self.cards.len(),
                hand = self.hand,
            ));
        }
        self.check_names()
    }

    /// Player who begins.
    #[must_use]
    pub fn first_player(&self) -> OnitamaPlayer {
        self.first.unwrap_or(self.cards[0].stamp)
    }

    /// The empty board.
    #[must_use]
    pub fn board(&self) -> OnitamaBoard {
        OnitamaBoard { width: self.width, height: self.height }
    }

    /// Students of each side at the start.
    #[must_use]
    pub(crate) fn students_per_side(&self) -> u8 {
        self.students.map_or(self.width - 1, |students| students.min(self.width - 1))
    }

    /// True if the sides have fewer students than files allow.
    #[must_use]
    pub(crate) fn limits_students(&self) -> bool {
        self.students_per_side() < self.width - 1
    }

    /// The normal form of the spec. Built-in cards appear by name, others inline, where an own name
    /// appears for the first time before its offsets. Stamps and options appear only where they
    /// change something.
    #[must_use]
    pub fn spec(&self) -> String {
        let mut labels = self.labels();
        let mut options = String::new();
        let first_label = self.cards[0].label();
        let natural = super::cards::deck::built_in(&first_label).map(|card| card.stamp);
        let first = self.first_player();
        if self.cards.iter().all(|card| card.label() == first_label) {
            labels.truncate(1);
        }
        match natural {
            Some(stamp) if stamp != first => options = format!(":first={}", first.name()),
            None if first == OnitamaPlayer::Blue => labels[0].push_str("@blue"),
            _ => {}
        }
        if self.stay && self.cards.iter().any(|card| card.offsets().contains(&(0, 0))) {
            options.push_str(":stay=yes");
        }
        if self.hand != 2 {
            options.push_str(&format!(":hand={}", self.hand));
        }
        if self.limits_students() {
            options.push_str(&format!(":students={}", self.students_per_side()));
        }
        format!("onitama:{}x{}:{}{options}", self.width, self.height, labels.join(","))
    }

    /// The normal form of the spec without own names: the same for all setups with the same moves
    /// and the same start.
    #[must_use]
    pub fn rules_spec(&self) -> String {
        let mut setup = self.clone();
        setup.cards = setup.cards.into_iter().map(Card::nameless).collect();
        setup.spec()
    }

    /// Labels of the cards, in which an own name is explained where it appears first.
    fn labels(&self) -> Vec<String> {
        let label = |(i, card): (usize, &Card)| {
            let is_explained = |before: &Card| before.own_name() == card.own_name();
            if self.cards[..i].iter().any(is_explained) { card.label() } else { card.definition() }
        };
        self.cards.iter().enumerate().map(label).collect()
    }

    /// Checks that no two different cards have the same name.
    fn check_names(&self) -> Result<(), String> {
        for (i, card) in self.cards.iter().enumerate() {
            let is_other = |before: &&Card| *before != card && before.name() == card.name();
            let other = self.cards[..i].iter().find(is_other);
            if let Some((other, name)) = other.zip(card.name()) {
                return Err(format!(
                    "the name '{name}' stands for two cards, {} and {}; give one another name",
                    other.inline(),
                    card.inline()
                ));
            }
        }
        Ok(())
    }
}

/// Checks the size of a board before it is narrowed to bytes.
pub(crate) fn check_board(width: u64, height: u64) -> Result<(), String> {
    if width < 1 || height < 2 {
        return Err(format!(
            "a board of {width}x{height} is too small: at least 1 wide and 2 high"
        ));
    }
    match width.checked_mul(height) {
        Some(squares) if squares <= 64 => Ok(()),
        _ => Err(format!("a board of {width}x{height} is too large: at most 64 squares in all")),
    }
}
