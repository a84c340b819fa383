//! Everything that can be wrong with an input: one sentence, exit code 2.

use super::{Place, STUDY, refusal, transcript};

#[test]
fn study_files() {
    let change = |from: &str, to: &str| {
        assert!(STUDY.contains(from), "{from}");
        STUDY.replacen(from, to, 1)
    };
    let (head, arms) = STUDY.split_at(STUDY.find("[[arm]]").unwrap());
    let cases = [
        ("empty file", String::new()),
        ("only a comment", "# nothing\n".to_owned()),
        ("not TOML", change("delta = 0.05", "delta 0.05")),
        ("key twice", change("delta = 0.05", "delta = 0.05\ndelta = 0.1")),
        ("unknown key", change("delta", "detla")),
        ("unknown key of an objective", change("variance = 0.04", "varience = 0.04")),
        ("unknown key of an arm", change("mean = [0.9, 30]", "means = [0.9, 30]")),
        ("unknown key like no other", change("delta = 0.05", "colour = 3")),
        ("misspelt name", change("name = \"fine\"", "nam = \"fine\"")),
        ("no name", change("name = \"fine\"\n", "")),
        ("empty name", change("\"fine\"", "\" \"")),
        ("name of another type", change("\"fine\"", "3")),
        ("two arms of one name", change("\"coarse\"", "\"fine\"")),
        ("two objectives of one name", change("\"bytes\"", "\"quality\"")),
        ("no objectives", format!("name = \"x\"\n{arms}")),
        ("objective as a table", format!("objective = 3\n{arms}")),
        ("no goal", change("goal = \"max\"\n", "")),
        ("unknown goal", change("\"max\"", "\"maximum\"")),
        ("negative variance", change("variance = 4", "variance = -4")),
        ("infinite variance", change("variance = 4", "variance = inf")),
        ("variance as text", change("variance = 4", "variance = \"4\"")),
        ("variance out of range", change("variance = 4", "variance = 1e99")),
        ("no variance", change("variance = 4\n", "")),
        ("unknown noise", change("variance = 4", "noise = \"loud\"")),
        ("exact with a variance", change("variance = 4", "variance = 4\nnoise = \"exact\"")),
        ("bernoulli with a variance", change("variance = 4", "variance = 4\nnoise = \"bernoulli\"")),
        (
            "a mean that is no rate",
            change("variance = 0.04", "noise = \"bernoulli\"").replace("[0.5, 10]", "[1.5, 10]"),
        ),
        ("a negative mean count", change("variance = 0.04", "noise = \"poisson\"").replace("[0.5, 10]", "[-1, 10]")),
        ("no time at all", change("variance = 0.04", "noise = \"exponential\"").replace("[0.5, 10]", "[0, 10]")),
        (
            "an arm's variance of a success",
            change("variance = 0.04", "noise = \"bernoulli\"").replace("[0.5, 10]", "[0.5, 10]\nvariance = [1, 0]"),
        ),
        ("a quantile that is none", change("variance = 4", "statistic = \"p0\"")),
        ("the largest of all", change("variance = 4", "statistic = \"p100\"")),
        ("a negative margin", change("variance = 4", "variance = 4\nmargin = -0.5")),
        ("a margin that is no number", change("variance = 4", "variance = 4\nmargin = nan")),
        ("a margin of all of the mean", change("variance = 4", "variance = 4\nmargin = \"100 %\"")),
        ("a margin in words", change("variance = 4", "variance = 4\nmargin = \"small\"")),
        ("a margin of a rate", change("variance = 4", "noise = \"bernoulli\"\nmargin = 0.1")),
        ("unknown statistic", change("variance = 4", "statistic = \"mode\"")),
        ("statistic as a number", change("variance = 4", "statistic = 95")),
        ("the median of what is exact", change("variance = 4", "noise = \"exact\"\nstatistic = \"median\"")),
        ("unknown measure", change("variance = 4", "measure = \"cpu\"")),
        ("measure as a number", change("variance = 4", "measure = 4")),
        ("no arms", head.to_owned()),
        ("arms twice", format!("arms = \"arms.csv\"\n{STUDY}")),
        ("arms file missing", format!("arms = \"none.csv\"\n{head}")),
        ("no mean", change("mean = [0.5, 10]\n", "")),
        ("too few means", change("[0.5, 10]", "[0.5]")),
        ("mean as a number", change("[0.5, 10]", "0.5")),
        ("text among the means", change("[0.5, 10]", "[0.5, \"ten\"]")),
        ("mean is NaN", change("[0.5, 10]", "[0.5, nan]")),
        ("mean overflows", change("[0.5, 10]", "[0.5, 1e999]")),
        ("mean out of range", change("[0.5, 10]", "[0.5, 1e99]")),
        ("too many variances", change("[0.5, 10]", "[0.5, 10]\nvariance = [1, 2, 3]")),
        ("an arm's negative variance", change("[0.5, 10]", "[0.5, 10]\nvariance = [1, -2]")),
        ("command as a number", change("[0.5, 10]", "[0.5, 10]\ncommand = 3")),
        ("empty command", change("[0.5, 10]", "[0.5, 10]\ncommand = []")),
        ("a cost of zero", change("[0.5, 10]", "[0.5, 10]\ncost = 0")),
        ("a negative cost", change("[0.5, 10]", "[0.5, 10]\ncost = -2")),
        ("a cost that is NaN", change("[0.5, 10]", "[0.5, 10]\ncost = nan")),
        ("an infinite cost", change("[0.5, 10]", "[0.5, 10]\ncost = inf")),
        ("a cost as text", change("[0.5, 10]", "[0.5, 10]\ncost = \"measured\"")),
        ("a cost of the study", change("delta = 0.05", "cost = 3")),
        ("a cost of the study in a word", change("delta = 0.05", "cost = \"time\"")),
        ("costs to be measured, which are needed", change("delta = 0.05", "cost = \"measured\"")),
        (
            "a cost beside measured ones",
            change("delta = 0.05", "cost = \"measured\"").replace("[0.5, 10]", "[0.5, 10]\ncost = 2"),
        ),
        ("a correlation of one row", change("delta = 0.05", "correlation = [[1, 0.5]]")),
        ("a correlation with a short row", change("delta = 0.05", "correlation = [[1, 0.5], [0.5]]")),
        ("a correlation that is not symmetric", change("delta = 0.05", "correlation = [[1, 0.5], [0.4, 1]]")),
        ("a correlation with something else on the diagonal", change("delta = 0.05", "correlation = [[2, 0], [0, 1]]")),
        ("a correlation above one", change("delta = 0.05", "correlation = [[1, 1.5], [1.5, 1]]")),
        ("a correlation of one", change("delta = 0.05", "correlation = [[1, 1], [1, 1]]")),
        ("a correlation that is NaN", change("delta = 0.05", "correlation = [[1, nan], [nan, 1]]")),
        ("a correlation of another type", change("delta = 0.05", "correlation = true")),
        ("a correlation in a word", change("delta = 0.05", "correlation = \"strong\"")),
        ("a correlation to be estimated", change("delta = 0.05", "correlation = \"estimate\"")),
        (
            "a correlation with an exact objective",
            change("delta = 0.05", "correlation = [[1, 0.5], [0.5, 1]]").replace("variance = 4", "noise = \"exact\""),
        ),
        (
            "a correlation with counts",
            change("delta = 0.05", "correlation = [[1, 0.5], [0.5, 1]]").replace("variance = 4", "noise = \"poisson\""),
        ),
        ("delta 0", change("delta = 0.05", "delta = 0")),
        ("delta 1", change("delta = 0.05", "delta = 1")),
        ("delta too small", change("delta = 0.05", "delta = 1e-320")),
        ("delta NaN", change("delta = 0.05", "delta = nan")),
        ("delta as text", change("delta = 0.05", "delta = \"5 %\"")),
    ];
    insta::assert_snapshot!(transcript(
        cases.map(|(title, study)| { (title, refusal(&Place::new().with("s.toml", study), &["transport", "s.toml"])) })
    ));
}

