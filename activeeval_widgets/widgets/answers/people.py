"""What the page shows of the people who label: names, numbers of answers, and disagreements."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from activeeval_widgets.session import Person, Session, StoreError
from activeeval_widgets.session.opinions import Disagreement
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.labels.panel import LabelPanel
from activeeval_widgets.widgets.page_channel import Reply

MAX_SHOWN = 50
"""The largest number of disagreements listed at once."""


class People:
    """Reports the people who label to the page, and receives the name of the person in front of it."""

    def __init__(self, session: Session, panel: LabelPanel, *, asks_name: bool, shows_everyone: bool) -> None:
        self._session, self._panel = session, panel
        self._asks_name, self._shows_everyone = asks_name, shows_everyone

    @property
    def is_name_missing(self) -> bool:
        """Whether a name is required and missing; until then no draw is leased and no instance is shown."""
        return self._asks_name and self._session.people.who is None

    def config(self) -> dict[str, Any]:
        """Return the settings that do not change while the page is open."""
        return {"asks_name": self._asks_name}

    def content(self) -> dict[str, Any] | None:
        """Return the people who label; None if nobody is named."""
        session = self._session
        people = session.people.all()
        if session.people.who is None and len(people) < 2:
            return None
        shown = (
            people
            if self._shows_everyone
            else [person for person in people if person.who == session.people.who]
        )
        found = session.opinions.disagreements() if self._shows_everyone else []
        return {
            "who": session.people.who,
            "can_rename": self._asks_name,
            "people": [self._person(person) for person in shown],
            "n_open": sum(not each.is_adjudicated and each.label is not None for each in found),
            "disagreements": [self._disagreement(each) for each in found[:MAX_SHOWN]],
        }

    def begin(self) -> None:
        """Lease the first draws to the person in front of the page."""
        with suppress(StoreError):  # the store's state reports it
            self._session.people.reserve()

    def name(self, message: Mapping[str, Any]) -> Reply:
        """Set who labels from now on."""
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
                # An exclusion has no label that could differ.
                **({} if None in (value, found.label) else {"value": panel.value_of(value, found.instance)}),
            }
            for who, value in found.answers.items()
        ]
        decided = "excluded" if found.label is None else None
        if found.is_adjudicated:
            by = f" by {found.adjudicated_by}" if found.adjudicated_by else ""
            decided = f"{panel.text_of(found.label, found.instance)}, decided{by}"
        return {"index": found.instance, "id": found.instance_id, "answers": answers, "decided": decided}
