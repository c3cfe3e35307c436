use crate::fault::RulesFault;

/// Most bytes of a position.
pub const MOST_BYTES: usize = 32;
/// Most characters of a name of a game or a player.
const MOST_NAME: usize = 64;
/// Most tiers of a game.
pub const MOST_TIERS: usize = 1 << 16;
/// Most ranks of a tier.
pub const MOST_RANKS: u64 = u32::MAX as u64;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turns {
    /// Positions do not tell: the players move in turn. Equal bytes have one value, whoever moves.
    Alternate,
    /// [`ForeignRules::players`](crate::ForeignRules::players) tells. A game in which a move leads
    /// to a position of the same player is refused.
    Told,
}

/// Abilities of foreign rules beside [`expand`](crate::ForeignRules::expand).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities {
    /// [`move_names`](crate::ForeignRules::move_names).
    pub names: bool,
    /// [`format`](crate::ForeignRules::format) and [`parse`](crate::ForeignRules::parse).
    pub texts: bool,
    /// [`canonicalize`](crate::ForeignRules::canonicalize).
    pub symmetries: bool,
}

/// Names, sizes and abilities of foreign rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// Name of the game with its options, such as `breakthrough 3x6`.
    pub name: String,
    /// Text by which a user names the game, such as `cmd:./breakthrough 3 6`.
    pub spec: String,
    /// Text that tells these rules from others of the same name, such as a digest.
    pub version: String,
    /// Text that tells this object from others whose rules may be the same; may be empty.
    pub object: String,
    /// Word without a colon that tells how positions are bytes from other ways of these rules; may
    /// be empty.
    pub encoding: String,
    /// Names of players 0 and 1, one word each.
    pub players: [String; 2],
    /// Whose turn it is.
    pub turns: Turns,
    /// The first position. All positions have as many bytes.
    pub start: Vec<u8>,
    /// Abilities beside the rules themselves.
    pub abilities: Abilities,
    /// Lengths of the tiers in the order in which they are solved; none if positions have no ranks.
    pub tiers: Vec<u64>,
}

impl Description {
    /// Returns a description without version and abilities. The name is the spec too.
    #[must_use]
    pub fn new(name: &str, turns: Turns, start: Vec<u8>) -> Self {
        Self {
            name: name.to_string(),
            spec: name.to_string(),
            version: String::new(),
            object: String::new(),
            encoding: String::new(),
            players: ["First", "Second"].map(String::from),
            turns,
            start,
            abilities: Abilities::default(),
            tiers: Vec::new(),
        }
    }

    /// Returns the number of bytes of a position.
    #[must_use]
    pub fn position_bytes(&self) -> usize {
        self.start.len()
    }

    /// Checks names and sizes.
    ///
    /// # Errors
    /// A fault that says what is wrong.
    pub fn check(&self) -> Result<(), RulesFault> {
        let fault = |text: String| Err(RulesFault::new(text));
        let bytes = self.position_bytes();
        if !(1..=MOST_BYTES).contains(&bytes) {
            return fault(format!("a position has 1 to {MOST_BYTES} bytes, not {bytes}"));
        }
        if self.name.trim().is_empty() || is_unfit(&self.name) {
            return fault(format!("a name has 1 to {MOST_NAME} characters in one line"));
        }
        let [first, second] = &self.players;
        for player in [first, second] {
            let is_word = !player.is_empty() && !player.contains(char::is_whitespace);
            if !is_word || is_unfit(player) {
                let text =
                    format!("the name of a player is one word of 1 to {MOST_NAME} characters");
                return fault(text);
            }
        }
        if self.tiers.len() > MOST_TIERS {
            return fault(format!("a game has {MOST_TIERS} tiers at most"));
        }
        if self.tiers.iter().any(|&len| len > MOST_RANKS) {
            return fault(format!("a tier has {MOST_RANKS} ranks at most"));
        }
        if !self.tiers.is_empty() && self.tiers.iter().all(|&len| len == 0) {
            return fault("no tier has a rank".to_string());
        }
        if first.to_lowercase() == second.to_lowercase() {
            return fault(format!("both players are called {first}"));
        }
        Ok(())
    }
}

fn is_unfit(name: &str) -> bool {
    name.chars().count() > MOST_NAME || name.contains(char::is_control)
}
