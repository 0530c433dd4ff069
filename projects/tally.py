"""What was said of a design, ordered so that it is known of any revision what of it holds for that one.

There may be thousands of verdicts and as many revisions. So no revision looks at every verdict: of each person it looks
for the last one that is about it.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from projects.models import Revision, Verdict

Kind = Verdict.Kind
Near = Collection[tuple[str, str]]
"""What was approved, and for what else that holds although figures differ: `Revision.ordered_meaning` of both."""


@dataclass
class Votes:
    """What is said of a revision, by the ids of those who said it, in the order in which they did."""

    approve: dict[int, Verdict] = field(default_factory=dict)
    request: dict[int, Verdict] = field(default_factory=dict)


class Tally:
    """The verdicts of a design, oldest first.

    An approval holds for all that differs in words only, or is `near`. A request for changes holds for what it was said
    of and all that came after, until the same person approves something. Of several approvals of one person that of the
    very revision is told, or else the newest.
    """

    def __init__(self, verdicts: Iterable[Verdict], near: Near = ()) -> None:
        self._verdicts = [each for each in verdicts if each.kind in (Kind.APPROVE, Kind.CHANGES)]
        self._near: dict[str, list[str]] = defaultdict(list)
        for was, now in near:
            self._near[now].append(was)
        self._approved: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        """By what was approved, the places of each person's approvals of it."""
        self._of_the_very: dict[tuple[int, int], list[int]] = defaultdict(list)
        """By person and revision, the places of the approvals of that very revision."""
        of_each: dict[int, list[int]] = defaultdict(list)
        for place, each in enumerate(self._verdicts):
            of_each[each.voter].append(place)
            if each.kind == Kind.APPROVE:
                self._approved[each.revision.ordered_meaning][each.voter].append(place)
                self._of_the_very[each.voter, each.revision_id].append(place)
        requests = {
            voter: [place for place in places if self._verdicts[place].kind == Kind.CHANGES]
            for voter, places in of_each.items()
        }
        self._requests = {voter: self._line(places) for voter, places in requests.items() if places}
        self._all_of = {voter: self._line(of_each[voter]) for voter in self._requests}
        """Of those who requested changes once, with what they approved."""

    def votes(self, revision: Revision) -> Votes:
        """What holds for a revision."""
        meanings = (revision.ordered_meaning, *self._near.get(revision.ordered_meaning, ()))
        approved = sorted(self._approvals(revision, meanings))
        requested = sorted(self._open_requests(revision, meanings))
        return Votes(
            {self._verdicts[place].voter: self._verdicts[place] for _, place in approved},
            {self._verdicts[place].voter: self._verdicts[place] for place in requested},
        )

    def _approvals(
        self, revision: Revision, meanings: Collection[str]
    ) -> Iterable[tuple[int, int]]:
        """Of each person who approves a revision, the places of the approval that began it and of the one to tell."""
        of_each: dict[int, list[list[int]]] = defaultdict(list)
        for meaning in meanings:
            for voter, places in self._approved.get(meaning, {}).items():
                of_each[voter].append(places)
        for voter, lists in of_each.items():
            requests = self._requests.get(voter)
            since = requests.last(revision.number, meanings) if requests is not None else -1
            begun = [places[bisect_right(places, since)] for places in lists if places[-1] > since]
            if begun:
                of_the_very = self._of_the_very.get((voter, revision.pk), [])
                last = max(places[-1] for places in lists)
                yield min(begun), next(iter(of_the_very[bisect_right(of_the_very, since) :]), last)

    def _open_requests(self, revision: Revision, meanings: Collection[str]) -> Iterable[int]:
        for line in self._all_of.values():
            place = line.last(revision.number, meanings)
            if place >= 0 and self._verdicts[place].kind == Kind.CHANGES:
                yield place

    def _line(self, places: list[int]) -> "_Line":
        of = self._verdicts
        by_number = sorted(places, key=lambda place: of[place].revision.number)
        return _Line(
            [of[place].revision.number for place in by_number],
            list(accumulate(by_number, max)),
            {of[place].revision.ordered_meaning: place for place in places},
        )


@dataclass(frozen=True)
class _Line:
    """Some verdicts of one person."""

    numbers: list[int]
    """Of the revisions that they are of, in order."""
    newest: list[int]
    """For each number, the last place of a verdict on a revision up to it."""
    by_meaning: dict[str, int]

    def last(self, number: int, meanings: Collection[str]) -> int:
        """The place of the last one that is about a revision: of it or one before it, or of what means the same; -1
        where there is none.
        """
        before = bisect_right(self.numbers, number)
        places = (self.by_meaning.get(meaning, -1) for meaning in meanings)
        return max((self.newest[before - 1] if before else -1, *places))
