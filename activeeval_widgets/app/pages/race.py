"""A page for a race on the data of a demo or a labeled file."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from activeeval_widgets.app.pages import Query, Spec, demo, from_text, to_text
from activeeval_widgets.demos import one_ranker
from activeeval_widgets.formats.chosen_measure import chosen_measure
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.labeled_file import read_labeled
from activeeval_widgets.session import Pool
from activeeval_widgets.stats import FMeasure, Measure
from activeeval_widgets.widgets import Race
from activeeval_widgets.widgets.race.many_races import stored_races

_ONE_MODEL = {"ranking": one_ranker}
"""The demo of one model that replaces a demo of two."""


class LabeledData(NamedTuple):
    """A pool with all its labels, its presentation, and notes on guesses and omissions."""

    pool: Pool
    measure: Measure
    y_true: Any
    budget: int | None
    y_range: tuple[float, float] | None
    title: str
    question: str | None
    unit: Any = None
    grade_words: Sequence[str] | None = None
    notes: tuple[str, ...] = ()

    @property
    def notes_for_page(self) -> list[str]:
        """The notes for people who see the page."""
        return [note for note in self.notes if "left out" in note]


def labeled_data(spec: Spec) -> LabeledData:
    """Return the data of a spec: a demo, or a file with a column of labels."""
    wanted = {name: spec[name] for name in ("demo", "settings", "label") if name in spec}
    return _read(to_text(wanted))


@lru_cache(maxsize=2)
def _read(text: str) -> LabeledData:
    spec = from_text(text)
    if "demo" in spec:
        about = _ONE_MODEL.get(spec["demo"], partial(demo.load, spec["demo"]))()
        return LabeledData(
            about.pool,
            about.measure,
            about.y_true,
            about.budget,
            about.y_range,
            about.title,
            about.question,
            about.unit,
            about.grade_words,
        )
    settings = EvaluationSettings.from_dict(spec["settings"])
    found = read_labeled(settings.file, spec["label"], **settings.columns.named_options())
    chosen = chosen_measure(found.pool, settings.measure, settings.positive)
    return LabeledData(
        found.pool,
        chosen.measure,
        found.y_true,
        settings.budget,
        settings.y_range,
        settings.title or settings.file.name,
        settings.question,
        notes=(*found.notes, *chosen.guessed),
    )


def race_of(spec: Spec) -> Race:
    """Make the race of a spec."""
    data = labeled_data(spec)
    if spec.get("demo") == "digits":  # for a rare class the choice of instances matters most
        data = data._replace(title="Handwritten eights", measure=FMeasure(positive=8), budget=100)
    return Race.of_pool(
        data.pool,
        data.measure,
        data.y_true,
        budget=spec["budget"] or data.budget,
        y_range=data.y_range,
        title=f"The race: {data.title}",
        question=data.question,
        unit=data.unit,
        grade_words=data.grade_words,
        methods=spec["methods"],
        seed=spec["seed"],
    )


def notes_of(spec: Spec) -> tuple[str, ...]:
    """Return notes on the data: guesses and omissions."""
    race_of(spec).close()
    return labeled_data(spec).notes


def prepare(spec: Spec) -> None:
    """Read the data, and take the first steps, whose imports are slow."""
    race = race_of(spec)
    race.run(3)
    race.close()


def build(spec: Spec, query: Query) -> Race:  # noqa: ARG001 - there is one race
    """Make the page; each opened page has its own race."""
    race = race_of(spec)
    race.make_standalone(labeled_data(spec).notes_for_page, stored_races(spec.get("demo", "")))
    return race
