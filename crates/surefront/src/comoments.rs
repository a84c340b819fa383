//! How the readings of one arm vary together.

use serde::{Deserialize, Serialize};

/// Sums of products of deviations from the mean, of every two objectives. It counts for itself, so that it may begin later than the tally it
/// belongs to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Comoments {
    count: f64,
    means: Vec<f64>,
    /// Of objectives i ≥ j, row by row.
    products: Vec<f64>,
}

impl Comoments {
    /// Nothing yet, of `d` objectives.
    pub fn new(d: usize) -> Self {
        Comoments { count: 0.0, means: vec![0.0; d], products: vec![0.0; d * (d + 1) / 2] }
    }

    /// How many objectives it is of; none where it was tampered with.
    pub fn objective_count(&self) -> Option<usize> {
        let d = self.means.len();
        (self.products.len() == d * (d + 1) / 2).then_some(d)
    }

    /// Takes in one observation (Welford's update, which loses no digits to a large mean).
    pub fn add(&mut self, values: impl Iterator<Item = f64> + Clone) {
        self.count += 1.0;
        let share = (self.count - 1.0) / self.count;
        let mut cell = 0;
        for (i, one) in values.clone().enumerate() {
            for (j, other) in values.clone().enumerate().take(i + 1) {
                self.products[cell] += share * (one - self.means[i]) * (other - self.means[j]);
                cell += 1;
            }
        }
        for (mean, value) in self.means.iter_mut().zip(values) {
            *mean += (value - *mean) / self.count;
        }
    }

    /// The sum of products of deviations in two objectives.
    pub fn product(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        self.products[i * (i + 1) / 2 + j]
    }

    /// How many observations there are besides the one that the mean takes.
    pub fn freedom(&self) -> f64 {
        (self.count - 1.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_two_passes() {
        let rows: Vec<[f64; 3]> = (0..50).map(f64::from).map(|x| [1e9 + x.sin(), x.cos() + x.sin(), x]).collect();
        let mut comoments = Comoments::new(3);
        rows.iter().for_each(|row| comoments.add(row.iter().copied()));
        let mean = |j: usize| rows.iter().map(|row| row[j]).sum::<f64>() / 50.0;
        for i in 0..3 {
            for j in 0..3 {
                let slow: f64 = rows.iter().map(|row| (row[i] - mean(i)) * (row[j] - mean(j))).sum();
                assert!((comoments.product(i, j) - slow).abs() < 1e-4, "{i} {j}: {} {slow}", comoments.product(i, j));
            }
        }
        assert_eq!(comoments.freedom(), 49.0);
    }
}
