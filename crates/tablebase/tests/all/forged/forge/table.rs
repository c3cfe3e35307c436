//! Forgeries of tables: a table is taken apart, changed, and put together.

use hindsight_tablebase::{Layout, Table};

use super::{Choices, put_number, seal, take_number};

/// Bytes before the header proper.
const PREFIX: usize = 20;
const PAGE: usize = 64;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A field of a header.
#[derive(Clone, PartialEq, Debug)]
enum Token {
    Byte(u8),
    Number(u64),
    Text(Vec<u8>),
}

struct Header {
    tokens: Vec<Token>,
    /// Index of the token of each layer's first section length.
    sections: Vec<usize>,
}

struct LayerParts {
    coder: Vec<u8>,
    /// First tier and rank of each block, and its bytes.
    blocks: Vec<([u64; 2], Vec<u8>)>,
}

/// Forges a table in up to three places.
pub fn forge_table(honest: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let (mut header, mut layers) = take_apart(honest);
    let mut false_numbers = FalseNumbers::default();
    for _ in 0..=choices.below(3) {
        let layer = choices.below(layers.len());
        let layer = &mut layers[layer];
        match choices.below(9) {
            0 | 1 => header.change_token(choices),
            2 | 3 => header.change_value(choices),
            4 => forge_coder(&mut layer.coder, choices),
            5 | 6 => {
                let block = choices.below(layer.blocks.len());
                if let Some((_, block)) = layer.blocks.get_mut(block) {
                    forge_block(block, choices);
                }
            }
            7 => false_numbers.in_index = Some((choices.below(40), choices.number())),
            _ => {
                false_numbers.in_sections =
                    Some((choices.below(4 * layers.len()), choices.number()))
            }
        }
    }
    put_together(header, &layers, false_numbers)
}

/// False numbers: the index of the number to be replaced, and its replacement.
#[derive(Default)]
struct FalseNumbers {
    in_index: Option<(usize, u64)>,
    in_sections: Option<(usize, u64)>,
}

struct HeaderTokens<'a> {
    rest: &'a [u8],
    tokens: Vec<Token>,
}

impl HeaderTokens<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.rest[0];
        self.rest = &self.rest[1..];
        self.tokens.push(Token::Byte(byte));
        byte
    }

    fn number(&mut self) -> u64 {
        let (n, len) = take_number(self.rest);
        self.rest = &self.rest[len..];
        self.tokens.push(Token::Number(n));
        n
    }

    fn text(&mut self) {
        let (n, len) = take_number(self.rest);
        let (text, rest) = self.rest[len..].split_at(n as usize);
        self.rest = rest;
        self.tokens.push(Token::Text(text.to_vec()));
    }

    fn value(&mut self) {
        self.byte();
        self.number();
    }

    fn example(&mut self) {
        self.number();
        self.number();
        self.value();
    }

    fn histogram(&mut self) {
        for _ in 0..self.number() {
            self.value();
            self.number();
        }
    }

    /// Reads the header of a layer. Returns the index of the token of the first section length.
    fn layer(&mut self, has_states: bool) -> usize {
        self.text();
        self.number();
        if self.byte() == 1 {
            self.number();
        }
        self.number();
        self.histogram();
        for _ in 0..2 {
            if self.byte() == 1 {
                self.example();
            }
        }
        if has_states {
            self.histogram();
            self.histogram();
        }
        for _ in 0..self.number() {
            self.value();
        }
        self.number();
        let sections = self.tokens.len();
        for _ in 0..4 {
            self.number();
        }
        sections
    }
}

fn take_header(bytes: &[u8], has_states: bool) -> Header {
    let mut reader = HeaderTokens { rest: bytes, tokens: Vec::new() };
    reader.byte();
    reader.text();
    reader.example();
    let layers = reader.number();
    let sections = (0..layers).map(|_| reader.layer(has_states)).collect();
    assert!(reader.rest.is_empty(), "an honest header");
    Header { tokens: reader.tokens, sections }
}

