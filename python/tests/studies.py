"""Studies that the tests have in common."""

from __future__ import annotations

import random
from collections.abc import Callable

import surefront as sf

MEANS = {"small": (0.70, 1.0), "large": (0.90, 4.0), "clumsy": (0.60, 5.0)}
FRONT = ["small", "large"]


def objectives() -> list[sf.Objective]:
    return [sf.Objective("accuracy", "max", variance=0.01), sf.Objective("seconds", "min", variance=0.04)]


def make(**options: object) -> sf.Study:
    return sf.Study(objectives(), MEANS, **{"delta": 0.05, **options})  # type: ignore[arg-type]


def measure(arm: str) -> dict[str, float]:
    """A picklable measurement."""
    accuracy, seconds = MEANS[arm]
    return {"accuracy": random.gauss(accuracy, 0.1), "seconds": random.gauss(seconds, 0.2)}


def fill(study: sf.Study, draw: Callable[[str], object]) -> None:
    while not study.sure:
        ticket = study.ask()
        study.tell(ticket, draw(ticket.arm))
