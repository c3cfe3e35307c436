//! A text is a spec or an error; a spec's normal form is its own normal form.
#![no_main]

use hindsight_core::{Game, Notation};
use hindsight_rules::{Setup, Visitor, by_name};
use libfuzzer_sys::fuzz_target;

struct Spec;

impl Visitor for Spec {
    type Output = String;
    fn visit<G: Game + Notation>(self, game: G) -> String {
        game.spec()
    }
}

fuzz_target!(|text: &str| {
    match by_name(text, &Setup::default(), Spec) {
        Ok(normal) => assert_eq!(by_name(&normal, &Setup::default(), Spec), Ok(normal)),
        Err(error) => assert!(error.at <= text.len() && !error.message.is_empty()),
    }
});
