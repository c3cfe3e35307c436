//! The players beside a board on paper, their cards, and the words below a board.

use hindsight_core::{Drawing, DrawnCard};

use super::layout::line_size;
use crate::canvas::Canvas;
use crate::cards::{CARD_HEIGHT, CARD_WIDTH, draw_card};
use crate::colors::{INK, PlayerColors};
use crate::picture::{Anchor, Paint};
use crate::seats::name_text;

/// Height of a player's line.
const LINE: f64 = 13.0;
/// Size of a player's name.
const NAME: f64 = 8.5;
/// Room between two cards.
const CARD_GAP: f64 = 7.0;
/// Most that a card is wide, as a part of its own width.
const MOST_SCALE: f64 = 0.62;
/// Room for the sign before a name.
const NAME_LEFT: f64 = 21.0;

/// Draws the players in a panel of some width and height, the one at the top above the other.
pub(super) fn draw_panel(canvas: &mut Canvas, drawing: &Drawing, panel: [f64; 2]) {
    let [width, height] = panel;
    let cards = CardPlaces::new(drawing, width, height);
    for player in [0, 1] {
        let is_at_top = drawing.is_at_top(player);
        let line = if is_at_top { 0.0 } else { height - LINE };
        canvas.within(0.0, line, |canvas| {
            draw_name(canvas, drawing, player, width);
        });
        let row = if is_at_top { LINE } else { height - LINE - cards.height() };
        let hand = &drawing.seats[player].cards;
        cards.draw(canvas, 0.0, row, hand, is_at_top);
    }
    // The card aside goes to the player to move.
    let to_move = drawing.player_to_move;
    let is_turned = to_move.is_some_and(|player| drawing.is_at_top(player));
    let row = (height - cards.height()) / 2.0;
    let column = cards.columns as f64 * cards.step();
    cards.draw(canvas, column, row, &drawing.cards_aside, is_turned);
    if !drawing.note.is_empty() {
        let size = line_size(&drawing.note, width, NAME - 1.0);
        canvas.text(0.0, height / 2.0 + 2.0, size, Anchor::Start, &drawing.note);
    }
}

fn draw_name(canvas: &mut Canvas, drawing: &Drawing, player: usize, width: f64) {
    let is_to_move = drawing.player_to_move == Some(player);
    let seat = &drawing.seats[player];
    let name = name_text(seat, is_to_move);
    let paint = Paint { width: 1.2, ..PlayerColors::of(seat).paint() };
    canvas.circle(14.5, 6.5, 4.2, paint);
    let size = line_size(&name, width - NAME_LEFT, NAME);
    canvas.text(NAME_LEFT, 9.5, size, Anchor::Start, &name);
    if is_to_move {
        let paint = Paint::new(INK, INK, 0.5);
        canvas.path("M 0 3.5 L 6.5 6.5 L 0 9.5 Z", paint);
    }
}

/// Size of the cards in a panel: hands in two rows, and cards aside to the right of them.
struct CardPlaces {
    scale: f64,
    /// Most cards of a hand.
    columns: usize,
}

impl CardPlaces {
    fn new(drawing: &Drawing, width: f64, height: f64) -> Self {
        let hands = drawing.seats.iter().map(|seat| seat.cards.len());
        let columns = hands.max().unwrap_or(0);
        let across = (columns + drawing.cards_aside.len()).max(1) as f64;
        let scales = [
            (width / across - CARD_GAP) / CARD_WIDTH,
            (height / 2.0 - LINE - CARD_GAP / 2.0) / CARD_HEIGHT,
            MOST_SCALE,
        ];
        let scale = scales.into_iter().fold(f64::INFINITY, f64::min);
        Self { scale: (1000.0 * scale).floor() / 1000.0, columns }
    }

    /// Returns the distance from a card to the next.
    fn step(&self) -> f64 {
        self.scale * CARD_WIDTH + CARD_GAP
    }

    fn height(&self) -> f64 {
        self.scale * CARD_HEIGHT
    }

    /// Draws a row of cards.
    fn draw(&self, canvas: &mut Canvas, x: f64, y: f64, cards: &[DrawnCard], is_turned: bool) {
        for (i, card) in cards.iter().enumerate() {
            let x = x + i as f64 * self.step();
            canvas.scaled(x, y, self.scale, |canvas| {
                draw_card(canvas, card, is_turned);
            });
        }
    }
}
