"""A new evaluation: a file, its columns, the chosen measure, and the resulting session."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from activeeval_widgets.formats import examine
from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.examination import Examination, examine_columns
from activeeval_widgets.formats.problems import Problem
from activeeval_widgets.formats.session_names import next_name
from activeeval_widgets.formats.trec import is_run_file
from activeeval_widgets.session import Goal, Pool, Session, Store
from activeeval_widgets.session.report.kept_labels import kept_labels
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.start.evaluations import demo_named, store_of
from activeeval_widgets.widgets.start.plans import plan_list
from activeeval_widgets.widgets.start.questions import questions, questions_without_model
from activeeval_widgets.widgets.start.roles import (
    ROLES,
    SAMPLE,
    changed_roles,
    column_contents,
    columns_of,
    roles_of,
)
from activeeval_widgets.widgets.start.uploads import unused_path

_KINDS = {"class": "class", "number": "value", "grades": "ranking"}
"""The kind of predictions for each kind of label."""

_MAX_PROBLEMS = 20
_N_ROWS = 3


class NewEvaluation:
    """A new evaluation from a file."""

    def __init__(
        self,
        path: Path,
        stores: Sequence[Store],
        spare_folder: Path,
        open_session: Callable[[str], Session],
        after: str | None = None,
        name: str | None = None,
    ) -> None:
        name = name or path.name  # by which the person knows it
        self._stores, self._spare_folder = stores, spare_folder
        self._store = stores[0]
        self._given = None
        self._written: tuple[str, Path] | None = None  # guidelines, and where they were written
        if after is not None:
            self._given = self._next_version(path, name, after)
        elif path.suffix.lower() == ".toml":
            try:
                self._given = EvaluationSettings.read(path, came_through_page=True, name=name)
            except OSError as error:
                raise ValueError(f"{name} can't be read: {error.strerror}.") from error
            except TypeError as error:
                raise ValueError(f"{error}.") from error
        self._settings = self._given or EvaluationSettings(path)
        self._settings_path = path if self._settings.file != path else None
        earlier = self._settings.after
        if earlier is not None and not any(earlier in store.names() for store in stores):
            raise ValueError(f"after: there is no evaluation {earlier!r} here.")
        self._after = None if earlier is None else open_session(earlier)
        self._pool: Pool | None = None
        self._plans: dict[tuple[str, str | None, bool], dict[str, Any]] = {}
        self._found: Examination = _examined(self._settings.file, self._settings.columns)
        if after is not None and self._found.problems:  # its columns have other names
            self._found = _examined(path, Columns())
        self._ignored = set(self._found.columns.ignore or ())
        if not self._found.rows:  # not a table
            file = self._settings.file
            raise ValueError(_why_no_table(file, name if file == path else file.name, self._found))
        self._roles = roles_of(self._found.columns, list(self._found.rows))

    def _next_version(self, path: Path, name: str, after: str) -> EvaluationSettings:
        """Return the settings of an earlier evaluation, for another file."""
        if path.suffix.lower() == ".toml":
            raise ValueError(f"{name} has settings: choose the file with the new predictions.")
        store = store_of(self._stores, after)
        source = store_member(store, "details")(after).get("source") or {}
        if "settings" not in source:
            return EvaluationSettings(path, after=after)
        earlier = EvaluationSettings.from_dict(source["settings"])
        return earlier.with_(file=path, after=after, name=None, title=None, within=None)

    # -- what the page shows --------------------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        """See `messages.start_from_python.NewContent`."""
        found, file = self._found, self._settings.file
        classes = list(found.classes)
        rows = {name: cells[:_N_ROWS] for name, cells in found.rows.items()}
        asked: list[dict[str, Any]] = []
        has_probabilities = False
        without = ""
        if found.label_kind is not None:
            has_probabilities = found.columns.predicted is None or not (
                found.columns.proba is None and found.columns.score is None and found.columns.votes is None
            )
            asked = questions(_KINDS[found.label_kind], classes=classes, has_probabilities=has_probabilities)
        elif _is_without_model(found):
            asked = questions_without_model(has_classes=bool(classes))
            without = " · no model: no column holds predictions"
        return {
            "title": self._settings.title or found.title or _title(self._settings.session_name),
            "file": str(file),
            "about": f"{file.name} · {counted(found.n_rows, 'rows')}{without}{self._carried_over_text()}",
            "columns": column_contents(rows, self._roles, found.columns, classes),
            "known_labels": self._known_labels(),
            "roles": [{"name": role, "text": text} for role, text in ROLES.items()],
            "guessed": list(found.guessed),
            "problems": [_problem(each) for each in found.problems[:_MAX_PROBLEMS]],
            "n_problems": len(found.problems),
            "cannot_start": self._cannot_start(),
            "questions": asked,
            "classes": classes,
            "can_have_sheets": found.label_kind == "class" and has_probabilities,
            "settings_file": self._where(),
            "given": self._as_given(),
        }

    def _known_labels(self) -> dict[str, Any] | None:
        """Return the question about a column that has labels; None without such a column."""
        found, n_rows = self._found.labels, self._found.n_rows
        if found is None:
            return None
        ignore = {"name": "", "text": "Don’t use them"}
        if found.n_labels == n_rows:
            text = f"“{found.name}” has a label for each row. They are asked anew; may these guide the draws?"
            choices = [ignore, {"name": "labels", "text": "Let them guide the draws"}]
        else:
            text = f"“{found.name}” has labels for {found.n_labels:,} of {n_rows:,} rows. "
            text += "How were these rows chosen?"
            sample = {"name": SAMPLE, "text": "Uniformly at random: count them"}
            by = self._found.columns.drawn_by
            otherwise = "Otherwise: let them guide the draws"
            if by is not None:
                otherwise = f"By the probabilities in “{by}”: count them"
            choices = [ignore, sample, {"name": "labels", "text": otherwise}]
        return {"column": found.name, "text": text, "choices": choices}

    def _carried_over_text(self) -> str:
        """Return how many labels of the earlier evaluation are carried over."""
        if self._after is None:
            return ""
        kept = "" if self._cannot_start() else f": {kept_labels(self._try().findings)}"
        return f" · after {self._settings.after}{kept}"

    def _try(self, **wanted: Any) -> Session:
        """Make the session in memory."""
        return self._with(**wanted).make_session(pool=self._read(), after=self._after)

    def _cannot_start(self) -> str:
        if self._found.problems:
            return "The file can't be used as it is. Fix it, or say what the columns are."
        if self._found.label_kind is None and not _is_without_model(self._found):
            return "Say which columns hold the model's predictions, and what to show."
        if self._after is not None:
            try:
                self._try()
            except (ValueError, TypeError) as error:
                return f"{error}."
        return ""

    def _where(self) -> str:
        if self._settings_path is not None:
            return f"These settings are from {self._settings_path.name}."
        path = self._place("evaluation.toml")
        return f"What is chosen here is kept in {path.name}, in {path.parent}."

    def _as_given(self) -> dict[str, Any] | None:
        given = self._given
        if given is None:
            return None
        return {
            "measure": given.measure or "",
            "positive": None if given.positive is None else str(given.positive),
            "half_width": given.goal.half_width if given.goal else None,
            "budget": given.budget,
            "title": given.title or "",
            "guidelines": given.read_guidelines() or "",
            "sheets": given.sheets,
        }

    # -- what the person does -------------------------------------------------------------------------------

    def change_roles(self, chosen: Mapping[str, str]) -> None:
        """Set the roles of columns."""
        before = self._roles
        roles = changed_roles(before, chosen)
        ignored = {
            name
            for name, role in roles.items()
            if role == "" and (role != before[name] or name in self._ignored)
        }
        columns = columns_of(roles, self._found.columns, ignored)
        self._found = _examined(self._settings.file, columns)
        self._ignored = ignored
        self._roles = roles_of(self._found.columns, list(before))
        self._pool = None
        self._plans.clear()

    def plans(self, measure: str, positive: str | None, sheets: bool) -> dict[str, Any]:
        """Return the labels that each margin of error takes; see `messages.start_from_python.PlanList`."""
        asked = (measure, positive, sheets)
        if asked not in self._plans:
            wanted = {"measure": measure, "positive": positive, "sheets": sheets}
            self._plans[asked] = {**plan_list(self._try(**wanted)), **wanted}
        return self._plans[asked]

    def settings(self, chosen: Mapping[str, Any]) -> EvaluationSettings:
        """Return the choices as settings; the guidelines are not yet in a file."""
        half_width, budget = chosen["half_width"], chosen["budget"]
        title = " ".join(str(chosen["title"]).split()) or self._settings.session_name
        return self._with(
            measure=chosen["measure"],
            positive=chosen["positive"],
            budget=None if budget is None else int(budget),
            goal=None if half_width is None else Goal(half_width=float(half_width)),
            title=title,
            name=self._session_name(title),
            sheets=bool(chosen["sheets"]),
        )

    def command(self, chosen: Mapping[str, Any]) -> str:
        """Return the command that serves the same; guidelines that were typed are in a file then."""
        return self._with_guidelines(self.settings(chosen), str(chosen["guidelines"])).command()

    def start(self, chosen: Mapping[str, Any], who: str | None = None) -> str:
        """Start the session, and save the choices."""
        settings = self.settings(chosen)
        session: Session = settings.make_session(
            self._store, who, pool=self._read(), after=self._after
        )  # raises if the arguments do not fit
        settings = self._kept(settings, str(chosen["guidelines"]))
        about = {
            "source": {"settings": settings.to_dict()},
            "title": settings.title,
            "measure": session.measure.long_name,
            "budget": settings.budget,
            "last_used": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        store_member(self._store, "keep_details")(session.name, about)
        return session.name

    # -- how ------------------------------------------------------------------------------------------------

    def _with(self, **changes: Any) -> EvaluationSettings:
        return self._settings.with_(columns=self._found.columns, **changes)

    def _read(self) -> Pool:
        if self._pool is None:
            self._pool = self._with().make_pool()
        return self._pool

    def _session_name(self, title: str) -> str:
        """Return a name that is unused in the store and by demos."""
        stem = re.sub(r"[^\w.-]+", "-", title.lower()).strip("-.")[:60] or "evaluation"
        taken = [name for store in self._stores for name in store.names()]
        return next_name(taken, f"{stem}-file" if demo_named(stem) else stem)

    def _place(self, name: str) -> Path:
        """Return where to write a file: beside the table if possible, and never over an existing file."""
        folder = self._settings.file.parent
        try:
            probe = folder / f".{name}.new"
            probe.open("xb").close()
            probe.unlink()
        except FileExistsError:
            pass
        except OSError:
            folder = self._spare_folder
            folder.mkdir(parents=True, exist_ok=True)
        return unused_path(folder / name)

    def _kept(self, settings: EvaluationSettings, guidelines: str) -> EvaluationSettings:
        """Write the choices to files, never over existing ones."""
        settings = self._with_guidelines(settings, guidelines)
        if self._settings_path is None or settings != self._given:
            with _told_if_not_kept():
                settings.write(self._place("evaluation.toml"))
        return settings

    def _with_guidelines(self, settings: EvaluationSettings, guidelines: str) -> EvaluationSettings:
        """Write the guidelines to a file, unless they are in one."""
        text = guidelines.strip()
        if text == (settings.read_guidelines() or "").strip():
            return settings
        if not text:
            return settings.with_(guidelines=None)
        with _told_if_not_kept():
            if self._written is None or self._written[0] != text:
                path = self._place("guidelines.md")
                path.write_text(text + "\n", encoding="utf-8")
                self._written = text, path
        path = self._written[1]
        is_beside = path.parent == settings.file.parent
        return settings.with_(guidelines=path, within=settings.within if is_beside else None)


@contextmanager
def _told_if_not_kept() -> Iterator[None]:
    """Raise for the person if a file can't be written."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"The settings can't be kept: {error.strerror}: {error.filename}") from error


