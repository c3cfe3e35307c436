//! Memory of the tables of games, each measured in its own process.

use std::process::Command;

use hindsight_core::{Game, Ranked, States, Structure};
use hindsight_rules::{Setup, by_name};

/// Variable that names the game of a process of its own.
const SPEC: &str = "HINDSIGHT_TEST_SPEC";

/// Program text and small tables, by measurement without optimization: 2 to 5 MB.
const OTHER_BYTES: u64 = 6 << 20;

/// Returns the resident bytes of this process, without those of its program, of which the system
/// maps now more, now less.
fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|line| line.starts_with("RssAnon:"));
    let words = line.and_then(|line| line.split_whitespace().nth(1));
    words.expect("a number").parse::<u64>().expect("kB") << 10
}

/// Numbers a position of each tier of the first layer.
fn number_positions(game: &impl Ranked) {
    let mut tiers = Vec::new();
    game.tiers(0, &mut tiers);
    for tier in tiers {
        let position = (0..game.tier_len(tier)).find_map(|rank| game.unrank(tier, rank));
        assert_eq!(position.and_then(|position| game.tier(position)), Some(tier));
    }
}

/// The bytes that a game states are those that its tables take, whenever they are made.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "asks the kernel of Linux")]
fn games_state_the_bytes_of_their_tables() {
    if let Ok(spec) = std::env::var(SPEC) {
        let before = resident_bytes();
        let game = by_name(&spec, &Setup::default()).expect("a game");
        let stated = game.table_bytes();
        match game.structure() {
            Structure::Plain | Structure::Subgames => {}
            Structure::ForbiddenMove => number_positions(game.base()),
            Structure::Ranked | Structure::PawnPairs | Structure::TwoSided => {
                number_positions(&game);
            }
        }
        let taken = resident_bytes() - before;
        assert!(taken <= stated + OTHER_BYTES, "{spec}: {taken} bytes, not {stated}");
        assert!(taken + (2 << 20) >= stated, "{spec}: only {taken} of {stated} bytes");
        return;
    }
    let cards = "tiger,dragon,frog,rabbit,crab,elephant,goose,rooster,monkey,mantis,horse,ox,crane";
    let onitama = format!("onitama:5x5:{cards}:hand=6");
    for spec in
        ["dobutsu", "four:7x6", "ostle", "quixo:3x3", "quixo:5x5", "quoridor:9x9:10", &onitama]
    {
        let run = || {
            let mut alone = Command::new(std::env::current_exe().expect("this test"));
            alone.args(["table_bytes::games_state_the_bytes_of_their_tables", "--exact"]);
            let output = alone.env(SPEC, spec).output().expect("it runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() && text.contains("1 passed") { Ok(()) } else { Err(text) }
        };
        // Now and then the system maps some megabytes of the program at once.
        let least = run().or_else(|_| run()).or_else(|_| run());
        assert_eq!(least, Ok(()), "{spec}");
    }
}
