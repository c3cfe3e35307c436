use alloc::format;
use alloc::vec::Vec;
use core::str::FromStr;

use hindsight_core::{PackedGame, ParseError, SpecOptions, TextToken};

use crate::game_entry::{GameEntry, Setup};
use crate::grammar::{game_name, parse_size};
use crate::ostle::{Ostle, OstleSetup, Rule8, check_board};

impl Ostle {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry {
        name: "ostle",
        form: "ostle[:SIZExSIZE:PIECES:LOST_AT]",
        about: "pieces that push each other off the board or into a hole, official or on 3x3 to \
         5x5",
        example: "ostle:3x3:2:1",
        options: &[
            (
                "PIECES",
                "of each player, 1 to SIZE; `ostle` alone is the official game, ostle:5x5:5:3",
            ),
            ("LOST_AT", "a player with this number of pieces left has lost, 0 to PIECES - 1"),
            (
                "rule8=paper",
                "as in the paper's tables: images of the position of two plies before count as \
                 that position",
            ),
        ],
        rules: |spec, setup| Ok(PackedGame::forbidden_move(Self::from_spec(spec, setup)?)),
    };

    fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self::new(parse_ostle(spec)?, setup.symmetry))
    }
}

/// Reads `ostle[:SIZExSIZE:PIECES:LOST_AT][:rule8=paper]`.
fn parse_ostle(spec: TextToken<'_>) -> Result<OstleSetup, ParseError> {
    let tokens: Vec<_> = spec.split(':').collect();
    let given = &tokens[1..];
    let is_option = |token: &TextToken<'_>| token.text.contains('=');
    let (mut setup, options) = match given {
        [size, pieces, lost_at, options @ ..]
            if ![size, pieces, lost_at].into_iter().any(is_option) =>
        {
            (parse_board(*size, *pieces, *lost_at)?, options)
        }
        [first, ..] if !is_option(first) => {
            return Err(ParseError::new(
                spec.end(),
                "beside the size, ostle needs the pieces of each player and the number at which \
                 one has lost: ostle:SIZExSIZE:PIECES:LOST_AT, such as ostle:4x4:4:2",
            ));
        }
        options => (OstleSetup::OFFICIAL, options),
    };
    for option in SpecOptions::new(options.iter().copied()) {
        let token = option?.token;
        setup.rule8 = match token.text.to_ascii_lowercase().as_str() {
            "rule8=paper" => Rule8::Paper,
            "rule8=exact" => Rule8::Exact,
            _ => {
                let options = "ostle has rule8=paper, and rule8=exact if it has none";
                return token.reject(format!("there is no option '{}'; {options}", token.text));
            }
        };
    }
    Ok(setup)
}

impl FromStr for OstleSetup {
    type Err = ParseError;

    fn from_str(spec: &str) -> Result<Self, ParseError> {
        let spec = TextToken::trimmed(spec);
        let name = game_name(spec);
        if name.eq_ignore_ascii_case("ostle") {
            return parse_ostle(spec);
        }
        spec.reject(format!("a game of ostle is wanted here, such as ostle:4x4:4:2, not '{name}'"))
    }
}

fn parse_board(
    size: TextToken<'_>,
    pieces: TextToken<'_>,
    lost_at: TextToken<'_>,
) -> Result<OstleSetup, ParseError> {
    let (size, _) = parse_size(size, check_board)?;
    let pieces = pieces.number("pieces of a player", 1..=size)?;
    let lost_at = lost_at.number("the number of pieces left that loses", 0..=pieces - 1)?;
    Ok(OstleSetup::new(size, pieces, lost_at))
}
