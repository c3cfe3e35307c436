//! Nothing above the rules is generic over a game: everything is compiled once, for objects.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use super::{assert_none, sources};

/// Crates in which a game is a type: its traits, its authors and its laws.
const OF_AUTHORS: [&str; 3] = ["core", "rules", "testkit"];

/// Files that are generic over a game, with their reason.
const GENERIC: [(&str, &str); 1] =
    [("crates/play/src/matches.rs", "results of games of the agents' study")];

/// Names in a list of bounds.
fn names<'a>(
    bounds: impl IntoIterator<Item = &'a syn::TypeParamBound>,
) -> impl Iterator<Item = String> {
    bounds.into_iter().filter_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => Some(bound.path.segments.last()?.ident.to_string()),
        _ => None,
    })
}

/// Traits of a game: `Game`, and every trait that extends one of them.
fn traits_of_games() -> BTreeSet<String> {
    let core = sources("src").remove("core").expect("the core");
    let traits: Vec<syn::ItemTrait> = core
        .into_iter()
        .flat_map(|source| source.syntax.items)
        .filter_map(|item| match item {
            syn::Item::Trait(item) => Some(item),
            _ => None,
        })
        .collect();
    let mut found = BTreeSet::from(["Game".to_owned()]);
    loop {
        let before = found.len();
        for item in &traits {
            if names(&item.supertraits).any(|name| found.contains(&name)) {
                found.insert(item.ident.to_string());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Bounds of types by a trait of a game, in one file.
struct Bounds<'t> {
    traits: &'t BTreeSet<String>,
    found: Vec<String>,
}

impl Bounds<'_> {
    fn add<'a>(&mut self, bounds: impl IntoIterator<Item = &'a syn::TypeParamBound>) {
        self.found.extend(names(bounds).filter(|name| self.traits.contains(name)));
    }
}

impl<'a> Visit<'a> for Bounds<'_> {
    fn visit_type_param(&mut self, parameter: &'a syn::TypeParam) {
        self.add(&parameter.bounds);
        visit::visit_type_param(self, parameter);
    }

    fn visit_predicate_type(&mut self, predicate: &'a syn::PredicateType) {
        self.add(&predicate.bounds);
        visit::visit_predicate_type(self, predicate);
    }

    fn visit_type_impl_trait(&mut self, ty: &'a syn::TypeImplTrait) {
        self.add(&ty.bounds);
        visit::visit_type_impl_trait(self, ty);
    }
}

#[test]
fn nothing_above_the_rules_is_generic_over_a_game() {
    let traits = traits_of_games();
    let mut breaches = Vec::new();
    let mut used = BTreeSet::new();
    for (name, files) in sources("src") {
        if OF_AUTHORS.contains(&name.as_str()) {
            continue;
        }
        for source in files {
            let mut bounds = Bounds { traits: &traits, found: Vec::new() };
            bounds.visit_file(&source.syntax);
            if bounds.found.is_empty() {
                continue;
            }
            match GENERIC.iter().find(|(start, _)| source.path.starts_with(start)) {
                Some((start, _)) => {
                    used.insert(*start);
                }
                None => breaches.push(format!("{}: {}", source.path, bounds.found.join(", "))),
            }
        }
    }
    let stale = GENERIC.iter().filter(|(start, _)| !used.contains(start));
    breaches.extend(stale.map(|(start, _)| format!("{start} is generic no more")));
    assert_none("above the rules a game is an object", &breaches);
}

#[test]
fn bounds_are_found_in_parameters_clauses_and_arguments() {
    let file = syn::parse_file(
        "fn a<G: core::Game>() {} fn b<G>() where G: Sync + Tiers {} fn c(game: &impl Game) {}
         impl<G: Retro> X for Y<G> {} fn d<T: Ord>(game: &dyn Game) {}",
    );
    let traits = traits_of_games();
    let mut bounds = Bounds { traits: &traits, found: Vec::new() };
    bounds.visit_file(&file.expect("a source"));
    assert_eq!(bounds.found, ["Game", "Tiers", "Game", "Retro"]);
}
