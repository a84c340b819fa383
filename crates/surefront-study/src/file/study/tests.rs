use super::*;

fn parse(objective: &str) -> Result<StudyFile, InputError> {
    let text = format!("[[objective]]\nname = \"x\"\ngoal = \"max\"\n{objective}\n[[arm]]\nname = \"a\"\n");
    StudyFile::parse(&SourceText::new(Path::new("s.toml"), text.into_bytes())?)
}

#[test]
fn a_kind_of_noise_has_no_variance() {
    for (kind, noise) in
        [("bernoulli", Noise::Bernoulli), ("poisson", Noise::Poisson), ("exponential", Noise::Exponential)]
    {
        let study = parse(&format!("noise = \"{kind}\"")).unwrap();
        assert_eq!(study.problem().unwrap().noise(0, 0), noise);
        let text = parse(&format!("noise = \"{kind}\"\nvariance = 0.25")).unwrap_err().to_string();
        assert!(text.contains("line 5") && text.contains(&format!("is {kind} and has a variance")), "{text}");
        for (mean, line) in [("-0.5", "line 7"), ("1e80", "")] {
            let study = parse(&format!("noise = \"{kind}\"\n[[arm]]\nname = \"b\"\nmean = [{mean}]"));
            let error = study.and_then(|study| study.model(&study.problem()?)).unwrap_err().to_string();
            assert!(error.contains(line), "{error}");
        }
    }
    assert_eq!(parse("noise = \"gaussian\"").unwrap().learning_problem().unwrap().noise(0, 0), Noise::Unknown);
    let given = parse("noise = \"gaussian\"\nvariance = 2").unwrap();
    assert_eq!(given.problem().unwrap().noise(0, 0), Noise::Variance(2.0));
}

#[test]
fn bounded_noise_has_a_range() {
    let study = parse("noise = \"bounded\"\nrange = [-1, 2.5]").unwrap();
    assert_eq!(study.problem().unwrap().noise(0, 0), Noise::Bounded { low: -1.0, high: 2.5 });
    for (objective, said) in [
        ("noise = \"bounded\"", "`range = [0, 1]`"),
        ("noise = \"bounded\"\nrange = [1, 0]", "line 5"),
        ("noise = \"bounded\"\nrange = [1, 1]", "the least value, then the greatest"),
        ("noise = \"bounded\"\nrange = [0]", "the least value, then the greatest"),
        ("noise = \"bounded\"\nrange = [0, 1, 2]", "the least value, then the greatest"),
        ("noise = \"bounded\"\nrange = [0, nan]", "line 5"),
        ("noise = \"bounded\"\nrange = 1", "the least value and the greatest"),
        ("noise = \"bounded\"\nrange = [0, 1]\nvariance = 0.1", "line 6"),
        ("range = [0, 1]", "`noise = \"bounded\"`"),
        ("noise = \"bounded\"\nrange = [0, 1]\n[[arm]]\nname = \"b\"\nmean = [1.5]", "line 8"),
    ] {
        let text = parse(objective).map(|_| ()).unwrap_err().to_string();
        assert!(text.contains(said), "{objective}: {text}");
    }
}

