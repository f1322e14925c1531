"""The search options as the window words them: what is chosen, why something cannot be, and what a group amounts to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from engine.criteria import CRITERIA
from engine.search.choices import OPTIONS, Choice, Option
from engine.search.options import Search, idle, refusal
from gui import theme
from gui.model.search import searching
from gui.wording import phrases

if TYPE_CHECKING:
    from engine.table.table import Table


@dataclass(frozen=True)
class Setting:
    """The search options as they are set for one table.

    Attributes:
        task, classes: of the target.
        columns: the kinds of the features.
        search: the options that differ from the defaults.
    """

    task: str = "classes"
    classes: tuple[str, ...] = ()
    columns: frozenset[str] = frozenset()
    search: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, search: dict[str, Any]) -> Setting:
        """The options over a table."""
        return cls(table.task, table.classes, frozenset(table.columns[i].kind for i in table.features), search)

    def value(self, name: str) -> Any:
        """What an option is."""
        return getattr(Search.make(self.task, **self.search), name)

    def usual(self, name: str) -> Any:
        """What it is when nobody says anything about it."""
        return searching.usual_value(name, self.search, self.task)

    def refused(self, name: str, value: Any) -> str:
        """Why an option cannot have this value beside the others; empty when it can."""
        reason, more, _ = phrases.plain(refusal(self.task, self.search, **{name: value})).partition("; choose one of ")
        return f"{reason}." if more else reason  # what can be chosen is in sight

    def with_(self, **change: Any) -> Setting:
        """The same with some options changed; None brings a default back. InputError when it cannot be."""
        chosen = {name: value for name, value in {**self.search, **change}.items() if value is not None}
        if self.task == "classes":
            Search.make(self.task, **chosen).leaf_rule.check(self.classes)
        return Setting(self.task, self.classes, self.columns, searching.own_options(chosen, self.task))

    def unusable(self, option: Option) -> str:
        """Why an option has no effect, whatever is chosen; empty when it may have one."""
        why = idle(self.task, self.search, option.name, self.columns)
        refusals = [self.refused(option.name, value) for value in self._others(option)]
        if why or not refusals or not all(refusals):
            return why
        return refusals[0]

    def choices(self, option: Option) -> list[Choice]:
        """The choices to be listed: not those of a target of the other kind, unless that leaves one alone."""
        if option.name != "criterion":
            return list(option.choices)
        return [choice for choice in option.choices if CRITERIA[choice.name].task == self.task]

    def _others(self, option: Option) -> list[Any]:
        """Values that an option might be changed to; none for numbers, whose limits are in the control."""
        first, second = (*self.classes, "a", "b")[:2]
        if option.kind == "choice":
            return [choice.name for choice in option.choices if choice.name != str(self.value(option.name))]
        if option.kind == "flag":
            return [not self.value(option.name)]
        if option.kind == "priors":
            return [{first: 1.0}]
        return [{(first, second): 1.0}] if option.kind == "costs" else []


def value_words(option: Option, value: Any) -> str:
    """A value in a word or two: "Entropy", "no limit", "0.05"."""
    if option.kind == "choice":
        return next(choice.label for choice in option.choices if choice.name == str(value))
    if option.kind == "flag":
        return "on" if value else "off"
    if option.kind in ("priors", "costs"):
        return phrases.class_text(value) or option.none
    return option.none if value is None else f"{value:g}"


def explained(option: Option, value: Any) -> tuple[str, str, str]:
    """(sentence, formula, example) of what is chosen."""
    said: Choice | Option = option
    if option.kind == "choice":
        said = next(choice for choice in option.choices if choice.name == str(value))
    return said.sentence, said.formula, said.example


def rich(option: Option, value: Any) -> str:
    """What is chosen, as rich text: the sentence, the formula in italics, the example in the second colour."""
    sentence, formula, example = map(escape, explained(option, value))
    quiet = theme.current().secondary.name()
    lines = [sentence]
    if formula:
        formula = re.sub(r"_(\w)\b", r"<sub>\1</sub>", formula)
        formula = re.sub(r"\^\(([^)]*)\)", r"<sup>\1</sup>", formula)
        lines.append(f"<i>{formula}</i>")
    if example:
        lines.append(f'<span style="color:{quiet}">{example}</span>')
    return "".join(f'<p style="margin:{3 if i else 0}px 0 0 0">{line}</p>' for i, line in enumerate(lines))


def summary(group: str, setting: Setting) -> str:
    """What differs from the defaults in a group, in a few words; empty when nothing does."""
    changed = [option for option in OPTIONS.values() if option.group == group and option.name in setting.search]
    return " · ".join(
        value_words(option, setting.value(option.name))
        if option.kind == "choice"
        else f"{option.label} {value_words(option, setting.value(option.name))}"
        for option in changed
    )
