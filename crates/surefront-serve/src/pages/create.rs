//! Makes a study that is measured by hand or over HTTP: what is typed becomes a study file without commands. Before it is made, it can
//! be asked how many samples it will take.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State as Extracted;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use surefront_lab::replication::{Plan, PlanOptions, Planner};
use surefront_lab::{LabError, Observer, Steps};
use surefront_study::file::study::StudyFile;
use surefront_study::plot::escaped;
use surefront_study::words::number::{grouped, samples, short};

use super::forms::Fields;
use super::layout::Layout;
use crate::address::of_study;
use crate::desk::value;
use crate::problem::Problem;
use crate::state::State;
use crate::studies::checked;

/// Objectives that the form has room for.
const OBJECTIVES: usize = 4;
/// Simulated studies, for how much the number of samples varies.
const RUNS: u64 = 20;
/// A simulated study that takes more samples is given up.
const MOST_SAMPLES: u64 = 200_000;
/// With more arms, planning takes longer than somebody waits for a page.
const MOST_ARMS: usize = 200;
/// After this the plan is what it is by then.
const TIME: Duration = Duration::from_secs(6);

/// How the noise of an objective is known, as the form has it: its name, and in words.
const NOISE: [(&str, &str); 5] = [
    ("unknown", "as the measurements tell"),
    ("variance", "a known variance"),
    ("bernoulli", "success or failure: 1 or 0"),
    ("poisson", "counts"),
    ("exact", "none: one measurement tells"),
];

/// The goal of what is not optimised, as the form has it.
const LIMITED: &str = "limited";

/// `GET /new`
pub async fn page(Extracted(state): Extracted<Arc<State>>) -> Result<Html<String>, Problem> {
    folder(&state)?;
    Ok(form(&Fields::default(), ""))
}

/// `POST /new`
pub async fn create(Extracted(state): Extracted<Arc<State>>, bytes: Bytes) -> Result<Response, Problem> {
    let folder = folder(&state)?.to_owned();
    let fields = Fields::read(&bytes)?;
    let again = |problem: &Problem| {
        let message = format!("<p class=\"alert\" role=\"alert\">{}</p>\n", escaped(problem.detail()));
        Ok((problem.status(), form(&fields, &message)).into_response())
    };
    let (id, text) = match written(&fields) {
        Ok(written) => written,
        Err(problem) => return again(&problem),
    };
    if fields.get("do") == "plan" {
        let planned = tokio::task::spawn_blocking(move || plan(&id, &text)).await;
        return match planned.map_err(|_| Problem::ours("the plan cannot be made"))? {
            Ok(sentences) => {
                let lines: String = sentences.iter().map(|line| format!("<p>{}</p>\n", escaped(line))).collect();
                Ok(form(
                    &fields,
                    &format!(
                        "<section class=\"answer\" role=\"status\">\n<h2>What it will take</h2>\n{lines}</section>\n"
                    ),
                )
                .into_response())
            }
            Err(problem) => again(&problem),
        };
    }
    let path = folder.join(format!("{id}.toml"));
    // Only a file that is new: nothing is overwritten, whoever was faster.
    let made = OpenOptions::new().write(true).create_new(true).open(&path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    match made {
        Ok(()) => Ok(Redirect::to(&of_study(&id)).into_response()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => again(&Problem::new(
            StatusCode::CONFLICT,
            format!("there is a file {id}.toml already: choose another name"),
        )),
        Err(error) => again(&Problem::ours(format!("the study file cannot be written ({error})"))),
    }
}

fn folder(state: &State) -> Result<&std::path::Path, Problem> {
    state.studies.folder().ok_or_else(|| Problem::missing("this server has single studies and no folder for new ones"))
}

/// The study's id and the text of its file, checked as every study file is.
fn written(fields: &Fields) -> Result<(String, String), Problem> {
    let id = fields.get("id");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if checked(id).is_none() || !id.chars().all(plain) {
        return Err(Problem::unfit(
            "the short name is made of letters, digits, - and _: it becomes the file's name and a part of the address",
        ));
    }
    let mut text = String::new();
    if !fields.get("name").is_empty() {
        let _ = writeln!(text, "name = {}", quoted(fields.get("name")));
    }
    if !fields.get("delta").is_empty() {
        let _ = writeln!(text, "delta = {}", number(fields.get("delta"), "the accepted chance of error")?);
    }
    // Whether it is only limited, and its table.
    let mut tables: Vec<(bool, String)> = Vec::new();
    for row in 0..OBJECTIVES {
        let field = |name: &str| fields.get(&format!("{name}{row}"));
        if field("objective").is_empty() {
            continue;
        }
        let (name, is_limited) = (field("objective"), field("goal") == LIMITED);
        let mut table = String::new();
        let _ = if is_limited {
            writeln!(table, "\n[[constraint]]\nname = {}", quoted(name))
        } else {
            writeln!(table, "\n[[objective]]\nname = {}\ngoal = {}", quoted(name), quoted(field("goal")))
        };
        if !field("margin").is_empty() {
            let _ = writeln!(table, "margin = {}", margin(field("margin"), name)?);
        }
        for limit in ["at_least", "at_most"] {
            if !field(limit).is_empty() {
                let _ = writeln!(table, "{limit} = {}", number(field(limit), &format!("the limit of {name}"))?);
            }
        }
        match field("noise") {
            "unknown" | "" => {}
            "variance" => {
                let _ =
                    writeln!(table, "variance = {}", number(field("variance"), &format!("the variance of {name}"))?);
            }
            kind => {
                let _ = writeln!(table, "noise = {}", quoted(kind));
            }
        }
        tables.push((is_limited, table));
    }
    // In a study file, what is only limited comes after the objectives, and so do its means.
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(|&row| tables[row].0);
    order.iter().for_each(|&row| text += &tables[row].1);
    for line in fields.get("arms").lines().filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let _ = writeln!(text, "\n[[arm]]\nname = {}", quoted(name));
        let means: Vec<String> =
            parts.map(|part| number(part, &format!("a guessed mean of {name}"))).collect::<Result<_, _>>()?;
        if !means.is_empty() && means.len() != tables.len() {
            return Err(Problem::unfit(format!("{name}: guess one mean for each objective, or none")));
        }
        if !means.is_empty() {
            let means: Vec<&str> = order.iter().map(|&row| means[row].as_str()).collect();
            let _ = writeln!(text, "mean = [{}]", means.join(", "));
        }
    }
    StudyFile::built_in(id, &text)?.learning_problem()?;
    Ok((id.to_owned(), text))
}

/// A number as TOML has it.
fn number(text: &str, what: &str) -> Result<String, Problem> {
    match value(text).filter(|value| value.is_finite()) {
        Some(value) => Ok(format!("{value:?}")),
        None => Err(Problem::unfit(format!("{what} is \"{text}\": write a number such as 0.1"))),
    }
}

/// A difference that does not matter, as study files have it: a number, or a part of the mean.
fn margin(text: &str, name: &str) -> Result<String, Problem> {
    if text.ends_with('%') { Ok(quoted(text)) } else { number(text, &format!("the margin of {name}")) }
}

/// A text as TOML has it: whatever it holds, it stays a text.
fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).expect("a text is valid JSON");
    json.replace('\u{7f}', "\\u007f")
}

