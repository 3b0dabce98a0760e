"""Messages from Python: one dictionary, whose parts the page shows."""

from typing import Any, Literal, NewType, NotRequired, TypeAlias, TypedDict

from activeeval_widgets.widgets.messages.from_page import LabelValue, Saved

SafeTree = NewType("SafeTree", list[Any])
"""A tree of safe elements, as made by `elements.to_json`."""

ActionName: TypeAlias = Literal[
    "undo",
    "sheet",
    "defer",
    "exclude",
    "exclude_because",
    "note",
    "flag",
    "history",
    "prediction",
    "guidelines",
    "goal",
    "result",
    "panels",
    "enlarge",
    "settings",
    "help",
]
"""The functions of keys other than labeling; the page has an entry for each in its table of actions."""


class Choice(TypedDict):
    """A label's button."""

    text: str
    keys: tuple[str, ...]


class ClassConfig(TypedDict):
    """The input of classes."""

    kind: Literal["class"]
    is_searched: bool
    choices: list[Choice]


class NumberConfig(TypedDict):
    """The input of numbers."""

    kind: Literal["number"]
    low: float | None
    high: float | None
    unit: tuple[str, str] | None
    decimal_mark: Literal[".", ","] | None


class GradesConfig(TypedDict):
    """The input of grades for the results of a list."""

    kind: Literal["grades"]
    grades: list[float]
    words: list[str] | None
    choices: list[Choice]


LabelsConfig: TypeAlias = ClassConfig | NumberConfig | GradesConfig


class ActionConfig(TypedDict):
    """A key's function other than labeling."""

    name: ActionName
    text: str
    meaning: str
    is_rare: bool


class KeysConfig(TypedDict):
    """The assignment of keys."""

    scope: str
    labels: list[Choice]
    actions: dict[str, list[str]]
    taken: list[str]


class GoalField(TypedDict):
    """A part of the goal. If `is_choice`, it is either 0 or missing, and is chosen rather than typed."""

    name: str
    text: str
    unit: str
    value: float | None
    is_choice: NotRequired[bool]


class GoalContent(TypedDict):
    """The distance to the goal."""

    lines: list[str]
    advice: str
    fields: list[GoalField]


class GoalPreview(TypedDict):
    """The cost of a goal, or why it is not valid."""

    lines: list[str]
    error: str


PanelKind = Literal[
    "text", "table", "intervals", "plot", "matrix", "estimate", "models", "differing", "matrices", "module"
]


class PanelConfig(TypedDict):
    """A panel beside the instance: which part of the front end draws it, or the ES module that does."""

    name: str
    title: str
    kind: PanelKind
    source: str
    is_hidden_at_first: bool


class TextTableContent(TypedDict):
    """A finding in words, and a table of texts where it has one."""

    summary: str
    columns: NotRequired[list[str]]
    rows: NotRequired[list[list[str]]]


class Config(TypedDict):
    """The settings that do not change while an app is shown."""

    title: str
    question: str
    labels: LabelsConfig
    actions: list[ActionConfig]
    keys: KeysConfig
    guidelines: SafeTree | None
    reasons: list[str]
    is_standalone: bool
    is_guest: bool
    has_new_session: bool
    session: str
    session_text: str
    about: str
    sessions: list[str]
    start_page: NotRequired[str]
    is_labeler_view: bool
    goal: GoalContent | None
    panels: list[PanelConfig]
    instance_modules: list[str]
    asks_name: bool


class Drawn(TypedDict):
    """An upcoming instance, with its note and flag."""

    draw: int
    index: int
    id: str
    note: NotRequired[str]
    flagged: NotRequired[bool]


class StoreState(TypedDict):
    """Whether answers can be saved, and what is saved."""

    problem: str | None
    notices: list[str]
    can_rescue: bool
    key: str | None
    saved: Saved


class BarPart(TypedDict):
    """The approximate interval on the scale of a guaranteed one."""

    low: float
    high: float


class IntervalBar(TypedDict):
    """An interval as positions on a scale, from 0 to 1, and its ends in words."""

    ends: list[str]
    low: float
    high: float
    value: float
    zero: float | None
    is_approximate: bool
    within: BarPart | None


class EstimateContent(TypedDict):
    """The estimate in words and numbers."""

    value: float | None
    low: float | None
    high: float | None
    approximate_low: float | None
    approximate_high: float | None
    title: str
    headline: str
    spoken: str
    sentence: str
    interval: str
    approximate: str
    note: str
    intro: str
    warning: str
    bar: IntervalBar | None


class Progress(TypedDict):
    """The progress: a text, and the share of the budget."""

    text: str
    share: float | None


