//! Games of tests whose positions and moves are numbers.

/// Packs a game whose positions and moves are numbers of a type, `u32` or `u64`. They are also
/// their texts, and the spec is that given: `pack_numbers!(Endless, u64, "endless")`.
#[macro_export]
macro_rules! pack_numbers {
    ($game:ty, $number:ty, $spec:expr) => {
        const _: () = {
            const WORDS: usize = size_of::<$number>() / size_of::<u32>();

            impl hindsight_core::Packing<WORDS> for $game {
                fn pack(&self, position: $number) -> [u32; WORDS] {
                    let word = |i| (u64::from(position) >> (32 * (WORDS - 1 - i))) as u32;
                    std::array::from_fn(word)
                }
                fn unpack(&self, words: [u32; WORDS]) -> $number {
                    words.iter().fold(0, |high, &word| high << 32 | u64::from(word)) as $number
                }
                fn pack_move(&self, mv: $number) -> u64 {
                    mv.into()
                }
                fn unpack_move(&self, number: u64) -> $number {
                    number as $number
                }
            }
        };

        impl hindsight_core::Notation for $game {
            fn spec(&self) -> String {
                String::from($spec)
            }
            fn player_names(&self) -> [&'static str; 2] {
                ["First", "Second"]
            }
            fn format(&self, position: $number) -> String {
                position.to_string()
            }
            fn parse(&self, text: &str) -> Result<$number, hindsight_core::ParseError> {
                text.parse().map_err(|_| hindsight_core::ParseError::new(0, "a number is needed"))
            }
            fn format_move(&self, _: $number, mv: $number) -> String {
                mv.to_string()
            }
        }
    };
}
