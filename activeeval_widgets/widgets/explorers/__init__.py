"""Explorers: small pages to see and play with what active evaluation does. They need no kernel."""

from activeeval_widgets.widgets.explorers.explorer import Explorer
from activeeval_widgets.widgets.explorers.what_q_prefers import WhatQPrefers

EXPLORERS: tuple[type[Explorer], ...] = (WhatQPrefers,)
"""All of them, in the order in which they teach."""

__all__ = ["EXPLORERS", "Explorer", "WhatQPrefers"]
