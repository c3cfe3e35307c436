use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Notation, ParseError, Scope, TextToken,
};

use super::position::{Fences, QuoridorPosition};
use super::{Quoridor, QuoridorMove, QuoridorPlayer};

impl Quoridor {
    /// Names of the fences, anchor by anchor, with commas; `-` for none.
    fn format_fences(&self, fences: Fences) -> String {
        let name = |anchor: u8| self.fence_name(anchor, fences.vertical >> anchor & 1 == 1);
        let all = fences.horizontal | fences.vertical;
        if all == 0 {
            return "-".to_string();
        }
        SetBits(all).map(name).collect::<Vec<_>>().join(",")
    }

    /// Column and row of a square's name, within `width` x `height`.
    fn parse_corner(text: &str, width: u8, height: u8) -> Option<[u8; 2]> {
        let [file, rank] = text.as_bytes() else {
            return None;
        };
        let column = file.to_ascii_lowercase().checked_sub(b'a')?;
        let row = rank.checked_sub(b'1')?;
        (column < width && row < height).then_some([column, row])
    }

    /// Reads the square of a player's pawn.
    fn parse_square(&self, player: QuoridorPlayer, name: TextToken<'_>) -> Result<u8, ParseError> {
        let (width, height) = (self.setup().width, self.setup().height);
        match Self::parse_corner(name.text, width, height) {
            Some([column, row]) => Ok(row * width + column),
            None => name.reject(format!(
                "{} has one pawn: '{}' is no square of this board, a1 to {}",
                player.name(),
                name.text,
                self.square_name(self.board.squares() - 1)
            )),
        }
    }

    fn parse_hands(&self, field: TextToken<'_>) -> Result<[u8; 2], ParseError> {
        let parts = field.split_once(',').map(|[first, second]| {
            let number = |part: TextToken<'_>| part.text.parse::<u8>().ok();
            [(first, number(first)), (second, number(second))]
        });
        let Some([(first, Some(of_white)), (second, Some(of_black))]) = parts else {
            return field.reject(format!(
                "'{}' is not the fences in White's and in Black's hand, such as 2,1",
                field.text
            ));
        };
        let hands = [of_white, of_black];
        for (player, part) in [(QuoridorPlayer::White, first), (QuoridorPlayer::Black, second)] {
            let stock = self.setup().stock[player as usize];
            let hand = hands[player as usize];
            if hand > stock {
                let name = player.name();
                let noun = if stock == 1 { "fence" } else { "fences" };
                return part.reject(format!("{name} has at most {stock} {noun}, not {hand}"));
            }
        }
        Ok(hands)
    }

    fn parse_fence(&self, name: TextToken<'_>) -> Result<Fences, ParseError> {
        let (width, height) = (self.setup().width - 1, self.setup().height - 1);
        let lower = name.text.to_ascii_lowercase();
        let (corner, is_vertical) = match (lower.strip_suffix('h'), lower.strip_suffix('v')) {
            (Some(corner), _) => (corner, false),
            (_, Some(corner)) => (corner, true),
            _ => ("", false),
        };
        let Some([column, row]) = Self::parse_corner(corner, width, height) else {
            let last = self.square_name(self.board.south_west_square(self.board.anchors() - 1));
            return name.reject(format!(
                "'{}' is no fence: it is the square south-west of its middle, a1 to {last}, \
                 and h or v",
                name.text
            ));
        };
        let bit = 1 << (row * width + column);
        let (vertical, horizontal) = if is_vertical { (bit, 0) } else { (0, bit) };
        Ok(Fences { vertical, horizontal })
    }

    fn parse_fences(&self, names: TextToken<'_>) -> Result<Fences, ParseError> {
        let mut fences = Fences::default();
        if names.text == "-" {
            return Ok(fences);
        }
        for name in names.split(',') {
            let fence = self.parse_fence(name)?;
            let placeable = self.board.placeable_fences(fences);
            let is_placeable =
                fence.vertical & placeable.vertical | fence.horizontal & placeable.horizontal != 0;
            if !is_placeable {
                let message = format!("{} overlaps or crosses a fence before it", name.text);
                return name.reject(message);
            }
            fences.vertical |= fence.vertical;
            fences.horizontal |= fence.horizontal;
        }
        Ok(fences)
    }

