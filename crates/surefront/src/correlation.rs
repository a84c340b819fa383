//! How the noise of one objective goes with that of another.
//!
//! The noise of arm k has the covariance D_k R D_k, with its standard deviations D_k and one matrix R for all arms. Without a correlation the
//! readings of one observation are independent.

use thiserror::Error;

use crate::cholesky::Cholesky;

/// What is said of the correlation between the readings of one observation.
///
/// ```
/// use surefront::{Arm, Correlation, Goal, Noise, Objective, Problem};
///
/// let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(1.0));
/// let problem = Problem::new(vec![objective("x"), objective("y")], vec![Arm::named("a"), Arm::named("b")])?;
/// let given = Correlation::Given(vec![vec![1.0, 0.6], vec![0.6, 1.0]]);
/// let problem = problem.with_correlation(given.clone())?;
/// assert_eq!(problem.correlation(), Some(&given));
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Correlation {
    /// A matrix in the order of the objectives, the same for all arms, of the readings as they are: not turned so that larger is better.
    Given(Vec<Vec<f64>>),
    /// The same for all arms, but only the observations can tell it.
    Estimate,
}

/// Readings whose least combination has less than this share of its variance are as good as one reading too many.
pub(crate) const LEAST_EIGENVALUE: f64 = 1e-6;

/// Why a matrix is no correlation of a problem's objectives, and what to write instead.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CorrelationError {
    /// There is not one row per objective.
    #[error(
        "the correlation has {found} rows, but there are {expected} objectives: write one row, and one column, for each"
    )]
    WrongSize {
        /// How many rows there are.
        found: usize,
        /// How many objectives.
        expected: usize,
    },
    /// A row has not one entry per objective.
    #[error(
        "row {row} of the correlation has {found} entries, but there are {expected} objectives: write one for each"
    )]
    NotSquare {
        /// The row, from 1.
        row: usize,
        /// How many entries it has.
        found: usize,
        /// How many objectives there are.
        expected: usize,
    },
    /// An entry is not a number between −1 and 1.
    #[error(
        "the correlation of \"{}\" and \"{}\" is {value}: write a number between -1 and 1",
        .objectives[0],
        .objectives[1]
    )]
    OutOfRange {
        /// The two objectives.
        objectives: [String; 2],
        /// What was given.
        value: f64,
    },
    /// A reading is not fully correlated with itself.
    #[error("the correlation of \"{objective}\" with itself is {value}: write 1 on the diagonal")]
    Diagonal {
        /// The objective.
        objective: String,
        /// What was given.
        value: f64,
    },
    /// Two entries that say the same thing differ.
    #[error(
        "the correlation of \"{}\" and \"{}\" is {} in one place and {} in the other: write the same in both",
        .objectives[0],
        .objectives[1],
        .values[0],
        .values[1]
    )]
    NotSymmetric {
        /// The two objectives.
        objectives: [String; 2],
        /// What was given.
        values: [f64; 2],
    },
    /// No readings can be correlated like this, or some of them follow from the others.
    #[error(
        "{} cannot be correlated like this: {}; correct the numbers, or leave one of the objectives out",
        listed(.objectives),
        if *.eigenvalue < -LEAST_EIGENVALUE {
            "no readings are (the matrix is not positive definite)"
        } else {
            "one of them would follow from the others (the matrix is not positive definite)"
        }
    )]
    NotPositiveDefinite {
        /// The objectives that contradict each other: those of the direction without variance.
        objectives: Vec<String>,
        /// The least eigenvalue.
        eigenvalue: f64,
    },
    /// What has no noise cannot go with anything.
    #[error(
        "the correlation of \"{}\" and \"{}\" is {value}, but \"{exact}\" is without noise: write 0 there",
        .objectives[0],
        .objectives[1]
    )]
    WithExact {
        /// The two objectives.
        objectives: [String; 2],
        /// Which of them has no noise.
        exact: String,
        /// What was given.
        value: f64,
    },
    /// Correlations are for Gaussian noise.
    #[error(
        "a correlation is for gaussian and exact objectives, but \"{objective}\" is {family}: leave the correlation out, or the objective"
    )]
    OfOtherKind {
        /// The first objective of another kind.
        objective: String,
        /// Its kind.
        family: &'static str,
    },
}

/// A correlation that has been checked, of objectives turned so that larger is better.
#[derive(Clone, Debug)]
pub(crate) struct Coupling {
    d: usize,
    matrix: Vec<f64>,
    factor: Cholesky,
}

impl PartialEq for Coupling {
    fn eq(&self, other: &Self) -> bool {
        self.matrix == other.matrix
    }
}

