//! One table in all the ways that people keep it: each gives the same answer, or a sentence that says what to change. None is misread.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::{Place, refusal, transcript};

/// The table as it is expected to be.
const BASE: &str = include_str!("../data/samples.csv");
const GOALS: [&str; 4] = ["--max", "accuracy", "--min", "latency"];

/// The cells below the header.
fn cells() -> Vec<[&'static str; 3]> {
    let row = |line: &'static str| line.split(',').collect::<Vec<_>>().try_into().unwrap();
    BASE.lines().skip(1).map(row).collect()
}

/// The table with this header, a line for each row, and this line end.
fn table(header: &str, end: &str, line: impl Fn(usize, [&str; 3]) -> String) -> String {
    let rows = cells().into_iter().enumerate().map(|(at, cells)| line(at, cells) + end);
    format!("{header}{end}") + &rows.collect::<String>()
}

fn joined(separator: &str) -> String {
    BASE.replace(',', separator)
}

/// Thousands apart, and whatever stands before decimals.
fn grouped(number: &str, thousands: &str, decimal: &str) -> String {
    let (whole, decimals) = number.split_once('.').unwrap();
    match whole.len() {
        4.. => format!("{}{thousands}{}{decimal}{decimals}", &whole[..whole.len() - 3], &whole[whole.len() - 3..]),
        _ => format!("{whole}{decimal}{decimals}"),
    }
}

/// The table with rows in between in which something is missing.
fn with_missing(rows: &[&str]) -> String {
    let mut lines: Vec<&str> = BASE.lines().collect();
    for (at, row) in rows.iter().enumerate() {
        lines.insert(2 + 5 * at, row);
    }
    lines.join("\n")
}

/// A row for each value.
fn long(header: &str, with_run: bool) -> String {
    let mut text = format!("{header}\n");
    for (at, [arm, accuracy, latency]) in cells().into_iter().enumerate() {
        for (metric, value) in [("accuracy", accuracy), ("latency", latency)] {
            let run = if with_run { format!("{},", at / 4) } else { String::new() };
            text += &format!("{run}{arm},{metric},{value}\n");
        }
    }
    text
}

/// By arm: the means, the standard deviations, and how many there are.
fn sums() -> Vec<(&'static str, [f64; 2], [f64; 2], usize)> {
    let sum = |arm: &'static str| {
        let of = |column: usize| {
            let rows = cells().into_iter().filter(|cells| cells[0] == arm);
            let values: Vec<f64> = rows.map(|cells| cells[column].parse().unwrap()).collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
            (mean, variance.sqrt(), values.len())
        };
        let (accuracy, latency) = (of(1), of(2));
        (arm, [accuracy.0, latency.0], [accuracy.1, latency.1], accuracy.2)
    };
    ["small", "large", "old", "mid"].map(sum).into()
}

fn json_lines() -> String {
    let line = |[arm, accuracy, latency]: [&str; 3]| {
        format!("{{\"arm\":\"{arm}\",\"accuracy\":{accuracy},\"latency\":{latency}}}\n")
    };
    cells().into_iter().map(line).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff);
    mark.into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// What a study of ours exports.
fn exported(format: &[&str]) -> String {
    let objectives =
        "[[objective]]\nname = \"accuracy\"\ngoal = \"max\"\n[[objective]]\nname = \"latency\"\ngoal = \"min\"\n";
    let arms: String = ["small", "large", "old", "mid"].map(|arm| format!("[[arm]]\nname = \"{arm}\"\n")).concat();
    let place = Place::new().with("s.toml", objectives.to_owned() + &arms).with("r.csv", BASE);
    place.stdout(&["tell", "s.toml", "--arm", "old", "0.1", "9"]);
    place.stdout(&["retract", "s.toml", "1", "--reason", "a slip"]);
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    place.stdout(&[&["export", "s.toml"], format].concat())
}

/// What the answer is about; the rest says how the table was read.
fn answer(mut json: Value) -> Value {
    for key in ["study", "arm_column", "ignored_columns", "rows", "left_out"] {
        json.as_object_mut().unwrap().remove(key);
    }
    for objective in json["objectives"].as_array_mut().unwrap() {
        objective.as_object_mut().unwrap().remove("unit");
    }
    json
}