/// What `surefront plan` says, in a few sentences.
fn plan(id: &str, text: &str) -> Result<Vec<String>, Problem> {
    let file = StudyFile::built_in(id, text)?;
    let problem = file.problem()?;
    let guess = file.model(&problem)?;
    if problem.arm_count() > MOST_ARMS {
        return Err(Problem::unfit(format!(
            "a plan for more than {MOST_ARMS} arms takes long: make it with the program"
        )));
    }
    let delta = file.delta.unwrap_or(0.1);
    let options = PlanOptions {
        study: id.to_owned(),
        deltas: vec![delta],
        runs: RUNS,
        max_samples: MOST_SAMPLES,
        jobs: Some(1),
        ..PlanOptions::default()
    };
    let unfit = |error: LabError| Problem::unfit(error.to_string());
    let late = Arc::new(AtomicBool::new(false));
    let clock = Arc::clone(&late);
    thread::spawn(move || {
        thread::sleep(TIME);
        clock.store(true, Ordering::Relaxed);
    });
    let planner = Planner::new(&problem, &guess, &options).map_err(unfit)?;
    let plan = planner.run(&Silent, &late).map_err(unfit)?;
    Ok(sentences(&plan, delta))
}

fn sentences(plan: &Plan, delta: f64) -> Vec<String> {
    let front: Vec<&str> = plan.front.iter().map(|arm| arm.name.as_str()).collect();
    let mut said = vec![format!("If the means are as guessed, the front is {}.", front.join(", "))];
    for outlook in &plan.outlooks {
        said.push(match &outlook.simulated {
            Some(simulated) if simulated.mean.is_finite() => format!(
                "At δ = {}: about {} samples with the {} threshold, on average over {} simulated studies; the best that can be is about {}.",
                short(delta),
                samples(simulated.mean),
                plan.threshold,
                grouped(simulated.runs),
                samples(outlook.samples_expected)
            ),
            _ => format!("At δ = {}: at best about {} samples.", short(delta), samples(outlook.samples_expected)),
        });
    }
    if let Some(driver) = plan.drivers.first() {
        said.push(format!(
            "Most of it goes into telling {} from {} in {}: a difference of {}.",
            driver.arm.name,
            driver.told_from(),
            driver.objective.name,
            short(driver.difference)
        ));
    }
    said
}

