//! Deals of the real game whose winner is proved: 5 x 5 squares, ten men, five different cards of
//! the base game. `proved_deals.txt` has those that ship with the program.
//!
//! The text has a line for each source, then one for each deal, as the player who moves first sees
//! it:
//!
//! | column | |
//! |---|---|
//! | 1 | card set aside |
//! | 2, 3 | hand of the first and of the second player, a comma between the cards |
//! | 4 | `first`, `second` or `draw`: who wins |
//! | 5 | most plies that the win takes; `-` if no bound is known |
//! | 6 | first move that wins or draws, in a game that Red begins; `-` if the second player wins |
//! | 7 | letters of the source |
//!
//! Of a deal and its mirror image only the one whose names come first is kept.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use hindsight_core::Wdl;

use super::cards::deck::built_in;
use super::{BASE, OnitamaPlayer, OnitamaSetup};

/// Deals that ship with the program.
const SHIPPED: &str = include_str!("proved_deals.txt");
/// First lines of the text.
const HEADING: &str = "\
# Onitama 5 x 5, five different cards: deals whose winner is proved (hindsight deals --help).
# aside, hands of the first and the second player, winner, most plies, first move, source
";
/// Files and ranks of the board.
const FILES: &str = "abcde";
const RANKS: &str = "12345";

/// Names of the cards of a deal: that set aside, the first player's two, the second player's two.
pub type DealtNames = [&'static str; 5];

/// A deal whose winner is proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvedDeal {
    /// Names of the cards.
    pub cards: DealtNames,
    /// Value for the player who moves first.
    pub value: Wdl,
    /// Most plies of the win or loss; `None` for a draw, and if no bound is known.
    pub plies: Option<u16>,
    /// First move that wins or draws; `None` if the player who moves first loses.
    pub best_move: Option<String>,
    /// Who proved it, and how.
    pub source: String,
}

/// Deals whose winner is proved, no two of which are mirror images.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProvedDeals(BTreeMap<DealtNames, ProvedDeal>);

/// Way from a game to the deal that stands for it.
#[derive(Clone, Copy)]
struct DealView {
    cards: DealtNames,
    /// True if Blue begins: the board is turned by half.
    is_turned: bool,
    /// True if left and right are exchanged.
    is_mirrored: bool,
}

impl ProvedDeal {
    /// Returns the deal of a game, whose first move is written as in that game. `None` for a game
    /// of other cards or on another board.
    #[must_use]
    pub fn of_game(
        setup: &OnitamaSetup,
        value: Wdl,
        plies: Option<u16>,
        best_move: Option<&str>,
        source: &str,
    ) -> Option<Self> {
        let view = DealView::of(setup)?;
        let best_move = match best_move.filter(|_| value != Wdl::Loss) {
            Some(text) => Some(view.moved(text)?),
            None => None,
        };
        Some(Self { cards: view.cards, value, plies, best_move, source: source.into() })
    }

    /// Returns what ships with the program of the deal of a spec in normal form, as
    /// [`ProvedDeals::of_game`]. `None` for any other game, and for a deal that is not decided.
    #[must_use]
    pub fn shipped(spec: &str) -> Option<Self> {
        let setup: OnitamaSetup = spec.parse().ok()?;
        // Most games are other ones, for which nothing is read.
        DealView::of(&setup)?;
        ProvedDeals::shipped().of_game(&setup)
    }

    /// Returns the number of deals for which this one stands: itself and its mirror image.
    #[must_use]
    pub fn images(&self) -> u64 {
        1 + u64::from(mirrored(self.cards) != self.cards)
    }

    /// Returns the line of the text, without its source.
    fn line(&self) -> String {
        let [aside, a, b, c, d] = self.cards;
        let winner = match self.value {
            Wdl::Win => "first",
            Wdl::Loss => "second",
            Wdl::Draw => "draw",
        };
        let plies = self.plies.map_or_else(|| String::from("-"), |plies| plies.to_string());
        let best = self.best_move.as_deref().unwrap_or("-");
        format!("{aside} {a},{b} {c},{d} {winner} {plies} {best}")
    }

