"""Search for the shortest way on in a drawn position: to a drawn end, or into a cycle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

ENOUGH = 20_000
"""Positions after which a cycle that is known will do, even if it may not be the shortest."""

Expand = Callable[[int], list[int]]
"""Function that returns the numbers of the positions after the drawn moves of a position.

The start has the number 0, others are numbered as they are met.
"""


@dataclass(frozen=True)
class DrawnPath:
    """Numbers of positions from the start to the last one, which may be one of those before."""

    numbers: list[int]
    repeats: int | None


def shortest_drawn_path(expand: Expand) -> DrawnPath:
    """Return the shortest path to a drawn end or, if it is not longer, into a cycle."""
    return _DrawnSearch(expand).run()


class _DrawnSearch:
    """Search breadth first, one depth after another."""

    def __init__(self, expand: Expand) -> None:
        self.expand = expand
        self.after: list[list[int]] = []
        self.depth = [0]
        self.parent = [0]
        # Positions that a move leads back to, from the same depth or a deeper one: each cycle has
        # one that is its least deep.
        self.entries: set[int] = set()
        self.leads_back = False
        self.looked_at = 0
        self.cycle: DrawnPath | None = None

    def run(self) -> DrawnPath:
        """Search until no shorter path is left."""
        for depth in count():
            end = self.expand_depth(depth)
            is_done = end is not None or len(self.after) == len(self.depth)
            self.look_for_cycles(now=is_done)
            length = len(self.cycle.numbers) - 1 if self.cycle else None
            if end is not None and (length is None or depth < length):
                return DrawnPath(self.path_to(end), None)
            # A shorter cycle would have been seen.
            is_done |= len(self.after) > ENOUGH or (length is not None and length <= depth + 1)
            if self.cycle and is_done:
                return self.cycle
        raise AssertionError("count() never ends")

    def look_for_cycles(self, now: bool) -> None:
        """Look for a cycle if there may be a new one: at once, or when enough has been expanded."""
        expanded = len(self.after)
        if self.leads_back and (now or expanded < 100 or expanded > 1.1 * self.looked_at):
            self.leads_back, self.looked_at = False, expanded
            if not self.is_acyclic():
                self.cycle = self.shortest_cycle()

    def expand_depth(self, depth: int) -> int | None:
        """Expand all positions of a depth up to an end, which is returned."""
        while len(self.after) < len(self.depth) and self.depth[len(self.after)] == depth:
            number = len(self.after)
            after = self.expand(number)
            if not after:
                return number
            for to in after:
                if to == len(self.depth):
                    self.depth.append(depth + 1)
                    self.parent.append(number)
                elif self.depth[to] <= depth:
                    self.entries.add(to)
                    self.leads_back = True
            self.after.append(after)
        return None

    def path_to(self, number: int) -> list[int]:
        """Return the numbers from the start to a position, along a shortest path."""
        path = [number]
        while path[-1] != 0:
            path.append(self.parent[path[-1]])
        return path[::-1]

    def is_acyclic(self) -> bool:
        """Return whether no cycle was expanded: all positions can be removed, sources first."""
        sources = [0] * len(self.depth)
        for after in self.after:
            for to in after:
                sources[to] += 1
        free = [number for number, many in enumerate(sources) if many == 0]
        for number in free:
            for to in self.after[number] if number < len(self.after) else ():
                sources[to] -= 1
                if sources[to] == 0:
                    free.append(to)
        return len(free) == len(self.depth)

    def shortest_cycle(self) -> DrawnPath | None:
        """Return the shortest path into a cycle, of those expanded."""
        best: DrawnPath | None = None
        for entry in sorted(self.entries):
            most = len(best.numbers) - 2 - self.depth[entry] if best else len(self.depth)
            around = self.way_back(entry, most) if most > 0 else None
            if around:
                path = self.path_to(entry)
                best = DrawnPath(path + around, len(path) - 1)
        return best

    def way_back(self, entry: int, most: int) -> list[int] | None:
        """Return the shortest way from a position back to it, of `most` moves at most."""
        before = {entry: entry}
        waiting = deque([(entry, 0)])
        while waiting:
            number, length = waiting.popleft()
            for to in self.after[number] if length < most and number < len(self.after) else ():
                if to == entry:
                    return [*_path(before, entry, number), entry]
                if to not in before:
                    before[to] = number
                    waiting.append((to, length + 1))
        return None


def _path(before: dict[int, int], first: int, last: int) -> list[int]:
    """Return the numbers after the first one, to the last one."""
    path = []
    while last != first:
        path.append(last)
        last = before[last]
    return path[::-1]