/// Nobody watches it.
struct Silent;

impl Observer for Silent {
    fn begin(&self, _: u64, _: Steps) {}
    fn advance(&self, _: u64) {}
    fn message(&self, _: &str) {}
    fn end(&self) {}
}

fn form(fields: &Fields, message: &str) -> Html<String> {
    let value = |name: &str| escaped(fields.get(name));
    let mut objectives = String::new();
    for row in 0..OBJECTIVES {
        let of = |name: &str| format!("{name}{row}");
        let option = |name: &str, known: &str, words: &str| {
            let selected = if fields.get(name) == known { " selected" } else { "" };
            format!("<option value=\"{known}\"{selected}>{words}</option>")
        };
        let mut goals = option(&of("goal"), "max", "more is better") + &option(&of("goal"), "min", "less is better");
        // The first one is what counts.
        if row > 0 {
            goals += &option(&of("goal"), LIMITED, "it only has to keep its limits");
        }
        let noise: String = NOISE.iter().map(|(known, words)| option(&of("noise"), known, words)).collect();
        let required = if row == 0 { " required" } else { "" };
        let _ = writeln!(
            objectives,
            "<fieldset><legend>Objective {}</legend>\n<p><label for=\"objective{row}\">Name</label>\n<input id=\"objective{row}\" name=\"objective{row}\" value=\"{}\"{required}></p>\n\
             <p><label for=\"goal{row}\">Goal</label>\n<select id=\"goal{row}\" name=\"goal{row}\">{goals}</select></p>\n\
             <p><label for=\"noise{row}\">Noise</label>\n<select id=\"noise{row}\" name=\"noise{row}\">{noise}</select></p>\n\
             <p><label for=\"variance{row}\">Variance, if it is known</label>\n<input id=\"variance{row}\" name=\"variance{row}\" inputmode=\"decimal\" value=\"{}\"></p>\n\
             <p><label for=\"margin{row}\">Differences that do not matter, up to</label>\n<input id=\"margin{row}\" name=\"margin{row}\" value=\"{}\" placeholder=\"none; 0.5 or 2 %\"></p>\n\
             <p><label for=\"at_least{row}\">An arm is not wanted with less than</label>\n<input id=\"at_least{row}\" name=\"at_least{row}\" inputmode=\"decimal\" value=\"{}\"></p>\n\
             <p><label for=\"at_most{row}\">An arm is not wanted with more than</label>\n<input id=\"at_most{row}\" name=\"at_most{row}\" inputmode=\"decimal\" value=\"{}\"></p></fieldset>",
            row + 1,
            value(&of("objective")),
            value(&of("variance")),
            value(&of("margin")),
            value(&of("at_least")),
            value(&of("at_most"))
        );
    }
    let delta = if fields.get("delta").is_empty() { "0.1".to_owned() } else { value("delta") };
    let body = format!(
        "<header><h1>Make a study</h1></header>\n{message}<form method=\"post\" action=\"/new\">\n\
         <div class=\"values\">\n<p><label for=\"id\">Short name</label>\n<input id=\"id\" name=\"id\" value=\"{}\" required pattern=\"[A-Za-z0-9_\\-]+\" maxlength=\"100\" aria-describedby=\"id-note\"></p>\n\
         <p><label for=\"name\">Title</label>\n<input id=\"name\" name=\"name\" value=\"{}\" maxlength=\"200\"></p>\n\
         <p><label for=\"delta\">Accepted chance of error δ</label>\n<input id=\"delta\" name=\"delta\" value=\"{delta}\" inputmode=\"decimal\"></p>\n</div>\n\
         <p class=\"note\" id=\"id-note\">The short name becomes the file's name and a part of the address: letters, digits, - and _.</p>\n\
         <h2>What counts</h2>\n<div class=\"objectives\">\n{objectives}</div>\n\
         <h2>Arms</h2>\n<p><label for=\"arms\">One on each line; for a plan, with a guess of each mean after semicolons: <code>small; 0.9; 12.5</code></label>\n\
         <textarea id=\"arms\" name=\"arms\" rows=\"10\" required>{}</textarea></p>\n\
         <p class=\"note\">A study that is made here has no commands: it is measured by hand, or by programs that ask and tell.</p>\n\
         <p class=\"actions\"><button name=\"do\" value=\"plan\" class=\"quiet\">What will it take?</button> <button name=\"do\" value=\"make\">Make the study</button></p>\n</form>\n",
        value("id"),
        value("name"),
        value("arms")
    );
    Layout::new("Make a study", "create").page(&body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        let encoded = crate::address::encoded;
        let body: Vec<String> =
            pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        Fields::read(&Bytes::from(body.join("&"))).unwrap()
    }

    #[test]
    fn whatever_is_typed_stays_a_name() {
        let arms = "a\"\ncommand = \"touch owned\"\n]] [[arm]]\n\u{7f}\u{1}";
        let (_, text) =
            written(&fields(&[("id", "x"), ("objective0", "y\"]\nmeasure = \"z"), ("goal0", "max"), ("arms", arms)]))
                .unwrap();
        let file = StudyFile::built_in("x", &text).unwrap();
        let problem = file.learning_problem().unwrap();
        assert_eq!(problem.arms()[1].name, "command = \"touch owned\"");
        assert!((0..problem.arm_count()).all(|arm| file.command(arm).is_none()), "{text}");
        assert!(file.prepare().is_none() && file.measure(0).is_none());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |pairs: &[(&str, &str)]| written(&fields(pairs)).unwrap_err().detail().to_owned();
        let good = [("id", "x"), ("objective0", "y"), ("goal0", "max"), ("arms", "a\nb")];
        assert!(written(&fields(&good)).is_ok());
        for id in ["", "../x", "a/b", ".x", "a b", "x.toml"] {
            assert!(said(&[("id", id), good[1], good[2], good[3]]).contains("short name"), "{id}");
        }
        assert!(said(&[good[0], good[1], good[2], ("arms", "a; 1; 2\nb")]).contains("one mean for each objective"));
        assert!(said(&[good[0], good[1], good[2], ("arms", "a; x\nb")]).contains("\"x\": write a number"));
        assert!(said(&[good[0], good[1], ("goal0", "most"), good[3]]).contains("goal"));
        assert!(said(&[good[0], good[1], good[2], good[3], ("delta", "2")]).contains("2"));
        assert!(said(&[good[0], good[3]]).contains("objective"));
        assert!(said(&[good[0], good[1], good[2], good[3], ("margin0", "-1")]).contains("margin"));
    }

    #[test]
    fn margins_are_those_of_study_files() {
        let text = |margin: &str| {
            let pairs = [("id", "x"), ("objective0", "y"), ("goal0", "max"), ("margin0", margin), ("arms", "a\nb")];
            written(&fields(&pairs)).unwrap().1
        };
        assert!(text("0.5").contains("margin = 0.5\n"));
        assert!(text("2 %").contains("margin = \"2 %\"\n"));
        assert!(!text("").contains("margin"));
    }

    #[test]
    fn limits_are_those_of_study_files() {
        let pairs = [
            ("id", "x"),
            ("objective0", "gain"),
            ("goal0", "max"),
            ("objective1", "errors"),
            ("goal1", LIMITED),
            ("noise1", "bernoulli"),
            ("at_most1", "0.1"),
            ("objective2", "seconds"),
            ("goal2", "min"),
            ("at_most2", "200"),
            ("arms", "a; 5; 0.05; 150\nb"),
        ];
        let (_, text) = written(&fields(&pairs)).unwrap();
        let file = StudyFile::built_in("x", &text).unwrap();
        let problem = file.learning_problem().unwrap();
        let names: Vec<&str> = problem.objectives().iter().map(|objective| objective.name.as_str()).collect();
        assert_eq!(names, ["gain", "seconds", "errors"]);
        assert!(problem.objectives()[2].is_only_limited() && problem.has_limits());
        assert_eq!(file.means(0), Some(&[5.0, 150.0, 0.05][..]));
        let wrong = pairs.map(|(name, value)| if name == "at_most1" { (name, "low") } else { (name, value) });
        assert!(written(&fields(&wrong)).unwrap_err().detail().contains("the limit of errors"));
    }

    #[test]
    fn a_plan_names_the_front_and_the_samples() {
        let pairs = [
            ("id", "x"),
            ("objective0", "y"),
            ("goal0", "max"),
            ("noise0", "variance"),
            ("variance0", "1"),
            ("arms", "good; 2\nbad; 0"),
        ];
        let (id, text) = written(&fields(&pairs)).unwrap();
        let said = plan(&id, &text).unwrap();
        assert_eq!(said[0], "If the means are as guessed, the front is good.");
        assert!(said[1].starts_with("At δ = 0.1: about ") && said[1].contains("20 simulated studies"), "{said:?}");
    }
}
