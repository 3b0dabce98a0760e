"""An evaluation as it is kept in `evaluation.toml`: a file, what is asked of it, and how."""

from __future__ import annotations

import csv
import io
import os
import shlex
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from zlib import crc32

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.confined_settings import check_settings_within
from activeeval_widgets.formats.goal_text import goal_texts
from activeeval_widgets.formats.problems import closest
from activeeval_widgets.formats.session_names import next_name
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.log.people import LEASE_SECONDS
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.session import Session

if TYPE_CHECKING:
    from activeeval_widgets.session.stores import Store
    from activeeval_widgets.stats import Measure

_TYPES: dict[str, tuple[type, ...]] = {
    "file": (str, Path),
    "measure": (str,),
    "positive": (str, int, float, bool),
    "budget": (int,),
    "seed": (int,),
    "protocol": (str,),
    "n_raters": (int,),
    "second_opinions": (int, float),
    "name": (str,),
    "title": (str,),
    "question": (str,),
    "guidelines": (str, Path),
    "within": (str, Path),
    "hide_estimate": (bool,),
    "for_groups": (bool,),
    "ask_name": (bool,),
    "owner": (str,),
    "lease_minutes": (int, float),
    "margin": (int, float),
}
_PATHS = ("file", "guidelines", "within")
_NOT_IN_FILES = ("within",)
_LARGEST = 1 << 20
_FLAGS = ("ask_name", "for_groups", "hide_estimate")


