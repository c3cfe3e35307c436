use hindsight_games::{AgentSpec, Error, Values, Wdl};

/// Options of the study of lures.
#[derive(Clone, Debug)]
pub struct LureOptions {
    /// Values of the game, whose start is a draw.
    pub values: Values,
    /// Opponents; none of them needs values.
    pub opponents: Vec<AgentSpec>,
    /// Games of each agent against each opponent.
    pub games: u64,
    /// Seed of the openings and of every random choice.
    pub seed: u64,
    /// Bytes of memory of each agent.
    pub memory_bytes: u64,
}

impl LureOptions {
    /// Game of the study if none is named.
    pub const GAME: &'static str = "ostle:4x4:3:1";

    /// Games of each agent against each opponent, if no number is named.
    pub const GAMES: u64 = 400;

    /// Opponents if none are named, by kind from weak to strong.
    pub(crate) const OPPONENTS: [&'static str; 12] = [
        "random",
        "mc:playouts=100",
        "mcts:playouts=10",
        "mcts:playouts=100",
        "mcts:playouts=1000",
        "mcts:playouts=10000",
        "alphabeta:depth=2",
        "alphabeta:depth=4",
        "alphabeta:depth=6",
        "level:2",
        "level:4",
        "level:6",
    ];

    /// Returns the reason, as a sentence, why values are of no use: the start is no draw.
    ///
    /// # Errors
    /// The value of the start cannot be read.
    pub fn fault_of(values: &Values) -> Result<Option<String>, Error> {
        let start = values.probe(&values.game().start())?;
        if start.wdl() == Some(Wdl::Draw) {
            return Ok(None);
        }
        let spec = values.game().spec();
        Ok(Some(format!(
            "a lure is measured in a game whose start is a draw, and that of {spec} is a {start}"
        )))
    }
}
