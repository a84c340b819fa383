"""Studies as Python code describes them, turned into the text of a study file, which has every key and every check."""

from __future__ import annotations

import dataclasses
import json
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from surefront._surefront import StudyError

Goal = Literal["max", "min"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Keys:
    """Fields that are keys of a study file: what is None is left out."""

    def _lines(self) -> list[str]:
        fields = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        return [f"{key} = {_literal(key, value)}" for key, value in fields if value is not None]


@dataclasses.dataclass(frozen=True)
class Objective(_Keys):
    """What is measured of every arm, and whether more or less of it is better.

    Every field is the key of that name in a study file.

    >>> Objective("seconds", "min", variance=0.04)
    Objective(name='seconds', goal='min')
    """

    name: str
    goal: Goal
    # "gaussian", "bernoulli", "poisson", "exponential", "bounded", "exact": what an observation is made of.
    noise: str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # The least and the greatest value, where the noise is "bounded".
    range: Sequence[float] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # What is compared: "mean", "median", or a quantile such as "p95".
    statistic: str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # Differences up to this do not matter: in the units of the objective, or "2 %" of the mean.
    margin: float | str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # An arm with less, or more, than this is not wanted at all.
    at_least: float | None = dataclasses.field(default=None, kw_only=True, repr=False)
    at_most: float | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # Of one observation; 0 is no noise, "common" is unknown and the same for all arms, None is unknown.
    variance: float | str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # A weighted sum of what the commands print, such as {"revenue": 1, "cost": -1}.
    of: Mapping[str, float] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # "wall_seconds" and the like, where the arms have commands.
    measure: str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # What it is measured in, as it is shown beside its name: "ms".
    unit: str | None = dataclasses.field(default=None, kw_only=True, repr=False)


@dataclasses.dataclass(frozen=True)
class Constraint(_Keys):
    """What is measured of every arm and not optimised: it only has to keep its limits.

    Every field is the key of that name in a study file. Its values come after those of the objectives.

    >>> Constraint("error rate", noise="bernoulli", at_most=0.001)
    Constraint(name='error rate')
    """

    name: str
    # An arm with less, or more, than this is not wanted at all; one of the two is needed.
    at_least: float | None = dataclasses.field(default=None, kw_only=True, repr=False)
    at_most: float | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # As for an objective.
    noise: str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    range: Sequence[float] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    variance: float | str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # What has to keep the limits, if not the mean: a quantile such as "p95".
    statistic: str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    of: Mapping[str, float] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    measure: str | None = dataclasses.field(default=None, kw_only=True, repr=False)
    unit: str | None = dataclasses.field(default=None, kw_only=True, repr=False)


@dataclasses.dataclass(frozen=True)
class Arm(_Keys):
    """One of the alternatives. Its name is all that a study of measurements needs.

    >>> Arm("distilled", mean=[0.91, 0.35])
    Arm(name='distilled')
    """

    name: str
    # What is expected, for `simulate`, `plan`, `bound` and `transport`: one number for each objective, then for each constraint.
    mean: Sequence[float] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # Its own variances, one for each objective.
    variance: Sequence[float] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # What one measurement costs; 1 if nothing is said. The total is what is kept low.
    cost: float | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # What measures it, where `run` is not given a function.
    command: str | Sequence[str] | None = dataclasses.field(default=None, kw_only=True, repr=False)
    # What the placeholders of the study's command stand for.
    parameters: Mapping[str, str | float] | None = dataclasses.field(default=None, kw_only=True, repr=False)


@dataclasses.dataclass(frozen=True)
class _Head(_Keys):
    """The keys of the study as a whole."""

    name: str | None = None
    delta: float | None = None
    # Between readings: a matrix in the order of the objectives, or "estimate".
    correlation: Sequence[Sequence[float]] | str | None = None
    # "measured": a measurement costs the time that it takes.
    cost: str | None = None
    prepare: str | Sequence[str] | None = None
    # Measures every arm that has no command of its own; {name} and {parameter} stand for what differs.
    command: str | Sequence[str] | None = None
    # Seconds, or text with a unit such as "10m".
    timeout: float | str | None = None
    jobs: int | None = None
    warmup: int | None = None
    max_samples: int | None = None
    # In place of the arms: a list for each parameter, and an arm for each combination.
    grid: Mapping[str, Sequence[str | float]] | None = None


Arms = Iterable[str | Arm] | Mapping[str, Sequence[float]]


def study_text(objectives: Iterable[Objective | Constraint], arms: Arms, **keys: Any) -> str:
    """What the study file would say; `keys` are those of the study as a whole."""
    tables = [_Head(**keys)._lines()]
    tables += _readings(objectives)
    if isinstance(arms, str):
        raise StudyError(f'arms is the text "{arms}": give a list of names')
    if isinstance(arms, Mapping):
        arms = [Arm(name, mean=mean) for name, mean in arms.items()]
    entries = [Arm(arm) if isinstance(arm, str) else _checked(Arm, arm) for arm in arms]
    tables += [["[[arm]]", *arm._lines()] for arm in entries]
    return "\n".join("\n".join(table) + "\n" for table in tables if table)


def objectives_text(objectives: Iterable[Objective | Constraint]) -> str:
    """The part of a study file that says what is measured."""
    return "\n".join("\n".join(table) + "\n" for table in _readings(objectives))


def _readings(objectives: Iterable[Objective | Constraint]) -> list[list[str]]:
    tables = []
    for objective in objectives:
        limited = isinstance(objective, Constraint)
        checked = objective if limited else _checked(Objective, objective)
        tables.append(["[[constraint]]" if limited else "[[objective]]", *checked._lines()])
    return tables


def _checked(kind: type[Any], given: object) -> Any:
    if not isinstance(given, kind):
        example = 'Objective("seconds", "min")' if kind is Objective else 'Arm("small")'
        raise StudyError(f"{given!r} is no {kind.__name__}: write for example {example}")
    return given


def _literal(key: str, value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        if not value.isprintable() and value.encode(errors="replace").decode() != value:
            raise StudyError(f"{key} is {value!a}, which is no text: leave out what UTF-8 has no place for")
        # JSON's texts are TOML's, but for one character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, numbers.Integral):
        return repr(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, Mapping):
        entries = (f"{_literal(key, str(name))} = {_literal(key, entry)}" for name, entry in value.items())
        return "{ " + ", ".join(entries) + " }" if value else "{}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_literal(key, entry) for entry in value) + "]"
    raise StudyError(f"{key} is {value!r}: give a number, a text, or a list of them")


def definition(study: object) -> Path | tuple[str, str]:
    """What a function is asked about: a study, the path of a study file, or its text with a name."""
    described = getattr(study, "_definition", None)
    if described is not None:
        return described  # type: ignore[no-any-return]
    if isinstance(study, str | os.PathLike):
        return Path(study)
    raise StudyError(f"{study!r} is no study: give a Study, or the path of a study file")
