//! The least of a sum of which one part grows from place to place and the other falls.

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    /// No more than the least, and less by no more than what was allowed.
    pub bound: f64,
    /// The least that was seen, if it is less than what was known; and where.
    pub value: f64,
    pub place: Option<usize>,
}

/// Looks for the least over `count` places of join(rise, fall), of which the first never falls and the second never grows from one place to the next;
/// `join` grows with both. Between two places it is no less than the rise of the first with the fall of the second. What is not less than `known` by
/// more than the slack need not be found.
pub(super) fn least<T: Copy>(
    count: usize,
    known: f64,
    slack: impl Fn(f64) -> f64,
    terms: impl Fn(usize) -> (T, T),
    join: impl Fn(T, T) -> f64,
) -> Found {
    let mut found = Found { bound: f64::INFINITY, value: known, place: None };
    if count == 0 {
        return found;
    }
    let see = |place: usize, found: &mut Found| {
        let (rise, fall) = terms(place);
        let value = join(rise, fall);
        // The places that were seen bound themselves.
        found.bound = found.bound.min(value);
        if value < found.value {
            (found.value, found.place) = (value, Some(place));
        }
        (place, rise, fall)
    };
    let first = see(0, &mut found);
    let last = if count > 1 { see(count - 1, &mut found) } else { first };
    let mut open = vec![(first, last)];
    while let Some((left, right)) = open.pop() {
        if right.0 - left.0 < 2 {
            continue;
        }
        let bound = join(left.1, right.2);
        if bound >= found.value - slack(found.value) {
            found.bound = found.bound.min(bound);
            continue;
        }
        let middle = see(left.0 + (right.0 - left.0) / 2, &mut found);
        // The half that may have less is looked at first.
        let halves = [(left, middle), (middle, right)];
        let [one, two] = halves.map(|(left, right)| join(left.1, right.2));
        if one < two { open.extend([halves[1], halves[0]]) } else { open.extend(halves) }
    }
    found
}
