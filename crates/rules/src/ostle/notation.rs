use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Grid, Notation, ParseError, Scope, TextToken,
    parse_move_by_text,
};

use super::picture::DIRECTIONS;
use super::{BasePosition, Ostle, OstleMove, OstlePosition, Rule8};

/// Black's pieces, White's pieces and the hole, as read from a text.
#[derive(Default)]
struct ParsedBoard {
    black: u32,
    white: u32,
    hole: u32,
}

impl Ostle {
    /// Letter for the content of a square.
    pub(super) fn letter(base: BasePosition, square: u8) -> char {
        let on = |side: u32| side >> square & 1 == 1;
        match (on(base.own), on(base.other)) {
            (false, false) if base.hole == square => 'O',
            (false, false) => '.',
            (own, _) if own == base.white => 'W',
            _ => 'B',
        }
    }

    /// Letters of a row, from the left; row 0 is the lowest.
    fn row_letters(&self, base: BasePosition, row: u8) -> impl Iterator<Item = char> {
        let size = self.setup().size;
        (0..size).map(move |column| Self::letter(base, column * size + row))
    }

    fn parse_row(
        &self,
        letters: TextToken<'_>,
        row: u8,
        board: &mut ParsedBoard,
    ) -> Result<(), ParseError> {
        let size = self.setup().size;
        let text = letters.text;
        let squares = text.chars().count();
        if squares != usize::from(size) {
            let noun = if squares == 1 { "square" } else { "squares" };
            let message = format!("'{text}' has {squares} {noun}; a row has {size}");
            return letters.reject(message);
        }
        for (column, (byte, letter)) in (0..size).zip(text.char_indices()) {
            let square = 1 << (column * size + row);
            match letter {
                'B' | 'b' => board.black |= square,
                'W' | 'w' => board.white |= square,
                'O' | 'o' => board.hole |= square,
                '.' => {}
                _ => {
                    let message = format!(
                        "'{letter}' is nothing on a square: it is B, W, O for the hole, or '.'"
                    );
                    return Err(ParseError::new(letters.at + byte, message));
                }
            }
        }
        Ok(())
    }

    fn parse_board(&self, rows: TextToken<'_>) -> Result<ParsedBoard, ParseError> {
        let size = self.setup().size;
        let (text, count) = (rows.text, rows.split('/').count());
        if count != usize::from(size) {
            let noun = if count == 1 { "row" } else { "rows" };
            let message =
                format!("'{text}' has {count} {noun}; this board has {size}, with / between them");
            return rows.reject(message);
        }
        let mut board = ParsedBoard::default();
        for (row, letters) in (0..size).rev().zip(rows.split('/')) {
            self.parse_row(letters, row, &mut board)?;
        }
        self.check(&board).or_else(|message| rows.reject(message))?;
        Ok(board)
    }

    /// Checks the numbers of holes and pieces.
    fn check(&self, board: &ParsedBoard) -> Result<(), String> {
        let holes = board.hole.count_ones();
        if holes != 1 {
            return Err(format!("there is one hole O on the board, not {holes}"));
        }
        let (most, least) = (self.setup().pieces, self.setup().lost_at);
        let counts = [("Black", board.black), ("White", board.white)]
            .map(|(name, side)| (name, side.count_ones()));
        let possible = u32::from(least)..=u32::from(most);
        for (name, count) in counts {
            if !possible.contains(&count) {
                return Err(format!("{name} has {least} to {most} pieces, not {count}"));
            }
        }
        if counts.iter().all(|&(_, count)| count == *possible.start()) {
            return Err(format!("only one side can have {least} pieces: then the game is over"));
        }
        Ok(())
    }

    /// Reads the name of a move, legal or not.
    fn read_move(&self, text: &str) -> Option<OstleMove> {
        let size = self.setup().size;
        let [column, row, direction] = text.as_bytes() else {
            return None;
        };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        let row = row.checked_sub(b'1')?;
        let letter = direction.to_ascii_uppercase();
        let direction = DIRECTIONS.iter().position(|&known| known == letter)?;
        (column < size && row < size).then(|| OstleMove::new(column * size + row, direction as u8))
    }

    fn parse_forbidden(
        &self,
        base: BasePosition,
        name: TextToken<'_>,
    ) -> Result<Option<OstleMove>, ParseError> {
        let text = name.text;
        if text == "-" {
            return Ok(None);
        }
        let Some(mv) = self.read_move(text) else {
            let message = format!(
                "'{text}' is no move: the forbidden move is a square and U, D, L or R, such as \
                 c3L, or - if there is none"
            );
            return name.reject(message);
        };
        match self.why_not_forbidden(base, mv) {
            Some(message) => name.reject(message),
            None => Ok(Some(mv)),
        }
    }

