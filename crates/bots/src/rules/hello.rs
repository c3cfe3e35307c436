use hindsight_foreign::{Abilities, Description, MOST_BYTES, Turns, bytes_of};

use crate::protocol::VERSION;

/// Lines of a program about its rules, before the first question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RulesHello {
    name: Option<String>,
    bytes: Option<usize>,
    start: Option<Vec<u8>>,
    players: Option<[String; 2]>,
    alternates: bool,
    player_byte: Option<usize>,
    version: Option<String>,
    abilities: Abilities,
    tiers: Option<Vec<u64>>,
}

impl RulesHello {
    /// Reads the next line. Returns true after the last one, `ready`.
    ///
    /// # Errors
    /// The fault of the line, as the rest of a sentence.
    pub fn read(&mut self, line: &str) -> Result<bool, String> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim_start()),
            None => (line, ""),
        };
        if self.name.is_none() && word != "rules" {
            return Err(format!("is not rules {VERSION} NAME"));
        }
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (word, &words[..]) {
            ("rules", [_] | []) => return Err(format!("is not rules {VERSION} NAME")),
            ("rules", [version, _, ..]) => {
                if version.parse() != Ok(VERSION) {
                    return Err(format!("is of version {version} of the protocol, not {VERSION}"));
                }
                let name = rest[version.len()..].trim();
                set(&mut self.name, name.to_string())?;
            }
            ("bytes", [number]) => match number.parse() {
                Ok(bytes @ 1..=MOST_BYTES) => set(&mut self.bytes, bytes)?,
                _ => return Err(format!("is not bytes N, with N from 1 to {MOST_BYTES}")),
            },
            ("start", [digits]) => {
                let mut bytes = Vec::new();
                let read = bytes_of(digits.as_bytes(), &mut bytes);
                read.ok_or("is not start and hexadecimal digits, two for a byte")?;
                set(&mut self.start, bytes)?;
            }
            ("players", [first, second]) => {
                set(&mut self.players, [first, second].map(|name| String::from(*name)))?;
            }
            ("turns", ["alternate"]) => self.alternates = true,
            ("player", [number]) => {
                let number = number.parse().map_err(|_| {
                    "is not player N, with N the number from 0 on of the byte that has the player"
                })?;
                set(&mut self.player_byte, number)?;
            }
            ("version", [_, ..]) => set(&mut self.version, rest.to_string())?,
            ("can", [_, ..]) => {
                for ability in words {
                    let Abilities { names, texts, symmetries } = &mut self.abilities;
                    *match ability {
                        "names" => names,
                        "text" => texts,
                        "canonical" => symmetries,
                        _ => return Err("has other words than names, text, canonical".into()),
                    } = true;
                }
            }
            ("tiers", [_, ..]) => {
                let lens = words.iter().map(|word| word.parse().ok());
                let lens: Option<Vec<u64>> = lens.collect();
                set(&mut self.tiers, lens.ok_or("is not tiers and the number of ranks of each")?)?;
            }
            ("ready", []) => return self.check().map(|()| true),
            _ => {
                return Err("is not one of: rules, bytes, start, players, turns alternate, \
                            player, version, can, tiers, ready"
                    .into());
            }
        }
        Ok(false)
    }

    fn check(&self) -> Result<(), String> {
        let bytes = self.bytes.ok_or("comes before bytes N")?;
        let start = self.start.as_ref().ok_or("comes before start and the first position")?;
        if start.len() != bytes {
            return Err(format!("comes after a start of {} bytes, not {bytes}", start.len()));
        }
        match self.player_byte {
            Some(_) if self.alternates => {
                Err("comes after both turns alternate and player".to_string())
            }
            Some(byte) if byte >= bytes => {
                Err(format!("comes after player {byte}, but the last byte is {}", bytes - 1))
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the program says whose turn it is, or that turns alternate.
    #[must_use]
    pub fn tells_turns(&self) -> bool {
        self.alternates || self.player_byte.is_some()
    }

    /// Returns the number of the byte that has the player to move; `None` if turns alternate.
    #[must_use]
    pub fn player_byte(&self) -> Option<usize> {
        self.player_byte
    }

    /// Returns the version of the rules, if the program says one.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns the description of the rules, after `ready`.
    #[must_use]
    pub fn description(&self, spec: String, version: String) -> Description {
        let turns = if self.player_byte.is_some() { Turns::Told } else { Turns::Alternate };
        let name = self.name.as_deref().unwrap_or_default();
        let start = self.start.clone().unwrap_or_default();
        let description = Description::new(name, turns, start);
        let players = self.players.clone().unwrap_or(description.players);
        let tiers = self.tiers.clone().unwrap_or_default();
        Description { spec, version, players, abilities: self.abilities, tiers, ..description }
    }
}

/// Sets what is to be said once.
fn set<T>(told: &mut Option<T>, value: T) -> Result<(), String> {
    match told.replace(value) {
        None => Ok(()),
        Some(_) => Err("is said twice".into()),
    }
}