#[test]
fn arms_files() {
    let head = STUDY.split_once("[[arm]]").unwrap().0;
    let study = format!("arms = \"arms.csv\"\n{head}");
    let cases = [
        ("empty", ""),
        ("no rows", "arm,quality,bytes\n"),
        ("no column of arms", "quality,bytes\n1,2\n"),
        ("semicolons", "arm;quality;bytes\na;1;2\n"),
        ("missing column", "arm,quality\na,1\n"),
        ("unknown column", "arm,qualty,bytes\na,1,2\n"),
        ("column twice", "arm,quality,bytes,bytes\na,1,2,3\n"),
        ("no means at all", "arm,command\na,./a\n"),
        ("short row", "arm,quality,bytes\na,1,2\nb,1\n"),
        ("text for a number", "arm,quality,bytes\na,1,2\n\nb,good,2\n"),
        ("empty cell", "arm,quality,bytes\na,,2\n"),
        ("NaN", "arm,quality,bytes\na,NaN,2\n"),
        ("too large", "arm,quality,bytes\na,1e999,2\n"),
        ("no name", "arm,quality,bytes\n,1,2\n"),
        ("same name", "arm,quality,bytes\na,1,2\nb,1,2\na,1,2\n"),
        ("empty command", "arm,quality,bytes,command\na,1,2,\n"),
    ];
    let mut messages: Vec<_> = cases
        .into_iter()
        .map(|(title, csv)| {
            let place = Place::new().with("s.toml", &study).with("arms.csv", csv);
            (title, refusal(&place, &["transport", "s.toml"]))
        })
        .collect();
    let place = Place::new().with("s.toml", study.replace("\"bytes\"", "\"command\"")).with("arms.csv", "arm\na\n");
    messages.push(("objective named like a column", refusal(&place, &["transport", "s.toml"])));
    insta::assert_snapshot!(transcript(messages));
}

