//! `cluster`: bad input is refused by every process, in one line.

use std::fs;
use std::net::TcpListener;
use std::time::Duration;

use crate::cluster::harness::Site;
use crate::harness::{json, refusal};

const SPEC: &str = "onitama:3x3:boar";
/// Options of a process of one thread.
const ONE: &str = "--threads 1 --quiet --connect-seconds 60";
/// Longest time until a refusal, which is less than a process waits for another one.
const SOON: Duration = Duration::from_secs(10);

/// Starts a process for each call; returns the refusals of all.
fn refusals(site: &Site, calls: &[String]) -> Vec<String> {
    let starts = calls.iter().enumerate();
    let mut running: Vec<_> = starts.map(|(i, call)| site.start(i, call)).collect();
    let refusals = running.iter_mut().map(|process| process.refusal(SOON));
    refusals.collect()
}

/// Checks that each process is refused for the same fault.
fn check_refused(site: &Site, call: &str, fault: &str) {
    let calls = vec![format!("{call} {ONE}"); site.ports.len()];
    for stderr in refusals(site, &calls) {
        assert!(stderr.contains(fault), "{fault}: {stderr}");
    }
}

#[test]
fn a_wrong_hosts_file_is_refused() {
    let site = Site::new(2);
    let port = site.ports[0];
    let twice = format!("127.0.0.1:{port}\n# again\n127.0.0.1:{port}\n");
    let is_twice = format!("'hosts': line 3: 127.0.0.1:{port} is the process of line 1 too");
    let unknown = format!("127.0.0.1:{port}\nno-such-host.invalid\n");
    let is_unknown = "'hosts': line 2: there is no host no-such-host.invalid:17017";
    for (text, fault) in [
        (twice.as_str(), is_twice.as_str()),
        (unknown.as_str(), is_unknown),
        ("", "'hosts': it names no host"),
        ("a b\n", "'hosts': line 1: \"a b\" is no host"),
        ("127.0.0.1:0\n127.0.0.1\n", "'hosts': line 1: \"0\" is no port"),
    ] {
        site.write_hosts(text);
        check_refused(&site, SPEC, fault);
    }
    fs::remove_file(site.path("hosts")).expect("a file");
    check_refused(&site, SPEC, "cannot read 'hosts': No such file");
}

