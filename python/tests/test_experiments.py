from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from studies import make

import surefront as sf

VACCINE = Path(__file__).parents[2] / "examples" / "vaccine.toml"


def without_times(simulated: sf.Simulated) -> dict[str, Any]:
    fields = simulated.to_dict()
    for rule in fields["rules"]:
        del rule["seconds"], rule["micros_per_sample"]
    return fields


def test_the_bound() -> None:
    found = sf.bound(VACCINE)
    assert math.isclose(found["t_star"]["upper"], 2103.75, rel_tol=1e-4)
    assert math.isclose(sum(found["weights"]), 1, rel_tol=1e-9)
    assert [arm["name"] for arm in found["front"]] == ["BNT/BNT + m1273", "ChAd/ChAd + m1273"]
    # The largest of all costs, at the best weights.
    assert math.isclose(1 / sf.transport(VACCINE, found["weights"])["cost"], found["t_star"]["upper"], rel_tol=1e-4)
    assert sf.transport(VACCINE)["cost"] < sf.transport(VACCINE, found["weights"])["cost"]


def test_simulations_in_parts_are_the_same() -> None:
    whole = without_times(sf.simulate(VACCINE, ["dual", "uniform"], runs=21, threshold="stylized", seed=4))
    with ThreadPoolExecutor(3) as executor:
        parts = sf.simulate(VACCINE, ["dual", "uniform"], runs=21, threshold="stylized", seed=4, executor=executor)
    assert without_times(parts) == whole
    with ProcessPoolExecutor(2) as executor:
        parts = sf.simulate(VACCINE, ["dual", "uniform"], runs=21, threshold="stylized", seed=4, executor=executor)
    assert without_times(parts) == whole
    assert "dual" in str(parts)
    assert "<svg" in (parts.svg() or "")
    assert sf.simulate(VACCINE, ["dual", "uniform"], runs=21, threshold="stylized", seed=5).rules != parts.rules


def test_plans() -> None:
    plan = sf.plan(make(), runs=10, delta=[0.1, 0.01])
    assert [outlook["delta"] for outlook in plan.plans] == [0.1, 0.01]
    assert plan.drivers
    assert "<pre>" in plan._repr_html_()


def test_what_cannot_be() -> None:
    with pytest.raises(sf.StudyError, match="mean"):
        sf.bound(sf.Study([sf.Objective("x", "max", variance=1)], ["a", "b"]))
    with pytest.raises(sf.StudyError, match='"a" and "b" have the same means'):
        sf.bound(sf.Study([sf.Objective("x", "max", variance=1)], {"a": [1], "b": [1]}))
    with pytest.raises(sf.StudyError, match="there is no such file"):
        sf.bound("nowhere.toml")
    with pytest.raises(sf.StudyError, match="is no study"):
        sf.bound(3)
    with pytest.raises(sf.StudyError, match='no method named "magic"'):
        sf.transport(VACCINE, method="magic")
    with pytest.raises(sf.StudyError, match="weight"):
        sf.transport(VACCINE, [1.0])
    with pytest.raises(sf.StudyError, match='no rule named "magic"'):
        sf.simulate(VACCINE, "magic")
    with pytest.raises(sf.StudyError, match="runs is 0"):
        sf.simulate(VACCINE, runs=0)
    with pytest.raises(sf.StudyError, match="tracking"):
        sf.simulate(VACCINE, tracking="e")
