//! Every link in the documents leads somewhere: to a file that is there, and to a heading in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn documents(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text without what stands in code, where brackets are no links.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            // Every second part of a line is between back quotes.
            kept.extend(line.split('`').step_by(2));
            kept.push('\n');
        }
    }
    kept
}

/// Where links and pictures lead.
fn targets(text: &str) -> Vec<String> {
    let parts = text.split("](").skip(1);
    parts.filter_map(|part| part.split_once(')')).map(|(target, _)| target.to_owned()).collect()
}

/// The names of the headings, as they are linked to.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace('`', "");
        words
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let mut broken = Vec::new();
    let mut looked_at = 0;
    for document in documents(&root) {
        let text = fs::read_to_string(&document).unwrap();
        for target in targets(&prose(&text)) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            looked_at += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            let there = file.exists();
            let heading = anchor.is_empty()
                || there && fs::read_to_string(&file).is_ok_and(|text| anchors(&text).contains(anchor));
            if !there || !heading {
                broken.push(format!("{}: {target}", document.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(looked_at > 50, "{looked_at}");
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let root = root();
    let contents = targets(&fs::read_to_string(root.join("docs/SUMMARY.md")).unwrap());
    for document in documents(&root.join("docs").join("..")) {
        let Ok(page) = document.canonicalize().unwrap().strip_prefix(root.join("docs")).map(Path::to_owned) else {
            continue;
        };
        let page = page.to_string_lossy().into_owned();
        assert!(page == "SUMMARY.md" || contents.contains(&page), "docs/SUMMARY.md does not have {page}");
    }
}