/// Equal but for the last digits of numbers.
fn assert_near(found: &Value, expected: &Value, place: &str) {
    match (found, expected) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            assert!((one - other).abs() <= 1e-9 * other.abs().max(1.0), "{place}: {one} and not {other}");
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            found.iter().zip(expected).for_each(|(one, other)| assert_near(one, other, place));
        }
        (Value::Object(found), Value::Object(expected)) if found.len() == expected.len() => {
            expected.iter().for_each(|(key, value)| assert_near(&found[key], value, &format!("{place}.{key}")));
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

/// How many rows were left out, besides the same answer.
const NONE: u64 = 0;

/// A name, the file's name, its content, options beside the goals, and how many rows are left out.
type Variant = (&'static str, &'static str, Vec<u8>, &'static [&'static str], u64);

/// Every way that gives the same answer: its name, the file, the options beside the goals, and how many rows are left out.
fn variants() -> Vec<Variant> {
    let text = |text: String| text.into_bytes();
    let long_form = long("run,arm,metric,value", true);
    let mut shuffled: Vec<String> = long("arm,metric,value", false).lines().skip(1).map(str::to_owned).collect();
    shuffled.sort_by_key(|line| !line.contains("latency"));
    let shuffled = format!("arm,metric,value\n{}\n", shuffled.join("\n"));
    let sums_wide: String =
        sums().iter().map(|(arm, m, s, n)| format!("{arm},{},{},{},{},{n}\n", m[0], s[0], m[1], s[1])).collect();
    let sums_long: String = sums()
        .iter()
        .flat_map(|(arm, m, s, n)| {
            let se = |j: usize| s[j] / (*n as f64).sqrt();
            [format!("{arm},accuracy,{},{},{n}\n", m[0], se(0)), format!("{arm},latency,{},{},{n}\n", m[1], se(1))]
        })
        .collect();
    let array = format!("[\n  {}\n]\n", json_lines().trim_end().replace('\n', ",\n  ").replace(":", ": "));
    let aligned = table("arm   accuracy   latency", "\n", |_, [a, x, y]| format!("{a:8} {x:>10} {y:>9}"));
    let quoted = table("\"arm\",\"accuracy\",\"latency\"", "\n", |_, [a, x, y]| format!("\"{a}\",\"{x}\",\"{y}\""));
    let commas = table("arm;accuracy;latency", "\r\n", |_, [a, x, y]| format!("{a};{x};{y}").replace('.', ","));
    let german = table("arm;accuracy;latency", "\n", |_, [a, x, y]| {
        format!("{a};{};{}", x.replace('.', ","), grouped(y, ".", ","))
    });
    let french = table("arm\taccuracy\tlatency", "\n", |_, [a, x, y]| {
        format!("{a}\t{}\t{}", x.replace('.', ","), grouped(y, "\u{202f}", ","))
    });
    let comma_quoted = table("arm,accuracy,latency", "\n", |_, [a, x, y]| {
        format!("{a},\"{}\",\"{}\"", x.replace('.', ","), y.replace('.', ","))
    });
    let english = table("arm,accuracy,latency", "\n", |_, [a, x, y]| format!("{a},{x},\"{}\"", grouped(y, ",", ".")));
    let swiss = table("arm|accuracy|latency", "\n", |_, [a, x, y]| format!("{a}|{x}|{}", grouped(y, "'", ".")));
    let exponents = table("arm,accuracy,latency", "\n", |_, [a, x, y]| {
        format!("{a},+{x},{}", y.replace('.', "").to_owned() + "e-2")
    });
    let pandas = table(",arm,accuracy,latency", "\n", |at, [a, x, y]| format!("{at},{a},{x},{y}"));
    let r_table =
        table("\"arm\"\t\"accuracy\"\t\"latency\"", "\n", |at, [a, x, y]| format!("\"{}\"\t\"{a}\"\t{x}\t{y}", at + 1));
    let r_names = table("\"\",\"accuracy\",\"latency\"", "\n", |_, [a, x, y]| format!("\"{a}\",{x},{y}"));
    let reordered = table("latency,seed,variant,accuracy", "\n", |at, [a, x, y]| format!("{y},{at},{a},{x}"));
    let trailing = table("arm,accuracy,latency", "\n", |_, [a, x, y]| format!("{a},{x},{y},")) + ",,,\n\n,,\n";
    let spaced = table(" arm , accuracy ,latency ", "\n", |_, [a, x, y]| format!("  {a} ,{x} , {y}"));
    let commented = format!("# made on a Tuesday, with \"care\n#\n{BASE}# the end, of it, \"all\n");
    let hash_header = format!("# units: ms\n#{BASE}");
    let nested = |line: &str| line.replace("\"accuracy\"", "\"values\":{\"accuracy\"").replace("}\n", "}}\n");
    let other_metrics =
        long_form.replace("metric", "variable").replace("value", "result") + "0,old,memory,17\n5,mid,memory,18\n";
    vec![
        ("commas", "r.csv", text(BASE.into()), &[], NONE),
        ("semicolons", "r.csv", text(joined(";")), &[], NONE),
        ("tabs", "r.tsv", text(joined("\t")), &[], NONE),
        ("pipes", "r.txt", text(joined("|")), &[], NONE),
        ("aligned with spaces", "r.txt", text(aligned), &[], NONE),
        ("all quoted", "r.csv", text(quoted), &[], NONE),
        ("decimal commas, semicolons, Windows line ends", "r.csv", text(commas), &[], NONE),
        ("decimal commas, points between thousands", "r.csv", text(german), &[], NONE),
        ("decimal commas, thin spaces between thousands", "r.tsv", text(french), &[], NONE),
        ("decimal commas in quotes", "r.csv", text(comma_quoted), &[], NONE),
        ("commas between thousands in quotes", "r.csv", text(english), &[], NONE),
        ("apostrophes between thousands", "r.txt", text(swiss), &[], NONE),
        ("signs and exponents", "r.csv", text(exponents), &[], NONE),
        ("blank cells", "r.csv", text(with_missing(&["old,,3000", "mid,0.9,", "mid, ,"])), &[], 3),
        ("NA", "r.csv", text(with_missing(&["old,NA,3000", "mid,0.9,NA"])), &[], 2),
        (
            "nan, n/a, -, null",
            "r.csv",
            text(with_missing(&["old,nan,3", "mid,0.9,n/a", "mid,-,3", "old,null,NaN"])),
            &[],
            4,
        ),
        ("an arm that was never measured", "r.csv", text(BASE.to_owned() + "new,NA,NA\n"), &[], 1),
        ("byte-order mark", "r.csv", text(format!("\u{feff}{BASE}")), &[], NONE),
        ("UTF-16, low byte first", "r.csv", utf16(BASE, u16::to_le_bytes, true), &[], NONE),
        ("UTF-16, high byte first", "r.csv", utf16(BASE, u16::to_be_bytes, true), &[], NONE),
        ("UTF-16 without a mark", "r.csv", utf16(BASE, u16::to_le_bytes, false), &[], NONE),
        ("Windows line ends", "r.csv", text(BASE.replace('\n', "\r\n")), &[], NONE),
        ("old Mac line ends", "r.csv", text(BASE.replace('\n', "\r")), &[], NONE),
        ("no line end at the end", "r.csv", text(BASE.trim_end().into()), &[], NONE),
        ("blank lines between rows", "r.csv", text(BASE.replace('\n', "\n\n")), &[], NONE),
        ("comments", "r.csv", text(commented), &[], NONE),
        ("a header behind #", "r.dat", text(hash_header), &[], NONE),
        (
            "capitals in the header",
            "r.csv",
            text(BASE.replace("arm,accuracy,latency", "ARM,Accuracy,LATENCY")),
            &[],
            NONE,
        ),
        (
            "units in the header",
            "r.csv",
            text(BASE.replace("accuracy,latency", "accuracy (%),latency [ms]")),
            &[],
            NONE,
        ),
        ("spaces around cells", "r.csv", text(spaced), &[], NONE),
        ("an index without a name", "r.csv", text(pandas), &[], NONE),
        ("names of rows, which the header does not count", "r.tsv", text(r_table), &[], NONE),
        ("arms as names of rows", "r.csv", text(r_names), &[], NONE),
        ("other columns, in another order", "r.csv", text(reordered), &[], NONE),
        ("the arm's column by name", "r.csv", text(BASE.replace("arm,", "7,")), &["--arm-column", "7"], NONE),
        ("separators at the ends, empty rows", "r.csv", text(trailing), &[], NONE),
        ("sep=;", "r.csv", text(format!("sep=;\r\n{}", joined(";"))), &[], NONE),
        ("long form with runs", "r.csv", text(long_form.clone()), &[], NONE),
        ("long form without runs", "r.csv", text(shuffled), &[], NONE),
        ("long form with other metrics", "r.csv", text(other_metrics), &["--value-column", "result"], NONE),
        (
            "long form with a value missing",
            "r.csv",
            text(long_form.clone() + "9,old,accuracy,NA\n9,old,latency,3000\n"),
            &[],
            2,
        ),
        (
            "means, standard deviations, counts",
            "r.csv",
            text(format!("arm,accuracy_mean,accuracy_sd,latency_mean,latency_sd,n\n{sums_wide}")),
            &[],
            NONE,
        ),
        (
            "means, deviations, counts, spelt otherwise",
            "r.csv",
            text(format!("arm,mean(accuracy),std(accuracy),Latency Mean,Latency Std,count\n{sums_wide}")),
            &[],
            NONE,
        ),
        (
            "means, standard errors, counts, in long form",
            "r.csv",
            text(format!("arm,metric,mean,se,n\n{sums_long}")),
            &[],
            NONE,
        ),
        ("JSON lines", "r.jsonl", text(json_lines()), &[], NONE),
        ("JSON lines with objects in objects", "r.jsonl", text(nested(&json_lines())), &[], NONE),
        (
            "JSON lines with nulls",
            "r.jsonl",
            text(json_lines() + "{\"arm\":\"old\",\"accuracy\":null,\"latency\":3}\n{\"arm\":\"old\"}\n"),
            &[],
            2,
        ),
        ("a JSON array", "r.json", text(array), &[], NONE),
        ("our export as JSON lines", "r.jsonl", text(exported(&["--format", "jsonl"])), &[], NONE),
        ("our export as CSV", "r.csv", text(exported(&[])), &[], NONE),
        ("our export of all as JSON lines", "r.jsonl", text(exported(&["--format", "jsonl", "--all"])), &[], NONE),
        ("our export of all as CSV", "r.csv", text(exported(&["--all"])), &[], NONE),
        ("gzip", "r.csv.gz", gzip(BASE), &[], NONE),
        ("two gzips in one file", "r.csv.gz", [gzip(&BASE[..40]), gzip(&BASE[40..])].concat(), &[], NONE),
        ("JSON lines in gzip, under another name", "r.data", gzip(&json_lines()), &[], NONE),
    ]
}

