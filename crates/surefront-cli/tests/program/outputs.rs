//! Outputs that would take the place of something else: refused, and nothing is changed.

use super::{Place, STUDY, refusal, transcript};

/// A study with a store, an arms file, weights and notes.
fn place() -> Place {
    let head = STUDY.split_once("[[arm]]").unwrap().0;
    let place = Place::new()
        .with("s.toml", format!("arms = \"arms.csv\"\n{head}"))
        .with("arms.csv", "arm,quality,bytes\nfine,0.9,30\ncoarse,0.5,10\nclumsy,0.4,20\n")
        .with("w.csv", "arm,weight\nfine,1\ncoarse,1\nclumsy,1\n")
        .with("other.db", "SQLite format 3\0 of somebody else")
        .with("notes.html", "<!DOCTYPE html>\n<title>Mine</title>\n")
        .with("notes.md", "# Mine\n\nNotes.\n")
        .with("mine.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n")
        .with("filled.csv", "ticket,arm,quality,bytes\n1,fine,0.91,30.5\n2,coarse,,\n");
    place.stdout(&["tell", "s.toml", "--arm", "fine", "0.91", "30.5"]);
    place
}

/// Every file, by name.
fn everything(place: &Place) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(place.path("")).unwrap().map(|file| file.unwrap().path());
    let mut all: Vec<_> = files
        // Of SQLite, which comes and goes.
        .filter(|path| !path.to_str().unwrap().ends_with("-wal") && !path.to_str().unwrap().ends_with("-shm"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn nothing_else_is_replaced() {
    let place = place();
    let before = everything(&place);
    let cases: [&[&str]; 21] = [
        &["export", "s.toml", "-o", "s.db"],
        &["export", "s.toml", "-o", "s.toml"],
        &["export", "s.toml", "-o", "arms.csv"],
        &["export", "s.toml", "-o", "w.csv"],
        &["export", "s.toml", "--format", "jsonl", "-o", "other.db"],
        &["ask", "s.toml", "--csv=s.db"],
        &["ask", "s.toml", "--csv=./s.toml"],
        &["ask", "s.toml", "--csv=filled.csv"],
        &["ask", "s.toml", "--csv=w.csv"],
        &["simulate", "s.toml", "--runs", "1", "--svg", "s.toml"],
        &["simulate", "s.toml", "--runs", "1", "--svg", "mine.svg"],
        &["simulate", "s.toml", "--runs", "1", "--export-csv", "arms.csv"],
        &["simulate", "s.toml", "--runs", "1", "--rule", "fixed", "--allocation", "w.csv", "--export-csv", "w.csv"],
        &["plan", "s.toml", "--runs", "1", "--svg", "s.db"],
        &["plan", "s.toml", "--runs", "1", "--svg", "arms.csv"],
        &["run", "s.toml", "--report", "other.db"],
        &["run", "s.toml", "--report", "x.docx"],
        &["run", "s.toml", "--report", "notes.html"],
        &["report", "s.toml", "-o", "notes.md"],
        &["report", "s.toml", "-o", "notes.html"],
        &["report", "s.toml", "-o", "other.db", "--format", "json"],
    ];
    let messages = cases.map(|args| (args.join(" "), refusal(&place, args)));
    insta::assert_snapshot!(transcript(messages.iter().map(|(title, message)| (title.as_str(), message.clone()))));
    for ((name, was), (_, is)) in before.iter().zip(everything(&place)) {
        assert_eq!(*was, is, "{name}");
    }
    // Nothing was asked, measured or left behind.
    assert_eq!(before.len(), everything(&place).len());
    assert_eq!(place.json(&["status", "s.toml", "--json"])["samples"], 1);
}

#[test]
fn two_outputs_do_not_replace_each_other() {
    let place = place();
    let args = ["simulate", "s.toml", "--runs", "1", "--svg", "both", "--export-csv", "both"];
    assert!(refusal(&place, &args).contains("both is what this is made from"));
}

#[test]
fn older_outputs_are_replaced() {
    let place = place();
    let commands: [&[&str]; 9] = [
        &["export", "s.toml", "-o", "new/e.csv"],
        &["export", "s.toml", "--all", "-o", "new/e.csv"],
        &["export", "s.toml", "--format", "jsonl", "-o", "new/e.jsonl"],
        &["ask", "s.toml", "--csv=new/w.csv"],
        &["simulate", "s.toml", "--runs", "1", "--svg", "new/s.svg", "--export-csv", "new/runs.csv"],
        &["plan", "s.toml", "--runs", "1", "--svg", "new/s.svg"],
        &["report", "s.toml", "-o", "new/r.html"],
        &["report", "s.toml", "-o", "new/r.md"],
        &["report", "s.toml", "-o", "new/r.json"],
    ];
    std::fs::create_dir(place.path("new")).unwrap();
    for args in commands.iter().chain(&commands) {
        place.stdout(args);
    }
    place.stdout(&["report", "s.toml", "-o", "new/s.svg"]);
    for _ in 0..2 {
        place.stdout(&["man", "--dir", "new"]);
    }
    std::fs::write(place.path("new/surefront-run.1"), "mine").unwrap();
    assert!(
        refusal(&place, &["man", "--dir", "new"]).contains("surefront-run.1 exists and is not an older manual page")
    );
    // An empty file has nothing to lose, and a device is no file.
    let place = place.with("empty.html", "");
    place.stdout(&["report", "s.toml", "-o", "empty.html"]);
    place.stdout(&["export", "s.toml", "-o", "/dev/null"]);
}

#[test]
fn a_worklist_is_replaced_until_it_is_filled_in() {
    let place = place();
    place.stdout(&["ask", "s.toml", "-n", "2", "--csv=w1.csv"]);
    let list = std::fs::read_to_string(place.path("w1.csv")).unwrap();
    place.stdout(&["ask", "s.toml", "--open", "--csv=w1.csv"]);
    assert_eq!(std::fs::read_to_string(place.path("w1.csv")).unwrap(), list);
    let filled = list.replacen(",,\n", ",0.9,30\n", 1);
    let place = place.with("w1.csv", &filled);
    assert!(refusal(&place, &["ask", "s.toml", "--csv=w1.csv"]).contains("values filled in"));
    assert_eq!(std::fs::read_to_string(place.path("w1.csv")).unwrap(), filled);
    // No ticket was made for it either.
    assert_eq!(place.json(&["status", "s.toml", "--json"])["open_tickets"].as_array().unwrap().len(), 2);
}