fn take_apart(honest: &[u8]) -> (Header, Vec<LayerParts>) {
    let opened = Table::open(honest).expect("an honest table");
    let info = opened.info();
    let has_states = matches!(info.layout, Layout::States | Layout::Distances);
    let bytes: u64 = info.layers.iter().map(|layer| layer.bytes()).sum();
    let mut at = honest.len() - bytes as usize;
    let header = take_header(&honest[PREFIX..at - 4], has_states);
    let layers = info.layers.iter().map(|layer| {
        let [coder, blocks, pages, top] = layer.sections.map(|length| length as usize);
        let mut take = |length: usize| {
            at += length;
            &honest[at - length..at]
        };
        let [blocks, pages, coder, top] = [blocks, pages, coder, top].map(&mut take);
        LayerParts {
            coder: coder[..coder.len() - 4].to_vec(),
            blocks: take_blocks(blocks, pages, top),
        }
    });
    (header, layers.collect())
}

fn take_blocks(blocks: &[u8], pages: &[u8], top: &[u8]) -> Vec<([u64; 2], Vec<u8>)> {
    let word = |bytes: &[u8], i: usize| {
        let bytes = bytes[8 * i..8 * i + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    };
    let mut found = Vec::new();
    let mut at = 0;
    let tops = &top[..top.len() - 4];
    for (i, entry) in tops.chunks(32).enumerate() {
        let end = tops.get(32 * (i + 1)..).filter(|rest| !rest.is_empty());
        let end = end.map_or(pages.len(), |next| word(next, 2) as usize);
        let mut page = &pages[word(entry, 2) as usize..end - 4];
        let mut last = [word(entry, 0), word(entry, 1)];
        let mut is_first = true;
        while !page.is_empty() {
            let mut number = || {
                let (n, len) = take_number(page);
                page = &page[len..];
                n
            };
            let (by, rank, length) = (number(), number(), number() as usize);
            page = &page[4..];
            let base = if by == 0 && !is_first { last[1] } else { 0 };
            last = if is_first { last } else { [last[0] + by, base + rank] };
            is_first = false;
            found.push((last, blocks[at..at + length].to_vec()));
            at += length;
        }
    }
    found
}

impl Header {
    fn change_token(&mut self, choices: &mut Choices<'_>) {
        let at = choices.below(self.tokens.len());
        match &mut self.tokens[at] {
            Token::Byte(byte) => *byte = choices.next() as u8 % 6,
            Token::Number(n) => {
                *n = match choices.below(3) {
                    0 => n.wrapping_add(1),
                    1 => n.wrapping_sub(1),
                    _ => choices.number(),
                }
            }
            Token::Text(text) => choices.spoil(text),
        }
    }

    /// Replaces a value by another one wherever it occurs.
    fn change_value(&mut self, choices: &mut Choices<'_>) {
        let is_value = |two: &[Token]| matches!(two, [Token::Byte(0..=4), Token::Number(_)]);
        let places: Vec<usize> =
            (0..self.tokens.len() - 1).filter(|&i| is_value(&self.tokens[i..i + 2])).collect();
        let at = places[choices.below(places.len())];
        let old = self.tokens[at..at + 2].to_vec();
        let Token::Number(plies) = old[1] else { return };
        let new = [
            match choices.below(4) {
                0 => Token::Byte(choices.next() as u8 % 4),
                _ => old[0].clone(),
            },
            Token::Number(match choices.below(3) {
                0 => plies + 1,
                1 => plies.saturating_sub(1),
                _ => choices.number() % 65_536,
            }),
        ];
        for at in places {
            if self.tokens[at..at + 2] == old {
                self.tokens[at..at + 2].clone_from_slice(&new);
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for token in &self.tokens {
            match token {
                Token::Byte(byte) => out.push(*byte),
                Token::Number(n) => put_number(&mut out, *n),
                Token::Text(text) => {
                    put_number(&mut out, text.len() as u64);
                    out.extend_from_slice(text);
                }
            }
        }
        out
    }
}

/// Replaces the coder by other bytes, or by untrained models.
fn forge_coder(coder: &mut Vec<u8>, choices: &mut Choices<'_>) {
    if choices.below(2) == 0 {
        choices.spoil(coder);
        return;
    }
    let models = 1 + choices.below(3);
    let mut plain = Vec::new();
    for _ in 0..models {
        put_number(&mut plain, 1 + choices.next() % 70_000);
        let neighbours = choices.below(7);
        put_number(&mut plain, neighbours as u64);
        for _ in 0..neighbours {
            put_number(&mut plain, 1 + choices.next() % 4095);
        }
        put_number(&mut plain, 1 + choices.next() % 33);
        let symbols = choices.below(9);
        put_number(&mut plain, symbols as u64);
        plain.extend((0..symbols).map(|symbol| symbol as u8 % 3));
        plain.extend([0, 1, 0, 5].repeat(1 << choices.below(17)));
    }
    coder.clear();
    coder.push(if models == 1 { 1 } else { 2 });
    if models > 1 {
        put_number(coder, models as u64);
    }
    put_number(coder, plain.len() as u64 + choices.next() % 2);
    coder.extend(zstd::bulk::compress(&plain, 1).expect("memory"));
}

/// Changes the bytes, the symbols or the tiers of a block.
fn forge_block(block: &mut Vec<u8>, choices: &mut Choices<'_>) {
    // The offset of the symbols is unknown, but a zstd frame begins only there.
    let found = (1..block.len()).find_map(|at| {
        let frame = [&ZSTD_MAGIC[..], &block[at..]].concat();
        let symbols = zstd::bulk::decompress(&frame, 1 << 16).ok()?;
        Some((at, symbols))
    });
    match (found, choices.below(4)) {
        (Some((at, mut symbols)), 1..) => {
            choices.spoil(&mut symbols);
            if choices.below(2) == 0 {
                symbols.iter_mut().for_each(|symbol| *symbol %= 8);
            }
            block.truncate(at);
            let frame = zstd::bulk::compress(&symbols, 1).expect("memory");
            block.extend_from_slice(&frame[4..]);
        }
        _ => choices.spoil(block),
    }
}

fn put_together(mut header: Header, layers: &[LayerParts], false_numbers: FalseNumbers) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut in_index = false_numbers.in_index;
    for (layer, &at) in layers.iter().zip(&header.sections) {
        let sections = put_layer(&mut bytes, layer, &mut in_index);
        for (i, length) in sections.into_iter().enumerate() {
            // A header may have been cut.
            if let Some(token) = header.tokens.get_mut(at + i) {
                *token = Token::Number(length);
            }
        }
    }
    if let Some((n, number)) = false_numbers.in_sections {
        header.tokens[header.sections[n / 4] + n % 4] = Token::Number(number);
    }
    let header = header.bytes();
    let mut out = b"\x8AHSTAB\r\n".to_vec();
    out.extend_from_slice(&3_u32.to_le_bytes());
    out.extend_from_slice(&(header.len() as u64).to_le_bytes());
    out.extend(header);
    seal(&mut out, 0);
    out.extend(bytes);
    out
}

/// Appends the four sections of a layer. Returns their lengths.
fn put_layer(
    out: &mut Vec<u8>,
    layer: &LayerParts,
    false_number: &mut Option<(usize, u64)>,
) -> [u64; 4] {
    let mut replaced = |n: u64| match false_number {
        Some((0, other)) => {
            let other = *other;
            *false_number = None;
            other
        }
        Some((left, _)) => {
            *left -= 1;
            n
        }
        None => n,
    };
    let begin = out.len();
    layer.blocks.iter().for_each(|(_, block)| out.extend_from_slice(block));
    let blocks = out.len() - begin;
    let (mut pages, mut top, mut offset) = (Vec::new(), Vec::new(), 0);
    for of_page in layer.blocks.chunks(PAGE) {
        let page = pages.len();
        let mut last = of_page[0].0;
        for n in [last[0], last[1], page as u64, offset] {
            top.extend_from_slice(&replaced(n).to_le_bytes());
        }
        for (first, block) in of_page {
            put_number(&mut pages, replaced(first[0] - last[0]));
            let same = first[0] == last[0];
            put_number(&mut pages, replaced(if same { first[1] - last[1] } else { first[1] }));
            put_number(&mut pages, replaced(block.len() as u64));
            pages.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
            last = *first;
            offset += block.len() as u64;
        }
        seal(&mut pages, page);
    }
    seal(&mut top, 0);
    out.extend_from_slice(&pages);
    let begin = out.len();
    out.extend_from_slice(&layer.coder);
    seal(out, begin);
    let coder = out.len() - begin;
    out.extend_from_slice(&top);
    [coder, blocks, pages.len(), top.len()].map(|length| length as u64)
}
