//! Names that are too long for a figure, cut so that they can still be told apart.

/// One name for each of these, of at most `most` characters. Long names lose what all of them begin and end with before they lose
/// anything else: "convert --level=3 --in=data.csv" becomes "…--level=3…".
pub fn short_names<'a>(names: impl Iterator<Item = &'a str> + Clone, most: usize) -> Vec<String> {
    let too_long = |&(before, after): &(usize, usize)| {
        names.clone().any(|name| !fits(name, most) && !fits(&name[before..name.len() - after], most - 2))
    };
    // At spaces if that is enough, else at whatever is not a letter or a digit.
    let cuts = [char::is_whitespace, |c: char| !c.is_alphanumeric()].map(|gap| common(names.clone(), gap));
    let (before, after) = cuts.into_iter().find(|cut| !too_long(cut)).unwrap_or(cuts[1]);
    names
        .map(|name| {
            if fits(name, most) {
                return name.to_owned();
            }
            let kept = &name[before..name.len() - after];
            let mut text = String::new();
            text.push_str(if before > 0 { "…" } else { "" });
            text.push_str(kept);
            text.push_str(if after > 0 { "…" } else { "" });
            shortened(&text, most)
        })
        .collect()
}

/// The beginning of a name that is too long.
pub fn shortened(name: &str, most: usize) -> String {
    if fits(name, most) {
        return name.to_owned();
    }
    let head: String = name.chars().take(most.saturating_sub(1)).collect();
    head.trim_end_matches(['…', ' ']).to_owned() + "…"
}

fn fits(name: &str, most: usize) -> bool {
    name.chars().count() <= most
}

/// How many bytes all names begin with, and how many they end with, cut in a gap between words; every name keeps something.
fn common<'a>(mut names: impl Iterator<Item = &'a str> + Clone, gap: fn(char) -> bool) -> (usize, usize) {
    let all = names.clone();
    let Some(first) = names.next() else { return (0, 0) };
    let alike = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum::<usize>()
    };
    let (mut before, mut after) = (first.len(), first.len());
    for name in names {
        before = before.min(alike(&mut first.chars(), &mut name.chars()));
        after = after.min(alike(&mut first.chars().rev(), &mut name.chars().rev()));
    }
    let before = first[..before].trim_end_matches(|c| !gap(c)).len();
    let after = first[first.len() - after..].trim_start_matches(|c| !gap(c)).len();
    let shortest = all.map(str::len).min().unwrap_or(0);
    if before + after < shortest { (before, after) } else { (0, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str], most: usize) -> Vec<String> {
        short_names(names.iter().copied(), most)
    }

    #[test]
    fn names_that_fit_stay_as_they_are() {
        assert_eq!(short(&["gzip -1", "gzip -9"], 7), ["gzip -1", "gzip -9"]);
        assert!(short(&[], 7).is_empty());
    }

    #[test]
    fn what_all_have_in_common_goes_first() {
        let names = ["convert --level=3 --in=data.csv", "convert --level=12 --in=data.csv"];
        assert_eq!(short(&names, 20), ["…--level=3…", "…--level=12…"]);
        assert_eq!(short(&names, 9), ["…3…", "…12…"]);
        let names = ["the configuration/élan of old", "the configuration/épée of old"];
        assert_eq!(short(&names, 12), ["…élan…", "…épée…"]);
    }

    #[test]
    fn what_remains_may_still_be_too_long() {
        let names = ["the quick brown fox jumps", "a lazy dog that sleeps all day"];
        assert_eq!(short(&names, 10), ["the quick…", "a lazy do…"]);
    }

    #[test]
    fn every_name_keeps_something() {
        assert_eq!(short(&["a very long name", "a very long name indeed"], 8), ["…name", "…name i…"]);
        assert_eq!(short(&["aaa bbb", "aaa bbb aaa bbb"], 5), ["aaa…", "aaa…"]);
        assert_eq!(short(&["one single long name"], 8), ["one sin…"]);
    }
}
