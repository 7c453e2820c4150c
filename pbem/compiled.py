"""Compiled templates, kept beside their sources in `__pycache__` as Python keeps compiled modules.

Compiling the template of a report takes longer than filling it. What is kept carries a checksum of its source
and Python's version; what does not fit, is damaged or cannot be written is done without. As with modules,
PYTHONDONTWRITEBYTECODE keeps this from writing, and `python -m pbem.compiled` compiles all of them ahead.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """The compiled templates of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "__pycache__"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The name under which a compiled template is kept."""
        return f"{name}.{sys.implementation.cache_tag}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the compiled template, if it is there and fits."""
        try:
            data = (self.folder / bucket.key).read_bytes()
            bucket.bytecode_from_string(data)
        except Exception:  # a damaged file may break the reading anywhere; the source is always there
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, where that is possible and wanted."""
        if sys.dont_write_bytecode:
            return
        temporary = self.folder / f"{bucket.key}.{os.getpid()}"
        with suppress(OSError):
            self.folder.mkdir(exist_ok=True)
            temporary.write_bytes(bucket.bytecode_to_string())
            temporary.replace(self.folder / bucket.key)


def compile_all() -> list[str]:
    """Compile every template that is not compiled yet; their names."""
    from pbem.pages import load_template, template_names

    sys.dont_write_bytecode = False
    names = template_names()
    for name in names:
        load_template(name)
    return names


if __name__ == "__main__":
    compile_all()
