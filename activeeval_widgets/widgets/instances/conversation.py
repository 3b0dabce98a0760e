"""The view of a conversation, or of two side by side from where they differ."""

from collections.abc import Sequence
from dataclasses import replace

from activeeval_widgets.session.pool.conversations import Conversation, Turn
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.tree import Element, Node, element
from activeeval_widgets.widgets.instances.registered_views import register_view
from activeeval_widgets.widgets.instances.text import body

_LONG = 2_500, 40
"""The characters and lines of an answer that are shown before it is folded."""

_LONG_ASIDE = 700, 10
"""The characters and lines of earlier turns that are shown before they are folded."""

_NAMES = {"system": "System", "user": "User", "assistant": "Assistant", "tool": "Result"}
_ANSWERS = ("Answer A", "Answer B")


class ConversationView:
    """Shows a conversation turn by turn; for two, their common beginning, and the rest side by side.

    Long turns are folded, and open with a button or a key. System prompts and tool results are set apart. The
    reference answer is shown on request.

    See Also
    --------
    TextView : For a single text.

    Examples
    --------
    >>> view = ConversationView()
    >>> view(Conversation([{"role": "user", "content": "What is 1 + 1?"}])).attributes
    {'class': 'aew-conversation'}
    """

    def __call__(self, instance: Conversation) -> Element:
        """Return a conversation as an element."""
        return self._element(instance, _ANSWERS)

    def turned(self, instance: Conversation, is_swapped: bool) -> Element:
        """Return two conversations without names, in reverse order if `is_swapped`; see `PairView.turned`."""
        if is_swapped and instance.beside is not None:
            instance = replace(instance, turns=instance.beside, beside=instance.turns)
        return self._element(instance, ("First", "Second"))

    def has_sides(self, instance: Conversation) -> bool:
        """Return whether an instance has two conversations side by side."""
        return instance.beside is not None

    def _element(self, instance: Conversation, headings: tuple[str, str]) -> Element:
        if instance.beside is None:
            children: list[Node] = [
                *_shown(instance.turns[:-1], _LONG_ASIDE),
                *_shown(instance.turns[-1:], _LONG),
            ]
        else:
            n_shared = instance.n_shared
            halves = [
                element(
                    "section",
                    element("h3", heading, class_="aew-title"),
                    *_answer(turns[n_shared:]),
                    class_="aew-half",
                )
                for heading, turns in zip(headings, (instance.turns, instance.beside), strict=True)
            ]
            children = [
                *_shown(instance.turns[:n_shared], _LONG_ASIDE),
                element("div", *halves, class_="aew-pair"),
            ]
        if instance.reference is not None:
            reference = (
                element("h3", "Reference answer", class_="aew-title"),
                *_text_nodes(instance.reference, None),
            )
            children.append(element("section", *reference, class_="aew-reference"))
        return element("div", *children, class_="aew-conversation")


def _answer(turns: Sequence[Turn]) -> list[Node]:
    """Return the rest of one conversation; a single turn needs no heading of its own."""
    if not turns:
        return [element("em", "nothing more", class_="aew-missing")]
    if len(turns) == 1:
        return _parts(turns[0], _LONG)
    return [*_shown(turns[:-1], _LONG_ASIDE), *_shown(turns[-1:], _LONG)]


def _shown(turns: Sequence[Turn], long: tuple[int, int]) -> list[Node]:
    found: list[Node] = []
    for turn in turns:
        is_aside = turn.role in ("system", "developer", "tool", "function")
        heading = _NAMES.get(turn.role, turn.role[:1].upper() + turn.role[1:])
        if turn.name is not None:
            heading = f"{heading} of {turn.name}" if turn.role == "tool" else f"{heading} ({turn.name})"
        parts = _parts(turn, _LONG_ASIDE if is_aside else long)
        class_ = "aew-turn aew-aside" if is_aside else "aew-turn"
        title = element("h3", heading, class_="aew-title", dir="auto")
        found.append(element("section", title, *parts, class_=class_))
    return found


def _parts(turn: Turn, long: tuple[int, int]) -> list[Node]:
    found: list[Node] = []
    if turn.text.text.strip():
        found += _text_nodes(turn.text, long)
    for name, given in turn.calls:
        call = element("div", element("strong", f"→ {name}"), " ", element("code", given), class_="aew-call")
        is_long = len(given) > _LONG_ASIDE[0]
        found.append(element("div", call, class_="aew-long") if is_long else call)
    found += [element("img", src=image, alt="An image of this turn") for image in turn.images]
    found += [element("p", note, class_="aew-unseen") for note in turn.notes]
    return found or [element("em", "empty", class_="aew-missing")]


def _text_nodes(text: Text, long: tuple[int, int] | None) -> list[Node]:
    shown = body(text)
    if long is None or (len(text.text) <= long[0] and text.text.count("\n") < long[1]):
        return [shown]
    return [element("div", shown, class_="aew-long")]


register_view(
    "conversation",
    lambda _: ConversationView(),
    reasons=("unreadable", "incomplete", "in a foreign language", "a duplicate"),
)
