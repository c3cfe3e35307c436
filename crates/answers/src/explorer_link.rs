//! Addresses of games in the explorer.

use std::fmt::Write as _;

use hindsight_games::{AnyGame, Error, Position};

/// Returns the address of a game in the explorer, behind that of the server:
/// `/?g=GAME&p=START&m=MOVES`.
///
/// # Errors
/// As [`AnyGame::format`].
pub fn explorer_link(game: &AnyGame, start: &Position, moves: &[String]) -> Result<String, Error> {
    let mut link = format!("/?g={}", encoded(game.spec()));
    if *start != game.start() {
        let _ = write!(link, "&p={}", encoded(&game.format(start)?).replace("%20", "_"));
    }
    if !moves.is_empty() {
        let moves: Vec<String> = moves.iter().map(|mv| encoded(mv).replace(',', "%2C")).collect();
        let _ = write!(link, "&m={}", moves.join(","));
    }
    Ok(link)
}

/// Escapes all bytes but those that mean nothing else in such an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b':' | b',' | b'/' | b'=' => {
                out.push(byte.into());
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::explorer_link;

    #[test]
    fn links_have_the_start_and_the_moves_with_odd_signs_escaped() {
        let game = hindsight_games::game("quoridor:3x3:1").expect("a game");
        let start = game.parse("b1 b3 1,1 - white").expect("a position");
        let link = explorer_link(&game, &start, &[]).expect("a link");
        assert_eq!(link, "/?g=quoridor:3x3:1");
        let moved = game.parse("a1 c3 1,1 - white").expect("a position");
        let moves = ["a2", "x+y,z_%"].map(String::from);
        let link = explorer_link(&game, &moved, &moves).expect("a link");
        assert_eq!(link, "/?g=quoridor:3x3:1&p=a1_c3_1,1_-_white&m=a2,x%2By%2Cz%5F%25");
    }
}
