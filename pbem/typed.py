"""Typed actions on a draft: the notation, the orders of a plan, and what people leave out.

`enact(draft, lines)` carries out some actions, all or none; the draft it was given stays as it was. There is
one exception: dice that have fallen bind whoever has seen them, so what led to them is kept even if a later
line is not possible. In a sealed game every `attack` line adds to the plan of the file, which is closed by
`end` or by sealing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import chance
from engine.answers import VERBS
from engine.cards import CARDS
from engine.errors import EngineError, IllegalDecision, NotationError
from engine.refusal import WAITS, explain
from engine.state import State
from pbem.draft import Choice, Draft
from pbem.errors import Fault, Refused
from pbem.hindsight import DECIDED, read_answer, refusal, seal_hint
from pbem.message import MOST_SAID, check_words
from pbem.orders_text import SWITCHES, format_order, parse_order
from pbem.plans import can_keep, check_possible, check_room, open_plan, planned

__all__ = [
    "REFUSALS",
    "VERBS",
    "Enacted",
    "choice_text",
    "copied",
    "enact",
    "enact_all",
    "is_verb",
    "open_plan",
    "planned",
    "problem_text",
    "rehearsal",
    "taken_back",
]

REFUSALS = (Refused, EngineError)
# Phases that "done" ends when something of a later phase is typed, and the verbs of the later ones.
STAGES = ("order", "move", "battle")
STAGE: dict[str, int] = {"move": 1, "exit": 1, "attack": 2, "clear": 2}
ENDS = (("done",), ("pass",), ("stay",))
GOING_ON = "the turn goes on with a plan of attacks"
WAYS_ON = '"attack ..." orders one, "plan keep" confirms what is left, "end" ends the turn'


# Several actions


class Enacted(NamedTuple):
    """What became of some actions: the draft with those that are done, and why the next one is not."""

    draft: Draft
    done: int  # how many
    problem: Exception | None = None
    failed: int = 0  # number of the action that is not possible, from 1


def copied(draft: Draft) -> Draft:
    """A draft with the same choices that can be changed by itself."""
    return Draft(draft.desk, tuple(draft.choices), seen=draft.seen)


def rehearsal(draft: Draft) -> Draft:
    """A copy that tries things out: it ends where dice would fall."""
    return Draft(draft.desk, tuple(draft.choices), seen=len(draft.choices))


def enact(draft: Draft, lines: Sequence[str]) -> Enacted:
    """All actions, or none if one is not possible; but what dice have followed is done.

    A draft that only tries things out comes to its end where dice would fall.
    """
    new = copied(draft)
    bound, done, kept = new.bound, 0, tuple(new.choices)
    for number, line in enumerate(lines, start=1):
        try:
            new = _enact(new, line)
        except REFUSALS as problem:
            if new.bound > bound:  # this very line has rolled dice before it failed
                kept = tuple(new.choices[: new.bound])
            left = Draft(new.desk, kept, seen=new.seen)
            return Enacted(left, done, _with_hint(problem, left), number)
        if new.bound > bound:
            bound, done, kept = new.bound, number, tuple(new.choices)
        if new.dice_due:
            return Enacted(new, number)
    return Enacted(new, len(lines))


def _with_hint(problem: Exception, draft: Draft) -> Exception:
    """A refusal; if the draft that is left is decided, with what can be done with it."""
    if getattr(problem, "hint", "") or not draft.is_decided:
        return problem
    return Refused(str(problem), hint=f"{DECIDED}: {seal_hint(draft)}")


def enact_all(draft: Draft, lines: Sequence[str]) -> Draft:
    """The draft after some actions; raises if one is not possible, unless dice have fallen before it."""
    found = enact(draft, lines)
    if found.problem is not None and found.draft.choices == draft.choices:
        raise found.problem
    return found.draft


def _enact(draft: Draft, line: str) -> Draft:
    words = line.split()
    if not words:
        raise NotationError("an action is expected, for example: order G5")
    verb = words[0].lower()
    if draft.must_confirm and verb != "say":
        raise Refused("the game is decided; only its result is left to sign", hint='type "pbem seal"')
    try:
        return ACTIONS.get(verb, _decide)(draft, line)
    except Fault as fault:  # our own slip: the other side has done nothing wrong
        raise Refused(fault.message, hint=fault.hint) from fault


# Decisions


def _decide(draft: Draft, line: str) -> Draft:
    verb = line.split()[0].lower()
    _close_stages(draft, verb)
    if draft.is_decided:
        raise refusal(draft, line)
    state = draft.state
    answer = read_answer(state, line)
    if draft.owes_plan:
        if answer in state.answers:
            raise Refused(GOING_ON, hint=WAYS_ON)
        raise Refused(str(explain(state, answer)), hint=f"{GOING_ON}: {WAYS_ON}")
    if answer in draft.answers():
        draft.do(answer)
        return draft
    if answer[0] in ("card", "discard") and answer in state.answers:
        name = CARDS[answer[1]].name
        raise IllegalDecision("R29", f"you do not hold {name}, as far as you can read your cards")
    raise refusal(draft, line)


def _close_stages(draft: Draft, verb: str) -> None:
    """Say "done" for whoever goes on to moves or battles without saying it."""
    stage = STAGE.get(verb, 0)
    while ("done",) in draft.answers():
        phase = draft.state.phase
        if phase not in STAGES or STAGES.index(phase) >= stage:
            return
        draft.do(("done",))


def _each(draft: Draft, line: str) -> Draft:
    """`order G5 h4` or `order G5,h4`: one decision for each hex."""
    verb, *hexes = line.replace(",", " ").split()
    if len(hexes) > 1 and draft.seen is None:  # no dice for a line that cannot be done to its end
        _each(rehearsal(draft), line)
    for h in hexes or [""]:
        draft = _decide(draft, f"{verb} {h}".strip())
    return draft


def _keep(draft: Draft, line: str) -> Draft:
    """`keep probe-left`: of the new cards of a Recon the other one is discarded."""
    named = f"discard {line.strip()[len('keep') :].strip()}".strip()
    cards = [answer[1] for answer in draft.answers() if answer[0] == "discard"]
    if not cards or len(named.split()) < 2:
        return _decide(draft, named)
    kept = read_answer(draft.state, named)[1]
    if kept not in cards:
        return _decide(draft, named)  # which says why not
    return _decide(draft, f"discard {next((card for card in cards if card != kept), kept)}")


def _say(draft: Draft, line: str) -> Draft:
    text = line.strip()[len("say") :].strip()
    if not 1 <= len(text) <= MOST_SAID:
        raise Refused(f"a message has 1 to {MOST_SAID} characters")
    check_words(text)
    if any(choice.name == "say" for choice in draft.choices):
        last = draft.choices[-1].name == "say" and draft.can_undo()
        hint = '"pbem undo" takes it back' if last else '"pbem seal --message TEXT" writes another instead'
        raise Refused("one message goes with a file, and it is written", hint=hint)
    draft.choose(Choice("say", text))
    return draft


# Plans


def _attack(draft: Draft, line: str) -> Draft:
    words = line.lower().split()
    if not draft.referee.sealed:
        if any(word in SWITCHES for word in words):
            raise Refused(
                "in this game the dice fall at once",
                hint="ground and overrun are decided when they are asked",
            )
        return _decide(draft, line)
    _close_stages(draft, "attack")
    plan = open_plan(draft)
    state = plan.base.state
    if not plan.base.wants_plan:
        raise refusal(plan.base, line)
    typed = parse_order(state, line)
    check_room(state, typed.order, plan.orders)
    if not chance(state):
        check_possible(state, typed.order, maybe=typed.maybe)
    plan.orders.append(typed.order)
    return plan.closed()


def _hold(draft: Draft, line: str) -> Draft:
    """`hold`: the turn stops after the last attack of the plan and goes on when its dice are known."""
    if not draft.referee.sealed:
        raise Refused("in this game the dice fall at once; there is nothing to hold for")
    plan = open_plan(draft)
    if not plan.orders:
        raise Refused('"hold" comes behind an attack', hint='for example: "attack I5 K5" "hold"')
    plan.orders[-1] = plan.orders[-1]._replace(hold=True)
    return plan.closed()


def _plan(draft: Draft, line: str) -> Draft:
    what = line.lower().split()[1:]
    if what not in (["keep"], ["none"]):
        raise NotationError('write "plan keep" for what is left of the plan, or "plan none"')
    if not draft.wants_plan and not can_keep(draft):
        raise Refused("no plan is asked for now")
    if what == ["keep"] and not can_keep(draft):
        raise Refused("there is no earlier plan to keep", hint='"attack ..." orders an attack')
    draft.plan(None if what == ["keep"] else ())
    return draft


def _end(draft: Draft, line: str) -> Draft:
    """`end`: nothing more in this turn; closes a plan that has been written."""
    if draft.is_decided:
        if draft.choices:
            return draft
        raise Refused(DECIDED, hint=seal_hint(draft))
    if draft.referee.active_side != draft.desk.side:
        raise _no_end(draft.state)
    turn, bound = draft.state.turn, draft.bound
    while not draft.is_decided and draft.state.turn == turn:
        if draft.wants_plan:
            draft.plan(())
            continue
        way = next((answer for answer in ENDS if answer in draft.answers()), None)
        if way is None:
            if draft.bound > bound:  # as far as the dice
                return draft
            raise _no_end(draft.state)
        draft.do(way)
    return draft


def _no_end(state: State) -> IllegalDecision:
    if state.phase == "target":
        return explain(state, ("done",))
    return IllegalDecision(
        "R28", f'nothing can be ended with "end" here; the game waits for {WAITS[state.phase]}'
    )


ACTIONS: dict[str, Callable[[Draft, str], Draft]] = {
    "attack": _attack,
    "end": _end,
    "hold": _hold,
    "keep": _keep,
    "order": _each,
    "plan": _plan,
    "say": _say,
    "target": _each,
}


def is_verb(word: str) -> bool:
    """Whether an action can begin with this word."""
    return word.lower() in ACTIONS or word.lower() in VERBS


# Taking back


def taken_back(draft: Draft) -> tuple[Draft, str]:
    """The draft without its last choice, of a plan without its last order; what it was. Raises Refused.

    Whoever moves or attacks ends by that what comes before (see `_close_stages`): these ends go with it.
    """
    choice = draft.choices[-1] if draft.choices else None
    if choice is not None and choice.name == "plan" and choice.value:
        plan = open_plan(draft)
        last = format_order(plan.base.state, plan.orders.pop())
        return (plan.closed() if plan.orders else _reopened(draft.undone())), last
    undone = draft.undone()
    assert choice is not None
    begun = choice.name == "plan" or (choice.name == "do" and choice.value.split()[0] in STAGE)
    return (_reopened(undone) if begun else undone), choice_text(choice)


def _reopened(draft: Draft) -> Draft:
    """The draft without the ends of orders and moves at its end."""
    while draft.choices and draft.choices[-1] == ("do", "done") and draft.can_undo():
        draft = draft.undone()
    return draft


def choice_text(choice: Choice) -> str:
    """A choice as people call it."""
    if choice.name == "do":
        return str(choice.value)
    if choice.name == "plan":
        if choice.value is None:
            return "plan keep"
        number = len(choice.value)
        return f"the plan of {number} attack order{'s' if number > 1 else ''}" if number else "no attack"
    return {"say": "the message", "stand": "standing orders", "end": "the end of the game"}[choice.name]


def problem_text(problem: Exception) -> str:
    """A refusal as one sentence with its hint behind it."""
    hint = getattr(problem, "hint", "")
    message = problem.message if isinstance(problem, Refused) else str(problem)
    return f"{message}; {hint}" if hint else message
