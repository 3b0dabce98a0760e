"""What errors of the package say, found in its code: `docs/reference/messages.md` is made of it.

An error's message is a string where it is made. What is filled in when it is raised is an ellipsis here.
"""

import ast
import builtins
import re
from collections.abc import Iterator
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
"""What the parts of the package are called; what a package below has no name for belongs to the first."""

TOLD_ELSEWHERE = ("FileProblemsError",)
"""Its messages are those of `docs/reference/files.md`."""

FILLED_IN = "…"


@dataclass(frozen=True, order=True)
class Message:
    """A message, and where it comes from."""

    area: str
    argument: str  # what it is about, "" where that is filled in
    template: str
    error: str

    @property
    def pattern(self) -> str:
        """What every message of this kind matches as a whole."""
        return ".*".join(map(re.escape, self.template.split(FILLED_IN)))


def template_of(node: ast.expr | None) -> str | None:
    """The text of a string as the code has it, None if it is made elsewhere."""
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
"""What commands raise."""


@cache
def messages() -> list[Message]:
    """All messages, in order: by area, then by argument."""
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
            # Two words at least: a message that is handed on as it is tells nothing here.
            if name in names and template is not None and len(re.findall(r"[A-Za-z]{2,}", template)) > 1:
                yield ("an error at the command line" if name in CLICK else name), template


def argument_of(template: str) -> str:
    """The argument that a message begins with, "" if there is none or it is filled in."""
    verbs = "is|are|must|has|have|holds|names|needs|hold|sums"
    found = re.match(rf"([a-z][a-z_0-9]*)(\[[^ ]*)?,? ({verbs})\b", template)
    return found[1] if found and found[1] not in ("it", "there") else ""