    /// Explanation if rule 8 cannot forbid a move here; `None` if it can.
    fn why_not_forbidden(&self, base: BasePosition, mv: OstleMove) -> Option<String> {
        let name = self.move_name(mv);
        let rules = self.unrestricted();
        if rules.terminal(base).is_some() {
            return Some(format!(
                "the game is over, so that no move is forbidden: - instead of {name}"
            ));
        }
        if !rules.is_move(base, mv) {
            return Some(format!(
                "{name} is no move here, so that it is not forbidden: a move takes an own piece, \
                 or the hole to an empty square"
            ));
        }
        if rules.removes(base, mv) {
            return Some(format!(
                "{name} removes a piece, so that it brings back no position and is not forbidden"
            ));
        }
        let possible = self.possibly_forbidden(base);
        if possible.contains(&mv) {
            return None;
        }
        let names: Vec<String> = possible.iter().map(|&mv| self.move_name(mv)).collect();
        let alternatives = if names.is_empty() {
            "no move can".to_string()
        } else {
            format!("only these can: {}", names.join(" "))
        };
        Some(format!(
            "{name} cannot be forbidden here, for it takes back no move that leads here; \
             {alternatives}"
        ))
    }
}

impl Notation for Ostle {
    fn spec(&self) -> String {
        self.setup().spec()
    }

    /// Returns [`Scope::All`], the positions that the article counts.
    fn default_scope(&self) -> Scope {
        Scope::All
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    /// The rows from the top, the side to move, the forbidden move: `WWWWW/...../..O../...../BBBBB
    /// black -`.
    fn format(&self, position: OstlePosition) -> String {
        let rows = (0..self.setup().size).rev();
        let rows: Vec<String> =
            rows.map(|row| self.row_letters(position.base, row).collect()).collect();
        let turn = if position.base.white { "white" } else { "black" };
        let forbidden = position.forbidden.map(|mv| self.move_name(mv));
        let forbidden = forbidden.as_deref().unwrap_or("-");
        format!("{} {turn} {forbidden}", rows.join("/"))
    }

    fn parse(&self, text: &str) -> Result<OstlePosition, ParseError> {
        let fields = TextToken::words(text);
        let [board, turn, forbidden] = fields[..] else {
            let message = format!(
                "a position has three parts (the rows from the top, black or white, the \
                 forbidden move or -), such as '{}'; this has {}",
                self.format(self.start()),
                fields.len()
            );
            return Err(ParseError::new(0, message));
        };
        let ParsedBoard { black, white, hole } = self.parse_board(board)?;
        let is_white = turn.turn(["black", "white"])? == 1;
        let (own, other) = if is_white { (white, black) } else { (black, white) };
        let base = BasePosition { own, other, hole: hole.trailing_zeros() as u8, white: is_white };
        Ok(OstlePosition { base, forbidden: self.parse_forbidden(base, forbidden)? })
    }

    /// Square of the piece or of the hole, then U, D, L or R: `e3L`.
    fn format_move(&self, _: OstlePosition, mv: OstleMove) -> String {
        self.move_name(mv)
    }

    /// Explains the rule for the move that rule 8 forbids.
    fn parse_move(&self, position: OstlePosition, text: &str) -> Result<OstleMove, ParseError> {
        let forbidden = position.forbidden.filter(|_| self.terminal(position).is_none());
        let name = text.trim();
        if forbidden.is_none() || self.read_move(name) != forbidden {
            return parse_move_by_text(self, position, text);
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| self.move_name(mv)).collect();
        let or_image = match self.setup().rule8 {
            Rule8::Exact => "",
            Rule8::Paper => " or an image of it",
        };
        let message = format!(
            "'{name}' is forbidden by rule 8: it would bring back the position of two plies \
             before{or_image}; legal are: {}",
            names.join(" ")
        );
        Err(ParseError::new(0, message))
    }

    fn drawing(&self, position: OstlePosition) -> Drawing {
        self.picture(position)
    }

    fn drawn_move(&self, position: OstlePosition, mv: OstleMove) -> Option<DrawnMove> {
        Some(self.picture_of_move(position.base, mv))
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }

    fn diagram(&self, position: OstlePosition) -> String {
        let size = self.setup().size;
        let square = |cell: u8| cell % size * size + (size - 1 - cell / size);
        let sign = |cell| Self::letter(position.base, square(cell));
        let mut lines = Grid::new(size, size).diagram_lines(sign);
        if let Some(mv) = position.forbidden {
            lines.push(format!("    forbidden: {}", self.move_name(mv)));
        }
        lines.join("\n")
    }
}
