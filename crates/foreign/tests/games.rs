//! Foreign rules as a game: its laws, its positions as texts, and its faults.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindsight_core::{
    Expansion, Game, Look, MOST_WORDS, Notation, Packed, PackedGame, Symmetry, Value, Wdl,
};
use hindsight_foreign::{
    Abilities, Answers, Description, ForeignRules, RulesFault, Turns, catch_faults, foreign_game,
};
use hindsight_testkit::{check_laws, check_notation, check_playouts};

/// Two heaps of at most 15 stones. A move takes one or two stones of one heap; whoever takes the
/// last one wins. Each heap is the last byte of several, and the player may follow.
struct Heaps {
    description: Description,
    /// Bytes of a heap.
    width: usize,
    calls: AtomicUsize,
    broken: Broken,
}

/// Fault of the answers about the position of heaps 1 and 1.
#[derive(Clone, Copy, PartialEq)]
enum Broken {
    Nothing,
    NoMove,
    MovesAtTheEnd,
    Size,
    Count,
    SamePlayer,
    Crash,
    Names,
}

impl Heaps {
    fn new(width: usize, turns: Turns, broken: Broken) -> Self {
        let mut start = vec![0; 2 * width];
        (start[width - 1], start[2 * width - 1]) = (7, 9);
        start.extend((turns == Turns::Told).then_some(0));
        let abilities = Abilities { names: true, texts: true, symmetries: true };
        let description = Description { abilities, ..Description::new("heaps", turns, start) };
        Self { description, width, calls: AtomicUsize::new(0), broken }
    }

    fn heaps(&self, position: &[u8]) -> [u8; 2] {
        [position[self.width - 1], position[2 * self.width - 1]]
    }

    fn position(&self, heaps: [u8; 2], player: Option<u8>) -> Vec<u8> {
        let mut position = vec![0; 2 * self.width];
        (position[self.width - 1], position[2 * self.width - 1]) = (heaps[0], heaps[1]);
        position.extend(player);
        position
    }

    fn player(&self, position: &[u8]) -> Option<u8> {
        position.get(2 * self.width).copied()
    }

    fn moves(&self, position: &[u8]) -> Vec<(usize, u8)> {
        let heaps = self.heaps(position);
        let taken = [(0, 1), (0, 2), (1, 1), (1, 2)];
        taken.into_iter().filter(|&(heap, taken)| taken <= heaps[heap]).collect()
    }
}

impl ForeignRules for Heaps {
    fn description(&self) -> &Description {
        &self.description
    }

    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        for position in positions.chunks_exact(self.description.position_bytes()) {
            let heaps = self.heaps(position);
            let player = self.player(position).map(|player| 1 - player);
            let is_odd = heaps == [1, 1];
            let result = (heaps == [0, 0]).then_some(Wdl::Loss);
            let mut next: Vec<Vec<u8>> = Vec::new();
            for (heap, taken) in self.moves(position) {
                let mut after = heaps;
                after[heap] -= taken;
                next.push(self.position(after, player));
            }
            match self.broken {
                Broken::NoMove if is_odd => next.clear(),
                Broken::MovesAtTheEnd if result.is_some() => next.push(position.to_vec()),
                Broken::Size if is_odd => next[0].push(0),
                Broken::Count if is_odd => continue,
                Broken::SamePlayer if is_odd => {
                    next[0] = self.position([0, 1], self.player(position));
                }
                Broken::Crash if is_odd => return Err(RulesFault::new("it crashed")),
                _ => {}
            }
            answers.add(result, next);
        }
        Ok(())
    }

    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        let positions = positions.chunks_exact(self.description.position_bytes());
        players.extend(positions.filter_map(|position| self.player(position)));
        Ok(())
    }

    fn canonicalize(&self, positions: &mut [u8]) -> Result<(), RulesFault> {
        for position in positions.chunks_exact_mut(self.description.position_bytes()) {
            let [first, second] = self.heaps(position);
            let sorted = self.position([first.min(second), first.max(second)], None);
            position[..sorted.len()].copy_from_slice(&sorted);
        }
        Ok(())
    }

    fn move_names(&self, position: &[u8]) -> Result<Vec<String>, RulesFault> {
        if self.broken == Broken::Names {
            return Ok(vec!["a b".into(); self.moves(position).len()]);
        }
        let moves = self.moves(position).into_iter();
        Ok(moves.map(|(heap, taken)| format!("{taken}from{heap}")).collect())
    }

    fn format(&self, position: &[u8]) -> Result<String, RulesFault> {
        let [first, second] = self.heaps(position);
        let player = self.player(position).map(|player| format!(" {player}"));
        Ok(format!("{first}+{second}{}", player.unwrap_or_default()))
    }

    fn parse(&self, text: &str) -> Result<Result<Vec<u8>, String>, RulesFault> {
        let (heaps, player) = text.split_once(' ').unwrap_or((text, ""));
        let heaps = heaps.split_once('+').and_then(|(first, second)| {
            Some([first.parse().ok()?, second.parse().ok()?])
                .filter(|heaps| heaps.iter().all(|&n| n < 16))
        });
        Ok(match heaps {
            Some(heaps) => Ok(self.position(heaps, player.parse().ok())),
            None => Err(format!("'{text}' is not heaps such as 3+4")),
        })
    }
}

