"""Read and write settings as TOML and as text of the command line."""

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


def read_toml(path: Path, name: str) -> dict[str, Any]:
    """Read a TOML file of settings, whose name in errors is given."""
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{name} is larger than a MiB, and settings are not. Choose another file")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{name} is not TOML: {error}. Correct it there") from error
    except RecursionError:
        raise ValueError(f"{name} is not TOML of settings: it is nested too deeply") from None


def write_toml(path: Path, head: str, content: Mapping[str, Any]) -> None:
    """Write a TOML file that begins with a comment; an existing file is replaced at once."""
    import tomli_w  # not at the top: a page writes none

    beside = path.with_name(f".{path.name}.new")
    beside.write_text(head + tomli_w.dumps(content), encoding="utf-8")
    beside.replace(path)


def table_of(key: str, value: Any, kind: type[Any]) -> Any:
    """Make a dataclass from a table of TOML."""
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
    """Validate the ends of a range."""
    numbers = isinstance(value, list | tuple) and all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in value
    )
    if not numbers or len(value) != 2:
        raise TypeError(f"y_range is {value!r}, expected two numbers: the smallest and the largest label")
    return float(value[0]), float(value[1])


def confidence_level(value: float | str) -> float:
    """Parse a confidence level: 0.9, "90%" or 90."""
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
    """Expand "~" in a path."""
    try:
        return Path(name).expanduser()
    except RuntimeError:  # "~somebody" does not exist
        return Path(name)


def path_as_typed(path: Path, folder: Path | None) -> str:
    """Return a path relative to a folder above it, in a form that never looks like an option."""
    if folder is None or not path.is_relative_to(folder):
        return str(path)
    relative = str(path.relative_to(folder)).replace(os.sep, "/")
    return f"./{relative}" if relative.startswith("-") else relative


def names_as_typed(names: tuple[str, ...]) -> str:
    """Join names by commas; quote names that hold a comma."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
