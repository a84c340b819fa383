//! Instructions executed, counted under valgrind: the same on a busy machine as on a quiet one.
//!
//! `cargo bench --bench instructions`, once `gungraun-runner` and valgrind are installed (docs/benchmarks.md)

#![allow(missing_docs, reason = "the macros make public items")]

mod questions;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use questions::asked::{Asked, Loop};
use questions::{add_last, sphere, vaccine, vaccine_question};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{
    Dual, Evaluation, Method, Model, Oracle, Problem, Question, Rule, Settings, Stopping, Study, Stylized,
};

/// An oracle that has been asked once, so that it has its room, and ten questions.
fn spheres(method: Method, d: usize, p: usize) -> (Oracle, Vec<Question<'static>>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let questions: Vec<Question<'static>> = (0..10).map(|_| sphere(&mut rng, d, p)).collect();
    let mut oracle = Oracle::new(questions[0].problem(), method).unwrap();
    add_last(&questions[0], &mut oracle);
    (oracle, questions)
}

#[library_benchmark]
#[bench::branch_d5_p64(args = (Method::Branch, 5, 64), setup = spheres)]
#[bench::branch_d3_p512(args = (Method::Branch, 3, 512), setup = spheres)]
#[bench::sweep_d2_p512(args = (Method::Sweep, 2, 512), setup = spheres)]
fn ten_adds((mut oracle, questions): (Oracle, Vec<Question<'static>>)) -> (f64, Oracle) {
    let sum = questions.iter().map(|question| black_box(add_last(question, &mut oracle))).sum();
    (sum, oracle)
}

fn vaccine_oracle(method: Method) -> (Oracle, Question<'static>) {
    let question = vaccine_question();
    let mut oracle = Oracle::new(question.problem(), method).unwrap();
    questions::closest(&question, &mut oracle);
    (oracle, question)
}

#[library_benchmark]
#[bench::vaccine(args = (Method::Auto), setup = vaccine_oracle)]
fn closest((mut oracle, question): (Oracle, Question<'static>)) -> (f64, Oracle) {
    (black_box(questions::closest(&question, &mut oracle)), oracle)
}

#[library_benchmark]
#[bench::vaccine(vaccine())]
fn bound((problem, model): (Problem, Model)) -> (f64, Problem, Model) {
    (black_box(surefront::bound(&problem, &model, 1e-6).unwrap().upper), problem, model)
}

/// A study of the vaccine instance in which every arm has been observed once, and its source of noise.
struct VaccineLoop {
    study: Study,
    truth: Model,
    noise: Xoshiro256PlusPlus,
}

impl VaccineLoop {
    fn start(evaluation: Evaluation) -> Self {
        let (problem, truth) = vaccine();
        let settings = Settings::new(Rule::Dual(Dual::default()), Stopping::Stylized(Stylized::new(0.1).unwrap()))
            .seed(1)
            .evaluation(evaluation);
        let arms = problem.arm_count();
        let (study, noise) = (Study::new(problem, settings).unwrap(), Xoshiro256PlusPlus::seed_from_u64(2));
        let mut vaccine_loop = VaccineLoop { study, truth, noise };
        (0..arms).for_each(|_| vaccine_loop.round());
        vaccine_loop
    }

    /// Ask, measure, tell.
    fn round(&mut self) {
        let arm = self.study.ask();
        let mut values = [0.0; 3];
        let law = self.truth.row(arm).iter().zip(self.study.problem().precision(arm));
        for (value, (mean, precision)) in values.iter_mut().zip(law) {
            let drawn: f64 = self.noise.sample(StandardNormal);
            *value = mean + drawn / precision.sqrt();
        }
        self.study.tell(arm, &values).unwrap();
    }
}

#[library_benchmark]
#[bench::vaccine_lazy(args = (Evaluation::Lazy), setup = VaccineLoop::start)]
#[bench::vaccine_eager(args = (Evaluation::Eager), setup = VaccineLoop::start)]
fn two_thousand_rounds(mut vaccine_loop: VaccineLoop) -> VaccineLoop {
    (0..2000).for_each(|_| vaccine_loop.round());
    black_box(vaccine_loop)
}

/// Studies of 16 random instances.
fn loops(asked: Asked) -> Vec<Loop> {
    (1..=16).map(|seed| Loop::start(asked, seed)).collect()
}

#[library_benchmark]
#[bench::nothing(args = (Asked::Nothing), setup = loops)]
#[bench::costs(args = (Asked::Costs), setup = loops)]
#[bench::margins(args = (Asked::Margins), setup = loops)]
#[bench::limits(args = (Asked::Limits), setup = loops)]
#[bench::both(args = (Asked::Both), setup = loops)]
fn rounds_by_what_is_asked(mut loops: Vec<Loop>) -> Vec<Loop> {
    loops.iter_mut().for_each(|study| (0..3000).for_each(|_| study.round()));
    black_box(loops)
}

library_benchmark_group!(name = transport; benchmarks = ten_adds, closest);
library_benchmark_group!(name = information; benchmarks = bound);
library_benchmark_group!(name = learning; benchmarks = two_thousand_rounds, rounds_by_what_is_asked);
main!(library_benchmark_groups = transport, information, learning);
