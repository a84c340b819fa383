//! Who may read, and who may write: secrets that are compared in constant time.

use std::fmt;

use subtle::ConstantTimeEq;
use thiserror::Error;

/// What somebody may do. Whoever may write may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Look.
    Read,
    /// Ask, tell, take back, make studies.
    Write,
}

/// The secrets of a server.
#[derive(Clone)]
pub struct Tokens {
    read: Option<String>,
    write: Option<String>,
}

/// What is wrong with a file of tokens.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TokensError {
    /// There is none.
    #[error("there is no token: write a line `write TOKEN`, and perhaps a line `read TOKEN`")]
    Empty,
    /// More than a token on a line.
    #[error("line {line}: write `read TOKEN` or `write TOKEN`")]
    Line {
        /// Its number.
        line: usize,
    },
    /// A token that a header or a cookie cannot hold.
    #[error("line {line}: a token is made of letters, digits and the signs - . _ ~ + / =")]
    Letters {
        /// Its number.
        line: usize,
    },
    /// Two tokens for one thing.
    #[error("line {line}: there is a token for this already")]
    Twice {
        /// Its number.
        line: usize,
    },
    /// The same for both.
    #[error("the two tokens are the same: whoever reads could write")]
    Same,
    /// The operating system has no random numbers.
    #[error("cannot make a token (the system gives no random numbers)")]
    NoRandomness,
}

/// A shorter token can be guessed.
const LONG_ENOUGH: usize = 16;

impl Tokens {
    /// From a text with a line `write TOKEN`, a line `read TOKEN`, or both; a token alone on its line is one to write. Empty lines and
    /// those that begin with `#` say nothing.
    pub fn parse(text: &str) -> Result<Self, TokensError> {
        let mut tokens = Tokens { read: None, write: None };
        for (line, content) in (1..).zip(text.lines()) {
            let words: Vec<&str> = content.split_whitespace().collect();
            let (place, token) = match words[..] {
                [] => continue,
                [first, ..] if first.starts_with('#') => continue,
                ["read", token] => (&mut tokens.read, token),
                ["write", token] | [token] => (&mut tokens.write, token),
                _ => return Err(TokensError::Line { line }),
            };
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
            if !token.bytes().all(allowed) {
                return Err(TokensError::Letters { line });
            }
            if place.replace(token.to_owned()).is_some() {
                return Err(TokensError::Twice { line });
            }
        }
        match (&tokens.read, &tokens.write) {
            (None, None) => Err(TokensError::Empty),
            (read, write) if read == write => Err(TokensError::Same),
            _ => Ok(tokens),
        }
    }

    /// New ones that nobody can guess.
    pub fn random() -> Result<Self, TokensError> {
        Ok(Tokens { read: Some(random()?), write: Some(random()?) })
    }

    /// The token to read with.
    pub fn read(&self) -> Option<&str> {
        self.read.as_deref()
    }

    /// The token to write with.
    pub fn write(&self) -> Option<&str> {
        self.write.as_deref()
    }

    /// Whether one of them is so short that it can be guessed.
    pub fn is_short(&self) -> bool {
        [&self.read, &self.write].into_iter().flatten().any(|token| token.len() < LONG_ENOUGH)
    }

    /// What whoever shows this token may do. How long that takes tells nothing of the tokens but their lengths.
    pub fn role_of(&self, shown: &str) -> Option<Role> {
        let is = |token: &Option<String>| {
            token.as_ref().is_some_and(|token| bool::from(token.as_bytes().ct_eq(shown.as_bytes())))
        };
        let (write, read) = (is(&self.write), is(&self.read));
        if write { Some(Role::Write) } else { read.then_some(Role::Read) }
    }
}

impl fmt::Debug for Tokens {
    /// A secret does not go into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}

fn random() -> Result<String, TokensError> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|_| TokensError::NoRandomness)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_opens_its_door() {
        let tokens = Tokens::parse("# ours\nread abcdefgh\n\n write  ijklmnop \n").unwrap();
        assert_eq!(tokens.role_of("abcdefgh"), Some(Role::Read));
        assert_eq!(tokens.role_of("ijklmnop"), Some(Role::Write));
        for wrong in ["", "abcdefg", "abcdefghi", "abcdefgH", "read abcdefgh"] {
            assert_eq!(tokens.role_of(wrong), None, "{wrong}");
        }
        assert!(tokens.is_short());
        assert_eq!(format!("{tokens:?}"), "Tokens");
    }

    #[test]
    fn a_token_alone_is_one_to_write() {
        let tokens = Tokens::parse("secret-of-sixteen\n").unwrap();
        assert_eq!((tokens.role_of("secret-of-sixteen"), tokens.read()), (Some(Role::Write), None));
        assert!(!tokens.is_short());
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let error = |text: &str| Tokens::parse(text).unwrap_err();
        assert_eq!(error("# nothing\n"), TokensError::Empty);
        assert_eq!(error("\nread a b\n"), TokensError::Line { line: 2 });
        assert_eq!(error("write a;b\n"), TokensError::Letters { line: 1 });
        assert_eq!(error("write a\nb\n"), TokensError::Twice { line: 2 });
        assert_eq!(error("write a\nread a\n"), TokensError::Same);
    }

    #[test]
    fn new_tokens_differ() {
        let (one, other) = (Tokens::random().unwrap(), Tokens::random().unwrap());
        let all = [one.read(), one.write(), other.read(), other.write()];
        assert!(all.iter().enumerate().all(|(i, token)| token.is_some() && !all[i + 1..].contains(token)));
        assert!(!one.is_short());
    }
}
