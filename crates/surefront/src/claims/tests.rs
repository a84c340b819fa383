//! What is kept against looking at all pairs.

use proptest::prelude::*;

use super::*;
use crate::estimate::{OwnEstimates, Reach};
use crate::margin::Margin;
use crate::model::Model;
use crate::problem::{Arm, Goal, Noise, Objective};
use crate::statistic::Statistic;
use crate::stopping::Stopping;
use crate::testing::effort;

/// Whom an arm is compared with: the others of the front; one that is on it, with margins, with everybody, and after a lesson with everybody that is not settled as out.
fn compared<'a>(
    problem: &'a Problem,
    gauge: &'a Gauge,
    front: &'a Front,
    arm: usize,
) -> impl Iterator<Item = usize> + 'a {
    let beyond = move |other: usize| problem.has_margins() || gauge.has_learned() && !gauge.has_settled(other, false);
    (0..problem.arm_count())
        .filter(move |&other| other != arm && (front.contains(other) || front.contains(arm) && beyond(other)))
}

/// Of those, whom to look at to choose what is measured: the front, and with margins everybody.
fn looked_at<'a>(problem: &'a Problem, front: &'a Front, arm: usize) -> impl Iterator<Item = usize> + 'a {
    let beyond = problem.has_margins() && front.contains(arm);
    (0..problem.arm_count()).filter(move |&other| other != arm && (front.contains(other) || beyond))
}

/// The weakest claim, by looking at all pairs of arms and remembering nothing: the arm that is least far, where an arm off the front
/// is as far as through its best dominator, and one on the front as against the arm that comes closest to dominating it.
fn weakest_of_all_pairs(problem: &Problem, seasons: &Seasons, certified: &Certified) -> Option<(usize, usize, f64)> {
    let (gauge, means) = (Gauge::new(problem, seasons), seasons.all().means());
    let front = Front::of(means);
    let bars = certified.bars(problem, &gauge, &front);
    let outlook = gauge.outlook(means);
    let mut weakest: Option<(usize, usize, f64)> = None;
    for arm in (0..problem.arm_count()).filter(|&arm| !gauge.has_settled(arm, front.contains(arm))) {
        let mut rival: Option<(usize, Claim)> = None;
        let bar = bars.of(&gauge, arm, front.contains(arm));
        for other in looked_at(problem, &front, arm) {
            let (claim, better) = if front.contains(arm) {
                let claim = gauge.undominated(problem, outlook, arm, other);
                (claim, rival.is_none_or(|(_, known)| claim.rank() < known.rank()))
            } else {
                let claim = gauge.dominated(problem, outlook, arm, other);
                (claim, rival.is_none_or(|(_, known)| claim.rank() > known.rank()))
            };
            if better {
                rival = Some((other, claim));
            }
        }
        if let Some((other, claim)) = rival {
            let fraction = claim.fraction(bar);
            if fraction < weakest.map_or(f64::INFINITY, |known| known.2) {
                weakest = Some((arm, other, fraction));
            }
        }
    }
    weakest
}

/// The claim to be served in a model, by looking at all pairs of arms: the arm, its rival, and how far that is.
fn served_of_all_pairs(
    claims: &Claims,
    problem: &Problem,
    model: &Model,
    pending: impl Fn(usize) -> f64,
) -> Option<(usize, usize, f64)> {
    let (gauge, front, outlook) = (&claims.gauge, &Front::of(model), Outlook::plain(model));
    let bars = claims.certified.bars(problem, gauge, front);
    let entry = |arm: usize| {
        let on_front = front.contains(arm);
        let claim = |other: usize| match on_front {
            true => gauge.undominated(problem, outlook, arm, other),
            false => gauge.dominated(problem, outlook, arm, other),
        };
        let mut rival = (usize::MAX, Claim::CERTAIN);
        if !gauge.has_settled(arm, on_front) {
            for other in looked_at(problem, front, arm) {
                let (new, kept) = (claim(other).rank(), rival.1.rank());
                if rival.0 == usize::MAX || (on_front && new < kept) || (!on_front && new > kept) {
                    rival = (other, claim(other));
                }
            }
        }
        Entry { claim: rival.1, rival: rival.0, on_front, bar: bars.of(gauge, arm, on_front) }
    };
    let (mut line, beside) = (claims.line(problem, entry), claims.certified.bars_beside(problem, gauge, front));
    let arm = line.next(pending, |open| claims.barred(front, beside(open)))?;
    Some((arm, entry(arm).rival, entry(arm).fraction()))
}

