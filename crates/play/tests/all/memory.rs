//! Memory of a search, measured in its own process.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_core::{Game, PackedGame, Wdl};
use hindsight_play::{AgentResources, AgentSpec, SeededRandom};
use hindsight_testkit::pack_numbers;

/// An endless game with twenty moves in every position.
struct Wide;

impl Game for Wide {
    type Position = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        1
    }
    fn player_to_move(&self, _: u64) -> usize {
        0
    }
    fn terminal(&self, _: u64) -> Option<Wdl> {
        None
    }
    fn moves(&self, _: u64, out: &mut Vec<u64>) {
        out.extend(1..=20);
    }
    fn play(&self, position: u64, mv: u64) -> u64 {
        position.wrapping_mul(21).wrapping_add(mv)
    }
}

pack_numbers!(Wide, u64, "wide");

/// Returns a value of `/proc/self/status` in bytes.
fn process_bytes(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|line| line.starts_with(name));
    let words = line.and_then(|line| line.split_whitespace().nth(1));
    words.expect("a number").parse::<u64>().expect("kB") << 10
}

/// A search that could use tens of megabytes keeps to its limit of eight, and reports a full tree.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "asks the kernel of Linux")]
fn a_tree_keeps_to_its_memory() {
    const ALONE: &str = "HINDSIGHT_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let mut alone = Command::new(std::env::current_exe().expect("this test"));
        alone.args(["memory::a_tree_keeps_to_its_memory", "--exact", "--nocapture"]);
        let output = alone.env(ALONE, "1").output().expect("it runs");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && stdout.contains("1 passed"), "{output:?}");
        return;
    }
    const MEMORY: u64 = 8 << 20;
    let before = process_bytes("VmRSS:");
    let full = AtomicBool::new(false);
    let resources = AgentResources {
        memory_bytes: MEMORY,
        exhausted: Some(&full),
        ..AgentResources::default()
    };
    let spec: AgentSpec = "mcts:playouts=1500000,length=1".parse().unwrap();
    let mut agent = spec.agent(None, resources).unwrap();
    let game = PackedGame::new(Wide);
    let mut position = game.start();
    for ply in 0..3 {
        let chosen = agent.choose(&game, position, &mut SeededRandom::new(&[ply]));
        position = game.play(position, chosen.unwrap().mv);
    }
    assert!(full.load(Ordering::Relaxed));
    let taken = process_bytes("VmHWM:") - before;
    assert!(taken >= MEMORY / 2, "it is used: {taken}");
    assert!(taken <= MEMORY + (1 << 20), "{taken}");
}