#[test]
fn every_variant_gives_the_same_answer() {
    let args = |file: &'static str, more: &[&'static str]| [&["analyze", file, "--json"], &GOALS[..], more].concat();
    let expected = answer(Place::new().with("r.csv", BASE).json(&args("r.csv", &[])));
    assert_eq!(expected["arms"].as_array().unwrap().len(), 4);
    let variants = variants();
    assert!(variants.len() >= 31);
    for (name, file, content, more, left_out) in variants {
        let place = Place::new().with(file, content);
        let output = place.run(&args(file, more));
        assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["left_out"]["incomplete"], left_out, "{name}");
        let mut found = answer(json);
        if name.starts_with("means") {
            // What single values look like cannot be seen.
            found["remarks"] = expected["remarks"].clone();
        }
        assert_near(&found, &expected, name);
    }
}

#[test]
fn standard_input_may_be_packed() {
    let mut command = assert_cmd::Command::cargo_bin("surefront").unwrap();
    let args = [&["analyze", "-", "--json"], &GOALS[..]].concat();
    let output = command.args(args).write_stdin(gzip(BASE)).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = Place::new().with("r.csv", BASE).json(&[&["analyze", "r.csv", "--json"], &GOALS[..]].concat());
    assert_eq!(answer(found), answer(expected));
}

