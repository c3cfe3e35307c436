use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Share of a study of many small solves: the solves with the numbers `number - 1 + i * of`.
///
/// The parts `1/of` to `of/of` together have every solve once. Neighbours go to different parts,
/// so that parts take about equal time. As text: `2/8`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StudyPart {
    /// Invariant: `1 <= number <= of <= MAX_PARTS`.
    number: u64,
    of: u64,
}

impl StudyPart {
    /// Most parts of a study.
    pub(crate) const MAX_PARTS: u64 = 1_000_000;

    /// Returns part `number` of `of` parts, or `None` if there is no such part.
    #[must_use]
    pub fn new(number: u64, of: u64) -> Option<Self> {
        let exists = number >= 1 && number <= of && of <= Self::MAX_PARTS;
        exists.then_some(Self { number, of })
    }

    /// Returns the number of the part, from 1.
    #[must_use]
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of parts.
    #[must_use]
    pub fn of(self) -> u64 {
        self.of
    }

    /// Returns true if the part has the solve with this number, counted from 0.
    #[must_use]
    pub fn contains(self, solve: u64) -> bool {
        solve % self.of == self.number - 1
    }

    /// Returns the number of solves in the part, of `solves` in the study.
    #[must_use]
    pub fn share_of(self, solves: u64) -> u64 {
        solves / self.of + u64::from(solves % self.of >= self.number)
    }
}

impl fmt::Display for StudyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for StudyPart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let part =
            numbers.and_then(|(number, of)| Self::new(number.parse().ok()?, of.parse().ok()?));
        part.ok_or_else(|| {
            let max = Self::MAX_PARTS;
            format!("K/N for part K of N, such as 2/8, with K from 1 to N and N at most {max}")
        })
    }
}

impl TryFrom<String> for StudyPart {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<StudyPart> for String {
    fn from(part: StudyPart) -> Self {
        part.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::StudyPart;

    #[test]
    fn parts_have_every_solve_once() {
        for of in 1..=9 {
            let parts = (1..=of).map(|number| StudyPart::new(number, of).expect("a part"));
            let parts: Vec<StudyPart> = parts.collect();
            for solves in 0..=20 {
                for part in &parts {
                    let own = (0..solves).filter(|&solve| part.contains(solve)).count();
                    assert_eq!(own as u64, part.share_of(solves), "{part} of {solves}");
                }
                let shares: Vec<u64> = parts.iter().map(|part| part.share_of(solves)).collect();
                assert_eq!(shares.iter().sum::<u64>(), solves);
                assert!(shares[0] - shares[of as usize - 1] <= 1, "{shares:?}");
            }
            for solve in 0..20 {
                let owners = parts.iter().filter(|part| part.contains(solve)).count();
                assert_eq!(owners, 1, "{solve} of {of}");
            }
        }
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in ["1/1", "2/8", "1000000/1000000"] {
            let part: StudyPart = text.parse().expect("a part");
            assert_eq!(part.to_string(), text);
        }
        for text in ["0/1", "2/1", "1/0", "1", "1/", "/1", "-1/2", "1/1000001", "a/b", "1/2/3", ""]
        {
            let error = text.parse::<StudyPart>().expect_err(text);
            assert!(error.contains("such as 2/8"), "{error}");
        }
    }
}
