//! Modules that the page needs at once, by the imports of its files.

use std::collections::BTreeSet;

/// Module with which the page starts.
const FIRST: &str = "js/main.js";

/// Returns the names of the first module and of all that it imports, directly or not. Modules that
/// are imported later, by `import()`, are not among them. `read` gives the text of a file.
pub(super) fn first_modules(read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![String::from(FIRST)];
    while let Some(name) = waiting.pop() {
        let Some(text) = read(&name) else { continue };
        if found.insert(name.clone()) {
            waiting.extend(imports(&text).filter_map(|path| resolved(&name, path)));
        }
    }
    found.into_iter().collect()
}

/// Returns the relative paths of a module's imports: each ends a line as ` from 'PATH';`.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let is_import = ["import ", "export ", "} "].iter();
        let mut is_import = is_import.map(|begin| line.starts_with(begin));
        let (_, path) = line.strip_suffix("';")?.split_once(" from '")?;
        is_import.any(|is| is).then_some(path)
    })
}

/// Returns the name of the file to which a path leads from another file.
fn resolved(from: &str, path: &str) -> Option<String> {
    let (folder, _) = from.rsplit_once('/')?;
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::first_modules;

    #[test]
    fn imports_are_followed_but_not_those_for_later() {
        let read = |name: &str| {
            let text = match name {
                "js/main.js" => {
                    "import { a } from './a.js';\nimport {\n  b, c,\n} from './views/b.js';\n\
                     const later = () => import('./later.js');\n// from './comment.js';\n"
                }
                "js/views/b.js" => "import { d } from '../d.js';\nexport { e } from './b.js';\n",
                "js/a.js" | "js/d.js" | "js/later.js" | "js/comment.js" => "",
                _ => return None,
            };
            Some(String::from(text))
        };
        let expected = ["js/a.js", "js/d.js", "js/main.js", "js/views/b.js"];
        assert_eq!(first_modules(read), expected);
    }
}
