//! Reports of studies of all shapes.

use surefront::{Arm, Dual, Evaluation, Goal, Noise, Objective, Problem, Rule, Settings, Stopping, Study, Stylized};

use super::data::{DroppedArm, Milestone};
use super::*;
use crate::answer::Answer;

/// A study of made-up arms, each measured as often as `n` says.
pub fn study(arms: &[String], noise: &[Noise], n: impl Fn(usize) -> u64) -> Study {
    let objectives = noise.iter().enumerate().map(|(j, &noise)| Objective {
        name: format!("objective <{j}> & co"),
        goal: if j % 2 == 0 { Goal::Max } else { Goal::Min },
        noise,
    });
    let problem = Problem::new(objectives.collect(), arms.iter().map(Arm::named).collect()).unwrap();
    let settings = Settings {
        rule: Rule::Dual(Dual::default()),
        stopping: Stopping::Stylized(Stylized::new(0.05).unwrap()),
        check_every: 1,
        seed: 7,
        evaluation: Evaluation::Lazy,
    };
    let mut study = Study::new(problem, settings);
    // Spread over the objectives without randomness, by multiples of irrational numbers.
    let spread =
        |a: usize, b: usize| ((a + 1) as f64 * 0.618_034 + (b + 1) as f64 * 0.414_214 * (a % 7) as f64).fract();
    for arm in 0..arms.len() {
        for turn in 0..n(arm) {
            let values: Vec<f64> = noise
                .iter()
                .enumerate()
                .map(|(j, noise)| {
                    let stray = if *noise == Noise::Exact { 0.0 } else { 0.2 * (spread(turn as usize, j + arm) - 0.5) };
                    10.0 * spread(arm, j) + stray
                })
                .collect();
            study.tell(arm, &values).unwrap();
        }
    }
    study
}

pub fn data(mut study: Study) -> ReportData {
    let answer = Answer::of("a <study> & \"more\"", &mut study);
    let samples = answer.samples;
    let history = (1..=40).map(|step| Milestone {
        samples: samples * step / 41,
        evidence: 0.002 * (step * step) as f64,
        threshold: (f64::from(step as u32 * 25).ln_1p() / 0.05).ln(),
    });
    let dropped = vec![DroppedArm { name: "<gone>".into(), reason: "exit code 1".into() }];
    ReportData::new(answer, &study, history.collect(), dropped)
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|arm| format!("arm {arm} <&> \"q\"")).collect()
}

