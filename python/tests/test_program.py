"""A study begun here goes on with the program, and the other way round."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from studies import FRONT, fill, make

import surefront as sf

PROGRAM = os.environ.get("SUREFRONT_PROGRAM")
needs_program = pytest.mark.skipif(PROGRAM is None, reason="SUREFRONT_PROGRAM does not name the program")


def program(*arguments: object) -> Any:
    done = subprocess.run([str(PROGRAM), *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)


@needs_program
def test_begun_here_goes_on_there(tmp_path: Path, seeded: Callable[[str], dict[str, float]]) -> None:
    file = tmp_path / "models.toml"
    with make(store=tmp_path / "models.db") as study:
        for ticket in study.ask(3):
            study.tell(ticket, seeded(ticket.arm))
        file.write_text(study.definition)
        here = study.status().to_dict()
    there = program("status", file)
    assert there == {**here, "store": str(tmp_path / "models.db")}
    ticket = program("ask", file)["tickets"][0]
    assert ticket["ticket"] == 4
    with sf.Study.open(file) as study:
        study.tell(4, seeded(ticket["arm"]["name"]))
        fill(study, seeded)
        assert study.front == FRONT
    assert program("status", file)["stopped"]


@needs_program
def test_the_same_seed_gives_the_same_numbers() -> None:
    vaccine = Path(__file__).parents[2] / "examples" / "vaccine.toml"
    there = program("simulate", vaccine, "--rule", "dual", "--threshold", "stylized", "--runs", 30, "--seed", 9)
    here = sf.simulate(vaccine, "dual", threshold="stylized", runs=30, seed=9).to_dict()
    for found in (there, here):
        del found["rules"][0]["seconds"], found["rules"][0]["micros_per_sample"]
    assert here == there
    assert sf.bound(vaccine) == program("bound", vaccine)
    there = program("analyze", vaccine.with_name("models.csv"), "--max", "accuracy", "--min", "milliseconds")
    import pandas as pd

    here = sf.analyze(pd.read_csv(vaccine.with_name("models.csv")), max="accuracy", min="milliseconds", name="models").to_dict()
    assert here == there


def test_a_study_file_and_its_store(tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text(make().definition)
    with sf.Study.open(file) as study:
        assert study.store == tmp_path / "models.db"
        assert study.name == "study"
    file.write_text("[[objective]]\nname = 3\n")
    with pytest.raises(sf.StudyError, match=r"models\.toml, line 2"):
        sf.Study.open(file)
