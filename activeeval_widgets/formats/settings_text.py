"""Settings as text: in TOML, and as they are typed on a command line."""

import csv
import io
import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.problems import closest

_LARGEST = 1 << 20


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file of settings."""
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{path.name} is larger than a MiB, and settings are not. Choose another file")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} is not TOML: {error}. Correct it there") from error
    except RecursionError:
        raise ValueError(f"{path.name} is not TOML of settings: it is nested too deeply") from None


def write_toml(path: Path, head: str, content: Mapping[str, Any]) -> None:
    """Write a TOML file after a line of comment; one that is there stays whole until the new one is."""
    import tomli_w  # not at the top: a page does not write

    beside = path.with_name(f".{path.name}.new")
    beside.write_text(head + tomli_w.dumps(content), encoding="utf-8")
    beside.replace(path)


def table_of(key: str, value: Any, kind: type[Any]) -> Any:
    """A dataclass from a table of TOML."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"{key} is {value!r}, expected a table, as under [{key}]")
    known = [each.name for each in fields(kind)]
    for name in value:
        if name not in known:
            raise ValueError(f"there is no setting {name!r} under [{key}]. {closest(name, known)}")
    return kind(**value)


def two_numbers(value: Any) -> tuple[float, float]:
    """The ends of a range, checked."""
    numbers = isinstance(value, list | tuple) and all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in value
    )
    if not numbers or len(value) != 2:
        raise TypeError(f"y_range is {value!r}, expected two numbers: the smallest and the largest label")
    return float(value[0]), float(value[1])


def confidence_level(value: float | str) -> float:
    """A confidence level as it is typed: 0.9, "90%" or 90."""
    text = str(value).strip()
    with suppress(ValueError):
        number = float(text.removesuffix("%"))
        level = round(number / 100, 12) if text.endswith("%") or number > 1 else number
        if 0.5 < level < 1:
            return level
    raise ValueError(
        f"confidence is {value!r}, expected more than 50% and less than 100%, such as 0.9, 90% or 90"
    )


def expanded_path(name: str | Path) -> Path:
    """A path with "~" written out."""
    try:
        return Path(name).expanduser()
    except RuntimeError:  # "~somebody" who is not there
        return Path(name)


def path_as_typed(path: Path, folder: Path | None) -> str:
    """A path relative to a folder that it is in; never one that looks like an option."""
    if folder is None or not path.is_relative_to(folder):
        return str(path)
    relative = str(path.relative_to(folder)).replace(os.sep, "/")
    return f"./{relative}" if relative.startswith("-") else relative


def names_as_typed(names: tuple[str, ...]) -> str:
    """A list as it is typed: names with a comma in them in quotes."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
