"""The examples in the documents run."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_the_examples_of_a_document_run(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    random.seed(4)
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    # One goes on where the last one ended.
    names: dict[str, object] = {"__name__": "document"}
    for block in blocks:
        exec(compile(block, document, "exec"), names)
