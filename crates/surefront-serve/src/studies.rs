//! The studies that are served: those of a folder, or those that were named. A request names one by its id alone, never by a path.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use surefront_study::file::study::StudyFile;

use crate::desk::Desk;
use crate::problem::Problem;
use crate::serve_error::ServeError;

/// The end of a study file's name.
const ENDING: &str = "toml";
/// Longer names are those of no file.
const LONGEST_ID: usize = 120;

/// The studies, each of which has its desk as soon as somebody asks for it.
#[derive(Debug)]
pub struct Studies {
    place: Place,
    desks: Mutex<HashMap<String, Arc<Desk>>>,
}

#[derive(Debug)]
enum Place {
    /// Every study in it, those that come later as well.
    Folder(PathBuf),
    /// These and no others, by id.
    Files(Vec<(String, PathBuf)>),
}

impl Studies {
    /// At these paths: one folder, or study files; nothing is the folder that the program is in.
    pub fn at(paths: &[PathBuf]) -> Result<Self, ServeError> {
        let here = [PathBuf::new()];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for path in paths {
            if is_folder(path) {
                if paths.len() > 1 {
                    return Err(ServeError::OneFolder { path: path.clone() });
                }
                // A path that others would type: without a dot before it.
                let folder = if path == Path::new(".") { PathBuf::new() } else { path.clone() };
                return Ok(Studies::of(Place::Folder(folder)));
            }
            if !path.is_file() {
                return Err(ServeError::Missing { path: path.clone() });
            }
            let id = id_of(path).ok_or_else(|| ServeError::NotAName { path: path.clone() })?;
            if let Some((_, other)) = files.iter().find(|(known, _)| *known == id) {
                return Err(ServeError::SameName { one: other.clone(), other: path.clone() });
            }
            files.push((id, path.clone()));
        }
        Ok(Studies::of(Place::Files(files)))
    }

    fn of(place: Place) -> Self {
        Studies { place, desks: Mutex::default() }
    }

    /// The folder that new studies go to, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Folder(folder) => Some(folder),
            Place::Files(_) => None,
        }
    }

    /// The ids of all studies, in their order.
    pub fn ids(&self) -> Vec<String> {
        match &self.place {
            Place::Files(files) => files.iter().map(|(id, _)| id.clone()).collect(),
            Place::Folder(folder) => {
                let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                let entries = fs::read_dir(place).into_iter().flatten().flatten();
                let mut ids: Vec<String> =
                    entries.filter_map(|entry| id_of(&entry.path())).filter(|id| self.path(id).is_some()).collect();
                ids.sort_unstable();
                ids
            }
        }
    }

    /// The desk of a study.
    pub fn desk(&self, id: &str) -> Result<Arc<Desk>, Problem> {
        let path = self.path(id).ok_or_else(|| Problem::missing(format!("there is no study \"{id}\" here")))?;
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(desks.entry(id.to_owned()).or_insert_with(|| Arc::new(Desk::of(id, path)))))
    }

    /// Takes up all studies, so that the first who looks does not wait.
    pub fn open_all(&self) {
        for id in self.ids() {
            if let Ok(desk) = self.desk(&id) {
                desk.wake();
            }
        }
    }

    /// The study file of this id, if there is one. No path leaves the folder: an id is one name, and what it names lies in the folder.
    fn path(&self, id: &str) -> Option<PathBuf> {
        match &self.place {
            Place::Files(files) => files.iter().find(|(known, _)| known == id).map(|(_, path)| path.clone()),
            Place::Folder(folder) => {
                let path = folder.join(format!("{}.{ENDING}", checked(id)?));
                let real = fs::canonicalize(&path).ok()?;
                let home =
                    fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
                (real.parent() == Some(&home) && real.is_file() && is_study(&path)).then_some(path)
            }
        }
    }
}

/// An id that can be part of a file's name, and of no other path.
pub fn checked(id: &str) -> Option<&str> {
    let allowed = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
    (!id.is_empty() && id.len() <= LONGEST_ID && !id.starts_with('.') && id.chars().all(allowed)).then_some(id)
}

fn is_folder(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.is_dir()
}

fn id_of(path: &Path) -> Option<String> {
    let id = path.file_stem()?.to_str()?;
    (path.extension()? == ENDING).then_some(())?;
    checked(id).map(str::to_owned)
}

/// Whether a file is meant as a study: other programs write TOML as well.
fn is_study(path: &Path) -> bool {
    StudyFile::read(path).is_ok() || fs::read_to_string(path).is_ok_and(|text| text.contains("[[objective]]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "[[objective]]\nname = \"x\"\ngoal = \"max\"\n[[arm]]\nname = \"a\"\n[[arm]]\nname = \"b\"\n";

    #[test]
    fn no_path_leaves_the_folder() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("studies");
        fs::create_dir_all(folder.join("deep")).unwrap();
        for name in ["outside.toml", "studies/inside.toml", "studies/deep/below.toml", "studies/.hidden.toml"] {
            fs::write(home.path().join(name), STUDY).unwrap();
        }
        fs::write(folder.join("other.toml"), "[package]\nname = \"x\"\n").unwrap();
        fs::write(folder.join("broken.toml"), "[[objective]]\nname = \n").unwrap();
        std::os::unix::fs::symlink(home.path().join("outside.toml"), folder.join("link.toml")).unwrap();
        let studies = Studies::at(std::slice::from_ref(&folder)).unwrap();
        assert_eq!(studies.ids(), ["broken", "inside"]);
        assert!(studies.desk("inside").is_ok());
        for id in ["../outside", "deep/below", "link", ".hidden", "", "..", "inside\0", "/etc/passwd", "other", "C:x"] {
            assert_eq!(studies.desk(id).unwrap_err().status().as_u16(), 404, "{id}");
        }
    }

    #[test]
    fn files_have_ids_of_their_own() {
        let home = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, STUDY).unwrap();
            path
        };
        let (one, other, again) = (file("one.toml"), file("other.toml"), file("deep/one.toml"));
        let studies = Studies::at(&[other.clone(), one.clone()]).unwrap();
        assert_eq!((studies.ids(), studies.folder()), (vec!["other".to_owned(), "one".to_owned()], None));
        assert!(matches!(Studies::at(&[one.clone(), again]), Err(ServeError::SameName { .. })));
        assert!(matches!(Studies::at(&[one, home.path().to_owned()]), Err(ServeError::OneFolder { .. })));
        assert!(matches!(Studies::at(&[home.path().join("none.toml")]), Err(ServeError::Missing { .. })));
    }
}
