//! A TOML document that knows the line of everything in it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::suggestion::advice;

/// The outermost table of a TOML text; whatever the parser refuses is a fault with its line.
pub fn parse(source: &SourceText) -> Result<Spanned<DeTable<'_>>, InputError> {
    DeTable::parse(source.text()).map_err(|error| {
        // The parser's own message may run over several lines.
        let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        match error.span() {
            Some(span) => source.fault_at(span.start, Fault::Toml(message)),
            None => source.fault(Fault::Toml(message)),
        }
    })
}

/// A value and the line it is on.
#[derive(Clone, Debug)]
pub struct Located<T> {
    pub value: T,
    pub line: usize,
}

/// Every key of a table with its value.
pub type ByKey<T> = Vec<(String, Located<T>)>;

/// Words to run: a line, or a list of single words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    Text(String),
    List(Vec<String>),
}

/// A number, or a word that stands for one.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberOrText {
    Number(f64),
    Text(String),
}

/// Rows of numbers, or a word that stands for them.
#[derive(Clone, Debug, PartialEq)]
pub enum MatrixOrText {
    Matrix(Vec<Vec<f64>>),
    Text(String),
}

/// One table of a document, with the words that name it in a sentence.
pub struct Section<'a> {
    source: &'a SourceText,
    table: &'a DeTable<'a>,
    place: String,
    /// The line that the table starts on.
    pub line: usize,
}

impl<'a> Section<'a> {
    /// The document's outermost table.
    pub fn root(source: &'a SourceText, table: &'a DeTable<'a>) -> Self {
        Section { source, table, place: "the study".to_owned(), line: 1 }
    }

    /// The words that name this table in a sentence.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The same table under a better name, once its `name` key has been read.
    pub fn named(mut self, place: String) -> Self {
        self.place = place;
        self
    }

    /// A fault of the table as a whole.
    pub fn fault(&self, fault: Fault) -> InputError {
        self.source.fault_on_line(self.line, fault)
    }

    /// A fault of something on this line of it.
    pub fn fault_on(&self, line: usize, fault: Fault) -> InputError {
        self.source.fault_on_line(line, fault)
    }

