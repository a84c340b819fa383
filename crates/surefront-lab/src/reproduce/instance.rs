//! Random instances: a front of p arms, and one arm below them all.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp1, StandardNormal};
use surefront::{Arm, Front, Goal, Model, Noise, Objective, Piece, Problem, Question, Weights};

/// A question to the oracle: what does it take to bring the arm at the origin onto the front?
pub struct Instance {
    pub problem: Problem,
    pub model: Model,
    pub front: Front,
    pub weights: Weights,
    pub piece: Piece,
}

/// Where the front lies.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// On the positive orthant of the unit sphere.
    Sphere {
        /// The number of objectives.
        objectives: usize,
    },
    /// Along a random descending staircase in a 10 × 10 square.
    Square,
}

impl Instance {
    /// What the oracle is asked about.
    pub fn question(&self) -> Question<'_> {
        let Instance { problem, model, front, weights, .. } = self;
        Question::new(problem, model, front, weights).expect("the parts are of one instance")
    }

    /// The instance of this number. It depends on nothing but the arguments: neither on which others are made nor in what
    /// order.
    pub fn random(shape: Shape, p: usize, seed: u64, number: u32) -> Self {
        let d = match shape {
            Shape::Sphere { objectives } => objectives,
            Shape::Square => 2,
        };
        let mut key = [0; 32];
        for (part, value) in key.chunks_exact_mut(8).zip([seed, d as u64, p as u64, u64::from(number)]) {
            part.copy_from_slice(&value.to_le_bytes());
        }
        // The key differs in few bits from its neighbours': let the generator mix it before it is used.
        let mut rng = Xoshiro256PlusPlus::from_seed(key);
        for _ in 0..64 {
            rng.random::<u64>();
        }

        let mut means = match shape {
            Shape::Sphere { .. } => (0..p).map(|_| on_sphere(&mut rng, d)).collect(),
            Shape::Square => staircase(&mut rng, p),
        };
        means.push(vec![0.0; d]);
        // Exponentials are uniform on the simplex once they are divided by their sum.
        let mut weights: Vec<f64> = (0..=p).map(|_| Exp1.sample(&mut rng)).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);

        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
        let arms = (0..=p).map(|k| Arm::named(format!("a{k}"))).collect();
        let problem = Problem::new((0..d).map(objective).collect(), arms).expect("names differ");
        let model = Model::new(&problem, &means).expect("random means are finite");
        let front = Front::of(&model);
        debug_assert_eq!(front.members().len(), p);
        let weights = Weights::new(p + 1, weights).expect("random weights are positive");
        Instance { problem, model, front, weights, piece: Piece::Add { arm: p } }
    }
}

fn on_sphere(rng: &mut Xoshiro256PlusPlus, d: usize) -> Vec<f64> {
    let mut point: Vec<f64> = (0..d).map(|_| f64::abs(StandardNormal.sample(rng))).collect();
    let norm = point.iter().map(|x| x * x).sum::<f64>().sqrt();
    point.iter_mut().for_each(|x| *x /= norm);
    point
}

fn staircase(rng: &mut Xoshiro256PlusPlus, p: usize) -> Vec<Vec<f64>> {
    let mut sorted = || {
        let mut values: Vec<f64> = (0..p).map(|_| rng.random_range(0.0..10.0)).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (x, y) = (sorted(), sorted());
    x.into_iter().zip(y.into_iter().rev()).map(|(x, y)| vec![x, y]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_has_p_arms_and_the_origin_is_below() {
        for (shape, p) in [(Shape::Sphere { objectives: 5 }, 16), (Shape::Square, 100)] {
            let instance = Instance::random(shape, p, 1, 0);
            assert_eq!(instance.front.members(), (0..p).collect::<Vec<_>>());
            assert!((instance.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_arguments_alone_decide() {
        let model = |seed, number| Instance::random(Shape::Square, 8, seed, number).model;
        assert_eq!(model(1, 0), model(1, 0));
        assert_ne!(model(1, 0), model(1, 1));
        assert_ne!(model(1, 0), model(2, 0));
    }
}
