//! What is claimed of every arm and how far that is from being proved, kept up to date: the ring between tally and a certified stop.
//!
//! An arm off the front is claimed to be dominated by one on it: any one will do, so its *rival* is the one through which it is furthest on the way, until
//! that is far enough for any purpose. An arm on the front is claimed not to be dominated by any other on it, so its rival is the one that comes closest. An
//! observation of an arm changes only the claims it is part of; these are looked at when somebody asks for the weakest claim, after one observation or after many. The front and
//! the gauge are always those of all observations.
//!
//! Which rivals are kept depends on the past only where all is proved, and nothing that is decided depends on those. A study that is taken up again
//! decides as one that never was interrupted.

mod ahead;
mod drawn;
mod hurdle;
mod pair;
mod rivals;
mod turn;

pub(crate) use self::ahead::Service;
use self::hurdle::Hurdle;
use self::pair::Pair;
use self::rivals::{challengers, is_challenger, rivals};
use self::turn::{Entry, Line, Towards, is_far};
use crate::front::Front;
use crate::live_front::LiveFront;
use crate::problem::Problem;
use crate::seasons::Seasons;
use crate::stopping::{Bars, Care, Certified, Claim, Gauge, LimitGauge, Outlook, Progress};
use crate::tally::Tally;

/// The claim that is furthest from being proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WeakestClaim {
    pub arm: usize,
    /// The arm itself, where it is about its own limits.
    pub rival: usize,
    pub on_front: bool,
    pub claim: Claim,
    /// The part that there is of the cost it takes.
    pub fraction: f64,
    /// How that is known.
    pub by: By,
}

/// How it is known that a claim is the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// It seems so, as quickly as that can be said.
    Glance,
    /// All others are proved, or seem to be closer, and this one is not.
    Proof,
}

/// Not enough, whatever it seemed to be.
fn short_of(claim: Claim, threshold: f64) -> Progress {
    let evidence = claim.proof.clamp(0.0, threshold.next_down());
    Progress { evidence, threshold, fraction: claim.fraction(threshold).min(1.0f64.next_down()) }
}

/// The claims of a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    certified: Certified,
    /// The proofs that it takes.
    bars: Bars,
    gauge: Gauge,
    /// Where there are limits.
    limits: Option<Box<LimitGauge>>,
    live: LiveFront,
    /// By arm: what is claimed, and against or through whom; `usize::MAX` for an arm alone on the front, the arm itself where its limits decide.
    claims: Vec<Claim>,
    rivals: Vec<usize>,
    /// By arm off the front: no less than the rank of the claim through any other than its rival; infinite if nobody knows.
    runners_up: Vec<f64>,
    /// By arm off the front: through whom that was when all were last compared; `usize::MAX` if nobody knows.
    seconds: Vec<usize>,
    /// A proof that is enough for an arm off the front, whatever becomes of the others.
    plenty: f64,
    weakest: Option<WeakestClaim>,
    /// The arm that the last test of the stop failed on, to be tested first the next time.
    obstacle: Option<usize>,
    hurdle: Option<Hurdle>,
    behind: Behind,
}

/// What was observed since the claims were looked at.
#[derive(Clone, Debug)]
struct Behind {
    /// The arms that were observed, each once.
    arms: Vec<usize>,
    is_one: Vec<bool>,
    /// The arms that came onto the front or left it, perhaps to come back.
    moved: Vec<usize>,
    /// By arm: whether it was on the front when the claims were looked at.
    stood: Vec<bool>,
    /// What is known of all variances has changed.
    all: bool,
}

impl Behind {
    fn new(front: &Front, arms: usize) -> Self {
        let stood = (0..arms).map(|arm| front.contains(arm)).collect();
        Behind { arms: Vec::new(), is_one: vec![false; arms], moved: Vec::new(), stood, all: false }
    }

    fn add(&mut self, arm: usize) {
        if !self.is_one[arm] {
            self.is_one[arm] = true;
            self.arms.push(arm);
        }
    }

    fn is_empty(&self) -> bool {
        self.arms.is_empty() && !self.all
    }

    /// The arms that changed sides, and whether they are on the front now.
    fn changes(&self, front: &Front) -> Vec<(usize, bool)> {
        let mut moved = self.moved.clone();
        moved.sort_unstable();
        moved.dedup();
        let changed = |&arm: &usize| front.contains(arm) != self.stood[arm];
        moved.into_iter().filter(changed).map(|arm| (arm, front.contains(arm))).collect()
    }

