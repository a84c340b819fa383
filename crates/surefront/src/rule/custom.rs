//! A rule of the user's own.

use std::any::Any;

use super::{Conclusion, Round, SamplingRule};
use crate::needs::Needs;
use crate::problem::Problem;

/// A rule of the user's own, made by [`Rule::custom`](super::Rule::custom).
#[derive(Debug)]
pub struct Custom(Box<dyn OwnRule>);

/// What a boxed rule can do besides: be copied and compared.
trait OwnRule: SamplingRule {
    fn boxed(&self) -> Box<dyn OwnRule>;
    fn equals(&self, other: &dyn OwnRule) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<T: SamplingRule + Clone + PartialEq + 'static> OwnRule for T {
    fn boxed(&self) -> Box<dyn OwnRule> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn OwnRule) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Custom {
    pub(super) fn new(rule: impl SamplingRule + Clone + PartialEq + 'static) -> Self {
        Custom(Box::new(rule))
    }
}

impl Clone for Custom {
    fn clone(&self) -> Self {
        // The method of the rule in the box, not of the box.
        Custom((*self.0).boxed())
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).equals(&*other.0)
    }
}

impl SamplingRule for Custom {
    fn begin(&mut self, problem: &Problem) {
        self.0.begin(problem);
    }

    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.0.next(round)
    }

    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        self.0.conclude(round)
    }
}
