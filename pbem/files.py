"""Writing whole or not at all: atomic files, folders that survive a power cut, one process at a time.

Every function here either has happened completely or not at all, also when the machine is switched off in the
middle. Problems of the disk become StoreError, one sentence each.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.errors import Refused, StoreError

PRIVATE = 0o600
PRIVATE_FOLDER = 0o700
PATIENCE = 10.0  # seconds to wait for another process

# Called with a name before every step that changes the disk; tests replace it to stop the process there.
on_step: Callable[[str], None] | None = None


def _step(name: str) -> None:
    if on_step is not None:
        on_step(name)


def now() -> int:
    """The time of this machine's clock, in seconds since 1970."""
    return int(time.time())


def write_file(path: Path, data: bytes, *, mode: int = PRIVATE) -> None:
    """Write a file whole: a temporary file beside it, flushed, renamed, the folder flushed."""
    write_files({path: data}, mode=mode)


def write_files(contents: dict[Path, bytes], *, mode: int = PRIVATE, replace: bool = True) -> None:
    """Write several files, each whole; none gets its name before all of them are on the disk.

    Without `replace` a file that is there stops them all, even one that appears in the last moment.
    """
    spares = {path: path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.tmp") for path in contents}
    made: list[Path] = []
    at = Path()
    try:
        for at, data in contents.items():
            _step(f"create {at.name}")
            _write_flushed(spares[at], data, mode)
        for at, spare in spares.items():
            _step(f"rename {at.name}")
            if replace:
                os.replace(spare, at)
            else:
                _name_first(spare, at)
                made.append(at)
        for at in contents:
            _step(f"flush {at.name}")
            flush_folder(at.parent)
    except OSError as problem:
        for path in made:
            with contextlib.suppress(OSError):
                os.unlink(path)
        raise disk_error("cannot write", at, problem) from problem
    finally:
        for spare in spares.values():
            with contextlib.suppress(OSError):
                os.unlink(spare)


def _write_flushed(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _name_first(spare: Path, path: Path) -> None:
    """Give a finished file its name, unless that is taken; where there are no links, as well as can be."""
    try:
        os.link(spare, path)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.replace(spare, path)


def flush_folder(path: Path) -> None:
    """Make renames in a folder survive a power cut, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_file(path: Path, *, limit: int) -> bytes:
    """The bytes of a file, at most so many; raises StoreError."""
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as problem:
        raise disk_error("cannot read", path, problem) from problem
    if len(data) > limit:
        raise StoreError(f'"{path}" is larger than it can be', hint="the store is damaged; see docs/store.md")
    return data


def make_folder(path: Path) -> None:
    """Make a folder and those above it, for the owner only."""
    try:
        if not path.is_dir():
            make_folder(path.parent)
            _step(f"folder {path.name}")
            path.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)
            flush_folder(path.parent)
    except OSError as problem:  # also: a file is in the way
        raise disk_error("cannot make the folder", path, problem) from problem


def sweep(folder: Path) -> None:
    """Remove what writes that were cut off have left in a folder; call it with the lock held."""
    for path in folder.glob(".*.tmp"):
        with contextlib.suppress(OSError):
            path.unlink()


def remove_file(path: Path) -> None:
    """Remove a file if it is there."""
    if not os.path.lexists(path):
        return
    try:
        _step(f"remove {path.name}")
        path.unlink(missing_ok=True)
        flush_folder(path.parent)
    except OSError as problem:
        raise disk_error("cannot remove", path, problem) from problem


def disk_error(what: str, path: Path, problem: OSError) -> StoreError:
    """The sentence for a problem of the disk; what was changed before it only the caller can know."""
    reason = (problem.strerror or "unknown problem").lower()
    return StoreError(f'{what} "{path}": {reason}', hint="mend this and try again")


@contextlib.contextmanager
def locked(path: Path, *, patience: float | None = None) -> Iterator[None]:
    """Hold the lock of a folder; raises Refused while another process has it."""
    make_folder(path.parent)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as problem:
        raise disk_error("cannot open the lock", path, problem) from problem
    try:
        deadline = time.monotonic() + (PATIENCE if patience is None else patience)
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise Refused("another pbem is at work in this folder", hint="wait until it has finished")
            time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)  # gives the lock back


def _try_lock(descriptor: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
