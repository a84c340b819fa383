//! What speaks most for the standing of an arm: of all arms that might be its rival, the one whose claim decides.
//!
//! Off the front that is the arm that dominates it most provably, on the front the one that comes closest to dominating it. Proofs are computed
//! only where they matter: brackets in closed form tell which rivals can be the one, and whether the proof can suffice at all.

use super::bracket::Bracket;
use super::claim::Claim;
use super::gauge::{Gauge, Outlook};
use super::limits::LimitGauge;
use super::mixture::Care;
use crate::front::covers;
use crate::stopping::{Certificate, Situation, Standing};

/// What speaks for the standing of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Case {
    /// `None` if there is no other arm.
    pub rival: Option<usize>,
    /// The objective that decides.
    pub objective: usize,
    /// Whether it does so by its limit, and not against the rival.
    pub by_limit: bool,
    /// Exactly, unless it cannot suffice.
    pub proof: f64,
}

impl Case {
    pub const NONE: Case = Case { rival: None, objective: 0, by_limit: false, proof: f64::NEG_INFINITY };

    /// About what there is.
    fn quick(claim: Claim, rival: usize) -> Self {
        Case { rival: Some(rival), objective: claim.objective, by_limit: false, proof: claim.proof }
    }

    pub fn certificate(
        &self,
        situation: &Situation<'_>,
        arm: usize,
        standing: Standing,
        certain: bool,
        threshold: f64,
    ) -> Certificate {
        let objectives = match (standing, self.rival) {
            _ if self.by_limit => Vec::new(),
            (Standing::In, Some(rival)) => situation.ahead(arm, rival),
            (Standing::In, None) => Vec::new(),
            _ => vec![self.objective],
        };
        let evidence = self.proof.max(0.0);
        let limit = self.by_limit.then_some(self.objective);
        Certificate { standing: Some(standing), certain, rival: self.rival, objectives, limit, evidence, threshold }
    }
}

/// Builds the cases of all arms; keeps the room it takes.
pub(super) struct Cases<'a> {
    situation: &'a Situation<'a>,
    gauge: Gauge,
    brackets: Vec<(Bracket, usize)>,
    near: Vec<usize>,
}

impl<'a> Cases<'a> {
    pub fn new(situation: &'a Situation<'a>, gauge: Gauge) -> Self {
        Cases { situation, gauge, brackets: Vec::new(), near: Vec::new() }
    }

    /// How the claims are measured.
    pub fn gauge(&self) -> &Gauge {
        &self.gauge
    }

    /// The surest dominator of an arm off the front; `least` is the least proof that can ever do.
    pub fn for_out(&mut self, arm: usize, least: f64) -> Case {
        let (problem, means) = (self.situation.problem, self.situation.tally().means());
        let gauge = &self.gauge;
        let (shown, outlook) = (gauge.shown(means), gauge.outlook(means));
        let dominators =
            || self.situation.front.members().iter().copied().filter(|&by| covers(means.raised(by), means.row(arm)));
        let most = dominators().map(|by| (gauge.most_dominated(problem, shown, arm, by), by));
        let Some((top, likeliest)) = most.reduce(|best, next| if next.0 > best.0 { next } else { best }) else {
            return Case::NONE;
        };
        if top < least {
            return Case::quick(gauge.dominated(problem, outlook, arm, likeliest), likeliest);
        }
        self.brackets.clear();
        self.brackets.extend(dominators().map(|by| (gauge.bracket_dominated(problem, shown, arm, by), by)));
        let floor = self.brackets.iter().map(|(bracket, _)| bracket.low).fold(f64::NEG_INFINITY, f64::max);
        self.brackets.retain(|(bracket, _)| bracket.high >= floor);
        self.brackets.sort_unstable_by(|a, b| b.0.high.total_cmp(&a.0.high).then(a.1.cmp(&b.1)));
        let mut best = (f64::NEG_INFINITY, likeliest);
        for &(bracket, by) in &self.brackets {
            if bracket.high < best.0 {
                break;
            }
            // Most often a glance tells that it is less.
            if gauge.proof_dominated(problem, shown, arm, by, Care::Glance) >= best.0 {
                let proof = gauge.proof_dominated(problem, shown, arm, by, Care::Full);
                if proof > best.0 || (proof == best.0 && by < best.1) {
                    best = (proof, by);
                }
            }
        }
        Case { proof: best.0, ..Case::quick(gauge.dominated(problem, outlook, arm, best.1), best.1) }
    }

