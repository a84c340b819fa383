//! What drives the cost of a study: the differences that take most of the samples, and what it would cost if they were larger.

use crate::bound::{Bound, bound};
use crate::front::{Front, covers};
use crate::law::Law;
use crate::margin::Margin;
use crate::model::Model;
use crate::problem::Problem;
use crate::question::{Question, QuestionError};
use crate::transport::{Closest, Method, Oracle, Piece, Tolls};

/// Differences that take a smaller share of the samples are not worth a sentence.
const SMALLEST_SHARE: f64 = 0.05;
/// More sentences than this are not read.
const MOST: usize = 5;
/// Of the bound with a difference changed: it is shown to a few digits.
const TOLERANCE: f64 = 1e-4;

/// One difference that has to be told, and what it takes.
///
/// ```
/// use surefront::{Arm, Driver, Goal, Model, Noise, Objective, Problem, bound};
///
/// let objectives = ["x", "y"].map(|name| Objective::new(name, Goal::Max, Noise::Variance(1.0)));
/// let problem = Problem::new(objectives.to_vec(), ["a", "b", "c"].map(Arm::named).to_vec())?;
/// // c is dominated by b alone, by a hair in y.
/// let model = Model::new(&problem, &[[0.0, 9.0], [9.0, 0.0], [6.0, -0.5]])?;
/// let drivers = Driver::find(&problem, &model, &bound(&problem, &model, 1e-6)?)?;
/// assert_eq!((drivers[0].arm, drivers[0].rival, drivers[0].objective), (2, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Driver {
    /// The way of changing the front that the difference stands against.
    pub piece: Piece,
    /// The arm that might leave or enter the front.
    pub arm: usize,
    /// The arm it has to be told from; the arm itself where it is a limit.
    pub rival: usize,
    /// The limit that the arm has to be told from, in the objective's units, where it is one.
    pub limit: Option<f64>,
    /// Where telling them apart takes most.
    pub objective: usize,
    /// Of all samples at the best allocation.
    pub share: f64,
    /// Between the two means, or the mean and the limit.
    pub difference: f64,
    /// Of one observation, of the noisier arm of the two.
    pub sd: f64,
    /// T* if the difference were twice as large; `None` where that would change the front, or nothing can be said.
    pub t_star_if_doubled: Option<f64>,
    /// A margin in the objective about as large as the difference, and T* with it; `None` where there cannot be one, there is one already, or nothing can be said.
    pub with_margin: Option<(f64, f64)>,
}

impl Driver {
    /// What a study of these means spends most of its samples on, the largest share first, when they are spread as `known` says.
    ///
    /// # Errors
    /// When the bound, or the model, is of another problem.
    pub fn find(problem: &Problem, model: &Model, known: &Bound) -> Result<Vec<Driver>, QuestionError> {
        let front = Front::of(model);
        let question = Question::new(problem, model, &front, &known.weights)?;
        let mut oracle = Oracle::new(problem, Method::Auto).expect("`auto` fits every problem");
        let worth = known.pieces.iter().filter(|(_, share)| *share >= SMALLEST_SHARE).take(MOST);
        let mut drivers = Vec::new();
        for &(piece, share) in worth {
            // A piece that is none of this front's comes from a bound for other means.
            let closest = oracle.closest_in(&question, piece).map_err(|_| QuestionError::OtherFront)?;
            let Some(closest) = closest else { continue };
            let (arm, rival, objective) = hardest(&question, closest);
            let kind = problem.kind(objective);
            let unit = |arm: usize| kind.family.variance(kind.sign * model.row(arm)[objective]);
            let variance = |arm: usize| unit(arm) / problem.precision(arm)[objective];
            if arm == rival {
                drivers.push(Driver::of_limit(problem, model, (piece, share), objective));
                continue;
            }
            drivers.push(Driver {
                piece,
                arm,
                rival,
                limit: None,
                objective,
                share,
                difference: question.gap(arm, rival, objective).abs(),
                sd: variance(arm).max(variance(rival)).sqrt(),
                t_star_if_doubled: doubled(problem, model, &front, (arm, rival, objective)),
                with_margin: with_margin(problem, model, objective, question.gap(arm, rival, objective).abs()),
            });
        }
        Ok(drivers)
    }

