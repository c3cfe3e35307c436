use std::collections::HashMap;

use hindsight_core::{Countdown, Game, Outlook, Wdl, outlook_by_moves};

/// Checks the laws of [`Countdown`] on positions of random games.
///
/// # Panics
/// If a law is broken; the message names it, the seed and the position.
pub(crate) fn check_countdown<G: Game>(
    game: &G,
    countdown: &dyn Countdown<Position = G::Position, Move = G::Move>,
    positions: &[G::Position],
    seed: u64,
) {
    let mut with_key = HashMap::new();
    for &position in positions {
        let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
        let left = countdown.plies_left(position);
        let key = countdown.key(position);
        let first = *with_key.entry(key).or_insert(position);
        assert_eq!(first, position, "{}", broken("keys differ"));
        let is_narrow = key.checked_shr(countdown.key_bits()).unwrap_or(0) == 0;
        assert!(is_narrow, "{}", broken("keys have few bits"));
        check_class_key(game, countdown, position, &broken);
        match game.terminal(position) {
            Some(Wdl::Win) => panic!("{}", broken("whoever moves last does not lose")),
            Some(Wdl::Draw) => assert_eq!(left, 0, "{}", broken("a draw is at the end")),
            Some(Wdl::Loss) => {}
            None => check_outlook(game, countdown, position, &broken),
        }
    }
}

fn check_class_key<G: Game>(
    game: &G,
    countdown: &dyn Countdown<Position = G::Position, Move = G::Move>,
    position: G::Position,
    broken: &impl Fn(&str) -> String,
) {
    let mut members = vec![position];
    game.images(position, &mut members);
    let class_key = countdown.class_key(position);
    for &member in &members {
        let of_member = countdown.class_key(member);
        assert_eq!(of_member, class_key, "{}", broken("a class has one key"));
    }
    let least_image = || members.iter().any(|&m| countdown.key(m) == class_key);
    // Without images, the game merges nothing, and the key may be that of a position not listed.
    let is_of_member = members.len() == 1 || least_image();
    assert!(is_of_member, "{}", broken("a class has the key of a member"));
}

fn check_outlook<G: Game>(
    game: &G,
    countdown: &dyn Countdown<Position = G::Position, Move = G::Move>,
    position: G::Position,
    broken: &impl Fn(&str) -> String,
) {
    let left = countdown.plies_left(position);
    let mut successors = Vec::new();
    game.successors(position, &mut successors);
    for &next in &successors {
        let after = countdown.plies_left(next) + 1;
        assert_eq!(after, left, "{}", broken("a move uses up a ply"));
    }
    let (mut safe, mut expected) = (Vec::new(), Vec::new());
    let outlook = countdown.outlook(position, left, &mut safe);
    let by_moves = outlook_by_moves(countdown, position, &mut expected);
    let kind = |outlook| match outlook {
        Outlook::WinsAtOnce => "wins at once",
        Outlook::LosesAtOnce => "loses at once",
        Outlook::Open { .. } => "open",
    };
    assert_eq!(kind(outlook), kind(by_moves), "{}", broken("outlook"));
    if kind(outlook) == "open" {
        let found: Vec<_> = safe.iter().map(|mv| (mv.position, mv.key)).collect();
        let expected: Vec<_> = expected.iter().map(|mv| (mv.position, mv.key)).collect();
        assert_eq!(found, expected, "{}", broken("safe moves"));
    }
}
