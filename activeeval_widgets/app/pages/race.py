"""A race as a page of its own: a demo's, or that of a labeled file."""

from collections.abc import Callable
from functools import lru_cache, partial

from activeeval_widgets.app.pages import Query, Spec, demo, from_text, to_text
from activeeval_widgets.demos import one_ranker
from activeeval_widgets.formats.chosen_measure import chosen_measure
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.labeled_file import read_labeled
from activeeval_widgets.widgets import Race

_ONE_MODEL = {"ranking": one_ranker}
"""The demo of one model that takes the place of a demo of two."""


@lru_cache(maxsize=2)
def _read(text: str) -> tuple[Callable[[], Race], tuple[str, ...]]:
    """A race, and notes on its data."""
    spec = from_text(text)
    options = {"methods": spec["methods"], "seed": spec["seed"]}
    if "demo" in spec:
        about = _ONE_MODEL.get(spec["demo"], partial(demo.load, spec["demo"]))()
        make = partial(
            Race.of_pool,
            about.pool,
            about.measure,
            about.y_true,
            budget=spec["budget"] or about.budget,
            y_range=about.y_range,
            title=f"The race: {about.title}",
            question=about.question,
            unit=about.unit,
            grade_words=about.grade_words,
            **options,
        )
        return make, ()
    settings = EvaluationSettings.from_dict(spec["settings"])
    found = read_labeled(settings.file, spec["label"], **settings.columns.given())
    chosen = chosen_measure(found.pool, settings.measure, settings.positive)
    make = partial(
        Race.of_pool,
        found.pool,
        chosen.measure,
        found.y_true,
        budget=settings.budget,
        y_range=settings.y_range,
        title=f"The race: {settings.title or settings.file.name}",
        question=settings.question,
        **options,
    )
    return make, (*found.notes, *chosen.guessed)


def notes_of(spec: Spec) -> tuple[str, ...]:
    """Notes on the data: what was guessed, and what was left out."""
    make, notes = _read(to_text(spec))
    make().close()
    return notes


def prepare(spec: Spec) -> None:
    """Read the data, and take the first steps: what they import is slow."""
    make, _ = _read(to_text(spec))
    race = make()
    race.run(3)
    race.close()


def build(spec: Spec, query: Query) -> Race:  # noqa: ARG001 - there is one race
    """Make the page; each one that is opened has a race of its own."""
    make, notes = _read(to_text(spec))
    race = make()
    race.stand_alone([note for note in notes if "left out" in note])
    return race