/// Whether every claim is proved, by looking at all pairs.
fn all_proved(problem: &Problem, seasons: &Seasons, certified: &Certified) -> bool {
    let (gauge, means) = (Gauge::new(problem, seasons), seasons.all().means());
    let front = Front::of(means);
    let bars = certified.bars(problem, &gauge, &front);
    let shown = gauge.shown(means);
    (0..problem.arm_count()).all(|arm| {
        let bar = bars.of(&gauge, arm, front.contains(arm));
        let mut others = compared(problem, &gauge, &front, arm);
        gauge.has_settled(arm, front.contains(arm))
            || if front.contains(arm) {
                others.all(|other| gauge.proof_undominated(problem, shown, arm, other, Care::Full) >= bar)
            } else {
                others.any(|other| gauge.proof_dominated(problem, shown, arm, other, Care::Full) >= bar)
            }
    })
}

/// A study to follow.
#[derive(Clone, Debug)]
struct Past {
    arms: usize,
    objectives: usize,
    /// The first objective is exact.
    exact: bool,
    /// By objective: the kind of noise.
    kinds: Vec<usize>,
    /// In every objective that can have one.
    margin: Margin,
    /// A lesson is taken before this step, with these arms settled.
    lesson: Option<usize>,
    settled: Vec<bool>,
    /// Before this step, if that is after the lesson, the next arm of each of those is settled as well.
    later: Option<usize>,
    /// An arm, how often it is observed, and its values.
    steps: Vec<(usize, usize, Vec<i32>)>,
    /// The claims are looked at after every so many steps.
    pace: usize,
}

/// Compares what is kept with what is found afresh, whenever it is looked at; and whether it need not be, after every step.
fn follow(past: Past) -> Result<(), TestCaseError> {
    let Past { arms: k, objectives: d, exact, kinds, margin, lesson, settled, later, steps, pace } = past;
    const KINDS: [Noise; 8] = [
        Noise::Variance(1.0),
        Noise::Variance(1.0),
        Noise::Bernoulli,
        Noise::Poisson,
        Noise::Exponential,
        Noise::Any,
        Noise::Unknown,
        Noise::Common,
    ];
    let law = |j: usize| if exact && j == 0 { Noise::Exact } else { KINDS[kinds[j]] };
    let statistic = |j: usize| if law(j) == Noise::Any { Statistic::MEDIAN } else { Statistic::Mean };
    let margin = |j: usize| if law(j) == Noise::Common { Margin::NONE } else { margin };
    let objective = |j: usize| {
        Objective::new(format!("{j}"), Goal::Max, law(j)).with_statistic(statistic(j)).with_margin(margin(j))
    };
    let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
    let mut problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
    let certified = Certified::new(0.1).unwrap();
    let stopping = Stopping::Certified(certified);
    let mut seasons = Seasons::from(Tally::new(&problem));
    let add = |problem: &Problem, seasons: &mut Seasons, arm: usize, values: &[i32]| {
        let value = |j: usize| match law(j) {
            Noise::Exact => (arm % 2) as f64,
            Noise::Bernoulli => f64::from(u8::from(values[j] > 0)),
            Noise::Poisson => f64::from(values[j].abs()),
            Noise::Exponential => f64::from(values[j] + 5) / 2.0,
            // Values that repeat are not taken for Gaussian.
            Noise::Unknown | Noise::Common => {
                f64::from(values[j]) / 2.0 + 0.3 * (0.618 * seasons.all().total() as f64).fract()
            }
            _ => f64::from(values[j]) / 2.0,
        };
        let values: Vec<f64> = (0..d).map(value).collect();
        seasons.add(problem, arm, &values).unwrap();
    };
    for arm in 0..k {
        add(&problem, &mut seasons, arm, &[arm as i32 % 3, (arm as i32 * 5) % 4, 1]);
    }
    let mut estimates = problem.has_unknown_noise().then(|| OwnEstimates::new(&mut problem, seasons.all(), &stopping));
    let mut claims = Claims::new(&problem, &seasons, certified);
    for (step, (arm, times, values)) in steps.into_iter().enumerate() {
        if lesson == Some(step) {
            seasons.learn(&problem, 0.2, settled[..k].to_vec());
            claims = Claims::new(&problem, &seasons, certified);
        }
        if later == Some(step) && seasons.split().is_some() {
            let next: Vec<bool> = (0..k).map(|arm| settled[(arm + 1) % k]).collect();
            seasons.settle(&next);
            claims.settle(&problem, &seasons);
        }
        let arm = arm % k;
        for _ in 0..times {
            add(&problem, &mut seasons, arm, &values);
            let follow = |known: &mut OwnEstimates| known.follow(&mut problem, seasons.all(), &stopping, arm);
            let reach = estimates.as_mut().map_or(Reach::Arm, follow);
            claims.follow(&problem, &seasons, arm);
            if reach == Reach::All {
                claims.reconsider(&problem, &seasons);
            }
        }
        prop_assert_eq!(claims.front(), &Front::of(seasons.all().means()));
        let may_suffice = claims.may_suffice(&problem, &seasons);
        prop_assert!(
            may_suffice || !Claims::new(&problem, &seasons, certified).progress(&problem, &seasons).suffices()
        );
        if step % pace != 0 {
            continue;
        }
        let weakest = claims.weakest(&problem, &seasons).map(|weakest| (weakest.arm, weakest.rival, weakest.fraction));
        prop_assert_eq!(weakest, weakest_of_all_pairs(&problem, &seasons, &certified));
        let progress = claims.progress(&problem, &seasons);
        let mut afresh = Claims::new(&problem, &seasons, certified);
        prop_assert_eq!(progress, afresh.progress(&problem, &seasons));
        prop_assert_eq!(claims.last(), afresh.last());
        let mut other = seasons.all().means().clone();
        (0..k).for_each(|arm| other.set_from(arm, seasons.all().means(), (arm + 1) % k));
        for (model, pending) in [(seasons.all().means(), 0.0), (&other, 0.0), (&other, 3.0)] {
            let served = claims.served_in(&problem, model, &Front::of(model), |_| pending);
            let served = served.map(|served| (served.arm, served.rival, served.fraction));
            prop_assert_eq!(served, served_of_all_pairs(&claims, &problem, model, |_| pending));
        }
        let coming = |claims: &Claims| claims.coming(&problem, seasons.all().means(), |_| 0.0, 64);
        prop_assert_eq!(coming(&claims), coming(&afresh));
        prop_assert_eq!(progress.suffices(), progress.fraction >= 1.0);
        if progress.fraction >= CLOSE {
            prop_assert_eq!(progress.suffices(), all_proved(&problem, &seasons, &certified));
        }
    }
    Ok(())
}