#[test]
fn a_process_beyond_the_hosts_file_is_refused() {
    let site = Site::new(2);
    let stderr = site.start(2, &format!("{SPEC} {ONE}")).refusal(SOON);
    let fault = "--process 2 has no line in 'hosts', which has 2 processes, numbered from 0";
    assert!(stderr.contains(fault), "{stderr}");
    let hosts = site.path("hosts");
    let call = ["cluster", "solve", SPEC, "--hosts", &hosts, "--process"];
    for process in ["-1", "x", "1.5"] {
        let stderr = refusal(&[&call[..], &[process]].concat());
        assert!(stderr.contains("the number of a process, from 0"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[test]
fn processes_that_differ_refuse_each_other() {
    let site = Site::new(2);
    let cases = [
        ("onitama:3x3:ox --threads 1", "solves onitama:3x3:ox"),
        ("onitama:3x3:boar --threads 2", "--threads"),
        ("onitama:3x3:boar --threads 1 --out t", "writes a table"),
        ("onitama:3x3:boar --threads 1 --checkpoint ck", "a checkpoint"),
    ];
    for (other, fault) in cases {
        let end = "--quiet --connect-seconds 60";
        let calls = [format!("{SPEC} --threads 1 {end}"), format!("{other} {end}")];
        for stderr in refusals(&site, &calls) {
            let is_told = stderr.contains("process 0") && stderr.contains("process 1");
            assert!(is_told && stderr.contains(fault), "{fault}: {stderr}");
        }
    }
    assert!(!site.has_table());
    // Nothing is left that would be in the way of the right call.
    assert!(!std::path::Path::new(&site.path("ck")).exists());
}

#[test]
fn every_process_hears_of_two_that_differ() {
    let site = Site::new(3);
    let calls = [SPEC, SPEC, "onitama:3x3:ox"].map(|spec| format!("{spec} {ONE}"));
    for stderr in refusals(&site, &calls) {
        assert!(stderr.contains("onitama:3x3:ox"), "{stderr}");
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    for taken in [0, 1] {
        let site = Site::new(2);
        let _listener = TcpListener::bind(("127.0.0.1", site.ports[taken])).expect("a port");
        let stderr = site.start(taken, &format!("{SPEC} {ONE}")).refusal(SOON);
        let fault = format!("{} cannot listen on 127.0.0.1:", site.name(taken));
        assert!(stderr.contains(&fault), "{stderr}");
        assert!(stderr.contains("in use"), "{stderr}");
    }
}

#[test]
fn a_process_that_stays_away_is_named() {
    for (process, absent) in [(0, 1), (1, 0)] {
        let site = Site::new(2);
        let call = format!("{SPEC} --threads 1 --quiet --connect-seconds 1");
        let stderr = site.start(process, &call).refusal(SOON);
        let fault = format!("{} did not come within 1 second", site.name(absent));
        assert!(stderr.contains(&fault), "{stderr}");
    }
}

#[test]
fn more_processes_than_ranks_are_refused() {
    const SMALL: &str = "onitama:2x2:boar:students=0";
    let call = ["cluster", "local", "-n", "1", "--threads", "1", "solve"];
    let alone = json(&[&call[..], &[SMALL, "--quiet"]].concat());
    let ranks = alone["work"][0]["ranks"].as_u64().expect("a number");
    let processes = ranks as usize + 1;
    assert!(processes <= 30, "{processes} processes are too many for a test");
    let site = Site::new(processes);
    let fault = format!("has {ranks} ranks, too few for {processes} processes");
    check_refused(&site, SMALL, &fault);
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let site = Site::new(2);
    for process in &mut site.start_all(&format!("{SPEC} {ONE} --checkpoint ck")) {
        process.check_done();
    }
    let again = format!("{SPEC} --checkpoint ck");
    check_refused(&site, &again, "'ck' holds a checkpoint already");
    let other = "onitama:3x3:ox --checkpoint ck --resume";
    check_refused(&site, other, "is of 'onitama:3x3:boar', not of 'onitama:3x3:ox'");
    let other = format!("{SPEC} --layout compact --checkpoint ck --resume");
    check_refused(&site, &other, "has the layout 'full', not 'compact'");
    for process in &mut site.start_all(&format!("{SPEC} {ONE} --checkpoint ck --resume")) {
        process.check_done();
    }
}

#[test]
fn a_table_that_exists_is_kept() {
    let site = Site::new(2);
    fs::write(site.path("t"), "mine").expect("a file");
    check_refused(&site, &format!("{SPEC} --out t"), "'t' exists");
    let mut local = site.local(2, &format!("{SPEC} --threads 1 --quiet --out t"));
    assert_eq!(local.end(SOON), Some(2));
    let stderr = local.stderr();
    assert!(stderr.contains("hindsight: 't' exists"), "{stderr}");
    site.check_table(b"mine", "the file of the user");
    for process in &mut site.start_all(&format!("{SPEC} {ONE} --force --out t")) {
        process.check_done();
    }
    site.check_table(&site.table_of_one(SPEC), "a table by force");
}

#[test]
fn a_game_that_cannot_be_shared_is_refused() {
    let site = Site::new(2);
    check_refused(&site, "ostle", "is solved by one process only");
    check_refused(&site, "chess", "chess");
}

#[test]
fn numbers_of_processes_have_limits() {
    for number in ["0", "-1", "65", "two"] {
        let call = ["cluster", "local", "-n", number, "solve", SPEC];
        let stderr = refusal(&call);
        assert!(stderr.contains("1 to 64"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}
