//! docs/study-file.md has every key that the reader knows, with its type, what it is without it, and an example that can be read.

use std::fs;

use surefront_study::file::study::{StudyFile, keys};

fn document() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/study-file.md")).unwrap()
}

/// The cells of the rows of the table under a heading.
fn rows(document: &str, heading: &str) -> Vec<Vec<String>> {
    let section = document.split(&format!("\n## {heading}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn every_key_has_a_row() {
    let document = document();
    for (heading, (table, known)) in
        ["The study as a whole", "Objectives", "Constraints", "Arms"].into_iter().zip(keys::ALL)
    {
        let rows = rows(&document, heading);
        let documented: Vec<String> = rows.iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
        for key in known {
            assert!(
                documented.iter().any(|row| row == key),
                "docs/study-file.md does not have the key `{key}` of {table}"
            );
        }
        for row in &rows {
            let key = row[0].trim_matches('`');
            assert!(
                known.contains(&key),
                "docs/study-file.md has the key `{key}` of {table}, which the reader refuses"
            );
            assert!(row.len() == 5 && !row[1].is_empty() && !row[4].is_empty(), "{row:?}");
            let example = row[3].trim_matches('`');
            let shown = example.starts_with(&format!("{key} = ")) || example.trim_matches(['[', ']']) == key;
            assert!(shown, "the example of `{key}` of {table} is {example}");
        }
    }
}

#[test]
fn the_study_files_in_it_are_study_files() {
    let document = document();
    let blocks = document.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let objective = "\n[[objective]]\nname = \"x\"\ngoal = \"max\"\n";
    let arm = "\n[[arm]]\nname = \"a\"\nparameters = { level = 1 }\n";
    let mut read = 0;
    for block in blocks {
        let has_arms = block.contains("[[arm]]") || block.contains("[grid]");
        let text = match (block.contains("[[objective]]"), has_arms) {
            (true, _) => block.to_owned(),
            (false, true) => format!("{block}{objective}"),
            (false, false) => format!("{block}{objective}{arm}"),
        };
        StudyFile::built_in("docs/study-file.md", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        read += 1;
    }
    assert!(read >= 3);
}