/// Arm 4 has plenty through one rival, and meanwhile another becomes the better one, before the first is seen not to be as good as it seemed.
#[test]
fn a_rival_that_was_plenty_is_compared_again() {
    let low = vec![0, 0];
    let steps = [
        (7, 4, 0),
        (0, 1, 0),
        (5, 2, 0),
        (7, 5, 0),
        (3, 8, 1),
        (4, 9, 0),
        (8, 3, 1),
        (5, 3, 0),
        (7, 1, 0),
        (4, 1, 0),
        (3, 7, 0),
        (7, 5, 0),
    ];
    let steps =
        steps.map(|(arm, times, value)| (arm, times, if value == 1 { vec![0, 1] } else { low.clone() })).to_vec();
    let past = Past {
        arms: 6,
        objectives: 2,
        exact: true,
        kinds: vec![0, 2],
        margin: Margin::NONE,
        lesson: None,
        settled: vec![false; 6],
        later: None,
        steps,
        pace: 1,
    };
    follow(past).unwrap();
}

proptest! {
    #![proptest_config(effort::cases(120, 400))]

    /// The weakest claim and the stop are functions of the observations before and after the lesson alone, through changes of the front and
    /// ties, with noise and without: they are those that looking at all pairs finds, whatever rivals were kept on the way.
    #[test]
    fn the_weakest_claim_is_that_of_all_pairs(
        arms in 2usize..9, objectives in 1usize..4, exact in any::<bool>(), kinds in prop::collection::vec(0usize..8, 3),
        margin in prop::sample::select(&[Margin::NONE, Margin::Absolute(0.5), Margin::Relative(0.25)][..]),
        lesson in prop::option::of(0usize..60), settled in prop::collection::vec(any::<bool>(), 9), later in prop::option::of(0usize..90),
        steps in prop::collection::vec((0usize..9, 1usize..12, prop::collection::vec(-4i32..5, 3)), 1..120),
        pace in prop::sample::select(&[1usize, 2, 5][..]),
    ) {
        follow(Past { arms, objectives, exact, kinds, margin, lesson, settled, later, steps, pace })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// With limits: what is kept is what is found afresh, and all that is proved is proved by all pairs.
    #[test]
    fn what_is_kept_with_limits_is_what_there_is(
        k in 1usize..6,
        margin in prop::sample::select(&[0.0, 0.5][..]),
        noise in prop::sample::select(&[Noise::Variance(1.0), Noise::Bernoulli, Noise::Exact][..]),
        steps in prop::collection::vec((0usize..6, 1usize..30, prop::collection::vec(-3i32..4, 3)), 1..25),
        pace in prop::sample::select(&[1usize, 2, 5][..]),
    ) {
        let objectives = vec![
            Objective::new("x", Goal::Max, Noise::Variance(1.0)).with_margin(Margin::Absolute(margin)).with_at_least(-0.5),
            Objective::new("y", Goal::Min, Noise::Variance(1.0)).with_margin(Margin::Absolute(margin)),
            Objective::limited("c", noise).with_at_most(0.5),
        ];
        let problem = Problem::new(objectives, (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect()).unwrap();
        let certified = Certified::new(0.1).unwrap();
        let mut seasons = Seasons::from(Tally::new(&problem));
        let limited = |arm: usize, value: i32| match noise {
            Noise::Exact => (arm % 2) as f64,
            _ => f64::from(u8::from(value > 0)),
        };
        let add = |seasons: &mut Seasons, arm: usize, values: &[i32]| {
            let values = [f64::from(values[0]) / 2.0, f64::from(values[1]) / 2.0, limited(arm, values[2])];
            seasons.add(&problem, arm, &values).unwrap();
        };
        (0..k).for_each(|arm| add(&mut seasons, arm, &[arm as i32 % 3, arm as i32 % 2, 0]));
        let mut claims = Claims::new(&problem, &seasons, certified);
        for (step, (arm, times, values)) in steps.into_iter().enumerate() {
            let arm = arm % k;
            for _ in 0..times {
                add(&mut seasons, arm, &values);
                claims.follow(&problem, &seasons, arm);
            }
            let front = Front::of(seasons.all().means());
            prop_assert_eq!(claims.front(), &front);
            let may_suffice = claims.may_suffice(&problem, &seasons);
            prop_assert!(may_suffice || !Claims::new(&problem, &seasons, certified).progress(&problem, &seasons).suffices());
            if step % pace != 0 {
                continue;
            }
            let progress = claims.progress(&problem, &seasons);
            let mut afresh = Claims::new(&problem, &seasons, certified);
            prop_assert_eq!(progress, afresh.progress(&problem, &seasons));
            prop_assert_eq!(claims.last(), afresh.last());
            let coming = |claims: &Claims| claims.coming(&problem, seasons.all().means(), |_| 0.0, 64);
            prop_assert_eq!(coming(&claims), coming(&afresh));
            if progress.fraction >= CLOSE {
                let (gauge, means) = (Gauge::new(&problem, &seasons), seasons.all().means());
                let limits = LimitGauge::new(&problem, seasons.all()).unwrap();
                let bars = certified.bars(&problem, &gauge, &front);
                let out = bars.of(&gauge, 0, false);
                let proved = |arm: usize| {
                    let bar = bars.of(&gauge, arm, front.contains(arm));
                    let kept = |arm| limits.proof_kept(&problem, means, arm, Care::Full);
                    let broken = |arm| limits.proof_broken(&problem, means, arm, Care::Full);
                    let everybody = margin > 0.0 && front.contains(arm);
                    let mut others = (0..k).filter(|&other| other != arm && (everybody || front.contains(other)));
                    if front.contains(arm) {
                        kept(arm) >= bar && others.all(|other| {
                            gauge.proof_undominated(&problem, means, arm, other, Care::Full) >= bar || everybody && broken(other) >= out
                        })
                    } else {
                        broken(arm) >= bar || others.any(|other| {
                            gauge.proof_dominated(&problem, means, arm, other, Care::Full) >= bar && kept(other) >= bar
                        })
                    }
                };
                prop_assert_eq!(progress.suffices(), (0..k).all(proved));
            }
        }
    }
}
