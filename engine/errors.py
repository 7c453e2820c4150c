"""The few ways in which the engine says no."""

from __future__ import annotations


class EngineError(Exception):
    """Anything the engine refuses; the message is one sentence for people."""


class NotationError(EngineError):
    """A text that cannot be read, or that fits several legal answers."""


class IllegalDecision(EngineError):
    """An answer that was understood but that the rules do not allow; `rule` is the rule's number."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.message = message

    def at(self, place: str) -> IllegalDecision:
        """The same refusal with the place where it happened in front."""
        return IllegalDecision(self.rule, f"{place}: {self.message}")


class ScenarioError(EngineError):
    """A scenario document that cannot be played; names the document, and the line where there is one."""

    def __init__(self, message: str, *, name: str = "scenario", line: int | None = None) -> None:
        place = name if line is None else f"{name}, line {line}"
        super().__init__(f"{place}: {message}")
        self.name = name
        self.line = line
