//! Imports of a file from other files of its crate, found in its syntax.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::Source;

/// Path of a module in its crate, such as `["space", "plan"]`; empty for the root.
type ModulePath = Vec<String>;

/// The modules of a crate, and the re-exports in them.
pub(super) struct Modules {
    /// Index of each module's file.
    files: BTreeMap<ModulePath, usize>,
    /// Module paths by file.
    paths: Vec<ModulePath>,
    /// Names that modules re-export, in the order of the files.
    exports: Vec<Export>,
}

/// One name that a `pub use` makes available in a module.
struct Export {
    module: ModulePath,
    /// Exported name; `None` for all names.
    name: Option<String>,
    /// Path behind the name, resolved from the root; the name itself is its last segment.
    target: ModulePath,
}

/// Module path of a source file, from its place below `src`.
fn module_path(path: &str) -> ModulePath {
    let (_, inside) = path.split_once("/src/").expect("a file below src");
    let inside = inside.strip_suffix(".rs").expect("a Rust file");
    let mut segments: ModulePath = inside.split('/').map(String::from).collect();
    if matches!(segments.last().map(String::as_str), Some("mod")) {
        segments.pop();
    }
    if matches!(segments[..], [ref root] if root == "lib" || root == "main") {
        segments.clear();
    }
    segments
}

impl Modules {
    /// Reads the modules of a crate.
    pub(super) fn new(files: &[Source]) -> Self {
        let paths: Vec<ModulePath> = files.iter().map(|file| module_path(&file.path)).collect();
        let indices = paths.iter().cloned().zip(0..);
        let mut modules = Self { files: indices.collect(), paths, exports: Vec::new() };
        for (n, file) in files.iter().enumerate() {
            let uses = file.syntax.items.iter().filter_map(|item| match item {
                syn::Item::Use(item) if is_export(item) => Some(item),
                _ => None,
            });
            for item in uses {
                let module = modules.paths[n].clone();
                for leaf in leaves(&item.tree) {
                    let Some(target) = modules.absolute(&module, &leaf.path) else {
                        continue;
                    };
                    modules.exports.push(Export {
                        module: module.clone(),
                        name: leaf.name,
                        target,
                    });
                }
            }
        }
        modules
    }

    /// Path from the root of the crate, for a path written in `module`; `None` if it leads to
    /// another crate.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
        let mut base = module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            first => {
                base.push(first.to_owned());
                let is_child = self.files.contains_key(&base);
                base.pop();
                if !is_child {
                    return None;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// File that defines the item behind a path from the root. Follows up to eight re-exports;
    /// globs are not followed. `None` if no module is a prefix of the path.
    fn file_of(&self, path: &[String], depth: usize) -> Option<usize> {
        let module = (0..=path.len())
            .rev()
            .map(|len| &path[..len])
            .find(|module| self.files.contains_key(*module))?;
        let file = self.files[module];
        let Some(name) = path.get(module.len()).filter(|_| depth < 8) else {
            return Some(file);
        };
        let mut exports = self.exports.iter().filter(|export| export.module == module);
        let export = exports.find(|export| export.name.as_ref() == Some(name));
        match export {
            Some(export) => self.file_of(&export.target, depth + 1),
            None => Some(file),
        }
    }

    pub(super) fn imports(&self, n: usize, source: &Source) -> BTreeSet<usize> {
        let mut paths = Paths { module: self.paths[n].clone(), found: Vec::new() };
        paths.visit_file(&source.syntax);
        let found = paths.found.iter();
        let files = found.filter_map(|(module, path)| {
            let target = self.absolute(module, path)?;
            self.file_of(&target, 0)
        });
        files.filter(|&file| file != n).collect()
    }
}

/// Returns true for a `use` that makes names available to other modules.
fn is_export(item: &syn::ItemUse) -> bool {
    !matches!(item.vis, syn::Visibility::Inherited)
}

/// One path of a `use` tree.
struct Leaf {
    path: ModulePath,
    /// Name that the `use` introduces; `None` for a glob.
    name: Option<String>,
}

fn leaves(tree: &syn::UseTree) -> Vec<Leaf> {
    let mut all = Vec::new();
    let mut open = vec![(Vec::new(), tree)];
    while let Some((prefix, tree)) = open.pop() {
        let with = |name: String| {
            let mut path: ModulePath = prefix.clone();
            path.push(name);
            path
        };
        match tree {
            syn::UseTree::Path(part) => open.push((with(part.ident.to_string()), &part.tree)),
            syn::UseTree::Group(group) => {
                open.extend(group.items.iter().map(|tree| (prefix.clone(), tree)));
            }
            syn::UseTree::Name(part) if part.ident == "self" => {
                all.push(Leaf { name: prefix.last().cloned(), path: prefix })
            }
            syn::UseTree::Name(part) => all.push(Leaf {
                path: with(part.ident.to_string()),
                name: Some(part.ident.to_string()),
            }),
            syn::UseTree::Rename(part) => all.push(Leaf {
                path: with(part.ident.to_string()),
                name: Some(part.rename.to_string()),
            }),
            syn::UseTree::Glob(_) => all.push(Leaf { path: prefix, name: None }),
        }
    }
    all
}

/// Paths in a file, each as `(module of the text, path)`.
struct Paths {
    module: ModulePath,
    found: Vec<(ModulePath, ModulePath)>,
}

impl Paths {
    fn add(&mut self, path: ModulePath) {
        self.found.push((self.module.clone(), path));
    }

    /// Adds the paths of two or more segments among the tokens of a macro.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path = ModulePath::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) if path.is_empty() || colons == 2 => {
                    path.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(ident) => {
                    self.add_long(std::mem::take(&mut path));
                    path.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                _ => {}
            }
            self.add_long(std::mem::take(&mut path));
            colons = 0;
        }
        self.add_long(path);
    }

    fn add_long(&mut self, path: ModulePath) {
        if path.len() > 1 {
            self.add(path);
        }
    }
}

impl<'a> Visit<'a> for Paths {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if !is_export(item) {
            for leaf in leaves(&item.tree) {
                self.add(leaf.path);
            }
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments = path.segments.iter();
        self.add_long(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        self.add_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}