class PersonShown(TypedDict):
    """A person who labels."""

    who: str
    text: str
    is_here: bool
    is_you: bool


class AnswerShown(TypedDict):
    """One person's answer on an instance."""

    who: str
    text: str
    value: NotRequired[LabelValue]


class DisagreementShown(TypedDict):
    """An instance on which people disagree."""

    index: int
    id: str
    answers: list[AnswerShown]
    decided: str | None


class PeopleContent(TypedDict):
    """The people who label, and their disagreements."""

    who: str | None
    can_rename: bool
    people: list[PersonShown]
    n_open: int
    disagreements: list[DisagreementShown]


class Tile(TypedDict):
    """An instance on a sheet, and the label that it gets if it is not marked."""

    draw: int
    index: int
    id: str
    value: int


class SheetContent(TypedDict):
    """A sheet: instances that are labeled together; no other sheet has its `begun`."""

    question: str
    begun: str
    tiles: list[Tile]


class State(TypedDict):
    """What changes with each answer."""

    estimate: NotRequired[EstimateContent]
    progress: Progress
    n_draws: int
    queue: list[Drawn]
    store: StoreState
    n_labels: int
    is_done: bool
    waits_for_others: bool
    done_text: str
    can_undo: bool
    can_lift_budget: bool
    status: str
    people: PeopleContent | None
    panels: NotRequired[dict[str, Any]]
    sheet: NotRequired[SheetContent]
    offers_sheet: NotRequired[bool]
    sheet_checks: NotRequired[str]


class InstanceInfo(TypedDict):
    """The presentation of a rendered instance; its bytes are in the buffer at the same position."""

    index: int
    mime: str
    description: str
    pixelated: bool
    note: str


class MoreText(TypedDict):
    """The text to which a further part belongs; its elements are in the first buffer."""

    index: int
    passage: int


class MarkedPrediction(TypedDict):
    """The prediction of one of several models, and whether it is right."""

    name: str
    text: str
    mark: Literal["", "right", "wrong", "better"]


class Row(TypedDict):
    """An earlier answer."""

    index: int
    id: str
    answer: str
    value: NotRequired[LabelValue]
    draw: NotRequired[int]
    time: NotRequired[str]
    is_changed: NotRequired[bool]
    note: NotRequired[str]
    flagged: NotRequired[bool]
    content: NotRequired[str]
    thumbnail: NotRequired[int]
    mime: NotRequired[str]
    is_pixelated: NotRequired[bool]
    prediction: NotRequired[str]
    is_wrong: NotRequired[bool]
    predictions: NotRequired[list[MarkedPrediction]]


class DifferingLabels(TypedDict):
    """The choices of labels on which two models differ: which model was right, with the number of labels."""

    names: list[str]
    choices: list[tuple[str, str, int]]


class HistoryContent(TypedDict):
    """A part of the answers so far; thumbnails are buffers."""

    rows: list[Row]
    n_found: int
    n_rows: int
    offset: int
    answers: list[tuple[str, int]]
    differing: DifferingLabels | None
    has_wrong: bool
    wrong_text: str
    asked: int | None


class Prediction(TypedDict):
    """The model's prediction in words."""

    draw: int
    text: str


class Undone(TypedDict):
    """The label that was undone."""

    index: int
    value: LabelValue


class Axis(TypedDict):
    """An axis of a plot."""

    low: float
    high: float
    ticks: list[tuple[float, str]]
    title: NotRequired[str]
    is_log: NotRequired[bool]


class Band(TypedDict):
    """A band between two curves."""

    kind: str
    x: list[float]
    low: list[float]
    high: list[float]


class Curve(TypedDict):
    """A curve."""

    kind: str
    x: list[float]
    y: list[float]


class Line(TypedDict):
    """A horizontal line."""

    kind: str
    y: float


class Points(TypedDict):
    """Points of one kind."""

    kind: str
    shape: Literal["dot", "cross", "foot", "diamond", "square"]
    x: list[float]
    y: list[float]
    size: NotRequired[list[float]]
    label: NotRequired[str]


class Stops(TypedDict):
    """Values that the pointer and keys can find."""

    name: str
    by: Literal["x", "point"]
    is_foot: NotRequired[bool]
    x: list[float]
    y: list[float]
    text: list[str]
    index: NotRequired[list[int]]


class PlotContent(TypedDict):
    """A plot with its legend, and its values as a table.

    If a figure draws it, "margin" has the figure's margins, and the drawn parts are left out.
    """

    heading: str
    margin: NotRequired[dict[str, float]]
    note: NotRequired[str]
    x: Axis
    y: Axis
    bands: list[Band]
    curves: list[Curve]
    lines: list[Line]
    points: list[Points]
    sides: list[str]
    legend: list[tuple[str, str]]
    stops: list[Stops]
    summary: str
    columns: list[str]
    rows: list[list[str]]


