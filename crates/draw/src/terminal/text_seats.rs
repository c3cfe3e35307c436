//! The players as text: whose turn it is, cards and what they have in hand.

use hindsight_core::{Drawing, DrawnCard};
use unicode_width::UnicodeWidthStr;

use super::inks::Ink;
use super::signs::{TO_MOVE, player_sign};
use super::text_canvas::{TextCanvas, start_of};
use crate::seats::name_text;

/// Columns before the name of a player: those of [`TO_MOVE`] and of the sign of a piece.
pub(super) const NAME_INDENT: usize = 4;
/// Columns before the cards of a player.
const CARDS_INDENT: usize = 2;
/// Columns of a card.
const CARD_WIDTH: usize = 9;
/// Columns of a card with the room beside it.
const CARD_STEP: usize = CARD_WIDTH + 3;
/// Lines of a card with its name.
const CARD_HEIGHT: usize = 6;
/// Lines of a player with cards, and of the card that nobody holds with its heading.
const SEAT_HEIGHT: usize = CARD_HEIGHT + 1;
/// Lines of two players with cards.
pub(super) const CARDS_HEIGHT: usize = 2 * SEAT_HEIGHT + 1;

pub(super) fn has_cards(drawing: &Drawing) -> bool {
    !drawing.cards_aside.is_empty() || drawing.seats.iter().any(|seat| !seat.cards.is_empty())
}

fn most_cards(drawing: &Drawing) -> usize {
    let hands = drawing.seats.iter().map(|seat| seat.cards.len());
    hands.max().unwrap_or(0)
}

/// Returns the columns of the players with their cards as grids.
pub(super) fn grids_width(drawing: &Drawing) -> usize {
    let cards = most_cards(drawing) + drawing.cards_aside.len();
    let names = [0, 1].map(|player| NAME_INDENT + name_of(drawing, player).width());
    (CARDS_INDENT + CARD_STEP * cards).max(names[0]).max(names[1])
}

/// Returns the name of a player, with what is in hand but without cards.
fn name_of(drawing: &Drawing, player: usize) -> String {
    name_text(&drawing.seats[player], drawing.player_to_move == Some(player))
}

fn card_names(cards: &[DrawnCard]) -> String {
    let names = cards.iter().map(|card| card.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Returns all that is said of a player in words.
pub(super) fn seat_words(drawing: &Drawing, player: usize) -> String {
    let name = name_of(drawing, player);
    match drawing.seats[player].cards.as_slice() {
        [] => name,
        cards => format!("{name}: {}", card_names(cards)),
    }
}

/// Returns the cards that nobody holds in words; empty if there are none.
pub(super) fn aside_words(drawing: &Drawing) -> String {
    match drawing.cards_aside.as_slice() {
        [] => String::new(),
        cards => format!("aside: {}", card_names(cards)),
    }
}

/// Writes the signs before the name of a player.
pub(super) fn put_signs(
    canvas: &mut TextCanvas,
    column: usize,
    line: usize,
    drawing: &Drawing,
    player: usize,
) {
    if drawing.player_to_move == Some(player) {
        canvas.put_sign(column, line, TO_MOVE, Ink::STRONG);
    }
    if let Some((sign, ink)) = player_sign(drawing, player) {
        canvas.put_sign(column + 2, line, sign, ink);
    }
}

/// Draws the players with their cards as grids, in a panel of some height, from a column on.
pub(super) fn draw_grids(canvas: &mut TextCanvas, drawing: &Drawing, column: usize, height: usize) {
    for player in [0, 1] {
        let is_at_top = drawing.is_at_top(player);
        let cards = &drawing.seats[player].cards;
        let [name_line, cards_line] =
            if is_at_top { [0, 1] } else { [height - 1, height - 1 - CARD_HEIGHT] };
        put_signs(canvas, column, name_line, drawing, player);
        let name = name_of(drawing, player);
        canvas.put(column + NAME_INDENT, name_line, &name, Ink::PLAIN);
        let row =
            CardRow { cards, is_turned: is_at_top, ink: Ink::of_seat(&drawing.seats[player]) };
        row.draw(canvas, column + CARDS_INDENT, cards_line);
    }
    // The card aside goes to the player to move.
    let to_move = drawing.player_to_move;
    let row = CardRow {
        cards: &drawing.cards_aside,
        is_turned: to_move.is_some_and(|player| drawing.is_at_top(player)),
        ink: Ink::PLAIN,
    };
    let column = column + CARDS_INDENT + CARD_STEP * most_cards(drawing);
    let line = (height - SEAT_HEIGHT) / 2;
    canvas.put(column, line, "aside", Ink::PLAIN);
    row.draw(canvas, column, line + 1);
}

/// Cards beside each other.
struct CardRow<'a> {
    cards: &'a [DrawnCard],
    /// True for the player at the top.
    is_turned: bool,
    /// Colour of the squares to which the cards move a piece.
    ink: Ink,
}

impl CardRow<'_> {
    fn draw(&self, canvas: &mut TextCanvas, column: usize, line: usize) {
        for (card, place) in self.cards.iter().zip(0..) {
            let column = column + CARD_STEP * place;
            canvas.put(column, line, &short_name(&card.name), Ink::PLAIN);
            self.draw_steps(canvas, card, column, line + 1);
        }
    }

    fn draw_steps(&self, canvas: &mut TextCanvas, card: &DrawnCard, column: usize, line: usize) {
        let turn = if self.is_turned { -1 } else { 1 };
        for (up, line) in (-2..=2).rev().zip(line..) {
            for (right, column) in (-2..=2).zip((column..).step_by(2)) {
                let is_step = card.steps.contains(&(turn * right, turn * up));
                let (sign, ink) = match (right, up, is_step) {
                    (0, 0, false) => ('○', Ink::PLAIN),
                    (0, 0, true) => ('●', self.ink),
                    (_, _, false) => ('·', Ink::FAINT),
                    (_, _, true) => ('■', self.ink),
                };
                canvas.put_sign(column, line, sign, ink);
            }
        }
    }
}

/// Returns the name of a card, cut to the width of a card.
fn short_name(name: &str) -> String {
    if name.width() <= CARD_WIDTH {
        name.to_owned()
    } else {
        format!("{}..", start_of(name, CARD_WIDTH - 2))
    }
}
