"""Letters and counts in sentences."""


def counted(n: int, plural: str) -> str:
    """A number of things: 1 label, 2 labels."""
    return f"{n:,} {plural.removesuffix('s') if n == 1 else plural}"
