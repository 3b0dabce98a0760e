"""Check a file before it is served: find problems, note guesses."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from activeeval_widgets.app.deferred_imports import defer_iri_grammars
from activeeval_widgets.app.printable import printable

if TYPE_CHECKING:
    from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
    from activeeval_widgets.formats.examination import Examination
    from activeeval_widgets.session import Pool, Store

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class FileReport:
    """The problems that prevent serving a file, or notes on its contents, guesses and session."""

    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def print_report(report: FileReport, *, err: bool = True) -> None:
    """Print the notes on a file; if there are problems, print these instead, and exit."""
    for line in report.problems or report.notes:
        click.echo(printable(line), err=err)
    if report.problems:
        from activeeval_widgets.stats.text import counted  # not at the top: --help need not wait

        click.echo(f"{counted(len(report.problems), 'problems')}.", err=err)
        sys.exit(1)


def check_file_apart(
    settings: EvaluationSettings,
    store: str | None,
    *,
    goals: Mapping[str, Sequence[str]] | None = None,
    opens_images: bool = False,
    earlier: str | None = None,
) -> FileReport:
    """Check a file in a process of its own, to free the memory afterwards."""
    check = partial(check_file, settings, store, goals=goals, opens_images=opens_images, earlier=earlier)
    try:
        return apart(check, is_served=store is not None)
    except MemoryError:
        return FileReport((f"{settings.file}: reading it took more memory than there is",))


def apart(function: Callable[..., _Result], *arguments: Any, is_served: bool = True) -> _Result:
    """Call a function in a process of its own."""
    executor = ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_parent
    )
    with executor:
        with _interrupts_held():  # what the process inherits, which would print a traceback otherwise
            found = executor.submit(function, *arguments)
        if is_served:  # import Voilà meanwhile, which takes a while
            defer_iri_grammars()
            from activeeval_widgets.app import server  # noqa: F401
        try:
            return found.result()
        except BrokenProcessPool as error:
            raise MemoryError from error


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait, and keep it from processes that are started meanwhile, where the system can."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_file(
    settings: EvaluationSettings,
    store: str | None = None,
    *,
    goals: Mapping[str, Sequence[str]] | None = None,
    opens_images: bool = False,
    earlier: str | None = None,
) -> FileReport:
    """Check a file; `goals` are texts, by option, that may be percentages.

    Without `store`, no session is looked for but the one that this follows, in the store `earlier`.
    """
    from activeeval_widgets.formats.chosen_measure import chosen_measure
    from activeeval_widgets.formats.examination import examine_columns
    from activeeval_widgets.formats.goal_text import refuse_percentages, refuse_wide_margins
    from activeeval_widgets.formats.option_messages import in_terms_of_files
    from activeeval_widgets.formats.problems import FileProblemsError
    from activeeval_widgets.session import Pool, StoreError
    from activeeval_widgets.session.findings.models import evaluated_in_words, is_scorer, subject_of
    from activeeval_widgets.stats.measures.measure_names import described
    from activeeval_widgets.stats.text import counted

    try:
        needs_model = settings.measure is None or described(settings.measure).needs_model
        examination, arguments = examine_columns(
            settings.file,
            settings.columns.named_options(),
            needs_predictions=needs_model,
            opens_images=opens_images,
        )
        if arguments is None:
            return FileReport(tuple(map(str, examination.problems)))
        pool = Pool(**arguments)
        chosen = chosen_measure(pool, settings.measure, settings.positive)
        refuse_percentages(goals or {}, chosen.measure)
        refuse_wide_margins(goals or {}, chosen.measure)
        settings.read_guidelines()
        settings.make_session(pool=pool)
        session = []
        if store is not None:
            session = _session_so_far(settings, pool, store)
        elif earlier is not None:
            session = _carried_over(settings, pool, earlier_store(earlier))
    except StoreError as error:
        return FileReport((str(error),))
    except FileProblemsError as error:  # found by a pass over all rows of a stream
        return FileReport(tuple(map(str, error.problems)))
    except (ValueError, TypeError, OSError) as error:
        text = in_terms_of_files(str(error) or type(error).__name__)
        return FileReport((text if settings.file.name in text else f"{settings.file.name}: {text}",))
    about = chosen.named.summary.replace("the model", subject_of(pool.models))
    if is_scorer(pool.models) and not chosen.measure.needs_model:
        who = evaluated_in_words(pool.models)
        about = f"What people say of the answers, and how far {who} agrees with them"
    notes = [
        f"{settings.file.name}: {counted(pool.n_instances, pool.noun)}",
        *examination.guessed,
        *_labels(examination, pool),
        *_unused(examination),
        *chosen.guessed,
        f"{chosen.measure.name}: {_lower(about)}",
        *session,
    ]
    return FileReport((), tuple(notes))


def _labels(examination: Examination, pool: Pool) -> list[str]:
    """Describe the labels that the file holds."""
    found = examination.labels
    if found is None:
        return []
    rows = f"{found.name} holds labels for {found.n_labels:,} of {pool.n_instances:,} rows"
    if pool.known is None:
        option = f"--labels {shlex.quote(found.name)} --drawn"
        if found.n_labels == pool.n_instances:
            return [f"{found.name} holds a label for each row: to let them guide the draws, {option} unknown"]
        return [
            f"{rows}: to use them, {option} uniformly (a uniform random sample), {option}-by COL (by the "
            f"probabilities in COL) or {option} unknown"
        ]
    if not pool.known.is_sample:
        return [f"{rows}, which only guide the draws"]
    by = examination.columns.drawn_by
    how = "a uniform random sample" if by is None else f"a random sample by the probabilities in {by}"
    return [f"{rows}, {how}, which begins the session"]


def _unused(examination: Examination) -> list[str]:
    """List the columns that are not used."""
    columns = examination.columns
    if columns.compare is not None or columns.rubric is not None:  # named by parts of columns' names
        return []
    used = columns.named() | (set() if examination.labels is None else {examination.labels.name})
    unused = [name for name in examination.rows if name not in used]
    return [f"not used: {', '.join(unused)}"] if unused else []


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _carried_over(settings: EvaluationSettings, pool: Pool, store: Store) -> list[str]:
    """Describe the earlier labels that a new session begins with."""
    from activeeval_widgets.app.pages.evaluation import earlier_session
    from activeeval_widgets.session.pool.kinds.absent import AbsentInstances
    from activeeval_widgets.session.report.kept_labels import kept_labels

    if settings.after is None:
        return []
    earlier = earlier_session(settings, store)
    session = settings.make_session(pool=pool, after=earlier)
    why = ""
    if isinstance(earlier.pool.instances, AbsentInstances):
        why = ", as the file holds no contents to find them by: export it --with-contents"
    return [f"after {settings.after}: {kept_labels(session.findings)}{why}"]


def earlier_store(address: str) -> Store:
    """Return a store that is only read; an empty one where there is no file."""
    from activeeval_widgets.session import MemoryStore
    from activeeval_widgets.session.stores.registry import absolute_address, store_to_read

    place = absolute_address(address)
    return MemoryStore() if isinstance(place, Path) and not place.exists() else store_to_read(address)


def _session_so_far(settings: EvaluationSettings, pool: Pool, address: str) -> list[str]:
    """Describe the existing session; a new one is begun by the page, not here."""
    from activeeval_widgets.app.pages.evaluation import begin
    from activeeval_widgets.session import open_store
    from activeeval_widgets.session.stores.registry import hide_password
    from activeeval_widgets.stats.text import counted

    store = open_store(address)
    if store.identity(settings.session_name) is None:
        new = f"session: {settings.session_name}, a new one in {hide_password(address)}"
        return [new, *_carried_over(settings, pool, store)]
    session = begin(settings, store, pool=pool)
    n = counted(session.n_labels, "labels")
    return [f"session: {settings.session_name}, which goes on after {n} in {hide_password(address)}"]
