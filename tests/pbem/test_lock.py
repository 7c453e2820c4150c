"""The lock of a home folder: one at a time, but whoever has it may take it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import files
from pbem.errors import Refused
from pbem.home import Home


def test_whoever_holds_the_lock_may_take_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report written inside a command that holds the lock once cost ten seconds of waiting."""
    monkeypatch.setattr(files, "PATIENCE", 0.0)
    home = Home(tmp_path)
    with (
        home.lock(),
        home.lock(),
        pytest.raises(Refused, match="another pbem is at work"),
        Home(tmp_path).lock(),
    ):
        pass
    with Home(tmp_path).lock():  # given back with the last of the two
        pass
