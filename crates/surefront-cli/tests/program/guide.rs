//! The picture of the guide is what the program draws, and its example can be measured.

use std::fs;
use std::path::Path;

use super::{Place, assert_well_formed};

#[test]
fn the_picture_of_the_guide_is_what_the_program_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = Place::new().with("codecs.toml", fs::read_to_string(root.join("examples/codecs.toml")).unwrap());
    place.stdout(&["run", "codecs.toml", "--no-report"]);
    let svg = place.stdout(&["report", "codecs.toml", "--format", "svg", "-o", "-"]);
    assert_well_formed(&svg);
    let path = root.join("docs/pictures/guide-front.svg");
    if std::env::var("SUREFRONT_PICTURES").is_ok_and(|value| value == "write") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &svg).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == svg,
        "{} is out of date: SUREFRONT_PICTURES=write cargo test --package surefront-cli --test program guide",
        path.display()
    );
}
