use hindsight_core::Wdl;
use hindsight_foreign::{Answers, RankedPositions, bytes_of};

/// Reads the answer about a position of some bytes: `win`, `draw` or `loss`, or its successors as
/// hexadecimal digits. Appends it to the others.
///
/// # Errors
/// The fault of the line, as the rest of a sentence. What was appended means nothing then.
pub fn read_answer(line: &[u8], bytes: usize, answers: &mut Answers) -> Result<(), String> {
    let line = line.trim_ascii();
    let result = match line {
        b"win" => Some(Wdl::Win),
        b"draw" => Some(Wdl::Draw),
        b"loss" => Some(Wdl::Loss),
        _ => None,
    };
    if result.is_some() {
        answers.positions.push((result, 0));
        return Ok(());
    }
    let (before, mut rest) = (answers.successors.len(), line);
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.len().min(2 * bytes));
        rest = after.trim_ascii_start();
        let is_whole = word.len() == 2 * bytes && (after.is_empty() || rest.len() < after.len());
        if !is_whole || bytes_of(word, &mut answers.successors).is_none() {
            let digits = 2 * bytes;
            return Err(format!(
                "is neither win, draw or loss nor positions of {digits} hexadecimal digits"
            ));
        }
    }
    let count = (answers.successors.len() - before) / bytes;
    let count = u32::try_from(count).map_err(|_| "has 2^32 positions or more")?;
    answers.positions.push((None, count));
    Ok(())
}

/// Reads the tier and the rank of a position, or `-` for one that has none.
///
/// # Errors
/// The fault of the line, as the rest of a sentence.
pub(super) fn read_address(line: &[u8]) -> Result<Option<(u64, u64)>, String> {
    let text = std::str::from_utf8(line).unwrap_or_default().trim();
    if text == "-" {
        return Ok(None);
    }
    let address = text
        .split_once(char::is_whitespace)
        .and_then(|(tier, rank)| Some((tier.parse().ok()?, rank.trim_start().parse().ok()?)));
    address.map(Some).ok_or_else(|| "is neither a tier and a rank nor -".into())
}

/// Reads the position of a rank, or `-` for a rank that has none, and appends it.
///
/// # Errors
/// The fault of the line, as the rest of a sentence. What was appended means nothing then.
pub(super) fn read_ranked(
    line: &[u8],
    bytes: usize,
    out: &mut RankedPositions,
) -> Result<(), String> {
    let line = line.trim_ascii();
    let exists = line != b"-";
    if !exists {
        out.positions.resize(out.positions.len() + bytes, 0);
    } else if line.len() != 2 * bytes || bytes_of(line, &mut out.positions).is_none() {
        let digits = 2 * bytes;
        return Err(format!("is neither a position of {digits} hexadecimal digits nor -"));
    }
    out.exist.push(exists);
    Ok(())
}

#[cfg(test)]
mod tests {
    use hindsight_core::Wdl;
    use hindsight_foreign::{Answers, RankedPositions, bytes_of, hexadecimal};
    use proptest::prelude::*;

    use super::{read_address, read_answer, read_ranked};

    #[test]
    fn answers_are_results_or_positions() {
        let mut answers = Answers::default();
        for line in ["win", " draw\r", "loss", "", "0a0B ff00  ", "0000"] {
            read_answer(line.as_bytes(), 2, &mut answers).expect(line);
        }
        let results = [Wdl::Win, Wdl::Draw, Wdl::Loss].map(|result| (Some(result), 0));
        assert_eq!(answers.positions[..3], results);
        assert_eq!(answers.positions[3..], [(None, 0), (None, 2), (None, 1)]);
        assert_eq!(answers.successors, [0x0A, 0x0B, 0xFF, 0, 0, 0]);
        for line in
            ["0", "000", "00000", "0000,0000", "won", "0000 loss", "00g0", "\u{ff}", "\0\0\0\0"]
        {
            let reason = read_answer(line.as_bytes(), 2, &mut answers).expect_err(line);
            assert!(reason.contains("nor positions of 4 hexadecimal digits"), "{reason}");
        }
    }

    #[test]
    fn ranks_and_their_positions_are_read() {
        let read = |line: &str| read_address(line.as_bytes());
        assert_eq!(read("0 19"), Ok(Some((0, 19))));
        assert_eq!(read(" 3   18446744073709551615\r"), Ok(Some((3, u64::MAX))));
        assert_eq!(read("-"), Ok(None));
        for line in ["", "19", "0 x", "-1 0", "0 -1", "0 1 2", "0 18446744073709551616", "0x1 2"] {
            assert!(read(line).is_err(), "{line}");
        }
        assert!(read_address(b"\xff 1").is_err());
        let mut found = RankedPositions::default();
        for line in ["0a0b", " - ", "ff00\r"] {
            read_ranked(line.as_bytes(), 2, &mut found).expect(line);
        }
        assert_eq!(found.positions, [0x0A, 0x0B, 0, 0, 0xFF, 0]);
        assert_eq!(found.exist, [true, false, true]);
        for line in ["", "0a", "0a0b0c", "0a0g", "--", "loss"] {
            assert!(read_ranked(line.as_bytes(), 2, &mut found).is_err(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn bytes_are_read_from_their_digits(bytes: Vec<u8>) {
            let mut read = vec![7];
            prop_assert_eq!(bytes_of(hexadecimal(&bytes).as_bytes(), &mut read), Some(()));
            prop_assert_eq!(&read[1..], &bytes[..]);
        }

        #[test]
        fn any_line_is_read_or_refused(line: Vec<u8>, bytes in 1_usize..33) {
            let mut answers = Answers::default();
            if read_answer(&line, bytes, &mut answers).is_ok() {
                let (_, count) = answers.positions[0];
                prop_assert_eq!(answers.successors.len(), bytes * count as usize);
            }
            let mut found = RankedPositions::default();
            if read_ranked(&line, bytes, &mut found).is_ok() {
                prop_assert_eq!((found.positions.len(), found.exist.len()), (bytes, 1));
            }
            let _ = read_address(&line);
        }
    }
}
