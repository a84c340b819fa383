//! The front and the closest alternative of a tally, or the claims or doubts about its arms, kept up to date: the part of the ring between tally
//! and evidence.

use serde::{Deserialize, Serialize};

use crate::claims::{Claims, WeakestClaim};
use crate::doubts::Doubts;
use crate::front::Front;
use crate::live_front::LiveFront;
use crate::needs::Needs;
use crate::problem::Problem;
use crate::question::Question;
use crate::seasons::Seasons;
use crate::stopping::{Certified, Progress, Stopping};
use crate::tally::Tally;
use crate::transport::{Closest, LazyOracle, Method, Oracle};

/// With more arms than this doubts are not served: all of them would have to be kept up to date after every observation.
const MOST_DOUBTS: usize = 100;

/// How the closest alternative is found after each observation. The answers are the same to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluation {
    /// Only the pieces that may have become the closest are looked at.
    #[default]
    Lazy,
    /// All pieces are looked at, every time: slow, and simple.
    Eager,
}

/// Follows a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    oracle: Option<Follower>,
    claims: Option<Box<Claims>>,
    doubts: Option<Box<Doubts>>,
    /// The front, where neither oracle nor claims follow it.
    live: Option<LiveFront>,
}

#[derive(Clone, Debug)]
enum Follower {
    Lazy(Box<LazyOracle>),
    Eager { front: Front, oracle: Box<Oracle>, solved: u64 },
}

impl Watch {
    /// Watches for all that is needed, at least the front; claims and doubts for the stop given.
    pub fn new(
        problem: &Problem,
        seasons: &Seasons,
        needs: [Needs; 2],
        evaluation: Evaluation,
        stopping: &Stopping,
    ) -> Self {
        let certified = match stopping {
            Stopping::Certified(certified) => *certified,
            // For a rule that looks at claims.
            other => Certified::without_lessons(other.delta()).expect("every stop has a valid delta"),
        };
        // A rule that serves claims serves the doubts where these decide; but what limits ask for, claims say better, and with many arms they are
        // looked at now and then only.
        let serves = needs.contains(&Needs::Claims);
        let are_few = problem.arm_count() <= MOST_DOUBTS;
        let serves_doubts = serves && are_few && !problem.has_limits() && matches!(stopping, Stopping::Calibrated(_));
        let doubts = match stopping {
            Stopping::Calibrated(calibrated) => Some(Box::new(Doubts::new(*calibrated, serves_doubts))),
            _ => None,
        };
        let claims = serves && !serves_doubts;
        let closest = needs.contains(&Needs::Closest) || !serves;
        let followed = || {
            let mut live = LiveFront::default();
            live.reset(seasons.all().means());
            live
        };
        Watch {
            oracle: closest.then(|| Follower::new(problem, seasons.all(), evaluation)),
            claims: claims.then(|| Box::new(Claims::new(problem, seasons, certified))),
            doubts,
            live: (!closest && !claims).then(followed),
        }
    }

    /// Follows an observation of `arm`, which the tally has taken in.
    pub fn follow(&mut self, problem: &Problem, seasons: &Seasons, arm: usize) {
        if let Some(oracle) = &mut self.oracle {
            oracle.follow(problem, seasons.all(), arm);
        }
        if let Some(claims) = &mut self.claims {
            claims.follow(problem, seasons, arm);
        }
        if let Some(doubts) = &mut self.doubts {
            doubts.follow(arm);
        }
        if let Some(live) = &mut self.live {
            live.update(seasons.all().means(), arm);
        }
    }

    /// Follows a change of all estimated variances.
    pub fn reconsider(&mut self, problem: &Problem, seasons: &Seasons) {
        if let Some(claims) = &mut self.claims {
            claims.reconsider(problem, seasons);
        }
        if let Some(doubts) = &mut self.doubts {
            doubts.reconsider();
        }
    }

    /// All observations have settled where more arms stand.
    pub fn settle(&mut self, problem: &Problem, seasons: &Seasons) {
        if let Some(claims) = &mut self.claims {
            claims.settle(problem, seasons);
        }
    }

    /// Whether nothing but the claims is watched: nothing is done but by them.
    pub fn rests_on_claims(&self) -> bool {
        self.oracle.is_none() && self.doubts.is_none()
    }

