//! Dependencies point one way: among the modules of every crate of the workspace, and among the crates (docs/architecture.md).

mod cycles;
mod modules;
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};

use cycles::cycles;
use modules::Crate;

/// The crates of the workspace, each of which may name those before it.
const CRATES: [&str; 7] =
    ["surefront", "surefront-study", "surefront-lab", "surefront-serve", "surefront-cli", "surefront-python", "xtask"];

/// The crates that are there, by name. Where this one stands alone, there is no other.
fn crates() -> Vec<(String, Crate)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is in a folder");
    let folders = fs::read_dir(crates).expect("the folder can be read").map(|entry| entry.unwrap().path());
    let mut found: Vec<(String, Crate)> = folders
        .filter(|folder| folder.join("Cargo.toml").exists() && folder.join("src").is_dir())
        .map(|folder| (folder.file_name().unwrap().to_string_lossy().into_owned(), Crate::read(&folder.join("src"))))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn modules_depend_one_way() {
    let circles: Vec<String> = crates()
        .iter()
        .flat_map(|(name, one)| cycles(&one.uses()).into_iter().map(move |circle| format!("{name}, {circle}")))
        .collect();
    assert!(circles.is_empty(), "{} circles among modules:\n\n{}\n", circles.len(), circles.join("\n\n"));
}

#[test]
fn crates_depend_one_way() {
    for (name, one) in crates() {
        let rank = CRATES.iter().position(|known| *known == name);
        let rank = rank.unwrap_or_else(|| panic!("{name} has no place among the crates: {CRATES:?}"));
        for later in &CRATES[rank + 1..] {
            let used = one.first_words.get(&later.replace('-', "_"));
            assert!(used.is_none(), "{name} uses {later}, which comes after it: {}", used.unwrap());
        }
    }
}

/// The circles of a made-up crate.
fn circles_of(sources: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<(PathBuf, String)> =
        sources.iter().map(|(file, source)| (PathBuf::from(file), (*source).to_owned())).collect();
    cycles(&Crate::of(&sources).uses())
}

#[test]
fn circles_are_found() {
    let b = ("b.rs", "use crate::c::C;");
    for c in [
        "use crate::a::A;",
        "use super::a::A;",
        "use crate::{a::{A, self}, b};",
        "fn f() { crate::a::f(); }",
        "fn f<'a>(x: &'a str) -> char { super::a::f::<u8>(\"//\"); '\"' }",
        "use crate::A;",
        "#[cfg(not(test))] use crate::a::*;",
    ] {
        let found =
            circles_of(&[("lib.rs", "mod a; mod b; mod c; pub use a::A;"), ("a.rs", "use crate::b;"), b, ("c.rs", c)]);
        assert_eq!(found.len(), 1, "{c}: {found:?}");
        assert!(found[0].starts_with("in the root: a → b → c → a\n  a.rs:1 names crate::b\n"), "{}", found[0]);
    }
    // In a folder, also through a name that the parent passes on, and from a module further down.
    let parent = ("f/mod.rs", "mod g; mod h; pub use self::h::deep::H as Other;");
    let found = circles_of(&[
        parent,
        ("f/g.rs", "use super::Other;"),
        ("f/h/mod.rs", "mod deep;"),
        ("f/h/deep.rs", "use crate::f::g::G;"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("in f: g → h → g\n"), "{}", found[0]);
}

#[test]
fn what_is_no_circle_is_not_found() {
    let b = ("b.rs", "use crate::c::C;");
    for c in [
        "// use crate::a::A;\n/* crate::a /* crate::a */ crate::a */ /// [`crate::a`]",
        "const A: &str = \"crate::a\"; const B: &str = r#\"\" crate::a::A\"#; const C: u8 = b'\"'; const D: char = '\\'';",
        "#[cfg(test)] mod tests { use crate::a::A; }",
        "#[cfg(test)]\n#[path = \"x.rs\"]\nuse crate::{a::A};",
        "#[test] fn f() {} #[cfg(all(test, unix))] fn g() { crate::a::f() }",
        "use self::a::A; mod d;",
        "use a::A;",
    ] {
        let found = circles_of(&[("lib.rs", "use crate::a::A; mod a;"), ("a.rs", "use crate::b;"), b, ("c.rs", c)]);
        assert!(found.is_empty(), "{c}: {found:?}");
    }
    // A parent names its children, they name what it defines for all; modules for tests are left out.
    let parent = "mod g; #[cfg(test)] mod tests; use self::g::G; struct Shared;";
    let found = circles_of(&[
        ("f/mod.rs", parent),
        ("f/g.rs", "use super::Shared;"),
        ("f/tests.rs", "use crate::x::X;"),
        ("x.rs", "use crate::f;"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}
