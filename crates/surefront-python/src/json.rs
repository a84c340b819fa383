//! What is known, as text for Python to read.

/// What has numbers that JSON cannot hold has null there.
pub fn json(findings: &impl serde::Serialize) -> String {
    serde_json::to_string(findings).expect("findings have nothing that JSON cannot hold")
}
