//! Addresses of pages, made of names that may hold anything.

use std::fmt::Write;

/// A text as one part of an address.
pub fn encoded(text: &str) -> String {
    let mut address = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

/// The page of a study.
pub fn of_study(id: &str) -> String {
    format!("/studies/{}", encoded(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_name_holds_it_stays_one_part() {
        assert_eq!(of_study("a b/c?d#e&f\"g%é"), "/studies/a%20b%2Fc%3Fd%23e%26f%22g%25%C3%A9");
        assert_eq!(of_study("plain-name_1.2~"), "/studies/plain-name_1.2~");
    }
}
