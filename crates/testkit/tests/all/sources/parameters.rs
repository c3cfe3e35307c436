//! Parameters have names: no function takes a tuple.

use syn::visit::{self, Visit};

use super::{assert_none, sources};

/// Functions of one file that take a tuple.
#[derive(Default)]
struct TupleParameters(Vec<String>);

/// Returns true for a tuple of two or more, also behind references.
fn is_tuple(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(reference) => is_tuple(&reference.elem),
        syn::Type::Paren(inner) => is_tuple(&inner.elem),
        syn::Type::Tuple(tuple) => tuple.elems.len() > 1,
        _ => false,
    }
}

impl<'a> Visit<'a> for TupleParameters {
    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        let takes_tuple = signature.inputs.iter().any(|input| match input {
            syn::FnArg::Receiver(_) => false,
            syn::FnArg::Typed(typed) => {
                let pattern = &*typed.pat;
                matches!(pattern, syn::Pat::Tuple(tuple) if !tuple.elems.is_empty())
                    || is_tuple(&typed.ty)
            }
        });
        if takes_tuple {
            self.0.push(signature.ident.to_string());
        }
        visit::visit_signature(self, signature);
    }
}

#[test]
fn no_function_takes_a_tuple() {
    let mut found = Vec::new();
    for folder in ["src", "tests", "examples", "benches"] {
        for source in sources(folder).into_values().flatten() {
            let mut functions = TupleParameters::default();
            functions.visit_file(&source.syntax);
            let path = &source.path;
            found.extend(functions.0.iter().map(|name| format!("{path}: {name}")));
        }
    }
    assert_none("a parameter is no tuple", &found);
}

#[test]
fn tuples_are_found_behind_references_and_patterns() {
    let file = syn::parse_file(
        "fn a(x: &mut (u8, u8)) {} fn b((x, y): Pair) {} fn c(x: [u8; 2], (): ()) {}
         trait T { fn d(&self, x: (u8, u8)); fn e(&self); }",
    );
    let mut found = TupleParameters::default();
    found.visit_file(&file.expect("a source"));
    assert_eq!(found.0, ["a", "b", "d"]);
}
