"""The report's tables as Markdown, and putting them into a page between marks that name them."""

import re
from collections.abc import Iterable, Mapping

from designer.core.rational import Fraction
from tools.benchmark.report import Comparison, Figures, Mix

Proven = Mapping[str, str]
"""For each case, the engines that proved its plans."""
CENT = Fraction(1, 100)
STYLE = {"single": "one table", "multi": "tables"}
"""What the styles are called here."""


def cases_table(comparisons: Iterable[Comparison], proven: Proven) -> str:
    """A row a case: what was published, and ours in both styles."""
    styles = "Answered | In one request | Structures | Cost"
    head = (
        f"| Case | Patterns | Published: structures | Cost | One table: {styles} | Tables: {styles} "
        "| Proven on | Result |"
    )
    return _table(head, (case_row(comparison, proven) for comparison in comparisons))


def case_row(comparison: Comparison, proven: Proven) -> str:
    """A case's row."""
    theirs = comparison.published
    cells = [comparison.slug, str(theirs.asked), str(theirs.structures), _usd(theirs.usd)]
    for ours in comparison.ours:
        cells += [_answered(ours), str(ours.in_one_request), str(ours.structures), _cost(ours)]
    return _row([*cells, proven.get(comparison.slug, ""), verdict(comparison)])


def verdict(comparison: Comparison) -> str:
    """How ours compares, in a few words: of the one plan that matches."""
    matching = comparison.matching
    if matching is None:
        return "missed"
    saved = 1 - matching.usd / comparison.published.usd
    fewer = comparison.published.structures - matching.structures
    said = [f"{float(saved):.0%} cheaper" if saved >= Fraction(1, 200) else "the same cost"]
    if fewer:
        said.append(f"{fewer} structure{'s' * (fewer > 1)} fewer")
    return f"{STYLE[matching.style]}, {_objective(matching)}: {', '.join(said)}"


def _objective(figures: Figures) -> str:
    if figures.within is None:
        return "the simplest"
    return f"fewest indexes within {figures.within:.1%}"


def fewest_table(comparisons: Iterable[Comparison]) -> str:
    """Where neither of the cheapest plans matches: the fewest indexes at the published cost."""
    rows = (
        _row(
            [
                comparison.slug,
                STYLE[ours.style],
                f"{ours.within:.1%}",
                f"{ours.structures} of {comparison.published.structures}",
                f"{_cost(ours)} of {_usd(comparison.published.usd)}",
                "yes" if comparison.is_matched_by(ours) else "no",
            ]
        )
        for comparison in comparisons
        for ours in comparison.fewest
    )
    return _table("| Case | Style | Within | Structures | Cost | Matches |", rows)


def engines_proven(held: Mapping[str, Mapping[str, bool]]) -> str:
    """The engines of a case's proofs: for each engine, whether the plans of each style held.

    >>> engines_proven({"moto": {"single": True, "multi": True}, "Local": {"single": True, "multi": False}})
    'moto, Local (one table)'
    """
    said = []
    for engine, styles in held.items():
        proven = [STYLE[style] for style, passed in styles.items() if passed]
        if proven:
            said.append(engine + (f" ({', '.join(proven)})" if len(proven) < len(styles) else ""))
    return ", ".join(said)


def mixes_table(mixes: Iterable[Mix]) -> str:
    """A row a mix of interactions, with the processor time that planning took."""
    head = "| Mix | Style | Answered | In one request | Structures | Cost | Planned in |"
    rows = (
        _row(
            [
                mix.name,
                mix.figures.style,
                _answered(mix.figures),
                str(mix.figures.in_one_request),
                str(mix.figures.structures),
                _cost(mix.figures),
                f"{mix.seconds:.2f} s",
            ]
        )
        for mix in mixes
    )
    return _table(head, rows)


def repairs_list(comparisons: Iterable[Comparison]) -> str:
    """What was repaired in each published design."""
    return "\n".join(
        f"- {comparison.slug}: {repair}"
        for comparison in comparisons
        for repair in comparison.repairs
    )


def misses_list(comparisons: Iterable[Comparison]) -> str:
    """The cases in which ours is dearer or of more structures, or matches in the dearer style alone, and why."""
    missed = []
    for each in comparisons:
        if each.matching is None:
            missed.append(f"- {each.slug}: {each.reason}")
        elif not each.matches_in_cheaper_style:
            missed.append(f"- {each.slug}, in the cheaper style: {_saved_by_more(each)}")
    return "\n".join(missed) or "None."


def _saved_by_more(comparison: Comparison) -> str:
    """Why the cheaper style has more structures than were published: what they save."""
    cheaper, published = comparison.cheaper, comparison.published
    found = [one for one in comparison.fewest if one.style == cheaper.style]
    least = min((one.structures for one in found), default=cheaper.structures)
    other = comparison.matching
    assert other is not None
    return (
        f"{STYLE[cheaper.style]} cost {_usd(cheaper.usd)} with {cheaper.structures} structures, and the published "
        f"design costs {_usd(published.usd)} with {published.structures}. Plans with {STYLE[cheaper.style]} need at "
        f"least {least} structures to cost no more than that. A plan with {STYLE[other.style]} matches."
    )


def put(page: str, name: str, text: str) -> str:
    """A page with a text between `<!-- name -->` and `<!-- end of name -->`. ValueError when it lacks the marks."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    found, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}",
        lambda _: f"{begin}\n\n{text}\n\n{end}",
        page,
        flags=re.DOTALL,
    )
    if count != 1:
        raise ValueError(f"the page has no place for {name}")
    return found


def _table(head: str, rows: Iterable[str]) -> str:
    width = head.count("|") - 1
    return "\n".join([head, "|" + "---|" * width, *rows])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _answered(figures: Figures) -> str:
    elsewhere = f", {figures.elsewhere} elsewhere" if figures.elsewhere else ""
    return f"{figures.served}{elsewhere}"


def _usd(usd: Fraction) -> str:
    return f"${float(usd):,.2f}"


def _cost(figures: Figures) -> str:
    said = []
    if figures.usd - figures.lowest >= CENT:
        said.append(f"lowest {_usd(figures.lowest)}")
    if not figures.is_exact and (not said or figures.gap > 1.01 * _above_lowest(figures)):
        said.append(f"bound {figures.gap:.1%} lower")
    return _usd(figures.usd) + (f" ({', '.join(said)})" if said else "")


def _above_lowest(figures: Figures) -> float:
    """Share of a cost that the cheapest plan saves."""
    return float(1 - figures.lowest / figures.usd)
