use std::collections::HashMap;

use hindsight_core::{
    ForbiddenMove, Game, InEdge, OutEdge, Ranked, Value, edges_from_by_moves, edges_to_by_moves,
    forbiddable_ids_by_moves, forbiddable_summary_by_moves,
};

use crate::laws::SplitMix;
use crate::reference::{Place, in_rounds};

/// Ranks of a tier that are looked at, drawn at random where there are more.
const SAMPLE: u64 = 600;

/// Checks what [`Restricting`] promises, on some ranks of every tier.
///
/// * `split` and `join` are inverse; a state has the moves of its base but the forbidden one, and they
///   lead where they lead in the base.
/// * The ways are the moves that some state forbids, with numbers of their own from 1 to 127.
/// * `outlook`, `ways`, `steps_from` and `edges_to` are what they are move by move. Where a move wins at
///   once, the outlook may leave out the rest. Ranks that are said to have no twins have none.
/// * The moves of a position are among the `origins` of the positions they lead to.
/// * Two states of a rank are the same if and only if `rank_state` says so for an image of them, which
///   `canonical` provides.
///
/// # Panics
/// When a law is broken, with the position that broke it.
pub fn check_forbidden_move<G: ForbiddenMove>(game: &G, seed: u64) {
    let base = game.base();
    let mut random = SplitMix(seed);
    for layer in 0..base.layers() {
        let mut tiers = Vec::new();
        base.tiers(layer, &mut tiers);
        for tier in tiers {
            let len = base.tier_len(tier);
            for i in 0..len.min(SAMPLE) {
                let rank = if len <= SAMPLE {
                    i
                } else {
                    random.rank_below(len)
                };
                check_states(game, tier, rank);
                check_shortcuts(game, tier, rank);
            }
        }
    }
}

fn check_states<G: ForbiddenMove>(game: &G, tier: u64, rank: u64) {
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    let mut numbers = Vec::new();
    let ways = moves.iter().map(|&mv| (game.move_id(position, mv), mv));
    let ways = ways.filter(|(way, _)| *way != 0).map(|(way, mv)| {
        numbers.push(way);
        Some(mv)
    });
    let states: Vec<_> = std::iter::once(None).chain(ways).collect();
    numbers.sort_unstable();
    let count = numbers.len();
    numbers.dedup();
    assert_eq!(
        numbers.len(),
        count,
        "ways of {position:?} have numbers of their own"
    );
    assert!(
        numbers.iter().all(|way| *way < 128),
        "ways of {position:?} have seven bits"
    );
    for &mv in &moves {
        let next = base.play(position, mv);
        let mut origins = Vec::new();
        if base.terminal(next).is_none() {
            game.predecessor_moves(next, &mut origins);
            let mut times = origins.iter().filter(|&&origin| origin == (position, mv));
            assert!(times.next().is_some(), "{position:?} leads to {next:?}");
            assert!(
                times.next().is_none(),
                "{position:?} leads once to {next:?}"
            );
        }
    }
    for forbidden in states {
        let state = game.encode(position, forbidden);
        assert_eq!(
            game.decode(state),
            (position, forbidden),
            "{state:?} is split"
        );
        let left: Vec<_> = moves.iter().filter(|mv| Some(**mv) != forbidden).collect();
        let mut next = Vec::new();
        game.successors(state, &mut next);
        let expected = left.into_iter().map(|&mv| {
            let after = base.play(position, mv);
            game.encode(after, game.forbidden_after(position, mv))
        });
        let expected: Vec<_> = expected.collect();
        assert_eq!(next, expected, "the moves of {state:?}");
        let place = game.rank_state(state);
        let of_base = place.map(|(tier, rank, _)| (tier, rank));
        assert_eq!(of_base, Some((tier, rank)), "the rank of {state:?}");
        let image = game.rank_state(game.canonical(state));
        assert_eq!(image, place, "the rank of the canonical image of {state:?}");
    }
}

