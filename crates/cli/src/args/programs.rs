//! Options for agents that are programs.

#[derive(clap::Args, Debug)]
pub(crate) struct ProgramArgs {
    /// Time of a program, an agent that begins with cmd:, for a move [default: 10]
    #[arg(
        long,
        value_name = "SECONDS",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) move_seconds: Option<f64>,
}