    /// Whether [`Watch::assess`] may find that it suffices: not, while the claim that stood in the way the last time still does.
    pub fn may_suffice(&mut self, problem: &Problem, seasons: &Seasons) -> bool {
        self.claims.as_mut().is_none_or(|claims| claims.may_suffice(problem, seasons))
    }

    /// Finds the closest alternative and the weakest claim, whichever are watched for; how far the doubts are, or else the weakest claim.
    pub fn assess(&mut self, problem: &Problem, seasons: &Seasons) -> Option<Progress> {
        if let Some(oracle) = &mut self.oracle {
            oracle.closest(problem, seasons.all());
        }
        if self.doubts.is_none() {
            return self.claims.as_mut().map(|claims| claims.progress(problem, seasons));
        }
        if let Some(claims) = &mut self.claims {
            claims.weakest(problem, seasons);
        }
        let suspect = self.suspect();
        let Watch { oracle, claims, doubts, live } = self;
        let tally = seasons.all();
        let question = Question::unchecked(problem, tally.means(), front(oracle, claims, live), tally.counts());
        doubts.as_mut().map(|doubts| doubts.progress(&question, tally, suspect))
    }

    /// The arm of the closest alternative, or of the weakest claim, as last asked for.
    fn suspect(&self) -> Option<usize> {
        let claimed = || self.claims.as_ref()?.last().map(|claim| claim.arm);
        self.closest().map(|closest| closest.piece.arm()).or_else(claimed)
    }

    /// The closest alternative as last asked for.
    pub fn closest(&self) -> Option<&Closest> {
        match self.oracle.as_ref()? {
            Follower::Lazy(oracle) => oracle.last(),
            Follower::Eager { oracle, .. } => oracle.last(),
        }
    }

    /// The claims, and the weakest of them as last asked for.
    pub fn claims(&self) -> Option<(&Claims, Option<&WeakestClaim>)> {
        self.claims.as_ref().map(|claims| (&**claims, claims.last()))
    }

    /// The doubts, if a rule serves them.
    pub fn served_doubts(&self) -> Option<&Doubts> {
        self.doubts.as_deref().filter(|doubts| doubts.are_served())
    }

    /// The front.
    pub fn front(&self) -> &Front {
        front(&self.oracle, &self.claims, &self.live)
    }

    /// How many *add* pieces have been looked at, over all questions.
    pub fn pieces_evaluated(&self) -> u64 {
        match &self.oracle {
            Some(Follower::Lazy(oracle)) => oracle.looked_at(),
            Some(Follower::Eager { solved, .. }) => *solved,
            None => 0,
        }
    }
}

fn front<'a>(oracle: &'a Option<Follower>, claims: &'a Option<Box<Claims>>, live: &'a Option<LiveFront>) -> &'a Front {
    match (oracle, claims, live) {
        (Some(Follower::Lazy(oracle)), ..) => oracle.front(),
        (Some(Follower::Eager { front, .. }), ..) => front,
        (None, Some(claims), _) => claims.front(),
        (None, None, Some(live)) => live.front(),
        (None, None, None) => unreachable!("one of the three is always watched for"),
    }
}

impl Follower {
    fn new(problem: &Problem, tally: &Tally, evaluation: Evaluation) -> Self {
        let oracle = Oracle::new(problem, Method::Auto).expect("`auto` fits every problem");
        debug_assert!(
            evaluation == Evaluation::Eager || problem.coupling().is_none(),
            "correlated pieces do not sleep"
        );
        match evaluation {
            Evaluation::Lazy => Follower::Lazy(Box::new(LazyOracle::new(problem, oracle, tally))),
            Evaluation::Eager => {
                Follower::Eager { front: Front::of(tally.means()), oracle: Box::new(oracle), solved: 0 }
            }
        }
    }

    fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        match self {
            Follower::Lazy(oracle) => oracle.follow(problem, tally, arm),
            Follower::Eager { front, .. } => front.recompute(tally.means()),
        }
    }

    fn closest(&mut self, problem: &Problem, tally: &Tally) {
        match self {
            Follower::Lazy(oracle) => {
                oracle.closest(problem, tally);
            }
            Follower::Eager { front, oracle, solved } => {
                *solved += (tally.means().arm_count() - front.members().len()) as u64;
                oracle.closest(&Question::unchecked(problem, tally.means(), front, tally.counts()));
            }
        }
    }
}
