//! Things that have names: as they are typed, shown and stored.

use thiserror::Error;

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no {what} named \"{name}\": write one of {known}")]
pub struct UnknownName {
    /// What was looked for, such as "rule".
    pub what: &'static str,
    /// The name given.
    pub name: String,
    /// The names there are, with commas between them.
    pub known: String,
}

/// An enum whose variants have names: `ALL`, `name`, `Display`, `FromStr`, and serde by name.
macro_rules! named {
    ($(#[$about:meta])* pub enum $kind:ident, $what:literal { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[non_exhaustive]
        pub enum $kind {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        impl $kind {
            /// All of them.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),+];

            /// The names of all of them.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $kind {
            type Err = $crate::names::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = $kind::ALL.iter().find(|kind| kind.name() == name);
                found.copied().ok_or_else(|| $crate::names::UnknownName {
                    what: $what,
                    name: name.to_owned(),
                    known: $kind::NAMES.join(", "),
                })
            }
        }
    };
}

pub(crate) use named;

#[cfg(test)]
mod tests {
    use crate::rule::RuleKind;
    use crate::stopping::StoppingKind;

    #[test]
    fn names_are_read_shown_and_stored_alike() {
        for &kind in RuleKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("{:?}", kind.name()));
            assert_eq!(serde_json::from_str::<RuleKind>(&format!("{:?}", kind.name())).unwrap(), kind);
        }
        assert_eq!(StoppingKind::NAMES, ["stylized", "calibrated", "certified"]);
        let message = "duel".parse::<RuleKind>().unwrap_err().to_string();
        assert!(message.contains("no rule named \"duel\"") && message.contains("dual, track-and-stop"), "{message}");
    }
}
