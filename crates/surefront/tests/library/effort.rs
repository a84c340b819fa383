//! How much the tests do: enough to notice a broken promise at once, or, with the environment variable
//! `SUREFRONT_TESTS=long`, enough to notice one that is only bent.

use std::env;

use proptest::test_runner::Config;

/// One of two lengths of a test, with whatever goes with it, such as the most mistakes that it takes for chance. Whichever it is, false alarms are as rare.
pub fn either<T>(short: T, long: T) -> T {
    match env::var("SUREFRONT_TESTS") {
        Err(env::VarError::NotPresent) => short,
        Ok(mode) if mode == "long" => long,
        other => panic!("SUREFRONT_TESTS is {other:?}: set it to \"long\", or not at all"),
    }
}

/// Of how many random cases a property is checked.
pub fn cases(short: u32, long: u32) -> Config {
    Config::with_cases(either(short, long))
}
