//! Arguments of `laws`.

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight laws cmd:\"python3 take.py 14\"
  hindsight laws onitama:3x4:boar --positions 1000

Authors of games find faults with it, before a solve counts on them. In the positions of random \
games it is checked that
  each question has a right answer,
  answers do not change, and many positions are answered as one is,
  each move and each position is read again from its text,
  the players move in turn,
  symmetric positions have the same result and symmetric successors.
`solve` checks the same for a second where the rules are a program of yours.

A broken law is named with its position; the exit code is 1 then. docs/own-game.md has how to \
write a game.")]
pub(crate) struct LawsArgs {
    /// The game, such as cmd:./mygame
    pub(crate) spec: String,
    /// Positions to check
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("positions", 1..=1_000_000_000)
    )]
    pub(crate) positions: u64,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after N seconds
    #[arg(
        long,
        value_name = "N",
        default_value = "60",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
}
