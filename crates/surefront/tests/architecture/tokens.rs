//! Rust source as tokens, without comments, literals and whatever is compiled for tests alone.

use std::iter::Peekable;
use std::str::Chars;

/// A word, `::`, or a single sign, and the line it is on.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }
}

/// The tokens of a source file.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut reader = Reader { chars: source.chars().peekable(), line: 1, tokens: Vec::new() };
    while let Some(c) = reader.next() {
        reader.read(c);
    }
    reader.tokens
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn next_is(&mut self, c: char) -> bool {
        self.chars.peek() == Some(&c)
    }

    fn push(&mut self, text: String) {
        self.tokens.push(Token { text, line: self.line });
    }

    fn read(&mut self, c: char) {
        match c {
            '/' if self.next_is('/') => while self.next().is_some_and(|c| c != '\n') {},
            '/' if self.next_is('*') => self.block_comment(),
            '"' => self.text(),
            '\'' => self.character_or_lifetime(),
            ':' if self.next_is(':') => {
                self.next();
                self.push("::".into());
            }
            c if c.is_alphanumeric() || c == '_' => self.word(c),
            c if c.is_whitespace() => {}
            c => self.push(c.into()),
        }
    }

    fn word(&mut self, first: char) {
        let mut word = String::from(first);
        while let Some(&c) = self.chars.peek()
            && (c.is_alphanumeric() || c == '_')
        {
            word.push(c);
            self.next();
        }
        // What begins so and goes on with a quote or a hash is a literal.
        match word.as_str() {
            "r" | "br" | "cr" if self.next_is('"') || self.next_is('#') => self.raw_text(),
            "b" | "c" if self.next_is('"') || self.next_is('\'') => {}
            _ => self.push(word),
        }
    }

    fn block_comment(&mut self) {
        let (mut depth, mut last) = (0, '/');
        while let Some(c) = self.next() {
            match (last, c) {
                ('/', '*') => (depth, last) = (depth + 1, ' '),
                ('*', '/') => (depth, last) = (depth - 1, ' '),
                _ => last = c,
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn text(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                '"' => return,
                _ => {}
            }
        }
    }

    fn raw_text(&mut self) {
        let mut hashes = 0;
        while self.next_is('#') {
            self.next();
            hashes += 1;
        }
        // r#type is a word.
        if !self.next_is('"') {
            return;
        }
        self.next();
        while let Some(c) = self.next() {
            if c == '"' && (0..hashes).all(|_| self.next_is('#') && self.next().is_some()) {
                return;
            }
        }
    }

    fn character_or_lifetime(&mut self) {
        let Some(c) = self.next() else { return };
        if c == '\\' {
            self.next();
            while self.next().is_some_and(|c| c != '\'') {}
        } else if self.next_is('\'') {
            self.next();
        }
        // Otherwise a lifetime: the rest of its name is read as a word, which is no path.
    }
}

/// Takes out every item under an attribute `cfg(test)` or the like; the names of modules in other files that are left out so.
pub fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut kept, mut test_modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let attribute = attribute_end(tokens, at);
        match attribute {
            Some(end) if is_for_tests(&tokens[at..end]) => {
                let mut item = end;
                while let Some(end) = attribute_end(tokens, item) {
                    item = end;
                }
                let end = item_end(tokens, item);
                if let [.., module, name, semicolon] = &tokens[item..end]
                    && module.is("mod")
                    && semicolon.is(";")
                {
                    test_modules.push(name.text.clone());
                }
                at = end;
            }
            Some(end) => at = end,
            None => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    (kept, test_modules)
}

fn is_for_tests(attribute: &[Token]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token.is(word));
    has("cfg") && (has("test") || has("doctest")) && !has("not")
}

/// Behind the attribute that begins at `at`, if one does.
fn attribute_end(tokens: &[Token], at: usize) -> Option<usize> {
    let opens = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    if !opens(at, "#") {
        return None;
    }
    let bracket = if opens(at + 1, "!") { at + 2 } else { at + 1 };
    opens(bracket, "[").then(|| closing(tokens, bracket, "[", "]"))
}

/// Behind the item that begins at `at`: at its semicolon or the end of its braces.
fn item_end(tokens: &[Token], at: usize) -> usize {
    let braces_end = !tokens[at..].iter().take(3).any(|token| token.is("use"));
    let end = (at..tokens.len()).find(|&i| tokens[i].is(";") || braces_end && tokens[i].is("{"));
    match end {
        Some(end) if tokens[end].is("{") => closing(tokens, end, "{", "}"),
        Some(end) => end + 1,
        None => tokens.len(),
    }
}

/// Behind the sign that closes the one at `at`.
fn closing(tokens: &[Token], at: usize, open: &str, close: &str) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        if token.is(open) {
            depth += 1;
        } else if token.is(close) {
            depth -= 1;
            if depth == 0 {
                return i + 1;
            }
        }
    }
    tokens.len()
}
