//! The ring itself, of the arms that take part: tally → front → oracle → evidence → stop, or rule → next arm.

use rand::rngs::Xoshiro256PlusPlus;

use super::Settings;
use crate::bound::bound;
use crate::estimate::{self, OwnEstimates, Reach};
use crate::front::Front;
use crate::looks;
use crate::needs::Needs;
use crate::observation::ObservationError;
use crate::problem::Problem;
use crate::record::{Record, Told};
use crate::rule::{Conclusion, Moment, Round, Rule, SamplingRule};
use crate::stopping::{Assessment, Caveat, Certificate, LESSON_AT, Progress, Situation, Stopping, StoppingRule};
use crate::tally::{FIRST_LOOKS, Tally};
use crate::transport::{Method, Oracle};
use crate::watch::{Evaluation, Watch};

/// With more arms, the bound takes longer than anybody waits for an estimate of the samples to come.
const MOST_ARMS: usize = 200;
/// It is only an estimate.
const TOLERANCE: f64 = 0.05;

/// A study in which every arm takes part.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    pub problem: Problem,
    pub settings: Settings,
    pub record: Record,
    /// By arm: observations told, and asked for but not told.
    allocated: Vec<u64>,
    pub asked: Vec<u64>,
    pub rng: Xoshiro256PlusPlus,
    /// Whether every arm has been observed as often as it takes before the rule decides.
    acquainted: bool,
    /// The front and the oracle at the counts, once every arm has been told.
    pub watch: Option<Watch>,
    /// Where variances are unknown and the stop is certified.
    estimates: Option<OwnEstimates>,
    /// The rule's own oracle.
    pub(super) oracle: Oracle,
    /// Whether the progress is that of the last observation.
    current: bool,
    pub progress: Progress,
    pub stopped: Option<Vec<usize>>,
}

impl Ring {
    /// The record, `asked` and the rule are of the problem's size.
    pub fn new(
        problem: Problem,
        settings: Settings,
        record: Record,
        asked: Vec<u64>,
        rng: Xoshiro256PlusPlus,
        stopped: Option<Vec<usize>>,
    ) -> Self {
        let allocated = asked.iter().enumerate().map(|(arm, asked)| asked + record.tally().count(arm)).collect();
        let mut ring = Ring {
            oracle: Oracle::new(&problem, Method::Auto).expect("`auto` fits every problem"),
            watch: None,
            estimates: None,
            acquainted: false,
            progress: Progress::NONE,
            current: false,
            problem,
            settings,
            record,
            allocated,
            asked,
            rng,
            stopped,
        };
        ring.assess();
        ring
    }

    /// All observations.
    pub fn tally(&self) -> &Tally {
        self.record.tally()
    }

    pub fn ask(&mut self) -> usize {
        let arm = self.next_arm();
        self.asked[arm] += 1;
        self.allocated[arm] += 1;
        arm
    }

    pub fn tell(&mut self, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        let told = self.record.tell(&self.problem, arm, values)?;
        match self.asked[arm].checked_sub(1) {
            Some(fewer) => self.asked[arm] = fewer,
            None => self.allocated[arm] += 1,
        }
        self.current = false;
        let Ring { problem, record, settings, .. } = self;
        let follow = |estimates: &mut OwnEstimates| estimates.follow(problem, record.tally(), &settings.stopping, arm);
        let reach = self.estimates.as_mut().map_or(Reach::Arm, follow);
        if told == Told::Lesson {
            self.watch = None;
        }
        if let Some(watch) = &mut self.watch {
            watch.follow(&self.problem, self.record.seasons(), arm);
            if told == Told::Settled {
                watch.settle(&self.problem, self.record.seasons());
            }
            if reach == Reach::All {
                watch.reconsider(&self.problem, self.record.seasons());
            }
        }
        if self.record.tally().total().is_multiple_of(self.settings.check_every.get()) && self.may_suffice() {
            self.assess();
            self.stop_if_sure();
        }
        Ok(())
    }

    /// Whether the stop has to be looked at: when everything is, or if what stood in the way no longer does.
    fn may_suffice(&mut self) -> bool {
        let (Some(watch), observations) = (&mut self.watch, self.record.tally().total()) else { return true };
        let is_looked_at = !watch.rests_on_claims() || looks::is_due(observations);
        is_looked_at || watch.may_suffice(&self.problem, self.record.seasons())
    }

