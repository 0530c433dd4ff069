"""The steps of a write that keeps figures on a parent."""

from designer.core.plan import ItemCondition, Member
from designer.core.planner.model.values import text_of
from designer.core.planner.operations.steps import Changing


class KeepingFigures(Changing):
    """An update of a parent that keeps its figures and does nothing else."""

    when_gone = "go on"

    def _find_item(self, may_be_missing: bool = False) -> None:
        keeping = self.entity_write.keeps[0]
        child = self.others[keeping.of]
        known = child.before if keeping.side == "old" else child.after
        # Without a reference there is no parent, and the member is left out.
        self.now = {
            theirs: known.get(own, f"{{{child._old}.{own}}}") for theirs, own in keeping.figure.per
        }
        self._find_by_guard(may_be_missing=keeping.may_have_none)

    def _update(self) -> None:
        super()._update()
        guard = self.guards.get(self.cost.look_up or ())
        if (
            self.cost.look_up is not None
            and guard is not None
            and self.entity_write.keeps[0].may_have_none
        ):
            # Without its guard the parent is not there, and its own member is left out: that has to refuse the write.
            self.members.append(
                Member(
                    check=guard.shape,
                    table=guard.table,
                    key=self.guard_key(guard, self.now),
                    if_=(ItemCondition(attribute=next(iter(guard.key)), exists=True),),
                    unless_same=self._unless(),
                    for_each=self.member_repeat,
                    joins=True,
                )
            )

    def _unless(self) -> tuple[str, str] | None:
        keeping = self.entity_write.keeps[0]
        if not keeping.moves:
            return None
        child = self.others[keeping.of]
        texts = [
            "#".join(str(text_of(known.get(own, f"{{{own}}}"))) for _, own in keeping.figure.per)
            for known in (child.before, child.after)
        ]
        return texts[0], texts[1]
