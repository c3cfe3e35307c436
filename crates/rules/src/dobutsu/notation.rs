//! Texts of positions and moves of dobutsu shogi.

use alloc::{format, string::String, vec::Vec};

use hindsight_core::{
    Drawing, DrawnMove, Game, Notation, ParseError, TextToken, Wdl, parse_move_by_text,
};

use super::picture::{GRID, KIND_NAMES, stock};
use super::side::{DobutsuSide, HAND_KINDS, LION};
use super::squares::{Forward, TURNED};
use super::{Dobutsu, DobutsuMove, DobutsuPosition};

/// Signs of the kinds of pieces, of South in capital letters.
const SIGNS: [char; 5] = ['L', 'G', 'E', 'C', 'H'];

/// Names of the players in the texts of positions.
const TURNS: [&str; 2] = ["south", "north"];

impl DobutsuPosition {
    /// Pieces of South and of North, as South sees the board.
    pub(super) fn sides(self) -> [DobutsuSide; 2] {
        match self.player {
            0 => [self.own, self.other],
            _ => [self.other, self.own].map(|side| side.image(&TURNED)),
        }
    }

    fn of_sides(player: u8, [south, north]: [DobutsuSide; 2]) -> Self {
        let [own, other] = match player {
            0 => [south, north],
            _ => [north, south].map(|side| side.image(&TURNED)),
        };
        Self { player, own, other }
    }
}

/// Signs of the pieces in hand, or `-`.
fn hand_text(side: &DobutsuSide, player: usize) -> String {
    let signs = HAND_KINDS.map(|kind| {
        let sign = String::from(sign_of(kind, player));
        sign.repeat((*side.in_hand(kind)).into())
    });
    match signs.concat() {
        text if text.is_empty() => "-".into(),
        text => text,
    }
}

/// Sign of a kind of pieces, of South in capital letters.
pub(super) fn sign_of(kind: usize, player: usize) -> char {
    match player {
        0 => SIGNS[kind],
        _ => SIGNS[kind].to_ascii_lowercase(),
    }
}

/// Reads the rows of a board. Capital letters are pieces of South.
fn parse_board(board: TextToken<'_>) -> Result<[DobutsuSide; 2], ParseError> {
    // The rows are read without regard to case first, for the faults of all boards.
    GRID.parse(board.text, SIGNS).map_err(|fault| fault.shifted(board.at))?;
    let mut sides = [DobutsuSide::default(); 2];
    let letters = board.text.chars().filter(|&letter| letter != '/');
    for (square, letter) in letters.enumerate() {
        let is_north = letter.is_ascii_lowercase();
        let kind = SIGNS.iter().position(|sign| sign.eq_ignore_ascii_case(&letter));
        if let Some(kind) = kind {
            sides[usize::from(is_north)].board[kind] |= 1 << square;
        }
    }
    Ok(sides)
}

/// Reads the pieces in hand.
fn parse_hand(hand: TextToken<'_>, side: &mut DobutsuSide) -> Result<(), ParseError> {
    if hand.text == "-" {
        return Ok(());
    }
    for letter in hand.text.chars() {
        let is_kind = |&kind: &usize| SIGNS[kind].eq_ignore_ascii_case(&letter);
        let Some(kind) = HAND_KINDS.into_iter().find(is_kind) else {
            return hand.reject(format!(
                "a hand is G, E and C for giraffe, elephant and chick, or -, not '{}'",
                hand.text
            ));
        };
        let held = side.in_hand_mut(kind);
        *held = held.saturating_add(1);
    }
    Ok(())
}

/// Checks that there are as many pieces as in the game.
fn check_pieces(sides: &[DobutsuSide; 2], board: TextToken<'_>) -> Result<(), ParseError> {
    for (name, side) in ["South", "North"].iter().zip(sides) {
        let lions = side.board[LION].count_ones();
        if lions > 1 {
            return board.reject(format!("{name} has {lions} lions, not one"));
        }
    }
    for kind in HAND_KINDS {
        let count: u32 = sides.iter().map(|side| side.count(kind)).sum();
        if count != 2 {
            let name = KIND_NAMES[kind];
            let hens = if SIGNS[kind] == 'C' { " or hens" } else { "" };
            return board.reject(format!(
                "there are two {name}s{hens}, on the board and in hand, not {count}"
            ));
        }
    }
    Ok(())
}

/// Returns a position of SFEN, such as `gle/1c1/1C1/ELG b - 1`, in our own form; `None` if it is no
/// SFEN. South is Black, which begins.
fn text_of_sfen(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (&[board, turn, hands] | &[board, turn, hands, _]) = &words[..] else {
        return None;
    };
    let turn = TURNS[["b", "w"].iter().position(|&side| side == turn)?];
    let board = board.replace("+C", "H").replace("+c", "h");
    let board = board.replace('1', ".").replace('2', "..").replace('3', "...");
    let mut sides = [String::new(), String::new()];
    let mut count = 1;
    for sign in hands.chars().filter(|&sign| sign != '-') {
        match sign.to_digit(10) {
            Some(digit) => count = digit as usize,
            None => {
                let side = usize::from(sign.is_ascii_lowercase());
                sides[side].extend(core::iter::repeat_n(sign, count));
                count = 1;
            }
        }
    }
    let [south, north] = sides.map(|hand| if hand.is_empty() { "-".into() } else { hand });
    Some(format!("{board} {south} {north} {turn}"))
}