    /// Reads a line of the text, in which `sources` tell the last column.
    fn of_line(line: &str, sources: &BTreeMap<&str, &str>) -> Option<Self> {
        let mut columns = line.split(' ');
        let mut column = || columns.next();
        let (aside, first, second) = (column()?, column()?, column()?);
        let names = [aside].into_iter().chain(first.split(',')).chain(second.split(','));
        let names: Vec<&str> = names.map(base_name).collect::<Option<_>>()?;
        let cards = DealtNames::try_from(names).ok()?;
        let value = match column()? {
            "first" => Wdl::Win,
            "second" => Wdl::Loss,
            "draw" => Wdl::Draw,
            _ => return None,
        };
        let plies = match column()? {
            "-" => None,
            plies => Some(plies.parse().ok().filter(|_| value != Wdl::Draw)?),
        };
        let best_move = match column()? {
            "-" => None,
            text => Some(String::from(text)),
        };
        let source = String::from(*sources.get(column()?)?);
        let view = DealView { cards, is_turned: false, is_mirrored: false };
        let is_move = best_move.as_ref().is_none_or(|text| view.moved(text).is_some());
        let agrees = best_move.is_some() != (value == Wdl::Loss) && is_move;
        let is_kept = first_of_images(cards) == (cards, false) && all_different(cards);
        let is_whole = column().is_none() && agrees && is_kept;
        is_whole.then_some(Self { cards, value, plies, best_move, source })
    }
}

impl ProvedDeals {
    /// Returns the deals that ship with the program.
    ///
    /// # Panics
    /// Never, unless the program was built with a text that its tests refuse.
    #[must_use]
    pub fn shipped() -> Self {
        Self::of_text(SHIPPED).expect("a text that the tests have read")
    }

    /// Reads deals.
    ///
    /// # Errors
    /// A sentence, with the number of the line that is none.
    pub fn of_text(text: &str) -> Result<Self, String> {
        let (mut sources, mut deals) = (BTreeMap::new(), Self::default());
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let at_line = |what: &str| format!("line {}: {what}", index + 1);
            if let Some((letters, source)) =
                line.strip_prefix("source ").and_then(|rest| rest.split_once(' '))
            {
                sources.insert(letters, source);
                continue;
            }
            let deal = ProvedDeal::of_line(line, &sources);
            let deal = deal.ok_or_else(|| {
                at_line(
                    "no proved deal: such a line is 'boar crab,frog dragon,tiger first 23 \
                     c5c3:crab a', and 'source a ..' is before it",
                )
            })?;
            deals.add(deal).map_err(|fault| at_line(&fault))?;
        }
        Ok(deals)
    }

    /// Returns the text, which [`ProvedDeals::of_text`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut sources: Vec<&str> = self.iter().map(|deal| deal.source.as_str()).collect();
        sources.sort_unstable();
        sources.dedup();
        let mut text = String::from(HEADING);
        for (number, source) in sources.iter().enumerate() {
            text += &format!("source {} {source}\n", letters(number));
        }
        for deal in self.iter() {
            let number = sources.iter().position(|source| *source == deal.source);
            text += &format!("{} {}\n", deal.line(), letters(number.unwrap_or_default()));
        }
        text
    }

    /// Returns the deals by the names of their cards.
    pub fn iter(&self) -> impl Iterator<Item = &ProvedDeal> {
        self.0.values()
    }

    /// Adds a deal. Of one that is there already, the proof with the fewest plies stays. Returns
    /// true if the deal is new or has fewer plies.
    ///
    /// # Errors
    /// A sentence, if another winner is known.
    pub fn add(&mut self, deal: ProvedDeal) -> Result<bool, String> {
        if let Some(known) = self.0.get(&deal.cards) {
            if known.value != deal.value {
                return Err(format!(
                    "'{}' contradicts '{}': one of them is wrong",
                    deal.line(),
                    known.line()
                ));
            }
            let plies = |deal: &ProvedDeal| deal.plies.unwrap_or(u16::MAX);
            if plies(known) <= plies(&deal) {
                return Ok(false);
            }
        }
        self.0.insert(deal.cards, deal);
        Ok(true)
    }

    /// Returns what is proved of the deal of a game, with its cards and its first move as in that
    /// game.
    #[must_use]
    pub fn of_game(&self, setup: &OnitamaSetup) -> Option<ProvedDeal> {
        let view = DealView::of(setup)?;
        let mut deal = self.0.get(&view.cards)?.clone();
        deal.best_move = match deal.best_move {
            Some(text) => Some(with_label(&view.moved(&text)?, setup)?),
            None => None,
        };
        Some(deal)
    }
}

