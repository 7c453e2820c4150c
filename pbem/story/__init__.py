"""What happened, in words; used by every command, the reports and the replay.

    tell(step, match)                        the sentences of one step
    tell_file(steps, match, before=, entry=) the story of a file in passages: card, moves, attacks
    asked_text(desk, key)                    what is asked of a player now, and the command to type
    awaited_text(log, referee)               the same for somebody who does not play

Only public facts go in. With a `chair` (side 0 or 1 of the engine) that side is addressed as "you".
"""

from pbem.story.asked import Asked, asked_text, awaited_text, question_of
from pbem.story.passages import (
    Passage,
    merged,
    order_text,
    plan_texts,
    steps_of_draft,
    story_text,
    tell_file,
)
from pbem.story.sentences import KINDS, Line, card_name, dice_words, unit_name
from pbem.story.steps import fields_of, lines_of, tell

__all__ = [
    "KINDS",
    "Asked",
    "Line",
    "Passage",
    "asked_text",
    "awaited_text",
    "card_name",
    "dice_words",
    "fields_of",
    "lines_of",
    "merged",
    "order_text",
    "plan_texts",
    "question_of",
    "steps_of_draft",
    "story_text",
    "tell",
    "tell_file",
    "unit_name",
]
