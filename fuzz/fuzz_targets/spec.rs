//! Specs: a text is an error or a spec; a normal form is its own normal form.
#![no_main]

use hindsight_core::{Game, Notation};
use hindsight_rules::{Setup, Visitor, by_name};
use libfuzzer_sys::fuzz_target;

/// Returns the normal form of the spec, with and without names of own cards.
struct NormalForms;

impl Visitor for NormalForms {
    type Output = [String; 2];
    fn visit<G: Game + Notation>(self, game: G) -> [String; 2] {
        [game.spec(), game.rules_spec()]
    }
}

fuzz_target!(|text: &str| {
    let setup = Setup::default();
    match by_name(text, &setup, NormalForms) {
        Ok([named, rules]) => {
            let forms = |text: &str| by_name(text, &setup, NormalForms);
            assert_eq!(forms(&named), Ok([named, rules.clone()]));
            assert_eq!(forms(&rules), Ok([rules.clone(), rules]));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.message.is_empty()),
    }
});