#[test]
fn parquet_is_read_where_it_is_built_in() {
    for content in
        [&include_bytes!("../data/samples-snappy.parquet")[..], include_bytes!("../data/samples-zstd.parquet")]
    {
        let place = Place::new().with("r.parquet", content).with("r.csv", BASE);
        let args = |file| [&["analyze", file, "--json"], &GOALS[..]].concat();
        if cfg!(feature = "parquet") {
            assert_eq!(answer(place.json(&args("r.parquet"))), answer(place.json(&args("r.csv"))));
        } else {
            let expected = "error: r.parquet: this is a Parquet file, which this build does not read: build it with the feature \
                            `parquet`, or give a table as text (CSV, JSON lines) (`cargo install --path crates/surefront-cli --features \
                            parquet`)";
            assert_eq!(refusal(&place, &args("r.parquet")), expected);
        }
    }
}

/// What could be read in two ways, or in none, is not read.
#[test]
fn tables_that_must_be_changed() {
    let header = "arm,accuracy,latency\n";
    let cases: [(&str, Vec<u8>); 24] = [
        ("decimal commas between commas", b"arm,accuracy,latency\na,0,5,2\nb,0,6,3\n".into()),
        ("decimal commas between commas, one objective too few", b"accuracy,latency\n0,5,2\n".into()),
        ("a comma that may mean either", b"arm;accuracy;latency\na;1;1,234\nb;2;2,345\n".into()),
        ("decimal commas and points", b"arm;accuracy;latency\na;0,5;1.5\n".into()),
        (
            "a decimal comma late",
            format!("arm;accuracy;latency\n{}", joined(";").split_once('\n').unwrap().1.repeat(100)).into_bytes(),
        ),
        ("a row behind #", format!("{header}a,1,2\n#b,1,2\n").into()),
        ("a unit in a cell", format!("{header}a,1,2 ms\n").into()),
        ("per cent in a cell", format!("{header}a,95%,2\n").into()),
        ("all rows incomplete", format!("{header}a,NA,2\nb,1,\n").into()),
        ("a column for each arm", b"small,large,old\n1,2,3\n4,5,6\n".into()),
        ("two columns alike", b"arm,Accuracy,ACCURACY,latency\na,1,2,3\n".into()),
        ("means without counts", b"arm,accuracy_mean,accuracy_sd,latency_mean,latency_sd\na,1,1,1,1\n".into()),
        ("means without deviations", b"arm,accuracy_mean,latency_mean,n\na,1,1,9\n".into()),
        ("means twice", b"arm,accuracy,accuracy_sd,latency,latency_sd,n\na,1,1,1,1,9\na,1,1,1,1,9\n".into()),
        ("a deviation of zero", b"arm,accuracy,accuracy_sd,latency,latency_sd,n\na,1,0,1,1,9\n".into()),
        ("a count that is none", b"arm,accuracy,accuracy_sd,latency,latency_sd,n\na,1,1,1,1,9.5\n".into()),
        (
            "counts that differ",
            b"arm,accuracy,accuracy_sd,accuracy_n,latency,latency_sd,latency_n\na,1,1,9,1,1,8\n".into(),
        ),
        ("long form without one objective", b"arm,metric,value\na,accuracy,1\na,memory,2\n".into()),
        (
            "long form with a value twice",
            b"run,arm,metric,value\n1,a,accuracy,1\n1,a,latency,2\n1,a,accuracy,3\n".into(),
        ),
        ("JSON that is broken", b"{\"arm\":\"a\",\"accuracy\":1,\"latency\":2}\n{\"arm\":\"a\",\n".into()),
        ("JSON without objects", b"[[1, 2], [3, 4]]".into()),
        ("a spreadsheet", b"PK\x03\x04\x14\0\x06\0".into()),
        ("packed otherwise", b"\x28\xb5\x2f\xfd\x04\x00".into()),
        ("a gzip that is cut short", gzip(BASE)[..60].to_vec()),
    ];
    let args = [&["analyze", "r.csv"], &GOALS[..]].concat();
    let late = |text: Vec<u8>| [text, b"a;0,5;1500\n".to_vec()].concat();
    let messages = cases.into_iter().map(|(title, content)| {
        let content = if title.ends_with("late") { late(content) } else { content };
        (title, refusal(&Place::new().with("r.csv", content), &args))
    });
    insta::assert_snapshot!(transcript(messages));
}

#[test]
fn what_was_left_out_is_said() {
    let place = Place::new().with("r.csv", with_missing(&["old,,3000", "new,NA,1"]));
    let args = [&["analyze", "r.csv"], &GOALS[..]].concat();
    let screen = place.stdout(&args);
    let lines: Vec<&str> = screen.lines().skip(1).take(2).collect();
    let expected = [
        "2 rows were left out: a value is missing in each.",
        "The answer says nothing of \"new\", of which no row is complete.",
    ];
    assert_eq!(lines, expected);
    let json = place.json(&[&args[..], &["--json"]].concat());
    assert_eq!(json["left_out"], json!({"incomplete": 2, "retracted": 0, "arms": ["new"]}));
}

#[test]
fn a_comma_that_may_mean_either_is_decided_by_an_option() {
    let place = Place::new().with("r.csv", "arm;accuracy;latency\na;1;1,234\na;1;1,235\nb;2;2,345\nb;2;2,346\n");
    for (sign, mean) in [("comma", 1.2345), ("point", 1234.5)] {
        let json = place.json(&[&["analyze", "r.csv", "--json", "--decimal", sign], &GOALS[..]].concat());
        assert_near(&json["arms"][0]["mean"][1], &json!(mean), sign);
    }
}