impl DealView {
    /// Returns the view of a game; `None` if it is not the real one.
    fn of(setup: &OnitamaSetup) -> Option<Self> {
        let is_real = (setup.width, setup.height, setup.hand) == (5, 5, 2);
        if !is_real || setup.limits_students() {
            return None;
        }
        let names = setup.cards.iter().map(|card| base_name(card.built_in_name()?));
        let names: Vec<&str> = names.collect::<Option<_>>()?;
        let [aside, red, other_red, blue, other_blue] = DealtNames::try_from(names).ok()?;
        let is_turned = setup.first_player() == OnitamaPlayer::Blue;
        let cards = if is_turned {
            [aside, blue, other_blue, red, other_red]
        } else {
            [aside, red, other_red, blue, other_blue]
        };
        let (cards, is_mirrored) = first_of_images(cards);
        all_different(cards).then_some(Self { cards, is_turned, is_mirrored })
    }

    /// Returns a move, such as `c5c3:crab`, seen the other way. This is its own inverse.
    fn moved(self, text: &str) -> Option<String> {
        let (squares, card) = text.split_once(':')?;
        let &[a, b, c, d] = squares.as_bytes() else {
            return None;
        };
        let turn = |byte: u8, names: &str, is_reversed: bool| {
            let place = names.find(char::from(byte))?;
            let place = if is_reversed { names.len() - 1 - place } else { place };
            names[place..].chars().next()
        };
        let file = |byte| turn(byte, FILES, self.is_turned != self.is_mirrored);
        let rank = |byte| turn(byte, RANKS, self.is_turned);
        // The card of a game may have a name of its own.
        let card = match base_name(card) {
            Some(card) if self.is_mirrored => mirror_name(card),
            Some(card) => card,
            None => return None,
        };
        Some(format!("{}{}{}{}:{card}", file(a)?, rank(b)?, file(c)?, rank(d)?))
    }
}

/// Returns the spec of a deal, in which Red begins.
#[must_use]
pub fn deal_spec(cards: DealtNames) -> String {
    format!("onitama:5x5:{}:first=red", cards.join(","))
}

/// Returns a move with the card's name in a game.
fn with_label(text: &str, setup: &OnitamaSetup) -> Option<String> {
    let (squares, name) = text.split_once(':')?;
    let mut cards = setup.cards.iter();
    let card = cards.find(|card| card.built_in_name() == Some(name))?;
    Some(format!("{squares}:{}", card.label()))
}

/// Returns a name as a constant, if it is that of a card of the base game.
fn base_name(name: &str) -> Option<&'static str> {
    BASE.iter().map(|&(base, ..)| base).find(|base| *base == name)
}