    fn clear(&mut self, front: &Front) {
        self.arms.drain(..).for_each(|arm| self.is_one[arm] = false);
        self.moved.drain(..).for_each(|arm| self.stood[arm] = front.contains(arm));
        self.all = false;
    }
}

/// If more than this part of the arms was observed since the last look, all are looked at.
const MANY: f64 = 0.25;

/// Where the cost is below this part of what it is thought to take, there is no need to compute the proof exactly.
const CLOSE: f64 = 0.9;

/// While a claim is far from a lesson, no more than this part of the way is thought to be done.
const HALF: f64 = 0.5;

impl Claims {
    pub fn new(problem: &Problem, seasons: &Seasons, certified: Certified) -> Self {
        let arms = problem.arm_count();
        let (gauge, mut live) = (Gauge::new(problem, seasons), LiveFront::default());
        live.reset(seasons.all().means());
        let mut kept = Claims {
            certified,
            bars: certified.bars(problem, &gauge, live.front()),
            plenty: certified.highest_bar(problem, &gauge),
            gauge,
            limits: LimitGauge::new(problem, seasons.all()).map(Box::new),
            live,
            claims: vec![Claim::FALSE; arms],
            rivals: vec![usize::MAX; arms],
            runners_up: vec![f64::INFINITY; arms],
            seconds: vec![usize::MAX; arms],
            weakest: None,
            obstacle: None,
            hurdle: None,
            behind: Behind::new(&Front::of(seasons.all().means()), arms),
        };
        kept.look_at_all(problem, seasons);
        kept
    }

    /// The front of the means.
    pub fn front(&self) -> &Front {
        self.live.front()
    }

    /// The weakest claim as last asked for; `None` if nothing is in doubt.
    pub fn last(&self) -> Option<&WeakestClaim> {
        self.weakest.as_ref()
    }

    /// Follows a change of every variance.
    pub fn reconsider(&mut self, problem: &Problem, seasons: &Seasons) {
        self.gauge.reconsider(problem, seasons);
        if let Some(limits) = &mut self.limits {
            limits.reconsider(problem, seasons.all());
        }
        self.behind.all = true;
        self.doubt_hurdle();
    }

    /// All observations have settled where more arms stand: nothing need be claimed of these any more.
    pub fn settle(&mut self, problem: &Problem, seasons: &Seasons) {
        self.gauge.settle(seasons);
        self.bars = self.certified.bars(problem, &self.gauge, self.live.front());
        self.plenty = self.certified.highest_bar(problem, &self.gauge);
        self.behind.all = true;
        (self.weakest, self.obstacle, self.hurdle) = (None, None, None);
    }

    fn look_at_all(&mut self, problem: &Problem, seasons: &Seasons) {
        for arm in 0..problem.arm_count() {
            self.look(problem, seasons, arm);
        }
    }

    /// Follows an observation of `arm`, which the tally has taken in. Claims are looked at later.
    pub fn follow(&mut self, problem: &Problem, seasons: &Seasons, arm: usize) {
        let others_too = self.gauge.follow(problem, seasons, arm);
        if let Some(limits) = &mut self.limits {
            limits.follow(problem, seasons.all(), arm);
        }
        self.live.update(seasons.all().means(), arm);
        let moved = self.behind.moved.len();
        self.behind.moved.extend(self.live.changes().map(|change| change.0));
        let is_same_front = self.behind.moved.len() == moved;
        if !is_same_front {
            self.bars = self.certified.bars(problem, &self.gauge, self.live.front());
        }
        self.behind.add(arm);
        self.behind.all |= others_too;
        if others_too || !is_same_front {
            self.doubt_hurdle();
        } else {
            self.doubt_hurdle_by(problem, arm);
        }
    }

