//! Counts that read well in a sentence.

use super::number::grouped;

/// "1 entry", "3,000 entries": a count that reads well in a sentence.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
}

/// "is 1 arm", "are 3 arms".
pub fn there_are(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", if count == 1 { "is" } else { "are" }, counted(count, one, many))
}
