//! The players beside the board: names, whose turn it is, cards and stock.

use hindsight_core::{Drawing, DrawnCard, DrawnSeat};

use crate::canvas::Canvas;
use crate::cards::{CARD_HEIGHT, CARD_WIDTH, draw_card};
use crate::colors::{INK, PlayerColors};
use crate::picture::{Anchor, Paint};
use crate::text_width::text_width;

/// Room between the board and the players.
pub(crate) const PANEL_GAP: f64 = 22.0;
/// Room between two cards.
const CARD_GAP: f64 = 14.0;
/// Height of a player's name.
const NAME_HEIGHT: f64 = 28.0;
/// Size of the letters of a name and of what the player has in hand.
const LETTER_SIZE: f64 = 15.0;
/// Room for the sign before a name.
const NAME_LEFT: f64 = 24.0;

fn cards_width(cards: &[DrawnCard]) -> f64 {
    cards.len() as f64 * (CARD_WIDTH + CARD_GAP)
}

fn seat_height(seat: &DrawnSeat) -> f64 {
    if seat.cards.is_empty() { NAME_HEIGHT } else { NAME_HEIGHT + CARD_HEIGHT }
}

fn aside_height(drawing: &Drawing) -> f64 {
    if drawing.cards_aside.is_empty() { 0.0 } else { CARD_HEIGHT + CARD_GAP }
}

/// Returns the least width and height of the panel of the players.
pub(crate) fn panel_size(drawing: &Drawing) -> (f64, f64) {
    let widths = drawing.seats.iter().map(|seat| {
        let name = (LETTER_SIZE * text_width(&name_text(seat, true))).ceil();
        cards_width(&seat.cards).max(NAME_LEFT + name)
    });
    let width = widths.fold(cards_width(&drawing.cards_aside), f64::max);
    let seats: f64 = drawing.seats.iter().map(seat_height).sum();
    (width, seats + aside_height(drawing) + CARD_GAP)
}

/// Draws the players above and below the cards that nobody holds, in a panel of some height.
pub(crate) fn draw_seats(canvas: &mut Canvas, drawing: &Drawing, height: f64) {
    let [mut top, mut bottom] = [0.0; 2];
    for player in [0, 1] {
        let seat_height = seat_height(&drawing.seats[player]);
        let y = if drawing.is_at_top(player) {
            top += seat_height;
            0.0
        } else {
            bottom += seat_height;
            height - seat_height
        };
        canvas.within(0.0, y, |canvas| draw_seat(canvas, drawing, player));
    }
    let aside_y = top + (height - top - bottom - CARD_HEIGHT) / 2.0;
    // The card aside goes to the player to move.
    let to_move = drawing.player_to_move;
    let is_turned = to_move.is_some_and(|player| drawing.is_at_top(player));
    canvas.within(0.0, aside_y, |canvas| {
        draw_cards(canvas, &drawing.cards_aside, is_turned);
    });
}

fn draw_seat(canvas: &mut Canvas, drawing: &Drawing, player: usize) {
    let (seat, is_at_top) = (&drawing.seats[player], drawing.is_at_top(player));
    let is_to_move = drawing.player_to_move == Some(player);
    let (name_y, cards_y) =
        if is_at_top || seat.cards.is_empty() { (0.0, NAME_HEIGHT) } else { (CARD_HEIGHT, 0.0) };
    canvas.within(0.0, name_y, |canvas| draw_name(canvas, seat, is_to_move));
    canvas.within(0.0, cards_y, |canvas| {
        draw_cards(canvas, &seat.cards, is_at_top);
    });
}

/// Returns the name of a player, with what is in hand, and if the player is to move.
pub(crate) fn name_text(seat: &DrawnSeat, is_to_move: bool) -> String {
    let to_move = if is_to_move { " to move" } else { "" };
    match seat.stock.as_str() {
        "" => format!("{}{to_move}", seat.name),
        stock => format!("{}{to_move}, {stock}", seat.name),
    }
}

fn draw_name(canvas: &mut Canvas, seat: &DrawnSeat, is_to_move: bool) {
    canvas.circle(9.0, 12.0, 8.0, PlayerColors::of(seat).paint());
    let name = name_text(seat, is_to_move);
    canvas.text(NAME_LEFT, 17.0, LETTER_SIZE, Anchor::Start, &name);
    if is_to_move {
        let paint = Paint::new(INK, INK, 1.0);
        canvas.path("M -16 6 L -5 12 L -16 18 Z", paint);
    }
}

fn draw_cards(canvas: &mut Canvas, cards: &[DrawnCard], is_turned: bool) {
    for (i, card) in cards.iter().enumerate() {
        let x = i as f64 * (CARD_WIDTH + CARD_GAP);
        canvas.within(x, 0.0, |canvas| draw_card(canvas, card, is_turned));
    }
}
