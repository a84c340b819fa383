"""What comes back as JSON, with its fields as attributes and entries."""

from __future__ import annotations

import json
from typing import Any


class Fields:
    """The fields of the program's JSON."""

    def __init__(self, text: str) -> None:
        self._fields: dict[str, Any] = json.loads(text)

    def __getitem__(self, field: str) -> Any:
        return self._fields[field]

    def __getattr__(self, field: str) -> Any:
        try:
            return self.__dict__["_fields"][field]
        except KeyError:
            raise AttributeError(f"there is no {field!r} in a {type(self).__name__}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def to_dict(self) -> dict[str, Any]:
        """All fields, as the program has them in JSON."""
        copy: dict[str, Any] = json.loads(json.dumps(self._fields))
        return copy
