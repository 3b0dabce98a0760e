"""Options of files and evaluations, each declared once as a field of `Columns` or `EvaluationSettings`.

The command line, the settings file and the start page read names, checks and texts from there.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option as the command line shows it.

    Attributes
    ----------
    help : str
        What it does.
    metavar : str or None
        The placeholder of its value.
    """

    help: str
    metavar: str | None = None


@dataclass(frozen=True, kw_only=True)
class ColumnOption(Option):
    """An option that says what columns hold.

    Attributes
    ----------
    is_list : bool
        Whether it takes several names.
    min_names, most : int
        The smallest and the largest number of names.
    names : {"columns", "files", "words"}
        What it names.
    role : str
        The start page's name of such a column; "" if it can't be chosen there.
    guessed : str
        The words for a guess; "" if it is never guessed.
    """

    is_list: bool = False
    min_names: int = 1
    most: int | None = None
    names: Literal["columns", "files", "words"] = "columns"
    role: str = ""
    guessed: str = ""


@dataclass(frozen=True, kw_only=True)
class SettingOption(Option):
    """An option that says what is estimated from a file, and how.

    Attributes
    ----------
    types : tuple of type
        The types of the value.
    least, most : int or None
        The smallest and the largest value allowed.
    is_above_least : bool
        Whether `least` itself is refused.
    choices : tuple of str
        The allowed values; empty if others are allowed.
    is_repeated : bool
        Whether it may be given several times.
    texts : callable
        From a value to the texts to type, one for each time the option is given.
    """

    types: tuple[type, ...]
    least: int | None = None
    most: int | None = None
    is_above_least: bool = False
    choices: tuple[str, ...] = ()
    is_repeated: bool = False
    texts: Callable[[Any], list[str]] = lambda value: [str(value)]

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
