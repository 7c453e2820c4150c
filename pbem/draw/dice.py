"""Battle dice as small pictures: one symbol for every face, used as often as it fell."""

from __future__ import annotations

from collections.abc import Sequence

from engine.combat import FACES
from pbem.draw.shapes import STAR, UNIT_SHAPES

# What a face shows, around the middle of the die; `currentColor` is its ink, `die-gap` draws in its ground.
_SIGNS: dict[str, str] = {
    "infantry": f'<g transform="translate(-1,-1)scale(1.12)">{UNIT_SHAPES["infantry"]}</g>',
    "armor": f'<g transform="translate(-.5,-.5)scale(.84)">{UNIT_SHAPES["armor"]}</g>'.format(
        back='die-gap" stroke="#fffdf4'
    ),
    "grenade": '<path d="M-5-1.5C-9 3-6.5 11 0 11S9 3 5-1.5zM-3.5-6.5h7V-3h-7z'
    'M3-8l5.5 1.5 1 8-2 .4-.8-6.6L2.5-6z"/>'
    '<circle cx="-5.5" cy="-7.5" r="2.6" fill="none" stroke="currentColor" stroke-width="1.7"/>'
    '<path class="die-gap" stroke="#fffdf4" stroke-width="1.1" d="M-7.4 4.8H7.4M-2.5-1.5V11M2.5-1.5V11"/>',
    "flag": '<path d="M-8.6-11h2.2V12h-2.2zM-6-11C-1-14 3-8 10-11V0C3 3-1-3-6 0z"/>',
    "star": f'<path transform="translate(0,.8)scale(1.5)" d="{STAR}"/>',
}


def dice_symbols(prefix: str = "die-") -> str:
    """The hidden element that holds every face once; a page needs it before it shows dice."""
    faces = "".join(
        f'<symbol id="{prefix}{name}" viewBox="-17 -17 34 34">'
        f'<rect class="die-body" x="-15.5" y="-15.5" width="31" height="31" rx="6" '
        'fill="#fffdf4" stroke="#22262b" stroke-width="1.4"/>'
        f'<g fill="currentColor">{_SIGNS[name]}</g></symbol>'
        for name in FACES
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" '
        f'aria-hidden="true">{faces}</svg>'
    )


def dice_picture(faces: Sequence[int], effects: Sequence[str] = (), prefix: str = "die-") -> str:
    """Dice that fell, in order; each says its face, and its effect if that is known, to a screen reader."""
    marks = effects or ("",) * len(faces)
    return "".join(_die(FACES[face], mark, prefix) for face, mark in zip(faces, marks, strict=True))


def _die(name: str, effect: str, prefix: str) -> str:
    words = f"{name}, {effect}" if effect in ("hit", "miss") else name
    look = f"die {effect}".rstrip()
    return (
        f'<svg class="{look}" width="34" height="34" role="img" aria-label="{words}">'
        f'<title>{words}</title><use href="#{prefix}{name}"/></svg>'
    )
