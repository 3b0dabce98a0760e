"""How sentences are written."""


def capitalized(text: str) -> str:
    """A text as a sentence begins; what has capitals of its own, as nDCG, keeps them."""
    return text if text[1:2].isupper() else f"{text[:1].upper()}{text[1:]}"
