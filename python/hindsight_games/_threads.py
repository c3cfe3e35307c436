"""Long work beside an event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from . import _native

P = ParamSpec("P")
T = TypeVar("T")


async def to_thread(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread, as `asyncio.to_thread` does; a cancelled task ends its work.

    The work of this package hears of it within a moment, as of Ctrl-C: a solve with a checkpoint
    saves its progress. The task ends when the work has. What the function does besides is not
    stopped.

    Args:
        function: A function, such as `solve`.
        args: Its arguments.
        kwargs: Its arguments by name.

    >>> import asyncio
    >>> import hindsight_games as hs
    >>> async def main():
    ...     solution = await hs.to_thread(hs.solve, "onitama:3x4:boar")
    ...     task = asyncio.create_task(hs.to_thread(hs.solve, "quoridor:5x5:3", solver="graph"))
    ...     await asyncio.sleep(0.1)
    ...     task.cancel()
    ...     await asyncio.wait([task])
    ...     return str(solution.start), task.cancelled()
    >>> asyncio.run(main())
    ('win in 21 plies', True)
    """
    # The package is imported faster without it.
    import asyncio
    import contextvars
    import functools

    wish = _native.StopWish()
    call = _Call(functools.partial(function, *args, **kwargs), wish)
    context = contextvars.copy_context()
    future = asyncio.get_running_loop().run_in_executor(None, context.run, call)
    try:
        result: T = await asyncio.shield(future)
    except asyncio.CancelledError:
        call.is_cancelled = True
        wish.make()
        if call.has_begun:
            await asyncio.wait([future])
        raise
    return result


class _Call:
    """Call of a function that hears of a wish to stop."""

    def __init__(self, function: Callable[[], Any], wish: _native.StopWish) -> None:
        self.function = function
        self.wish = wish
        self.has_begun = False
        self.is_cancelled = False

    def __call__(self) -> Any:
        """Return the result; None if the task was cancelled, so that nobody waits for one."""
        self.has_begun = True
        try:
            return self.wish.heard_by(self.function)
        except KeyboardInterrupt:
            if not self.is_cancelled:
                raise
            return None
