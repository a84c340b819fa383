//! Some rows of an experiment, by part of their names.

use crate::lab_error::LabError;

/// Those in whose name `only` occurs; all, if nothing is asked for.
///
/// # Errors
/// When it occurs in none: the names are listed.
pub(super) fn chosen<T>(rows: Vec<T>, only: Option<&str>, name: impl Fn(&T) -> String) -> Result<Vec<T>, LabError> {
    let Some(only) = only else { return Ok(rows) };
    let names: Vec<String> = rows.iter().map(&name).collect();
    let rows: Vec<T> = rows.into_iter().filter(|row| name(row).contains(only)).collect();
    if rows.is_empty() {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let allowed = format!("part of one of {}", quoted.join(", "));
        return Err(LabError::Option { option: "only", value: format!("\"{only}\""), allowed });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_of_a_name_chooses_and_none_is_an_error_with_the_names() {
        let rows = || vec!["2 arms", "20 arms", "5 coins"];
        let of = |only| chosen(rows(), only, |row| (*row).to_owned());
        assert_eq!(of(None).unwrap(), rows());
        assert_eq!(of(Some("arms")).unwrap(), ["2 arms", "20 arms"]);
        let message = of(Some("legs")).unwrap_err().to_string();
        assert!(message.contains("\"legs\"") && message.contains("\"5 coins\""), "{message}");
    }
}
