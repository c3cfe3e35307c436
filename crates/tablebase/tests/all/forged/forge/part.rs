//! Forgeries of files of checkpoints.

use super::{Choices, put_number, seal, take_number};

/// Forges a file of a checkpoint in one place: a layer, or a blob of a solver.
pub fn forge_part(honest: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    match honest {
        [.., b'H', b'S', b'P', b'A', b'R', b'T', b'\r', b'\n'] => forge_layer(honest, choices),
        [b'H', b'S', ..] => forge_blob(honest, choices),
        text => {
            let mut text = text.to_vec();
            choices.spoil(&mut text);
            text
        }
    }
}

fn word(bytes: &[u8]) -> usize {
    let (word, _) = bytes.split_first_chunk::<4>().expect("four bytes");
    u32::from_le_bytes(*word) as usize
}

/// Replaces a number by another one, or changes bytes.
fn splice(header: &mut Vec<u8>, choices: &mut Choices<'_>) {
    if header.is_empty() || choices.below(4) == 0 {
        choices.spoil(header);
        return;
    }
    // The numbers of a short header are at its end.
    let near_end = choices.below(2) == 0;
    let first = if near_end { header.len().saturating_sub(40) } else { 0 };
    let at = first + choices.below(header.len() - first);
    let (old, len) = take_number(&header[at..]);
    let new = match choices.below(3) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        _ => choices.number(),
    };
    let mut bytes = Vec::new();
    put_number(&mut bytes, new);
    header.splice(at..at + len, bytes);
}

/// Forges the trailer of a layer. Its blocks are forged in tables.
fn forge_layer(honest: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let tail = honest.len() - 24;
    let described = word(&honest[tail..]);
    let (layer, rest) = honest[..tail].split_at(tail - described);
    let mut description = rest.to_vec();
    splice(&mut description, choices);
    let length = description.len() as u64;
    description.extend_from_slice(&length.to_le_bytes());
    description.extend_from_slice(&crc32fast::hash(layer).to_le_bytes());
    seal(&mut description, 0);
    [layer, &description, b"HSPART\r\n"].concat()
}

/// Forges the header, or one of the runs.
fn forge_blob(honest: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let end = 16 + word(&honest[8..]);
    let mut header = zstd::bulk::decompress(&honest[16..end], 1 << 24).expect("an honest file");
    let mut runs = Vec::new();
    let mut rest = &honest[end + 4..];
    while !rest.is_empty() {
        let (run, others) = rest[8..].split_at(word(rest));
        runs.push(run.to_vec());
        rest = others;
    }
    let run = choices.below(runs.len());
    match (runs.get_mut(run), choices.below(2)) {
        (Some(run), 0) => {
            let mut plain = if run.is_empty() {
                vec![0; 999]
            } else {
                zstd::bulk::decompress(run, 1 << 24).expect("an honest file")
            };
            choices.spoil(&mut plain);
            *run = zstd::bulk::compress(&plain, 1).expect("memory");
        }
        _ => splice(&mut header, choices),
    }
    let header = zstd::bulk::compress(&header, 1).expect("memory");
    let mut out = honest[..8].to_vec();
    out.extend_from_slice(&(header.len() as u64).to_le_bytes());
    out.extend(header);
    seal(&mut out, 0);
    for run in runs {
        out.extend_from_slice(&(run.len() as u32).to_le_bytes());
        out.extend_from_slice(&crc32fast::hash(&run).to_le_bytes());
        out.extend(run);
    }
    out
}
