"""Examples in docstrings and in the guide, as they are printed."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import pathlib
import pkgutil
from types import ModuleType

import pytest

import hindsight_games as hs

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NEEDED = {"openspiel": "pyspiel", "pettingzoo": "pygame"}
MODULES = [info.name for info in pkgutil.iter_modules(hs.__path__) if info.name != "_native"]
ROOT = pathlib.Path(__file__).parents[2]
GUIDES = {
    "python.md": ROOT / "docs" / "python.md",
    "own-game.md": ROOT / "python" / "docs" / "own-game.md",
}
NOTEBOOK = ROOT / "python" / "examples" / "ground_truth.ipynb"


def module_named(name: str) -> ModuleType:
    """Import a module of the package, unless what it needs is missing."""
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    return importlib.import_module(f"hindsight_games.{name}")


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str) -> None:
    """Every example prints what it says."""
    module = module_named(name)
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide(name: str) -> None:
    """The examples of a guide run one after the other."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    text = GUIDES[name].read_text(encoding="utf-8")
    # The examples end where the mark of their block does.
    text = text.replace("\n```\n", "\n\n")
    runner.run(parser.get_doctest(text, {}, name, str(GUIDES[name]), 0))
    assert runner.summarize().failed == 0
    assert runner.tries > 10


def test_everything_public_is_documented() -> None:
    """Help has a text for each name, and for each method."""
    for name in hs.__all__:
        thing = getattr(hs, name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                is_public = not member.startswith("_") and callable(value)
                assert not is_public or inspect.getdoc(value), f"{name}.{member}"


def test_the_notebook() -> None:
    """The cells of the notebook run one after the other."""
    pytest.importorskip("matplotlib").use("agg")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(NOTEBOOK), "exec"), names)
            assert cell["outputs"] or "=" in cell["source"][0], "it is kept with its pictures"