fn check_shortcuts<G: ForbiddenMove>(game: &G, tier: u64, rank: u64) {
    let here = format!(
        "tier {tier}, rank {rank}: {:?}",
        game.base().unrank(tier, rank)
    );
    let (mut outside, mut expected_outside) = (Vec::new(), Vec::new());
    let outlook = game.summarize_moves(tier, rank, &mut outside);
    let expected = forbiddable_summary_by_moves(game, tier, rank, &mut expected_outside);
    let best = outlook.and_then(|outlook| outlook.best);
    if best == Some(Value::Win(1)) {
        assert_eq!(
            expected.and_then(|outlook| outlook.best),
            best,
            "the best at {here}"
        );
    } else {
        assert_eq!(outlook, expected, "the outlook at {here}");
        outside.sort_unstable();
        expected_outside.sort_unstable();
        assert_eq!(
            outside, expected_outside,
            "the moves out of the tier at {here}"
        );
    }
    let (mut ways, mut expected) = (Vec::new(), Vec::new());
    game.forbiddable_ids(tier, rank, &mut ways);
    forbiddable_ids_by_moves(game, tier, rank, &mut expected);
    assert_eq!(ways, expected, "the ways at {here}");
    let (mut edges, mut expected): (Vec<InEdge>, Vec<InEdge>) = (Vec::new(), Vec::new());
    game.edges_to(tier, rank, &mut edges);
    edges_to_by_moves(game, tier, rank, &mut expected);
    edges.sort_unstable();
    expected.sort_unstable();
    assert_eq!(edges, expected, "the moves to {here}");
    check_steps(game, (tier, rank), &here);
}

fn check_steps<G: ForbiddenMove>(game: &G, (tier, rank): (u64, u64), here: &str) {
    let (mut steps, mut expected) = (Vec::new(), Vec::new());
    let twins = game.edges_from(tier, rank, &mut steps);
    edges_from_by_moves(game, tier, rank, &mut expected);
    let key = |step: &OutEdge| (step.tier, step.rank, step.forbids);
    let sorted = |steps: &[OutEdge]| {
        let mut keys: Vec<_> = steps.iter().map(|step| (key(step), step.move_id)).collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!(sorted(&steps), sorted(&expected), "the moves from {here}");
    let forbidding = steps.iter().filter(|step| step.forbids != 0);
    let mut states: Vec<_> = forbidding.map(key).collect();
    let count = states.len();
    states.sort_unstable();
    states.dedup();
    assert!(twins || states.len() == count, "twins at {here}");
    for step in steps
        .iter()
        .filter(|step| !step.may_share_target && step.forbids != 0)
    {
        let mut next = Vec::new();
        game.edges_from(step.tier, step.rank, &mut next);
        let forbidden = next.iter().find(|after| after.move_id == step.forbids);
        let twins = next
            .iter()
            .filter(|&after| Some(key(after)) == forbidden.map(key));
        assert_eq!(twins.count(), 1, "twins after {step:?} from {here}");
    }
}

/// Solves every state of every ranked position, the slow obvious way, as [`crate::reference()`] does. By
/// tier, rank and forbidden way, 0 for none.
///
/// # Panics
/// When a state has no rank and is not terminal.
#[must_use]
pub fn reference_states<G: ForbiddenMove>(game: &G) -> HashMap<(u64, u64, u8), Value> {
    let base = game.base();
    let place = |state| match (game.rank_state(state), game.terminal(state)) {
        (Some(place), _) => Place::At(place),
        (None, Some(wdl)) => Place::Over(wdl),
        (None, None) => panic!("{state:?} has no rank and is not terminal"),
    };
    let mut successors = HashMap::new();
    let mut values = HashMap::new();
    for layer in 0..base.layers() {
        let mut tiers = Vec::new();
        base.tiers(layer, &mut tiers);
        let ranks = tiers
            .iter()
            .flat_map(|&tier| (0..base.tier_len(tier)).map(move |rank| (tier, rank)));
        for position in ranks.filter_map(|(tier, rank)| base.unrank(tier, rank)) {
            let mut moves = Vec::new();
            base.moves(position, &mut moves);
            let forbidden = moves
                .into_iter()
                .filter(|&mv| game.move_id(position, mv) != 0)
                .map(Some);
            for forbidden in std::iter::once(None).chain(forbidden) {
                let state = game.encode(position, forbidden);
                let mut next = Vec::new();
                game.successors(state, &mut next);
                let next: Vec<Place<(u64, u64, u8)>> = next.into_iter().map(place).collect();
                for &to in &next {
                    if let Place::Over(wdl) = to {
                        values.insert(to, Value::terminal(wdl));
                        successors.insert(to, Vec::new());
                    }
                }
                successors.insert(place(state), next);
            }
        }
    }
    let values = in_rounds(&successors, values).into_iter();
    let at = |(place, value)| match place {
        Place::At(at) => Some((at, value)),
        Place::Over(_) => None,
    };
    values.filter_map(at).collect()
}