    /// Checks that the parts of a position fit each other. `fields` are the parts of the text.
    fn check(
        &self,
        position: QuoridorPosition,
        fields: [TextToken<'_>; 5],
    ) -> Result<(), ParseError> {
        let [first, second] = self.setup().stock;
        let stock = u32::from(first + second);
        let in_hand = u32::from(position.hands[0] + position.hands[1]);
        let placed = position.fences.len();
        if placed + in_hand != stock {
            let message = format!(
                "{placed} fences on the board and {in_hand} in hand are not the {stock} of this \
                 game"
            );
            return fields[2].reject(message);
        }
        if position.pawns[0] == position.pawns[1] {
            return fields[1].reject("both pawns are on one square");
        }
        if self.is_on_goal(position, position.player) {
            let name = position.player.name();
            return fields[4].reject(format!(
                "{name} cannot be to move: its pawn is on its goal row, it had won before"
            ));
        }
        let open_steps = self.board.open_steps(position.fences);
        for player in [QuoridorPlayer::White, QuoridorPlayer::Black] {
            let goal = self.board.goal_rows[player as usize];
            if !open_steps.connects(1 << position.pawn(player), goal) {
                let message = format!("{} has no path to its goal row", player.name());
                return fields[player as usize].reject(message);
            }
        }
        Ok(())
    }

    /// Drawing of the squares of a row, with the vertical fences between them.
    fn square_line(&self, position: QuoridorPosition, row: u8) -> String {
        let width = self.setup().width;
        let mut line = String::new();
        for column in 0..width {
            let square = row * width + column;
            line.push(match position.pawns.iter().position(|&pawn| pawn == square) {
                Some(0) => 'W',
                Some(_) => 'B',
                None => '.',
            });
            if column + 1 < width {
                let closed = self.board.open_steps(position.fences).east >> square & 1 == 0;
                line.push_str(if closed { " | " } else { "   " });
            }
        }
        line
    }

    /// Drawing of the line above a row: horizontal fences, and the middles of vertical ones.
    fn fence_line(&self, position: QuoridorPosition, row: u8) -> String {
        let width = self.setup().width;
        let mut line: Vec<char> = core::iter::repeat_n(' ', 4 * usize::from(width)).collect();
        for column in 0..width - 1 {
            let anchor = row * (width - 1) + column;
            let left = 4 * usize::from(column);
            if position.fences.horizontal >> anchor & 1 == 1 {
                line[left..=left + 4].fill('-');
            }
            if position.fences.vertical >> anchor & 1 == 1 {
                line[left + 2] = '|';
            }
        }
        line.into_iter().collect()
    }
}

impl Notation for Quoridor {
    fn spec(&self) -> String {
        self.setup().spec()
    }

    /// Returns [`Scope::All`]: nearly every position is reachable, and far more of them fit in
    /// memory by rank.
    fn default_scope(&self) -> Scope {
        Scope::All
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    /// White's pawn, Black's pawn, fences in hand, fences on the board, the player to move: `e1 e9
    /// 9,9 e3h,d4v white`.
    fn format(&self, position: QuoridorPosition) -> String {
        let [white, black] = position.pawns.map(|pawn| self.square_name(pawn));
        let [first, second] = position.hands;
        let fences = self.format_fences(position.fences);
        let turn = position.player.name();
        format!("{white} {black} {first},{second} {fences} {turn}")
    }

    fn parse(&self, text: &str) -> Result<QuoridorPosition, ParseError> {
        let fields = TextToken::words(text);
        let [white, black, hands, fences, turn] = fields[..] else {
            let message = format!(
                "a position has five parts (White's pawn, Black's pawn, fences in hand, fences on \
                 the board, white or black), such as '{}'; this has {}",
                self.format(self.start()),
                fields.len()
            );
            return Err(ParseError::new(0, message));
        };
        let pawns = [
            self.parse_square(QuoridorPlayer::White, white)?,
            self.parse_square(QuoridorPlayer::Black, black)?,
        ];
        let hands_in_text = self.parse_hands(hands)?;
        let fences_on_board = self.parse_fences(fences)?;
        let Some(player) = QuoridorPlayer::from_name(turn.text) else {
            let message = format!("it is the turn of white or black, not '{}'", turn.text);
            return turn.reject(message);
        };
        let position =
            QuoridorPosition { fences: fences_on_board, pawns, hands: hands_in_text, player };
        self.check(position, [white, black, hands, fences, turn])?;
        Ok(position)
    }

    /// Target of the pawn, `e2`, or the square south-west of a fence's middle, `e3h`, `e3v`.
    fn format_move(&self, _: QuoridorPosition, mv: QuoridorMove) -> String {
        match mv {
            QuoridorMove::Pawn(square) => self.square_name(square),
            QuoridorMove::Horizontal(anchor) => self.fence_name(anchor, false),
            QuoridorMove::Vertical(anchor) => self.fence_name(anchor, true),
        }
    }

    fn drawing(&self, position: QuoridorPosition) -> Drawing {
        self.picture(position)
    }

    fn drawn_move(&self, position: QuoridorPosition, mv: QuoridorMove) -> Option<DrawnMove> {
        Some(self.picture_of_move(position, mv))
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }

    fn diagram(&self, position: QuoridorPosition) -> String {
        let (width, height) = (self.setup().width, self.setup().height);
        let mut lines = Vec::new();
        for row in (0..height).rev() {
            if row + 1 < height {
                lines.push(format!("    {}", self.fence_line(position, row)));
            }
            let note = match row {
                0 => format!("   White  {} in hand", position.hands[0]),
                _ if row + 1 == height => format!("   Black  {} in hand", position.hands[1]),
                _ => String::new(),
            };
            let squares = self.square_line(position, row);
            lines.push(format!("{:>2}  {squares}{note}", row + 1));
        }
        let files = (0..width).map(|column| char::from(b'a' + column).to_string());
        let files = files.collect::<Vec<_>>().join("   ");
        lines.push(format!("    {files}"));
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        lines.join("\n")
    }
}