def _examined(file: Path, columns: Columns) -> Examination:
    """Examine a file; one without predictions is about its labels, if nothing else is wrong."""
    given = columns.named_options()
    found = examine(file, **given)
    if found.problems:
        without, _ = examine_columns(file, given)
        if _is_without_model(without):
            return without
    return found


def _is_without_model(found: Examination) -> bool:
    """Return whether there are instances, but no column that could hold predictions."""
    return not found.problems and found.kind is not None and found.label_kind is None


def _why_no_table(file: Path, name: str, found: Examination) -> str:
    """Return why a file has no columns to choose from, and the remedy."""
    if found.problems:
        problem = found.problems[0]
        return str(replace(problem, file=name) if problem.file == file.name else problem)
    if is_run_file(file):
        return (
            f"{name} is a TREC run, and this page reads tables only. Serve it from the command line: "
            f"activeeval-widgets serve {shlex.quote(name)}, "
            "with --queries FILE and --documents FILE for their texts."
        )
    return f"{name} is empty."


def _title(name: str) -> str:
    """Return a file's name as a title: "Tickets october" for "tickets-october"."""
    words = re.sub(r"[_-]+", " ", name).strip() or name
    return words[:1].upper() + words[1:]


def _problem(problem: Problem) -> dict[str, str]:
    where = [] if problem.row is None else [f"Row {problem.row:,}"]
    if problem.column is not None:
        where.append(f"column {problem.column}")
    text = ", ".join(where)
    return {
        "where": text[:1].upper() + text[1:],
        "text": f"{problem.message}.",
        "remedy": problem.remedy,
    }