    /// An arm that has to be told from the nearest of its limits in an objective.
    fn of_limit(problem: &Problem, model: &Model, (piece, share): (Piece, f64), objective: usize) -> Driver {
        let (arm, limits) = (piece.arm(), problem.objectives()[objective].limits);
        let mean = model.in_units(problem, arm)[objective];
        let nearest = limits.ends().map(|end| end.1).min_by(|a, b| (mean - a).abs().total_cmp(&(mean - b).abs()));
        let unit = problem.family(objective).variance(mean);
        Driver {
            piece,
            arm,
            rival: arm,
            limit: nearest,
            objective,
            share,
            difference: nearest.map_or(0.0, |limit| (mean - limit).abs()),
            sd: (unit / problem.precision_in(arm, objective)).sqrt(),
            t_star_if_doubled: None,
            with_margin: None,
        }
    }
}

/// The arm of a piece, the other arm and the objective that the closest alternative pays most for. Where that is a limit of the arm, there is no other arm.
pub(crate) fn hardest(question: &Question<'_>, closest: &Closest) -> (usize, usize, usize) {
    let (problem, model, weights) = (question.problem(), question.model(), question.weights());
    if let Some(tolls) = Tolls::new(question) {
        let arm = closest.piece.arm();
        let toll = match closest.piece {
            Piece::Infeasible { .. } => Some(tolls.exit(arm)),
            _ => tolls.most_broken(arm),
        };
        if let Some(toll) = toll {
            return (arm, arm, toll.objective);
        }
    }
    let alternative = closest.alternative(model);
    let paid = |arm: usize, j: usize| {
        if let Some(coupling) = problem.coupling() {
            let moved = alternative.row(arm).iter().zip(model.row(arm)).map(|(to, from)| to - from);
            return weights[arm] * coupling.parts_of_move(problem.precision(arm), &moved.collect::<Vec<_>>())[j];
        }
        let moved = alternative.row(arm)[j] - model.row(arm)[j];
        // An arm without noise does not move, and pays nothing.
        if moved == 0.0 {
            return 0.0;
        }
        match problem.kinds() {
            None => weights[arm] * problem.precision(arm)[j] * moved * moved,
            Some(kinds) => {
                kinds[j].around(model.row(arm)[j]).price(weights[arm] * problem.precision(arm)[j], 0.0, moved)
            }
        }
    };
    let by_size = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
    let objective = (0..model.objective_count())
        .map(|j| (closest.arms().iter().map(|&arm| paid(arm, j)).sum::<f64>(), j))
        .max_by(by_size)
        .expect("there is an objective")
        .1;
    let arm = closest.piece.arm();
    let rival = closest.piece.through().or_else(|| {
        let others = closest.arms().iter().filter(|&&other| other != arm);
        let most = others.map(|&other| (paid(other, objective), other)).max_by(by_size);
        most.filter(|(paid, _)| *paid > 0.0).map(|(_, other)| other)
    });
    // Where only the arm itself is measured with noise, it is the nearest of those that dominate it.
    let rival = rival.unwrap_or_else(|| {
        let gap = |other: usize| question.raised(other).gap(question.side(arm), objective);
        let above = question.front().members().iter().filter(|&&other| covers(model.raised(other), model.row(arm)));
        *above.min_by(|&&a, &&b| gap(a).total_cmp(&gap(b))).expect("an arm off the front is dominated")
    });
    (arm, rival, objective)
}

/// The difference to one digit, not below, as a margin; and T* with it.
fn with_margin(problem: &Problem, model: &Model, objective: usize, difference: f64) -> Option<(f64, f64)> {
    if problem.has_margins() || !(difference > 0.0) {
        return None;
    }
    let unit = 10f64.powf(difference.log10().floor());
    // As it is written in decimals.
    let size = format!("{:.0e}", (difference / unit).ceil() * unit).parse().ok()?;
    let mut margins = vec![Margin::NONE; problem.objective_count()];
    margins[objective] = Margin::Absolute(size);
    let problem = problem.with_margins(&margins).ok()?;
    let bound = bound(&problem, &model.under(&problem), TOLERANCE).ok()?;
    Some((size, bound.upper))
}

