use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use hindsight_core::ParseError;

use super::grammar::{parse_number, parse_size, spec_tokens};
use crate::quoridor::{MAX_FENCES, QuoridorSetup, check_board};
use crate::token::Token;

/// Reads `quoridor:WIDTHxHEIGHT:FENCES[:key=value]..`.
pub(super) fn parse_quoridor(spec: &str) -> Result<QuoridorSetup, ParseError> {
    let tokens = spec_tokens(spec);
    let [_, size, fences, options @ ..] = tokens.as_slice() else {
        return Err(ParseError::new(
            spec.len(),
            "quoridor needs a size and fences: quoridor:WIDTHxHEIGHT:FENCES, such as \
             quoridor:5x5:2",
        ));
    };
    let (width, height) = parse_size(*size, check_board)?;
    let mut setup = QuoridorSetup {
        stock: parse_stock(*fences)?,
        ..QuoridorSetup::new(width, height, 0)
    };
    let mut seen: Vec<String> = Vec::new();
    for option in options {
        let lower = option.text.to_ascii_lowercase();
        match lower.as_str() {
            "edge=open" => setup.edge_open = true,
            "start=point" => setup.start_point = true,
            _ => {
                let options = "quoridor has edge=open and start=point";
                return option.reject(format!("there is no option '{}'; {options}", option.text));
            }
        }
        if seen.contains(&lower) {
            return option.reject(format!("the option {lower} is given twice"));
        }
        seen.push(lower);
    }
    Ok(setup)
}

impl FromStr for QuoridorSetup {
    type Err = ParseError;

    /// Reads a spec of Quoridor.
    fn from_str(spec: &str) -> Result<Self, ParseError> {
        let spec = spec.trim();
        let name = spec.split(':').next().unwrap_or_default();
        if name.eq_ignore_ascii_case("quoridor") {
            return parse_quoridor(spec);
        }
        Err(ParseError::new(
            0,
            format!("a game of quoridor is wanted here, such as quoridor:5x5:1, not '{name}'"),
        ))
    }
}

/// Reads one number for both players, or two numbers.
fn parse_stock(fences: Token<'_>) -> Result<[u8; 2], ParseError> {
    let number = |token: Token<'_>| parse_number(token, "fences of a player", 0, MAX_FENCES);
    match fences.split_once(',') {
        None => Ok([number(fences)?; 2]),
        Some([first, second]) => Ok([number(first)?, number(second)?]),
    }
}
