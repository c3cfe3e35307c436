use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::ParseError;

use super::super::{BASE, OnitamaPlayer, SENSEIS_PATH};
use super::card_name::checked_name;
use super::deck::built_in;

/// A move card: offsets (right, forward) from its holder's seat, a stamp for the player who begins,
/// and perhaps a name.
///
/// Cards with the same offsets are equal, whatever their names, their stamps and the order of their
/// offsets.
#[derive(Clone, Debug)]
pub struct Card {
    offsets: Vec<(i8, i8)>,
    name: Option<String>,
    /// Player who begins if this card is set aside.
    pub stamp: OnitamaPlayer,
}

impl PartialEq for Card {
    fn eq(&self, other: &Self) -> bool {
        self.mask() == other.mask()
    }
}

impl Eq for Card {}

impl Card {
    /// Creates a card with the given offsets, in this order.
    ///
    /// # Errors
    /// If an offset is outside `[-2..2]` in either direction, or occurs twice.
    pub fn new(offsets: Vec<(i8, i8)>, stamp: OnitamaPlayer) -> Result<Self, String> {
        let empty = Self::empty(stamp);
        let add =
            |card: Self, (right, forward): (i8, i8)| card.with_offset(right.into(), forward.into());
        offsets.into_iter().try_fold(empty, add)
    }

    /// The card without offsets and without a name.
    fn empty(stamp: OnitamaPlayer) -> Self {
        Self { offsets: Vec::new(), name: None, stamp }
    }

    /// Names the card. Names are kept in lower case.
    ///
    /// # Errors
    /// If the name is malformed or `random`, or a built-in card of this name has other offsets.
    ///
    /// ```
    /// use hindsight_rules::onitama::{Card, OnitamaPlayer};
    ///
    /// let card = Card::parse_inline("(0,2)(0,-1)", OnitamaPlayer::Red)?;
    /// assert_eq!(card.label(), "tiger");
    /// assert_eq!(card.clone().named("Wolf").expect("a name").label(), "wolf");
    /// assert!(card.named("boar").is_err());
    /// # Ok::<(), hindsight_core::ParseError>(())
    /// ```
    pub fn named(mut self, name: &str) -> Result<Self, String> {
        let name = checked_name(name)?;
        match built_in(&name) {
            Some(other) if other != self => Err(format!(
                "'{name}' is a built-in card with other offsets, {}; choose another name",
                other.inline()
            )),
            _ => {
                self.name = Some(name);
                Ok(self)
            }
        }
    }

    /// The card without its name.
    #[must_use]
    pub fn nameless(mut self) -> Self {
        self.name = None;
        self
    }

    /// The name that the card was given.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name that the card was given, unless a built-in card has it.
    #[must_use]
    pub(crate) fn own_name(&self) -> Option<&str> {
        self.name().filter(|name| built_in(name).is_none())
    }

    /// Adds an offset.
    ///
    /// # Errors
    /// As [`Card::new`].
    pub(crate) fn with_offset(mut self, right: i64, forward: i64) -> Result<Self, String> {
        let inside = |n: i64| i8::try_from(n).ok().filter(|n| (-2..=2).contains(n));
        let Some(offset) = inside(right).zip(inside(forward)) else {
            return Err(format!("the offset ({right},{forward}) is outside [-2..2] x [-2..2]"));
        };
        if self.offsets.contains(&offset) {
            return Err(format!("the offset ({right},{forward}) stands on the card twice"));
        }
        self.offsets.push(offset);
        Ok(self)
    }

    /// The offsets (right, forward), in their given order.
    #[must_use]
    pub fn offsets(&self) -> &[(i8, i8)] {
        &self.offsets
    }

    /// The offsets as a set: bit `5 * (2 - forward) + right + 2`. The 25 bits, lowest first, read
    /// like the drawn card.
    #[must_use]
    pub fn mask(&self) -> u32 {
        self.offsets.iter().map(|&(right, forward)| 1 << (5 * (2 - forward) + right + 2)).sum()
    }

