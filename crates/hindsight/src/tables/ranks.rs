//! Values of a table by tier and rank.

use hindsight_core::Answer;

use super::tablebase::Tablebase;
use crate::error::GamesError;
use crate::positions::any_value::Position;

impl Tablebase {
    /// Returns the tier and rank of a position; `None` if it has none. Positions that are equal by
    /// symmetry have the same, and so have positions that differ only in a forbidden move.
    ///
    /// # Errors
    /// [`Error::OtherGame`](crate::Error::OtherGame) for a position of another game.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # std::env::set_current_dir(folder.path()).expect("a folder");
    /// # let options = hindsight_games::Options {
    /// #     table: Some("q.table".into()),
    /// #     ..Default::default()
    /// # };
    /// # hindsight_games::game("quoridor:3x3:1")?.solve(Default::default(), &options)?;
    /// let table = hindsight_games::open("q.table")?;
    /// let start = table.game().start();
    /// let (tier, rank) = table.address(&start)?.expect("a rank");
    /// assert_eq!(table.probe_ranks(tier, &[rank])?, [table.probe(&start)?]);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn address(&self, position: &Position) -> Result<Option<(u64, u64)>, GamesError> {
        self.file().load_keys()?;
        self.ranks().address(position)
    }

    /// Returns the values at some ranks of a tier, in their order; unknown for holes. No move is
    /// forbidden.
    ///
    /// # Errors
    /// [`Error::NoTier`](crate::Error::NoTier) or [`Error::NoRank`](crate::Error::NoRank) for what
    /// the game does not have; as [`Values::probe`](crate::Values::probe).
    pub fn probe_ranks(&self, tier: u64, ranks: &[u64]) -> Result<Vec<Answer>, GamesError> {
        let game = || self.game().spec().to_string();
        let Some(len) = self.ranks().tier_len(tier) else {
            return Err(GamesError::NoTier { game: game(), tier });
        };
        if let Some(&rank) = ranks.iter().find(|&&rank| rank >= len) {
            let game = game();
            return Err(GamesError::NoRank { game, tier, rank, len });
        }
        self.ranks().probe_ranks(self.file(), tier, ranks)
    }
}
