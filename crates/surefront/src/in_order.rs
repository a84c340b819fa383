//! Results in the order in which they were asked for, in whatever order they arrive.
//!
//! Results that count as they finish are no fair sample: the quick ones come first. In the order of asking they are one, however long
//! each takes (docs/certified.md, "The order of asking").

use std::collections::VecDeque;

use thiserror::Error;

/// A line of tickets. A result leaves it once those of all earlier tickets have.
///
/// ```
/// use surefront::InOrder;
///
/// let mut line = InOrder::new();
/// let (first, second, third) = (line.ask(), line.ask(), line.ask());
/// line.tell(third, "c")?;
/// line.tell(first, "a")?;
/// assert_eq!((line.next(), line.next()), (Some("a"), None));
/// line.give_up(second)?;
/// assert_eq!(line.next(), Some("c"));
/// # Ok::<(), surefront::NotOpen>(())
/// ```
#[derive(Clone, Debug)]
pub struct InOrder<T> {
    /// The number of the ticket at the head of the line.
    head: u64,
    line: VecDeque<Place<T>>,
}

#[derive(Clone, Debug)]
enum Place<T> {
    Open,
    Told(T),
    GivenUp,
}

/// A ticket that was told or given up already, or that nobody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("ticket {0} is not open: it was told or given up before, or never asked for")]
pub struct NotOpen(pub u64);

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        InOrder { head: 0, line: VecDeque::new() }
    }
}

impl<T> InOrder<T> {
    /// Nobody stands in line.
    pub fn new() -> Self {
        InOrder::default()
    }

    /// A new ticket, at the end of the line.
    pub fn ask(&mut self) -> u64 {
        self.line.push_back(Place::Open);
        self.head + self.line.len() as u64 - 1
    }

    /// The result of a ticket has arrived.
    ///
    /// # Errors
    /// When the ticket is not open. Nothing changes then.
    pub fn tell(&mut self, ticket: u64, result: T) -> Result<(), NotOpen> {
        *self.open(ticket)? = Place::Told(result);
        Ok(())
    }

    /// No result of this ticket will arrive: nobody need wait for it.
    ///
    /// # Errors
    /// When the ticket is not open. Nothing changes then.
    pub fn give_up(&mut self, ticket: u64) -> Result<(), NotOpen> {
        *self.open(ticket)? = Place::GivenUp;
        Ok(())
    }

    fn open(&mut self, ticket: u64) -> Result<&mut Place<T>, NotOpen> {
        let place = ticket.checked_sub(self.head).and_then(|place| self.line.get_mut(place as usize));
        place.filter(|place| matches!(place, Place::Open)).ok_or(NotOpen(ticket))
    }

    /// The next result in the order of asking, unless an earlier ticket is open.
    #[allow(clippy::should_implement_trait, reason = "there may be more after `None`")]
    pub fn next(&mut self) -> Option<T> {
        loop {
            match self.line.front()? {
                Place::Open => return None,
                Place::Told(_) | Place::GivenUp => {
                    self.head += 1;
                    if let Some(Place::Told(result)) = self.line.pop_front() {
                        return Some(result);
                    }
                }
            }
        }
    }

    /// How long the line is: tickets from the first open one on, told or not, once [`InOrder::next`] has nothing more.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether nobody stands in line.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_of_arrival_leaves_no_trace(
            arrivals in Just((0..20_u64).collect::<Vec<_>>()).prop_shuffle(),
            lost in prop::collection::btree_set(0..20_u64, 0..6),
        ) {
            let mut line = InOrder::new();
            let tickets: Vec<u64> = (0..20).map(|_| line.ask()).collect();
            prop_assert_eq!(tickets, (0..20).collect::<Vec<_>>());
            let (mut left, mut closed) = (Vec::new(), std::collections::BTreeSet::new());
            for ticket in arrivals {
                if lost.contains(&ticket) { line.give_up(ticket) } else { line.tell(ticket, ticket) }.unwrap();
                prop_assert_eq!(line.tell(ticket, ticket), Err(NotOpen(ticket)));
                closed.insert(ticket);
                while let Some(result) = line.next() {
                    left.push(result);
                }
                // All without a gap before them, and no other.
                let gap = (0..20).find(|ticket| !closed.contains(ticket)).unwrap_or(20);
                let expected: Vec<u64> = (0..gap).filter(|ticket| !lost.contains(ticket)).collect();
                prop_assert_eq!(&left, &expected);
                prop_assert_eq!(line.len() as u64, 20 - gap);
            }
            prop_assert!(line.is_empty());
            prop_assert_eq!(line.give_up(20), Err(NotOpen(20)));
        }
    }
}
