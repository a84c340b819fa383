//! The modules of a crate, and which of them name which others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::tokens::{Token, tokens, without_tests};

/// A module by the names from the root of the crate down to it.
pub type ModulePath = Vec<String>;

/// A place where a module is named, in a sentence for people.
pub type Place = String;

/// The modules of a crate, and the paths in them.
#[derive(Default)]
pub struct Crate {
    modules: BTreeSet<ModulePath>,
    /// By module: what it imports, by the name it has there.
    imports: BTreeMap<(ModulePath, String), ModulePath>,
    /// Every path from the root of the crate that is written in a module.
    paths: Vec<(ModulePath, ModulePath, Place)>,
    /// Every first word of a path: perhaps another crate.
    pub first_words: BTreeMap<String, Place>,
}

impl Crate {
    /// Reads all sources below `src`.
    pub fn read(src: &Path) -> Crate {
        let mut files = Vec::new();
        collect(src, &mut files);
        let sources = files.iter().map(|file| {
            let relative = file.strip_prefix(src).expect("it was found there");
            (relative.to_owned(), fs::read_to_string(file).expect("sources can be read"))
        });
        Crate::of(&sources.collect::<Vec<_>>())
    }

    /// Reads sources, each by its path below `src`.
    pub fn of(sources: &[(PathBuf, String)]) -> Crate {
        let mut parsed = Vec::new();
        let mut left_out = Vec::new();
        for (file, source) in sources {
            let module = module_of(file);
            let (tokens, tests) = without_tests(&tokens(source));
            left_out.extend(tests.into_iter().map(|test| [module.clone(), vec![test]].concat()));
            parsed.push((file, module, tokens));
        }
        parsed.retain(|(_, module, _)| !left_out.iter().any(|test| module.starts_with(test)));
        let mut found = Crate::default();
        found.modules.extend(parsed.iter().map(|(_, module, _)| module.clone()));
        for (file, module, tokens) in &parsed {
            Scan { found: &mut found, file, module: module.clone(), tokens }.all();
        }
        found
    }

    /// Which module names which other, each pair with a place where it does. A name that a module only passes on stands for where it
    /// comes from.
    pub fn uses(&self) -> BTreeMap<(ModulePath, ModulePath), Place> {
        let mut uses = BTreeMap::new();
        for (from, path, place) in &self.paths {
            uses.entry((from.clone(), self.resolve(path, 0))).or_insert_with(|| place.clone());
        }
        uses
    }

    /// The module in which the last name of a path is defined.
    fn resolve(&self, path: &[String], depth: usize) -> ModulePath {
        let mut module = ModulePath::new();
        for (i, name) in path.iter().enumerate() {
            module.push(name.clone());
            if self.modules.contains(&module) {
                continue;
            }
            module.pop();
            if let Some(import) = self.imports.get(&(module.clone(), name.clone()))
                && depth < 8
            {
                return self.resolve(&[import, &path[i + 1..]].concat(), depth + 1);
            }
            break;
        }
        module
    }
}

/// Goes through the tokens of one file.
struct Scan<'a> {
    found: &'a mut Crate,
    file: &'a Path,
    module: ModulePath,
    tokens: &'a [Token],
}

impl Scan<'_> {
    fn all(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            // Paths in it would begin elsewhere.
            let inline = self.is(at, "mod") && self.is(at + 2, "{");
            assert!(!inline, "{}:{}: give this module a file", self.file.display(), self.tokens[at].line);
            at = if self.is(at, "use") && !self.is(at + 1, "<") {
                self.tree(at + 1, &Vec::new(), true)
            } else if self.begins_path(at) {
                self.tree(at, &Vec::new(), false)
            } else {
                at + 1
            };
        }
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn begins_path(&self, at: usize) -> bool {
        self.tokens[at].is_word() && self.is(at + 1, "::") && !(at > 0 && self.is(at - 1, "::"))
    }

    /// Reads a path, or a tree of them in braces, that begins at `at` behind `prefix`; behind its end.
    fn tree(&mut self, mut at: usize, prefix: &ModulePath, import: bool) -> usize {
        let mut path = prefix.clone();
        loop {
            if self.is(at, "{") {
                at += 1;
                while at < self.tokens.len() && !self.is(at, "}") {
                    at = self.tree(at, &path, import);
                    at += usize::from(self.is(at, ","));
                }
                return at + 1;
            }
            let Some(token) = self.tokens.get(at).filter(|token| token.is_word()) else {
                // A star, or the type arguments of what has been named.
                self.note(&path, at, None);
                return at + 1;
            };
            path.push(token.text.clone());
            at += 1;
            if self.is(at, "::") {
                at += 1;
                continue;
            }
            let name = if self.is(at, "as") {
                at += 2;
                self.tokens[at - 1].text.clone()
            } else {
                token.text.clone()
            };
            self.note(&path, at - 1, import.then_some(name));
            return at;
        }
    }

    /// Notes a path, and the name that it is imported by.
    fn note(&mut self, path: &[String], at: usize, import: Option<String>) {
        let Some(first) = path.first() else { return };
        let line = self.tokens.get(at).or(self.tokens.last()).map_or(0, |token| token.line);
        let place = format!("{}:{line} names {}", self.file.display(), path.join("::"));
        let mut absolute = match first.as_str() {
            "crate" => ModulePath::new(),
            "self" | "super" => self.module.clone(),
            child if self.found.modules.contains(&[self.module.clone(), vec![child.into()]].concat()) => {
                [self.module.clone(), vec![child.into()]].concat()
            }
            word => {
                self.found.first_words.entry(word.into()).or_insert(place);
                return;
            }
        };
        for name in path.iter().skip(usize::from(first != "super")) {
            match name.as_str() {
                "super" => drop(absolute.pop()),
                "self" => {}
                name => absolute.push(name.into()),
            }
        }
        if let Some(name) = import {
            self.found.imports.insert((self.module.clone(), name), absolute.clone());
        }
        self.found.paths.push((self.module.clone(), absolute, place));
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The module that a file below `src` is.
fn module_of(file: &Path) -> ModulePath {
    let mut module: ModulePath =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        module.pop();
    }
    module
}
