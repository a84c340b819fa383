//! n kl(k/n, q) for whole numbers, by a table.

/// k ln k of whole numbers: what n kl(k/n, q) is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Entropy(Vec<f64>);

impl Entropy {
    /// For so many observations.
    pub fn reach(&mut self, n: usize) {
        if n >= self.0.len() {
            let more = (self.0.len()..=2 * n).map(|k| if k == 0 { 0.0 } else { k as f64 * (k as f64).ln() });
            self.0.extend(more);
        }
    }

    /// n kl(k/n, q) where k is more than n q, given ln q and ln(1 − q); otherwise nothing.
    #[inline]
    pub fn excess(&self, n: usize, k: usize, q: f64, logs: [f64; 2]) -> f64 {
        let (all, some) = (n as f64, k as f64);
        if some <= q * all {
            return 0.0;
        }
        (self.0[k] + self.0[n - k] - self.0[n] - some * logs[0] - (all - some) * logs[1]).max(0.0)
    }
}