    /// Looks at the claims that have changed since the last time.
    fn catch_up(&mut self, problem: &Problem, seasons: &Seasons) {
        if self.behind.is_empty() {
            return;
        }
        let many = self.behind.arms.len() as f64 > MANY * problem.arm_count() as f64;
        if self.behind.all || many {
            self.look_at_all(problem, seasons);
        } else {
            let (observed, changes) = (self.behind.arms.clone(), self.behind.changes(self.live.front()));
            for &(changed, _) in changes.iter().filter(|change| !self.behind.is_one[change.0]).collect::<Vec<_>>() {
                self.look(problem, seasons, changed);
            }
            for &arm in &observed {
                self.look(problem, seasons, arm);
            }
            for &(changed, joined) in &changes {
                if joined { self.joined(problem, seasons, changed) } else { self.left(problem, seasons, changed) }
            }
            for &arm in &observed {
                self.moved(problem, seasons, arm);
            }
        }
        self.behind.clear(self.live.front());
    }

    /// The weakest claim now.
    pub fn weakest(&mut self, problem: &Problem, seasons: &Seasons) -> Option<&WeakestClaim> {
        self.catch_up(problem, seasons);
        let mut least = self.least_proved();
        if least.is_some_and(|(_, arm)| !self.front().contains(arm) && self.has_plenty(arm)) {
            // What is kept of such arms depends on the past.
            self.look_at_all(problem, seasons);
            least = self.least_proved();
        }
        self.weakest = least.map(|(fraction, arm)| WeakestClaim { fraction, ..self.kept(arm) });
        self.weakest.as_ref()
    }

    /// The arm whose claim is furthest from being proved, and how far it is; `None` if nothing is in doubt.
    fn least_proved(&self) -> Option<(f64, usize)> {
        let mut least = (f64::INFINITY, usize::MAX);
        for (arm, claim) in self.claims.iter().enumerate() {
            let fraction = claim.fraction(self.bar(arm));
            debug_assert!(!fraction.is_nan(), "{claim:?}");
            if fraction < least.0 {
                least = (fraction, arm);
            }
        }
        (least.1 != usize::MAX).then_some(least)
    }

    /// The claim that is kept of an arm.
    fn kept(&self, arm: usize) -> WeakestClaim {
        let (rival, on_front, claim) = (self.rivals[arm], self.front().contains(arm), self.claims[arm]);
        WeakestClaim { arm, rival, on_front, claim, fraction: claim.fraction(self.bar(arm)), by: By::Glance }
    }

    /// Whether an arm off the front is proved to be there for any purpose.
    #[inline]
    fn has_plenty(&self, arm: usize) -> bool {
        self.claims[arm].fraction(self.plenty) >= 1.0
    }

    fn entry(&self, arm: usize) -> Entry {
        let (rival, on_front, claim) = (self.rivals[arm], self.front().contains(arm), self.claims[arm]);
        Entry { claim, rival, on_front, bar: self.bar(arm) }
    }

    /// The claims about all arms in line: the weakest is served, unless others can be settled for much less ([`turn`]).
    fn line(&self, problem: &Problem, entry: impl Fn(usize) -> Entry) -> Line {
        Line::new(self.way(problem), self.gauge.counts().to_vec(), entry)
    }

    /// What the observations are for at the moment.
    fn way(&self, problem: &Problem) -> Towards {
        match self.gauge.may_learn(problem, &self.certified) {
            false => Towards::Proof,
            true if self.gauge.may_foretell() => Towards::Forecasts,
            true => Towards::Lesson,
        }
    }

    /// By arm: what it takes to certify it if this is the front, by these bars.
    fn barred<'a>(&'a self, front: &'a Front, bars: Bars) -> impl Fn(usize) -> f64 + use<'a> {
        move |arm: usize| bars.of(&self.gauge, arm, front.contains(arm))
    }

    /// The proof that it takes to certify `arm` together with all others.
    #[inline]
    fn bar(&self, arm: usize) -> f64 {
        self.bars.of(&self.gauge, arm, self.front().contains(arm))
    }

