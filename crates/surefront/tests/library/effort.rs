//! How much the statistical tests run: enough to notice a broken promise at once, or, with the environment variable
//! `SUREFRONT_TESTS=long`, enough to notice one that is only bent.

use std::env;

/// The number of runs of a test. Whatever it is, the test's bound on mistakes has the same false-alarm rate.
pub fn runs(short: u64, long: u64) -> u64 {
    match env::var("SUREFRONT_TESTS") {
        Err(env::VarError::NotPresent) => short,
        Ok(mode) if mode == "long" => long,
        other => panic!("SUREFRONT_TESTS is {other:?}: set it to \"long\", or not at all"),
    }
}
