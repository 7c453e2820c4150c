"""The shape of answers and events: plain tuples, small enough to be made by the thousand."""

from __future__ import annotations

from typing import Any

Answer = tuple[Any, ...]  # a verb and its arguments: ("move", 56, 57); see notation.py
Event = tuple[Any, ...]  # a kind and its fields; see events.py