#[test]
fn readings_may_be_correlated() {
    let two = "goal = \"max\"\nvariance = 1\n";
    let parse = |correlation: &str| {
        let text = format!(
            "{correlation}\n[[objective]]\nname = \"x\"\n{two}[[objective]]\nname = \"y\"\n{two}[[arm]]\nname = \"a\"\n"
        );
        StudyFile::parse(&SourceText::new(Path::new("s.toml"), text.into_bytes())?)
    };
    let problem = parse("correlation = [[1, 0.5], [0.5, 1]]").unwrap().problem().unwrap();
    assert_eq!(problem.correlation_of(0, 1), 0.5);
    let estimated = parse("correlation = \"estimate\"").unwrap();
    assert_eq!(estimated.learning_problem().unwrap().correlation(), Some(&Correlation::Estimate));
    for (line, said) in [
        ("correlation = \"estimate\"", "line 1: the correlation is to be estimated"),
        ("correlation = \"guess\"", "line 1: the correlation is \"guess\""),
        ("\n\ncorrelation = 0.5", "line 3: correlation of the study is a number"),
        ("correlation = [[1, 0.5], 3]", "line 1: correlation of the study is a number"),
        ("correlation = [[1, nan], [0.5, 1]]", "line 1: correlation (row 1, column 2) of the study is nan"),
        ("delta = 0.1\ncorrelation = [[1, 0.5]]", "line 2: the correlation has 1 rows"),
        ("correlation = [[1], [0.5, 1]]", "line 1: row 1 of the correlation has 1 entries"),
        ("correlation = [[1, 1], [1, 1]]", "line 1: \"x\" and \"y\" cannot be correlated like this"),
    ] {
        let text = parse(line).and_then(|study| study.problem()).unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_quantile_needs_no_variance() {
    for (name, level) in [("median", 0.5), ("p95", 0.95), ("p99.9", 0.999)] {
        let study = parse(&format!("statistic = \"{name}\"")).unwrap();
        assert_eq!(study.learning_problem().unwrap().quantile(0).unwrap().level(), level);
        assert_eq!(study.learning_problem().unwrap().noise(0, 0), Noise::Any);
    }
    assert_eq!(parse("statistic = \"mean\"").unwrap().learning_problem().unwrap().quantile(0), None);
    let drawn = parse("variance = 2\nstatistic = \"median\"").unwrap();
    assert_eq!(drawn.problem().unwrap().noise(0, 0), Noise::Variance(2.0));
    for bad in ["p0", "p100", "p", "modus", "p-5"] {
        let text = parse(&format!("statistic = \"{bad}\"")).unwrap_err().to_string();
        assert!(text.contains("line 4") && text.contains(bad) && text.contains("p95"), "{text}");
    }
    for noise in ["exact", "bernoulli", "poisson", "exponential"] {
        let text = parse(&format!("noise = \"{noise}\"\nstatistic = \"median\"")).unwrap_err().to_string();
        assert!(text.contains("line 5") && text.contains(noise), "{text}");
    }
    let own = parse("statistic = \"p95\"\n[[arm]]\nname = \"b\"\nvariance = [0]").unwrap_err().to_string();
    assert!(own.contains("line 7") && own.contains("p95"), "{own}");
}

fn commands(text: &str) -> Result<Vec<String>, String> {
    let text = format!("{text}\n[[objective]]\nname = \"x\"\ngoal = \"max\"\n");
    let read = || StudyFile::parse(&SourceText::new(Path::new("s.toml"), text.into_bytes())?);
    let study = read().map_err(|error| error.to_string())?;
    let problem = study.learning_problem().map_err(|error| error.to_string())?;
    let command = |arm| study.command(arm).map_or_else(|| "-".to_owned(), ToString::to_string);
    Ok((0..problem.arm_count()).map(|arm| format!("{}: {}", problem.arms()[arm].name, command(arm))).collect())
}

#[test]
fn one_command_serves_all_arms() {
    let found = commands(
        "command = \"gzip -{level} {name}\"\n[[arm]]\nname = \"a\"\n[arm.parameters]\nlevel = 9\n[[arm]]\nname = \"b\"\nparameters = { level = \"x y\" }\n\
         [[arm]]\nname = \"c\"\ncommand = \"own {level}\"",
    );
    assert_eq!(found.unwrap(), ["a: gzip -9 a", "b: gzip -'x y' b", "c: own {level}"]);
    let found = commands("command = [\"zip\", \"-{n}\"]\n[grid]\nn = [1, 2.50]\nfast = [true, false]").unwrap();
    assert_eq!(found.len(), 4);
    assert_eq!(
        (found[1].as_str(), found[2].as_str()),
        ("n=1, fast=false: [\"zip\", \"-1\"]", "n=2.50, fast=true: [\"zip\", \"-2.50\"]",)
    );
    for (text, said) in [
        (
            "command = \"x {lvel}\"\n[[arm]]\nname = \"a\"\nparameters = { level = 1 }",
            "line 1: the command for all arms has the placeholder {lvel}, and arm \"a\" has no such parameter: did you mean \"level\"?",
        ),
        ("[[arm]]\nname = \"a\"\nparameters = { name = 1 }", "line 3: arm \"a\" has a parameter called \"name\""),
        ("[[arm]]\nname = \"a\"\nparameters = { x = [1] }", "line 3: x of arm \"a\" is a list"),
        ("[[arm]]\nname = \"a\"\nparameters = 3", "line 3: parameters of arm \"a\" is a number"),
        ("[[arm]]\nname = \"a\"\ncommand = \"x\"\nparameters = { y = 1 }", "no use for them"),
        ("[grid]", "line 1: the grid is empty"),
        ("[grid]\nn = []", "line 2: \"n\" in the grid has no values"),
        ("[grid]\nn = [1, 1]", "line 2: \"n\" in the grid has the value 1 twice"),
        ("[grid]\nn = 3", "line 2: n of the grid is a number"),
        ("grid = 3", "line 1: grid of the study is a number"),
        ("[grid]\nn = [1]\n[[arm]]\nname = \"a\"", "line 1: arms come from the [grid] and from the [[arm]] tables"),
        ("command = \" \"", "line 1"),
    ] {
        let error = commands(text).unwrap_err();
        assert!(error.contains(said), "{text}: {error}");
    }
    let many = format!("[grid]\na = {0:?}\nb = {0:?}\n", (0..101).collect::<Vec<_>>());
    assert!(commands(&many).unwrap_err().contains("more than 10000 arms"));
}

#[test]
fn how_arms_are_measured_may_stand_in_the_file() {
    let running = |lines: &str| {
        let text = format!("{lines}\n[[objective]]\nname = \"x\"\ngoal = \"max\"\n[[arm]]\nname = \"a\"\n");
        let source = SourceText::new(Path::new("s.toml"), text.into_bytes()).unwrap();
        StudyFile::parse(&source).map(|study| study.running()).map_err(|error| error.to_string())
    };
    let all = running("timeout = \"2m\"\njobs = 4\nwarmup = 0\nmax_samples = 1_000").unwrap();
    assert_eq!(all.timeout.map(|time| time.as_secs()), Some(120));
    assert_eq!((all.jobs, all.warmup, all.max_samples), (Some(4), Some(0), Some(1000)));
    assert_eq!(running("timeout = 1.5").unwrap().timeout.map(|time| time.as_millis()), Some(1500));
    assert_eq!(running("").unwrap(), Running::default());
    for (text, said) in [
        ("timeout = \"soon\"", "line 1: timeout is \"soon\": write seconds"),
        ("timeout = 0", "timeout is \"0\""),
        ("timeout = [1]", "timeout of the study is a list: write seconds, or text such as \"10m\""),
        ("\njobs = 0", "line 2: jobs is 0: write a whole number from 1 to 1024"),
        ("jobs = 4.5", "jobs of the study is a number: write a whole number, for example 4"),
        ("jobs = -1", "jobs of the study is -1: write a whole number"),
        ("max_samples = 0", "max_samples is 0"),
        ("warmup = \"2\"", "warmup of the study is text"),
    ] {
        let error = running(text).unwrap_err();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn a_variance_may_be_common() {
    let study = parse("variance = \"common\"").unwrap();
    assert_eq!(study.learning_problem().unwrap().noise(0, 0), Noise::Common);
    assert!(study.problem().unwrap_err().to_string().contains("has no variance"));
    let text = parse("variance = \"comon\"").unwrap_err().to_string();
    assert!(text.contains("line 4") && text.contains("`variance = \"common\"`"), "{text}");
    let text = parse("noise = \"exact\"\nvariance = \"common\"").unwrap_err().to_string();
    assert!(text.contains("keep one of the two lines"), "{text}");
}