fn game(width: usize, turns: Turns, symmetry: Symmetry) -> PackedGame {
    foreign_game(Arc::new(Heaps::new(width, turns, Broken::Nothing)), symmetry)
}

#[test]
fn laws_hold_for_positions_of_all_sizes() {
    for (width, turns) in [
        (1, Turns::Alternate),
        (2, Turns::Told),
        (3, Turns::Alternate),
        (15, Turns::Told),
        (16, Turns::Alternate),
    ] {
        for symmetry in [Symmetry::None, Symmetry::All] {
            let game = game(width, turns, symmetry);
            let shown = 2 * width + 1;
            assert_eq!(game.words(), shown.div_ceil(4), "{width}");
            assert!(game.words() <= MOST_WORDS);
            check_laws(&game, 60, 1);
            check_notation(&game, 60, 2);
        }
    }
}

#[test]
fn bytes_of_no_player_and_bytes_after_a_position_are_none() {
    let game = game(1, Turns::Alternate, Symmetry::None);
    for (words, is_position) in [
        ([0x0709_0000, 0], true),
        ([0x0709_0100, 0], true),
        ([0x0709_0200, 0], false),
        ([0x0709_0001, 0], false),
        ([0x0709_0000, 1], false),
    ] {
        assert_eq!(game.is_position(Packed::new(words)), is_position, "{words:x?}");
    }
}

#[test]
fn random_games_are_fair() {
    check_playouts(&game(1, Turns::Told, Symmetry::None), 4, 3);
}

/// Positions that follow from the start, counted without a solver.
fn reachable(game: &PackedGame) -> Vec<Packed> {
    let mut found = vec![game.canonical(game.start())];
    let mut next = 0;
    while next < found.len() {
        let mut expansion = Expansion::default();
        game.expand(&found[next..=next], 1, &mut expansion);
        next += 1;
        for successor in expansion.successors {
            if !found.contains(&successor) {
                found.push(successor);
            }
        }
    }
    found
}

#[test]
fn players_and_images_count_as_their_structure_says() {
    // Of 8 x 10 pairs of heaps all but a few can be reached.
    let plain = reachable(&game(1, Turns::Alternate, Symmetry::None)).len();
    let merged = reachable(&game(1, Turns::Alternate, Symmetry::All)).len();
    let told = reachable(&game(1, Turns::Told, Symmetry::None)).len();
    assert_eq!(plain, 80);
    // Heaps of 8 and 9 have no image below 7.
    assert_eq!(merged, 8 * 9 / 2 + 2 * 8);
    assert!(told > plain && told < 2 * plain);
}

#[test]
fn expansions_agree_with_moves_for_any_room() {
    let game = game(2, Turns::Told, Symmetry::All);
    let positions = reachable(&game);
    for most in [1, 7, 100, usize::MAX] {
        let mut rest = &positions[..];
        while !rest.is_empty() {
            let mut expansion = Expansion::default();
            game.expand(rest, most, &mut expansion);
            let (mut successors, mut next) = (&expansion.successors[..], Vec::new());
            assert!(!expansion.positions.is_empty());
            for (position, expanded) in rest.iter().zip(&expansion.positions) {
                next.clear();
                game.successors(*position, &mut next);
                game.canonicalize(&mut next);
                let (own, others) = successors.split_at(expanded.successors as usize);
                assert_eq!(own, next);
                successors = others;
                assert_eq!(expanded.value, game.terminal(*position).map(Value::terminal));
            }
            rest = &rest[expansion.positions.len()..];
        }
    }
}

