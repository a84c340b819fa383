//! How much memory the program holds.

/// The resident set in megabytes; `None` where the system does not say in the way that Linux does.
pub fn resident_megabytes() -> Option<f64> {
    megabytes("VmRSS:")
}

/// The largest that the resident set has been, in megabytes.
pub fn peak_megabytes() -> Option<f64> {
    megabytes("VmHWM:")
}

fn megabytes(key: &str) -> Option<f64> {
    // In kilobytes whatever the size of a page, unlike /proc/self/statm.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_holds_some_memory() {
        let megabytes = resident_megabytes().unwrap();
        assert!(0.1 < megabytes && megabytes < 1e6, "{megabytes}");
        assert!(megabytes <= peak_megabytes().unwrap());
    }
}
