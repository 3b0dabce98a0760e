"""A file in which anything was changed is told, by the event and the number."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.formats.session_file.writing import document_of
from activeeval_widgets.session.report.session_hash import event_hashes

Maker = Callable[..., Session]
Document = dict[str, Any]


def first(document: Document, kind: str, n: int = 0) -> Document:
    found = [record for record in document["log"] if record["kind"] == kind]
    return dict(enumerate(found))[n]


def told(document: Document, folder: Path) -> list[str]:
    path = folder / "session.json"
    path.write_text(json.dumps(document))
    verification = verify(path)
    assert verification.follows == (not verification.findings)
    return list(map(str, verification.findings))


def rehash(document: Document) -> None:
    """What one does who knows the schema: all hashes are of what it says now."""
    records = [{k: v for k, v in record.items() if k != "hash"} for record in document["log"]]
    hashes = event_hashes(document["begun"], records)
    for record, after in zip(document["log"], hashes[1:], strict=True):
        record["hash"] = after
    document["sha256"] = hashes[-1]


def other_label(record: Document) -> None:
    record["value"] = "ham" if record["value"] == "spam" else "spam"


def drop(document: Document, seq: int) -> None:
    document["log"] = [record for record in document["log"] if record["seq"] != seq]


def swap(document: Document) -> None:
    labels = [i for i, record in enumerate(document["log"]) if record["kind"] == "label"]
    i, j = labels[4], labels[5]
    document["log"][i], document["log"][j] = document["log"][j], document["log"][i]


CHANGES: dict[str, tuple[Callable[[Document], Any], str]] = {
    "a label": (lambda d: other_label(first(d, "label", 2)), "event 4: what it says is not what was written"),
    "the q of a label": (lambda d: first(d, "label", 2).update(q=0.01), r"event 4: .*its q is 0\.01, but"),
    "a draw's probability": (
        lambda d: first(d, "draw", 1)["q"].__setitem__(0, 0.01),
        r"event \d+: the probability of draw \d+ is 0\.01, but",
    ),
    "the least probability": (
        lambda d: first(d, "draw", 1).update(least=1e-5),
        r"the least probability is 1e-05",
    ),
    "a drawn instance": (
        lambda d: first(d, "draw", 1)["instances"].reverse(),
        r"event \d+: draw \d+ gave '\d+', but by the seed and the labels before it would give '\d+'",
    ),
    "the order": (swap, r"event \d+: it is out of order"),
    "a missing event": (lambda d: drop(d, 9), "event 10: event 9 is missing before it"),
    "no last event": (lambda d: d["log"].pop(), "sha256: it is not the hash of the last event"),
    "no first event": (lambda d: d["log"].pop(0), "event 2: event 1 is missing before it"),
    "an event twice": (
        lambda d: d["log"].insert(5, d["log"][4]),
        "event 5: it is out of order, or twice: expected event 6 here",
    ),
    "an unknown event": (lambda d: d["log"][3].update(kind="bribe"), "event 4: .*does not know"),
    "a label of no class": (lambda d: first(d, "label", 2).update(value="eggs"), "event 4: .*'eggs'"),
    "an instance's id": (lambda d: first(d, "label", 2).update(instance_id="39"), "event 4: .*has the id"),
    "the time": (lambda d: first(d, "label", 2).update(time="2020-01-01T00:00:00"), "event 4: what it says"),
    "the seed": (lambda d: d["settings"].update(seed=6), "event 1: draw 1 gave"),
    "the seed, as told": (lambda d: d["identity"].update(seed="6"), "identity, seed: it is '6', but '5'"),
    "the measure": (lambda d: d["settings"].update(measure="ErrorRate()"), "identity, measure"),
    "the range, as told": (lambda d: d["identity"].update(y_range="(0, 1)"), "identity, y_range: it is"),
    "the deadlines": (lambda d: d["settings"].update(deadlines=[20]), "begun: "),
    "the deadlines, as told": (
        lambda d: d["identity"].update(bets="with deadlines, declared 9"),
        "identity, bets",
    ),
    "another deadline": (lambda d: d["settings"].update(deadlines=[5]), "begun: "),
    "the share of uniform draws": (lambda d: d["settings"].update(defensive=0.5), "begun: "),
    "a prediction": (
        lambda d: d["predictions"][0]["y_proba"].__setitem__(0, [0.25, 0.75]),
        "predictions: their digest is",
    ),
    "what is predicted": (
        lambda d: d["predictions"][0].update(predicted=[0] * 40),
        "predictions: their digest is",
    ),
    "two ids": (
        lambda d: d["pool"]["ids"].__setitem__(slice(0, 2), ["1", "0"]),
        "ids: their digest is",
    ),
    "a cost": (lambda d: d["pool"]["costs"].__setitem__(0, 9.0), "costs: their digest is"),
    "the estimate": (
        lambda d: d["summary"]["estimate"].update(value=0.9),
        r"summary, estimate, value: it is 0\.9, but 0\.\d+ follows from the log",
    ),
    "the interval": (
        lambda d: d["summary"]["estimate"].update(low=0.6),
        r"summary, estimate, low: it is 0\.6",
    ),
    "the standard error": (
        lambda d: d["summary"]["wald"].update(standard_error=0.001),
        r"summary, wald, standard_error: it is 0\.001",
    ),
    "the number of labels": (lambda d: d["summary"].update(n_labels=99), "summary, n_labels: it is 99, but"),
    "a number that is not there": (
        lambda d: d["summary"].pop("n_draws"),
        "summary, n_draws: it is None, but",
    ),
    "a number too many": (lambda d: d["summary"].update(kappa=1), "summary, kappa: nothing of that name"),
    "a weight": (
        lambda d: d["labels"][3].update(weight=1.5),
        r"labels, row 4 \(id '\d+'\), weight: it is 1\.5",
    ),
    "a label in the table": (
        lambda d: d["labels"][3].update(label="eggs"),
        r"labels, row 4 \(id '\d+'\), label: it is",
    ),
    "a row too few": (lambda d: d["labels"].pop(), r"labels: there are \d+, but \d+ follow"),
    "the hash": (lambda d: d.update(sha256="0" * 64), "sha256: "),
    "an event's hash": (lambda d: d["log"][3].update(hash="0" * 64), "event 4: what it says is not"),
}


@pytest.fixture(scope="module")
def written(make_session: Maker) -> Document:
    """A session file, in which nothing is wrong as it is."""
    return json.loads(json.dumps(document_of(make_session("texts"))))


def test_of_what_was_not_changed_nothing_is_reported(written: Document, tmp_path: Path) -> None:
    assert told(written, tmp_path) == []


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_reported(written: Document, tmp_path: Path, what: str) -> None:
    change, message = CHANGES[what]
    document = deepcopy(written)
    change(document)
    findings = told(document, tmp_path)
    assert findings
    assert re.search(message, "\n".join(findings))


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_hashes_that_were_made_anew_do_not_hide_a_change(
    make_session: Maker, tmp_path: Path, protocol: str
) -> None:
    for change in (
        lambda d: other_label(first(d, "label", 2)),
        lambda d: first(d, "label", 2).update(q=0.01),
        swap,
        lambda d: drop(d, 9),
    ):
        document = json.loads(json.dumps(document_of(make_session("texts", protocol=protocol))))
        change(document)
        rehash(document)
        # The numbers, and later draws, are still those of the labels that were given.
        assert told(document, tmp_path)


def test_a_label_changed_with_all_that_follows_has_another_hash(make_session: Maker, tmp_path: Path) -> None:
    """Nothing in the file can tell: the hash that a report names does."""
    session = make_session("texts", protocol="papers")
    document = json.loads(json.dumps(document_of(session)))
    before = document["sha256"]
    last = [record for record in document["log"] if record["kind"] == "label"][-1]
    other_label(last)
    rehash(document)
    path = tmp_path / "session.json"
    path.write_text(json.dumps(document))
    opened = read_session_file(path).open()
    verification = verify(write_session(opened, path))
    assert verification.follows
    assert verification.sha256 != before
    assert before not in verification.hashes


def test_contents_that_were_exchanged_are_reported(make_session: Maker, tmp_path: Path) -> None:
    document = json.loads(json.dumps(document_of(make_session("texts"), with_contents=True)))
    assert told(document, tmp_path) == []
    document["pool"]["contents"][3] = "another text"
    assert any(each.startswith("contents: ") for each in told(document, tmp_path))


def test_a_session_of_before_any_label(make_session: Maker, tmp_path: Path) -> None:
    for protocol in ("adaptive", "papers"):
        path = write_session(make_session(n_labels=0, protocol=protocol), tmp_path / "session.json")
        verification = verify(path)
        assert verification.findings == ()
        assert verification.n_labels == 0


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a document holds something; of lists, the first two."""
    if place:
        yield place
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    )
    for name, each in inner:
        yield from places(each, (*place, name))


@pytest.mark.parametrize("task", ["texts", "records", "rankings"])
def test_whatever_stands_in_its_place_is_reported_or_refused(
    make_session: Maker, tmp_path: Path, task: str
) -> None:
    document = json.loads(json.dumps(document_of(make_session(task, n=12, n_labels=4), with_contents=True)))
    rng = np.random.default_rng(0)
    words = {("title",), ("question",), ("made_by",), ("pool", "noun"), ("pool", "kind")}
    for place in [each for each in places(document) if each not in words and each[-1] != "name"]:
        for other in (None, "x", -1, [], {}, 1e308):
            if rng.random() > 0.1:
                continue
            changed = deepcopy(document)
            where = changed
            for name in place[:-1]:
                where = where[name]
            if where[place[-1]] == other:
                continue
            where[place[-1]] = other
            path = tmp_path / "session.json"
            path.write_text(json.dumps(changed))
            follows, refused = False, str(path)
            try:
                follows = verify(path).follows
            except ValueError as error:
                refused = str(error)
            assert refused.startswith(str(path)), (place, other)
            # The types of a table's columns are what its contents make them.
            is_content = place[:2] == ("pool", "contents") or place == ("identity", "draw_rule")
            assert not follows or is_content, (place, other)
