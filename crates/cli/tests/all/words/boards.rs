//! Boards on a terminal, and where no terminal is.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::harness::{TestFolder, answer, run_with_code, run_with_input};

const DEAL: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";

/// Opens a terminal of some columns; returns the end of the person and that of the program.
fn open_terminal(columns: u16) -> io::Result<[OwnedFd; 2]> {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&person)?;
    unlockpt(&person)?;
    let name = ptsname(&person, Vec::new())?;
    let path = std::ffi::OsStr::from_bytes(name.as_bytes());
    let program = File::options().read(true).write(true).open(path)?;
    let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&program, size)?;
    Ok([person, program.into()])
}

/// Returns what a call that succeeds shows on a terminal.
fn shown(columns: u16, args: &[&str], environment: &[[&str; 2]]) -> String {
    shown_for_input(columns, args, environment, Stdio::null())
}

/// As [`shown`], with a source of standard input.
fn shown_for_input(columns: u16, args: &[&str], environment: &[[&str; 2]], input: Stdio) -> String {
    let [person, program] = open_terminal(columns).expect("a terminal");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"));
    command
        .args(args)
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .envs([("LC_ALL", "C.UTF-8"), ("TERM", "xterm"), ("NO_COLOR", "")])
        .envs(environment.iter().map(|[name, value]| (name, value)))
        .stdin(input)
        .stdout(program)
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("it runs");
    // The terminal ends when the command, which holds the last end of the program, has ended.
    drop(command);
    let mut bytes = Vec::new();
    // Ignored: reading a terminal that has ended is an error on Linux.
    let _ = File::from(person).read_to_end(&mut bytes);
    assert!(child.wait().expect("it ends").success(), "{args:?}");
    let text = String::from_utf8(bytes).expect("UTF-8");
    text.replace("\r\n", "\n")
}

#[test]
fn a_terminal_shows_pictures() {
    let call = ["probe", "tic-tac-toe", "xo./.x./..."];
    let text = shown(80, &call, &[["NO_COLOR", "1"]]);
    let picture = [
        "xo./.x./...",
        "",
        "   ┌───┬───┬───┐",
        " 3 │ × │ ○ │   │  ► ○ O to move",
        "   ├───┼───┼───┤",
        " 2 │   │ × │   │",
        "   ├───┼───┼───┤",
        " 1 │   │   │   │    × X",
        "   └───┴───┴───┘",
        "     a   b   c",
        "",
        "O to move: loss in 4 plies.",
    ];
    assert!(text.starts_with(&picture.join("\n")), "{text}");
    assert!(!text.contains('\u{1b}'));
    let colored = shown(80, &call, &[]);
    assert!(colored.contains("\u{1b}[1;38;5;31m×\u{1b}[0m"), "{colored}");
}

#[test]
fn diagrams_stay_where_pictures_cannot_be() {
    let call = ["probe", "tic-tac-toe", "xo./.x./..."];
    let plain = answer(&call);
    assert!(plain.contains("\n 3  x o .\n"), "{plain}");
    for environment in [["TERM", "dumb"], ["LC_ALL", "C"]] {
        assert_eq!(shown(80, &call, &[environment]), plain);
    }
    let option = [&call[..], &["--plain"]].concat();
    assert_eq!(shown(80, &option, &[]), plain);
    assert_eq!(answer(&option), plain);
    // A board that is wider than the terminal.
    let text = shown(40, &["solve", "onitama:12x2:boar", "--weak", "--seconds", "0.1"], &[]);
    assert!(text.contains("\n    a b c d e f g h i j k l"), "{text}");
}

#[test]
fn every_command_with_a_board_shows_its_picture() {
    let corner = "┌───┬";
    for call in [
        &["solve", "onitama:3x3:boar"][..],
        &["solve", "onitama:3x3:boar", "--weak", "--seconds", "5"],
        &["analyse", "dodgem:2x2"],
        &["probe", "dodgem:2x2"],
        &["line", "dodgem:2x2"],
        &["puzzles", "tic-tac-toe", "--theme", "only", "--count", "1"],
        &["play", "quoridor:3x3:1", "--agent", "random", "--seed", "1"],
        &["reach", "ostle:3x3:2:1", "WW./.O./BB. black -"],
    ] {
        let text = shown(80, call, &[["NO_COLOR", "1"]]);
        assert!(text.contains(corner), "{call:?}: {text}");
        let (plain, _) = run_with_code(0, call);
        assert!(!plain.contains(corner), "{call:?}: {plain}");
    }
}

#[test]
fn pictures_fit_the_terminal() {
    for (columns, cards) in [(80, "■ · ○ · ■   · · ○ · ·   aside"), (50, "Red: crab, monkey")]
    {
        let call = ["probe", DEAL, "--seconds", "0.05", "--cache", "none"];
        let text = shown(columns, &call, &[["NO_COLOR", "1"]]);
        assert!(text.contains(cards), "{text}");
        let widest = text.lines().map(|line| line.chars().count()).max();
        // The position itself is one word of 51 letters.
        assert!(widest <= Some(usize::from(columns).max(63)), "{text}");
    }
}

#[test]
fn lines_mark_the_last_move_at_their_end() {
    let call = ["line", "tic-tac-toe", "xx./oo./..."];
    let text = shown(80, &call, &[["NO_COLOR", "1"]]);
    let (_, end) = text.split_once("Then stands").expect("the end");
    assert!(end.contains(" 3 │ × │ × │[×]│"), "{end}");
}

#[test]
fn a_board_in_play_is_turned_round_and_back() {
    let folder = TestFolder::new();
    let path = folder.path("lines");
    std::fs::write(&path, "flip\nflip\n").expect("a file");
    let input = File::open(&path).expect("the file");
    let call = ["play", "tic-tac-toe", "--agent", "human"];
    let text = shown_for_input(80, &call, &[["NO_COLOR", "1"]], input.into());
    let bottoms: Vec<&str> = text
        .lines()
        .filter(|line| line.trim_start().starts_with(['a', 'c']) && line.contains("   b   "))
        .map(str::trim)
        .collect();
    assert_eq!(bottoms, ["a   b   c", "c   b   a", "a   b   c"], "{text}");
    let (plain, _) = run_with_input(0, &call, "flip\n");
    assert!(plain.contains("only pictures of boards can be turned"), "{plain}");
}
