use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::*;
fn main() {
    let k = 20;
    for median in [true, false] {
        let o = if median {
            Objective::new("x", Goal::Max, Noise::Any).with_statistic(Statistic::MEDIAN)
        } else {
            Objective::new("x", Goal::Max, Noise::Variance(1.0))
        };
        let problem = Problem::new(vec![o], (0..k).map(|a| Arm::named(format!("{a}"))).collect()).unwrap();
        let settings = Settings::new(
            RuleKind::Weakest.rule(&problem, 0.1).unwrap(),
            StoppingKind::Certified.stopping(0.1).unwrap(),
        );
        let mut study = Study::new(problem, settings).unwrap();
        let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(1);
        while !study.stopped() {
            let a = study.ask();
            let v = -0.5 * a as f64 + rng.sample::<f64, _>(StandardNormal);
            study.tell(a, &[v]).unwrap();
            if study.tally().total() % 100 == 0 {
                let w = study.verdict().progress;
                print!("{}:{:.2}/{:.1}({:.2}) ", study.tally().total(), w.evidence, w.threshold, w.fraction);
            }
        }
        println!(
            "\n{median} {} lesson {:?} {:?}",
            study.tally().total(),
            study.record().lesson(),
            (0..k).map(|a| study.tally().count(a)).collect::<Vec<_>>()
        );
        for a in study.assessment().arms.iter().take(20) {
            print!("{:.1}/{:.1} ", a.evidence, a.threshold);
        }
        println!();
    }
}
