"""Parse labels and ids as people and spreadsheets write them: '1.0' for 1, ' SPAM ', '2,5', 'TRUE'."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from activeeval_widgets.formats.parsed_numbers import number_in
from activeeval_widgets.session import GivenLabel, Session
from activeeval_widgets.session.pool.label_kinds import ClassLabels, GradeLabels, Labels, NumberLabels
from activeeval_widgets.session.report.spreadsheet import without_apostrophe
from activeeval_widgets.stats.text import significant

_LISTED = 20


def label_of(labels: Labels, index: int, written: Any) -> Any:
    """Return the label that a written answer means; the answer itself if that is unclear."""
    return _READERS[labels.kind](labels, index, written)


def choices_of(labels: Labels) -> tuple[Any, ...]:
    """Return the possible labels, if they can be listed."""
    return _CHOICES[labels.kind](labels)


def expected(labels: Labels) -> str:
    """Describe the possible labels in a few words, for a column beside the labels."""
    choices = tuple(_grades_by_word(labels)) or choices_of(labels)
    if choices:
        return " | ".join(map(plain_words, choices[:_LISTED])) + (" | …" if len(choices) > _LISTED else "")
    low, high = getattr(labels, "low", None), getattr(labels, "high", None)
    if low is None or high is None:
        return "a number"
    return f"a number from {significant(low)} to {significant(high)}"


def plain_words(value: Any) -> str:
    """Format a label for people: whole numbers have no decimal point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


class Ids:
    """The ids of a pool, found even if a spreadsheet changed them."""

    def __init__(self, ids: Collection[str]) -> None:
        self._ids = dict.fromkeys(ids)
        self._by_form: dict[str, str | None] = {}
        for each in ids:
            for form in _forms(each):
                # A form that several ids share means none of them.
                self._by_form[form] = each if form not in self._by_form else None

    def find(self, written: Any) -> str | None:
        """Return the id that is meant; None if there is none, or if several are possible."""
        text = plain_words(written)
        if text in self._ids:
            return text
        found = {self._by_form.get(form) for form in (*_forms(text), *_forms(without_apostrophe(text)))}
        found.discard(None)
        return found.pop() if len(found) == 1 else None


class AnswerReader:
    """Reads the answers of a file as labels of a session's instances."""

    def __init__(self, session: Session) -> None:
        self._labels, self._index_of = session.labels, session.offline.index_by_id()
        self._ids = Ids(self._index_of)

    def id_of(self, written: Any) -> str:
        """Return the id that is meant; if that is unclear, the id as it is written."""
        return self._ids.find(written) or str(written)

    def given(self, written_id: Any, answer: Any, **about: Any) -> GivenLabel:
        """Return the label that an answer means; None stays None, and what is unclear as it is written."""
        name = self.id_of(written_id)
        if answer is not None and name in self._index_of:
            answer = label_of(self._labels, self._index_of[name], answer)
        return GivenLabel(name, answer, **about)


def _forms(text: str) -> list[str]:
    # Programs write different line ends.
    stripped = " ".join(text.split())
    number = number_in(stripped)
    return [stripped, *([] if number is None else [f"number {number!r}"])]


def _class(labels: Labels, _: int, written: Any) -> Any:
    assert isinstance(labels, ClassLabels)  # noqa: S101 - implied by the kind
    classes = labels.classes.tolist()
    if not isinstance(written, str):
        if any(type(each) is type(written) and each == written for each in classes):
            return written
        written = plain_words(written)
    for form in (lambda text: text, str.strip, lambda text: without_apostrophe(text.strip()).casefold()):
        found = [each for each in classes if form(str(each)) == form(written)]
        if len(found) == 1:
            return found[0]
    number = number_in(written)
    found = [each for each in classes if number is not None and number_in(_numeral(each)) == number]
    return found[0] if len(found) == 1 else written


def _numeral(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _number(labels: Labels, _: int, written: Any) -> Any:
    assert isinstance(labels, NumberLabels)  # noqa: S101 - implied by the kind
    if not isinstance(written, str):
        return written
    number = number_in(without_apostrophe(written.strip()), labels.decimal_mark)
    return written if number is None else number


def _grades(labels: Labels, index: int, written: Any) -> Any:
    assert isinstance(labels, GradeLabels)  # noqa: S101 - implied by the kind
    if not isinstance(written, dict):
        return written
    items = Ids([str(item) for item in labels.items[index]])
    by_word = {_plain(word): grade for word, grade in _grades_by_word(labels).items()}
    return {items.find(item) or item: _grade(grade, by_word) for item, grade in written.items()}


def _grades_by_word(labels: Labels) -> dict[str, float]:
    """Return the grades by the words for them; empty if there are none, or if a word reads as a number."""
    words = list(getattr(labels, "words", ()))
    if len({*map(_plain, words)}) < len(words) or any(number_in(_plain(word)) is not None for word in words):
        return {}
    return dict(zip(words, sorted(labels.grades.tolist()), strict=True)) if words else {}  # type: ignore[attr-defined]


def _plain(word: str) -> str:
    return without_apostrophe(word.strip()).casefold()


def _grade(written: Any, by_word: Mapping[str, float]) -> Any:
    if not isinstance(written, str):
        return written
    if _plain(written) in by_word:
        return by_word[_plain(written)]
    if written.strip() in ("-", "–", "?"):
        return None
    number = number_in(without_apostrophe(written.strip()))
    return written if number is None else number


_READERS: dict[str, Callable[[Labels, int, Any], Any]] = {
    ClassLabels.kind: _class,
    NumberLabels.kind: _number,
    GradeLabels.kind: _grades,
}

_CHOICES: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    ClassLabels.kind: lambda labels: tuple(labels.classes.tolist()),
    NumberLabels.kind: lambda _: (),
    GradeLabels.kind: lambda labels: tuple(labels.grades.tolist()),
}
