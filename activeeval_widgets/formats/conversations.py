"""Read conversations, prompts and answers from the columns of a table; check each row."""

import json
import re
from typing import Any, ClassVar

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.contents_on_disk import StoredTexts
from activeeval_widgets.formats.problems import MAX_REPORTED, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.conversations import Conversation, Turn, is_messages, turn_of
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.stored import StoredInstances

_MARKDOWN = re.compile(
    r"^ {0,3}(?:```|~~~|#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|\|.*\|.*\|\s*$|>\s)"
    r"|\*\*\S[^*\n]*\*\*|`[^`\n]+`|\[[^\]\n]+\]\(\S+\)",
    re.MULTILINE,
)


class StoredMarkdown(StoredTexts):
    """The Markdown texts of one column."""

    def at(self, index: int) -> Text:  # type: ignore[override]
        """Return a text."""
        return Text(super().at(index), markdown=True)

    def fingerprint(self) -> None:  # type: ignore[override]
        """Let the kind compute the digest, which depends on the texts being Markdown."""


class StoredConversations(StoredInstances):
    """Conversations from some columns: a prompt, one or two answers, and the reference."""

    kind: ClassVar[str] = "conversation"

    def __init__(self, table: FileTable, columns: Columns) -> None:
        self._cells = {name: table.strings(name) for name in of_conversation(columns)}
        self._columns = columns
        self._markdown = frozenset(columns.markdown or ()) - frozenset(columns.plain or ())
        self._n_rows = table.n_rows

    def __len__(self) -> int:
        return self._n_rows

    def at(self, index: int) -> Conversation:
        """Return a conversation."""
        columns = self._columns
        asked = [self._messages(name, index) for name in columns.conversation or ()]
        if columns.prompt is not None:
            asked = [self._prompt(columns.prompt, index)]
        role = "assistant" if columns.conversation else "answer"
        answers = [Turn(role, self._text(name, index)) for name in columns.answer or ()]
        both = [
            [
                *(asked[min(at, len(asked) - 1)] if asked else ()),
                *answers[at if len(answers) > 1 else 0 :][:1],
            ]
            for at in range(max(len(asked), len(answers)))
        ]
        reference = None if columns.reference is None else self._text(columns.reference, index)
        if reference is not None and not reference.text.strip():
            reference = None
        return Conversation(tuple(both[0]), tuple(both[1]) if len(both) > 1 else None, reference)

    def check(self, table: FileTable) -> bool:
        """Report cells that hold no conversation; return whether all hold one."""
        n_reported = 0
        for name in self._columns.conversation or ():
            for index in range(len(self)):
                try:
                    self._messages(name, index)
                except (TypeError, ValueError) as error:
                    table.report(str(error), _REMEDY, index=index, column=name)
                    n_reported += 1
                    if n_reported == MAX_REPORTED:
                        return False
        return n_reported == 0

    def _text(self, name: str, index: int) -> Text:
        return Text(self._cells[name][index].as_py(), markdown=name in self._markdown)

    def _prompt(self, name: str, index: int) -> list[Turn]:
        """Return a prompt as one turn, or as its messages if it is JSON."""
        text = self._text(name, index)
        if text.text.lstrip().startswith("[{"):
            try:
                return self._messages(name, index)
            except (TypeError, ValueError):
                pass  # a text that only looks like messages
        return [Turn("prompt", text)]

    def _messages(self, name: str, index: int) -> list[Turn]:
        cell = self._cells[name][index].as_py()
        found = messages_of(cell)
        if found is None:
            what = (
                f"{shortened(cell)} is no list of messages" if cell.strip() else "the conversation is missing"
            )
            raise ValueError(what)
        turns = []
        for number, message in enumerate(found, 1):
            try:
                turns.append(turn_of(message, markdown=name in self._markdown))
            except (TypeError, ValueError) as error:
                raise type(error)(f"message {number} {error}") from None
        return turns


_REMEDY = (
    'Write [{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}], or remove the row.'
)


def of_conversation(columns: Columns) -> list[str]:
    """Return the names of the columns that make up a conversation."""
    names = [*(columns.conversation or ()), columns.prompt, *(columns.answer or ())]
    if not any(names):
        return []
    return [name for name in dict.fromkeys([*names, columns.reference]) if name is not None]


def conversations_of(table: FileTable, columns: Columns) -> StoredConversations | None:
    """Return the conversations; report cells that hold none and return None."""
    found = StoredConversations(table, columns)
    return found if found.check(table) else None


def messages_of(cell: str) -> list[Any] | None:
    """Return the messages in a cell of JSON, also under "messages"; None if there are none."""
    if cell.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, dict):
        found = found.get("messages")
    return found if is_messages(found) else None


def looks_like_markdown(text: str) -> bool:
    """Return whether a text has marks that only Markdown has."""
    return _MARKDOWN.search(text) is not None
