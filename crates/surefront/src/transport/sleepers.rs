//! The pieces that sleep: for each a lower bound on its distance, and a quick way to find those within reach.

/// How many arms are passed over together when none of them is within reach.
const BLOCK: usize = 16;

/// By arm, a lower bound on the distance of adding it; infinite where there is nothing to add.
#[derive(Clone, Debug)]
pub(crate) struct Sleepers {
    distance: Vec<f64>,
    /// By block of arms: no more than the least of their distances.
    least: Vec<f64>,
}

impl Sleepers {
    /// Nothing is known of any arm.
    pub fn new(arm_count: usize) -> Self {
        Sleepers { distance: vec![0.0; arm_count], least: vec![0.0; arm_count.div_ceil(BLOCK)] }
    }

    /// The bound of `arm`.
    #[inline]
    pub fn distance(&self, arm: usize) -> f64 {
        self.distance[arm]
    }

    /// Sets the bound of `arm`.
    #[inline]
    pub fn set(&mut self, arm: usize, distance: f64) {
        self.distance[arm] = distance;
        let least = &mut self.least[arm / BLOCK];
        if distance < *least {
            *least = distance;
        }
    }

    /// Lowers the bound of `arm`.
    #[inline]
    pub fn lower(&mut self, arm: usize, by: f64) {
        self.set(arm, self.distance[arm] - by);
    }

    /// Adds the arms whose distance may be `reach` or less to `found`, with their bounds.
    pub fn within(&mut self, reach: f64, found: &mut Vec<(f64, usize)>) {
        for (block, (distances, least)) in self.distance.chunks(BLOCK).zip(&mut self.least).enumerate() {
            if *least > reach {
                continue;
            }
            *least = distances.iter().fold(f64::INFINITY, |least, &d| if d < least { d } else { least });
            if *least > reach {
                continue;
            }
            for (place, &distance) in distances.iter().enumerate() {
                if distance < f64::INFINITY && distance <= reach {
                    found.push((distance, block * BLOCK + place));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whoever_is_within_reach_is_found(
            k in 1usize..100,
            steps in prop::collection::vec((0usize..100, -2i8..5, 0u8..4), 1..200),
        ) {
            let mut sleepers = Sleepers::new(k);
            let mut plain = vec![0.0; k];
            for (arm, distance, reach) in steps {
                let (arm, reach) = (arm % k, f64::from(reach));
                if distance < 0 {
                    sleepers.lower(arm, 1.0);
                    plain[arm] -= 1.0;
                } else {
                    plain[arm] = if distance == 4 { f64::INFINITY } else { f64::from(distance) };
                    sleepers.set(arm, plain[arm]);
                }
                let mut found = Vec::new();
                sleepers.within(reach, &mut found);
                let within: Vec<_> = plain.iter().enumerate().filter(|of| *of.1 <= reach).map(|(arm, &d)| (d, arm)).collect();
                prop_assert_eq!(found, within);
            }
        }
    }
}
