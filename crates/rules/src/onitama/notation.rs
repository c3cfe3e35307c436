use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Grid, Notation, ParseError, Scope, TextToken, Wdl,
    parse_move_by_text,
};

use super::cards::deck::split_cards;
use super::position::CAPTURED;
use super::{Bitboard, Card, Onitama, OnitamaMove, OnitamaPlayer, OnitamaPosition};

impl<W: Bitboard> Onitama<W> {
    fn sign(&self, position: OnitamaPosition<W>, square: u8) -> Option<char> {
        let on = |player: OnitamaPlayer| position.pieces(player) >> square & 1 == 1;
        let is_master = |player: OnitamaPlayer| position.master(player) == Some(square);
        match (on(OnitamaPlayer::Red), on(OnitamaPlayer::Blue)) {
            (true, _) => Some(if is_master(OnitamaPlayer::Red) { 'R' } else { 'r' }),
            (_, true) => Some(if is_master(OnitamaPlayer::Blue) { 'B' } else { 'b' }),
            _ => None,
        }
    }

    fn format_row(&self, position: OnitamaPosition<W>, row: u8) -> String {
        let width = self.setup().width;
        let mut text = String::new();
        let mut empty = 0;
        for column in 0..width {
            match self.sign(position, row * width + column) {
                None => empty += 1,
                Some(sign) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    text.push(sign);
                    empty = 0;
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    }

    fn parse_board(&self, text: &str) -> Result<([u64; 2], [u8; 2]), ParseError> {
        let (width, height) = (self.setup().width, self.setup().height);
        let mut pieces = [0_u64; 2];
        let mut masters = [CAPTURED; 2];
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != usize::from(height) {
            let message =
                format!("the board has {height} rows with '/' between them, not {}", rows.len());
            return Err(ParseError::new(0, message).spanning(text.len()));
        }
        let mut at = 0;
        for (row, text) in (0..height).zip(rows) {
            let wrong = |i: usize, message: String| Err(ParseError::new(at + i, message));
            let mut column = 0_u32;
            let mut digits = 0_u32;
            for (i, sign) in text.char_indices() {
                if let Some(digit) = sign.to_digit(10) {
                    digits = digits.saturating_mul(10).saturating_add(digit).min(1000);
                    let more = text[i + 1..].starts_with(|c: char| c.is_ascii_digit());
                    if !more {
                        column = column.saturating_add(core::mem::take(&mut digits));
                    }
                    continue;
                }
                let (player, is_master) = match sign {
                    'R' => (0, true),
                    'r' => (0, false),
                    'B' => (1, true),
                    'b' => (1, false),
                    _ => {
                        return wrong(
                            i,
                            format!(
                                "'{sign}' is no piece; there are R r B b and numbers of empty \
                                 squares"
                            ),
                        );
                    }
                };
                column = column.saturating_add(1);
                if column > u32::from(width) {
                    break;
                }
                let square = row * width + column as u8 - 1;
                if is_master && masters[player] != CAPTURED {
                    return wrong(i, format!("a second '{sign}': a player has one master"));
                }
                if is_master {
                    masters[player] = square;
                }
                pieces[player] |= 1 << square;
            }
            if column != u32::from(width) {
                let message = format!("row {} from the top is not {width} squares wide", row + 1);
                return Err(ParseError::new(at, message).spanning(text.len()));
            }
            at += text.len() + 1;
        }
        let most = u32::from(self.setup().students_per_side());
        for player in [OnitamaPlayer::Red, OnitamaPlayer::Blue] {
            let master = u32::from(masters[player as usize] != CAPTURED);
            let students = pieces[player as usize].count_ones() - master;
            if students > most {
                let message = format!(
                    "{} has {students} students; this game has at most {most} a side",
                    player.name()
                );
                return Err(ParseError::new(0, message).spanning(text.len()));
            }
        }
        Ok((pieces, masters))
    }

    /// The text of a move with its card as moves show it; `None` if it names no card of the game.
    fn with_shown_card(&self, text: &str) -> Option<String> {
        let (squares, card) = text.trim().split_once(':')?;
        let card = self.deck.parse_card(&card.to_ascii_lowercase()).ok()?;
        let kind = self.kinds().iter().find(|kind| **kind == card)?;
        Some(format!("{squares}:{}", kind.label()))
    }

    fn parse_pile(
        &self,
        pile: TextToken<'_>,
        owner: &str,
        cards: u8,
    ) -> Result<Vec<Card>, ParseError> {
        let names: Vec<String> = self.kinds().iter().map(Card::label).collect();
        let mut parsed = Vec::new();
        for name in split_cards(pile.text) {
            let at = pile.at + name.at;
            let card = self
                .deck
                .parse_card(&name.text.to_ascii_lowercase())
                .map_err(|error| error.shifted(at))?;
            if !self.kinds().contains(&card) {
                let message = format!(
                    "the card {} is not in this game, which has {}",
                    name.text,
                    names.join(", ")
                );
                return Err(ParseError::new(at, message));
            }
            parsed.push(card);
        }
        if parsed.len() == usize::from(cards) {
            return Ok(parsed);
        }
        let plural = if cards == 1 { "" } else { "s" };
        pile.reject(format!("{owner} has {cards} card{plural}, not {}", parsed.len()))
    }
}

impl<W: Bitboard> Notation for Onitama<W> {
    fn spec(&self) -> String {
        self.setup().spec()
    }

    fn rules_spec(&self) -> String {
        self.setup().rules_spec()
    }

    /// Returns [`Scope::All`] with a limit on the students, which asks for an endgame: its
    /// positions need not be reachable from the start.
    fn default_scope(&self) -> Scope {
        if self.setup().limits_students() { Scope::All } else { Scope::Reachable }
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["Red", "Blue"]
    }

    /// Returns `stone` if a master is captured, else `stream`: a master is on the opponent's arch.
    fn win_condition(&self, finished: OnitamaPosition<W>) -> Option<&'static str> {
        self.terminal(finished)?;
        let taken = [OnitamaPlayer::Red, OnitamaPlayer::Blue]
            .map(|player| finished.master(player).is_none());
        Some(if taken.contains(&true) { "stone" } else { "stream" })
    }

    /// Rows from the top with `/` between them, Red's hand, Blue's hand, the card aside, the player
    /// to move: `rRr/3/3/bBb boar,boar boar,boar boar red`.
    fn format(&self, position: OnitamaPosition<W>) -> String {
        let rows: Vec<String> =
            (0..self.setup().height).map(|row| self.format_row(position, row)).collect();
        let [red, blue, aside] = [0, 1, 2].map(|pile| self.pile_labels(position, pile).join(","));
        format!("{} {red} {blue} {aside} {}", rows.join("/"), position.player().name())
    }

    fn parse(&self, text: &str) -> Result<OnitamaPosition<W>, ParseError> {
        let fields = TextToken::words(text);
        let [board, red, blue, aside, turn] = fields[..] else {
            let message = format!(
                "a position has five parts (board, Red's hand, Blue's hand, card aside, red or \
                 blue), such as '{}'; this has {}",
                self.format(self.start()),
                fields.len()
            );
            return Err(ParseError::new(0, message));
        };
        let (pieces, masters) =
            self.parse_board(board.text).map_err(|error| error.shifted(board.at))?;
        let hand = self.setup().hand;
        let piles = [
            self.parse_pile(red, "Red's hand", hand)?,
            self.parse_pile(blue, "Blue's hand", hand)?,
            self.parse_pile(aside, "the side", 1)?,
        ];
        let [red_hand, blue_hand, side] = &piles;
        let deal = self.deal_of([red_hand, blue_hand, side]).ok_or_else(|| {
            let labels: Vec<String> = self.setup().cards.iter().map(Card::label).collect();
            let labels = labels.join(", ");
            let message = format!("these are not the cards of this game: {labels}");
            ParseError::new(red.at, message).spanning(aside.end() - red.at)
        })?;
        let player = OnitamaPlayer::from_name(turn.text).ok_or_else(|| {
            ParseError::new(turn.at, format!("it is the turn of red or blue, not '{}'", turn.text))
        })?;
        let position = OnitamaPosition::new(pieces, masters, deal, player);
        let other = OnitamaPosition::new(pieces, masters, deal, player.opponent());
        // The last move cannot have been a loss for its own player: a move ends the game only by
        // winning.
        if self.terminal(other) == Some(Wdl::Loss) {
            let name = player.opponent().name();
            return Err(ParseError::new(
                turn.at,
                format!("{} cannot be to move: {name} had lost before", player.name()),
            ));
        }
        Ok(position)
    }

    /// Origin, target, colon, card: `b1b2:boar`; `pass:boar` for a pass.
    fn format_move(&self, _: OnitamaPosition<W>, mv: OnitamaMove) -> String {
        let card = self.kinds()[usize::from(mv.kind)].label();
        match mv.from {
            OnitamaMove::PASS => format!("pass:{card}"),
            _ => format!("{}{}:{card}", self.square_name(mv.from), self.square_name(mv.to)),
        }
    }

    /// The card may have any text that a position may have for it.
    fn parse_move(
        &self,
        position: OnitamaPosition<W>,
        text: &str,
    ) -> Result<OnitamaMove, ParseError> {
        let as_shown = parse_move_by_text(self, position, text);
        as_shown.or_else(|error| match self.with_shown_card(text) {
            Some(shown) => parse_move_by_text(self, position, &shown).map_err(|_| error),
            None => Err(error),
        })
    }

    fn drawing(&self, position: OnitamaPosition<W>) -> Drawing {
        self.picture(position)
    }

    fn drawn_move(&self, position: OnitamaPosition<W>, mv: OnitamaMove) -> Option<DrawnMove> {
        Some(self.picture_of_move(position, mv))
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }

    fn diagram(&self, position: OnitamaPosition<W>) -> String {
        let (width, height) = (self.setup().width, self.setup().height);
        let arches =
            [self.board().arch(OnitamaPlayer::Red), self.board().arch(OnitamaPlayer::Blue)];
        let mut lines = Grid::new(width, height).diagram_lines(|square| {
            let empty = if arches.contains(&square) { '+' } else { '.' };
            self.sign(position, square).unwrap_or(empty)
        });
        let last = usize::from(height);
        for (line, label, pile) in [(0, "Red", 0), (last - 1, "Blue", 1), (last, "aside", 2)] {
            let cards = self.pile_labels(position, pile).join("  ");
            lines[line].push_str(&format!("   {label:<6} {cards}"));
        }
        lines.join("\n")
    }
}
