"""What pytest-benchmark and hyperfine wrote, as tables for `analyze`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from surefront._surefront import StudyError


def read_benchmarks(path: str | os.PathLike[str]) -> dict[str, list[Any]]:
    """Every single measurement in a JSON file of pytest-benchmark (`--benchmark-json`) or hyperfine (`--export-json`).

    The columns are `arm`, the benchmark's name or the command, and `seconds`, for `analyze`:

    >>> import json, pathlib, surefront as sf, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "times.json"
    >>> results = [{"command": "sleep 1", "times": [1.0, 1.1, 1.0]}, {"command": "sleep 2", "times": [2.0, 2.1, 2.1]}]
    >>> _ = file.write_text(json.dumps({"results": results}))
    >>> sf.analyze(sf.read_benchmarks(file), min="seconds").front
    ['sleep 1']
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise StudyError(f"{path}: cannot read this file ({error.strerror}): check the path") from None
    except ValueError as error:
        raise StudyError(f"{path}: this is no JSON ({error})") from None
    pairs = _hyperfine(found) or _pytest(found)
    if not pairs:
        raise StudyError(
            f"{path}: there are no single measurements in it: write it with `hyperfine --export-json` or `pytest --benchmark-json`"
        )
    return {"arm": [name for name, _ in pairs], "seconds": [seconds for _, seconds in pairs]}


def _hyperfine(found: Any) -> list[tuple[str, float]]:
    results = found.get("results", []) if isinstance(found, dict) else []
    return [(str(result["command"]), float(seconds)) for result in results if "command" in result for seconds in result.get("times") or []]


def _pytest(found: Any) -> list[tuple[str, float]]:
    benchmarks = found.get("benchmarks", []) if isinstance(found, dict) else []
    return [
        (str(benchmark["name"]), float(seconds))
        for benchmark in benchmarks
        if "name" in benchmark
        for seconds in benchmark.get("stats", {}).get("data") or []
    ]
