/// Figure of the thesis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AgentsFigure {
    /// Figure 8: games won against random moves.
    Random,
    /// Figure 9: seconds for the games of Figure 8.
    Time,
    /// Figure 10: tree search against pure Monte Carlo.
    Agents,
    /// Figure 11: the exploration parameter.
    Exploration,
    /// Figure 12: playouts left when an option is pruned.
    Pruned,
    /// Figure 13: games won with pruning against without.
    Pruning,
    /// Figure 14: share of the playouts that are still made with pruning.
    Cycles,
    /// Figure 15: turns that the winner's pieces stand on each square.
    Squares,
    /// Figure 16: lengths of games.
    Lengths,
    /// Figure 17: games won by way of the stone and by way of the stream.
    Ways,
    /// Figure 18: turns on which each card is used.
    Cards,
    /// Figure 19: lengths of games by the cards in a hand.
    Hands,
}

impl AgentsFigure {
    /// All figures, in the order in which they are printed.
    pub const ALL: [Self; 12] = [
        Self::Random,
        Self::Time,
        Self::Agents,
        Self::Exploration,
        Self::Pruned,
        Self::Pruning,
        Self::Cycles,
        Self::Squares,
        Self::Lengths,
        Self::Ways,
        Self::Cards,
        Self::Hands,
    ];

    /// Returns the number in the thesis.
    #[must_use]
    pub fn number(self) -> u8 {
        8 + self as u8
    }

    /// Reads the number of a figure.
    ///
    /// # Errors
    /// A sentence with the valid numbers.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = text.parse().ok();
        let figure = Self::ALL.into_iter().find(|figure| Some(figure.number()) == number);
        figure.ok_or_else(|| format!("there is no figure '{text}'; there are 8 to 19"))
    }
}

/// Options of the study of agents.
#[derive(Clone, Debug)]
pub struct AgentsOptions {
    /// Figures to draw; all if empty.
    pub figures: Vec<AgentsFigure>,
    /// Games of each series, as a multiple of the 1000 games in the thesis. At least two games are
    /// played.
    pub scale: f64,
    /// Maximum number of playouts per move. The thesis has up to 100,000.
    pub playouts: u64,
    /// Seed of the deals and of the agents.
    pub seed: u64,
}

impl Default for AgentsOptions {
    /// All figures, 1000 games per series, 1000 playouts per move, seed 1.
    fn default() -> Self {
        Self { figures: Vec::new(), scale: 1.0, playouts: 1000, seed: 1 }
    }
}
