"""Options of files and evaluations, each declared once as a field of `Columns` or `EvaluationSettings`.

The command line, the settings file and the start page read names, checks and texts from there.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option as the command line shows it: what it does, and the placeholder of its value."""

    help: str
    metavar: str | None = None


@dataclass(frozen=True, kw_only=True)
class ColumnOption(Option):
    """An option that says what columns hold."""

    is_list: bool = False
    min_names: int = 1
    most: int | None = None
    names: Literal["columns", "files", "words"] = "columns"
    role: str = ""  # the start page's name of such a column; "" if it can't be chosen there
    guessed: str = ""  # the words for a guess; "" if it is never guessed


@dataclass(frozen=True, kw_only=True)
class SettingOption(Option):
    """An option that says what is estimated from a file, and how."""

    types: tuple[type, ...]
    least: int | None = None
    most: int | None = None
    is_above_least: bool = False  # `least` itself is refused
    choices: tuple[str, ...] = ()  # empty: any value
    is_repeated: bool = False
    texts: Callable[[Any], list[str]] = lambda value: [str(value)]  # what is typed, one text for each time

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return self.types == (bool,)


def options_of(declared: type) -> dict[str, Any]:
    """Return the options that a dataclass declares, by name."""
    return {each.name: each.metadata["option"] for each in fields(declared) if "option" in each.metadata}


def flag(name: str) -> str:
    """Return an option as it is typed: "--cost-by" for `cost_by`."""
    return f"--{name.replace('_', '-')}"
