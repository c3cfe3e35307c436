//! Specs: a text is an error or a spec; a normal form is its own normal form.
#![no_main]

use hindsight_core::{Game, Notation};
use hindsight_rules::{Setup, Visitor, by_name};
use libfuzzer_sys::fuzz_target;

/// Returns the normal form of the spec.
struct NormalForm;

impl Visitor for NormalForm {
    type Output = String;
    fn visit<G: Game + Notation>(self, game: G) -> String {
        game.spec()
    }
}

fuzz_target!(|text: &str| {
    let setup = Setup::default();
    match by_name(text, &setup, NormalForm) {
        Ok(normal) => assert_eq!(by_name(&normal, &setup, NormalForm), Ok(normal)),
        Err(error) => assert!(error.offset <= text.len() && !error.message.is_empty()),
    }
});