/// Returns a move of USI, such as `2c2b` or `C*2b`, in our own form; `None` if it is none. Columns
/// are numbers from the right, rows letters from the top. `+` marks a chick that becomes a hen.
fn text_of_usi(text: &str) -> Option<String> {
    let square = |column: u8, row: u8| {
        let (column, row) = (b'3'.checked_sub(column)?, row.checked_sub(b'a')?);
        let is_on_board = column < 3 && row < 4;
        is_on_board.then(|| GRID.square_name(row * 3 + column))
    };
    match *text.strip_suffix('+').unwrap_or(text).to_ascii_lowercase().as_bytes() {
        [piece, b'*', column, row] => {
            let is_named = |kind: &usize| SIGNS[*kind].eq_ignore_ascii_case(&char::from(piece));
            let kind = HAND_KINDS.into_iter().find(is_named)?;
            Some(format!("{}:{}", square(column, row)?, KIND_NAMES[kind]))
        }
        [from, from_row, to, to_row] => {
            Some(format!("{}{}", square(from, from_row)?, square(to, to_row)?))
        }
        _ => None,
    }
}

impl Notation for Dobutsu {
    fn spec(&self) -> String {
        Self::ENTRY.name.into()
    }
    fn player_names(&self) -> [&'static str; 2] {
        ["South", "North"]
    }
    fn format(&self, position: DobutsuPosition) -> String {
        let sides = position.sides();
        let sets: Vec<(char, u64)> = (0..2)
            .flat_map(|player| (0..5).map(move |kind| (player, kind)))
            .map(|(player, kind)| {
                let set = u64::from(sides[player].board[kind]);
                (sign_of(kind, player), set)
            })
            .collect();
        let [south, north] = [0, 1].map(|player| hand_text(&sides[player], player));
        let turn = TURNS[usize::from(position.player)];
        format!("{} {south} {north} {turn}", GRID.format(&sets))
    }
    fn parse(&self, text: &str) -> Result<DobutsuPosition, ParseError> {
        // The start by its name in USI.
        if text.trim() == "startpos" {
            return Ok(self.start());
        }
        if let Some(text) = text_of_sfen(text) {
            let moved = |error: ParseError| ParseError { offset: 0, ..error };
            return self.parse(&text).map_err(moved);
        }
        let [board, south, north, turn] = TextToken::words(text)[..] else {
            let message = "a position is its rows, the hands of South and North, and who moves";
            let start = self.format(self.start());
            return Err(ParseError::new(0, format!("{message}: {start}")));
        };
        let player = turn.turn(TURNS)?;
        let mut sides = parse_board(board)?;
        parse_hand(south, &mut sides[0])?;
        parse_hand(north, &mut sides[1])?;
        check_pieces(&sides, board)?;
        let position = DobutsuPosition::of_sides(player, sides);
        if position.other.board[LION] == 0 {
            return board.reject("the side that is not to move has no lion; only a loser may");
        }
        Ok(position)
    }
    fn format_move(&self, position: DobutsuPosition, mv: DobutsuMove) -> String {
        let name = |square| self.cell(position, square).name();
        match mv.from {
            Some(from) => format!("{}{}", name(from), name(mv.to)),
            None => format!("{}:{}", name(mv.to), KIND_NAMES[usize::from(mv.kind)]),
        }
    }
    /// Reads a move as it is printed, or as in USI.
    fn parse_move(&self, position: DobutsuPosition, text: &str) -> Result<DobutsuMove, ParseError> {
        let as_shown = parse_move_by_text(self, position, text);
        as_shown.or_else(|error| match text_of_usi(text.trim()) {
            Some(shown) => parse_move_by_text(self, position, &shown).map_err(|_| error),
            None => Err(error),
        })
    }
    fn diagram(&self, position: DobutsuPosition) -> String {
        let sides = position.sides();
        let sign = |square: u8| {
            let kind = |side: &DobutsuSide| side.kind_on(1 << square);
            let pieces = (0..2).find_map(|player| Some(sign_of(kind(&sides[player])?, player)));
            pieces.unwrap_or('.')
        };
        let mut lines = GRID.diagram_lines(sign);
        for (name, side) in self.player_names().iter().zip(&sides) {
            let stock = stock(side);
            if !stock.is_empty() {
                lines.push(format!("    {name} has in hand: {stock}"));
            }
        }
        lines.join("\n")
    }
    fn drawing(&self, position: DobutsuPosition) -> Drawing {
        self.picture(position)
    }
    fn drawn_move(&self, position: DobutsuPosition, mv: DobutsuMove) -> Option<DrawnMove> {
        self.picture_of_move(position, mv)
    }
    fn win_condition(&self, finished: DobutsuPosition) -> Option<&'static str> {
        let DobutsuPosition { own, other, .. } = finished;
        let tries = [
            own.board[LION] & Forward::Up.last_row(),
            other.board[LION] & Forward::Down.last_row(),
        ];
        let is_over = self.terminal(finished).is_some_and(|wdl| wdl != Wdl::Draw);
        is_over.then_some(if own.board[LION] == 0 {
            "capture"
        } else if tries != [0; 2] {
            "try"
        } else {
            "stuck"
        })
    }
}
