//! What someone meant who wrote a name that is not known.

use super::plain::plain;

/// "did you mean …?" if a known name is near, otherwise the list of all.
pub fn advice<'a>(written: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(written, known.clone()) {
        Some(name) => format!("did you mean \"{}\"?", plain(name)),
        None => format!("known are {}", listed(known)),
    }
}

/// The known name that takes the fewest edits to write, if they are few for its length.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::levenshtein(&written, &name.to_lowercase()), name))
        .filter(|(edits, name)| *edits <= name.chars().count().div_ceil(3))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// Names in quotes, with commas; the tail of a long list is only counted.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let names: Vec<_> = names.into_iter().collect();
    let mut text = names.iter().take(SHOWN).map(|name| format!("\"{}\"", plain(name))).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len() - SHOWN);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["name", "mean", "variance", "command"];
        assert_eq!(nearest("means", known), Some("mean"));
        assert_eq!(nearest("Variance", known), Some("variance"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..10).map(|i| i.to_string()).collect();
        assert!(listed(names.iter().map(String::as_str)).ends_with("\"7\" and 2 more"));
        assert_eq!(listed(["a", "b"]), "\"a\", \"b\"");
    }
}
