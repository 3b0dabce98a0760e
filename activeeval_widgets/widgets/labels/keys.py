"""Assignment of keys to labels, and to actions, which yield to labels."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

from activeeval_widgets.stats.text import listed
from activeeval_widgets.widgets.messages import ActionName

TYPED = frozenset(ascii_lowercase + digits)
"""Keys that a search for a label needs."""


class Action(NamedTuple):
    """A key's function other than labeling.

    Attributes
    ----------
    name : str
        The name in messages and buttons of the page.
    key : str
        The key. If a label has it, the action is on Shift and the key.
    text : str
        The name on a button.
    meaning : str
        The description in the list of keys.
    more_keys : tuple of str
        Further keys, unless the input of labels needs them.
    is_rare : bool
        Whether it has a button only in the list of keys, and none beside the instance.
    """

    name: ActionName
    key: str
    text: str
    meaning: str
    more_keys: tuple[str, ...] = ()
    is_rare: bool = False


ACTIONS = (
    Action("undo", "u", "Undo", "undo the last answer", ("Backspace",)),
    Action("sheet", "b", "24 at once", "label what the model is sure of on one sheet, or leave the sheet"),
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

NOT_FOR_LABELERS = frozenset({"prediction", "goal", "panels", "enlarge"})
"""Actions that reveal the estimate or the model."""

RESERVED_KEYS = frozenset(action.key for action in ACTIONS if len(action.key) == 1) - {"b"}
"""Keys that labels get only if they are the labels' own names, or requested. Few sessions have sheets."""

_KEPT_KEYS = frozenset("u?")
"""Keys that no label can have: undo and the list of keys stay in place."""

_MNEMONICS = (
    {"yes": "y", "no": "n"},
    {"positive": "+", "negative": "-", "neutral": "0"},
)


def label_keys(
    texts: Sequence[str], wanted: Mapping[str, str] | None = None, taken: Collection[str] = ()
) -> list[tuple[str, ...]]:
    """Return the keys of each label, the displayed one first.

    Labels that are all single characters are their own keys. Otherwise the first ten have the digits 1 to 9
    and 0, and others a letter of their name if one is free. Yes and no also have their initials; positive,
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
    """Return the keys of each action, given the keys that labels have taken."""
    free = _Free(taken)
    keys: dict[str, list[str]] = {}
    for action in ACTIONS:
        letter = action.key[-1]
        candidates = [action.key, f"Shift+{letter}", *(f"Shift+{other}" for other in "brzq")]
        keys[action.name] = [
            *free.take_first(candidates),
            *(key for key in action.more_keys if key not in taken),
        ]
    return keys


def check_keys(keys: Any, texts: Sequence[str]) -> dict[str, str]:
    """Validate requested keys, if any, and return them in lower case by the label's text."""
    if keys is None:
        return {}
    if not isinstance(keys, Mapping):
        raise TypeError(f"keys must be a mapping from label to key, got {keys!r}")
    checked: dict[str, str] = {}
    for label, key in keys.items():
        text = str(label)
        if text not in texts:
            known = listed([*map(repr, texts)])
            raise ValueError(f"keys has a key for {label!r}, which is not one of the labels {known}")
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
    """Return a name under which a browser stores a person's own keys, for this measure and these labels."""
    texts = [choice["text"] for choice in config.get("choices", [])]
    text = json.dumps([measure, config["kind"], texts])
    return sha256(text.encode()).hexdigest()[:16]


def keys_config(
    measure: str, config: Mapping[str, Any], reserved: frozenset[str], actions: Iterable[str]
) -> dict[str, Any]:
    """Return the keys of labels and actions in the form that a page reads; see `messages.KeysConfig`."""
    choices, own = config.get("choices", []), action_keys(reserved)
    return {
        "scope": key_scope(measure, config),
        "labels": choices,
        "actions": {name: own[name] for name in actions},
        "taken": sorted(reserved - {key for choice in choices for key in choice["keys"]}),
    }


_LETTERS = frozenset(ascii_lowercase) - RESERVED_KEYS


def _digits(n_labels: int) -> Iterable[str]:
    return "1234567890"[:n_labels]


class _Free:
    """Keys that can be taken once."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def take(self, key: str) -> list[str]:
        """Return the key in a list, or an empty list if it is taken."""
        return self.take_first([key])

    def take_first(self, candidates: Iterable[str]) -> list[str]:
        """Return the first free candidate in a list, or an empty list if all are taken."""
        for key in candidates:
            if key not in self._taken:
                self._taken.add(key)
                return [key]
        return []
