"""Write the package's results and messages to files, and print the first differences of two such folders.

    python tools/goldens.py write FOLDER [--checkout PATH] [--only sessions|pages|files]
    python tools/goldens.py compare A B [--but PATTERN]

Before moving code: write the goldens of both checkouts with the same interpreter, on one machine, and
compare. `sessions` has q, draws, probabilities, the estimate and both intervals for each case of
`golden_parts/cases.py` and after each label, in hexadecimal; `pages` all messages of a scripted session of
each demo; `files` reports and exports, byte for byte. With --but, text that matches the pattern is left out
of both.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # sums by several threads differ in the last bits
_PARTS = ("sessions", "pages", "files")
_MAX_NAMED = 20
_AROUND = 60


def exact(value: Any) -> Any:
    """Return numbers exactly, to the bit; large arrays as a digest."""
    import hashlib

    import numpy as np

    if isinstance(value, np.ndarray):
        return hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, list):
        return [exact(each) for each in value]
    return value


def write_sessions(folder: Path) -> None:
    """Write a file for each case, with a line for each answer."""
    from golden_parts.cases import CASES
    from golden_parts.sessions import rows_of

    folder.mkdir(parents=True)
    for name, case in CASES.items():
        lines = [json.dumps({key: exact(value) for key, value in row.items()}) for row in rows_of(case)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_pages(folder: Path) -> None:
    """Write a file for each demo, with a line for each message from Python; and the demo's files."""
    from golden_parts import files, pages

    from activeeval_widgets import Session
    from activeeval_widgets.demos import DEMOS

    for name, make in DEMOS.items():
        demo = make()
        with files.at_a_steady_clock(), pages.recorded() as sent:
            session = Session(
                demo.pool, demo.measure, budget=demo.budget, y_range=demo.y_range, goal=demo.goal, who="Ada"
            )
            pages.run(pages.shown(session, demo), demo)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.jsonl").write_text("\n".join(sent) + "\n", encoding="utf-8")
            list(files.written(session, folder / name, contents=False))


def write_files(folder: Path) -> None:
    """Write a folder for each case."""
    from golden_parts import files
    from golden_parts.cases import CASES
    from golden_parts.sessions import answered

    for name, case in CASES.items():
        with files.at_a_steady_clock():
            *_, session = answered(case)
            list(files.written(session, folder / name, contents=not session.pool.is_streamed))


def differences(one: Path, other: Path, but: str | None) -> list[str]:
    """Return the first difference of each file, in words."""
    names = sorted(
        {path.relative_to(folder).as_posix() for folder in (one, other) for path in folder.rglob("*.*")}
    )
    found = []
    for name in names:
        paths = one / name, other / name
        missing = [str(path) for path in paths if not path.exists()]
        if missing:
            found.append(f"{name}: not in {missing[0].removesuffix(name)}")
            continue
        texts = [path.read_text(encoding="utf-8") for path in paths]
        if but is not None:
            texts = [re.sub(but, "", text) for text in texts]
        if texts[0] == texts[1]:
            continue
        lines = [text.splitlines() for text in texts]
        at = next((i for i, pair in enumerate(zip(*lines, strict=False)) if pair[0] != pair[1]), None)
        if at is None:
            found.append(f"{name}: {len(lines[0])} lines, and {len(lines[1])}")
            continue
        first = next(
            (
                i
                for i, pair in enumerate(zip(*(each[at] for each in lines), strict=False))
                if pair[0] != pair[1]
            ),
            0,
        )
        pieces = [repr(each[at][max(0, first - _AROUND) : first + _AROUND]) for each in lines]
        found.append(f"{name}, line {at + 1}, column {first + 1}:\n    {pieces[0]}\n    {pieces[1]}")
    return found


def main() -> int:
    """Write, or compare and return 1 if there are differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("folder", type=Path)
    write.add_argument("--checkout", type=Path, default=Path(__file__).parents[1])
    write.add_argument("--only", choices=_PARTS)
    compare = commands.add_parser("compare")
    compare.add_argument("one", type=Path)
    compare.add_argument("other", type=Path)
    compare.add_argument("--but", metavar="PATTERN")
    given = parser.parse_args()
    if given.command == "compare":
        found = differences(given.one, given.other, given.but)
        print("\n".join(found[:_MAX_NAMED]))  # noqa: T201
        print(f"{len(found)} files differ." if found else "The same.")  # noqa: T201
        return bool(found)
    if os.environ.get("PYTHONHASHSEED") != "0":  # because widgets send their state from sets
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - the same program
    sys.path[:0] = [str(given.checkout.resolve()), str(Path(__file__).parent)]
    import activeeval_widgets

    if not Path(activeeval_widgets.__file__).is_relative_to(given.checkout.resolve()):
        sys.exit(f"{activeeval_widgets.__file__} was imported, which is not in --checkout")
    for part in _PARTS:
        if given.only in (None, part):
            globals()[f"write_{part}"](given.folder / part)
    return 0


if __name__ == "__main__":
    sys.exit(main())
