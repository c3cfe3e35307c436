//! Tests of whole judgements.

use super::{Fairness, FairnessOptions, run};
use hindsight_core::Wdl;
use hindsight_games::Method;

const FIVE: &str = "tiger,crab,monkey,crane,dragon";

fn judge(spec: &str, options: &FairnessOptions) -> Fairness {
    let game = hindsight_games::game(spec).expect("a game");
    run(&game, options).expect("an agent that plays")
}

fn options(games: u64) -> FairnessOptions {
    FairnessOptions {
        agent: "random".parse().expect("an agent"),
        games,
        ..FairnessOptions::default()
    }
}

#[test]
fn every_deal_has_the_value_of_its_own_solve() {
    for spec in [
        format!("onitama:3x3:{FIVE}"),
        String::from("onitama:2x4:wolf=(0,2)(-1,0)(1,1)@blue,ox,wolf,ox,eel:first=blue"),
    ] {
        let fairness = judge(&spec, &options(1));
        let perfect = fairness.perfect.expect("a small game");
        for deal in fairness.deals.iter().step_by(5) {
            let game = hindsight_games::game(&deal.game).expect("a game");
            let solved = game.solve(Method::Reachable, &Default::default());
            let value = solved.expect("a small game").start_value();
            let value = value.exact().expect("solved");
            assert_eq!(deal.remoteness, value.remoteness(), "{}", deal.game);
            let words = [("win", Wdl::Win), ("draw", Wdl::Draw), ("loss", Wdl::Loss)];
            let index = words.iter().position(|word| word.1 == value.wdl());
            let index = index.expect("one of three");
            assert_eq!(deal.value, Some(words[index].0), "{}", deal.game);
        }
        let count = |word| fairness.deals.iter().filter(|deal| deal.value == Some(word)).count();
        let counts = ["win", "draw", "loss"].map(count).map(|n| n as u64);
        assert_eq!([perfect.won, perfect.drawn, perfect.lost], counts);
    }
}

#[test]
fn planes_and_tiers_agree() {
    let spec = format!("onitama:3x3:{FIVE}");
    let game = hindsight_games::game(&spec).expect("a game");
    let tiers = judge(&spec, &options(1));
    let setup = super::deals::onitama_setup(&game).expect("Onitama");
    let onitama = hindsight_rules::onitama::Onitama::<u32>::new(setup, Default::default());
    let monitor = &mut hindsight_engine::NoMonitor;
    let starts = crate::onitama_starts::solve_starts(&onitama, Default::default(), monitor);
    let starts = starts.expect("a small game");
    let plies: Vec<_> = starts.values.iter().map(|value| value.remoteness()).collect();
    let by_tiers: Vec<_> = tiers.deals.iter().map(|deal| deal.remoteness).collect();
    assert_eq!(plies, by_tiers);
    let perfect = tiers.perfect.expect("a small game");
    assert_eq!(perfect.positions, Some(starts.summary.positions));
    assert_eq!(perfect.positions_drawn, Some(starts.summary.draws));
    assert_eq!(perfect.longest_win, Some(starts.longest_win));
}

#[test]
fn a_game_without_ranks_is_searched() {
    let perfect = judge("four:5x5", &options(1)).perfect;
    let perfect = perfect.expect("a search of less than a second");
    assert_eq!((perfect.drawn, perfect.positions), (1, None));
    let short = FairnessOptions { seconds: 0.01, memory: Some(1 << 26), ..options(1) };
    let fairness = judge("four:7x6", &short);
    assert_eq!(fairness.perfect, None);
    let reason = fairness.unsolved.expect("a reason");
    assert_eq!((reason.memory, reason.was_searched), (None, true));
}

#[test]
fn points_of_seats_and_cards_add_up() {
    let fairness = judge(&format!("onitama:3x3:{FIVE}"), &options(90));
    let games = &fairness.games;
    assert_eq!((games.games, fairness.deals.len()), (90, 30));
    assert_eq!(games.won + games.tied + games.lost, 90);
    assert!(fairness.deals.iter().all(|deal| deal.games == 3));
    let mean = fairness.deals.iter().map(|deal| deal.points.share).sum::<f64>() / 30.0;
    assert!((mean - games.points.share).abs() < 1e-9);
    let [low, high] = games.points.interval;
    assert!(low < games.points.share && games.points.share < high);
    // Both players of a game hold two cards, and share one point.
    let dealt: u64 = fairness.cards.iter().map(|card| card.dealt).sum();
    assert_eq!(dealt, 4 * 90);
    let points = |card: &super::CardWorth| card.points.share * card.dealt as f64;
    let points: f64 = fairness.cards.iter().map(points).sum();
    assert!((points - 2.0 * 90.0).abs() < 1e-9);
    // Each turn uses one of two cards.
    let plies: u64 = games.lengths.iter().map(|(&plies, n)| plies as u64 * n).sum();
    let uses: u64 = fairness.cards.iter().map(|card| card.uses).sum();
    let turns: u64 = fairness.cards.iter().map(|card| card.turns).sum();
    assert_eq!((uses, turns), (plies, 2 * plies));
    let wins: u64 = fairness.cards.iter().map(|card| card.winning_moves).sum();
    assert_eq!(wins, games.won + games.lost);
    let decided: u64 = games.decided_in_tenth.iter().flatten().sum();
    assert_eq!(decided, 90);
    let perfect = fairness.cards.iter().map(|card| card.perfect_share.expect("solved"));
    assert!((perfect.sum::<f64>() / 5.0 - 0.5).abs() < 1e-9);
}

#[test]
fn a_game_without_cards_has_one_deal() {
    let fairness = judge("tic-tac-toe", &options(20));
    assert_eq!((fairness.deals.len(), fairness.cards.len()), (1, 0));
    assert_eq!(fairness.deals[0].value, Some("draw"));
    assert_eq!(fairness.games.games, 20);
    assert!(fairness.games.decided_plies.is_some());
}

#[test]
fn a_game_that_is_too_large_is_played_only() {
    let fairness =
        judge(&format!("onitama:4x5:{FIVE}"), &FairnessOptions { seconds: 0.001, ..options(30) });
    assert_eq!(fairness.perfect, None);
    let reason = fairness.unsolved.expect("a reason");
    assert!(reason.seconds.is_some_and(|seconds| seconds > 1.0));
    assert_eq!(fairness.games.decided_plies, None);
    assert!(fairness.cards.iter().all(|card| card.perfect_share.is_none()));
}

#[test]
fn copies_of_a_card_are_dealt_in_one_way() {
    let fairness = judge("onitama:3x3:boar", &options(5));
    assert_eq!((fairness.deals.len(), fairness.cards.len()), (1, 1));
    let card = &fairness.cards[0];
    assert_eq!((card.used, card.dealt), (1.0, 10));
}