    /// The proof of the weakest claim, about, and what it takes; whether it suffices, exactly.
    pub fn progress(&mut self, problem: &Problem, seasons: &Seasons) -> Progress {
        self.hurdle = None;
        let weakest = self.weakest(problem, seasons).copied();
        if weakest.is_none_or(|weakest| weakest.fraction >= 1.0)
            && let Some(obstacle) = self.first_unproved(problem, seasons)
        {
            // All seems to be proved, and is not: what holds up the stop is to be measured.
            let held_up = self.held_up(problem, seasons, obstacle);
            self.weakest = Some(held_up);
            let rival = held_up.on_front.then_some(held_up.rival);
            self.hurdle = Some(Hurdle::new(obstacle, rival));
            return short_of(held_up.claim, self.bar(obstacle));
        }
        let Some(weakest) = weakest else {
            return Progress { evidence: f64::INFINITY, threshold: self.bar(0), fraction: f64::INFINITY };
        };
        let (threshold, fraction) = (self.bar(weakest.arm), weakest.fraction);
        if fraction >= 1.0 || fraction >= CLOSE && self.is_proved(problem, seasons) {
            let exact = self.exactly(problem, seasons, weakest);
            let fraction = exact.claim.fraction(threshold).max(1.0);
            return Progress { evidence: exact.claim.proof.max(threshold), threshold, fraction };
        }
        let unproved = self.obstacle.filter(|_| fraction >= CLOSE);
        self.hurdle = Some(Hurdle::new(unproved.unwrap_or(weakest.arm), None));
        short_of(weakest.claim, threshold)
    }

    /// A claim with its proof without approximation.
    fn exactly(&self, problem: &Problem, seasons: &Seasons, mut weakest: WeakestClaim) -> WeakestClaim {
        let WeakestClaim { arm, rival, on_front, .. } = weakest;
        let (gauge, shown) = (&self.gauge, self.gauge.shown(seasons.all().means()));
        if let Some(limits) = &self.limits {
            let pair = Pair { gauge, limits, problem, model: shown };
            weakest.claim.proof = pair.proof(arm, rival, on_front);
            return weakest;
        }
        weakest.claim.proof = if on_front {
            gauge.proof_undominated(problem, shown, arm, rival, Care::Full)
        } else {
            gauge.proof_dominated(problem, shown, arm, rival, Care::Full)
        };
        weakest
    }

    /// Whether every claim is proved.
    fn is_proved(&mut self, problem: &Problem, seasons: &Seasons) -> bool {
        if self.obstacle.is_some_and(|arm| !self.is_proved_of(problem, seasons, arm)) {
            return false;
        }
        self.obstacle = self.first_unproved(problem, seasons);
        self.obstacle.is_none()
    }

