//! `cluster`: processes that are killed, stopped, silent or without disk, and what the others do.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::cluster::harness::{END, Process, Random, SOLVE, Site, kill, started_by_local};
use crate::running::wait_for;

/// Options of a solve that is interrupted and goes on.
const FILES: &str = "--threads 1 --quiet --checkpoint ck --out t";

/// Solve that nobody disturbed.
struct Undisturbed {
    spec: &'static str,
    table: Vec<u8>,
    /// Time from the first commit to the end.
    time: Duration,
}

impl Undisturbed {
    /// Solves with a checkpoint in two processes, and compares the table with that of one.
    fn new(spec: &'static str) -> Self {
        let site = Site::new(2);
        let table = site.table_of_one(spec);
        let mut running = site.start_all(&format!("{spec} {FILES}"));
        wait_for("commit", || site.commit(2).is_some());
        let begin = Instant::now();
        running.iter_mut().for_each(Process::check_done);
        let time = begin.elapsed();
        site.check_table(&table, spec);
        Self { spec, table, time }
    }

    /// Goes on with the checkpoint, and compares the table.
    fn resume(&self, site: &Site, processes: usize, context: &str) {
        let call = format!("{} {FILES} --resume", self.spec);
        site.local(processes, &call).check_done();
        site.check_table(&self.table, context);
    }
}

/// Moment of a kill, counted from the first commit.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// After this share of the time of an undisturbed solve.
    Share(f64),
    /// Right after this many more commits.
    Commits(usize),
}

/// Kill of one process of a solve.
#[derive(Clone, Copy, Debug)]
struct Kill {
    processes: usize,
    victim: usize,
    moment: Moment,
    /// Number of processes that go on.
    then: usize,
}

/// Waits until a moment of a solve, or until it ends.
fn wait_until(moment: Moment, solve: &Undisturbed, site: &Site, first: &mut Process) {
    let processes = site.ports.len();
    wait_for("commit", || site.commit(processes).is_some());
    let mut left = match moment {
        Moment::Share(share) => return sleep(solve.time.mul_f64(share)),
        Moment::Commits(commits) => commits,
    };
    let mut last = site.commit(processes);
    while left > 0 && !first.has_ended() {
        let commit = site.commit(processes);
        if commit != last {
            last = commit;
            left -= 1;
        }
        sleep(Duration::from_micros(200));
    }
}

/// Kills a process of a solve, checks that the others end and name it, and goes on. Returns true
/// if the kill came before the end of the solve.
fn kill_and_resume(solve: &Undisturbed, kill: Kill) -> bool {
    let site = Site::new(kill.processes);
    let context = format!("{}, {kill:?}", solve.spec);
    let mut running = site.start_all(&format!("{} {FILES}", solve.spec));
    wait_until(kill.moment, solve, &site, &mut running[0]);
    let mut victim = running.remove(kill.victim);
    if !victim.has_ended() {
        victim.signal("KILL");
    }
    // The kill may come after the last word of the victim, or after its end.
    let code = victim.end(END);
    assert!([None, Some(0)].contains(&code), "{context}: {code:?}");
    let mut ended_well = 0;
    let begin = Instant::now();
    for other in &mut running {
        if other.end(END) == Some(0) {
            assert_eq!(other.stderr(), "", "{context}");
            ended_well += 1;
            continue;
        }
        let stderr = other.refusal(END);
        assert!(stderr.contains(&site.name(kill.victim)), "{context}: {stderr}");
    }
    assert!(begin.elapsed() < END, "{context}");
    if site.has_table() {
        site.check_table(&solve.table, &context);
    } else {
        solve.resume(&site, kill.then, &context);
    }
    ended_well == 0
}

/// Kills at random moments before the end. A kill that comes late, as on a busy machine, is
/// followed by an earlier one.
fn check_kills(spec: &'static str, seed: u64, victims: &[[usize; 3]]) {
    let (solve, mut random) = (Undisturbed::new(spec), Random(seed));
    let mut disturbed = 0;
    for &[processes, victim, then] in victims {
        let share = 0.8 * random.share();
        let came = [1.0, 0.5, 0.1].into_iter().any(|part| {
            let moment = Moment::Share(part * share);
            kill_and_resume(&solve, Kill { processes, victim, moment, then })
        });
        disturbed += usize::from(came);
    }
    assert!(2 * disturbed >= victims.len(), "{spec}: {disturbed}");
}

#[test]
fn a_killed_process_of_a_solve_by_plies_is_named_and_all_go_on() {
    check_kills("onitama:3x4:boar", 7, &[[2, 0, 2], [2, 1, 3], [3, 1, 3]]);
}

#[test]
fn a_killed_process_of_a_solve_by_pairs_is_named_and_all_go_on() {
    check_kills("quoridor:4x4:2", 11, &[[2, 0, 2], [2, 1, 2], [3, 2, 1]]);
}

#[test]
#[ignore = "slow: two minutes"]
fn a_process_is_killed_at_twenty_moments() {
    let mut random = Random(2026);
    let mut disturbed = 0;
    for spec in ["onitama:3x4:boar", "quoridor:4x4:2"] {
        let solve = Undisturbed::new(spec);
        for i in 0..10 {
            let processes = 2 + i / 2 % 2;
            let moment = match i % 2 {
                0 => Moment::Share(random.share()),
                _ => Moment::Commits(i / 2),
            };
            let kill = Kill { processes, victim: i / 3 % processes, moment, then: 1 + i % 3 };
            disturbed += usize::from(kill_and_resume(&solve, kill));
        }
    }
    assert!(disturbed >= 10, "{disturbed}");
}

