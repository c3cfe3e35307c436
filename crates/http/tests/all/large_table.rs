//! A table of four gigabytes, whose blocks are all the same and not in memory.

use std::thread;
use std::time::{Duration, Instant};

use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Ranked, Retro, Tiers, Value, Wdl};
use hindsight_http::HttpFile;
use hindsight_tablebase::{FORMAT_VERSION, Table};
use hindsight_testkit::{FileReply, FileServer, ServedFile, pack_numbers};

use crate::shared::open;

const RANKS: u64 = 1 << 32;
const BLOCK_RANKS: u64 = 1 << 14;
const PAGE_BLOCKS: u64 = 64;
const SYMBOLS: u64 = 200;

/// Symbol of a rank, by SplitMix64.
fn symbol(rank: u64) -> u64 {
    let place = (rank % BLOCK_RANKS).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (place ^ place >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ mixed >> 31) % SYMBOLS
}

/// A game of many positions, of which only numbers are known.
struct ManyPositions;

impl Game for ManyPositions {
    type Position = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        0
    }

    fn player_to_move(&self, _: u64) -> usize {
        0
    }

    fn terminal(&self, _: u64) -> Option<Wdl> {
        None
    }

    fn moves(&self, _: u64, _: &mut Vec<u64>) {}

    fn play(&self, _: u64, mv: u64) -> u64 {
        mv
    }
}

pack_numbers!(ManyPositions, u64, "many");

impl Tiers for ManyPositions {
    fn tier_len(&self, _: u64) -> u64 {
        RANKS
    }
}

impl Ranked for ManyPositions {
    fn rank(&self, position: u64) -> Option<(u64, u64)> {
        Some((0, position))
    }

    fn unrank(&self, _: u64, rank: u64) -> Option<u64> {
        Some(rank)
    }
}

impl Retro for ManyPositions {}

/// Table of [`ManyPositions`].
struct LargeTable {
    head: Vec<u8>,
    block: Vec<u8>,
    tail: Vec<u8>,
}

impl ServedFile for LargeTable {
    fn len(&self) -> u64 {
        let blocks = RANKS / BLOCK_RANKS * self.block.len() as u64;
        (self.head.len() + self.tail.len()) as u64 + blocks
    }

    fn read(&self, offset: u64, out: &mut [u8]) {
        let head = self.head.len() as u64;
        let tail = self.len() - self.tail.len() as u64;
        for (byte, at) in out.iter_mut().zip(offset..) {
            *byte = match at {
                at if at < head => self.head[at as usize],
                at if at < tail => self.block[((at - head) % self.block.len() as u64) as usize],
                at => self.tail[(at - tail) as usize],
            };
        }
    }
}

fn put_number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends the checksum of the bytes from `begin` on.
fn seal(out: &mut Vec<u8>, begin: usize) {
    let checksum = crc32fast::hash(&out[begin..]);
    out.extend_from_slice(&checksum.to_le_bytes());
}

fn block() -> Vec<u8> {
    let symbols: Vec<u8> = (0..BLOCK_RANKS).map(|rank| symbol(rank) as u8).collect();
    let mut compressor = zstd::bulk::Compressor::new(3).expect("memory");
    compressor.include_contentsize(false).expect("an option");
    let frame = compressor.compress(&symbols).expect("memory");
    [&[0], &frame[4..]].concat()
}

