//! A lure keeps every value, and moves where a fallible opponent errs.

use hindsight_core::{Answer, Game, Notation, PackedGame, PackedMove, Probe, Random, Value, Wdl};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_play::{AgentResources, BatchProbe, LureAgent, PerfectAgent, SeededRandom};
use hindsight_solve::graph;
use hindsight_testkit::pack_numbers;

use super::{choose, named, play_matches, score};

const SPECS: [&str; 7] = [
    "tic-tac-toe",
    "dodgem:3x3",
    "onitama:3x3:tiger,crab,monkey,crane,dragon",
    "onitama:2x3:boar",
    "quoridor:3x3:1",
    "quoridor:3x3:1:edge=open",
    "ostle:3x3:3:1",
];

/// Lets a lure choose in random positions; counts the drawn and the lost ones.
fn count_kept(game: &PackedGame) -> [u32; 2] {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(game);
    let value = |at| reader.probe(at).unwrap().exact().unwrap();
    let values = |positions: &[_]| Ok(reader.probe_many(positions).unwrap());
    let mut random = SeededRandom::new(&[8]);
    let mut kept = [0, 0];
    for seed in 0..60 {
        let (at, _) = game.random_playout(game.start(), random.below(9), &mut random);
        if game.terminal(at).is_some() {
            continue;
        }
        let chosen = choose(game, lure(&values), at, seed);
        let after = value(game.play(at, chosen.mv)).before();
        assert_eq!(after, value(at), "{}", game.format(at));
        assert_eq!(choose(game, lure(&values), at, seed), chosen, "same seed");
        kept[0] += u32::from(after == Value::Draw);
        kept[1] += u32::from(after.wdl() == Wdl::Loss);
    }
    kept
}

fn lure(probe: BatchProbe<'_>) -> LureAgent<'_> {
    LureAgent { probe, resources: AgentResources::default() }
}

#[test]
fn a_lure_keeps_every_value() {
    let kept = SPECS.map(|spec| count_kept(&named(spec)));
    let [drawn, lost] = [0, 1].map(|index| kept.iter().map(|kept| kept[index]).sum::<u32>());
    assert!(drawn > 40 && lost > 40, "{drawn} drawn, {lost} lost");
}

/// After a corner, seven of eight replies lose.
#[test]
fn a_lure_begins_tic_tac_toe_in_a_corner() {
    let game = named("tic-tac-toe");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[_]| Ok(reader.probe_many(positions).unwrap());
    let perfect = PerfectAgent { probe: &values };
    let firsts: Vec<PackedMove> =
        (0..40).map(|seed| choose(&game, lure(&values), game.start(), seed).mv).collect();
    assert!(firsts.iter().all(|mv| [0, 2, 6, 8].contains(&mv.0)), "{firsts:?}");
    let others = (0..40).map(|seed| choose(&game, perfect, game.start(), seed).mv);
    assert!(others.filter(|mv| !firsts.contains(mv)).count() > 10);
}

/// A game given by the successors of its positions. The last ones are terminal.
struct Listed {
    successors: Vec<Vec<u64>>,
    results: Vec<Wdl>,
}

impl Game for Listed {
    type Position = u64;
    type Move = u64;
    fn start(&self) -> u64 {
        0
    }
    fn player_to_move(&self, _: u64) -> usize {
        0
    }
    fn terminal(&self, position: u64) -> Option<Wdl> {
        let number = (position as usize).checked_sub(self.successors.len())?;
        Some(self.results[number])
    }
    fn moves(&self, position: u64, out: &mut Vec<u64>) {
        let listed = self.successors.get(position as usize);
        out.extend(listed.into_iter().flatten());
    }
    fn play(&self, _: u64, mv: u64) -> u64 {
        mv
    }
}

pack_numbers!(Listed, u64, "listed");

/// Returns the first moves of lures of many seeds.
fn first_moves(game: Listed) -> Vec<u64> {
    let game = PackedGame::new(game);
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[_]| Ok(reader.probe_many(positions).unwrap());
    let mut first: Vec<u64> =
        (0..20).map(|seed| choose(&game, lure(&values), game.start(), seed).mv.0).collect();
    first.sort_unstable();
    first.dedup();
    first
}

/// One reply in two loses after either move: after 1 at once, after 2 in ten plies.
#[test]
fn a_mistake_that_is_hard_to_see_is_likelier() {
    let mut successors = vec![vec![1, 2], vec![14, 3], vec![14, 5], vec![15], vec![]];
    successors[4] = vec![14];
    successors.extend((6..14).map(|next| vec![next]));
    successors.push(vec![15]);
    let game = Listed { results: vec![Wdl::Draw, Wdl::Loss], successors };
    assert_eq!(game.successors.len(), 14);
    assert_eq!(first_moves(game), [2]);
}

/// No reply errs at once. Behind 2 every reply leads to a trap, behind 1 the game ends in a draw.
#[test]
fn a_trap_is_set_some_moves_before() {
    let game = Listed {
        successors: vec![
            vec![1, 2],
            vec![8, 9],
            vec![3, 4],
            vec![5],
            vec![5, 6],
            vec![8, 7],
            vec![8],
            vec![10],
        ],
        results: vec![Wdl::Draw, Wdl::Draw, Wdl::Loss],
    };
    assert_eq!(first_moves(game), [2]);
}

/// Wins and losses without plies are enough to keep the result, and to count mistakes.
#[test]
fn a_lure_plays_by_results_alone() {
    let game = named("tic-tac-toe");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[_]| {
        let answers = reader.probe_many(positions).unwrap().into_iter();
        Ok(answers.map(|answer| Answer::Wdl(answer.wdl().unwrap())).collect())
    };
    for seed in 0..20 {
        let chosen = choose(&game, lure(&values), game.start(), seed);
        assert!([0, 2, 6, 8].contains(&chosen.mv.0), "{chosen:?}");
        assert!(chosen.work > 100, "{chosen:?}");
    }
}

#[test]
fn a_lure_wins_more_drawn_games() {
    let pairs = [["perfect", "alphabeta:depth=4"], ["lure", "alphabeta:depth=4"]];
    let [perfect, lure] = [0, 1].map(|index| {
        let records = play_matches("dodgem:4x4", &pairs[index..=index], 60, 3);
        score(&records[0])
    });
    assert_eq!((perfect.wins[1], lure.wins[1]), (0, 0), "neither loses");
    assert!(lure.wins[0] > perfect.wins[0] + 6, "{perfect:?} {lure:?}");
}
