//! A study file to begin with: what is known of the study, and every other key as a comment.

use std::fmt::Write;

use surefront::Goal;

/// What a new study file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The study's name.
    pub name: String,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// What is measured, and whether more of it is better.
    pub objectives: Vec<(String, Goal)>,
    /// What there is to choose from.
    pub arms: Vec<String>,
    /// The command for all arms, if they are measured by one.
    pub command: Option<String>,
}

/// Comments begin here.
const MARGIN: usize = 40;

impl Draft {
    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "# What is to be decided, and how it is measured. Lines that begin with # are comments: take the # away to\n\
             # say it. docs/study-file.md explains every key, docs/noise.md the kinds of noise.\n\n",
        );
        line(&mut text, &format!("name = {}", quoted(&self.name)), "");
        line(&mut text, &format!("delta = {}", self.delta), "the accepted chance of a wrong answer");
        text.push('\n');
        match &self.command {
            Some(command) => {
                text += "# Measures every arm that has no command of its own. {name} stands for the arm's name, {level} for its\n\
                         # parameter \"level\". Its last line tells what was measured:\n";
                let _ = writeln!(text, "#   {}", self.example_line());
                line(&mut text, &format!("command = {}", quoted(command)), "");
            }
            None => {
                text += "# A command that measures every arm, if there is one; without it, ask what to measure, and tell what was\n\
                         # measured. Its last line tells what was measured:\n";
                let _ = writeln!(text, "#   {}", self.example_line());
                line(&mut text, "# command = \"./measure.sh {name} {level}\"", "");
            }
        }
        for (key, why) in [
            ("prepare = \"make build\"", "runs before each measurement"),
            ("timeout = \"10m\"", "a command that takes longer is ended"),
            ("jobs = 1", "commands side by side"),
            ("warmup = 0", "runs of a command before its first measurement"),
            ("max_samples = 10000", "`run` stops there, sure or not"),
            ("correlation = \"estimate\"", "if the objectives of a measurement vary together"),
            ("cost = \"measured\"", "a measurement costs the time that it takes"),
            ("arms = \"arms.csv\"", "the arms in a file, in place of the [[arm]] tables below"),
        ] {
            line(&mut text, &format!("# {key}"), why);
        }
        for (place, (name, goal)) in self.objectives.iter().enumerate() {
            text += "\n[[objective]]\n";
            line(&mut text, &format!("name = {}", quoted(name)), "");
            let (goal, why) = match goal {
                Goal::Max => ("max", "more is better"),
                Goal::Min => ("min", "less is better"),
            };
            line(&mut text, &format!("goal = \"{goal}\""), why);
            if place == 0 {
                for (key, why) in [
                    ("variance = 0.04", "of one measurement; left out, it is learned"),
                    ("noise = \"bernoulli\"", "or \"poisson\", \"exponential\", \"bounded\", \"exact\""),
                    ("range = [0, 1]", "with \"bounded\": no value is outside"),
                    ("statistic = \"median\"", "what is compared, if not the mean; or \"p95\""),
                    ("margin = 0.1", "differences up to this do not matter; or \"2 %\""),
                    match goal {
                        "max" => {
                            ("at_least = 1.2", "an arm with less is not wanted at all; with goal \"min\", at_most")
                        }
                        _ => ("at_most = 200", "an arm with more is not wanted at all; with goal \"max\", at_least"),
                    },
                    ("of = { revenue = 1, cost = -1 }", "a weighted sum of what the command prints"),
                    ("unit = \"ms\"", "shown on screens, in figures and in reports"),
                    ("measure = \"wall_seconds\"", "or \"user_seconds\", \"max_rss_bytes\": of the command"),
                ] {
                    line(&mut text, &format!("# {key}"), why);
                }
            }
        }
        text += "\n# Measured with every observation, and not optimised: it only has to keep its limits.\n";
        for (key, why) in [
            ("[[constraint]]", ""),
            ("name = \"temperature\"", "with noise, variance and unit as of an objective"),
            ("at_least = 10", "at least one of the two"),
            ("at_most = 30", ""),
        ] {
            line(&mut text, &format!("# {key}"), why);
        }
        for (place, name) in self.arms.iter().enumerate() {
            text += "\n[[arm]]\n";
            line(&mut text, &format!("name = {}", quoted(name)), "");
            if place == 0 {
                let means = vec!["1.5"; self.objectives.len()].join(", ");
                let variances = vec!["0.04"; self.objectives.len()].join(", ");
                for (key, why) in [
                    (format!("mean = [{means}]"), "what is expected, to plan and to simulate"),
                    (format!("variance = [{variances}]"), "this arm's own"),
                    ("cost = 12".to_owned(), "of one measurement; left out, it is 1"),
                    ("command = \"./measure-this.sh\"".to_owned(), "this arm's own"),
                    ("parameters = { level = 9 }".to_owned(), "what {level} in the command for all arms stands for"),
                ] {
                    line(&mut text, &format!("# {key}"), why);
                }
            }
        }
        text += "\n# In place of the [[arm]] tables: an arm for each combination of these.\n# [grid]\n# level = [1, 6, 9]\n# threads = [1, 4]\n";
        text
    }

    /// What a command prints.
    fn example_line(&self) -> String {
        let entry = |(name, _): &(String, Goal)| format!("{}: 1.5", quoted(name));
        format!("{{{}}}", self.objectives.iter().map(entry).collect::<Vec<_>>().join(", "))
    }
}

