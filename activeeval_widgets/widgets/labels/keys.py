"""Which key does what: the keys of labels, and those of actions, which give way to them."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

from activeeval_widgets.widgets.messages import ActionName

TYPED = frozenset(ascii_lowercase + digits)
"""Keys that a search for a label takes for itself."""


class Action(NamedTuple):
    """Something a key does besides labeling.

    Attributes
    ----------
    name : str
        As the page's messages and buttons name it.
    key : str
        Its key. Where a label has that, the action is on Shift and the key.
    text : str
        Its name, as on a button.
    meaning : str
        What the list of keys says.
    also : tuple of str
        More keys, unless a label's controls have them.
    is_rare : bool
        Whether it has no button beside the instance, only one in the list of keys.
    """

    name: ActionName
    key: str
    text: str
    meaning: str
    also: tuple[str, ...] = ()
    is_rare: bool = False


ACTIONS = (
    Action("undo", "u", "Undo", "undo the last answer", ("Backspace",)),
    Action("defer", "l", "Later", "put aside and ask again later"),
    Action("exclude", "x", "Exclude", "exclude: it can't be labeled"),
    Action("exclude_because", "Shift+x", "Exclude, with a reason", "exclude and say why", is_rare=True),
    Action("note", "n", "Note", "write a note"),
    Action("flag", "f", "Flag", "flag it to find it again"),
    Action("history", "h", "History", "see all answers and change them"),
    Action("prediction", "p", "Prediction", "show or hide the prediction", is_rare=True),
    Action("guidelines", "i", "Guidelines", "show or hide the guidelines", is_rare=True),
    Action("goal", "t", "Goal", "set the goal", is_rare=True),
    Action("result", "r", "Results", "see the result and save it", is_rare=True),
    Action("panels", "v", "View", "choose what is shown", is_rare=True),
    Action("enlarge", "z", "Enlarge", "show a plot as large as the window", is_rare=True),
    Action("settings", "s", "Settings", "change the keys", is_rare=True),
    Action("help", "?", "All keys", "show or hide this list"),
)

TELLING = frozenset({"prediction", "goal", "panels", "enlarge"})
"""Actions that tell of the estimate or of the model."""

RESERVED_KEYS = frozenset(action.key for action in ACTIONS if len(action.key) == 1)
"""Keys that labels are given only where these are their names' own, or asked for."""

_KEPT_KEYS = frozenset("u?")
"""Keys that no label gets: what undoes a mistake, and what tells of the keys, is always in its place."""

_MNEMONICS = (
    {"yes": "y", "no": "n"},
    {"positive": "+", "negative": "-", "neutral": "0"},
)


def label_keys(
    texts: Sequence[str], wanted: Mapping[str, str] | None = None, taken: Collection[str] = ()
) -> list[tuple[str, ...]]:
    """The keys of each label, the one to be shown first.

    Labels that are all single characters are their own keys. Else the first ten have the digits 1 to 9 and 0,
    the others a letter of their name where one is free. Yes and no have their letters besides; positive,
    negative and neutral have +, - and 0.
    """
    wanted = wanted or {}
    free = _Free([*wanted.values(), *taken])
    own = [text.lower() for text in texts]
    if all(len(text) == 1 for text in own) and len(set(own)) == len(own) and not RESERVED_KEYS & set(own):
        keys = [tuple(free.take(text)) for text in own]
    else:
        keys = [tuple(free.take(digit)) for digit in _digits(len(own))]
        mnemonics = next((known for known in _MNEMONICS if set(own) <= known.keys()), None)
        if mnemonics is not None:
            keys = [(*first, *free.take(mnemonics[text])) for first, text in zip(keys, own, strict=True)]
        elif len(own) > len(keys):
            for text in own[len(keys) :]:
                candidates = (letter for letter in [*text, *ascii_lowercase] if letter in _LETTERS)
                keys.append(tuple(free.take_first(candidates)))
    return [(wanted[text],) if text in wanted else own for text, own in zip(texts, keys, strict=True)]


def action_keys(taken: Collection[str]) -> dict[str, list[str]]:
    """The keys of each action, by its name, where labels have taken some keys."""
    free = _Free(taken)
    keys: dict[str, list[str]] = {}
    for action in ACTIONS:
        letter = action.key[-1]
        candidates = [action.key, f"Shift+{letter}", *(f"Shift+{other}" for other in "brz")]
        keys[action.name] = [*free.take_first(candidates), *(key for key in action.also if key not in taken)]
    return keys


def check_keys(keys: Any, texts: Sequence[str]) -> dict[str, str]:
    """The keys that were asked for, by the label's text, in lower case."""
    if not isinstance(keys, Mapping):
        raise TypeError(f"keys must be a mapping from label to key, got {keys!r}")
    checked: dict[str, str] = {}
    for label, key in keys.items():
        text = str(label)
        if text not in texts:
            known = ", ".join(map(repr, texts[:20])) + (", …" if len(texts) > 20 else "")
            raise ValueError(f"keys has a key for {label!r}, which is none of the labels {known}")
        if not isinstance(key, str):
            raise TypeError(f"keys[{label!r}] must be a string of one character, got {key!r}")
        if len(key) != 1 or not key.isprintable() or key.isspace() or len(key.lower()) != 1:
            raise ValueError(f"keys[{label!r}] is {key!r}, expected one character that can be typed")
        if key.lower() in _KEPT_KEYS:
            action = next(action for action in ACTIONS if action.key == key.lower())
            raise ValueError(f"keys[{label!r}] is {key!r}, which is the key of {action.text!r}")
        if key.lower() in checked.values():
            other = next(other for other, used in checked.items() if used == key.lower())
            raise ValueError(f"keys[{label!r}] is {key!r}, which is the key of {other!r}, too")
        checked[text] = key.lower()
    return checked


def key_scope(measure: str, config: Mapping[str, Any]) -> str:
    """A name under which a browser remembers a person's own keys: for this measure and these labels."""
    texts = [choice["value"] for choice in config.get("choices", [])]
    told = json.dumps([measure, config["kind"], texts])
    return sha256(told.encode()).hexdigest()[:16]


_LETTERS = frozenset(ascii_lowercase) - RESERVED_KEYS


def _digits(n_labels: int) -> Iterable[str]:
    return "1234567890"[:n_labels]


class _Free:
    """Keys that can be taken, each once."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def take(self, key: str) -> list[str]:
        """The key in a list, or nothing where it is taken."""
        return self.take_first([key])

    def take_first(self, candidates: Iterable[str]) -> list[str]:
        """The first of the candidates that is free, in a list; nothing where all are taken."""
        for key in candidates:
            if key not in self._taken:
                self._taken.add(key)
                return [key]
        return []
