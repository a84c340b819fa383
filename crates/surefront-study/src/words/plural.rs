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

/// "1 sample of 1 arm in 2 objectives and 1 constraint".
pub fn samples_of(samples: u64, arms: usize, objectives: usize, constraints: usize) -> String {
    format!(
        "{} of {} in {}",
        self::samples(samples),
        counted(arms, "arm", "arms"),
        objectives_and(objectives, constraints)
    )
}

/// "2 objectives", "2 objectives and 1 constraint".
pub fn objectives_and(objectives: usize, constraints: usize) -> String {
    let objectives = counted(objectives, "objective", "objectives");
    match constraints {
        0 => objectives,
        _ => format!("{objectives} and {}", counted(constraints, "constraint", "constraints")),
    }
}

/// "is 1 arm", "are 3 arms".
pub fn there_are(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", if count == 1 { "is" } else { "are" }, counted(count, one, many))
}
