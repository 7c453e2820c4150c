"""Several files at once, whole: all or none, and never over another unless that is wanted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.errors import StoreError
from pbem.files import write_file, write_files

CONTENTS = {"a.yaml": b"one", "b.yaml": b"two"}


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def write(folder: Path, *, replace: bool) -> None:
    """Write both files."""
    write_files({folder / name: data for name, data in CONTENTS.items()}, mode=0o640, replace=replace)


@pytest.mark.parametrize("replace", [True, False])
def test_all_are_written_and_nothing_is_left_over(tmp_path: Path, replace: bool) -> None:
    write(tmp_path, replace=replace)
    assert contents(tmp_path) == CONTENTS
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o640}


def test_without_replacing_a_file_that_is_there_stops_all(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_bytes(b"mine")
    with pytest.raises(StoreError, match=r'cannot write ".*b\.yaml": file exists'):
        write(tmp_path, replace=False)
    assert contents(tmp_path) == {"b.yaml": b"mine"}
    write(tmp_path, replace=True)
    assert contents(tmp_path) == CONTENTS


def test_also_where_the_system_knows_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", unknown)
    (tmp_path / "b.yaml").write_bytes(b"mine")
    with pytest.raises(StoreError, match="file exists"):
        write(tmp_path, replace=False)
    assert contents(tmp_path) == {"b.yaml": b"mine"}
    (tmp_path / "b.yaml").unlink()
    write(tmp_path, replace=False)
    assert contents(tmp_path) == CONTENTS


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("step", ["create a.yaml", "create b.yaml", "rename a.yaml"])
def test_a_full_disk_before_the_first_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, replace: bool
) -> None:
    def full(name: str) -> None:
        if name == step:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "on_step", full)
    with pytest.raises(StoreError, match="no space left on device"):
        write(tmp_path, replace=replace)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("step", ["create a.yaml", "create b.yaml", "rename a.yaml", "rename b.yaml"])
def test_a_process_that_is_killed_leaves_whole_files_only(tmp_path: Path, step: str) -> None:
    """Whatever has the name of a file has all of its content; the rest is swept away later."""
    child = os.fork()
    if not child:
        disk.on_step = lambda name: os._exit(9) if name == step else None
        write(tmp_path, replace=False)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    disk.sweep(tmp_path)
    assert contents(tmp_path).items() <= CONTENTS.items()


def test_a_name_as_long_as_the_disk_allows(tmp_path: Path) -> None:
    """The temporary file beside it has a shorter name."""
    path = tmp_path / ("x" * 255)
    write_file(path, b"long")
    assert contents(tmp_path) == {path.name: b"long"}
