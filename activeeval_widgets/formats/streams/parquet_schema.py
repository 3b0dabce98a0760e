"""Unify several Parquet files: the columns, their types, and values in folder names."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa

from activeeval_widgets.formats.opening.plain_types import plain_schema
from activeeval_widgets.formats.problems import FileProblemsError, Problem, repeated_columns

_NOTHING = "__HIVE_DEFAULT_PARTITION__"
"""The folder name that stands for a missing value."""


def common_types(schemas: Sequence[tuple[str, pa.Schema]]) -> dict[str, pa.DataType]:
    """Return the plain columns of all files, in the first one's order, each with one type for all of them."""
    found: dict[str, pa.DataType] = {}
    problems: list[Problem] = []
    known: set[str] = set()
    is_known: dict[str, bool] = {}
    first_name = schemas[0][0] if schemas else ""
    first_of: dict[str, str] = {}
    for at, (file, schema) in enumerate(schemas):
        if repeated := repeated_columns(file, schema.names):
            problems += repeated
            continue
        plain = plain_schema(schema)
        if at == 0:
            known = set(plain.names)
        elif set(plain.names) != known:
            problems.append(_other_columns(file, set(plain.names), first_name, known))
            continue
        for field in plain:
            has_type = not _is_null(schema, field.name)
            if field.name not in found or (has_type and not is_known[field.name]):
                found[field.name], is_known[field.name] = field.type, has_type
                first_of[field.name] = file
            elif has_type:
                both = _common(found[field.name], field.type)
                if both is None:
                    what = (
                        f"it holds {_words(field.type)} here, and {_words(found[field.name])} in "
                        f"{first_of[field.name]}"
                    )
                    problems.append(
                        Problem(file, what, "Write the files anew with the same types.", None, field.name)
                    )
                else:
                    found[field.name] = both
    if problems:
        raise FileProblemsError(problems)
    return found


def folder_values(root: Path, files: Sequence[Path]) -> dict[str, list[str | None]]:
    """Return the values in folder names "name=value": by name, one for each file, None where it has none."""
    if not root.is_dir():
        return {}
    found: list[dict[str, str | None]] = []
    for file in files:
        parts = [part.partition("=") for part in file.relative_to(root).parts[:-1]]
        values = {name: unquote(value) for name, mark, value in parts if name and mark}
        found.append({name: None if value == _NOTHING else value for name, value in values.items()})
    names = list(dict.fromkeys(name for each in found for name in each))
    return {name: [each.get(name) for each in found] for name in names}


def _other_columns(file: str, names: set[str], first: str, known: set[str]) -> Problem:
    missing, more = sorted(known - names), sorted(names - known)
    parts = []
    if missing:
        parts.append(f"it has no column {', '.join(map(repr, missing[:6]))}, which {first} has")
    if more:
        parts.append(f"it has {', '.join(map(repr, more[:6]))}, which {first} has not")
    return Problem(file, "; ".join(parts), "Put files of one table into the folder, and no others.")


def _is_null(schema: pa.Schema, name: str) -> bool:
    return name in schema.names and bool(pa.types.is_null(schema.field(name).type))


def _common(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    if one.equals(other):
        return one
    if all(pa.types.is_integer(each) for each in (one, other)):
        return pa.int64()
    is_number = [pa.types.is_integer(each) or pa.types.is_floating(each) for each in (one, other)]
    return pa.float64() if all(is_number) else None


def _words(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "numbers"
    return {"string": "texts", "bool": "true or false", "binary": "bytes"}.get(str(kind), str(kind))
