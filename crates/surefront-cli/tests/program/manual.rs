//! Completions and manual pages.

use super::Place;

#[test]
fn every_shell_has_completions_of_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = Place::new().stdout(&["completions", shell]);
        for word in ["analyze", "simulate", "arm-column", "reproduce"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("surefront-cli"), "{shell}");
    }
    assert_eq!(Place::new().run(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn the_manual_page_names_the_commands() {
    let page = Place::new().stdout(&["man"]);
    assert!(page.contains(".TH SUREFRONT 1 ") && page.contains("surefront\\-analyze(1)"), "{page}");
    assert!(page.contains(".nf\nExamples:\n") && page.contains(".fi\n.SH VERSION\n"), "{page}");
    assert!(!page.contains("surefront\\-cli"), "{page}");
}

#[test]
fn every_command_has_a_page() {
    let place = Place::new();
    let said = place.stdout(&["man", "-o", "new/man1"]);
    let pages = std::fs::read_dir(place.path("new/man1")).unwrap().count();
    assert_eq!(said, format!("{pages} pages written to new/man1\n"));
    for page in ["surefront", "surefront-analyze", "surefront-reproduce", "surefront-reproduce-vaccine"] {
        let text = std::fs::read_to_string(place.path(&format!("new/man1/{page}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {} 1 ", page.to_uppercase())), "{text}");
    }
    let analyze = std::fs::read_to_string(place.path("new/man1/surefront-analyze.1")).unwrap();
    assert!(analyze.contains("\\-\\-arm\\-column"), "{analyze}");

    let place = place.with("file", "");
    let output = place.run(&["man", "-o", "file"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write file"));
}
