"""Which compressors are Pareto-optimal, in time and size, for your text? The size has no noise, the time has."""

import bz2
import lzma
import pathlib
import sys
import time
import zlib
from collections.abc import Callable

import surefront as sf

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "zlib 1": lambda data: zlib.compress(data, 1),
    "zlib 6": lambda data: zlib.compress(data, 6),
    "zlib 9": lambda data: zlib.compress(data, 9),
    "bz2 9": lambda data: bz2.compress(data, 9),
    "lzma 0": lambda data: lzma.compress(data, preset=0),
}


def main(path: str = __file__) -> None:
    # Long enough that a clock can tell.
    data = (pathlib.Path(path).read_bytes() * 2000)[:300_000]

    def measure(arm: str) -> dict[str, float]:
        begin = time.perf_counter()
        size = len(COMPRESSORS[arm](data))
        return {"milliseconds": 1000 * (time.perf_counter() - begin), "bytes": size}

    objectives = [sf.Objective("milliseconds", "min"), sf.Objective("bytes", "min", noise="exact")]
    study = sf.Study(objectives, list(COMPRESSORS), name="compressors", delta=0.1)
    # One at a time: nothing disturbs a measurement of time.
    print(study.run(measure, max_samples=400, max_time=20))
    print(study.front)


if __name__ == "__main__":
    main(*sys.argv[1:])
