"""The kinds of instances, one per file."""

from activeeval_widgets.session.pool.kinds.absent import AbsentKind
from activeeval_widgets.session.pool.kinds.base import (
    KINDS,
    InstanceKind,
    check_instances,
    fingerprint_instances,
    register_kind,
)
from activeeval_widgets.session.pool.kinds.check_kind import check_kind
from activeeval_widgets.session.pool.kinds.conversation import ConversationKind
from activeeval_widgets.session.pool.kinds.custom import CustomKind
from activeeval_widgets.session.pool.kinds.image import ImageKind
from activeeval_widgets.session.pool.kinds.ranking import RankingKind
from activeeval_widgets.session.pool.kinds.record import RecordKind
from activeeval_widgets.session.pool.kinds.text import PairKind, TextKind

__all__ = ["KINDS", "InstanceKind", "check_instances", "check_kind", "fingerprint_instances", "register_kind"]

# Later kinds take precedence: names of images, for example, are strings, too.
for _kind in (
    *(CustomKind(), PairKind(), TextKind(), RankingKind()),
    *(ImageKind(), RecordKind(), AbsentKind(), ConversationKind()),
):
    register_kind(_kind)
