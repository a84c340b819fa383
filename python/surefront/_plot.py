"""The arms of a study on matplotlib axes: an optional extra (`pip install surefront[plot]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surefront._surefront import StudyError

if TYPE_CHECKING:
    import matplotlib.axes

# By verdict: the marker, and whether it is filled.
_MARKS = {"in": ("o", "full"), "out": ("x", "full"), "undecided": ("o", "none")}


def draw(fields: dict[str, Any], x: str | None, y: str | None, ax: matplotlib.axes.Axes | None) -> Any:
    """Every arm with its standard errors; what is known of it as its mark."""
    import matplotlib.pyplot as plt

    names = [objective["name"] for objective in fields["objectives"]]
    horizontal = _place(names, x, 0)
    vertical = _place(names, y, 1 if len(names) > 1 else None)
    axes = plt.gca() if ax is None else ax
    measured = [arm for arm in fields["arms"] if arm["n"] > 0]
    for place, arm in enumerate(measured):
        marker, fill = _MARKS[arm["verdict"]]
        at = (arm["mean"][horizontal], place if vertical is None else arm["mean"][vertical])
        error = (arm["se"][horizontal], None if vertical is None else arm["se"][vertical])
        line = axes.errorbar(*at, xerr=error[0], yerr=error[1], marker=marker, fillstyle=fill, linestyle="none")
        axes.annotate(arm["name"], at, xytext=(4, 4), textcoords="offset points", color=line[0].get_color())
    axes.set_xlabel(_label(fields["objectives"][horizontal]))
    axes.set_ylabel("arm" if vertical is None else _label(fields["objectives"][vertical]))
    if vertical is None:
        axes.set_yticks([])
    axes.set_title(fields["study"])
    return axes


def _place(names: list[str], wanted: str | None, usual: int | None) -> Any:
    if wanted is None:
        return usual
    if wanted not in names:
        raise StudyError(f'the study has no objective "{wanted}": there are {", ".join(names)}')
    return names.index(wanted)


def _label(objective: dict[str, str]) -> str:
    arrow = {"max": "↑", "min": "↓", None: ""}[objective["goal"]]
    return f"{objective['name']} {arrow}"
