"""Games in which a player moves twice: refused, if the game tells whose turn it is."""

from __future__ import annotations

import pytest

import hindsight_games as hs

Position = tuple[int, int]


class Counters(hs.Game[Position, int]):
    """Whoever takes the last of some stones wins; taking `again` stones gives another turn."""

    def __init__(self, again: int | None = None, players: int = 2) -> None:
        self.again = again
        self.players = players

    def start(self) -> Position:
        return (7, 0)

    def player(self, position: Position) -> int:
        return position[1]

    def result(self, position: Position) -> hs.Result | None:
        return "loss" if position[0] == 0 else None

    def moves(self, position: Position) -> list[int]:
        return [taken for taken in (1, 2, 3) if taken <= position[0]]

    def play(self, position: Position, taken: int) -> Position:
        stones, player = position
        other = player if taken == self.again else (player + 1) % self.players
        return (stones - taken, other)


class Silent(Counters):
    """The same game, which does not tell whose turn it is."""

    turns = "alternate"
    player = hs.Game.player  # type: ignore[assignment]


@pytest.mark.parametrize("function", [hs.solve, hs.laws])
def test_a_move_that_keeps_the_turn_is_named(function: object) -> None:
    """With both positions, by a solve and by the laws."""
    assert callable(function)
    words = (
        r"^Counters cannot be solved: the move 3 leads from the position \(7, 0\) to \(4, 0\), in "
        r"which it is the same player's turn, 0; the players must move in turn"
    )
    with pytest.raises(hs.SolveError, match=words):
        function(Counters(again=3))


@pytest.mark.parametrize("check", [0, 100])
def test_a_late_second_turn_is_found(check: int) -> None:
    """Beyond the positions on which laws are checked."""

    class Late(Counters):
        def start(self) -> Position:
            return (400, 0)

        def play(self, position: Position, taken: int) -> Position:
            stones, player = position
            return (stones - taken, player if stones - taken == 1 else 1 - player)

    with pytest.raises(hs.SolveError, match=r"the move \d leads from .* to \(1, \d\)"):
        hs.solve(Late(), check=check)


def test_turns_that_alternate_are_solved() -> None:
    """With the values that a game has which does not tell."""
    telling, silent = hs.solve(Counters()), hs.solve(Silent())
    assert telling.start == silent.start == hs.Value("win", 3)
    assert telling.positions == silent.positions
    hs.laws(Counters())


def test_three_players_are_refused() -> None:
    """Their turns alternate in pairs alone."""
    for function in (hs.solve, hs.laws):
        with pytest.raises(hs.SolveError, match="it has more than two players, 0, 1, 2"):
            function(Counters(players=3))


def test_an_exception_of_the_player_is_told() -> None:
    """It is the cause of a GameError."""

    class Faulty(Counters):
        def player(self, position: Position) -> int:
            return 1 // position[1]

    with pytest.raises(hs.GameError, match=r"player\(\) raised ZeroDivisionError") as caught:
        hs.solve(Faulty(), check=0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_pass_is_a_move() -> None:
    """A player without another move passes by a move of its own."""

    class Passing(Counters):
        def moves(self, position: Position) -> list[int]:
            # The second player cannot take an even number's half.
            return super().moves(position) if position[1] == 0 else [0, *([1] * (position[0] > 6))]

        def play(self, position: Position, taken: int) -> Position:
            return (position[0] - taken, 1 - position[1])

    assert hs.solve(Passing()).start.result == "win"