#[test]
fn single_questions_ask_for_successors_too_and_answers_are_kept() {
    let rules = Arc::new(Heaps::new(1, Turns::Alternate, Broken::Nothing));
    let game = foreign_game(rules.clone(), Symmetry::None);
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    game.children(game.start(), &mut moves, &mut next);
    assert_eq!(rules.calls.load(Ordering::Relaxed), 2);
    assert!(next.iter().all(|&position| game.terminal(position).is_none()));
    assert_eq!(moves.iter().map(|&mv| game.play(game.start(), mv)).collect::<Vec<_>>(), next);
    assert_eq!(rules.calls.load(Ordering::Relaxed), 2);
}

/// The members that stand for the successors are others than these: they are asked for together.
#[test]
fn announced_positions_are_asked_for_once() {
    for turns in [Turns::Alternate, Turns::Told] {
        for symmetry in [Symmetry::None, Symmetry::All] {
            let rules = Arc::new(Heaps::new(1, turns, Broken::Nothing));
            let game = foreign_game(rules.clone(), symmetry);
            let mut expansion = Expansion::default();
            game.expand(&[game.start()], usize::MAX, &mut expansion);
            let next = expansion.successors.clone();
            game.announce(&next);
            for &position in &next {
                assert_eq!(game.look(position), Look::SafeMoves(4));
                game.expand(&[position], usize::MAX, &mut expansion);
                game.announce(&next);
            }
            assert_eq!(expansion.successors.len(), 4 + 4 * 4);
            assert_eq!(rules.calls.load(Ordering::Relaxed), 2);
        }
    }
}

#[test]
fn texts_tell_the_player_where_positions_do_not() {
    let alternate = game(1, Turns::Alternate, Symmetry::None);
    let second = alternate.play(alternate.start(), hindsight_core::PackedMove(0));
    assert_eq!(alternate.format(second), "6+9 second");
    assert_eq!(alternate.parse(" 6+9   SECOND "), Ok(second));
    assert_eq!(alternate.parse("7+9"), Ok(alternate.start()));
    assert_eq!(alternate.player_to_move(second), 1);
    assert_eq!(alternate.format_move(second, hindsight_core::PackedMove(3)), "2from1");
    let error = alternate.parse("7 9").expect_err("no position");
    assert_eq!(error.message, "'7 9' is not heaps such as 3+4");
    assert!(alternate.parse("  ").is_err());
    let told = game(1, Turns::Told, Symmetry::None);
    assert_eq!(told.format(told.start()), "7+9 0");
}

#[test]
fn faults_are_sentences_with_the_position() {
    for (turns, broken, text) in [
        (Turns::Alternate, Broken::NoMove, "there is no move and no result, in the position 1+1"),
        (
            Turns::Alternate,
            Broken::MovesAtTheEnd,
            "there are moves although the game is over, in the position 0+0",
        ),
        (Turns::Alternate, Broken::Size, "successors of another size than positions"),
        (Turns::Alternate, Broken::Count, "0 answers about 1 positions"),
        (Turns::Alternate, Broken::Crash, "it crashed"),
        (
            Turns::Told,
            Broken::SamePlayer,
            "a move leads to 0+1 1, in which it is the same player's turn, Second; the players must \
             move in turn, and who passes makes a move of its own, in the position 1+1 1",
        ),
    ] {
        let game = foreign_game(Arc::new(Heaps::new(1, turns, broken)), Symmetry::None);
        let fault = catch_faults(|| reachable(&game)).expect_err(text);
        assert_eq!(fault.to_string(), format!("the rules 'heaps' fail: {text}"));
    }
    let game = foreign_game(Arc::new(Heaps::new(1, Turns::Told, Broken::Names)), Symmetry::None);
    let fault = catch_faults(|| game.format_move(game.start(), hindsight_core::PackedMove(0)));
    let text = fault.expect_err("a name of two words").to_string();
    let right = "the name of a move is one word of at most 4,096 bytes, not 'a b'";
    assert!(text.contains(&format!("{right}, in the position 7+9 0")), "{text}");
}

#[test]
fn descriptions_are_checked() {
    let description = |start: usize| Description::new("heaps", Turns::Alternate, vec![0; start]);
    assert!(description(1).check().is_ok() && description(32).check().is_ok());
    for (description, text) in [
        (description(0), "1 to 32 bytes, not 0"),
        (description(33), "1 to 32 bytes, not 33"),
        (Description { name: "a\nb".into(), ..description(1) }, "in one line"),
        (Description { name: " ".into(), ..description(1) }, "in one line"),
        (
            Description { players: ["a b".into(), "c".into()], ..description(1) },
            "the name of a player is one word",
        ),
        (
            Description { players: ["Max".into(), "max".into()], ..description(1) },
            "both players are called Max",
        ),
    ] {
        let fault = description.check().expect_err(text);
        assert!(fault.text.contains(text), "{}", fault.text);
    }
}
