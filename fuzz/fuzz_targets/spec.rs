//! Specs: a text is an error or a spec; a normal form is its own normal form.
#![no_main]

use hindsight_core::{Notation, ParseError};
use hindsight_rules::{Setup, by_name};
use libfuzzer_sys::fuzz_target;

/// Returns the normal form of a spec, with and without names of own cards.
fn normal_forms(spec: &str) -> Result<[String; 2], ParseError> {
    by_name(spec, &Setup::default()).map(|game| [game.spec(), game.rules_spec()])
}

fuzz_target!(|text: &str| {
    match normal_forms(text) {
        Ok([named, rules]) => {
            assert_eq!(normal_forms(&named), Ok([named, rules.clone()]));
            assert_eq!(normal_forms(&rules), Ok([rules.clone(), rules]));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.message.is_empty()),
    }
});