    /// Refuses every key but these.
    pub fn allow_only(&self, known: &[&str]) -> Result<(), InputError> {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let advice = advice(name, known.iter().copied());
                let fault = Fault::UnknownKey { place: self.place.clone(), key: name.to_owned(), advice };
                return Err(self.source.fault_at(key.span().start, fault));
            }
        }
        Ok(())
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A string, if the key is there.
    pub fn string(&self, key: &'static str) -> Result<Option<Located<String>>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::String(text) => {
                Ok(Some(Located { value: text.to_string(), line: self.source.line(value.span().start) }))
            }
            _ => Err(self.wrong_type(key, value, "text in quotes")),
        }
    }

    /// A finite number, if the key is there.
    pub fn number(&self, key: &'static str) -> Result<Option<Located<f64>>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        self.finite(key.to_owned(), value, "a number").map(Some)
    }

    /// A finite number or a string, if the key is there.
    pub fn number_or_string(
        &self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<Option<Located<NumberOrText>>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        if let DeValue::String(text) = value.get_ref() {
            let line = self.source.line(value.span().start);
            return Ok(Some(Located { value: NumberOrText::Text(text.to_string()), line }));
        }
        let Located { value, line } = self.finite(key.to_owned(), value, expected)?;
        Ok(Some(Located { value: NumberOrText::Number(value), line }))
    }

    /// A whole number that is not negative, if the key is there.
    pub fn whole(&self, key: &'static str) -> Result<Option<Located<u64>>, InputError> {
        const EXPECTED: &str = "a whole number, for example 4";
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let line = self.source.line(value.span().start);
        match value.get_ref() {
            DeValue::Integer(integer) => match u64::from_str_radix(integer.as_str(), integer.radix()) {
                Ok(value) => Ok(Some(Located { value, line })),
                Err(_) => {
                    let fault = Fault::NotWhole { place: self.place.clone(), key, value: integer.to_string() };
                    Err(self.source.fault_on_line(line, fault))
                }
            },
            _ => Err(self.wrong_type(key, value, EXPECTED)),
        }
    }

    /// A table, if the key is there.
    pub fn section(
        &self,
        key: &'static str,
        place: String,
        expected: &'static str,
    ) -> Result<Option<Section<'a>>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => {
                Ok(Some(Section { source: self.source, table, place, line: self.source.line(value.span().start) }))
            }
            _ => Err(self.wrong_type(key, value, expected)),
        }
    }

    /// Every key with its value as a text: texts, numbers as they are written, true and false.
    pub fn text_by_key(&self) -> Result<ByKey<String>, InputError> {
        const EXPECTED: &str = "text in quotes, a number, true or false";
        let entry = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
            let line = self.source.line(value.span().start);
            match scalar(value.get_ref()) {
                Some(text) => Ok((key.get_ref().to_string(), Located { value: text, line })),
                None => Err(self.wrong_type(key.get_ref(), value, EXPECTED)),
            }
        };
        self.table.iter().map(entry).collect()
    }

    /// Every key with its finite number.
    pub fn numbers_by_key(&self) -> Result<ByKey<f64>, InputError> {
        let entry = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
            let name = key.get_ref().to_string();
            self.finite(name.clone(), value, "a number").map(|number| (name, number))
        };
        self.table.iter().map(entry).collect()
    }

    /// Every key with its list of such texts.
    pub fn texts_by_key(&self) -> Result<ByKey<Vec<String>>, InputError> {
        const EXPECTED: &str = "a list of texts or numbers, for example [1, 6, 9]";
        let entry = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
            let line = self.source.line(value.span().start);
            let DeValue::Array(entries) = value.get_ref() else {
                return Err(self.wrong_type(key.get_ref(), value, EXPECTED));
            };
            let text = |entry: &Spanned<DeValue<'_>>| {
                scalar(entry.get_ref()).ok_or_else(|| self.wrong_type(key.get_ref(), entry, EXPECTED))
            };
            let texts = entries.iter().map(text).collect::<Result<Vec<String>, _>>()?;
            Ok((key.get_ref().to_string(), Located { value: texts, line }))
        };
        self.table.iter().map(entry).collect()
    }

    /// A list of finite numbers, if the key is there; the line is the list's.
    pub fn numbers(&self, key: &'static str) -> Result<Option<Located<Vec<f64>>>, InputError> {
        self.list(key, "a list of numbers, one for each objective, for example [1.5, 0.2]")
    }

    /// A list of two finite numbers, one would hope, if the key is there.
    pub fn pair(&self, key: &'static str) -> Result<Option<Located<Vec<f64>>>, InputError> {
        self.list(key, "the least value and the greatest, for example [0, 1]")
    }

    fn list(&self, key: &'static str, expected: &'static str) -> Result<Option<Located<Vec<f64>>>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let DeValue::Array(entries) = value.get_ref() else { return Err(self.wrong_type(key, value, expected)) };
        let mut numbers = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            numbers.push(self.finite(format!("{key} number {}", index + 1), entry, "a number")?.value);
        }
        Ok(Some(Located { value: numbers, line: self.source.line(value.span().start) }))
    }

    /// A list of lists of finite numbers, or a string, if the key is there; the line is the list's.
    pub fn matrix_or_string(&self, key: &'static str) -> Result<Option<Located<MatrixOrText>>, InputError> {
        const EXPECTED: &str =
            "\"estimate\", or a list of rows, one for each objective, for example [[1, 0.5], [0.5, 1]]";
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let line = self.source.line(value.span().start);
        let rows = match value.get_ref() {
            DeValue::String(text) => {
                return Ok(Some(Located { value: MatrixOrText::Text(text.to_string()), line }));
            }
            DeValue::Array(rows) => rows,
            _ => return Err(self.wrong_type(key, value, EXPECTED)),
        };
        let mut matrix = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            let DeValue::Array(entries) = row.get_ref() else { return Err(self.wrong_type(key, row, EXPECTED)) };
            let entry = |(j, entry): (usize, &Spanned<DeValue<'_>>)| {
                self.finite(format!("{key} (row {}, column {})", i + 1, j + 1), entry, "a number")
                    .map(|found| found.value)
            };
            matrix.push(entries.iter().enumerate().map(entry).collect::<Result<Vec<f64>, _>>()?);
        }
        Ok(Some(Located { value: MatrixOrText::Matrix(matrix), line }))
    }

    /// A string or a list of strings, if the key is there.
    pub fn words(&self, key: &'static str) -> Result<Option<Located<Words>>, InputError> {
        const EXPECTED: &str = "text in quotes, or a list of such texts";
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let words = match value.get_ref() {
            DeValue::String(text) => Words::Text(text.to_string()),
            DeValue::Array(entries) => Words::List(
                entries
                    .iter()
                    .map(|entry| match entry.get_ref() {
                        DeValue::String(text) => Ok(text.to_string()),
                        _ => Err(self.wrong_type(key, entry, EXPECTED)),
                    })
                    .collect::<Result<_, _>>()?,
            ),
            _ => return Err(self.wrong_type(key, value, EXPECTED)),
        };
        Ok(Some(Located { value: words, line: self.source.line(value.span().start) }))
    }

    /// The tables of a `[[key]]` list, each called "key number i"; none if the key is not there.
    pub fn sections(&self, key: &'static str, header: &'static str) -> Result<Vec<Section<'a>>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(Vec::new()) };
        let DeValue::Array(entries) = value.get_ref() else { return Err(self.wrong_type(key, value, header)) };
        entries
            .iter()
            .enumerate()
            .map(|(index, entry)| match entry.get_ref() {
                DeValue::Table(table) => Ok(Section {
                    source: self.source,
                    table,
                    place: format!("{key} number {}", index + 1),
                    line: self.source.line(entry.span().start),
                }),
                _ => Err(self.wrong_type(key, entry, header)),
            })
            .collect()
    }

    fn finite(
        &self,
        key: String,
        value: &Spanned<DeValue<'_>>,
        expected: &'static str,
    ) -> Result<Located<f64>, InputError> {
        let (number, written) = match value.get_ref() {
            DeValue::Float(float) => (float.as_str().parse().ok(), float.to_string()),
            DeValue::Integer(integer) if integer.radix() == 10 => (integer.as_str().parse().ok(), integer.to_string()),
            DeValue::Integer(integer) => (
                i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|number| number as f64),
                integer.to_string(),
            ),
            _ => return Err(self.wrong_type(&key, value, expected)),
        };
        match number {
            Some(number) if f64::is_finite(number) => {
                Ok(Located { value: number, line: self.source.line(value.span().start) })
            }
            _ => {
                let fault = Fault::NotFinite { place: self.place.clone(), key, value: written };
                Err(self.source.fault_at(value.span().start, fault))
            }
        }
    }

    fn wrong_type(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &'static str) -> InputError {
        let found = match value.get_ref() {
            DeValue::String(_) => "text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let fault = Fault::WrongType { place: self.place.clone(), key: key.to_owned(), found, expected };
        self.source.fault_at(value.span().start, fault)
    }
}

/// A text, a number as it is written, or true or false.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(integer) => Some(integer.to_string()),
        DeValue::Float(float) => Some(float.to_string()),
        DeValue::Boolean(value) => Some(value.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}
