"""What the page tells of those who label: who they are, what each has done, and where they differ."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from activeeval_widgets.session import Person, Session, StoreError
from activeeval_widgets.session.opinions import Disagreement
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.front_end import Reply
from activeeval_widgets.widgets.labels.panel import LabelPanel

MOST_SHOWN = 50
"""Disagreements that are listed at once."""


class People:
    """Tells the page of those who label, and takes the name of whoever sits before it."""

    def __init__(self, session: Session, panel: LabelPanel, *, asks_name: bool, tells_all: bool) -> None:
        self._session, self._panel = session, panel
        self._asks_name, self._tells_all = asks_name, tells_all

    @property
    def is_name_missing(self) -> bool:
        """Whether a name is asked for and not given: nothing is handed out yet, so nothing is shown."""
        return self._asks_name and self._session.people.who is None

    def config(self) -> dict[str, Any]:
        """What stays as it is while the page is shown."""
        return {"asks_name": self._asks_name}

    def content(self) -> dict[str, Any] | None:
        """Who labels; None where nobody is named."""
        session = self._session
        people = session.people.all()
        if session.people.who is None and len(people) < 2:
            return None
        shown = (
            people if self._tells_all else [person for person in people if person.who == session.people.who]
        )
        found = session.opinions.disagreements() if self._tells_all else []
        return {
            "who": session.people.who,
            "can_rename": self._asks_name,
            "people": [self._person(person) for person in shown],
            "n_open": sum(not each.is_adjudicated and each.label is not None for each in found),
            "disagreements": [self._disagreement(each) for each in found[:MOST_SHOWN]],
        }

    def begin(self) -> None:
        """Have the first draws handed to the person who sits before the page."""
        with suppress(StoreError):  # of which the store's state tells
            self._session.people.reserve()

    def name(self, message: Mapping[str, Any]) -> Reply:
        """Who labels from now on."""
        if not self._asks_name:
            raise ValueError("this page asks for no name")
        self._session.people.who = message["who"]
        self.begin()
        return {}, []

    def _person(self, person: Person) -> dict[str, Any]:
        n = person.n_labels
        text = counted(n, "labels")
        if person.n_opinions:
            text += f", {counted(person.n_opinions, 'second opinions')}"
        return {
            "who": person.who or "not named",
            "text": text,
            "is_here": person.is_here,
            "is_you": person.who is not None and person.who == self._session.people.who,
        }

    def _disagreement(self, found: Disagreement) -> dict[str, Any]:
        panel = self._panel
        answers = [
            {
                "who": who or "not named",
                "text": "can't be labeled" if value is None else panel.text_of(value, found.instance),
                # What is excluded has no label that could be another one.
                **({} if None in (value, found.label) else {"value": panel.value_of(value, found.instance)}),
            }
            for who, value in found.answers.items()
        ]
        decided = "excluded" if found.label is None else None
        if found.is_adjudicated:
            by = f" by {found.adjudicated_by}" if found.adjudicated_by else ""
            decided = f"{panel.text_of(found.label, found.instance)}, decided{by}"
        return {"index": found.instance, "id": found.instance_id, "answers": answers, "decided": decided}
