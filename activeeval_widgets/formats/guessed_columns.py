"""Guess the roles of columns by their names and contents."""

# ruff: noqa: SIM905 - lists of words read better this way

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from activeeval_widgets.formats.class_columns import are_of_predicted
from activeeval_widgets.formats.columns import COLUMN_OPTIONS, Columns, columns_of_model
from activeeval_widgets.formats.conversations import looks_like_markdown, messages_of, of_conversation
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.shown_labels import (
    LABEL_NAMES,
    agree_beyond_chance,
    are_near,
    known_form,
)
from activeeval_widgets.stats._typing import FloatArray

_LOOKED_AT = 2_000
"""Columns are guessed from this many rows."""

_IDS = tuple(
    "id ids uid uuid guid instance_id row_id doc_id document_id example_id object_id record_id docid "
    "key".split()
)
_TEXTS = tuple(
    "text texts sentence message body content review comment document tweet utterance description question "
    "abstract input prompt subject title headline".split()
)
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff")
_SCORES = tuple("score proba prob probability p y_score y_proba p_positive positive_proba".split())
_PREDICTED = tuple(
    "predicted prediction pred preds y_pred ypred predicted_label predicted_class pred_label pred_class "
    "model_prediction".split()
)
_CONFIDENCES = tuple(
    "confidence conf certainty pred_proba pred_prob predicted_proba prediction_score max_proba".split()
)
_MEANS = tuple("mean mu predicted_mean pred_mean predicted_value y_mean yhat y_hat forecast".split())
_VARIANCES = tuple("variance var predicted_variance pred_var sigma2 y_variance pred_variance".split())
_STDS = tuple("std stdev sd sigma predicted_std pred_std y_std".split())
_COSTS = tuple("cost costs label_cost labeling_cost".split())
_GROUPS = tuple("group groups segment subgroup".split())
_QUERIES = tuple("query query_text search search_query".split())
_QUERY_IDS = tuple("query_id qid topic topic_id id".split())
_ITEMS = tuple("items item results ranking docs documents doc_id product item_id docid".split())
_PROMPTS = tuple("prompt instruction question user_prompt user_input input".split())
_ANSWERS = tuple(
    "model_answer model_response model_output response completion output generation answer".split()
)
_REFERENCES = tuple(
    "reference reference_answer expected expected_output expected_answer ideal gold_answer correct_answer "
    "ground_truth target answer".split()
)
_JUDGES = ("judge", "model", "llm", "grader")
_KNOWN_PREFIX = re.compile(
    r"^(p|pr|probas?|probs?|probability|scores?|softmax|confidence)[ _.:\-/]+(.+)$", re.IGNORECASE
)
_KNOWN_BEGINNING = re.compile(
    r"^(?:(?:p|pr|probas?|probs?|probability|scores?|softmax|confidence|class)[ _.:\-/]+)+", re.IGNORECASE
)
_KNOWN_END = re.compile(r"^(.+)[ _.:\-/]+(p|proba|prob|probability|score)$", re.IGNORECASE)
_PREDICTED_PART = re.compile(r"^(y_pred|predicted|prediction|pred)_|_(predicted|prediction|pred)$")
_PAIR_ENDS = (("a", "b"), ("1", "2"), ("left", "right"))