    /// Of the arms whose claims are not proved, the one that seemed to be furthest from it: most likely it is among the first that are looked at.
    fn first_unproved(&self, problem: &Problem, seasons: &Seasons) -> Option<usize> {
        let (front, outlook) = (self.front(), self.gauge.outlook(seasons.all().means()));
        // What is kept of an arm off the front depends on the past if it is plenty.
        let part = |arm: usize| {
            let claim = if front.contains(arm) || !self.has_plenty(arm) {
                self.claims[arm]
            } else {
                claim_about(&self.gauge, self.limits.as_deref(), problem, outlook, front, arm, self.search(arm)).claim
            };
            claim.fraction(self.bar(arm))
        };
        let mut order: Vec<(f64, usize)> = (0..problem.arm_count()).map(|arm| (part(arm), arm)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, arm)| arm).find(|&arm| !self.is_proved_of(problem, seasons, arm))
    }

    /// The claim about `arm`, which is not proved, by the proofs themselves: of one on the front against whom it is furthest from a proof, of one off it
    /// through whom it is nearest to one.
    fn held_up(&self, problem: &Problem, seasons: &Seasons, arm: usize) -> WeakestClaim {
        let (on_front, bar) = (self.front().contains(arm), self.bar(arm));
        let shown = self.gauge.shown(seasons.all().means());
        let mut held_up: Option<WeakestClaim> = None;
        let own = self.limits.is_some().then_some(arm);
        for rival in rivals(problem, &self.gauge, self.front(), arm).chain(own) {
            // Most often there is no need to look closer.
            let is_out_of_question = |known: WeakestClaim| match on_front {
                true => self.gauge.proves_undominated_more(problem, shown, arm, rival, known.claim.proof),
                false => self.gauge.proves_dominated_less(problem, shown, arm, rival, known.claim.proof),
            };
            if self.limits.is_none() && held_up.is_some_and(is_out_of_question) {
                continue;
            }
            let claim = self.claim(problem, seasons, arm, rival);
            let next = WeakestClaim { arm, rival, on_front, claim, fraction: 0.0, by: By::Proof };
            let next = self.exactly(problem, seasons, next);
            if held_up.is_none_or(|known| (next.claim.proof < known.claim.proof) == on_front) {
                held_up = Some(next);
            }
        }
        let mut held_up = held_up.expect("it has a rival");
        held_up.fraction = held_up.claim.fraction(bar).min(1.0f64.next_down());
        held_up
    }

    /// Whether the claim about `arm` is proved: on the front against every other arm of it; off the front through one, most likely its
    /// rival.
    fn is_proved_of(&self, problem: &Problem, seasons: &Seasons, arm: usize) -> bool {
        let (gauge, front, bar) = (&self.gauge, self.live.front(), self.bar(arm));
        if gauge.has_settled(arm, front.contains(arm)) {
            return true;
        }
        let shown = gauge.shown(seasons.all().means());
        let others = || rivals(problem, gauge, front, arm);
        if let Some(limits) = &self.limits {
            let pair = Pair { gauge, limits, problem, model: shown };
            let out = self.bars.of(gauge, arm, false);
            return match front.contains(arm) {
                true => {
                    pair.is_undominated(arm, arm, bar, out) && others().all(|o| pair.is_undominated(arm, o, bar, out))
                }
                false => pair.is_out(arm, arm, bar) || others().any(|other| pair.is_out(arm, other, bar)),
            };
        }
        if front.contains(arm) {
            let against = |other: usize| gauge.proves_undominated(problem, shown, arm, other, bar);
            // The rival is most likely the one that it fails against.
            let rival = self.rivals[arm];
            return (rival == usize::MAX || against(rival)) && others().filter(|&other| other != rival).all(against);
        }
        let through = |other: usize| gauge.proves_dominated(problem, shown, arm, other, bar);
        through(self.rivals[arm]) || others().any(through)
    }

    /// Finds the rival of `arm` among all candidates.
    fn look(&mut self, problem: &Problem, seasons: &Seasons, arm: usize) {
        let outlook = self.gauge.outlook(seasons.all().means());
        let search = Search { runner_up: true, ..self.search(arm) };
        let Found { claim, rival, runner_up, second } =
            claim_about(&self.gauge, self.limits.as_deref(), problem, outlook, self.live.front(), arm, search);
        (self.claims[arm], self.rivals[arm]) = (claim, rival);
        (self.runners_up[arm], self.seconds[arm]) = (runner_up, second);
    }

    /// For another look at the rival of `arm`, alone.
    fn search(&self, arm: usize) -> Search {
        Search { likely: [self.rivals[arm], self.seconds[arm]], runner_up: false }
    }

    /// The claim between `arm` and `other`, which is on the front.
    fn claim(&self, problem: &Problem, seasons: &Seasons, arm: usize, other: usize) -> Claim {
        let outlook = self.gauge.outlook(seasons.all().means());
        if let Some(limits) = &self.limits {
            let pair = Pair { gauge: &self.gauge, limits, problem, model: outlook.likely };
            return pair.claim(arm, other, self.front().contains(arm));
        }
        if self.front().contains(arm) {
            self.gauge.undominated(problem, outlook, arm, other)
        } else {
            self.gauge.dominated(problem, outlook, arm, other)
        }
    }

    /// Whether nothing need be claimed of `arm`.
    fn has_settled(&self, arm: usize) -> bool {
        self.gauge.has_settled(arm, self.front().contains(arm))
    }

    /// A new arm on the front may come closest to dominating others of it, or dominate others more surely than any other.
    fn joined(&mut self, problem: &Problem, seasons: &Seasons, other: usize) {
        for arm in 0..self.rivals.len() {
            if arm != other {
                self.compare(problem, seasons, arm, other);
            }
        }
    }

    /// Whether `other` is the rival of `arm` now.
    fn compare(&mut self, problem: &Problem, seasons: &Seasons, arm: usize, other: usize) {
        let is_rival = self.rivals[arm] == other;
        if self.has_settled(arm) {
            return;
        }
        let outlook = self.gauge.outlook(seasons.all().means());
        if self.front().contains(arm) {
            let kept = self.claims[arm];
            // Of equals, the first.
            let most = if other < self.rivals[arm] { kept.rank() } else { kept.rank().next_down() };
            let may_be = || self.gauge.may_be_undominated_by_less(problem, outlook, arm, other, most);
            // Most often there is no need to look closer.
            if !is_rival && self.rivals[arm] != usize::MAX && !may_be() {
                return;
            }
            let claim = self.claim(problem, seasons, arm, other);
            if self.rivals[arm] == usize::MAX || (claim.rank(), other) <= (kept.rank(), self.rivals[arm]) {
                (self.claims[arm], self.rivals[arm]) = (claim, other);
            } else if is_rival {
                self.look(problem, seasons, arm);
            }
            return;
        }
        if is_rival {
            let (claim, kept) = (self.claim(problem, seasons, arm, other), self.claims[arm]);
            self.claims[arm] = claim;
            // It was further than through any other, or as far and the first: unless that is less now, it still is.
            let is_ahead = self.runners_up[arm] < f64::INFINITY && claim.rank() >= kept.rank();
            if !self.has_plenty(arm) && !is_ahead && !(claim.rank() > self.runners_up[arm]) {
                self.look(problem, seasons, arm);
            }
            return;
        }
        if self.has_plenty(arm) {
            // Nobody is compared as long as there is plenty; once there is not, all have to be.
            self.runners_up[arm] = f64::INFINITY;
            return;
        }
        let (kept, known) = (self.claims[arm].rank(), self.runners_up[arm]);
        // Of equals, the first.
        let least = if known == kept && other < self.rivals[arm] { known } else { known.next_up() };
        // Most often there is no need to look closer: most are not ahead of it in every objective.
        let is_contradicted = || self.gauge.contradiction(problem, outlook, arm, other).is_some();
        if (least > Claim::FALSE.rank() && is_contradicted())
            || !self.gauge.may_be_dominated(problem, outlook, arm, other, least)
        {
            return;
        }
        let claim = self.claim(problem, seasons, arm, other);
        let new = claim.rank();
        if new > kept || (new == kept && other < self.rivals[arm]) {
            (self.claims[arm], self.rivals[arm]) = (claim, other);
        }
        self.runners_up[arm] = self.runners_up[arm].max(new.min(kept));
    }

    /// Whoever had this arm for a rival needs another.
    fn left(&mut self, problem: &Problem, seasons: &Seasons, other: usize) {
        for arm in 0..self.rivals.len() {
            if self.rivals[arm] == other {
                self.look(problem, seasons, arm);
            }
        }
    }

    /// The claims through an arm that has been observed.
    fn moved(&mut self, problem: &Problem, seasons: &Seasons, other: usize) {
        for arm in 0..self.rivals.len() {
            if is_challenger(problem, self.front(), arm, other) {
                self.compare(problem, seasons, arm, other);
            }
        }
    }
}