/// Pages and top of the index.
fn index(block: &[u8]) -> [Vec<u8>; 2] {
    let (mut pages, mut top) = (Vec::new(), Vec::new());
    for page in 0..RANKS / BLOCK_RANKS / PAGE_BLOCKS {
        let first = page * PAGE_BLOCKS;
        let begin = pages.len();
        for n in [0, first * BLOCK_RANKS, begin as u64, first * block.len() as u64] {
            top.extend_from_slice(&n.to_le_bytes());
        }
        for i in 0..PAGE_BLOCKS {
            put_number(&mut pages, 0);
            put_number(&mut pages, if i == 0 { 0 } else { BLOCK_RANKS });
            put_number(&mut pages, block.len() as u64);
            pages.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
        seal(&mut pages, begin);
    }
    seal(&mut top, 0);
    [pages, top]
}

/// Header proper, by docs/table-format.md.
fn header(sections: [usize; 4]) -> Vec<u8> {
    let put_loss = |out: &mut Vec<u8>, symbol: u64| {
        out.push(0);
        put_number(out, 2 * symbol);
    };
    let mut out = vec![0];
    out.extend_from_slice(b"\x04many\x00\x00");
    put_loss(&mut out, symbol(0));
    // One layer without a name, of one tier, the first.
    out.extend_from_slice(&[1, 0, 1, 1, 0]);
    put_number(&mut out, RANKS);
    put_number(&mut out, SYMBOLS);
    for n in 0..SYMBOLS {
        put_loss(&mut out, n);
        let ranks = (0..BLOCK_RANKS).filter(|&rank| symbol(rank) == n).count() as u64;
        put_number(&mut out, ranks * (RANKS / BLOCK_RANKS));
    }
    out.extend_from_slice(&[0, 0]);
    put_number(&mut out, SYMBOLS);
    (0..SYMBOLS).for_each(|n| put_loss(&mut out, n));
    put_number(&mut out, BLOCK_RANKS);
    sections.into_iter().for_each(|length| put_number(&mut out, length as u64));
    out
}

/// Format versions that are read. In the older one the coder begins the layer.
const FORMAT_VERSIONS: [u32; 2] = [2, 3];

fn table(format_version: u32) -> LargeTable {
    let block = block();
    let [pages, top] = index(&block);
    let mut coder = vec![0];
    seal(&mut coder, 0);
    let blocks = block.len() * (RANKS / BLOCK_RANKS) as usize;
    let header = header([coder.len(), blocks, pages.len(), top.len()]);
    let mut head = b"\x8AHSTAB\r\n".to_vec();
    head.extend_from_slice(&format_version.to_le_bytes());
    head.extend_from_slice(&(header.len() as u64).to_le_bytes());
    head.extend_from_slice(&header);
    seal(&mut head, 0);
    let tail = if format_version == 2 {
        head.extend_from_slice(&coder);
        [pages, top].concat()
    } else {
        [pages, coder, top].concat()
    };
    LargeTable { head, block, tail }
}

fn start_server(format_version: u32) -> FileServer {
    let table = table(format_version);
    assert!(table.len() > 4_000_000_000);
    FileServer::start(move |request| FileReply::of_file(request, &table))
}

fn probe(table: &Table<HttpFile>, rank: u64) {
    let game = PackedGame::ranked(ManyPositions);
    let position = game.unrank(0, rank).expect("no holes");
    let value = table.with(&game).value(position).expect("a value");
    assert_eq!(value, Some(Value::Loss(2 * symbol(rank) as u16)), "{rank}");
}

#[test]
fn a_cold_probe_takes_two_requests_and_the_first_three() {
    for format_version in FORMAT_VERSIONS {
        let server = start_server(format_version);
        let table = Table::open(open(&server).expect("a file")).expect("a table");
        assert_eq!(table.info().format_version, format_version);
        assert_eq!(server.requests().len(), 1, "the header");
        // Coder and top of the index, page, block. In version 2 the coder is beside the header.
        probe(&table, RANKS / 2 + 1);
        assert_eq!(server.requests().len(), 1 + 3);
        for i in 1..50 {
            let before = server.requests().len();
            probe(&table, i * (RANKS / 50) + 7);
            let taken = server.requests().len() - before;
            assert!(taken <= 2, "{taken} requests for probe {i}");
        }
        let before = server.requests().len();
        probe(&table, RANKS / 2 + 2);
        assert_eq!(server.requests().len(), before, "a block that is known");
    }
}

#[test]
fn a_few_positions_are_asked_for_at_once() {
    let table = table(FORMAT_VERSION);
    let server = FileServer::start(move |request| FileReply {
        pause: Duration::from_millis(50),
        ..FileReply::of_file(request, &table)
    });
    let table = Table::open(open(&server).expect("a file")).expect("a table");
    let game = PackedGame::ranked(ManyPositions);
    let ranks = (0..16).map(|i| i * (RANKS / 16));
    let positions: Vec<Packed> = ranks.clone().filter_map(|rank| game.unrank(0, rank)).collect();
    probe(&table, 1);
    let begin = Instant::now();
    let reader = table.with(&game);
    let answers = reader.probe_many(&positions).expect("answers");
    assert_eq!(answers.len(), 16);
    for (answer, rank) in answers.into_iter().zip(ranks) {
        let value = Value::Loss(2 * symbol(rank) as u16);
        assert_eq!(answer, Answer::Exact(value));
    }
    // One after the other, the 31 requests take 1.5 s.
    assert!(begin.elapsed() < Duration::from_millis(1000));
}

#[test]
fn threads_probe_at_once() {
    let server = start_server(FORMAT_VERSION);
    let table = Table::open(open(&server).expect("a file")).expect("a table");
    thread::scope(|scope| {
        for thread in 0..8 {
            let table = &table;
            scope.spawn(move || {
                (0..20).for_each(|i| probe(table, (i * 8 + thread) * (RANKS / 160)));
            });
        }
    });
}