    /// What speaks for an arm off the front to be dominated by this one of it: exactly, where that is between the least and the most that is ever asked for.
    pub fn for_out_through(&self, arm: usize, by: usize, (least, most): (f64, f64)) -> Case {
        let (problem, means, gauge) = (self.situation.problem, self.situation.tally().means(), &self.gauge);
        if !covers(means.raised(by), means.row(arm)) {
            return Case::NONE;
        }
        let shown = gauge.shown(means);
        let high = gauge.most_dominated(problem, shown, arm, by);
        let proof = if high < least {
            high
        } else {
            let low = gauge.bracket_dominated(problem, shown, arm, by).low;
            if low >= most { low } else { gauge.proof_dominated(problem, shown, arm, by, Care::Full) }
        };
        Case { proof, ..Case::quick(gauge.dominated(problem, gauge.outlook(means), arm, by), by) }
    }

    /// No more than what speaks for an arm off the front to be dominated by this one of it.
    pub fn for_out_quickly(&self, arm: usize, by: usize) -> Case {
        let (problem, means, gauge) = (self.situation.problem, self.situation.tally().means(), &self.gauge);
        let proof = gauge.bracket_dominated(problem, gauge.shown(means), arm, by).low;
        Case { proof, rival: Some(by), ..Case::NONE }
    }

    /// No more than what speaks for an arm on the front, against all that are not certainly `out`, where nobody asks but whether the proof reaches bars from the least to the most.
    pub fn for_in_quickly(&self, arm: usize, out: &[bool], (least, most): (f64, f64)) -> Case {
        let (problem, means, gauge) = (self.situation.problem, self.situation.tally().means(), &self.gauge);
        let shown = gauge.shown(means);
        let others = (0..problem.arm_count()).filter(|&other| other != arm && !out[other]);
        let mut proof = f64::INFINITY;
        for by in others.filter(|&by| !gauge.is_far_from_dominated(problem, shown, arm, by, most)) {
            proof = proof.min(gauge.bracket_undominated(problem, shown, arm, by).low);
            if proof < least {
                break;
            }
        }
        Case { proof, ..Case::NONE }
    }

    /// The arm that comes closest to dominating one on the front, of all that are not certainly `out`; `least` is the least proof that
    /// can ever do.
    pub fn for_in(&mut self, arm: usize, out: &[bool], least: f64) -> Case {
        self.for_in_up_to(arm, out, (least, f64::INFINITY), |claim, _| claim)
    }

    /// The same, where nobody asks but whether the proof reaches bars from the least to the most: exactly, where it is between these.
    pub fn for_in_between(&mut self, arm: usize, out: &[bool], bars: (f64, f64)) -> Case {
        self.for_in_up_to(arm, out, bars, |claim, high| Case { proof: claim.proof.min(high), ..claim })
    }

    /// Where it is short of the least: what is `said` of the quick claim and of the most that its proof can be.
    fn for_in_up_to(
        &mut self,
        arm: usize,
        out: &[bool],
        (least, most): (f64, f64),
        said: impl Fn(Case, f64) -> Case,
    ) -> Case {
        let (problem, means) = (self.situation.problem, self.situation.tally().means());
        let gauge = &self.gauge;
        let (shown, outlook) = (gauge.shown(means), gauge.outlook(means));
        let others = || (0..problem.arm_count()).filter(|&other| other != arm && !out[other]);
        // The least of what the proofs can be at most. Most arms are far beyond it, or beyond the most that is ever asked for, which is quick to see.
        self.near.clear();
        let mut lowest: Option<(f64, usize)> = None;
        for by in others() {
            let enough = lowest.map_or(most, |known| known.0.min(most));
            if enough < f64::INFINITY && gauge.is_far_from_dominated(problem, shown, arm, by, enough) {
                continue;
            }
            let high = gauge.most_undominated(problem, shown, arm, by);
            self.near.push(by);
            if lowest.is_none_or(|known| high < known.0) {
                lowest = Some((high, by));
            }
            // One that is short of the least is enough to see that, unless the least of all is asked for.
            if high < least && most < f64::INFINITY {
                break;
            }
        }
        let Some((bottom, likeliest)) = lowest else {
            let rival = self.situation.closest_to_covering(arm).map(|rival| rival.0);
            return Case { rival, objective: 0, by_limit: false, proof: f64::INFINITY };
        };
        if bottom < least {
            return said(Case::quick(gauge.undominated(problem, outlook, arm, likeliest), likeliest), bottom);
        }
        self.brackets.clear();
        let brackets = self.near.iter().map(|&by| (gauge.bracket_undominated(problem, shown, arm, by), by));
        self.brackets.extend(brackets.filter(|(bracket, _)| bracket.low <= bottom));
        self.brackets.sort_unstable_by(|a, b| a.0.low.total_cmp(&b.0.low).then(a.1.cmp(&b.1)));
        if let Some(&(bracket, by)) = self.brackets.first()
            && bracket.low >= most
        {
            return Case { proof: bracket.low, ..Case::quick(gauge.undominated(problem, outlook, arm, by), by) };
        }
        let mut best = (f64::INFINITY, usize::MAX);
        for &(bracket, by) in &self.brackets {
            if bracket.low > best.0 {
                break;
            }
            let proof = gauge.proof_undominated(problem, shown, arm, by, Care::Full);
            if proof < best.0 || (proof == best.0 && by < best.1) {
                best = (proof, by);
            }
        }
        Case { proof: best.0, ..Case::quick(gauge.undominated(problem, outlook, arm, best.1), best.1) }
    }
}

