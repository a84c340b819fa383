//! Counts that read well in a sentence.

use super::number::grouped;

/// "1 entry", "3 entries": a count that reads well in a sentence.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
}

/// "1 sample", "12,345 samples".
pub fn samples(count: u64) -> String {
    counted(count as usize, "sample", "samples")
}

/// "1 sample of 1 arm in 2 objectives".
pub fn samples_of(samples: u64, arms: usize, objectives: usize) -> String {
    format!(
        "{} of {} in {}",
        self::samples(samples),
        counted(arms, "arm", "arms"),
        counted(objectives, "objective", "objectives")
    )
}

/// "is 1 arm", "are 3 arms".
pub fn there_are(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", if count == 1 { "is" } else { "are" }, counted(count, one, many))
}
