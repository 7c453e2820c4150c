"""Line of sight (rules R67-R86).

Theory of operation. The segment between two hex centres passes the inside of some hexes and grazes others
along an edge or at a corner; `hexes.Grid.line` knows which. An obstruction in a crossed hex blocks; grazed
obstructions block only when there is one on the left and one on the right (R71). Whether ground obstructs
depends on its elevation and on that of the two units (R72-R76), and both are fixed for the whole battle, so
each pair of hexes is compiled once into: never, or "only if one of these hexes holds a unit". What is left
for play is to look whether units stand there. This module does not know ranges or weapons.
"""

from __future__ import annotations

from engine.board import Board
from engine.hexes import Line

NOBODY = 255

# Hexes in which a unit blocks; then, for grazed hexes on either side, whether that side is blocked already.
Window = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], bool, bool]


class Sight:
    """Answers who can see whom on a board; remembers what it has worked out about each pair of hexes."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._windows: dict[int, Window | None] = {}
        self._guns: dict[int, bool] = {}
        self._banks: dict[int, bool] = {}
        self._has_walls = any("blocks-artillery" in f.traits for f in board.facts)
        self._has_wide = any("wide" in f.traits for f in board.facts)
        self._bank = self._find_banks() if self._has_wide else []
        self._divides = len({bank for bank in self._bank if bank >= 0}) > 1

    def sees(self, a: int, b: int, occupants: bytes) -> bool:
        """Whether a unit at one hex sees the other, given the occupant of every hex."""
        key = a << 8 | b
        try:
            window = self._windows[key]
        except KeyError:
            window = self._windows[key] = self._compile(a, b)
        if window is None:
            return False
        crossed, left, right, left_shut, right_shut = window
        for h in crossed:
            if occupants[h] != NOBODY:
                return False
        if left or right:
            if not left_shut:
                left_shut = any(occupants[h] != NOBODY for h in left)
            if left_shut and not right_shut:
                right_shut = any(occupants[h] != NOBODY for h in right)
        return not (left_shut and right_shut)

    def obstructions(self, a: int, b: int, occupants: bytes) -> tuple[str, tuple[int, ...]]:
        """Why one hex does not see another: the rule (R68 or R71) and the hexes that block."""
        line = self.board.grid.line(a, b)
        low = min(self.board.elevation[a], self.board.elevation[b])

        def blocking(hexes: tuple[int, ...]) -> tuple[int, ...]:
            manned = self._standing(hexes, low)
            return tuple(
                h for h in hexes if self._obstructs(h, line, low) or (h in manned and occupants[h] != NOBODY)
            )

        crossed = blocking(line.crossed)
        if crossed:
            return "R68", crossed
        return "R71", (*blocking(line.left), *blocking(line.right))

    def may_shell(self, a: int, b: int) -> bool:
        """Whether artillery may fire from one hex to another: some hills forbid it (Saverne Gap)."""
        if not self._has_walls:
            return True
        return not self._barred(a, b, "blocks-artillery", self._guns)

    def same_bank(self, a: int, b: int) -> bool:
        """Whether no wide river lies between: infantry does not reach the other bank (Arnhem)."""
        if not self._has_wide:
            return True
        if self.board.bridge[a] or self.board.bridge[b] or self._share_bank(a, b):
            return True
        return not self._barred(a, b, "wide", self._banks)

    def _share_bank(self, a: int, b: int) -> bool:
        """Whether a river that divides the board has both hexes on one side."""
        return self._divides and self._bank[a] == self._bank[b]

    def _find_banks(self) -> list[int]:
        """For every hex the number of its bank: land that hangs together without wide river or bridge."""
        board = self.board
        wet = [board.bridge[h] or "wide" in board.facts[h].traits for h in range(board.grid.size)]
        bank = [-1] * board.grid.size
        for start in range(board.grid.size):
            todo = [start] if bank[start] < 0 and not wet[start] else []
            while todo:
                h = todo.pop()
                bank[h] = start
                todo += [n for n in board.grid.neighbours[h] if bank[n] < 0 and not wet[n]]
        return bank

    def _barred(self, a: int, b: int, trait: str, memory: dict[int, bool]) -> bool:
        key = a << 8 | b
        if key not in memory:
            line = self.board.grid.line(a, b)
            facts = self.board.facts
            across = any(trait in facts[h].traits for h in line.crossed)
            left = any(trait in facts[h].traits for h in line.left)
            right = any(trait in facts[h].traits for h in line.right)
            memory[key] = across or (left and right)
        return memory[key]

    def _compile(self, a: int, b: int) -> Window | None:
        board = self.board
        if board.grid.near[a][b] == 1:
            return ((), (), (), False, False)  # R67
        line = board.grid.line(a, b)
        low = min(board.elevation[a], board.elevation[b])
        if any(self._obstructs(h, line, low) for h in line.crossed):
            return None
        left = line.left_edge or any(self._obstructs(h, line, low) for h in line.left)  # R77
        right = line.right_edge or any(self._obstructs(h, line, low) for h in line.right)
        if left and right:
            return None
        return (
            self._standing(line.crossed, low),
            self._standing(line.left, low),
            self._standing(line.right, low),
            left,
            right,
        )

    def _standing(self, hexes: tuple[int, ...], low: int) -> tuple[int, ...]:
        """Those hexes in which a unit would block (R72)."""
        if self.board.old:
            return hexes  # V62: no general elevation rule
        return tuple(h for h in hexes if self.board.elevation[h] >= low)

    def _obstructs(self, h: int, line: Line, low: int) -> bool:
        """Whether the ground of a hex or what stands fixed on it blocks (R72-R78, R84)."""
        board = self.board
        height = board.elevation[h]
        feature = board.ground[h].blocks_sight or any(row.blocks_sight for row in board.fixed[h])
        if board.old:  # V62
            return feature or height > low
        if height < low:
            return False  # R72
        if feature:
            return True  # R73, R75
        if board.ground[h].lake and self._lake_pair(h, line):
            return True
        return height > low  # R74

    def _lake_pair(self, h: int, line: Line) -> bool:
        """Whether a lake hex has a lake neighbour on the same segment (R78)."""
        touched = (*line.crossed, *line.left, *line.right)
        return any(n in touched and self.board.ground[n].lake for n in self.board.grid.neighbours[h])
