from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from studies import MEANS


@pytest.fixture
def seeded() -> Callable[[str], dict[str, float]]:
    """The same measurements in every test run."""
    rng = random.Random(7)

    def draw(arm: str) -> dict[str, float]:
        accuracy, seconds = MEANS[arm]
        return {"accuracy": rng.gauss(accuracy, 0.1), "seconds": rng.gauss(seconds, 0.2)}

    return draw