/// A line with what it means beside it.
fn line(text: &mut String, key: &str, why: &str) {
    let _ = match why {
        "" => writeln!(text, "{key}"),
        why => writeln!(text, "{key:MARGIN$}{}# {why}", if key.len() < MARGIN { "" } else { "  " }),
    };
}

/// A text as TOML has it: JSON's, but for one character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::super::{StudyFile, keys};
    use super::*;

    fn draft() -> Draft {
        Draft {
            name: "a \"study\"\u{7f}\n".to_owned(),
            delta: 0.05,
            objectives: vec![("seconds".to_owned(), Goal::Min), ("a \\ b".to_owned(), Goal::Max)],
            arms: vec!["A".to_owned(), "B \"b\"".to_owned()],
            command: Some("./measure.sh {name}".to_owned()),
        }
    }

    #[test]
    fn it_is_a_study_file() {
        for command in [draft().command, None] {
            let text = Draft { command: command.clone(), ..draft() }.text();
            let study = StudyFile::built_in("s.toml", &text).unwrap();
            assert_eq!((study.name.as_str(), study.delta), ("a \"study\"\u{7f}\n", Some(0.05)));
            let problem = study.learning_problem().unwrap();
            assert_eq!((problem.arms()[1].name.as_str(), problem.objectives()[1].name.as_str()), ("B \"b\"", "a \\ b"));
            assert_eq!(study.command(0).map(ToString::to_string), command.map(|_| "./measure.sh A".to_owned()));
        }
    }

    /// So that nobody has to look elsewhere for what can be written.
    #[test]
    fn every_key_is_there_or_in_a_comment() {
        for text in [draft().text(), Draft { command: None, ..draft() }.text()] {
            for (table, known) in keys::ALL {
                for key in known {
                    let there = text.lines().any(|line| {
                        let line = line.trim_start_matches("# ");
                        line.starts_with(&format!("{key} = "))
                            || line == format!("[[{key}]]")
                            || line == format!("[{key}]")
                    });
                    assert!(there, "a new study file does not have the key `{key}` of {table}");
                }
            }
        }
    }

    #[test]
    fn comments_are_true_once_their_mark_is_taken_away() {
        let text = draft().text();
        let said: Vec<&str> = text
            .lines()
            .map(|line| {
                let said = |rest: &&str| (rest.contains(" = ") && !rest.contains(':')) || *rest == "[[constraint]]";
                line.strip_prefix("# ").filter(said).unwrap_or(line)
            })
            // These say something else of the same.
            .filter(|line| {
                ![
                    "arms",
                    "range",
                    "variance",
                    "level",
                    "threads",
                    "measure ",
                    "noise",
                    "command = \"./measure-this",
                    "cost",
                    "correlation",
                    "statistic",
                    "mean ",
                ]
                .iter()
                .any(|key| line.starts_with(key))
            })
            .collect();
        StudyFile::built_in("s.toml", &said.join("\n")).unwrap_or_else(|error| panic!("{error}\n{}", said.join("\n")));
    }
}