/// Where there are limits: every case by the exact proofs of all claims that may decide it.
impl Cases<'_> {
    /// What speaks most for an arm off the front: that it breaks a limit, or that an arm that keeps them dominates it.
    pub fn for_out_limited(&self, limits: &LimitGauge, arm: usize) -> Case {
        let (problem, means, gauge) = (self.situation.problem, self.situation.tally().means(), &self.gauge);
        let own = limits.breaks(problem, means, arm);
        let proof = limits.proof_broken(problem, means, arm, Care::Full);
        let mut best = self.by_limit(own, proof);
        let members = self.situation.front.members().iter().copied();
        let equal = |by: usize| !problem.has_margins() && gauge.are_twins(problem, means, arm, by);
        for by in members.filter(|&by| covers(means.raised(by), means.row(arm)) && !equal(by)) {
            let proof = |care: Care| {
                let kept = limits.proof_kept(problem, means, by, care);
                gauge.proof_dominated(problem, means, arm, by, care).min(kept)
            };
            if proof(Care::Glance) > best.proof {
                let proof = proof(Care::Full);
                if proof > best.proof {
                    best = Case { proof, ..Case::quick(gauge.dominated(problem, Outlook::plain(means), arm, by), by) };
                }
            }
        }
        best
    }

    /// What speaks least for an arm on the front: that it keeps its limits, or that it is not dominated by another of those that are not `out`. One that is proved to break a
    /// limit, by this bar, dominates nobody.
    pub fn for_in_limited(&self, limits: &LimitGauge, arm: usize, out: &[bool], broken: f64) -> Case {
        let (problem, means, gauge) = (self.situation.problem, self.situation.tally().means(), &self.gauge);
        let mut worst =
            self.by_limit(limits.keeps(problem, means, arm), limits.proof_kept(problem, means, arm, Care::Full));
        for by in (0..problem.arm_count()).filter(|&by| by != arm && !out[by]) {
            if limits.proves_broken(problem, means, by, broken) {
                continue;
            }
            let proof = gauge.proof_undominated(problem, means, arm, by, Care::Full);
            if proof < worst.proof {
                worst = Case { proof, ..Case::quick(gauge.undominated(problem, Outlook::plain(means), arm, by), by) };
            }
        }
        worst
    }

    fn by_limit(&self, claim: Claim, proof: f64) -> Case {
        let limits = &self.situation.problem.limit_layout().expect("there are limits").limits;
        let objective = limits[claim.limit().unwrap_or(0)].0;
        Case { rival: None, objective, by_limit: true, proof }
    }
}

/// The largest set of arms whose proofs all reach the threshold for a set of this size.
pub(super) fn largest(cases: &[Case], threshold: impl Fn(usize) -> f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..cases.len()).filter(|&arm| cases[arm].proof > f64::NEG_INFINITY).collect();
    order.sort_unstable_by(|&a, &b| cases[b].proof.total_cmp(&cases[a].proof));
    let size = (1..=order.len()).rev().find(|&size| cases[order[size - 1]].proof >= threshold(size)).unwrap_or(0);
    let mut member = vec![false; cases.len()];
    for &arm in &order[..size] {
        member[arm] = true;
    }
    member
}