class _Guesser:
    """Guesses the options that were not given, one after another; a column has one role."""

    def __init__(self, table: FileTable, given: Columns) -> None:
        self._table, self.columns = table, given
        self.guesses: list[str] = []
        head = table.arrow.slice(0, _LOOKED_AT)
        self._head = FileTable(table.path, head, lambda _: [], is_head=True, origin=table)
        taken = {
            name
            for role, value in given.named_options().items()
            if COLUMN_OPTIONS[role].names == "columns" and role not in ("markdown", "plain")
            for name in ((value,) if isinstance(value, str) else value)
        }
        for model in given.compare or given.rubric or ():
            taken |= set(columns_of_model(table.names, model).values())
        self._free = [name for name in table.names if name not in taken]
        self._shares = {name: numbers for name in self._free if (numbers := self._share(name)) is not None}

    def guess(self) -> None:
        """Guess every role that was not given."""
        given = self.columns
        if given.query is not None or (given.items is None and not _shows(given)):
            self._ranking()
        self._by_name("id", _IDS if self.columns.query is None else _QUERY_IDS)
        self._by_name("group", _GROUPS)
        self._by_name("cost", _COSTS, self._is_number)
        if given.compare is None and given.rubric is None:
            self.guess_predictions()
        if self.columns.query is not None:
            self._by_name("text", _TEXTS)
            return
        if not _shows(given) or of_conversation(given):
            self._conversation()
        if not _shows(self.columns):
            found = self._shown()
            if found is not None:
                self._set_role(*found)

    def guess_predictions(self) -> None:
        """Guess the columns of predictions."""
        given = self.columns
        if given.query is not None:
            proba = self._proba() if given.proba is None and given.score is None else None
            if proba is not None:
                self._set_role("proba", proba)
            return
        if given.mean is not None:
            self._guess_spread()
            return
        if given.proba is None and given.score is None and given.votes is None:
            proba = self._proba()
            if proba is not None:
                self._set_role("proba", proba)
            else:
                self._guess_score()
        has_proba = any((self.columns.proba, self.columns.score, self.columns.votes))
        if given.predicted is None:
            self._by_name("predicted", _PREDICTED, lambda name: has_proba or not self._is_value(name))
        if not has_proba and self.columns.predicted is None and self.columns.mean is None:
            self._by_name("mean", (*_MEANS, *_PREDICTED), self._is_number)
            if self.columns.mean is not None:
                self._guess_spread()

    def _guess_spread(self) -> None:
        """Guess the variances of predicted numbers, or their standard deviations."""
        if self.columns.std is None:
            self._by_name("variance", _VARIANCES, self._is_number)
        if self.columns.variance is None:
            self._by_name("std", _STDS, self._is_number)

    def _proba(self) -> tuple[str, ...] | None:
        """Find columns of shares that sum to 1, or share a prefix that means probability."""
        by_beginning: dict[str, list[str]] = {}
        for name in self._shares:
            if known_form(name) in (*LABEL_NAMES, *_PREDICTED):
                continue
            if beginning := re.match(r"^(.*[ _.:\-/(\[])[^ _.:\-/(\[]+$", name):
                by_beginning.setdefault(beginning[1], []).append(name)
        groups = [names for names in by_beginning.values() if len(names) > 1]
        everything = [name for name in self._shares if known_form(name) not in LABEL_NAMES]
        groups.sort(key=lambda names: (bool(_KNOWN_BEGINNING.match(names[0])), len(names)), reverse=True)
        found = [names for names in (*groups, everything) if len(names) > 1 and self._sum_to_one(names)]
        if found:
            # Of classes that are named in several ways, a group's sums are near 1, too.
            is_part = self._rest_of(everything) < self._rest_of(found[0]) / 2
            return tuple(everything if is_part else found[0])
        named = [name for name in self._free if _KNOWN_PREFIX.match(name)]
        by_word: dict[str, list[str]] = {}
        for name in named:
            by_word.setdefault(_KNOWN_PREFIX.match(name)[1].lower(), []).append(name)  # type: ignore[index]
        several = [names for names in by_word.values() if len(names) > 1]
        if several:
            return tuple(sorted(several, key=len)[-1])
        # A column may be broken in a row or two: the rest decides.
        return None

    def _guess_score(self) -> None:
        """Guess the probability of the positive class or, with a column of classes, of the predicted one."""
        score = self._score()
        of_best = score or self._named(_CONFIDENCES, self._shares.__contains__)
        fits = partial(self._are_classes_of, self._shares.get(of_best or ""))
        known = self.columns.predicted
        if known is None:
            predicted = self._named((*_PREDICTED, *LABEL_NAMES), fits)
        else:
            predicted = known if fits(known) else None
        if of_best is not None and predicted is not None:
            self._set_role("score", of_best, "probabilities of the predicted classes")
            if known is None:
                self._set_role("predicted", predicted)
        elif score is not None:
            self._set_role("score", score)

    def _are_classes_of(self, scores: FloatArray | None, name: str) -> bool:
        """Return whether scores are the probabilities of a column's classes; False for part of a table."""
        return scores is not None and not self._table.is_part and are_of_predicted(self._head, name, scores)

    def _score(self) -> str | None:
        if (found := self._named(_SCORES, self._shares.__contains__)) is not None:
            return found
        named = [name for name in self._shares if _KNOWN_PREFIX.match(name) or _KNOWN_END.match(name)]
        return named[0] if len(named) == 1 else None

    def _rest_of(self, names: Sequence[str]) -> float:
        """Return by how much sums of shares differ from 1 in the mean, or from 100 for percentages."""
        sums = self._sums(names)
        return float(min(np.mean(np.abs(sums - whole)) / whole for whole in (1, 100)))

    def _sums(self, names: Sequence[str]) -> FloatArray:
        return np.asarray(np.sum([self._shares[name] for name in names], axis=0))

    def _sum_to_one(self, names: Sequence[str]) -> bool:
        sums = self._sums(names)
        return bool(np.mean(np.abs(sums - 1) < 0.02 + 0.005 * len(names)) > 0.45) or bool(
            np.mean(np.abs(sums - 100) < 2) > 0.9
        )

    def _shown(self) -> tuple[str, str | tuple[str, ...]] | None:
        """Return the columns to show and their role."""
        texts = [name for name in self._free if name not in self._shares and not self._is_number(name)]
        for name in texts:
            if self._are_images(name):
                return "image", name
        labels = label_names(self.columns)
        long = [name for name in texts if self._length(name) > 0 and known_form(name) not in labels]
        for a, b in combinations(long, 2):
            if _differ_by_an_end(a, b) and self._length(a) > 3:
                return "pair", (a, b)
        if (named := self._named(_TEXTS, long.__contains__)) is not None:
            return "text", named
        sentences = [name for name in long if self._length(name) >= 20]
        if sentences:
            return "text", max(sentences, key=self._length)
        aside = (*labels, "unnamed_0", "index", "column_1")
        rest = [name for name in self._free if known_form(name) not in aside]
        if (predicted := self._predicted_classes()) is not None:
            rest = [name for name in rest if not agree_beyond_chance(self._texts(name), predicted)]
        if self.columns.mean is not None:
            numbers = self._head.numbers(self.columns.mean)[0]
            rest = [name for name in rest if not are_near(self._head.numbers(name)[0], numbers)]
        return ("record", tuple(rest)) if rest else None

    def _predicted_classes(self) -> list[str] | None:
        """Return the predicted classes, if they can be told from the columns."""
        columns = self.columns
        if columns.predicted is not None:
            return self._texts(columns.predicted)
        classes = columns.classes or class_names(columns.proba or ())
        if columns.proba is None or len(classes) != len(columns.proba):
            return None
        shares = np.nan_to_num([self._head.numbers(name, is_share=True)[0] for name in columns.proba])
        return [classes[code] for code in shares.argmax(axis=0).tolist()]

    def _texts(self, name: str) -> list[str]:
        return [text.strip() for text in self._head.strings(name).to_pylist()]

    def _conversation(self) -> None:
        """Guess a conversation, or a prompt with its answers, and the reference."""
        given = self.columns
        texts = [name for name in self._free if name not in self._shares and not self._is_number(name)]
        if not of_conversation(given):
            found = [name for name in texts if self._holds_messages(name)]
            if found and (len(found) == 1 or _differ_by_an_end(*found[:2])):
                self._set_role("conversation", tuple(found[:2]))
        if self.columns.conversation:
            answers = self._answers(texts) if given.answer is None and self._waits_for_answers() else ()
            if answers:
                self._set_role("answer", answers)
        else:
            # Of a problem in arithmetic, answers are numbers.
            texts += [name for name in self._free if name not in texts and "answer" in known_form(name)]
            known = {known_form(name): name for name in texts}
            prompt = given.prompt or next((known[each] for each in _PROMPTS if each in known), None)
            answers = given.answer or self._answers(texts)
            if prompt is not None and answers:
                if given.prompt is None:
                    self._set_role("prompt", prompt)
                if given.answer is None:
                    self._set_role("answer", answers)
        if of_conversation(self.columns):
            self._by_name("reference", _REFERENCES)
            self._markdown()

    def _answers(self, texts: Sequence[str]) -> tuple[str, ...]:
        known = {known_form(name): name for name in texts}
        for each in _ANSWERS:
            if each in known:
                return (known[each],)
        named = [name for name in texts if known_form(name).startswith(_ANSWERS)]
        pairs = (pair for pair in combinations(named, 2) if _differ_by_an_end(*pair))
        return next(pairs, ())

    def _holds_messages(self, name: str) -> bool:
        values = [value for value in self._head.strings(name).slice(0, 50).to_pylist() if value]
        return bool(values) and sum(messages_of(value) is not None for value in values) > len(values) / 2

    def _waits_for_answers(self) -> bool:
        """Return whether the first conversation ends without a model's message."""
        [first] = self._head.strings((self.columns.conversation or ("",))[0]).slice(0, 1).to_pylist() or [""]
        messages = messages_of(first) or [{}]
        return isinstance(messages[-1], dict) and messages[-1].get("role") in ("user", "human", "tool")

    def _markdown(self) -> None:
        """Guess which columns are Markdown, unless they were given."""
        if self.columns.markdown is not None:
            return
        plain = self.columns.plain or ()
        found = []
        for name in of_conversation(self.columns):
            values = [value for value in self._head.strings(name).to_pylist() if value]
            if name not in plain and sum(map(looks_like_markdown, values)) > 0.03 * len(values):
                found.append(name)
        for both in (self.columns.answer or (), self.columns.conversation or ()):
            # The look of two answers side by side must not reveal whose they are.
            if any(name in found for name in both):
                found += [name for name in both if name not in (*found, *plain)]
        if found:
            self._set_role("markdown", tuple(found))

    def _ranking(self) -> None:
        """Guess a query and its items, if both exist."""
        query = self.columns.query or next(
            (name for name in self._free if known_form(name) in _QUERIES), None
        )
        items = self._named(_ITEMS)
        if query is not None and items is not None and self.columns.items is None:
            if self.columns.query is None:
                self._set_role("query", query)
            self._set_role("items", items)

    def _by_name(self, role: str, known: Sequence[str], fits: Callable[[str], bool] = lambda _: True) -> None:
        if getattr(self.columns, role) is None and (found := self._named(known, fits)) is not None:
            self._set_role(role, found)

    def _named(self, known: Sequence[str], fits: Callable[[str], bool] = lambda _: True) -> str | None:
        """Return the first unused column that has a known name and fits."""
        there = [column for name in known for column in self._free if known_form(column) == name]
        if _PREDICTED[0] in known:
            there += [column for column in self._free if _PREDICTED_PART.search(known_form(column))]
        return next(filter(fits, there), None)

    def _set_role(self, role: str, found: str | tuple[str, ...], what: str | None = None) -> None:
        self.columns = self.columns.with_(**{role: found})
        names = (found,) if isinstance(found, str) else found
        self._free = [name for name in self._free if name not in names]
        for name in names:
            self._shares.pop(name, None)
        listed = ", ".join(names[:6]) + (f", … ({len(names)} columns)" if len(names) > 6 else "")
        self.guesses.append(f"{what or COLUMN_OPTIONS[role].guessed}: {listed}")

    def _share(self, name: str) -> FloatArray | None:
        """Return the numbers of a column if nearly all are from 0 to 1 (or 100)."""
        numbers, missing = self._head.numbers(name, is_share=True)
        if missing.size > 0.2 * numbers.size or known_form(name) in (*_COSTS, *_VARIANCES, *_STDS):
            return None
        known = np.nan_to_num(numbers)
        return known if np.mean((known >= 0) & (known <= 1)) > 0.8 or self._is_percent(known) else None

    @staticmethod
    def _is_percent(numbers: FloatArray) -> bool:
        return bool(((numbers >= 0) & (numbers <= 100)).all() and numbers.max() > 1)

    def _is_number(self, name: str) -> bool:
        return self._head.numbers(name)[1].size < 0.2 * self._head.n_rows

    def _is_measured(self, name: str) -> bool:
        """Return whether a column holds many different numbers, rather than classes."""
        numbers, missing = self._head.numbers(name)
        is_number = missing.size < 0.2 * numbers.size
        known = numbers[np.isfinite(numbers)]
        return is_number and (
            bool((known % 1 != 0).any()) or np.unique(known).size > max(20, known.size // 10)
        )

    def _is_value(self, name: str) -> bool:
        """Return whether predictions are numbers: many different ones, or three or more beside a spread."""
        if self._is_measured(name) or not self._is_number(name):
            return self._is_measured(name)
        given = (self.columns.std, self.columns.variance)
        spreads = [each for each in self._free if each in given or known_form(each) in (*_STDS, *_VARIANCES)]
        has_spread = any(self._is_number(each) and self._head.numbers(each)[0].min() >= 0 for each in spreads)
        return has_spread and np.unique(self._head.numbers(name)[0]).size > 2

    def _are_images(self, name: str) -> bool:
        values = [value.lower() for value in self._head.strings(name).to_pylist() if value]
        return bool(values) and sum(value.endswith(_SUFFIXES) for value in values) > len(values) / 2

    def _length(self, name: str) -> float:
        """Return the mean length of the non-blank texts; 0 if few texts repeat."""
        values = [value for value in self._head.strings(name).to_pylist() if value.strip()]
        distinct = len(set(values))
        return sum(map(len, values)) / len(values) if values and distinct > 0.3 * len(values) else 0.0


def _shows(columns: Columns) -> bool:
    """Return whether the columns to show are known."""
    is_other = any((columns.text, columns.image, columns.record, columns.pair, columns.query))
    return is_other or bool(of_conversation(columns))


def label_names(columns: Columns) -> tuple[str, ...]:
    """Return the known forms of names of columns with labels: `price` beside `predicted_price`, say."""
    predicted = known_form(columns.predicted or columns.mean or "")
    return (
        LABEL_NAMES if predicted == "model_prediction" else (*LABEL_NAMES, _PREDICTED_PART.sub("", predicted))
    )


def _differ_by_an_end(a: str, b: str) -> bool:
    a, b = a.lower(), b.lower()
    return any(
        a.endswith(end_a) and b.endswith(end_b) and a.removesuffix(end_a) == b.removesuffix(end_b)
        for end_a, end_b in _PAIR_ENDS
    )


def guess_columns(table: FileTable, given: Columns) -> tuple[Columns, list[str]]:
    """Guess the columns that are not given; return all, and a sentence on each guess."""
    guesser = _Guesser(table, given)
    guesser.guess()
    return guesser.columns, guesser.guesses


def guess_predictions(table: FileTable, given: Columns) -> tuple[Columns, list[str]]:
    """Guess the columns of predictions only."""
    guesser = _Guesser(table, given)
    guesser.guess_predictions()
    return guesser.columns, guesser.guesses


def class_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the classes: names of probability columns without their common prefix or suffix."""
    bracketed = [re.match(r"^[^(\[]*[(\[](.+)[)\]]$", name) for name in columns]
    if all(bracketed):
        return tuple(match[1].partition("|")[0].strip() for match in bracketed if match)
    beginning = _common_prefix(columns)
    # Up to a separator: "bug" and "billing" both begin with b. After "p_", the rest belongs to the classes.
    known = _KNOWN_BEGINNING.match(beginning)
    cut = known.end() if known else max((beginning.rfind(mark) for mark in " _.:-/"), default=-1) + 1
    if cut and all(len(name) > cut for name in columns):
        return tuple(name[cut:] for name in columns)
    end = _common_prefix([name[::-1] for name in columns])[::-1]
    marks = [at for mark in " _.:-/" if (at := end.find(mark)) >= 0]
    if marks and all(len(name) > len(end) - min(marks) for name in columns):
        return tuple(name[: len(name) - (len(end) - min(marks))] for name in columns)
    # pbug, pbilling; proba0, proba1
    word = re.match(r"^(probability|proba|prob|class|p)(?=[^ _.:\-/]|$)", beginning, re.IGNORECASE)
    if word and (word.end() == len(beginning) or word[1].lower() != "p"):
        cut = word.end()
        if all(len(name) > cut for name in columns):
            return tuple(name[cut:] for name in columns)
    return tuple(columns)


def class_of_score(column: str) -> str | None:
    """Return the class in the name of a column of scores: "spam" of "p_spam"; None if it names who scores."""
    before, after = _KNOWN_PREFIX.match(column), _KNOWN_END.match(column)
    name = before[2] if before else after[1] if after else None
    return None if name is None or known_form(name) in _JUDGES else name


def _common_prefix(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    return first[:length]
