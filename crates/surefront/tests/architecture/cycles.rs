//! Circles among modules that stand side by side.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{ModulePath, Place};

/// By folder: which of the modules in it name which others, they or any module below them, and where.
type Siblings = BTreeMap<ModulePath, BTreeMap<String, BTreeMap<String, Place>>>;

/// Every circle there is, in words: a module, the modules it leads back to itself through, and the places that make it so.
///
/// A module may name what is below it, and what its own parent defines for all below; neither makes a circle here.
pub fn cycles(uses: &BTreeMap<(ModulePath, ModulePath), Place>) -> Vec<String> {
    let mut siblings = Siblings::new();
    for ((from, to), place) in uses {
        let shared = from.iter().zip(to).take_while(|(one, other)| one == other).count();
        if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
            let folder = siblings.entry(from[..shared].to_vec()).or_default();
            folder.entry(one.clone()).or_default().entry(other.clone()).or_insert_with(|| place.clone());
        }
    }
    siblings.iter().flat_map(|(folder, names)| circles_in(folder, names)).collect()
}

fn circles_in(folder: &ModulePath, names: &BTreeMap<String, BTreeMap<String, Place>>) -> Vec<String> {
    let mut circles = Vec::new();
    let mut done = BTreeSet::new();
    for start in names.keys() {
        if done.contains(start) {
            continue;
        }
        if let Some(circle) = way_back(names, start) {
            done.extend(circle.iter().cloned());
            let steps = circle.iter().zip(circle.iter().cycle().skip(1));
            let places: Vec<String> = steps.map(|(from, to)| format!("  {}", names[from][to])).collect();
            let place = if folder.is_empty() { "the root".to_owned() } else { folder.join("::") };
            circles.push(format!("in {place}: {} → {}\n{}", circle.join(" → "), circle[0], places.join("\n")));
        }
    }
    circles
}

/// The shortest way from a module back to itself, without its end.
fn way_back(names: &BTreeMap<String, BTreeMap<String, Place>>, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in names.get(way.last().expect("a way has a start")).into_iter().flat_map(BTreeMap::keys) {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push([way.clone(), vec![next.clone()]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}
