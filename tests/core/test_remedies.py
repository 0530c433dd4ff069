"""What a finding says to change removes it, where that takes more than one click."""

import pytest

from designer.core.design.load import load
from designer.core.lint import fixes
from designer.core.plan import STYLES
from designer.core.planner import plan
from tests.core.test_at_worst import MAIL, changed

pytestmark = pytest.mark.slow

BUSY = changed(MAIL, ("rate: {average: 10}", "rate: {average: 900}"))
FOLDERS = changed(
    BUSY,
    ("name: subject, format: text", "name: folder, bytes: 9, distinct: 5"),
    ("subject, contains: {param: word}", "folder, is: {param: folder}"),
)
BY_FOLDER = "      - {attribute: folder, is: {param: folder}}"
OPTIONAL = changed(FOLDERS, (BY_FOLDER, BY_FOLDER.replace("folder}}", "folder}, optional: true}")))
STRONG = changed(FOLDERS, ("    limit: 10\n", "    limit: 10\n    consistency: strong\n"))
RANGED = changed(
    BUSY,
    ("name: subject, format: text", "name: subject, bytes: 20, distinct: 300"),
    ("contains: {param: word}", "from: {param: first}"),
)
PEOPLE = changed(
    MAIL,
    ("average: 500, most: 60000", "average: 50, most: 60000"),
    (
        MAIL[MAIL.index("    kind: list") :],
        "    kind: get\n    returns: Person\n    where: [{attribute: personId, is: {param: personId}}]\n"
        "    with: [{relationship: gets}]\n    rate: {average: 3}\n",
    ),
)
OF_ITS_OWN = BY_FOLDER.join(FOLDERS[FOLDERS.index("  - number: 2") :].split(BY_FOLDER))
TRIED = [
    # what is said, of which design, and the design with it done
    (
        "test-for-equality",
        RANGED,
        changed(RANGED, ("from: {param: first}", "is: {param: subject}")),
    ),
    ("accept-eventual", STRONG, FOLDERS),
    (
        "own-pattern-for-case",
        OPTIONAL,
        changed(OPTIONAL, (BY_FOLDER.replace("folder}}", "folder}, optional: true}") + "\n", ""))
        + OF_ITS_OWN.replace("number: 2", "number: 3"),
    ),
    (
        "limit-related",
        PEOPLE,
        changed(PEOPLE, ("relationship: gets}", "relationship: gets, limit: 20}")),
    ),
    ("state-smaller-most", PEOPLE, changed(PEOPLE, ("most: 60000", "most: 900"))),
    (
        "state-most-if-smaller",
        changed(
            MAIL, (", most: 60000", ""), ("Person.personId}", "Person.personId, busiest: 0.001}")
        ),
        changed(
            MAIL,
            ("most: 60000", "most: 900"),
            ("Person.personId}", "Person.personId, busiest: 0.001}"),
        ),
    ),
]


def on_average(plans):
    return [
        one for made in plans.values() for one in made.findings if one.rule == "served-on-average"
    ]


@pytest.mark.parametrize(("remedy", "text", "done"), TRIED, ids=[one[0] for one in TRIED])
def test_what_a_finding_says_removes_it_and_costs_no_served_pattern(remedy, text, done):
    """An index that then does not pay is pinned with the fix that the finding offers."""
    design = load(text, name="mail")
    plans = {style: plan(design, style, reasons="findings") for style in STYLES}
    said = {one.id for each in on_average(plans) for one in each.solution.values["remedies"]}
    assert remedy in said
    mended = load(done, name="mail")
    after = {style: plan(mended, style, reasons="findings") for style in STYLES}
    for finding in on_average(after):
        pins = [fix for fix in fixes(mended, after, finding) if fix.name == "pin"]
        mended = pins[0].edit(mended) if pins else mended
    after = {style: plan(mended, style, reasons="findings") for style in STYLES}
    assert on_average(after) == []
    assert not any(one.answer == "not served" for made in after.values() for one in made.operations)
