//! `cluster`: bytes that are damaged, lost or late on the way between two processes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cluster::harness::{Process, Random, SOLVE, Site};
use crate::cluster::proxy::{CONTROL, DATA, Damage, Passed, Proxy, Spot};
use crate::harness::json;
use crate::running::wait_for;

const SPEC: &str = "onitama:3x4:boar";
/// Options of a process. Nobody waits for another for long.
const ONE: &str = "--threads 1 --quiet --json --connect-seconds 8 --silent-seconds 6";
/// Longest time in which a solve ends, well or by an error in words: the times above, and that
/// until lost bytes are missed.
const LONGEST: Duration = Duration::from_secs(40);

/// Longest hello of the games here, in bytes.
const HELLO: u64 = 150;

/// End of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Solved,
    /// All that did not end well gave this reason or one like it.
    Refused,
}

/// Run of two processes with a damaged connection.
struct DamagedRun {
    end: End,
    reasons: Vec<String>,
    passed: Arc<Passed>,
}

/// Runs two processes with a damaged connection. They must end in time, well or in words.
fn run(spec: &str, signature: &str, spot: Spot) -> DamagedRun {
    let site = Site::new(2);
    let proxy = Proxy::start(site.ports[0], spot);
    let lines = [proxy.port, site.ports[1]].map(|port| format!("127.0.0.1:{port}\n"));
    site.write("hosts-1", &lines.concat());
    let mut running = [
        site.start(0, &format!("{spec} {ONE}")),
        site.start_with_hosts(1, "hosts-1", &format!("{spec} {ONE}")),
    ];
    let begin = Instant::now();
    let mut reasons = Vec::new();
    for process in &mut running {
        let left = LONGEST.saturating_sub(begin.elapsed()).max(Duration::from_secs(1));
        match process.end(left) {
            Some(0) => assert_eq!(process.stderr(), "", "{spot:?}"),
            _ => reasons.push(process.refusal(left)),
        }
    }
    if let Ok(report) = serde_json::from_str::<Value>(&running[0].stdout()) {
        assert_eq!(report["signature"], signature, "{spot:?}");
    } else {
        assert!(!reasons.is_empty(), "{spot:?}");
    }
    DamagedRun {
        end: if reasons.is_empty() { End::Solved } else { End::Refused },
        reasons,
        passed: proxy.passed,
    }
}

fn signature(spec: &str) -> String {
    let one = json(&["solve", spec, "--solver", "tiered", "--quiet"]);
    one["signature"].as_str().expect("a text").into()
}

#[test]
fn damaged_data_ends_all_processes_in_words() {
    let signature = signature(SPEC);
    let damages =
        [Damage::Flip(3), Damage::Drop(1), Damage::Drop(5000), Damage::Double(7), Damage::Swap(40)];
    for (i, damage) in damages.into_iter().enumerate() {
        let spot =
            Spot { connection: DATA, inward: i % 2 == 0, at: 20_000 + 1_001 * i as u64, damage };
        let DamagedRun { end, reasons, .. } = run(SPEC, &signature, spot);
        assert_eq!(end, End::Refused, "{spot:?}");
        assert_eq!(reasons.len(), 2, "{spot:?}: {reasons:?}");
        let is_named = |reason: &String| {
            reason.contains("data from process ") && reason.contains(" was damaged on the way: ")
        };
        assert!(reasons.iter().all(is_named), "{spot:?}: {reasons:?}");
    }
}

#[test]
#[ignore = "slow: twenty seconds"]
fn damaged_words_and_hellos_end_in_words_or_do_no_harm() {
    let signature = signature(SPEC);
    // A hello has some 150 bytes, then words follow.
    for (connection, inward, at) in [
        (CONTROL, true, 9),
        (CONTROL, false, 40),
        (DATA, true, 60),
        (CONTROL, true, 200),
        (CONTROL, false, 210),
    ] {
        let spot = Spot { connection, inward, at, damage: Damage::Flip(5) };
        run(SPEC, &signature, spot);
    }
}

#[test]
fn a_connection_that_is_slow_or_cut_is_told_apart_from_a_damaged_one() {
    let signature = signature(SPEC);
    let spot = Spot {
        connection: DATA,
        inward: true,
        at: 30_000,
        damage: Damage::Delay(Duration::from_secs(2)),
    };
    assert_eq!(run(SPEC, &signature, spot).end, End::Solved);
    let spot = Spot { damage: Damage::Cut, ..spot };
    let DamagedRun { reasons, .. } = run(SPEC, &signature, spot);
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    for reason in reasons {
        assert!(reason.contains("is lost") || reason.contains("ended before"), "{reason}");
    }
}

#[test]
#[ignore = "slow: half a minute"]
fn a_connection_that_falls_silent_is_given_up() {
    let signature = signature(SPEC);
    for (connection, reason) in
        [(CONTROL, "has not answered for 6 s; given up"), (DATA, "bytes came")]
    {
        let spot = Spot { connection, inward: false, at: 5_000, damage: Damage::Stall };
        let at = if connection == CONTROL { 300 } else { 5_000 };
        // A short solve may be over before the connection is missed.
        let spec = "onitama:4x5:boar";
        let spot = Spot { at, ..spot };
        let DamagedRun { end, reasons, .. } = run(spec, &signature, spot);
        assert_eq!(end, End::Refused, "{spot:?}");
        assert!(reasons.iter().any(|told| told.contains(reason)), "{reasons:?}");
    }
}

