use hindsight_core::Wdl;
use hindsight_foreign::{Answers, bytes_of};

/// Reads the answer about a position of some bytes: `win`, `draw` or `loss`, or its successors as
/// hexadecimal digits. Appends it to the others.
///
/// # Errors
/// What is wrong with the line, as the rest of a sentence. What was appended means nothing then.
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
    let before = answers.successors.len();
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    for word in words {
        if word.len() != 2 * bytes || bytes_of(word, &mut answers.successors).is_none() {
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
