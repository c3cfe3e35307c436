//! Arguments of `tournament`.

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight tournament level:1 level:2 level:3 --game tic-tac-toe -n 20
  hindsight tournament mcts mc random --games t.jsonl --anchor random -n 6
  hindsight tournament alphabeta:depth=2 mc random --gauntlet -n 10
  hindsight tournament cmd:\"hindsight agent mcts\" mc random --game ostle -n 2
  hindsight tournament mcts mc random -n 20 --sqlite study.db

`hindsight match --help` describes the agents. Each pair plays the games of `hindsight match` with \
the same seed, half of them with either agent first. All pairs play their first two games, then \
their next two.

Ratings are Elo by maximum likelihood (Bradley and Terry), with bounds of 95% confidence. A tie \
counts half a point. A virtual tie for two agents gives a rating to one that won everything.

A tournament that was stopped goes on with the games in the file of --games; so do more games \
(-n) and more agents. --force begins anew. An SQLite file has a match for each pair, with the \
games that this run plays. Ctrl-C ends a tournament within a second, with the \
ratings by then; games in progress do not count.")]
pub(crate) struct TournamentArgs {
    /// The agents, two or more, such as mcts:playouts=10000 or level:5
    #[arg(value_name = "AGENT", required = true)]
    pub(crate) agents: Vec<String>,
    /// Let the first agent play each other one, and no others
    #[arg(long)]
    pub(crate) gauntlet: bool,
    /// The agent whose rating is 0 [default: the mean of all is 0]
    #[arg(long, value_name = "AGENT")]
    pub(crate) anchor: Option<String>,
    /// Number of games of each pair, an even one
    #[arg(
        short,
        long,
        value_name = "GAMES",
        default_value_t = 100,
        allow_negative_numbers = true,
        value_parser = parse_even_games
    )]
    pub(crate) number: u64,
    #[command(flatten)]
    pub(crate) shared: super::AgentGamesArgs,
}

fn parse_even_games(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(games) if games > 0 && games.is_multiple_of(2) && games <= 1_000_000 => Ok(games),
        _ => Err(String::from("an even number of games, from 2 to 1000000: each agent is first")),
    }
}
