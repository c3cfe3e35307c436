//! Tests of tic-tac-toe against its golden histogram, and of the laws against faulty games.

use hindsight_core::{Game, Ranked, Symmetry, Tiers, Value, Wdl};
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_testkit::golden;
use hindsight_testkit::{
    check_laws, check_notation, check_ranks, check_retro, golden_value, histogram, reference,
};

#[test]
fn histogram_by_remoteness() {
    let rows = golden(include_str!("../../../../golden/tic_tac_toe.csv")).expect("a golden file");
    for (column, symmetry) in [(2, Symmetry::None), (3, Symmetry::All)] {
        let expected: Vec<(Value, u64)> = rows
            .iter()
            .map(|row| {
                let positions = row[column].parse().expect("a count");
                (golden_value(row[0], row[1]), positions)
            })
            .collect();
        let solved = reference(&TicTacToe(symmetry), 10_000).expect("few positions");
        assert_eq!(histogram(&solved), expected);
    }
}

#[test]
fn laws_hold() {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        check_laws(&TicTacToe(symmetry), 5_000, 7);
        check_ranks(&TicTacToe(symmetry), 7);
        check_retro(&TicTacToe(symmetry), 7);
        check_notation(&TicTacToe(symmetry), 2_000, 7);
    }
}

/// Tic-tac-toe with a planted fault.
struct Faulty(Fault);

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    MovesAfterTheEnd,
    MoveTwice,
    HalfASymmetry,
    LyingSuccessors,
    SameSideTwice,
    StartUnlisted,
}

const SOUND: TicTacToe = TicTacToe(Symmetry::All);

impl Game for Faulty {
    type Position = [u64; 2];
    type Move = u8;

    fn start(&self) -> [u64; 2] {
        SOUND.start()
    }
    fn player_to_move(&self, position: [u64; 2]) -> usize {
        match self.0 {
            Fault::SameSideTwice => usize::from(position != SOUND.start()),
            _ => SOUND.player_to_move(position),
        }
    }
    fn terminal(&self, position: [u64; 2]) -> Option<Wdl> {
        SOUND.terminal(position)
    }
    fn moves(&self, position: [u64; 2], out: &mut Vec<u8>) {
        SOUND.moves(position, out);
        match self.0 {
            Fault::MovesAfterTheEnd if out.is_empty() => out.push(0),
            Fault::MoveTwice if out.len() == 3 => out.push(out[0]),
            _ => {}
        }
    }
    fn play(&self, position: [u64; 2], square: u8) -> [u64; 2] {
        SOUND.play(position, square)
    }
    fn successors(&self, position: [u64; 2], out: &mut Vec<[u64; 2]>) {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        if self.0 == Fault::LyingSuccessors {
            moves.reverse();
        }
        out.extend(moves.into_iter().map(|mv| self.play(position, mv)));
    }
    fn canonical(&self, position: [u64; 2]) -> [u64; 2] {
        let canonical = SOUND.canonical(position);
        if self.0 == Fault::HalfASymmetry && canonical != position {
            SOUND.play(canonical, 8)
        } else {
            position
        }
    }
}

/// With [`Fault::StartUnlisted`], the tier of the start is in no layer.
impl Tiers for Faulty {
    fn layers(&self) -> u32 {
        SOUND.layers() - u32::from(self.0 == Fault::StartUnlisted)
    }
    fn tier_len(&self, tier: u64) -> u64 {
        SOUND.tier_len(tier)
    }
}

impl Ranked for Faulty {
    fn rank(&self, position: [u64; 2]) -> Option<(u64, u64)> {
        SOUND.rank(position)
    }
    fn unrank(&self, tier: u64, rank: u64) -> Option<[u64; 2]> {
        SOUND.unrank(tier, rank)
    }
}

/// Returns the panic message of [`check_laws`] and [`check_ranks`] for a planted fault.
fn reported_violation(fault: Fault) -> String {
    let result = std::panic::catch_unwind(|| {
        check_laws(&Faulty(fault), 2_000, 3);
        check_ranks(&Faulty(fault), 3);
    });
    let payload = result.expect_err("the fault is caught");
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn planted_faults_are_caught_with_the_position() {
    for (fault, law) in [
        (Fault::MovesAfterTheEnd, "no moves iff terminal"),
        (Fault::MoveTwice, "no move twice"),
        (Fault::HalfASymmetry, "canonical"),
        (Fault::LyingSuccessors, "successors are moves"),
        (Fault::SameSideTwice, "players take turns"),
    ] {
        let message = reported_violation(fault);
        assert!(message.contains(law) && message.contains("seed 3, position"), "{message}");
    }
}

#[test]
fn a_start_without_a_listed_tier_is_caught() {
    let message = reported_violation(Fault::StartUnlisted);
    assert!(message.contains("the tier of a position is listed"), "{message}");
}
