//! Rules of games in programs of their own. `docs/own-game.md` has the protocol.

mod answer;
mod digest;
mod hello;
mod program;

pub use answer::read_answer;
pub use hello::RulesHello;
pub use program::RulesProgram;
