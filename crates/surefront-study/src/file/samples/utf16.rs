//! A text of sixteen bits to the letter, as some Windows programs write it, as UTF-8.

use std::io::{self, Read};

/// The order of the two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The low byte first.
    Little,
    /// The high byte first.
    Big,
}

/// Reads UTF-16 and gives UTF-8; what is no letter becomes the letter that stands for that.
pub struct Utf16<R> {
    input: R,
    order: Order,
    /// The first byte of a unit whose second has not come yet.
    odd: Option<u8>,
    /// The first half of a letter whose second has not come yet.
    half: Option<u16>,
    ready: Vec<u8>,
    given: usize,
}

impl<R: Read> Utf16<R> {
    /// Text in this order.
    pub fn new(input: R, order: Order) -> Self {
        Utf16 { input, order, odd: None, half: None, ready: Vec::new(), given: 0 }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut bytes = [0; 16 << 10];
        let count = self.input.read(&mut bytes)?;
        self.ready.clear();
        self.given = 0;
        let mut units: Vec<u16> = self.half.take().into_iter().collect();
        for &byte in &bytes[..count] {
            match self.odd.take() {
                None => self.odd = Some(byte),
                Some(first) => units.push(match self.order {
                    Order::Little => u16::from_le_bytes([first, byte]),
                    Order::Big => u16::from_be_bytes([first, byte]),
                }),
            }
        }
        if count > 0 && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            self.half = units.pop();
        }
        let letters = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
        self.ready.extend(letters.collect::<String>().into_bytes());
        // A read that completes no letter is not the end.
        if self.ready.is_empty() && count > 0 { self.refill() } else { Ok(()) }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.refill()?;
        }
        let count = (self.ready.len() - self.given).min(buffer.len());
        buffer[..count].copy_from_slice(&self.ready[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = 1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn letters_of_all_sizes_come_through() {
        let text = "arm,é\n日本 🦀,1\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, order) in [(little, Order::Little), (big, Order::Big)] {
            let mut read = String::new();
            Utf16::new(Drip(&bytes), order).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
            read.clear();
            Utf16::new(&bytes[..], order).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
    }
}
