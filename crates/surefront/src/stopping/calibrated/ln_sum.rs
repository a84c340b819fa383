//! Sums of numbers that are kept by their logarithms, so that none is too small.

/// ln(eᵃ + eᵇ).
pub(super) fn ln_add(a: f64, b: f64) -> f64 {
    let (larger, smaller) = if a > b { (a, b) } else { (b, a) };
    if larger == f64::NEG_INFINITY { larger } else { larger + (smaller - larger).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_numbers() {
        assert!((ln_add(2f64.ln(), 3f64.ln()) - 5f64.ln()).abs() < 1e-15);
        assert_eq!(ln_add(f64::NEG_INFINITY, -800.0), -800.0);
        assert_eq!(ln_add(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert!((ln_add(-800.0, -800.0) - (2f64.ln() - 800.0)).abs() < 1e-12);
    }
}
