//! What a form sent.

use axum::body::Bytes;

use crate::problem::Problem;

/// The fields, in their order.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// From the body of a form.
    pub fn read(bytes: &Bytes) -> Result<Self, Problem> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| Problem::unreadable("the form is not as a browser sends it"))?;
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let fields = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // Browsers end lines in two characters, whatever was typed.
            Some((decoded(name)?, decoded(value)?.replace("\r\n", "\n")))
        });
        let fields: Option<Vec<_>> = fields.collect();
        fields.map(Fields).ok_or_else(|| Problem::unreadable("the form is not as a browser sends it"))
    }

    /// From the end of an address.
    pub fn of_query(query: Option<&str>) -> Result<Self, Problem> {
        Fields::read(&Bytes::copy_from_slice(query.unwrap_or_default().as_bytes()))
    }

    /// What was typed there, without blanks around it; empty if nothing was.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim())
    }

    /// A whole number that must be there.
    pub fn number(&self, name: &str) -> Result<i64, Problem> {
        let text = self.get(name);
        text.parse().map_err(|_| Problem::unfit(format!("\"{text}\" is no whole number ({name})")))
    }
}

/// As forms encode it.
fn decoded(text: &str) -> Option<String> {
    let (bytes, mut decoded, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'+' => decoded.push(b' '),
            b'%' => {
                let digits = text.get(at + 1..at + 3)?;
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                decoded.push(u8::from_str_radix(digits, 16).ok()?);
                at += 2;
            }
            byte => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::address::encoded;

    #[test]
    fn fields_are_read_as_they_were_typed() {
        let fields = Fields::read(&Bytes::from_static(b"name=a+b%26c&n=+12+&empty=&flag&lines=a%0D%0Ab")).unwrap();
        assert_eq!((fields.get("name"), fields.get("n"), fields.get("empty")), ("a b&c", "12", ""));
        assert_eq!((fields.number("n"), fields.get("nothing")), (Ok(12), ""));
        assert_eq!(fields.get("lines"), "a\nb");
        for broken in [&b"a=%"[..], b"a=%4", b"a=%zz", b"a=%ff", b"a=%+1", b"a=\xff"] {
            assert!(Fields::read(&Bytes::from_static(broken)).is_err(), "{broken:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_typed_arrives(text in ".{0,40}") {
            let fields = Fields::read(&Bytes::from(format!("x={}", encoded(&text)))).unwrap();
            let lines = text.replace("\r\n", "\n");
            prop_assert_eq!(fields.get("x"), lines.trim());
        }

        #[test]
        fn whatever_is_sent_nothing_breaks(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Fields::read(&Bytes::from(bytes));
        }
    }
}
