"""Whether what a server recorded is what its editors were told, edit by edit."""

from collections import Counter
from collections.abc import Iterator
from statistics import quantiles
from typing import Any

from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.edits import identified, merged
from designer.core.errors import DesignError
from tests.editors.editing import Done, Editor


def faults(editors: list[Editor], recorded: list[dict[str, Any]]) -> Iterator[str]:
    """What is not as it should be: edits that are lost, and revisions that no edit explains.

    Every edit is made once more, in the order of the revisions, with the functions of the core alone.
    """
    acknowledged, open_ends = _told(editors)
    designs: dict[int, Design] = {}
    for row in recorded:
        number, author = row["number"], row["author__username"]
        if number == 1:
            designs[number] = load_plain(row["document"])
            continue
        if (number - 1, number - 1) != (row["parent"], len(designs)):
            yield f"r{number} follows r{row['parent']}"
        before = designs[number - 1]
        tried = [acknowledged[number]] if number in acknowledged else open_ends.get(author, [])
        for name, done in tried:
            try:
                made = _made(done, row, before, designs)
            except DesignError:
                continue
            if name == author and _without_names(plain(made)) == _without_names(row["document"]):
                designs[number] = load_plain(row["document"])
                break
        else:
            yield f"r{number} of {author} is not what anybody did"
            designs[number] = load_plain(row["document"])
    for number, (name, done) in acknowledged.items():
        if number not in designs:
            yield f"r{number} was acknowledged to {name} and is lost: {done.edit.url}"


def figures(editors: list[Editor], seconds: float) -> str:
    """How many edits a second were acknowledged, and how long that took."""
    times = [done.seconds for each in editors for done in each.done if done.number is not None]
    if len(times) < 2:
        return f"{len(times)} edits in {seconds:.0f} s"
    cuts = quantiles(times, n=20)
    answers = Counter(done.status for each in editors for done in each.done)
    said = ", ".join(f"{status or 'none'}: {count}" for status, count in sorted(answers.items()))
    return (
        f"{len(editors)} editors, {len(times)} edits in {seconds:.0f} s: {len(times) / seconds:.1f} a second,"
        f" median {cuts[9] * 1000:.0f} ms, p95 {cuts[-1] * 1000:.0f} ms (answers {said})"
    )


Told = tuple[str, Done]


def _told(editors: list[Editor]) -> tuple[dict[int, Told], dict[str, list[Told]]]:
    """By revision what was acknowledged, and by editor what may be recorded though the answer failed or never came."""
    acknowledged: dict[int, Told] = {}
    open_ends: dict[str, list[Told]] = {}
    for editor in editors:
        for done in editor.done:
            told = (editor.name, done)
            if done.status == 0 or done.status >= 500:
                open_ends.setdefault(editor.name, []).append(told)
            elif done.number is not None:
                acknowledged[done.number] = told
    return acknowledged, open_ends


def _without_names(document: dict[str, Any]) -> dict[str, Any]:
    """What an edit is about: which names it takes along depends on the plans that were ready by then."""
    return {name: value for name, value in document.items() if name != "names"}


def _made(done: Done, row: dict[str, Any], before: Design, designs: dict[int, Design]) -> Design:
    if done.edit.does is not None:
        return identified(done.edit.does(before))
    taken = row["undoes"]
    if taken is None:
        raise DesignError("no-undo", "It is no undo.")
    return identified(merged(designs[taken], designs[taken - 1], before))
