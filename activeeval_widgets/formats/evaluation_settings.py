"""The settings of an evaluation, as `evaluation.toml` stores them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.options import SettingOption, flag, options_of
from activeeval_widgets.formats.problems import closest
from activeeval_widgets.formats.settings_text import (
    confidence_level,
    expanded_path,
    names_as_typed,
    path_as_typed,
    read_toml,
    table_of,
    two_numbers,
    write_toml,
)

# No import of sessions and readers: the command line reads the options here, and --help must be fast.
if TYPE_CHECKING:
    from activeeval_widgets.session import Goal, Pool, Session
    from activeeval_widgets.session.stores import Store
    from activeeval_widgets.stats import Measure


def _setting(text: str, *types: type, metavar: str | None = None, **about: Any) -> Any:
    """Declare an optional setting."""
    default = False if types == (bool,) else None
    option = SettingOption(help=text, metavar=metavar, types=types, **about)
    return field(default=default, metadata={"option": option})


def _goal_texts(goal: Goal) -> list[str]:
    from activeeval_widgets.formats.goal_text import goal_texts

    return goal_texts(goal)


@dataclass(frozen=True)
class EvaluationSettings:
    """A file of predictions, the measure to estimate, and how labels are collected.

    A setting that is a command-line option is declared with its help text.

    Attributes
    ----------
    file : Path
        The predictions, an absolute path.
    columns : Columns
        The roles of the columns; those that are not given are guessed.
    within : Path, optional
        The folder that all named files must be in; set if the settings came from a page.
    """

    file: Path
    columns: Columns = field(default_factory=Columns)
    measure: str | None = _setting(
        "What to estimate: error-rate, f1, recall, squared-error, dcg@10, …; `list` shows them all.  "
        "[default: error-rate for classes, absolute-error for numbers, dcg for rankings]",
        str,
        metavar="NAME",
    )
    positive: str | int | float | bool | None = _setting(
        "The class of interest.  [default: the rarer one of two]", str, int, float, bool, metavar="LABEL"
    )
    budget: int | None = _setting("How many labels to ask for.", int, metavar="N", least=1)
    goal: Goal | None = _setting(  # noqa: RUF009 - a field, as all others are
        'When to stop: 0.03 or 3% (margin of error), "30 minutes", "> 0.9" (once it is clear), "cost '
        '100". May be repeated.',
        metavar="X",
        is_repeated=True,
        texts=_goal_texts,
    )
    margin: float | None = _setting(
        "With --compare A,B: differences of less than this don't matter, such as 0.01, 1% or "
        '"1 point". Once it is known to be less, the labels are enough, too.',
        int,
        float,
        metavar="X",
    )
    y_range: tuple[float, float] | None = _setting(
        "For numbers: the smallest and the largest possible label.",
        metavar="LOW,HIGH",
        texts=lambda ends: [",".join(f"{end:.15g}" for end in ends)],
    )
    confidence: float | None = _setting(
        "The level of all intervals: 0.9, 90% or 90.  [default: 0.95]", int, float, str, metavar="LEVEL"
    )
    name: str | None = _setting("The name of the session.  [default: the file's, without its ending]", str)
    after: str | None = _setting(
        "An earlier session about the same question, or the JSON file of one with contents: its labels are "
        "carried over to instances of the same content, and go on as draws where only votes have changed.",
        str,
    )
    title: str | None = _setting("The heading of the page.  [default: the file's name]", str)
    question: str | None = _setting("What is asked about each instance.", str)
    guidelines: Path | None = _setting(  # noqa: RUF009
        "How to decide: a Markdown file to show beside the instance.", Path, str, metavar="FILE"
    )
    hide_estimate: bool = _setting("Keep the estimate and the model's predictions off the page.", bool)
    ask_name: bool = _setting("Ask on the page who labels, for several people without a login.", bool)
    owner: str | None = _setting(
        "With --hide-estimate: the login of someone who sees the estimate anyway.", str, metavar="NAME"
    )
    lease_minutes: float | None = _setting(
        "How long items stay reserved for someone who has gone quiet.  [default: 5]",
        int,
        float,
        metavar="N",
        least=0,
        is_above_least=True,
    )
    n_raters: int | None = _setting(
        "How many people label each instance; the label of one of them, chosen at random, counts.  "
        "[default: 1]",
        int,
        metavar="N",
        least=1,
    )
    second_opinions: float | None = _setting(
        "Share of instances, chosen at random, for which one more person is asked.  [default: 0]",
        int,
        float,
        metavar="SHARE",
        least=0,
        most=1,
    )
    for_groups: bool = _setting("With --group: draw enough for every group, small ones too.", bool)
    sheets: bool = _setting("Label what the model is sure of 24 at a time, with the key B.", bool)
    seed: int | None = _setting("Seed of the draws.  [default: by name and predictions]", int, least=0)
    protocol: str | None = _setting(
        "How instances are drawn.  [default: adaptive]", str, choices=("adaptive", "papers")
    )
    within: Path | None = None

    def __post_init__(self) -> None:
        for name, types in _TYPES.items():
            value = getattr(self, name)
            is_number_as_bool = isinstance(value, bool) and bool not in types
            if value is not None and types and (not isinstance(value, types) or is_number_as_bool):
                expected = dict.fromkeys("str" if kind is Path else kind.__name__ for kind in types)
                raise TypeError(f"{name} is {value!r}, expected {' or '.join(expected)}")
            if value is not None and Path in types:
                object.__setattr__(self, name, expanded_path(value).absolute())
        if self.y_range is not None:
            object.__setattr__(self, "y_range", two_numbers(self.y_range))
        if self.confidence is not None:
            object.__setattr__(self, "confidence", confidence_level(self.confidence))
        self._check_within()

    @property
    def session_name(self) -> str:
        """The session's name, by default the file's name without its suffixes."""
        if self.name is not None:
            return self.name
        stem = self.file.name
        while (ending := Path(stem).suffix).lower() in _ENDINGS:
            stem = stem[: -len(ending)]
        return stem or self.file.name

    def _check_within(self) -> None:
        if self.within is not None:
            from activeeval_widgets.formats.settings_within_folder import check_settings_within

            check_settings_within(self.within, self.file, self.guidelines, self.columns)

    # Reading and writing

    @classmethod
    def of(cls, path: Path) -> Self:
        """Read an `evaluation.toml`, or that of a folder; or make settings of a file of predictions."""
        path = path / "evaluation.toml" if (path / "evaluation.toml").is_file() else path
        return cls.read(path) if path.suffix.lower() == ".toml" else cls(path)

    @classmethod
    def read(cls, path: str | Path, *, came_through_page: bool = False, name: str | None = None) -> Self:
        """Read an `evaluation.toml`; its relative paths start at its folder. `name` is its name in errors."""
        path = Path(path)
        folder, name = path.absolute().parent, name or path.name
        content = read_toml(path, name)
        try:
            settings = cls.from_dict(content, folder=folder)
            return settings.with_(within=folder) if came_through_page else settings
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from error

    def write(self, path: str | Path) -> None:
        """Write an `evaluation.toml`; paths below its folder are written relative to it."""
        path = Path(path).absolute()
        head = f"# activeeval-widgets serve {shlex.quote(path.name)}\n"
        write_toml(path, head, self.to_dict(folder=path.parent))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], *, folder: Path | None = None) -> Self:
        """Make settings from what `to_dict` returned."""
        from activeeval_widgets.session import Goal

        known = [each.name for each in fields(cls) if folder is None or each.name != "within"]
        for key in content:
            if key not in known:
                raise ValueError(f"there is no setting {key!r}. {closest(key, known)}")
        if "file" not in content:
            raise ValueError("the setting 'file' is missing: the file with the predictions")
        given = dict(content)
        for key, kind in (("columns", Columns), ("goal", Goal)):
            if given.get(key) is not None:
                given[key] = table_of(key, given[key], kind)
        for key, types in _TYPES.items():
            if folder is not None and Path in types and isinstance(given.get(key), str):
                given[key] = folder / expanded_path(given[key])
        return cls(**given)

    def to_dict(self, *, folder: Path | None = None) -> dict[str, Any]:
        """Return the settings that differ from their defaults, as JSON values."""
        result: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value is None or (value is False and _TYPES.get(each.name) == (bool,)):
                continue
            if folder is not None and each.name == "within":
                continue
            if isinstance(value, Path):
                value = path_as_typed(value, folder)
            elif isinstance(value, Columns):
                value = {k: list(v) if isinstance(v, tuple) else v for k, v in value.named_options().items()}
            elif is_dataclass(value):  # a goal
                named = ((goal.name, getattr(value, goal.name)) for goal in fields(value))
                value = {name: number for name, number in named if number is not None}
            elif isinstance(value, tuple):
                value = list(value)
            if value != {}:
                result[each.name] = value
        return result

    def with_(self, **changes: Any) -> Self:
        """Return a copy with some settings changed."""
        return replace(self, **changes)

    def command(self, *, folder: Path | None = None) -> str:
        """Return the command that serves this evaluation."""
        words = ["activeeval-widgets", "serve", path_as_typed(self.file, folder)]

        def add(option: str, value: str) -> None:
            # A value that begins with a hyphen would be taken for an option.
            words.extend([f"{option}={value}"] if value.startswith("-") else [option, value])

        for name, value in self.columns.named_options().items():
            add(flag(name), names_as_typed(value) if isinstance(value, tuple) else value)
        given = {name: getattr(self, name) for name in SETTING_OPTIONS if getattr(self, name) is not None}
        for name, value in given.items():
            if isinstance(value, Path):
                add(flag(name), path_as_typed(value, folder))
            elif not SETTING_OPTIONS[name].is_flag:
                for text in SETTING_OPTIONS[name].texts(value):
                    add(flag(name), text)
        words += [flag(name) for name, option in SETTING_OPTIONS.items() if option.is_flag and given[name]]
        return shlex.join(words)

    # Pool, measure, session

    def make_pool(self) -> Pool:
        """Read the file into a pool."""
        from activeeval_widgets.session import Pool

        self._check_within()
        pool = Pool.read(self.file, **self.columns.named_options())
        pool.is_by_command = True
        return pool

    def make_measure(self, pool: Pool) -> Measure:
        """Return the measure to estimate; see `activeeval_widgets.formats.chosen_measure`."""
        from activeeval_widgets.formats.chosen_measure import chosen_measure

        return chosen_measure(pool, self.measure, self.positive).measure

    def make_session(
        self,
        store: Store | str | Path | None = None,
        who: str | None = None,
        *,
        pool: Pool | None = None,
        after: Session | None = None,
    ) -> Session:
        """Begin the session or continue it; `after` is an earlier session, already open."""
        from activeeval_widgets.session import Session
        from activeeval_widgets.session.log.people import LEASE_SECONDS
        from activeeval_widgets.session.pool.fingerprints import default_seed

        pool = self.make_pool() if pool is None else pool
        measure = self.make_measure(pool)
        if self.sheets and self.hide_estimate and measure.positive is None:
            raise ValueError(
                "sheets show the model's predictions, which hide_estimate keeps off the page, unless the "
                "measure is of one of two classes, such as f1: leave one of them out"
            )
        by_default = default_seed(self.session_name, pool.fingerprints["predictions"])
        return Session(
            pool,
            measure,
            budget=self.budget,
            seed=by_default if self.seed is None else self.seed,
            store=store,
            name=self.session_name,
            protocol=self.protocol,
            y_range=self.y_range,
            confidence_level=self.confidence,
            goal=self.goal,
            margin=self.margin,
            who=who,
            n_raters=self.n_raters,
            second_opinions=self.second_opinions,
            for_groups=self.for_groups,
            after=after,
            # Sheets of predictions would reveal the model.
            sheets="positive" if self.sheets and self.hide_estimate else self.sheets,
            lease_seconds=LEASE_SECONDS if self.lease_minutes is None else 60 * self.lease_minutes,
        )

    def read_guidelines(self) -> str | None:
        """Return the guidelines' text."""
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


SETTING_OPTIONS: dict[str, SettingOption] = options_of(EvaluationSettings)
"""The options by their names."""

_TYPES: dict[str, tuple[type, ...]] = {
    "file": (Path, str),
    **{name: option.types for name, option in SETTING_OPTIONS.items()},
    "within": (Path, str),
}

_ENDINGS = {
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather", ".ipc"),
    *(".eval", ".run", ".trec", ".res"),
    *(".gz", ".bz2", ".xz", ".zst", ".zip"),
}