pub(super) fn count(members: &[bool]) -> usize {
    members.iter().filter(|&&member| member).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::front::Front;
    use crate::problem::{Arm, Goal, Noise, Objective, Problem};
    use crate::statistic::Statistic;
    use crate::stopping::certified::knowledge::settle;
    use crate::tally::Tally;
    use crate::transport::{Method, Oracle};

    /// All rivals, each with its exact proof.
    fn slow(situation: &Situation<'_>, arm: usize, out: &[bool], least: f64) -> Case {
        let (problem, means) = (situation.problem, situation.tally().means());
        let gauge = Gauge::plain(problem, situation.tally());
        let on_front = situation.front.contains(arm);
        let mut best: Option<(f64, usize)> = None;
        let mut limit: Option<(f64, usize)> = None;
        for by in (0..problem.arm_count()).filter(|&by| by != arm) {
            if on_front && !out[by] {
                let proof = gauge.proof_undominated(problem, means, arm, by, Care::Full);
                let high = gauge.most_undominated(problem, means, arm, by);
                best = Some(best.filter(|known| known.0 <= proof).unwrap_or((proof, by)));
                limit = Some(limit.filter(|known| known.0 <= high).unwrap_or((high, by)));
            }
            if !on_front && situation.front.contains(by) && covers(means.raised(by), means.row(arm)) {
                let proof = gauge.proof_dominated(problem, means, arm, by, Care::Full);
                let high = gauge.most_dominated(problem, means, arm, by);
                best = Some(best.filter(|known| known.0 >= proof).unwrap_or((proof, by)));
                limit = Some(limit.filter(|known| known.0 >= high).unwrap_or((high, by)));
            }
        }
        let claim = |by: usize| {
            if on_front {
                gauge.undominated(problem, Outlook::plain(means), arm, by)
            } else {
                gauge.dominated(problem, Outlook::plain(means), arm, by)
            }
        };
        match (best, limit) {
            (Some(_), Some((high, by))) if high < least => Case::quick(claim(by), by),
            (Some((proof, by)), _) => Case { rival: Some(by), objective: claim(by).objective, by_limit: false, proof },
            _ => Case {
                rival: situation.closest_to_covering(arm).map(|rival| rival.0),
                objective: 0,
                by_limit: false,
                proof: f64::INFINITY,
            },
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// With ties and without, of every kind of noise and without; early, when nothing can suffice, and late.
        #[test]
        fn the_case_is_that_of_all_pairs(
            d in 1usize..4,
            noise in prop::collection::vec(0usize..9, 3),
            values in prop::collection::vec(prop::collection::vec(-6i32..7, 3), 1..14),
            counts in prop::collection::vec(0u32..4, 14),
            grain in prop::sample::select(&[1.0, 0.137][..]),
            out in prop::collection::vec(any::<bool>(), 14),
            least in prop::sample::select(&[0.0, 3.0, 9.0][..]),
        ) {
            const KINDS: [Noise; 9] = [
                Noise::Variance(0.7),
                Noise::Exact,
                Noise::Unknown,
                Noise::Common,
                Noise::Bernoulli,
                Noise::Poisson,
                Noise::Exponential,
                Noise::Bounded { low: -7.0, high: 7.0 },
                Noise::Any,
            ];
            let goal = |j: usize| if j == 1 { Goal::Min } else { Goal::Max };
            let statistic = |kind| if kind == 8 { Statistic::MEDIAN } else { Statistic::Mean };
            let objective = |j: usize| {
                Objective::new(format!("{j}"), goal(j), KINDS[noise[j]]).with_statistic(statistic(noise[j]))
            };
            let arms = (0..values.len()).map(|arm| Arm::named(format!("arm {arm}"))).collect();
            let mut problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
            let mut tally = Tally::new(&problem);
            for (arm, row) in values.iter().enumerate() {
                let row: Vec<f64> = row[..d].iter().map(|&v| f64::from(v) * grain).collect();
                settle(&mut problem, &mut tally, arm, 6usize.pow(counts[arm]), &row);
            }
            let front = Front::of(tally.means());
            let mut oracle = Oracle::new(&problem, Method::Auto).unwrap();
            let seasons = tally.clone().into();
            let situation = Situation { problem: &problem, seasons: &seasons, front: &front, oracle: &mut oracle };
            // Nobody on the front is out.
            let out: Vec<bool> = (0..values.len()).map(|arm| out[arm] && !front.contains(arm)).collect();
            let mut cases = Cases::new(&situation, Gauge::plain(&problem, &tally));
            for arm in 0..values.len() {
                let case = if front.contains(arm) { cases.for_in(arm, &out, least) } else { cases.for_out(arm, least) };
                prop_assert_eq!(case, slow(&situation, arm, &out, least), "arm {}", arm);
                // Where it is asked only whether it reaches some bars.
                let bars = (least, least + 2.0);
                let exact = slow(&situation, arm, &out, f64::NEG_INFINITY);
                let quick = match exact.rival {
                    _ if front.contains(arm) => cases.for_in_between(arm, &out, bars),
                    Some(by) if exact.proof < f64::INFINITY => cases.for_out_through(arm, by, bars),
                    _ => continue,
                };
                // What is said most quickly is never too much.
                let quickest = match exact.rival {
                    Some(by) if !front.contains(arm) => cases.for_out_quickly(arm, by),
                    _ => cases.for_in_quickly(arm, &out, bars),
                };
                for bar in [bars.0, bars.0 + 0.7, bars.1] {
                    prop_assert_eq!(quick.proof >= bar, exact.proof >= bar, "arm {}: {:?} {:?}", arm, quick, exact);
                    prop_assert!(quickest.proof < bar || exact.proof >= bar, "arm {}: {:?} {:?}", arm, quickest, exact);
                }
            }
        }
    }
}
