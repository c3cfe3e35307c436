//! One word, one meaning: a public type's name is unique in the workspace, a private one's in its
//! crate.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};

use super::{Source, assert_none, rust_files, sources, workspace};

/// Names of the types that one file defines outside tests.
#[derive(Default)]
struct Types {
    public: Vec<String>,
    private: Vec<String>,
}

impl Types {
    fn of(source: &Source) -> Self {
        let mut types = Self::default();
        types.visit_file(&source.syntax);
        types
    }

    fn add(&mut self, visibility: &syn::Visibility, name: &syn::Ident) {
        match visibility {
            syn::Visibility::Public(_) => self.public.push(name.to_string()),
            _ => self.private.push(name.to_string()),
        }
    }
}

impl<'a> Visit<'a> for Types {
    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.add(&item.vis, &item.ident);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.add(&item.vis, &item.ident);
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.add(&item.vis, &item.ident);
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        self.add(&item.vis, &item.ident);
    }

    fn visit_item_fn(&mut self, _: &'a syn::ItemFn) {
        // Types inside a function have its scope.
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }
}

/// Returns true for a file that stands in for another one when a feature is off.
fn is_stand_in(source: &Source) -> bool {
    let file = source.path.rsplit('/').next().unwrap_or_default();
    file.starts_with("no_")
}

#[test]
fn a_name_of_a_type_has_one_meaning() {
    let mut public: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut private: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (room, files) in sources("src") {
        for source in files.iter().filter(|source| !is_stand_in(source)) {
            let types = Types::of(source);
            for name in types.public {
                public.entry(name).or_default().push(source.path.clone());
            }
            for name in types.private {
                let key = (room.clone(), name);
                private.entry(key).or_default().push(source.path.clone());
            }
        }
    }
    let mut shared = Vec::new();
    for ((room, name), places) in &mut private {
        let own = format!("crates/{room}/");
        let namesakes = public.get(name).into_iter().flatten();
        places.extend(namesakes.filter(|path| path.starts_with(&own)).cloned());
        if places.len() > 1 {
            shared.push(format!("{name}: {}", places.join(", ")));
        }
    }
    let public = public.iter().filter(|(_, places)| places.len() > 1);
    shared.extend(public.map(|(name, places)| format!("{name}: {}", places.join(", "))));
    assert_none("a type's name has one meaning", &shared);
}

#[test]
fn a_module_with_children_is_mod_rs_in_its_folder() {
    let root = workspace();
    let crates = rust_files(&root.join("crates")).into_iter();
    let beside = crates.filter(|file| file.with_extension("").is_dir());
    let beside = beside.map(|file| file.display().to_string());
    assert_none("a module with children is name/mod.rs", &beside.collect::<Vec<_>>());
}