#[test]
fn a_silent_process_is_waited_for() {
    const SPEC: &str = "onitama:3x4:boar";
    let site = Site::new(2);
    let table = site.table_of_one(SPEC);
    let call = format!("{SPEC} --threads 1 --checkpoint ck --out t");
    let mut running = site.start_all(&call);
    wait_for("commit", || site.commit(2).is_some());
    running[1].signal("STOP");
    sleep(Duration::from_secs(7));
    running[1].signal("CONT");
    running.iter_mut().for_each(Process::check_done);
    let heard = running[0].stderr();
    let silent = format!("{} has not answered for ", site.name(1));
    assert!(heard.contains(&silent), "{heard}");
    site.check_table(&table, SPEC);
}

/// Starts two processes by `cluster local` and waits until both work. Returns the folder of the
/// checkpoint too, which is in their command lines.
fn start_local(site: &Site, spec: &str) -> (Process, String) {
    let folder = site.path("ck");
    let call = format!("{spec} --threads 1 --quiet --checkpoint {folder} --out t");
    let local = site.local(2, &call);
    wait_for("commit", || site.commit(2).is_some());
    assert_eq!(started_by_local(&folder).len(), 2);
    (local, folder)
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "asks the kernel of Linux")]
fn a_signal_ends_all_processes_and_the_checkpoint_is_kept() {
    let solve = Undisturbed::new("onitama:3x4:boar");
    for (signal, is_of_terminal, code) in
        [("INT", false, 130), ("INT", true, 130), ("TERM", false, 143)]
    {
        let site = Site::new(2);
        let (mut local, folder) = start_local(&site, solve.spec);
        if is_of_terminal {
            local.signal_group(signal);
        } else {
            local.signal(signal);
        }
        let ended = local.end(END);
        let stderr = local.stderr();
        assert_eq!(ended, Some(code), "{signal}: {stderr}");
        assert!(stderr.contains("hindsight: stopped\n"), "{stderr}");
        assert_eq!(started_by_local(&folder), [0; 0], "{signal}");
        assert!(!site.has_table(), "{signal}");
        solve.resume(&site, 2, signal);
    }
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "asks the kernel of Linux")]
fn a_signal_reaches_a_process_that_is_paused() {
    let site = Site::new(2);
    let (mut local, folder) = start_local(&site, "onitama:4x4:boar");
    let paused = started_by_local(&folder)[1];
    assert!(kill(&format!("-STOP {paused}")));
    local.signal("TERM");
    assert_eq!(local.end(END), Some(143), "{}", local.stderr());
    assert_eq!(started_by_local(&folder), [0; 0]);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "asks the kernel of Linux")]
fn a_killed_starter_leaves_no_process() {
    let site = Site::new(2);
    // This solve would go on for longer than the test waits.
    let (local, folder) = start_local(&site, "onitama:4x4:boar");
    local.signal("KILL");
    let begin = Instant::now();
    wait_for("end of all processes", || started_by_local(&folder).is_empty());
    assert!(begin.elapsed() < END, "{:?}", begin.elapsed());
    assert!(!site.has_table());
}

#[test]
fn a_process_that_is_stopped_while_it_waits_leaves_no_checkpoint() {
    let site = Site::new(2);
    let mut waiting = site.start(0, &format!("onitama:3x3:boar {FILES}"));
    let folder = site.path("ck");
    wait_for("folder", || Path::new(&folder).join("process-0-of-2").exists());
    waiting.signal("TERM");
    assert_eq!(waiting.end(END), Some(143), "{}", waiting.stderr());
    assert!(!Path::new(&folder).exists());
}

#[test]
fn a_called_process_that_starts_again_is_called_again() {
    let site = Site::new(3);
    let call = "onitama:3x3:boar --threads 1 --quiet --connect-seconds 20";
    let (mut first, mut second) = (site.start(0, call), site.start(1, call));
    // Both wait for process 2 by then.
    sleep(Duration::from_millis(300));
    first.signal("KILL");
    assert_eq!(first.end(END), None);
    let mut again = [site.start(0, call), site.start(2, call)];
    again.iter_mut().for_each(Process::check_done);
    second.check_done();
}

#[test]
fn layers_without_room_are_named_by_their_table() {
    let site = Site::new(2);
    let call = "onitama:3x3:boar --threads 1 --quiet --out t";
    let mut running = [site.start_with_room(0, 1024, call), site.start(1, call)];
    for process in &mut running {
        let stderr = process.refusal(SOLVE);
        let is_named = stderr.contains("the layers of 't': File too large");
        assert!(is_named && !stderr.contains(".layers"), "{stderr}");
    }
}

#[test]
fn a_full_disk_of_one_process_is_told_to_all() {
    let solve = Undisturbed::new("onitama:3x4:boar");
    let call = format!("{} {FILES}", solve.spec);
    for victim in [0, 1] {
        let site = Site::new(2);
        let mut full = site.start_with_room(victim, 4096, &call);
        let mut other = site.start(1 - victim, &call);
        let stderr = full.refusal(SOLVE);
        assert!(stderr.contains("File too large"), "{stderr}");
        let stderr = other.refusal(END);
        let named = format!("hindsight: {}: ", site.name(victim));
        assert!(stderr.starts_with(&named), "{stderr}");
        assert!(!site.has_table());
        solve.resume(&site, 2, "with room again");
    }
}
