//! Laws of a game, checked in random games.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use hindsight_core::{
    Expansion, Game, Notation, Packed, PackedGame, PackedMove, Random, Ranked, Structure, Wdl,
};

/// Most plies of the first random game. After a game that is cut, the next may be twice as long.
const FIRST_PLIES: u32 = 200;

/// Broken law, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLaw {
    /// The law, as a sentence without a full stop.
    pub law: &'static str,
    /// The contradiction; may be empty.
    pub met: String,
    /// Text of the position.
    pub position: String,
}

impl fmt::Display for BrokenLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, but not in the position {}", self.law, self.position)?;
        if self.met.is_empty() { Ok(()) } else { write!(f, ": {}", self.met) }
    }
}

impl std::error::Error for BrokenLaw {}

/// Extent of a check that found no broken law.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckedLaws {
    /// Random games, the last one perhaps not finished.
    pub games: u64,
    /// Positions that were checked, each as often as it was met.
    pub positions: u64,
    /// Moves of these positions.
    pub moves: u64,
    /// Plies of the longest game.
    pub longest: u32,
}

/// Checks laws in the positions of random games, until `goes_on` says no.
///
/// - Answers do not change, and many positions are answered as one is.
/// - Each move has a text of its own, from which it is read again; so has each position.
/// - The players move in turn, or positions are as the side to move sees them.
/// - A rank has the position that has the rank, or one with the same result and the same ranks
///   after its moves, none of them in a later tier.
/// - The canonical member of a position has the same result, the same successors up to symmetry,
///   and itself as canonical member.
///
/// # Errors
/// The first broken law.
pub fn check_laws(
    game: &PackedGame,
    random: &mut dyn Random,
    goes_on: &mut dyn FnMut(&CheckedLaws) -> bool,
) -> Result<CheckedLaws, BrokenLaw> {
    let mut checked = CheckedLaws::default();
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    let start = game.start();
    if game.terminal(start).is_some() {
        return Err(broken(game, start, "a game goes on from its start"));
    }
    let mut most_plies = FIRST_PLIES;
    loop {
        checked.games += 1;
        let (mut position, mut played) = (start, 0);
        loop {
            if !goes_on(&checked) {
                return Ok(checked);
            }
            moves.clear();
            next.clear();
            game.children(position, &mut moves, &mut next);
            check_position(game, position, &moves, &next)?;
            checked.positions += 1;
            checked.moves += moves.len() as u64;
            checked.longest = checked.longest.max(played);
            if next.is_empty() {
                break;
            }
            if played == most_plies {
                most_plies = most_plies.saturating_mul(2);
                break;
            }
            position = next[random.below(next.len() as u32) as usize];
            played += 1;
        }
    }
}

fn broken(game: &PackedGame, position: Packed, law: &'static str) -> BrokenLaw {
    BrokenLaw { law, met: String::new(), position: game.format(position) }
}

fn check_position(
    game: &PackedGame,
    position: Packed,
    moves: &[PackedMove],
    next: &[Packed],
) -> Result<(), BrokenLaw> {
    let law = |holds: bool, law: &'static str, met: &dyn Fn() -> String| {
        if holds { Ok(()) } else { Err(BrokenLaw { met: met(), ..broken(game, position, law) }) }
    };
    let nothing = || String::new();
    law(
        moves.is_empty() == game.terminal(position).is_some(),
        "a game is over if and only if there is no move",
        &nothing,
    )?;
    let text = game.format(position);
    let read = game.parse(&text);
    law(read == Ok(position), "a position is read from its own text", &|| match &read {
        Ok(other) => format!("it is read as {}", game.format(*other)),
        Err(error) => error.message.clone(),
    })?;
    check_moves(game, position, moves, next)?;
    check_symmetry(game, position, next)?;
    if game.structure() == Structure::Ranked {
        check_ranks(game, position, next)?;
    }
    check_batch(game, position, next)
}

