//! Names of columns as people write them.

/// Whether a column may be the one of this name: case, spaces, dashes and underscores make no difference, nor does a unit after it.
pub fn is_like(column: &str, name: &str) -> bool {
    plainly(column) == plainly(name) || without_unit(column).is_some_and(|(bare, _)| plainly(bare) == plainly(name))
}

/// Letters and digits in lower case, with one space between words.
pub fn plainly(name: &str) -> String {
    let spaced = name.chars().map(|c| if matches!(c, '_' | '-' | '.' | ' ' | '\t' | '\u{a0}') { ' ' } else { c });
    let lower: String = spaced.flat_map(char::to_lowercase).collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "latency [ms]" and "latency (ms)" are a name and a unit.
pub fn without_unit(column: &str) -> Option<(&str, &str)> {
    let (open, inner) = match column.as_bytes().last()? {
        b')' => ('(', &column[..column.len() - 1]),
        b']' => ('[', &column[..column.len() - 1]),
        _ => return None,
    };
    let (name, unit) = inner.rsplit_once(open)?;
    let short = !unit.is_empty() && unit.chars().count() <= 8 && !unit.contains(char::is_whitespace);
    (short && !name.trim().is_empty()).then(|| (name.trim_end(), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_in_spite_of_their_spelling() {
        for (column, name) in
            [("Latency", "latency"), ("peak_memory", "Peak memory"), ("latency [ms]", "latency"), ("x (%)", "X")]
        {
            assert!(is_like(column, name), "{column}");
        }
        for (column, name) in [("latency", "latency2"), ("latency (of all runs)", "latency"), ("(ms)", ""), ("", "x")] {
            assert!(!is_like(column, name), "{column}");
        }
        assert_eq!(without_unit("latency [ms]"), Some(("latency", "ms")));
    }
}
