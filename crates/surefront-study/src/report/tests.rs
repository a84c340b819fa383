//! Reports of studies of all shapes.

use surefront::{Arm, Dual, Goal, Noise, Objective, Problem, Rule, Settings, Stopping, Study, Stylized};

use super::data::{DroppedArm, Milestone};
use super::*;
use crate::answer::{Answer, Verdict};
use crate::look::Look;
use crate::words::plain::acts;

/// A study of made-up arms, each measured as often as `n` says.
pub fn study(arms: &[String], noise: &[Noise], n: impl Fn(usize) -> u64) -> Study {
    let objectives = noise.iter().enumerate().map(|(j, &noise)| {
        Objective::new(format!("objective <{j}> & co"), if j % 2 == 0 { Goal::Max } else { Goal::Min }, noise)
    });
    let problem = Problem::new(objectives.collect(), arms.iter().map(Arm::named).collect()).unwrap();
    let settings = Settings::new(Rule::Dual(Dual::default()), Stopping::Stylized(Stylized::new(0.05).unwrap())).seed(7);
    let mut study = Study::new(problem, settings).unwrap();
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
    let answer = Answer::of("a <study> & \"more\"", &mut study, &Look::default());
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
        let figures =
            html.matches(" arms in objective &lt;").count() + html.matches("\"1 arm in objective &lt;").count();
        assert_eq!(figures, pairs + usize::from(noise.len() == 1));
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

/// A page that a browser opens, however many arms there are: 74 MB before.
#[test]
fn a_hundred_thousand_arms_fit_on_a_page() {
    const ARMS: usize = 100_000;
    let names: Vec<String> = (0..ARMS).map(|arm| format!("arm number {arm}")).collect();
    let mut study = study(&names[..60], &[Noise::Variance(0.01); 2], |_| 4);
    let mut answer = Answer::of("many", &mut study, &Look::default());
    // The same arms again and again: what a page says of them does not depend on who they are.
    let some = answer.arms.clone();
    let last = some.iter().rposition(|arm| arm.verdict == Verdict::Out).unwrap();
    answer.arms.extend((some.len()..ARMS).map(|index| {
        let mut arm = some[last].clone();
        (arm.name, arm.index) = (names[index].clone(), index);
        arm.mean = arm.mean.iter().map(|mean| mean.map(|mean| mean + index as f64 * 1e-6)).collect();
        arm
    }));
    let out = answer.arms.iter().filter(|arm| arm.verdict == Verdict::Out).count();
    let data = ReportData::new(answer, &study, Vec::new(), Vec::new());
    for (format, most) in [(Format::Html, 2_000_000), (Format::Md, 500_000), (Format::Svg, 500_000)] {
        let text = render(&data, format);
        assert!(text.len() < most, "{format:?}: {}", text.len());
        assert!(format == Format::Svg || text.contains("99,000 arms that are out are not listed"), "{format:?}");
        assert!(format == Format::Md || text.contains("98,000 arms that are out are not drawn"), "{format:?}");
    }
    assert_page(&render(&data, Format::Html));
    let json: Value = serde_json::from_str(&render(&data, Format::Json)).unwrap();
    assert_eq!(json["answer"]["arms"].as_array().unwrap().len(), ARMS);
    assert!(out > 99_000);
}

#[test]
fn names_do_nothing_to_a_terminal() {
    let names = ["\u{1b}[31mred", "turned\u{202e}", "two\nlines"].map(str::to_owned);
    let data = data(study(&names, &[Noise::Variance(0.01); 2], |_| 3));
    for format in [Format::Html, Format::Md, Format::Svg] {
        let text = render(&data, format);
        assert!(!text.contains(|c| c != '\n' && acts(c)), "{format:?}");
        assert!(text.contains("u{1b}"), "{format:?}");
    }
    assert!(!data.answer.headline().contains('\u{1b}') && data.answer.headline().contains("\"two\\nlines\""));
    assert!(data.answer.arms.iter().all(|arm| !arm.reason.contains(acts)));
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
