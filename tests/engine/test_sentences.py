"""Every text of the engine that a person reads goes through `tr`: whole, literal, with its places filled by name."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from string import Formatter

import pytest

import engine
from engine.criteria import CRITERIA
from engine.pruning import METHODS
from engine.pruning.options import METRICS
from engine.pruning.options import OPTIONS as PRUNING
from engine.runtime.sentences import speak, spoken, tr
from engine.search.choices import OPTIONS
from engine.search.options import idle

ENGINE = Path(__file__).parents[2] / "engine"
SPEAKS = ("tr", "marked")


def calls() -> Iterator[tuple[str, ast.Call]]:
    """(place, call) of every call of a plain name in the engine, but for the command line, which speaks English."""
    for path in sorted(ENGINE.rglob("*.py")):
        if "command" not in path.relative_to(ENGINE).parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield f"{path.relative_to(ENGINE)}:{node.lineno}", node


def test_refusals_are_translated() -> None:
    written = [
        place
        for place, call in calls()
        if call.func.id == "InputError"  # type: ignore[attr-defined]
        and isinstance(call.args[0], ast.JoinedStr | ast.Constant | ast.BinOp)
    ]
    assert not written


def test_sentences_are_literal_and_their_places_are_filled() -> None:
    wrong = []
    for place, call in calls():
        name = call.func.id  # type: ignore[attr-defined]
        if name not in SPEAKS:
            continue
        text = call.args[0]
        if isinstance(text, ast.Name | ast.Attribute | ast.Subscript | ast.Call) and name == "tr":
            continue  # one that was marked where it is declared
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str)) or len(call.args) > 1:
            wrong.append(place)
        elif name == "tr" and call.keywords and all(each.arg for each in call.keywords):
            places = {field for _, field, _, _ in Formatter().parse(text.value) if field is not None}
            if places != {each.arg for each in call.keywords}:
                wrong.append(place)
        elif name == "tr" and not call.keywords and "{" in text.value:
            wrong.append(place)
    assert not wrong


@pytest.fixture
def shouting() -> Iterator[None]:
    speak(str.upper)
    yield
    speak()


def test_tables_are_read_in_the_language_that_is_spoken(shouting: None) -> None:
    for entry in (*CRITERIA.values(), *METHODS.values(), *METRICS.values(), *OPTIONS.values(), *PRUNING.values()):
        assert entry.label == entry.label.upper()
    assert CRITERIA["gini"].explanation == CRITERIA["gini"].explanation.upper() != ""
    assert vars(CRITERIA["gini"])["label"] == "Gini"
    assert OPTIONS["max_leaves"].none == "NO LIMIT"
    assert OPTIONS["missing"].choices[0].sentence == "INTO THE BRANCH THAT GAINS MOST, LEARNED FOR EACH SPLIT."


def test_speaking_is_chosen_again_at_any_time() -> None:
    before = idle("number", {"criterion": "squared_error"}, "bins", ["number"])
    assert before == "Only for the criteria of the binned target."
    speak(lambda text: f"<{text}>")
    try:
        assert tr("") == "" and tr("a") == "<a>" and tr("{n} rows", n=2) == "<2 rows>"
        assert CRITERIA["gini"].label == "<Gini>" and CRITERIA["gini"].unit == ""
    finally:
        speak()
    assert CRITERIA["gini"].label == "Gini"


def test_nothing_hangs_on_english() -> None:
    """Reading, growing and pruning give the same in a language that looks like no other, and say it in that one."""
    plain = engine.grow(engine.read_example("weather"))
    speak(lambda text: f"«{text}»")
    try:
        table = engine.read_example("weather")
        tree = engine.grow(table)
        assert tree.n_leaves == plain.n_leaves
        pruned = engine.prune(table, tree, "pessimistic")
        assert pruned.verdicts is not None and pruned.verdicts.words(0).startswith("««Errors to be expected»: ")
        with pytest.raises(engine.InputError, match=r"^«There is no column “absent” in"):
            table.column("absent")
    finally:
        speak()


def test_spoken_keeps_defaults_and_equality() -> None:
    @spoken("label")
    @dataclass(frozen=True)
    class Entry:
        name: str
        label: str = ""

    assert Entry("a") == Entry("a") and Entry("a", "b").label == "b"
    assert replace(Entry("a", "b"), name="c") == Entry("c", "b")
