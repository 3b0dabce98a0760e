"""The messages of the package's errors, found in its code.

They are for `docs/reference/messages.md`, and for the tables of problems in `docs/reference/files.md`.

A message is a string where the error is made. Values filled in at run time are ellipses here.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import activeeval_widgets

FOLDER = Path(activeeval_widgets.__file__).parent
AREAS = {
    "stats": "Measures, models, draws and estimates",
    "session": "Pools, sessions and stores",
    "formats": "Files",
    "widgets": "Widgets",
    "explorers": "Widgets",
    "lessons": "Lessons",
    "demos": "Pools, sessions and stores",
    "app": "Commands and pages",
}
"""Titles of the package's parts; packages that are not listed belong to the first."""

TOLD_ELSEWHERE = ("FileProblemsError",)
"""Its messages are those of `problems`."""

FILLED_IN = "…"


@dataclass(frozen=True, order=True)
class Message:
    """A message, and its source."""

    area: str
    argument: str  # the argument it is about, "" if that is filled in
    template: str
    error: str

    @property
    def pattern(self) -> str:
        """A regular expression that every message of this kind matches as a whole."""
        return ".*".join(map(re.escape, self.template.split(FILLED_IN)))


def template_of(node: ast.expr | None) -> str | None:
    """Return the text of a string in the code, None if it is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [template_of(part) or FILLED_IN for part in node.values]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [template_of(node.left) or FILLED_IN, template_of(node.right) or FILLED_IN]
    else:
        return None
    return re.sub(f"{FILLED_IN}({FILLED_IN}| {FILLED_IN})*", FILLED_IN, "".join(parts))


CLICK = {"BadParameter", "ClickException", "UsageError"}
"""Errors of commands."""


@cache
def messages() -> list[Message]:
    """Return all messages, in order: by area, then by argument."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FOLDER.rglob("*.py")}
    names = {name for name in vars(builtins) if name.endswith("Error")} | CLICK
    for tree in trees.values():
        classes = (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
        names |= {name for name in classes if name.endswith("Error")}
    names -= set(TOLD_ELSEWHERE)
    found: set[Message] = set()
    for path, tree in trees.items():
        wing = path.relative_to(FOLDER).parts[0].removesuffix(".py")
        area = AREAS.get(wing, next(iter(AREAS.values())))
        for error, template in _raised(tree, names):
            found.add(Message(area, argument_of(template), template, error))
    return sorted(found)


def _raised(tree: ast.Module, names: set[str]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        choices = [node.args[0]]
        if isinstance(choices[0], ast.IfExp):
            choices = [choices[0].body, choices[0].orelse]
        for choice in choices:
            template = template_of(choice)
            # At least two words, because a message that is only passed on has no text here.
            if name in names and template is not None and len(re.findall(r"[A-Za-z]{2,}", template)) > 1:
                yield ("an error at the command line" if name in CLICK else name), template


def argument_of(template: str) -> str:
    """Return the argument that a message begins with, "" if there is none or it is filled in."""
    verbs = "is|are|must|has|have|holds|names|needs|hold|sums"
    found = re.match(rf"([a-z][a-z_0-9]*)(\[[^ ]*)?,? ({verbs})\b", template)
    return found[1] if found and found[1] not in ("it", "there") else ""


PARTS = {
    "opening": "The file",
    "problems": "The file",
    "evaluation_logs": "Logs of evaluation tools",
    "runs": "TREC's runs and judgments",
    "trec": "TREC's runs and judgments",
    "streams": "Data sets that are streamed",
    "rankings": "Rankings",
}
"""What modules of `formats` report problems of; all others are about columns and predictions."""


@dataclass(frozen=True)
class FileProblem:
    """Something that can be wrong with a file, and what helps ("" where that depends on the file)."""

    part: str
    template: str
    remedy: str


@cache
def problems() -> list[FileProblem]:
    """List the problems that are reported of files: by part, in the order of the code."""
    found = {}
    for path in sorted((FOLDER / "formats").rglob("*.py")):
        names = (path.parent.name, path.stem)
        part = next((PARTS[name] for name in names if name in PARTS), "Columns and predictions")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        shared = _assigned(tree.body)
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            known = shared | _assigned(ast.walk(function))
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                name = getattr(call.func, "attr", getattr(call.func, "id", ""))
                if name in ("report", "Problem", "problem_error", "_refused"):
                    message, *rest = call.args if name == "report" else call.args[1:]
                    remedies = _texts(rest[0], known) if rest else []
                    for template in _texts(message, known):
                        # Two words at least: a message that is made elsewhere is found there.
                        if len(re.findall(r"[A-Za-z]{2,}", template)) > 1:
                            remedy = " ".join(each for each in remedies if re.search(r"\w\w", each))
                            remedy += "." if remedy[-1:].isalnum() else ""
                            found[part, template] = FileProblem(part, template, remedy)
    order = ["The file", "Columns and predictions", *PARTS.values()]
    return sorted(found.values(), key=lambda each: order.index(each.part))


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return the values assigned to each name."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def _texts(node: ast.expr, known: dict[str, list[ast.expr]]) -> list[str]:
    """All texts that an expression can be, as far as the code has them."""
    if isinstance(node, ast.IfExp):
        return _texts(node.body, known) + _texts(node.orelse, known)
    if isinstance(node, ast.Name) and node.id in known:
        others = {name: values for name, values in known.items() if name != node.id}
        return list(dict.fromkeys(text for value in known[node.id] for text in _texts(value, others)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "replace":
        return _texts(node.func.value, known)
    return [template_of(node) or FILLED_IN]