/// Draws a damage of each kind in turn.
fn damage(i: usize, random: &mut Random) -> Damage {
    let mut below = |n: f64| (n * random.share()) as usize;
    match i % 8 {
        0..3 => Damage::Flip(below(8.0) as u8),
        3 => Damage::Drop(1 + below(100.0)),
        4 => Damage::Drop(1 + below(60_000.0)),
        5 => Damage::Double(1 + below(5_000.0)),
        6 => Damage::Swap(1 + below(2_000.0)),
        _ => Damage::Cut,
    }
}

/// Solves a game two hundred times, each time with a damage somewhere.
fn check_damages(spec: &str, seed: u64) {
    let mut random = Random(seed);
    let signature = signature(spec);
    let nowhere = Spot { connection: DATA, inward: true, at: u64::MAX, damage: Damage::None };
    let whole = run(spec, &signature, nowhere);
    assert_eq!(whole.end, End::Solved);
    let mut refused = 0;
    for i in 0..200 {
        // Most bytes are data; a quarter of the damages is on the control connection.
        let connection = if i / 8 % 4 == 0 { CONTROL } else { DATA };
        let inward = random.share() < 0.5;
        let bytes = whole.passed.bytes(connection, inward);
        let spot = Spot {
            connection,
            inward,
            at: (random.share() * bytes as f64) as u64,
            damage: damage(i, &mut random),
        };
        let DamagedRun { end, passed, .. } = run(spec, &signature, spot);
        refused += usize::from(end == End::Refused);
        // A damaged hello is said again; any other bit belongs to a frame.
        let is_of_frame = matches!(spot.damage, Damage::Flip(_)) && spot.at >= HELLO;
        assert!(!passed.has_hit() || !is_of_frame || end == End::Refused, "{spot:?}");
    }
    assert!(refused > 100, "{spec}: {refused} of 200 ended in words");
}

#[test]
#[ignore = "slow: ten minutes"]
fn two_hundred_damages_of_a_solve_by_plies() {
    check_damages(SPEC, 2027);
}

#[test]
#[ignore = "slow: ten minutes"]
fn two_hundred_damages_of_a_solve_by_pairs() {
    check_damages("quoridor:4x4:2", 2028);
}

#[test]
#[ignore = "slow: ten minutes"]
fn two_hundred_damages_of_a_short_solve() {
    check_damages("onitama:3x3:boar", 2029);
}

/// Longest time in which a signal is obeyed; a second is promised, and tests share the machine.
const OBEYED: Duration = Duration::from_secs(3);

/// Checks that a process ends by a signal though another one is silent.
fn check_obeyed(process: &mut Process, signal: &str, code: i32, context: &str) -> Duration {
    let begin = Instant::now();
    process.signal(signal);
    let ended = process.end(OBEYED);
    let stderr = process.stderr();
    assert_eq!(ended, Some(code), "{context}: {stderr}");
    assert!(stderr.contains("hindsight: stopped"), "{context}: {stderr}");
    begin.elapsed()
}

#[test]
fn a_signal_is_obeyed_while_a_process_that_is_called_is_silent() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let site = Site::new(2);
        let call = format!("{SPEC} --threads 1 --connect-seconds 60");
        let first = site.start(0, &call);
        wait_for("listener", || std::net::TcpStream::connect(("127.0.0.1", site.ports[0])).is_ok());
        first.signal("STOP");
        let mut second = site.start(1, &call);
        wait_for("word", || second.stderr().contains("waiting for process 0"));
        check_obeyed(&mut second, signal, code, "connecting");
    }
}

/// Pauses a process some time after the first commit, and stops the other.
fn stop_beside_silence(share: f64, victim: usize) -> Duration {
    const LONG: &str = "onitama:4x4:boar";
    let site = Site::new(2);
    let call = format!("{LONG} --threads 1 --quiet --checkpoint ck --out t");
    let mut running = site.start_all(&call);
    wait_for("commit", || site.commit(2).is_some());
    std::thread::sleep(Duration::from_secs_f64(share));
    running[victim].signal("STOP");
    std::thread::sleep(Duration::from_millis(300));
    let other = &mut running[1 - victim];
    if other.has_ended() {
        return Duration::ZERO;
    }
    let context = format!("{share} s after the first commit, {victim} is silent");
    check_obeyed(other, "TERM", 143, &context)
}

#[test]
fn a_signal_is_obeyed_while_a_process_of_the_solve_is_silent() {
    for (share, victim) in [(0.0, 1), (0.1, 0), (0.3, 1)] {
        stop_beside_silence(share, victim);
    }
}

#[test]
#[ignore = "slow: a minute"]
fn a_signal_is_obeyed_at_forty_moments_of_silence() {
    let mut longest = Duration::ZERO;
    for i in 0..40 {
        let share = 2.0 * f64::from(i) / 40.0;
        longest = longest.max(stop_beside_silence(share, i as usize % 2));
    }
    assert!(longest < Duration::from_secs(1), "{longest:?}");
}

#[test]
fn a_process_that_stays_silent_is_given_up() {
    let site = Site::new(2);
    let call = "onitama:4x4:boar --threads 1 --quiet --silent-seconds 5 --checkpoint ck";
    let mut running = site.start_all(call);
    wait_for("commit", || site.commit(2).is_some());
    running[1].signal("STOP");
    let stderr = running[0].refusal(Duration::from_secs(15));
    let sentence = format!("{} has not answered for 5 s; given up", site.name(1));
    assert!(stderr.contains(&sentence), "{stderr}");
    running[1].signal("CONT");
    running[1].refusal(SOLVE);
}