class Plots(TypedDict):
    """The plots beside the instance."""

    trajectory: PlotContent
    wealth: NotRequired[PlotContent]
    distribution: NotRequired[PlotContent]


class ConfusionCell(TypedDict):
    """A cell of the confusion matrix."""

    text: str
    title: str
    share: float


class ConfusionContent(TypedDict):
    """The confusion matrix."""

    summary: str
    rows: str
    columns: str
    classes: list[str]
    cells: list[list[ConfusionCell]]
    confusions: list[list[str]]


class IntervalRow(TypedDict):
    """A group or a model: its numbers in words, and as positions on the common scale.

    `note` is shown beside the number: its labels, or which model is better. `is_out`: it is shown but no
    longer in the running. `has_line`: the reference line passes through it. `color`: the kind of its curve in
    a plot.
    """

    name: str
    note: str
    value: str
    interval: str
    low: float
    high: float
    at: float | None
    has_interval: bool
    is_out: bool
    has_line: bool
    color: NotRequired[str]


class IntervalScale(TypedDict):
    """The common scale of a table's rows: its ends, the same in words (`ends`), and round numbers on it."""

    low: float
    high: float
    ends: list[str]
    ticks: list[tuple[float, str]]


class IntervalTableContent(TypedDict):
    """The measure within each group, or of each model, with one reference value on the same scale."""

    summary: str
    columns: list[str]
    rows: list[IntervalRow]
    whole: float | None
    zero: NotRequired[float | None]
    scale: IntervalScale


class PairContent(TypedDict):
    """Two of several models: all names, the chosen two, and their difference."""

    names: list[str]
    chosen: list[int] | None
    difference: IntervalTableContent | None


class ModelsContent(IntervalTableContent):
    """Several models, and two chosen ones."""

    pair: PairContent


class DifferingContent(TypedDict):
    """Where two models differ; there is no plot if they only give classes."""

    heading: str
    sentences: list[str]
    n_labels: int
    pair: list[int]
    plot: PlotContent | None


class MatrixCell(TypedDict):
    """A cell: its share, and whether it is significantly larger or smaller than the other model's."""

    text: str
    title: str
    share: float
    mark: Literal["", "more", "less"]


class MatrixContent(TypedDict):
    """One model's confusion matrix beside another's."""

    name: str
    cells: list[list[MatrixCell]]


class MatricesContent(TypedDict):
    """Two confusion matrices from the same labels, and the cells with the largest differences."""

    heading: str
    summary: str
    classes: list[str]
    matrices: list[MatrixContent]
    columns: list[str]
    rows: list[list[str]]


class Figure(TypedDict):
    """A number with its caption."""

    value: str
    text: str
    title: str


class Mistake(TypedDict):
    """An instance on which the model was wrong."""

    index: int
    id: str
    truth: str
    predicted: str
    confidence: str
    content: NotRequired[str]
    thumbnail: NotRequired[int]
    mime: NotRequired[str]
    is_pixelated: NotRequired[bool]


class Mistakes(TypedDict):
    """Where the model was wrong; thumbnails are in buffers. `about` has more, on a `pair` if there is one."""

    heading: str
    about: list[str]
    pair: list[int] | None
    hint: str
    rows: list[Mistake]


class ResultContent(TypedDict):
    """The result."""

    badge: str
    answer: str
    confidence: str
    caveats: list[str]
    bar: IntervalBar | None
    figures: list[Figure]
    copy: str
    can_lift_budget: bool
    is_whole: bool
    plot: NotRequired[PlotContent]
    models: NotRequired[ModelsContent]
    mistakes: NotRequired[Mistakes]


class SavedFile(TypedDict):
    """A file that the page offers to save."""

    name: str
    type: str
    text: str


class Addressed(TypedDict, total=False):
    """The fields that every message from Python may have; replies have "client" and "seq" of the request."""

    client: str | None
    seq: int | None
    error: str


class FromPython(Addressed, total=False):
    """Parts, each of which the page shows."""

    is_kept: bool
    n_done: int
    stale: str
    ms_each: float
    config: Config
    state: State
    store: StoreState
    session_text: str
    missing: str
    rescued: str
    instances: list[InstanceInfo]
    more: MoreText
    history: HistoryContent
    row: Row
    prediction: Prediction
    undone: Undone
    plots: Plots
    figures: dict[str, str]
    panels: dict[str, Any]
    goal: GoalContent
    goal_preview: GoalPreview
    result: ResultContent
    file: SavedFile
    open_session: str | None
