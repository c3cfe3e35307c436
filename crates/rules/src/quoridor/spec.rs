use alloc::format;
use alloc::vec::Vec;
use core::str::FromStr;

use hindsight_core::{PackedGame, ParseError, SpecOptions, TextToken};

use crate::game_entry::{GameEntry, Setup};
use crate::grammar::{game_name, parse_size};
use crate::quoridor::{MAX_FENCES, Quoridor, QuoridorSetup, check_board};

impl Quoridor {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry {
        name: "quoridor",
        form: "quoridor:WIDTHxHEIGHT:FENCES",
        about: "a pawn and fences each on a board from 2x2 to 9x9",
        example: "quoridor:5x5:1",
        options: &[
            (
                "FENCES",
                "of each player, 0 to 20; or of the first and of the second player, such as 3,1",
            ),
            (
                "edge=open",
                "the edge of the board behind a pawn allows no jump sideways, only a fence does",
            ),
            (
                "start=point",
                "even widths: pawns start symmetric to the centre point, not in one column",
            ),
        ],
        rules: |spec, setup| {
            let game = Self::from_spec(spec, setup)?;
            Ok(if game.ranks_fit() {
                PackedGame::pawn_pairs(game)
            } else {
                PackedGame::subgames(game)
            })
        },
    };

    fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self::new(parse_quoridor(spec)?, setup.symmetry))
    }
}

/// Reads `quoridor:WIDTHxHEIGHT:FENCES[:key=value]..`.
fn parse_quoridor(spec: TextToken<'_>) -> Result<QuoridorSetup, ParseError> {
    let tokens: Vec<_> = spec.split(':').collect();
    let [_, size, fences, options @ ..] = tokens.as_slice() else {
        return Err(ParseError::new(
            spec.end(),
            "quoridor needs a size and fences: quoridor:WIDTHxHEIGHT:FENCES, such as \
             quoridor:5x5:2",
        ));
    };
    let (width, height) = parse_size(*size, check_board)?;
    let mut setup =
        QuoridorSetup { stock: parse_stock(*fences)?, ..QuoridorSetup::new(width, height, 0) };
    for option in SpecOptions::new(options.iter().copied()) {
        let token = option?.token;
        match token.text.to_ascii_lowercase().as_str() {
            "edge=open" => setup.edge_open = true,
            "start=point" => setup.start_point = true,
            _ => {
                let options = "quoridor has edge=open and start=point";
                return token.reject(format!("there is no option '{}'; {options}", token.text));
            }
        }
    }
    Ok(setup)
}

impl FromStr for QuoridorSetup {
    type Err = ParseError;

    fn from_str(spec: &str) -> Result<Self, ParseError> {
        let spec = TextToken::trimmed(spec);
        let name = game_name(spec);
        if name.eq_ignore_ascii_case("quoridor") {
            return parse_quoridor(spec);
        }
        spec.reject(format!(
            "a game of quoridor is wanted here, such as quoridor:5x5:1, not '{name}'"
        ))
    }
}

/// Reads one number for both players, or two numbers.
fn parse_stock(fences: TextToken<'_>) -> Result<[u8; 2], ParseError> {
    let number = |token: TextToken<'_>| token.number("fences of a player", 0..=MAX_FENCES);
    match fences.split_once(',') {
        None => Ok([number(fences)?; 2]),
        Some([first, second]) => Ok([number(first)?, number(second)?]),
    }
}
