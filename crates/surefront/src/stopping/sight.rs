//! What a stopping rule sees after an observation.

use super::Progress;
use crate::front::Front;
use crate::problem::Problem;
use crate::tally::Tally;
use crate::transport::Closest;

/// What a stopping rule sees after an observation. Every arm has been measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The observations so far.
    pub tally: &'a Tally,
    /// The front of the means so far.
    pub front: &'a Front,
    /// The closest alternative at the counts, if there is one and the rule needs it.
    pub closest: Option<&'a Closest>,
    /// The arm that is most likely the most doubtful one, by whatever is watched for; `None` if nothing is in doubt.
    pub suspect: Option<usize>,
    /// How far the weakest claim is, if the rule needs the claims.
    pub weakest: Option<Progress>,
}