/// A claim about an arm and its rival.
#[derive(Clone, Copy, Debug)]
struct Found {
    claim: Claim,
    /// `usize::MAX` for an arm alone on the front, or settled.
    rival: usize,
    /// Off the front: no less than the rank of the claim through any other.
    runner_up: f64,
    /// Through whom that is, as far as was looked.
    second: usize,
}

/// How the rival of an arm is looked for.
#[derive(Clone, Copy, Debug)]
struct Search {
    /// Who it most likely is, and who else may be; `usize::MAX` if nobody knows. What is found does not depend on them, only how soon.
    likely: [usize; 2],
    /// Whether, of an arm off the front, the runner-up is wanted as well; otherwise it is infinite.
    runner_up: bool,
}

/// What is claimed of `arm`: off the front through the arm through which it is furthest on the way; on the front against the one that comes closest to dominating
/// it. The first among equals.
fn claim_about(
    gauge: &Gauge,
    limits: Option<&LimitGauge>,
    problem: &Problem,
    outlook: Outlook<'_>,
    front: &Front,
    arm: usize,
    search: Search,
) -> Found {
    let nobody = Found { claim: Claim::CERTAIN, rival: usize::MAX, runner_up: f64::INFINITY, second: usize::MAX };
    let on_front = front.contains(arm);
    if gauge.has_settled(arm, on_front) {
        return nobody;
    }
    if let Some(limits) = limits {
        let pair = Pair { gauge, limits, problem, model: outlook.likely };
        return pair.found(arm, challengers(problem, front, arm), on_front);
    }
    let others = || challengers(problem, front, arm);
    let known = || search.likely.into_iter().filter(|&other| is_challenger(problem, front, arm, other));
    let Some(first) = known().next().or_else(|| others().next()) else { return nobody };
    if on_front {
        let claim = gauge.undominated(problem, outlook, arm, first);
        let mut closest = (claim.rank(), claim, first);
        for other in others().filter(|&other| other != first) {
            // None is further from a proof than one that the means contradict.
            let is_last = closest.0 <= Claim::FALSE.rank() && other > closest.2;
            // Of equals, the first.
            let most = if other < closest.2 { closest.0 } else { closest.0.next_down() };
            if !is_last && gauge.may_be_undominated_by_less(problem, outlook, arm, other, most) {
                let claim = gauge.undominated(problem, outlook, arm, other);
                let rank = claim.rank();
                if rank < closest.0 || (rank == closest.0 && other < closest.2) {
                    closest = (rank, claim, other);
                }
            }
        }
        return Found { claim: closest.1, rival: closest.2, ..nobody };
    }
    let mut best = (gauge.dominated(problem, outlook, arm, first), first);
    let (mut rank, mut runner_up, mut place) = (best.0.rank(), f64::NEG_INFINITY, usize::MAX);
    let (second, contradicted) = (known().find(|&other| other != first), Claim::FALSE.rank());
    for other in second.into_iter().chain(others().filter(|&other| other != first && Some(other) != second)) {
        // Most are not ahead of it in every objective.
        if let Some(claim) = gauge.contradiction(problem, outlook, arm, other) {
            if contradicted > runner_up {
                (runner_up, place) = (contradicted, other);
            }
            if rank == contradicted && other < best.1 {
                best = (claim, other);
            }
            continue;
        }
        let known = if search.runner_up { runner_up } else { rank };
        // Of equals, the first.
        let least = if known == rank && other < best.1 { known } else { known.next_up() };
        if gauge.may_be_dominated(problem, outlook, arm, other, least) {
            let claim = gauge.dominated(problem, outlook, arm, other);
            let new = claim.rank();
            if new.min(rank) > runner_up {
                (runner_up, place) = (new.min(rank), if new > rank { best.1 } else { other });
            }
            if new > rank || (new == rank && other < best.1) {
                (best, rank) = ((claim, other), new);
            }
        }
    }
    let runner_up = if search.runner_up { runner_up } else { f64::INFINITY };
    Found { claim: best.0, rival: best.1, runner_up, second: place }
}

