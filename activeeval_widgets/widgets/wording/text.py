"""Letters and counts in sentences."""


def capitalized(text: str) -> str:
    """A text as a sentence begins; what has capitals of its own, as nDCG, keeps them."""
    return text if text[1:2].isupper() else f"{text[:1].upper()}{text[1:]}"


def counted(n: int, plural: str) -> str:
    """A number of things: 1 label, 2 labels."""
    return f"{n:,} {plural.removesuffix('s') if n == 1 else plural}"
