use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use hindsight_core::ParseError;

use super::grammar::{parse_number, parse_size, spec_tokens};
use crate::ostle::{OstleSetup, Rule8, check_board};
use crate::token::Token;

/// Reads `ostle[:SIZExSIZE:PIECES:LOST_AT][:rule8=paper]`.
pub(super) fn parse_ostle(spec: &str) -> Result<OstleSetup, ParseError> {
    let tokens = spec_tokens(spec);
    let given = &tokens[1..];
    let is_option = |token: &Token<'_>| token.text.contains('=');
    let (mut setup, options) = match given {
        [size, pieces, lost_at, options @ ..]
            if ![size, pieces, lost_at].into_iter().any(is_option) =>
        {
            (parse_board(*size, *pieces, *lost_at)?, options)
        }
        [first, ..] if !is_option(first) => {
            return Err(ParseError::new(
                spec.len(),
                "beside the size, ostle needs the pieces of each player and the number at which \
                 one has lost: ostle:SIZExSIZE:PIECES:LOST_AT, such as ostle:4x4:4:2",
            ));
        }
        options => (OstleSetup::OFFICIAL, options),
    };
    let mut seen: Vec<String> = Vec::new();
    for option in options {
        let lower = option.text.to_ascii_lowercase();
        let key = lower.split('=').next().unwrap_or_default();
        if seen.iter().any(|seen| seen == key) {
            return option.reject(format!("the option {key} is given twice"));
        }
        seen.push(key.into());
        setup.rule8 = match lower.as_str() {
            "rule8=paper" => Rule8::Paper,
            "rule8=exact" => Rule8::Exact,
            _ => {
                let options = "ostle has rule8=paper, and rule8=exact if it has none";
                return option.reject(format!("there is no option '{}'; {options}", option.text));
            }
        };
    }
    Ok(setup)
}

impl FromStr for OstleSetup {
    type Err = ParseError;

    /// Reads a spec of Ostle.
    fn from_str(spec: &str) -> Result<Self, ParseError> {
        let spec = spec.trim();
        let name = spec.split(':').next().unwrap_or_default();
        if name.eq_ignore_ascii_case("ostle") {
            return parse_ostle(spec);
        }
        Err(ParseError::new(
            0,
            format!("a game of ostle is wanted here, such as ostle:4x4:4:2, not '{name}'"),
        ))
    }
}

fn parse_board(
    size: Token<'_>,
    pieces: Token<'_>,
    lost_at: Token<'_>,
) -> Result<OstleSetup, ParseError> {
    let (size, _) = parse_size(size, check_board)?;
    let pieces = parse_number(pieces, "pieces of a player", 1, size)?;
    let lost_at = parse_number(
        lost_at,
        "the number of pieces left that loses",
        0,
        pieces - 1,
    )?;
    Ok(OstleSetup::new(size, pieces, lost_at))
}