/// By arm: what is claimed at these observations, of which no lesson was taken.
fn entries<'a>(
    problem: &'a Problem,
    tally: &'a Tally,
    certified: &Certified,
    front: &'a Front,
) -> impl Iterator<Item = Entry> + use<'a> {
    let gauge = Gauge::plain(problem, tally);
    let bars = certified.bars(problem, &gauge, front);
    let search = Search { likely: [usize::MAX; 2], runner_up: false };
    (0..problem.arm_count()).map(move |arm| {
        let on_front = front.contains(arm);
        let bar = bars.of(&gauge, arm, on_front);
        let Found { claim, rival, .. } =
            claim_about(&gauge, None, problem, Outlook::plain(tally.means()), front, arm, search);
        Entry { claim, rival, on_front, bar }
    })
}

/// The part of the way that seems to be done, of the arm of which that is least: `None` if it is less than `part`. Claims that are far from there are not waited for, if there are others; how far those
/// have come says little then.
pub(crate) fn done(problem: &Problem, tally: &Tally, certified: &Certified, front: &Front, part: f64) -> Option<f64> {
    let (mut least, mut waited, mut all) = (f64::INFINITY, false, true);
    for (arm, entry) in entries(problem, tally, certified, front).enumerate() {
        let fraction = entry.fraction();
        if fraction >= part {
            (least, waited) = (least.min(fraction), true);
        } else if is_far(tally.counts(), arm, &entry) {
            all = false;
        } else {
            return None;
        }
    }
    waited.then_some(if all { least } else { least.min(HALF) })
}

/// By arm: the rival, where these observations, of which no lesson was taken, seem to prove about what they say of the arm.
pub(crate) fn near(problem: &Problem, tally: &Tally, certified: &Certified, front: &Front) -> Vec<Option<usize>> {
    let entries = entries(problem, tally, certified, front);
    entries.map(|entry| (entry.fraction() >= CLOSE).then_some(entry.rival)).collect()
}

#[cfg(test)]
mod tests;