/// T* with one of the two arms moved so that they are twice as far apart in the objective, and the same front.
fn doubled(
    problem: &Problem,
    model: &Model,
    front: &Front,
    (arm, rival, objective): (usize, usize, usize),
) -> Option<f64> {
    let rows: Vec<Vec<f64>> = (0..model.arm_count()).map(|arm| model.in_units(problem, arm)).collect();
    [(arm, rival), (rival, arm)].into_iter().find_map(|(moved, kept)| {
        let mut rows = rows.clone();
        rows[moved][objective] += rows[moved][objective] - rows[kept][objective];
        let changed = Model::new(problem, &rows).ok()?;
        let same_front = Front::of(&changed) == *front;
        same_front.then(|| bound(problem, &changed, TOLERANCE).ok().map(|bound| bound.upper)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};

    fn problem(noise: [Noise; 2]) -> Problem {
        let objectives = ["x", "y"].into_iter().zip(noise);
        let objectives = objectives.map(|(name, noise)| Objective::new(name, Goal::Min, noise));
        Problem::new(objectives.collect(), ["a", "b", "c"].map(Arm::named).to_vec()).unwrap()
    }

    #[test]
    fn the_smallest_difference_drives_the_cost() {
        let problem = problem([Noise::Variance(1.0); 2]);
        // c is dominated by b alone, by a hair in y.
        let model = Model::new(&problem, &[[0.0, 9.0], [9.0, 0.0], [12.0, 0.5]]).unwrap();
        let bound = bound(&problem, &model, 1e-6).unwrap();
        let drivers = Driver::find(&problem, &model, &bound).unwrap();
        let Driver { piece, arm, rival, objective, share, difference, sd, t_star_if_doubled, with_margin, .. } =
            drivers[0];
        assert_eq!((piece, arm, rival, objective), (Piece::Add { arm: 2 }, 2, 1, 1));
        assert!(share > 0.9 && (difference, sd) == (0.5, 1.0), "{share}");
        // Twice the difference takes about a quarter of the samples.
        let (margin, t_star) = with_margin.unwrap();
        assert!(margin >= difference && margin <= 2.0 * difference && t_star < 0.5 * bound.upper, "{margin} {t_star}");
        assert!((bound.upper / t_star_if_doubled.unwrap() - 4.0).abs() < 0.2, "{bound:?} {t_star_if_doubled:?}");
    }

    #[test]
    fn an_arm_without_noise_can_be_the_rival() {
        let noisy = Noise::Variance(1.0);
        let objectives = [Noise::Exact, noisy].map(|noise| Objective::new(format!("{noise:?}"), Goal::Max, noise));
        let exact = |name: &str| Arm::named(name).with_noise(vec![Noise::Exact; 2]);
        let problem = Problem::new(objectives.to_vec(), vec![exact("a"), Arm::named("b")]).unwrap();
        let model = Model::new(&problem, &[[1.0, 1.0], [1.0, 0.5]]).unwrap();
        let bound = bound(&problem, &model, 1e-6).unwrap();
        let drivers = Driver::find(&problem, &model, &bound).unwrap();
        assert_eq!(drivers.len(), 1);
        assert_eq!((drivers[0].arm, drivers[0].rival, drivers[0].objective), (1, 0, 1));
    }

    #[test]
    fn a_bound_of_other_means_is_refused() {
        let problem = problem([Noise::Variance(1.0); 2]);
        let model = |rows: &[[f64; 2]; 3]| Model::new(&problem, rows).unwrap();
        let one = model(&[[0.0, 9.0], [9.0, 0.0], [12.0, 0.5]]);
        let other = model(&[[5.0, 5.0], [9.0, 6.0], [1.0, 0.5]]);
        let known = bound(&problem, &other, 1e-6).unwrap();
        assert_eq!(Driver::find(&problem, &one, &known), Err(QuestionError::OtherFront));
    }
}
