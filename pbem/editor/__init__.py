"""Documents of the community's scenario editor: read into battles, written from battles.

`import_document` reads one, `export_battle` writes one; docs/import.md says what is recognised, what can
be played, and what a document cannot say.
"""

from __future__ import annotations

from pbem.editor.builder import Imported, import_document
from pbem.editor.problems import Problem
from pbem.editor.writer import export_battle

__all__ = ["Imported", "Problem", "export_battle", "import_document"]
