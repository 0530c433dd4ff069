"""What of many verdicts holds for a revision: the same as if each was looked at, without looking at each."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from projects.models import Revision, Verdict
from projects.tally import Near, Tally, Votes

Kind = Verdict.Kind


def revision(number: int, meaning: str) -> Revision:
    return Revision(pk=100 + number, number=number, ordered_meaning=meaning)


def one_by_one(of: Revision, verdicts: Iterable[Verdict], near: Near) -> Votes:
    """What holds for a revision, looked for in each verdict."""
    found = Votes()
    for each in verdicts:
        pair = each.revision.ordered_meaning, of.ordered_meaning
        is_same = pair[0] == pair[1] or pair in near
        is_about = is_same or each.revision.number <= of.number
        if each.kind == Kind.APPROVE and is_about:
            found.request.pop(each.voter, None)
            told = found.approve.get(each.voter)
            if is_same and (told is None or told.revision_id != of.pk):
                found.approve[each.voter] = each
        elif each.kind == Kind.CHANGES and is_about:
            found.approve.pop(each.voter, None)
            found.request[each.voter] = each
    return found


@pytest.mark.parametrize("seed", range(40))
def test_it_finds_what_looking_at_each_verdict_finds(seed: int) -> None:
    random = Random(seed)
    some = [revision(number, random.choice("abcd")) for number in range(1, 9)]
    near = {(random.choice("abcd"), random.choice("abcd")) for _ in range(random.randrange(3))}
    kinds = [*Kind.values, Kind.APPROVE]
    said = [
        Verdict(
            pk=at,
            revision=random.choice(some),
            kind=random.choice(kinds),
            voter=random.randrange(3),
        )
        for at in range(random.randrange(25))
    ]
    tally = Tally(said, near)
    for each in some:
        found, expected = tally.votes(each), one_by_one(each, said, near)
        assert (found.approve, found.request) == (expected.approve, expected.request)
        assert list(found.approve) == list(expected.approve)


class Counted(list[Any]):
    """Verdicts that count how often one of them is looked at."""

    looks: Counter[str] = Counter()

    def __getitem__(self, at: Any) -> Any:
        self.looks["verdict"] += 1
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[Any]:
        self.looks["all"] += 1
        return super().__iter__()


def test_no_revision_looks_at_every_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [revision(number, str(number)) for number in range(1, 301)]
    kinds = [Kind.CHANGES, *[Kind.APPROVE] * 299]
    said = [
        Verdict(revision=each, kind=kind, voter=1) for each, kind in zip(some, kinds, strict=True)
    ]
    tally = Tally(said)
    looked = Counted(tally._verdicts)
    monkeypatch.setattr(tally, "_verdicts", looked)
    assert [len(tally.votes(each).approve) for each in some] == [0, *[1] * 299]
    assert looked.looks["all"] == 0
    assert looked.looks["verdict"] < 5 * len(some)
