//! The least of a sum of which one part grows from place to place and the other falls.

use std::ops::Range;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    /// No more than the least, and less by no more than what was allowed.
    pub bound: f64,
    /// The least that was seen, if it is less than what was known; and where.
    pub value: f64,
    pub place: Option<usize>,
}

/// Looks for the least over these places of join(rise, fall), of which the first never falls and the second never grows from one place to the next;
/// `join` grows with both. Between two places it is no less than the rise of the first with the fall of the second. What is not less than `known` by
/// more than the slack need not be found.
pub(super) fn least<T: Copy>(
    places: Range<usize>,
    known: f64,
    slack: impl Fn(f64) -> f64,
    terms: impl Fn(usize) -> (T, T),
    join: impl Fn(T, T) -> f64,
) -> Found {
    let mut search = Search { found: Found { bound: f64::INFINITY, value: known, place: None }, slack, terms, join };
    if !places.is_empty() {
        let first = search.see(places.start);
        let last = if places.len() > 1 { search.see(places.end - 1) } else { first };
        search.halve(first, last);
    }
    search.found
}

struct Search<S, F, J> {
    found: Found,
    slack: S,
    terms: F,
    join: J,
}

/// A place, with its rise and its fall.
type Seen<T> = (usize, T, T);

impl<T: Copy, S: Fn(f64) -> f64, F: Fn(usize) -> (T, T), J: Fn(T, T) -> f64> Search<S, F, J> {
    #[inline]
    fn see(&mut self, place: usize) -> Seen<T> {
        let (rise, fall) = (self.terms)(place);
        let value = (self.join)(rise, fall);
        // The places that were seen bound themselves.
        self.found.bound = self.found.bound.min(value);
        if value < self.found.value {
            (self.found.value, self.found.place) = (value, Some(place));
        }
        (place, rise, fall)
    }

    /// Looks between two places that were seen. As deep as the number of places has binary digits.
    fn halve(&mut self, left: Seen<T>, right: Seen<T>) {
        if right.0 - left.0 < 2 {
            return;
        }
        let bound = (self.join)(left.1, right.2);
        if bound >= self.found.value - (self.slack)(self.found.value) {
            self.found.bound = self.found.bound.min(bound);
            return;
        }
        let middle = self.see(left.0 + (right.0 - left.0) / 2);
        // The half that may have less is looked at first.
        if (self.join)(left.1, middle.2) < (self.join)(middle.1, right.2) {
            self.halve(left, middle);
            self.halve(middle, right);
        } else {
            self.halve(middle, right);
            self.halve(left, middle);
        }
    }
}