/// Every element is closed, in order, and nothing is taken from elsewhere.
fn assert_page(html: &str) {
    let html = html.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let mut open = Vec::new();
    for tag in html.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!text.contains('>') || open.last() == Some(&"style"), "{text}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split([' ', '\n']).next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for foreign in ["http:", "https:", "url(", "@import", "<script", "src=", "href=", "NaN", ">inf", " inf "] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn studies_of_every_shape_have_a_page() {
    let known = Noise::Variance(0.01);
    for (arms, noise) in [
        (2, vec![known]),
        (90, vec![known]),
        (1, vec![known; 2]),
        (5, vec![known, Noise::Exact]),
        (30, vec![Noise::Unknown; 3]),
        (12, vec![known, Noise::Exact, known, Noise::Unknown, known]),
        (20, vec![known; 8]),
        (300, vec![known; 2]),
    ] {
        let names = names(arms);
        let html = render(&data(study(&names, &noise, |arm| 3 + (arm % 5) as u64)), Format::Html);
        assert_page(&html);
        for arm in 0..arms {
            let cell = format!("arm {arm} &lt;&amp;&gt; &quot;q&quot;</th>");
            assert_eq!(html.matches(&cell).count(), 2, "{cell}");
        }
        let pairs = noise.len() * (noise.len() - 1) / 2;
        assert_eq!(html.matches(" arms in objective &lt;").count(), pairs + usize::from(noise.len() == 1));
        assert_eq!(html.contains("the better end of each axis is on top"), noise.len() > 3);
    }
}

#[test]
fn arms_without_observations_are_in_the_tables_only() {
    let html = render(&data(study(&names(4), &[Noise::Unknown; 2], |arm| [0, 1, 5, 5][arm])), Format::Html);
    assert_page(&html);
    assert!(
        html.contains("1 arm has not been measured, of 4") && html.contains("One arm has not been measured and is")
    );
    assert_eq!(html.matches("arm 0 &lt;&amp;&gt; &quot;q&quot;</th>").count(), 2);
    let nothing = render(&data(study(&names(4), &[Noise::Unknown; 2], |_| 0)), Format::Html);
    assert_page(&nothing);
    assert!(nothing.contains("Nothing has been measured yet."));
}

#[test]
fn the_figure_stands_alone() {
    for d in [1, 2, 3, 5] {
        let svg = render(&data(study(&names(9), &vec![Noise::Variance(0.01); d], |_| 4)), Format::Svg);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<style>").count(), 1);
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn the_json_has_the_answer() {
    let json: Value =
        serde_json::from_str(&render(&data(study(&names(3), &[Noise::Exact], |_| 1)), Format::Json)).unwrap();
    assert_eq!(json["answer"]["arms"][2]["name"], names(3)[2]);
    assert_eq!(json["noise"][0], "exact");
    assert_eq!(json["seed"], 7);
    assert_eq!(json["history"].as_array().unwrap().last().unwrap()["samples"], 3);
}

#[test]
fn the_format_is_that_of_the_name() {
    let of = |name: &str| Format::of_path(Path::new(name));
    assert_eq!(of("a/r.HTML"), Some(Format::Html));
    assert_eq!(of("r.md"), Some(Format::Md));
    assert_eq!(of("r.tar.json"), Some(Format::Json));
    assert_eq!(of("r.svg"), Some(Format::Svg));
    assert_eq!(of("report"), None);
    assert_eq!(of("r.pdf"), None);
}

#[test]
#[ignore]
fn dump() {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;
    let make = |file: &str,
                name: &str,
                arms: Vec<String>,
                objectives: Vec<Objective>,
                means: Vec<Vec<f64>>,
                sd: f64,
                most: u64| {
        let problem = Problem::new(objectives, arms.iter().map(Arm::named).collect()).unwrap();
        let settings = Settings {
            rule: Rule::Dual(Dual::default()),
            stopping: Stopping::Stylized(Stylized::new(0.1).unwrap()),
            check_every: 1,
            seed: 7,
            evaluation: Evaluation::Lazy,
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut study = Study::new(problem.clone(), settings);
        let mut history = Vec::new();
        let mut next = 1;
        while !study.stopped() && study.tally().total() < most {
            let arm = study.ask();
            let values: Vec<f64> = means[arm]
                .iter()
                .enumerate()
                .map(|(j, m)| {
                    let z: f64 = rng.sample(StandardNormal);
                    let s = match problem.noise(arm, j) {
                        Noise::Exact => 0.0,
                        Noise::Variance(v) => v.sqrt(),
                        _ => sd,
                    };
                    m + s * z
                })
                .collect();
            study.tell(arm, &values).unwrap();
            let t = study.tally().total();
            if t >= next {
                let p = study.verdict().progress;
                history.push(Milestone { samples: t, evidence: p.evidence, threshold: p.threshold });
                next = t + t / 100 + 1;
            }
        }
        let p = study.verdict().progress;
        history.push(Milestone { samples: study.tally().total(), evidence: p.evidence, threshold: p.threshold });
        let answer = Answer::of(name, &mut study);
        let data = ReportData::new(answer, &study, history, vec![]);
        for ext in ["html", "md", "svg", "json"] {
            write(Path::new(&format!("/tmp/rep/{file}.{ext}")), &data).unwrap();
        }
    };
    std::fs::create_dir_all("/tmp/rep").unwrap();
    let file = crate::study_file::StudyFile::read(Path::new("data/vaccine.toml")).unwrap();
    let problem = file.problem().unwrap();
    let model = file.model(&problem).unwrap();
    let means: Vec<Vec<f64>> = (0..20).map(|a| model.in_units(&problem, a)).collect();
    let names: Vec<String> = problem.arms().iter().map(|a| a.name.clone()).collect();
    make("vaccine", "vaccine boosters", names.clone(), problem.objectives().to_vec(), means.clone(), 1.0, 1_000_000);
    make("vaccine-early", "vaccine boosters", names, problem.objectives().to_vec(), means, 1.0, 1500);
    let ob = |name: &str, goal, noise| Objective { name: name.into(), goal, noise };
    let tools: Vec<String> =
        ["gzip -1", "gzip -6", "gzip -9", "bzip2 -1", "bzip2 -9", "xz -0", "xz -3", "xz -6", "xz -9"]
            .map(String::from)
            .to_vec();
    make(
        "compress",
        "Which compressor?",
        tools,
        vec![ob("seconds", Goal::Min, Noise::Unknown), ob("bytes", Goal::Min, Noise::Exact)],
        vec![
            vec![0.021, 4_120_332.0],
            vec![0.05, 3_720_100.0],
            vec![0.09, 3_690_442.0],
            vec![0.16, 3_500_000.0],
            vec![0.17, 3_390_000.0],
            vec![0.08, 3_450_120.0],
            vec![0.19, 3_300_003.0],
            vec![0.41, 3_130_201.0],
            vec![0.43, 3_130_201.0],
        ],
        0.006,
        3000,
    );
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for (k, d, most) in [
        (8usize, 1usize, 4000u64),
        (1000, 2, 60_000),
        (1000, 8, 3_000),
        (30, 5, 4000),
        (12, 8, 3000),
        (2, 2, 1000),
        (40, 4, 3000),
    ] {
        let arms: Vec<String> = (0..k)
            .map(|i| {
                if k == 12 {
                    format!("a configuration with a very long name --threads={i} --level=max --dictionary=64M")
                } else {
                    format!("variant {i}")
                }
            })
            .collect();
        let objectives = (0..d)
            .map(|j| {
                ob(
                    [
                        "accuracy",
                        "latency (ms)",
                        "memory",
                        "price per thousand requests",
                        "carbon",
                        "robustness under attack",
                        "fairness",
                        "hours",
                    ][j],
                    if [0, 5, 6].contains(&j) { Goal::Max } else { Goal::Min },
                    Noise::Variance(1.0),
                )
            })
            .collect();
        let means = (0..k)
            .map(|_| {
                (0..d)
                    .map(|_| {
                        let z: f64 = rng.sample(StandardNormal);
                        2.0 * z
                    })
                    .collect()
            })
            .collect();
        make(&format!("k{k}d{d}"), &format!("{k} arms, {d} objectives"), arms, objectives, means, 1.0, most);
    }
}