fn check_moves(
    game: &PackedGame,
    position: Packed,
    moves: &[PackedMove],
    next: &[Packed],
) -> Result<(), BrokenLaw> {
    let fault = |law, mv| {
        let met = format!("the move {}", game.format_move(position, mv));
        Err(BrokenLaw { met, ..broken(game, position, law) })
    };
    let mover = game.player_to_move(position);
    let mut names = HashSet::new();
    for (&mv, &to) in moves.iter().zip(next) {
        if !names.insert(game.format_move(position, mv).to_lowercase()) {
            return fault("each move has a text of its own", mv);
        }
        if game.play(position, mv) != to {
            return fault("a move leads to the same position whenever it is played", mv);
        }
        // Positions as the side to move sees them are all of player 0.
        if mover == game.player_to_move(to) && mover != 0 {
            return fault("the players move in turn", mv);
        }
    }
    // Reading a move lists all of them.
    match moves.last() {
        Some(&mv) if game.parse_move(position, &game.format_move(position, mv)) != Ok(mv) => {
            fault("a move is read from its own text", mv)
        }
        _ => Ok(()),
    }
}

/// Positions up to symmetry.
fn classes(game: &PackedGame, positions: &[Packed]) -> BTreeSet<Packed> {
    positions.iter().map(|&position| game.canonical(position)).collect()
}

fn check_symmetry(game: &PackedGame, position: Packed, next: &[Packed]) -> Result<(), BrokenLaw> {
    let canonical = game.canonical(position);
    let law = |holds: bool, law: &'static str| {
        let met = || format!("its canonical member is {}", game.format(canonical));
        if holds { Ok(()) } else { Err(BrokenLaw { met: met(), ..broken(game, position, law) }) }
    };
    law(game.canonical(canonical) == canonical, "a canonical member stands for itself")?;
    if canonical == position {
        return Ok(());
    }
    let result = |position| -> Option<Wdl> { game.terminal(position) };
    law(result(canonical) == result(position), "symmetric positions have the same result")?;
    let mut others = Vec::new();
    game.successors(canonical, &mut others);
    law(
        classes(game, &others) == classes(game, next),
        "moves of symmetric positions lead to symmetric positions",
    )
}

/// Checks the rank of a position, and the position of the rank.
fn check_ranks(game: &PackedGame, position: Packed, next: &[Packed]) -> Result<(), BrokenLaw> {
    let law = |holds: bool, law: &'static str, met: &dyn Fn() -> String| {
        if holds { Ok(()) } else { Err(BrokenLaw { met: met(), ..broken(game, position, law) }) }
    };
    let Some((tier, rank)) = game.rank(position) else { return Ok(()) };
    let ranks_of = |positions: &[Packed]| {
        let mut ranks = Vec::new();
        game.rank_all(positions, &mut ranks);
        ranks.sort_unstable();
        ranks
    };
    let met = || format!("rank {rank} of tier {tier}");
    let member = game.unrank(tier, rank);
    law(member.is_some(), "a rank has the position that has the rank", &met)?;
    let member = member.unwrap_or(position);
    let met = || format!("{} is that of rank {rank} of tier {tier}", game.format(member));
    law(
        game.rank(member) == Some((tier, rank)),
        "a rank has the position that has the rank",
        &met,
    )?;
    law(
        game.terminal(member) == game.terminal(position),
        "positions of one rank have the same result",
        &met,
    )?;
    let (mut others, after) = (Vec::new(), ranks_of(next));
    game.successors(member, &mut others);
    law(ranks_of(&others) == after, "moves of positions of one rank lead to the same ranks", &met)?;
    let is_earlier = after.iter().flatten().all(|&(to, _)| to <= tier);
    law(is_earlier, "a move stays in its tier or leads to an earlier one", &|| {
        format!("its tier is {tier}")
    })
}

/// Compares the position and its successors, asked for at once, with what was said of them alone.
fn check_batch(game: &PackedGame, position: Packed, next: &[Packed]) -> Result<(), BrokenLaw> {
    let asked: Vec<Packed> = std::iter::once(position).chain(next.iter().copied()).collect();
    let mut expansion = Expansion::default();
    game.expand(&asked, usize::MAX, &mut expansion);
    let mut successors = &expansion.successors[..];
    for (&position, expanded) in asked.iter().zip(&expansion.positions) {
        let (own, others) = successors.split_at(expanded.successors as usize);
        successors = others;
        let mut alone = Vec::new();
        game.successors(position, &mut alone);
        game.canonicalize(&mut alone);
        let is_over = expanded.successors == 0;
        if own != alone || is_over != game.terminal(position).is_some() {
            return Err(broken(
                game,
                position,
                "a position has the same answer whenever it is asked",
            ));
        }
    }
    Ok(())
}