#[test]
fn weights_files() {
    let cases = [
        ("empty", ""),
        ("something else", "hello\n"),
        ("too few", "1\n2\n"),
        ("too many", "1\n2\n3\n4\n"),
        ("negative", "1\n-2\n3\n"),
        ("all zero", "0\n0\n0\n"),
        ("text", "1\ntwo\n3\n"),
        ("infinite", "1\n2\ninf\n"),
        ("JSON too short", "[1, 2]"),
        ("JSON with a negative", "[1, 2, -3]"),
        ("JSON with text", "[1, 2, \"3\"]"),
        ("JSON cut short", "[1, 2,\n"),
        ("unknown column", "arm,wieght\nfine,1\n"),
        ("missing arm", "arm,weight\nfine,1\ncoarse,2\n"),
        ("unknown arm", "arm,weight\nfine,1\ncorse,2\nclumsy,3\n"),
        ("arm twice", "arm,weight\nfine,1\ncoarse,2\nfine,3\n"),
        ("negative in CSV", "arm,weight\nfine,1\ncoarse,-2\nclumsy,3\n"),
    ];
    let mut messages: Vec<_> = cases
        .into_iter()
        .map(|(title, weights)| {
            let place = Place::new().with("s.toml", STUDY).with("w", weights);
            (title, refusal(&place, &["transport", "s.toml", "--weights", "w"]))
        })
        .collect();
    let place = Place::new().with("s.toml", STUDY);
    messages.push(("no such file", refusal(&place, &["transport", "s.toml", "--weights", "unifrom"])));
    insta::assert_snapshot!(transcript(messages));
}

#[test]
fn files_that_cannot_be_read() {
    let place = Place::new().with("latin1.toml", b"name = \"x\"\n# caf\xe9\n");
    std::fs::create_dir(place.path("directory")).unwrap();
    insta::assert_snapshot!(transcript(
        ["missing.toml", "directory", "latin1.toml"].map(|file| (file, refusal(&place, &["transport", file])))
    ));
}

#[test]
fn a_method_that_does_not_fit() {
    let place = Place::new().with("s.toml", STUDY.replace("variance = 4", "variance = 0"));
    let messages =
        ["cells", "sweep"].map(|method| (method, refusal(&place, &["transport", "s.toml", "--method", method])));
    insta::assert_snapshot!(transcript(messages));
}

#[test]
fn wrong_usage() {
    let place = Place::new();
    for args in [&["trnsport"][..], &[], &["transport"], &["reproduce", "scaling", "--repeats", "0"]] {
        assert_eq!(place.run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn ties_have_no_bound() {
    let cases = [
        ("same means", STUDY.replace("[0.5, 10]", "[0.9, 30]")),
        ("tie in one objective", STUDY.replace("[0.4, 20]", "[0.5, 20]")),
        ("no mean", STUDY.replace("mean = [0.4, 20]", "")),
    ];
    insta::assert_snapshot!(transcript(
        cases.map(|(title, study)| { (title, refusal(&Place::new().with("s.toml", study), &["bound", "s.toml"])) })
    ));
}

#[test]
fn tolerances() {
    let place = Place::new().with("s.toml", STUDY);
    for tolerance in ["0", "-1", "1", "nan", "small"] {
        let output = place.run(&["bound", "s.toml", &format!("--tol={tolerance}")]);
        assert_eq!(output.status.code(), Some(2), "{tolerance}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("above 0 and below 1"));
    }
}