@dataclass(frozen=True)
class EvaluationSettings:
    """A file of predictions, what is to be estimated, and how the labels are asked for.

    Attributes
    ----------
    file : Path
        The predictions; absolute.
    columns : Columns
        Which column holds what; those that are not given are guessed.
    measure : str, optional
        What is estimated, by its name (see `measure_named`). By the kind of predictions unless given.
    positive : str, number or bool, optional
        The class of interest.
    budget : int, optional
        How many labels are asked for.
    goal : Goal, optional
        When the session may stop.
    margin : float, optional
        Of two models: smaller differences don't matter.
    y_range : tuple of two floats, optional
        For numbers: the smallest and the largest label there can be.
    seed : int, optional
        Seeds the draws. By the session's name unless given.
    protocol : {"adaptive", "papers"}, optional
        How instances are drawn.
    name : str, optional
        The session's name. The file's unless given, without its ending.
    title, question : str, optional
        The page's heading, and what is asked about each instance.
    guidelines : Path, optional
        A Markdown file that says how to decide; absolute.
    hide_estimate : bool
        Whether the page tells nothing of estimate and model.
    ask_name : bool
        Whether the page asks who labels: where several people do, and no log-in says it.
    owner : str, optional
        Who sees the estimate all the same where it is hidden, by the log-in.
    lease_minutes : float, optional
        How long items stay with somebody of whom nothing is heard; 5 unless given.
    n_raters, second_opinions : int, float, optional
        How many people are asked about each instance, and about which share of them one more.
    for_groups : bool
        Whether draws serve all groups, small ones, too.
    within : Path, optional
        The folder that holds all files that are named; set where the settings came through a page.
    """

    file: Path
    columns: Columns = field(default_factory=Columns)
    measure: str | None = None
    positive: str | int | float | bool | None = None
    budget: int | None = None
    goal: Goal | None = None
    margin: float | None = None
    y_range: tuple[float, float] | None = None
    seed: int | None = None
    protocol: str | None = None
    name: str | None = None
    title: str | None = None
    question: str | None = None
    guidelines: Path | None = None
    hide_estimate: bool = False
    ask_name: bool = False
    owner: str | None = None
    lease_minutes: float | None = None
    n_raters: int | None = None
    second_opinions: float | None = None
    for_groups: bool = False
    within: Path | None = None

    def __post_init__(self) -> None:
        for name, types in _TYPES.items():
            value = getattr(self, name)
            is_number_as_bool = isinstance(value, bool) and bool not in types
            if value is not None and (not isinstance(value, types) or is_number_as_bool):
                expected = " or ".join("str" if kind is Path else kind.__name__ for kind in types)
                raise TypeError(f"{name} is {value!r}, expected {expected}")
        for name in _PATHS:
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _expanded(getattr(self, name)).absolute())
        if self.y_range is not None:
            object.__setattr__(self, "y_range", _two_numbers(self.y_range))
        self._check_within()

    @property
    def session_name(self) -> str:
        """The session's name: as given, or the file's without its endings."""
        if self.name is not None:
            return self.name
        stem = self.file.name
        while (ending := Path(stem).suffix).lower() in _ENDINGS:
            stem = stem[: -len(ending)]
        return stem or self.file.name

    def _check_within(self) -> None:
        if self.within is not None:
            check_settings_within(self.within, self.file, self.guidelines, self.columns)

    # Reading and writing

    @classmethod
    def read(cls, path: str | Path, *, came_through_page: bool = False) -> Self:
        """Read an `evaluation.toml`; relative paths in it are relative to its folder."""
        path = Path(path)
        folder = path.absolute().parent
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"{path.name} is larger than a MiB, and settings are not. Choose another file")
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path.name} is no TOML: {error}. Correct it there") from error
        except RecursionError:
            raise ValueError(f"{path.name} is no TOML of settings: it is nested too deeply") from None
        try:
            settings = cls.from_dict(content, folder=folder)
            return settings.with_(within=folder) if came_through_page else settings
        except (TypeError, ValueError) as error:
            raise type(error)(f"{path.name}: {error}") from error

    def write(self, path: str | Path) -> None:
        """Write an `evaluation.toml`; files in its folder or below are named relative to it."""
        import tomli_w  # not at the top: a page does not write

        path = Path(path).absolute()
        head = f"# activeeval-widgets serve {shlex.quote(path.name)}\n"
        text = head + tomli_w.dumps(self.to_dict(folder=path.parent))
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], *, folder: Path | None = None) -> Self:
        """Settings of what `to_dict` gives."""
        known = [each.name for each in fields(cls) if folder is None or each.name not in _NOT_IN_FILES]
        for key in content:
            if key not in known:
                raise ValueError(f"there is no setting {key!r}. {closest(key, known)}")
        if "file" not in content:
            raise ValueError("the setting 'file' is missing: the file with the predictions")
        given = dict(content)
        for key, kind in (("columns", Columns), ("goal", Goal)):
            if given.get(key) is not None:
                given[key] = _table(key, given[key], kind)
        for key in _PATHS:
            if folder is not None and isinstance(given.get(key), str):
                given[key] = folder / _expanded(given[key])
        return cls(**given)

    def to_dict(self, *, folder: Path | None = None) -> dict[str, Any]:
        """The settings that differ from their defaults, as JSON values."""
        result: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value is None or (value is False and each.name in _FLAGS):
                continue
            if folder is not None and each.name in _NOT_IN_FILES:
                continue
            if isinstance(value, Path):
                value = _shown(value, folder)
            elif isinstance(value, Columns):
                value = {k: list(v) if isinstance(v, tuple) else v for k, v in value.given().items()}
            elif isinstance(value, Goal):
                named = ((goal.name, getattr(value, goal.name)) for goal in fields(value))
                value = {name: number for name, number in named if number is not None}
            elif isinstance(value, tuple):
                value = list(value)
            if value != {}:
                result[each.name] = value
        return result

    def with_(self, **changes: Any) -> Self:
        """The same with some changed."""
        return replace(self, **changes)

    def command(self, *, folder: Path | None = None) -> str:
        """The command that serves the same."""
        words = ["activeeval-widgets", "serve", _shown(self.file, folder)]

        def add(option: str, value: str) -> None:
            # What begins with a hyphen would be taken for an option.
            words.extend([f"{option}={value}"] if value.startswith("-") else [option, value])

        for name, value in self.columns.given().items():
            add(f"--{name.replace('_', '-')}", _joined(value) if isinstance(value, tuple) else value)
        for name in ("measure", "positive", "budget"):
            if getattr(self, name) is not None:
                add(f"--{name}", str(getattr(self, name)))
        for text in goal_texts(self.goal):
            add("--goal", text)
        if self.margin is not None:
            add("--margin", f"{self.margin!r}")
        if self.y_range is not None:
            add("--y-range", ",".join(f"{bound:g}" for bound in self.y_range))
        others = ("name", "title", "question", "owner", "lease_minutes")
        for name in ("seed", "protocol", "n_raters", "second_opinions", *others):
            if getattr(self, name) is not None:
                add(f"--{name.replace('_', '-')}", str(getattr(self, name)))
        if self.guidelines is not None:
            add("--guidelines", _shown(self.guidelines, folder))
        words += [f"--{name.replace('_', '-')}" for name in _FLAGS if getattr(self, name)]
        return shlex.join(words)

    # What it is about

    def make_pool(self) -> Pool:
        """Read the file."""
        self._check_within()
        pool = Pool.read(self.file, **self.columns.given())
        pool.is_by_command = True
        return pool

    def make_measure(self, pool: Pool) -> Measure:
        """What is estimated; see `activeeval_widgets.formats.chosen_measure`."""
        from activeeval_widgets.formats.chosen_measure import chosen_measure

        return chosen_measure(pool, self.measure, self.positive).measure

    def make_session(
        self, store: Store | str | Path | None = None, who: str | None = None, *, pool: Pool | None = None
    ) -> Session:
        """Begin the session, or go on with it where it was."""
        pool = self.make_pool() if pool is None else pool
        return Session(
            pool,
            self.make_measure(pool),
            budget=self.budget,
            seed=self.seed_of(self.session_name),
            store=store,
            name=self.session_name,
            protocol=self.protocol,
            y_range=self.y_range,
            goal=self.goal,
            margin=self.margin,
            who=who,
            n_raters=self.n_raters,
            second_opinions=self.second_opinions,
            for_groups=self.for_groups,
            lease_seconds=LEASE_SECONDS if self.lease_minutes is None else 60 * self.lease_minutes,
        )

    def unused_name(self, names: Iterable[str]) -> str:
        """A name for another session, which none of `names` has: "mails", "mails-2", …."""
        return next_name(names, self.session_name)

    def seed_of(self, session_name: str) -> int:
        """The seed of a session: as given, or of its name, so that each one draws anew."""
        return crc32(session_name.encode()) if self.seed is None else self.seed

    def read_guidelines(self) -> str | None:
        """The guidelines' text."""
        if self.guidelines is None:
            return None
        self._check_within()
        try:
            return self.guidelines.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise ValueError(
                f"guidelines: {self.guidelines} can't be read: {error.strerror}. Check its name and folder"
            ) from error
        except UnicodeDecodeError as error:
            raise ValueError(
                f"guidelines: {self.guidelines.name} is not in UTF-8 (byte {error.start:,}). "
                "Save it as UTF-8 text"
            ) from error


