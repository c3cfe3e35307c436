/// Game that is used without its type.
pub(crate) trait IntoPacked {
    /// [`PackedGame`](hindsight_core::PackedGame) of some number of words.
    type Packed;

    /// Returns the game without its type, with all that its structure allows.
    fn into_packed(self) -> Self::Packed;
}
