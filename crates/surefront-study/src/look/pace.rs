//! When the observations of an arm are looked at, and the blocks that they are summed up in until then.

/// There are never more blocks; then two become one.
const MOST_BLOCKS: usize = 16;

/// How far an arm is: all its objectives are at the same place.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Observations in a block.
    block: u64,
    /// Observations in the block that is not full.
    begun: u64,
    /// Full blocks.
    blocks: usize,
    /// Observations.
    n: u64,
    /// Looks so far.
    looks: u32,
}

/// What one more observation brings with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Which one it is, from 1.
    pub n: f64,
    /// 1 / n.
    pub share: f64,
    /// Where the value before has both its neighbours with it and its own number is even: one by how many such values there are.
    pub middle: Option<f64>,
    /// Whether a block begins with it.
    pub begins_block: bool,
    /// Whether two blocks each become one after it.
    pub merges: bool,
    /// Which look comes after it, from 1, if there is one.
    pub look: Option<u32>,
}

impl Pace {
    /// Before the first observation.
    pub fn new() -> Self {
        Pace { block: 1, begun: 0, blocks: 0, n: 0, looks: 0 }
    }

    /// Observations so far.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// One observation more. Looks come at 8, 10, 12, 14 blocks, then at 8 of twice the size, and so on: four each time that the number doubles.
    #[inline]
    pub fn step(&mut self) -> Step {
        self.n += 1;
        let begins_block = self.begun == 0;
        self.begun += 1;
        let (mut merges, mut look) = (false, None);
        if self.begun == self.block {
            self.begun = 0;
            self.blocks += 1;
            if self.blocks == MOST_BLOCKS {
                merges = true;
                self.blocks /= 2;
                self.block *= 2;
            }
            if self.blocks >= MOST_BLOCKS / 2 && self.blocks.is_multiple_of(2) {
                self.looks += 1;
                look = Some(self.looks);
            }
        }
        let n = self.n as f64;
        let middle = (self.n > 2 && !self.n.is_multiple_of(2)).then(|| 1.0 / (self.n / 2) as f64);
        Step { n, share: 1.0 / n, middle, begins_block, merges, look }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_grow_further_apart() {
        let mut pace = Pace::new();
        let steps: Vec<Step> = (0..64).map(|_| pace.step()).collect();
        let looks: Vec<f64> = steps.iter().filter(|step| step.look.is_some()).map(|step| step.n).collect();
        assert_eq!(looks, [8.0, 10.0, 12.0, 14.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0, 48.0, 56.0, 64.0]);
        let middles: Vec<Option<f64>> = steps[..6].iter().map(|step| step.middle).collect();
        assert_eq!(middles, [None, None, Some(1.0), None, Some(0.5), None]);
        let merges: Vec<f64> = steps.iter().filter(|step| step.merges).map(|step| step.n).collect();
        assert_eq!(merges, [16.0, 32.0, 64.0]);
        let begins = steps[16..24].iter().map(|step| step.begins_block);
        assert!(begins.eq([true, false].into_iter().cycle().take(8)));
    }
}