_ENDINGS = {
    *(
        ".csv",
        ".tsv",
        ".txt",
        ".json",
        ".jsonl",
        ".ndjson",
        ".parquet",
        ".arrow",
        ".feather",
        ".ipc",
        ".eval",
        ".run",
        ".trec",
        ".res",
    ),
    *(".gz", ".bz2", ".xz", ".zst", ".zip"),
}


def _table(key: str, value: Any, kind: type[Any]) -> Any:
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"{key} is {value!r}, expected a table, as under [{key}]")
    known = [each.name for each in fields(kind)]
    for name in value:
        if name not in known:
            raise ValueError(f"there is no setting {name!r} under [{key}]. {closest(name, known)}")
    return kind(**value)


def _two_numbers(value: Any) -> tuple[float, float]:
    numbers = isinstance(value, list | tuple) and all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in value
    )
    if not numbers or len(value) != 2:
        raise TypeError(f"y_range is {value!r}, expected two numbers: the smallest and the largest label")
    return float(value[0]), float(value[1])


def _expanded(name: str | Path) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:  # "~somebody" who is not there
        return Path(name)


def _shown(path: Path, folder: Path | None) -> str:
    if folder is None or not path.is_relative_to(folder):
        return str(path)
    relative = str(path.relative_to(folder)).replace(os.sep, "/")
    return f"./{relative}" if relative.startswith("-") else relative


def _joined(names: tuple[str, ...]) -> str:
    """A list as it is typed: names with a comma in them in quotes."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