    /// The mirror image of the card, left and right exchanged, without a name.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let offsets = self.offsets.iter().map(|&(right, forward)| (-right, forward)).collect();
        Self { offsets, ..Self::empty(self.stamp) }
    }

    /// Name of the built-in card with these offsets, if there is one.
    #[must_use]
    pub(crate) fn built_in_name(&self) -> Option<&'static str> {
        let named = BASE.iter().chain(&SENSEIS_PATH).find(|(_, _, offsets)| {
            offsets.len() == self.offsets.len() && offsets.iter().all(|o| self.offsets.contains(o))
        });
        named.map(|&(name, _, _)| name)
    }

    /// The card in one word: its name, else that of the built-in card with these offsets, else
    /// [`Card::inline`].
    #[must_use]
    pub fn label(&self) -> String {
        let name = self.name().or_else(|| self.built_in_name());
        name.map_or_else(|| self.inline(), String::from)
    }

    /// The label with which a spec explains the card: an own name has the offsets behind it, such
    /// as `wolf=(-1,0)(0,1)`.
    #[must_use]
    pub fn definition(&self) -> String {
        match self.own_name() {
            Some(name) => format!("{name}={}", self.inline()),
            None => self.label(),
        }
    }

    /// The offsets in the order left to right, then far to near, such as `(-1,0)(0,1)`; `()` for
    /// the empty card.
    #[must_use]
    pub fn inline(&self) -> String {
        let mut sorted = self.offsets.clone();
        sorted.sort_by_key(|&(right, forward)| (right, -forward));
        match sorted.as_slice() {
            [] => String::from("()"),
            _ => sorted.iter().map(|(right, forward)| format!("({right},{forward})")).collect(),
        }
    }

    /// Reads offsets such as `(-1,0)(0,1)`, or `()`.
    ///
    /// # Errors
    /// If the text has another form, or its offsets form no card.
    pub fn parse_inline(text: &str, stamp: OnitamaPlayer) -> Result<Self, ParseError> {
        let form =
            "a card of your own is written as offsets (right,forward), such as (-1,0)(0,1), or ()";
        let mut card = Self::empty(stamp);
        let mut at = 0;
        while at < text.len() {
            let wrong = || ParseError::new(at, form);
            let group = text[at..].strip_prefix('(').ok_or_else(wrong)?;
            let inside = &group[..group.find(')').ok_or_else(wrong)?];
            if !(inside.trim().is_empty() && text.len() == inside.len() + 2) {
                let (right, forward) = inside.split_once(',').ok_or_else(wrong)?;
                let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
                let added = card.with_offset(number(right)?, number(forward)?);
                card = added.map_err(|message| ParseError::new(at, message))?;
            }
            at += inside.len() + 2;
        }
        if text.is_empty() {
            return Err(ParseError::new(0, form));
        }
        Ok(card)
    }

    /// Draws the card in five lines, the far side at the top: `O` is the piece, `#` a target, `@`
    /// both.
    #[must_use]
    pub fn diagram(&self) -> [String; 5] {
        let mask = self.mask();
        let sign = |square: usize| match (square, mask >> square & 1) {
            (12, 0) => 'O',
            (12, _) => '@',
            (_, 0) => '.',
            _ => '#',
        };
        core::array::from_fn(|row| {
            let signs: Vec<String> =
                (0..5).map(|column| String::from(sign(row * 5 + column))).collect();
            signs.join(" ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Card, OnitamaPlayer};
    use alloc::vec;

    #[test]
    fn cards_are_equal_by_their_offsets() {
        let boar = Card::parse_inline("(1,0)(0,1)(-1,0)", OnitamaPlayer::Blue).unwrap();
        assert_eq!(boar.label(), "boar");
        assert_eq!(boar.inline(), "(-1,0)(0,1)(1,0)");
        assert_eq!(boar.mirrored(), boar);
        assert_eq!(Card::parse_inline("()", OnitamaPlayer::Red).unwrap().label(), "()");
    }

    #[test]
    fn a_name_is_shown_and_changes_no_card() {
        let card = Card::new(vec![(0, 1), (-1, 0)], OnitamaPlayer::Red).unwrap();
        let wolf = card.clone().named("Wolf").unwrap();
        assert_eq!((wolf.label().as_str(), wolf.own_name()), ("wolf", Some("wolf")));
        assert_eq!(wolf.definition(), "wolf=(-1,0)(0,1)");
        assert_eq!(wolf, card);
        assert_eq!(wolf.mirrored().name(), None);
        assert_eq!(wolf.nameless().label(), "(-1,0)(0,1)");

        let boar = Card::new(vec![(-1, 0), (0, 1), (1, 0)], OnitamaPlayer::Red).unwrap();
        let boar = boar.named("boar").unwrap();
        assert_eq!((boar.own_name(), boar.definition().as_str()), (None, "boar"));
        assert!(card.named("boar").unwrap_err().contains("(-1,0)(0,1)(1,0)"));
    }

    #[test]
    fn faults_are_found_where_they_are() {
        for (text, at) in [
            ("", 0),
            ("boar", 0),
            ("(1,0)x", 5),
            ("(1,0)(3,0)", 5),
            ("(1,0)(1,0)", 5),
            ("(1,0", 0),
            ("(1)", 0),
            ("(,)", 0),
            ("()()", 0),
            ("(99999999999999999999,0)", 0),
            ("(300,0)", 0),
        ] {
            let error = Card::parse_inline(text, OnitamaPlayer::Red).unwrap_err();
            assert_eq!(error.offset, at, "{text}: {error}");
        }
    }

    #[test]
    fn the_drawing_reads_like_the_card() {
        let card = Card::new(vec![(0, 2), (-1, -1)], OnitamaPlayer::Red).unwrap();
        assert_eq!(
            card.diagram(),
            [". . # . .", ". . . . .", ". . O . .", ". # . . .", ". . . . ."]
        );
    }
}