    /// Which moment this is, for a rule that plans ahead. A stop that is tested at every observation by other means looks at the claims as well.
    fn now(&self) -> Moment {
        let observations = self.tally().total();
        let plans = matches!(self.settings.stopping, Stopping::Certified(_));
        let next_look = if plans { looks::next(observations) } else { observations + 1 };
        Moment { era: self.record.seasons().era(), observations, next_look }
    }

    /// Goes on with the lesson that was taken from this record.
    pub fn take_lesson(&mut self, record: Record) {
        self.record = record;
        (self.watch, self.current) = (None, false);
        self.assess();
    }

    /// Takes back one `ask` of `arm`, if there is one.
    pub fn cancel(&mut self, arm: usize) {
        if let Some(fewer) = self.asked[arm].checked_sub(1) {
            self.asked[arm] = fewer;
            self.allocated[arm] -= 1;
        }
    }

    /// The front of the answer, or of the means so far; empty as long as some arm has not been measured.
    pub fn front(&self) -> Vec<usize> {
        match (&self.stopped, &self.watch) {
            (Some(answer), _) => answer.clone(),
            (None, Some(watch)) => watch.front().members().to_vec(),
            (None, None) if self.tally().counts().contains(&0.0) => Vec::new(),
            (None, None) => Front::of(self.tally().means()).members().to_vec(),
        }
    }

    pub fn assessment(&mut self) -> Assessment {
        self.assess();
        let arms = match &self.watch {
            None => vec![Certificate::unknown(self.progress.threshold); self.problem.arm_count()],
            Some(watch) => self.settings.stopping.certificates(&mut Situation {
                problem: &self.problem,
                seasons: self.record.seasons(),
                front: watch.front(),
                oracle: &mut self.oracle,
            }),
        };
        Assessment { arms, progress: self.progress, stopped: self.stopped.is_some(), caveats: self.caveats() }
    }

    pub fn caveats(&self) -> Vec<Caveat> {
        Caveat::all(&self.problem, self.tally())
    }

    pub fn samples_expected(&mut self) -> Option<f64> {
        self.assess();
        if self.stopped.is_some() {
            return Some(0.0);
        }
        if self.tally().counts().iter().any(|&count| count < self.first_looks() as f64) {
            return None;
        }
        let more = self.tally().total() as f64 * (self.progress.fraction.recip() - 1.0);
        more.is_finite().then_some(more.max(0.0))
    }

    /// The least of what samples spread as before would take, and what samples spread in the best way suffice.
    ///
    /// Under the stylized threshold, the evidence Z(N) is concave and homogeneous in the counts, and so Z(N + m·w*) ≥ Z(N) + m / T*: at the means so far,
    /// (β − Z)·T* more samples suffice, if they are spread in the best way. That is less than samples spread as before would take
    /// wherever those were spread badly. Other thresholds take other evidence, of which T* says nothing.
    pub fn samples_expected_at_best(&mut self) -> Option<f64> {
        let as_before = self.samples_expected()?;
        let arms = self.problem.arm_count();
        let is_transport_cost = matches!(self.settings.stopping, Stopping::Stylized(_));
        if self.stopped.is_some() || arms > MOST_ARMS || !is_transport_cost {
            return Some(as_before);
        }
        let missing = (self.progress.threshold - self.progress.evidence).max(0.0);
        let spread_best = bound(&self.problem, self.tally().means(), TOLERANCE)
            .map_or(f64::INFINITY, |bound| missing * bound.samples());
        Some(as_before.min(spread_best).max(1.0))
    }

    /// How often every arm is observed before the rule decides. Of a single one there is nothing to decide.
    pub fn first_looks(&self) -> u64 {
        let unknown = self.problem.has_unknown_noise() || self.problem.has_quantiles();
        if unknown && (self.problem.arm_count() > 1 || self.problem.has_limits()) { FIRST_LOOKS as u64 } else { 1 }
    }

    fn least_allocated(&self) -> usize {
        (0..self.allocated.len()).min_by_key(|&arm| self.allocated[arm]).expect("there is an arm")
    }

