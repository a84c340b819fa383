//! The martingale of one arm and objective whose variance nobody knows: a mixture over shift and variance together, centred on each
//! null and minimised over the variance (docs/certified.md, "Unknown variances").
//!
//! The null is a mean x and a variance σ². The alternatives are N(x + θσ, σ²/ρ) with ρ ~ Gamma(a/2, rate a/2) and θ | ρ ~ N(0, 1/(cρ)). After n
//! observations with Σ(y−x)² = A and A′ = A − (Σ(y−x))²/(n+c), the least over σ of the logarithm of the mixture depends on the data
//! through r = A/A′ alone: it is P + ((N+a)/2) ln r − (a/2)(r−1) up to r = (N+a)/a, and constant from there. N is n, and more where other arms
//! say something of the variance.

/// The widths of the priors that are mixed: of the shift and of the precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    /// c: stands for studies of a few times c observations of an arm.
    pub shift: f64,
    /// a: as much as is thought to be known of the variance beforehand, in observations.
    pub spread: f64,
}

/// Those of variances by arm.
pub(super) const WIDTHS: [Width; 3] = [
    Width { shift: 8.0, spread: 16.0 },
    Width { shift: 100.0, spread: 200.0 },
    Width { shift: 1200.0, spread: 2400.0 },
];

impl Width {
    /// For a variance that so many arms share, which is known better by as much.
    pub fn shared(self, arms: usize) -> Width {
        Width { spread: self.shift * (arms as f64).max(2.0), ..self }
    }
}

/// ln m as a function of r, at some counts and widths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rise {
    /// What it costs not to know: the value at r = 1, never positive.
    pub price: f64,
    /// (N + a) / 2.
    half: f64,
    /// a / 2.
    spread: f64,
}

impl Rise {
    /// `shifts` is Σ ½ ln(c/(n+c)) over the arms that may be shifted, `freedom` N.
    pub fn new(shifts: f64, freedom: f64, width: Width) -> Self {
        let (half, spread) = (0.5 * (freedom + width.spread), 0.5 * width.spread);
        let price = shifts + 0.5 * (spread / half).ln() + stirling_rest(half) - stirling_rest(spread);
        Rise { price, half, spread }
    }

    /// The value at r = 1 + `excess`.
    #[inline]
    pub fn value(&self, excess: f64) -> f64 {
        // Beyond this the least favourable variance is infinite.
        let excess = excess.min(self.half / self.spread - 1.0);
        self.price + self.half * excess.ln_1p() - self.spread * excess
    }

    /// Its derivative.
    #[inline]
    fn slope(&self, excess: f64) -> f64 {
        (self.half / (1.0 + excess) - self.spread).max(0.0)
    }
}

/// ½ ln(c/(n+c)): what it costs not to know the shift.
#[inline]
pub(super) fn shift_price(count: f64, width: Width) -> f64 {
    -0.5 * (count / width.shift).ln_1p()
}

/// ln Γ(y) less Stirling's y ln y − y − ½ ln y + ½ ln 2π, to within 2e-10 for y ≥ 4.
fn stirling_rest(y: f64) -> f64 {
    const TERMS: [f64; 6] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let square = 1.0 / (y * y);
    TERMS.iter().rev().fold(0.0, |sum, term| sum * square + term) / y
}

/// ln m of one arm as a function of how far the mean of the null is from the arm's: grows with the distance, convex up to a bend,
/// concave from there, and bounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub rise: Rise,
    /// κ = c/(n+c).
    kept: f64,
    /// Where it bends, in z: the square of the distance over the variance.
    bend: f64,
}

impl Curve {
    /// Of an arm with `count` observations, where all that tells of its variance amounts to `freedom` of them.
    pub fn new(count: f64, freedom: f64, width: Width) -> Self {
        let rise = Rise::new(shift_price(count, width), freedom, width);
        let mut curve = Curve { rise, kept: width.shift / (count + width.shift), bend: 1.0 };
        // The turn falls from 1 at z = 0 to below 0 at z = 1.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..24 {
            let middle = 0.5 * (low + high);
            if curve.turn(middle) > 0.0 { low = middle } else { high = middle }
        }
        curve.bend = 0.5 * (low + high);
        curve
    }

    /// r − 1.
    #[inline]
    fn excess(&self, z: f64) -> f64 {
        let z = z.min(1e150);
        (1.0 - self.kept) * z / (1.0 + self.kept * z)
    }

    #[inline]
    pub fn value(&self, z: f64) -> f64 {
        self.rise.value(self.excess(z))
    }

    /// The derivative by z.
    #[inline]
    pub fn slope(&self, z: f64) -> f64 {
        let below = 1.0 + self.kept * z.min(1e150);
        self.rise.slope(self.excess(z)) * (1.0 - self.kept) / (below * below)
    }

    /// Up to which z it is convex in the distance.
    #[inline]
    pub fn bend(&self) -> f64 {
        self.bend
    }

    /// Distance × second derivative / first derivative, by the distance.
    #[inline]
    pub fn turn(&self, z: f64) -> f64 {
        let ratio = self.kept - self.rise.spread * (1.0 - self.kept) / (self.rise.half - self.rise.spread);
        let part = |x: f64| x / (1.0 + x);
        1.0 + 2.0 * part(ratio * z) - 4.0 * part(self.kept * z) - 2.0 * part(z)
    }
}