impl Coupling {
    /// Checks a matrix; `names` are those of the objectives, and `signs` −1 where less is better.
    pub fn checked(rows: &[Vec<f64>], names: &[&str], signs: &[f64]) -> Result<Self, CorrelationError> {
        let d = names.len();
        if rows.len() != d {
            return Err(CorrelationError::WrongSize { found: rows.len(), expected: d });
        }
        if let Some((place, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != d) {
            return Err(CorrelationError::NotSquare { row: place + 1, found: row.len(), expected: d });
        }
        for (i, row) in rows.iter().enumerate() {
            for (j, &value) in row.iter().enumerate() {
                let objectives = || [i, j].map(|place| names[place].to_owned());
                // Written so that NaN fails.
                if i == j && value != 1.0 {
                    return Err(CorrelationError::Diagonal { objective: names[i].to_owned(), value });
                }
                if !(value.abs() <= 1.0) {
                    return Err(CorrelationError::OutOfRange { objectives: objectives(), value });
                }
                if j < i && rows[j][i] != value {
                    let values = [value, rows[j][i]];
                    return Err(CorrelationError::NotSymmetric { objectives: objectives(), values });
                }
            }
        }
        let matrix: Vec<f64> =
            (0..d * d).map(|cell| signs[cell / d] * signs[cell % d] * rows[cell / d][cell % d]).collect();
        let (eigenvalue, direction) = least_eigenvector(d, &matrix);
        // Written so that NaN fails.
        if !(eigenvalue >= LEAST_EIGENVALUE) {
            let largest = direction.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
            let weighty = direction.iter().zip(names).filter(|(x, _)| x.abs() >= 0.1 * largest);
            let objectives = weighty.map(|(_, name)| (*name).to_owned()).collect();
            return Err(CorrelationError::NotPositiveDefinite { objectives, eigenvalue });
        }
        Ok(Coupling::of(d, matrix))
    }

    /// A matrix that is known to be one, of objectives turned so that larger is better.
    pub fn of(d: usize, matrix: Vec<f64>) -> Self {
        let mut factor = Cholesky::default();
        factor.factor(d, &matrix);
        Coupling { d, matrix, factor }
    }

    /// Whether it says that the readings are independent.
    pub fn is_none(&self) -> bool {
        (0..self.d * self.d).all(|cell| cell / self.d == cell % self.d || self.matrix[cell] == 0.0)
    }

    /// The correlation of two objectives.
    #[inline]
    pub fn of_pair(&self, i: usize, j: usize) -> f64 {
        self.matrix[i * self.d + j]
    }

    /// Adds the covariance of the mean of an arm with these 1 / variances and this weight to a matrix. What has no noise adds nothing.
    pub fn add_covariance(&self, precision: &[f64], weight: f64, to: &mut [f64]) {
        let d = self.d;
        for i in 0..d {
            for j in 0..d {
                to[i * d + j] += self.covariance(precision, i, j) / weight;
            }
        }
    }

    /// The covariance of one observation in two objectives; zero where there is no noise.
    #[inline]
    pub fn covariance(&self, precision: &[f64], i: usize, j: usize) -> f64 {
        if i == j { precision[i].recip() } else { self.of_pair(i, j) / (precision[i].sqrt() * precision[j].sqrt()) }
    }

    /// Turns independent numbers of variance one into such numbers with this correlation.
    pub fn correlate(&self, values: &mut [f64]) {
        self.factor.multiply(values);
    }

    /// By objective: its part of δᵀ Σ⁻¹ δ, what it takes to move a mean by δ; zero where the move only follows that of another objective.
    pub fn parts_of_move(&self, precision: &[f64], moved: &[f64]) -> Vec<f64> {
        let scaled = || moved.iter().zip(precision).map(|(by, p)| if *by == 0.0 { 0.0 } else { by * p.sqrt() });
        let mut force: Vec<f64> = scaled().collect();
        self.factor.solve(&mut force);
        scaled().zip(&force).map(|(by, force)| by * force).collect()
    }
}

/// Turns independent noise into noise that is correlated as a problem says.
///
/// ```
/// # use surefront::{Arm, Correlation, Goal, Noise, Objective, Problem};
/// # let objective = |name: &str| Objective::new(name, Goal::Min, Noise::Variance(1.0));
/// # let problem = Problem::new(vec![objective("x"), objective("y")], vec![Arm::named("a")])?;
/// let given = Correlation::Given(vec![vec![1.0, 0.6], vec![0.6, 1.0]]);
/// let noise = problem.with_correlation(given)?.correlated_noise().expect("the readings are correlated");
/// let mut values = [1.0, 0.0];
/// noise.correlate(&mut values);
/// assert_eq!(values, [1.0, 0.6]);
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CorrelatedNoise {
    pub(crate) coupling: Coupling,
    pub(crate) signs: Vec<f64>,
}

impl CorrelatedNoise {
    /// Of independent numbers of mean zero and variance one, one for each objective, it makes such numbers with the correlation of the readings as
    /// they are.
    ///
    /// # Panics
    /// When there is not one number for each objective.
    pub fn correlate(&self, values: &mut [f64]) {
        assert_eq!(values.len(), self.signs.len(), "one number for each objective");
        values.iter_mut().zip(&self.signs).for_each(|(value, sign)| *value *= sign);
        self.coupling.correlate(values);
        values.iter_mut().zip(&self.signs).for_each(|(value, sign)| *value *= sign);
    }
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The least eigenvalue of a symmetric matrix, and its direction (Jacobi's rotations).
fn least_eigenvector(d: usize, matrix: &[f64]) -> (f64, Vec<f64>) {
    const SWEEPS: usize = 60;
    let mut a = matrix.to_vec();
    let mut vectors: Vec<f64> = (0..d * d).map(|cell| if cell / d == cell % d { 1.0 } else { 0.0 }).collect();
    for _ in 0..SWEEPS {
        for p in 0..d {
            for q in p + 1..d {
                let off = a[p * d + q];
                if off.abs() <= f64::EPSILON * 1e-3 {
                    continue;
                }
                let theta = (a[q * d + q] - a[p * d + p]) / (2.0 * off);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let (c, s) = (1.0 / t.hypot(1.0), t / t.hypot(1.0));
                let rotate = |x: &mut [f64], one: usize, two: usize| {
                    (x[one], x[two]) = (c * x[one] - s * x[two], s * x[one] + c * x[two]);
                };
                for i in 0..d {
                    rotate(&mut a, i * d + p, i * d + q);
                }
                for i in 0..d {
                    rotate(&mut a, p * d + i, q * d + i);
                }
                for i in 0..d {
                    rotate(&mut vectors, i * d + p, i * d + q);
                }
            }
        }
    }
    let least = (0..d).min_by(|&i, &j| a[i * d + i].total_cmp(&a[j * d + j])).expect("there is an objective");
    (a[least * d + least], (0..d).map(|i| vectors[i * d + least]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[Vec<f64>]) -> Result<Coupling, CorrelationError> {
        Coupling::checked(rows, &["x", "y", "z"][..rows.len()], &[1.0, -1.0, 1.0][..rows.len()])
    }

    #[test]
    fn what_is_no_correlation_is_named() {
        let message = |rows: &[Vec<f64>]| check(rows).unwrap_err().to_string();
        let text = Coupling::checked(&[vec![1.0]], &["x", "y"], &[1.0; 2]).unwrap_err().to_string();
        assert!(text.contains("1 rows, but there are 2 objectives"), "{text}");
        assert!(message(&[vec![1.0, 0.5], vec![0.5]]).contains("row 2 of the correlation has 1 entries"));
        assert!(message(&[vec![1.0, 0.5], vec![0.4, 1.0]]).contains("\"y\" and \"x\" is 0.4 in one place and 0.5"));
        assert!(message(&[vec![1.0, 0.5], vec![0.5, 2.0]]).contains("\"y\" with itself is 2: write 1"));
        for bad in [f64::NAN, f64::INFINITY, 1.5] {
            assert!(message(&[vec![1.0, bad], vec![bad, 1.0]]).contains("between -1 and 1"), "{bad}");
        }
        for one in [1.0, -1.0, 1.0 - 1e-9] {
            let text = message(&[vec![1.0, one], vec![one, 1.0]]);
            assert!(text.contains("\"x\" and \"y\" cannot") && text.contains("would follow from the others"), "{text}");
        }
        // x goes with y and with z, but y goes against z: no three readings do that. The fourth has no part in it.
        let rows: Vec<Vec<f64>> = [[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]].map(Vec::from).to_vec();
        assert!(message(&rows).contains("\"x\", \"y\" and \"z\" cannot"), "{}", message(&rows));
        let rows: Vec<Vec<f64>> = [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]].map(Vec::from).to_vec();
        assert!(message(&rows).contains("\"x\" and \"z\" cannot"), "{}", message(&rows));
    }

    #[test]
    fn signs_turn_with_the_goals() {
        let coupling = check(&[vec![1.0, 0.6], vec![0.6, 1.0]]).unwrap();
        assert_eq!(coupling.of_pair(0, 1), -0.6);
        assert!(!coupling.is_none() && Coupling::of(2, vec![1.0, 0.0, 0.0, 1.0]).is_none());
        let mut values = [1.0, 0.0];
        coupling.correlate(&mut values);
        assert_eq!(values, [1.0, -0.6]);
    }

    #[test]
    fn what_follows_costs_nothing() {
        let coupling = check(&[vec![1.0, 0.5], vec![0.5, 1.0]]).unwrap();
        // A move of x by 2 at variance 4; y, turned, follows by −0.5 · (2 / 2) · 1.
        let parts = coupling.parts_of_move(&[0.25, 1.0], &[2.0, -0.5]);
        assert!((parts[0] - 1.0).abs() < 1e-15 && parts[1].abs() < 1e-15, "{parts:?}");
    }

    #[test]
    fn eigenvalues_are_those_of_the_formula() {
        for rho in [-0.49, 0.0, 0.3, 0.99] {
            let matrix = [1.0, rho, rho, rho, 1.0, rho, rho, rho, 1.0];
            let (least, direction) = least_eigenvector(3, &matrix);
            let expected = f64::min(1.0 - rho, 1.0 + 2.0 * rho);
            assert!((least - expected).abs() < 1e-14, "{rho}: {least} {expected}");
            for i in 0..3 {
                let image: f64 = (0..3).map(|j| matrix[3 * i + j] * direction[j]).sum();
                assert!((image - least * direction[i]).abs() < 1e-13);
            }
        }
    }
}