    fn next_arm(&mut self) -> usize {
        // Every arm once, or a few times, then as the rule says: it needs an estimate of each arm.
        if !self.acquainted {
            let least = self.least_allocated();
            if self.allocated[least] < self.first_looks() {
                return least;
            }
            self.acquainted = (0..self.allocated.len()).all(|arm| self.tally().count(arm) >= self.first_looks());
        }
        self.with_round(|rule, round| rule.next(round))
            // A user's own rule may name an arm that does not exist.
            .filter(|&arm| arm < self.allocated.len())
            .unwrap_or_else(|| self.least_allocated())
    }

    /// The answer by the rule's own stop, if it has one and that is satisfied.
    pub fn conclude(&mut self) -> Option<Conclusion> {
        let known = self.tally().counts().iter().all(|&count| count >= self.first_looks() as f64);
        if known { self.with_round(|rule, round| rule.conclude(round)).flatten() } else { None }
    }

    /// Shows the rule how things are; `None` as long as some arm has not been measured.
    fn with_round<T>(&mut self, show: impl FnOnce(&mut Rule, &mut Round<'_>) -> T) -> Option<T> {
        let (now, rule) = (self.now(), &self.settings.rule);
        // Estimated variances are those of all observations so far, for every rule.
        let is_estimated = self.problem.has_unknown_noise() && self.estimates.is_none();
        let looks = rule.needs() != Needs::Front && !rule.knows_next(now, self.problem.arm_count());
        if looks || is_estimated || self.watch.is_none() {
            self.assess();
        }
        let watch = self.watch.as_ref()?;
        let mut round = Round {
            problem: &self.problem,
            tally: self.record.tally(),
            front: watch.front(),
            allocated: &self.allocated,
            closest: watch.closest(),
            claims: watch.claims(),
            doubts: watch.served_doubts(),
            now,
            oracle: &mut self.oracle,
            rng: &mut self.rng,
        };
        Some(show(&mut self.settings.rule, &mut round))
    }

    /// Tally → front → oracle → evidence, unless nothing was told since the last time or some arm not at all.
    pub fn assess(&mut self) {
        if self.current {
            return;
        }
        if self.watch.is_none() {
            if self.tally().counts().contains(&0.0) {
                return;
            }
            let Settings { rule, stopping, evaluation, .. } = &self.settings;
            if self.problem.has_unknown_noise() && matches!(stopping, Stopping::Certified(_)) {
                self.estimates = Some(OwnEstimates::new(&mut self.problem, self.record.tally(), stopping));
            }
            // Estimated variances change with every observation, and what sleeps behind a bound would not notice. Nobody sleeps where readings
            // are correlated.
            let changes = self.problem.has_unknown_noise() || self.problem.estimates_correlation();
            let eager = changes || self.problem.coupling().is_some();
            let evaluation = if eager { Evaluation::Eager } else { *evaluation };
            let needs = [rule.needs(), stopping.needs()];
            self.watch = Some(Watch::new(&self.problem, self.record.seasons(), needs, evaluation, stopping));
        }
        let (watch, seasons) = (self.watch.as_mut().expect("it is there by now"), self.record.seasons());
        if self.problem.has_unknown_noise() && self.estimates.is_none() {
            estimate::refresh(&mut self.problem, seasons.all(), &self.settings.stopping);
            watch.reconsider(&self.problem, seasons);
        }
        if self.problem.estimates_correlation() {
            estimate::correlate(&mut self.problem, seasons.all());
        }
        let weakest = watch.assess(&self.problem, seasons);
        self.progress = self.settings.stopping.progress(seasons.all(), watch.closest(), weakest);
        if seasons.split().is_some() && self.progress.fraction < 1.0 {
            self.progress.fraction = self.part_of_all();
        }
        self.current = true;
    }

    /// The part of the way that is done, where it is known of the observations since the lesson.
    fn part_of_all(&self) -> f64 {
        let (all, fresh) = (self.tally().total() as f64, self.record.seasons().fresh().total() as f64);
        let more = fresh * (self.progress.fraction.recip() - 1.0);
        // With few observations it says nothing.
        let part = all / (all + more);
        if part >= LESSON_AT { part.min(1.0f64.next_down()) } else { LESSON_AT }
    }

    /// Evidence ≥ threshold? Then the front of this moment is the answer.
    pub fn stop_if_sure(&mut self) {
        if let Some(watch) = &self.watch
            && self.current
            && self.stopped.is_none()
            && self.progress.suffices()
            && self.tally().counts().iter().all(|&count| count >= self.first_looks() as f64)
        {
            self.stopped = Some(watch.front().members().to_vec());
        }
    }
}
