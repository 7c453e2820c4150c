"""Words that people send with a file: how many, and of what."""

from __future__ import annotations

from pbem.errors import Refused

MOST_SAID = 2000  # characters of a message that everybody may read


def check_words(text: str) -> None:
    """Raises Refused for words that cannot travel in a file."""
    if len(text) > MOST_SAID:
        raise Refused(f"the message has {len(text)} characters, and {MOST_SAID} are the most")
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # bytes that the system could not read
        raise Refused(
            "the message holds bytes that are no text", hint="a terminal and a shell should use UTF-8"
        )
