"""Run users' Python files and notebooks for the app or the session that they make."""

from __future__ import annotations

import ast
import contextlib
import json
import linecache
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from activeeval_widgets.session import Session
    from activeeval_widgets.widgets import LabelingApp

SUFFIXES = (".py", ".ipynb")


class UserCodeError(Exception):
    """The code fails, or makes nothing to serve; its traceback was printed already."""


class ServeCall(BaseException):
    """Raised by the code's call of `serve`, with its argument."""

    def __init__(self, served: LabelingApp | Session) -> None:
        self.served = served


_running: list[Path] = []
"""The file that is being run for its app, if any."""


def hand_over(served: LabelingApp | Session) -> None:
    """Pass `served` to the runner of the calling code and end the run, if there is a runner."""
    if _running:
        raise ServeCall(served)


def python_spec(path: Path) -> dict[str, str]:
    """Return the page's spec for a file; relative paths in a notebook start at its folder, as in Jupyter."""
    folder = path.parent if path.suffix.lower() == ".ipynb" else Path.cwd()
    return {"kind": "python", "file": str(path), "folder": str(folder)}


@dataclass(frozen=True)
class CodePart:
    """A piece of code that runs as a whole: a file, or a cell."""

    name: str
    code: ast.Module


def read_code(path: Path) -> list[CodePart]:
    """Return the code of a Python file, or of a notebook's cells."""
    try:
        text = path.read_bytes()
        if path.suffix.lower() == ".ipynb":
            return [_parsed(*cell) for cell in _cells(path, text)]
        return [_parsed(str(path), text)]
    except OSError as error:
        raise UserCodeError(
            f"{path} can't be read: {error.strerror}. Check its name and its folder"
        ) from None
    except SyntaxError as error:
        _write("".join(traceback.format_exception_only(error)))
        where = error.filename or path.name
        raise UserCodeError(f"{Path(where).name}, line {error.lineno}: {error.msg}") from None


def _cells(path: Path, text: bytes) -> Iterator[tuple[str, str]]:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        notebook = json.loads(text)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError):
        raise UserCodeError(f"{path.name} is not a notebook. Save it in Jupyter again") from None
    for number, source in enumerate(sources, start=1):
        name = f"{path}, cell {number}"
        code = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
        # for tracebacks with the cell's lines
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        yield name, code


def _parsed(name: str, source: str | bytes) -> CodePart:
    return CodePart(name, ast.parse(source, filename=name))


def run_code(path: Path, folder: Path) -> LabelingApp | Session:
    """Run a Python file or a notebook; its output goes to the terminal."""
    parts = read_code(path)
    found: LabelingApp | Session | None = None
    last: Any = None
    with _as_main(path, folder) as namespace:
        for part in parts:
            try:
                last = _run(part, namespace)
            except ServeCall as handed:
                return handed.served
            except BaseException as error:
                raise _reported(error, path) from None
            if is_served(last):
                found = last
    if found is None:
        raise UserCodeError(
            f"the last value of {path.name} is {_described(last)}, expected an app or a session: "
            "end it with the app, as in evaluate(…), or with serve(app)"
        )
    return found


def described(served: Any) -> str:
    """Describe an app or a session in words."""
    session = getattr(served, "session", served)
    return f"a page with {session.pool.n_instances:,} {session.pool.noun}: {session.measure.name}"


def is_served(value: Any) -> bool:
    """Return whether a value is an app or a session."""
    from activeeval_widgets.session import Session
    from activeeval_widgets.widgets import LabelingApp

    return isinstance(value, LabelingApp | Session)


def _run(part: CodePart, namespace: dict[str, Any]) -> Any:
    """Run a part; return the value of its last line, an expression or an assignment."""
    body = part.code.body
    last = body[-1] if body else None
    value: Any = None
    if isinstance(last, ast.Expr):
        _execute(ast.Module(body[:-1], []), part.name, namespace)
        expression = ast.Expression(last.value)
        value = eval(compile(expression, part.name, "eval"), namespace)  # noqa: S307 - the user's own file
    else:
        _execute(part.code, part.name, namespace)
        if isinstance(last, ast.Assign | ast.AnnAssign):
            target = last.targets[-1] if isinstance(last, ast.Assign) else last.target
            value = namespace.get(target.id) if isinstance(target, ast.Name) else None
    return value


def _execute(code: ast.Module, name: str, namespace: dict[str, Any]) -> None:
    exec(compile(code, name, "exec"), namespace)  # noqa: S102 - the user's own file


@contextlib.contextmanager
def _as_main(path: Path, folder: Path) -> Iterator[dict[str, Any]]:
    """Let code run as a program of its own: its folder on the path, its output on the terminal."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": str(path), "__builtins__": __builtins__}

    def shell() -> InteractiveShell:  # what a cell's magics call
        found = InteractiveShell.instance()
        found.user_ns = namespace
        return found

    namespace["get_ipython"] = shell
    user = InteractiveShell.instance().user_ns if InteractiveShell.initialized() else {}
    before, arguments = Path.cwd(), sys.argv
    sys.path.insert(0, str(path.parent))
    sys.argv = [str(path)]
    _running.append(path)
    try:
        os.chdir(folder)
        # The page has no place for displayed output.
        with contextlib.redirect_stdout(_terminal()), capture_output(stdout=False, stderr=False):
            yield namespace
    finally:
        _running.pop()
        if InteractiveShell.initialized():
            InteractiveShell.instance().user_ns = user
        sys.argv = arguments
        with contextlib.suppress(ValueError):
            sys.path.remove(str(path.parent))
        os.chdir(before)


def _reported(error: BaseException, path: Path) -> UserCodeError:
    """Print an error of the code with the code's own traceback; return a sentence for the page."""
    if isinstance(error, UserCodeError):
        return error
    frames = error.__traceback__
    while frames is not None and not frames.tb_frame.f_code.co_filename.startswith(str(path)):
        frames = frames.tb_next
    _write("".join(traceback.format_exception(type(error), error, frames)))
    if isinstance(error, SystemExit):
        return UserCodeError(f"{path.name} ended itself (sys.exit) before it had an app")
    last = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith(str(path))]
    where = f"{Path(last[-1].filename).name}, line {last[-1].lineno}" if last else path.name
    return UserCodeError(f"{where}: {type(error).__name__}: {error}")


def _terminal() -> TextIO:
    """Return the server's terminal; in a kernel, `sys.stderr` would be the page."""
    return sys.__stderr__ or sys.stderr


def _write(text: str) -> None:
    terminal = _terminal()
    terminal.write(text)
    terminal.flush()


def _described(value: Any) -> str:
    return "no value" if value is None else f"of type {type(value).__name__}"
