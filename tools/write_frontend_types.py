"""Writes the page's files from Python: the messages' types, the list of safe elements, the plots' colors.

python tools/write_frontend_types.py          writes frontend/src/from_python/*
python tools/write_frontend_types.py --check  tells whether they are as they would be written
"""

import json
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import (
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from activeeval_widgets.widgets.elements.allowlist import allowlist
from activeeval_widgets.widgets.evaluation.plot_kinds import PLOT_KINDS, PlotKind
from activeeval_widgets.widgets.messages import (
    class_from_page,
    class_from_python,
    from_page,
    from_python,
    race_from_page,
    race_from_python,
    start_from_page,
    start_from_python,
)

FOLDER = Path(__file__).parents[1] / "frontend" / "src" / "from_python"

_NOTICE = "// Written from {source} by `make bundle`: edit that.\n\n"
_NAMES = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
_OF_RACES = (
    *("AskInstances", "AskMore", "ClassConfig", "GradesConfig", "InstanceInfo", "KeysConfig"),
    *("MoreText", "Nothing", "NumberConfig"),
)
_TREE = (
    "export type SafeTree = "
    "[tag: string, attributes: Record<string, string>, children: (SafeTree | string)[]];\n"
)


def typescript(hint: Any) -> str:
    """Return a type in TypeScript.

    Raises
    ------
    TypeError
        If messages cannot have it.
    """
    if hint in _NAMES:
        return _NAMES[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    if hint is from_python.SafeTree:
        return "SafeTree"
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Required, NotRequired):
        return typescript(args[0])
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in args)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(typescript(arg) for arg in args))
    if origin is list:
        inner = typescript(args[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        if args[-1] is Ellipsis:
            return f"{typescript(args[0])}[]"
        return f"[{', '.join(map(typescript, args))}]"
    if origin is dict and args[0] is str:
        return f"Record<string, {typescript(args[1])}>"
    raise TypeError(f"messages can't have fields of type {hint!r}")


def interface(definition: Any) -> str:
    """Return a dictionary's fields as an interface."""
    lines = [
        f"  {name}{'?' if name in definition.__optional_keys__ else ''}: {typescript(hint)};"
        for name, hint in get_type_hints(definition, include_extras=True).items()
    ]
    begin = f"/** {' '.join(definition.__doc__.split())} */\nexport interface {definition.__name__} {{"
    return "\n".join([begin, *lines, "}"]) + "\n"


def table(name: str, definitions: Mapping[str, type]) -> str:
    """Return the messages of one direction, by type."""
    lines = [f"  {kind}: {typescript(definition)};" for kind, definition in definitions.items()]
    return "\n".join([f"export interface {name} {{", *lines, "}"]) + "\n"


def definitions(*modules: types.ModuleType) -> Iterator[Any]:
    """Return all dictionaries of the messages that are defined in some modules."""
    for module in modules:
        for found in vars(module).values():
            if is_typeddict(found) and found.__module__ == module.__name__:
                yield found


_DASHES = {"dashed": "5 3", "dash_dotted": "8 3 2 3", "dotted": "2 3"}


def rule(kind: str, look: PlotKind) -> str:
    """Return the style of a kind of plots' parts, in CSS."""
    color = f"var(--aew-{'fg' if look.color == 'text' else look.color})"
    opacity = "" if look.opacity == 1 else f" {{}}-opacity: {look.opacity:g};"
    if look.shape in ("area", "dot"):
        edge = "var(--aew-bg); stroke-width: 1.2px" if look.has_edge else "none"
        rule = f"fill: {color};{opacity.format('fill')} stroke: {edge};"
    else:
        dash = (
            f" stroke-dasharray: {_DASHES[look.dash]};"
            if look.dash in _DASHES
            else " stroke-linejoin: round;"
        )
        rule = f"fill: none; stroke: {color};{opacity.format('stroke')} stroke-width: {look.width:g}px;{dash}"
    return f".aew-draw-{kind} {{ {rule} }}\n"


def written() -> dict[str, str]:
    """Return the files' contents, by name."""
    parts = [
        _TREE,
        f"export type LabelValue = {typescript(from_page.LabelValue)};\n",
        f"export type ActionName = {typescript(from_python.ActionName)};\n",
        f"export type LabelsConfig = {typescript(from_python.LabelsConfig)};\n",
        *map(interface, definitions(from_page, from_python)),
        "/** What a person does with instances, by type. */\n" + table("Answers", from_page.ANSWERS),
        "/** What the page sends, by type. */\n" + table("FromPage", from_page.FROM_PAGE),
    ]
    start_parts = [
        'import type { Nothing, SavedFile } from "./messages";\n',
        *map(interface, definitions(start_from_page, start_from_python)),
        "/** What the start page sends, by type. */\n"
        + table("StartFromPage", start_from_page.START_FROM_PAGE),
    ]
    race_parts = [
        f'import type {{ {", ".join(_OF_RACES)} }} from "./messages";\n',
        *map(interface, definitions(race_from_page, race_from_python)),
        "/** What the page of a race sends, by type. */\n"
        + table("RaceFromPage", race_from_page.RACE_FROM_PAGE),
    ]
    class_parts = [
        'import type { Nothing, SavedFile } from "./messages";\n'
        'import type { Span } from "./race_messages";\n',
        *map(interface, definitions(class_from_page, class_from_python)),
        "/** What a student's page sends beside the messages of a session, by type. */\n"
        + table("StudentFromPage", class_from_page.STUDENT_FROM_PAGE),
        "/** What the wall sends, by type. */\n" + table("WallFromPage", class_from_page.WALL_FROM_PAGE),
    ]
    allowed = json.dumps(allowlist(), indent=2, ensure_ascii=False)
    patterns = "Record<string, Record<string, string>>"
    safe = f"export const SAFE: {{ tags: string[]; attributes: {patterns} }} = {allowed};\n"
    colors = "".join(rule(kind, look) for kind, look in PLOT_KINDS.items())
    source = "activeeval_widgets/widgets/evaluation/plot_kinds.py"
    return {
        "plot_colors.css": f"/* Written from {source} by `make bundle`: edit that. */\n\n{colors}",
        "messages.ts": _NOTICE.format(source="activeeval_widgets/widgets/messages/") + "\n".join(parts),
        "start_messages.ts": _NOTICE.format(source="activeeval_widgets/widgets/messages/")
        + "\n".join(start_parts),
        "race_messages.ts": _NOTICE.format(source="activeeval_widgets/widgets/messages/")
        + "\n".join(race_parts),
        "class_messages.ts": _NOTICE.format(source="activeeval_widgets/widgets/messages/")
        + "\n".join(class_parts),
        "safe_elements.ts": _NOTICE.format(source="activeeval_widgets/widgets/elements/allowlist.py") + safe,
    }


def main() -> None:
    """Write the files, or check them."""
    is_check = "--check" in sys.argv[1:]
    for name, text in written().items():
        path = FOLDER / name
        if not is_check:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is out of date: run make bundle")


if __name__ == "__main__":
    main()
