"""Messages from Python to a race's page: one dictionary, whose parts the page shows."""

from typing import TypedDict

from activeeval_widgets.widgets.messages.from_python import (
    Addressed,
    InstanceInfo,
    KeysConfig,
    LabelsConfig,
    MoreText,
)


class MethodInfo(TypedDict):
    """A method of choosing instances."""

    name: str
    title: str
    draws: str
    estimate: str


class Span(TypedDict):
    """The ends of an axis, whose ticks the page makes."""

    low: float
    high: float


class PickAxis(TypedDict):
    """The axis by which drawn instances are arranged: equal bins, and each bin's share of the pool.

    Its values are shares, other numbers, or positions of `names`.
    """

    label: str
    low: float
    high: float
    is_share: bool
    names: list[str]
    n_bins: int
    pool: list[float]


class RaceConfig(TypedDict):
    """The settings that do not change while a race is shown."""

    title: str
    about: str
    question: str
    measure: str
    is_share: bool
    sides: list[str]
    notes: list[str]
    budget: int
    whole: float | None
    methods: list[MethodInfo]
    truth: float
    truth_text: str
    picks: PickAxis
    labels: LabelsConfig
    keys: KeysConfig
    instance_modules: list[str]
    is_standalone: bool
    n_races: int


class RaceInterval(TypedDict):
    """An interval in numbers and words."""

    low: float
    high: float
    text: str
    margin: str


class RaceStep(TypedDict):
    """One label, and the estimate after it."""

    index: int
    id: str
    draw: int
    x: float
    weight: float
    label: str
    prediction: str
    is_wrong: bool | None
    is_by_hand: bool
    value: float | None
    text: str
    off: float | None
    guaranteed: RaceInterval | None
    approximate: RaceInterval | None


class RacerSteps(TypedDict):
    """A racer: the steps that are new to the page, and its position."""

    version: int
    start: int
    steps: list[RaceStep]
    n: int
    next_index: int | None
    next_id: str
    next_weight: float | None
    is_ready: bool
    is_done: bool


class RaceState(TypedDict):
    """The identity of the race, and the racers that are labeled by hand."""

    run: int
    seed: int
    methods: list[str]
    by_hand: list[int]
    n_by_hand: int


class ByKind(TypedDict):
    """A number after each number of labels, for each kind of interval."""

    guaranteed: list[float | None]
    approximate: list[float | None]


class RaceCurve(TypedDict):
    """One method's errors, widths and coverage in many races, after each number of labels."""

    median: list[float | None]
    low: list[float | None]
    high: list[float | None]
    rmse: list[float | None]
    widths: ByKind
    coverage: ByKind


class ManyContent(TypedDict):
    """The completed races of two methods; in "share_closer" of them, the first ended closer to the truth."""

    methods: list[str]
    n_done: int
    n_races: int
    at: list[int]
    curves: list[RaceCurve]
    share_closer: float | None


class BeyondContent(TypedDict):
    """The number of labels that a racer tried beyond the budget, and whether it reached the width."""

    run: int
    racer: int
    kind: str
    width: float
    n: int
    is_reached: bool
    is_complete: bool


class RaceFromPython(Addressed, total=False):
    """Parts, each of which the page of a race shows."""

    config: RaceConfig
    race: RaceState
    racers: list[RacerSteps]
    y: Span
    many: ManyContent
    beyond: BeyondContent
    instances: list[InstanceInfo]
    more: MoreText