/// Returns the name of the mirror image of a card of the base game, which is another one.
fn mirror_name(name: &'static str) -> &'static str {
    let image = built_in(name).and_then(|card| card.mirrored().built_in_name());
    image.unwrap_or(name)
}

/// Returns the mirror image of a deal, with sorted hands.
fn mirrored(cards: DealtNames) -> DealtNames {
    with_sorted_hands(cards.map(mirror_name))
}

fn with_sorted_hands([aside, a, b, c, d]: DealtNames) -> DealtNames {
    [aside, a.min(b), a.max(b), c.min(d), c.max(d)]
}

/// Returns the first of a deal and its mirror image, with sorted hands, and true if it is the
/// image.
fn first_of_images(cards: DealtNames) -> (DealtNames, bool) {
    let (own, image) = (with_sorted_hands(cards), mirrored(cards));
    if image < own { (image, true) } else { (own, false) }
}

fn all_different(cards: DealtNames) -> bool {
    (1..cards.len()).all(|i| !cards[..i].contains(&cards[i]))
}

/// Returns a number, from 0, as letters: a to z, then aa and on.
fn letters(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => String::from(last),
        rest => letters(rest - 1) + &String::from(last),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use hindsight_core::Wdl;

    use super::{ProvedDeal, ProvedDeals, SHIPPED, letters};
    use crate::onitama::OnitamaSetup;

    fn setup(spec: &str) -> OnitamaSetup {
        spec.parse().expect("a spec")
    }

    fn proved(spec: &str, best: &str) -> ProvedDeal {
        ProvedDeal::of_game(&setup(spec), Wdl::Win, Some(23), Some(best), "by hand")
            .expect("a deal")
    }

    #[test]
    fn the_shipped_text_is_small_and_in_its_form() {
        let shipped = ProvedDeals::shipped();
        assert_eq!(shipped.text(), SHIPPED);
        assert!(SHIPPED.len() <= 200_000, "{} bytes", SHIPPED.len());
    }

    /// A deal, the same with the players exchanged, and the mirror images of both are one, and each
    /// has the move on its own squares.
    #[test]
    fn images_of_a_deal_are_one() {
        let games = [
            ("onitama:5x5:boar,ox,crab,eel,tiger:first=red", "b5b4:ox"),
            ("onitama:5x5:boar,crab,ox,tiger,eel:first=red", "b5b4:ox"),
            ("onitama:5x5:boar,eel,tiger,ox,crab:first=blue", "d1d2:ox"),
            ("onitama:5x5:boar,horse,crab,cobra,tiger:first=red", "d5d4:horse"),
            ("onitama:5x5:boar,cobra,tiger,crab,horse:first=blue", "b1b2:horse"),
        ];
        let mut deals = ProvedDeals::default();
        for (spec, best) in games {
            let deal = proved(spec, best);
            assert_eq!(deal.line(), "boar crab,horse cobra,tiger first 23 d5d4:horse", "{spec}");
            assert_eq!(deal.images(), 2);
            deals.add(deal).expect("the same deal");
        }
        for (spec, best) in games {
            let found = deals.of_game(&setup(spec)).expect("a deal");
            assert_eq!(found.best_move.as_deref(), Some(best), "{spec}");
        }
        let wolf = "onitama:5x5:boar,wolf=(0,1)(0,-1)(1,0),crab,eel,tiger:first=red";
        let found = deals.of_game(&setup(wolf)).expect("a deal");
        assert_eq!(found.best_move.as_deref(), Some("b5b4:wolf"));
        for other in [
            "onitama:5x5:boar,eel,tiger,ox,crab:first=red",
            "onitama:5x5:boar,ox,crab,eel,tiger:first=red:students=3",
            "onitama:4x5:boar,ox,crab,eel,tiger:first=red",
            "onitama:5x5:boar,ox,crab,eel,bear:first=red",
        ] {
            assert_eq!(deals.of_game(&setup(other)), None, "{other}");
        }
        let text = deals.text();
        assert_eq!(ProvedDeals::of_text(&text), Ok(deals));
    }

    #[test]
    fn the_least_plies_stay_and_contradictions_are_told() {
        let spec = "onitama:5x5:boar,crab,monkey,crane,tiger:first=red";
        let mut deals = ProvedDeals::default();
        let mut add = |value, plies, best| {
            let deal = ProvedDeal::of_game(&setup(spec), value, plies, best, "by hand");
            deals.add(deal.expect("a deal"))
        };
        assert_eq!(add(Wdl::Win, None, Some("c5c4:crab")), Ok(true));
        assert_eq!(add(Wdl::Win, Some(31), Some("b5b4:crab")), Ok(true));
        assert_eq!(add(Wdl::Win, Some(33), Some("c5c4:crab")), Ok(false));
        let fault = add(Wdl::Loss, Some(30), None).expect_err("two winners");
        assert_eq!(
            fault,
            "'boar crab,monkey crane,tiger second 30 -' contradicts \
             'boar crab,monkey crane,tiger first 31 b5b4:crab': one of them is wrong"
        );
    }

    #[test]
    fn lines_that_are_no_deals_are_named() {
        for line in [
            "boar crab,frog dragon,tiger first 23 c5c3:crab b",
            "boar crab,frog dragon,tiger first 23 c5c3:crab",
            "boar crab,frog dragon,tiger first 23 c5c3:crab a a",
            "boar crab,frog dragon,tiger first 23 - a",
            "boar crab,frog dragon,tiger second 22 c5c3:crab a",
            "boar crab,frog dragon,tiger draw 22 c5c3:crab a",
            "boar crab,frog dragon,tiger third 22 - a",
            "boar crab,frog dragon,tiger first 23 c5f3:crab a",
            "boar crab,frog dragon,tiger first 23 c5c3 a",
            "boar crab,frog dragon,bear first 23 c5c3:crab a",
            "boar crab,frog dragon,crab first 23 c5c3:crab a",
            "boar crab dragon,tiger first 23 c5c3:crab a",
            // Its mirror image has the horse, and comes first.
            "boar crab,frog dragon,tiger first 99999 c5c3:crab a",
            "boar crab,ox eel,tiger first 23 c5c3:crab a",
            "boar frog,crab dragon,tiger first 23 c5c3:crab a",
        ] {
            let text = String::from("# text\nsource a by hand\n") + line;
            let fault = ProvedDeals::of_text(&text);
            let fault = fault.expect_err(line);
            assert!(fault.starts_with("line 3: no proved deal"), "{line}: {fault}");
        }
    }

    #[test]
    fn numbers_have_letters() {
        assert_eq!(
            [0, 25, 26, 701, 702].map(letters),
            ["a", "z", "aa", "zz", "aaa"].map(String::from)
        );
    }
}
