"""What helps where a table's key lacks the tenant, and is possible: a tenant that changes cannot be in that key."""

import pytest

from designer.core.design.load import load
from designer.core.errors import DesignError
from designer.core.lint import RULES
from designer.core.plan import STYLES
from tests.planned import planned

BOATS = """\
keywright: 1
name: Boats
entities:
  - {name: Harbour, identifier: [harbourId], items: 300, attributes: [{name: harbourId, bytes: 8}]}
  - name: Boat
    identifier: [boatId]
    items: 40000
    needs: {tenant: harbourId}
    attributes:
      - {name: boatId, format: uuid}
      - {name: harbourId, bytes: 8, refers_to: Harbour.harbourId}
      - {name: sails, bytes: 20, mutable: true}
patterns:
  - number: 1
    name: A boat
    kind: get
    returns: Boat
    where: [{attribute: boatId, is: {param: boatId}}]
    rate: {average: 5}
  - {number: 2, name: Launch, kind: create, entity: Boat, rate: {average: 1}}
  - {number: 3, name: Rig, kind: update, entity: Boat, set: {sails: {param: sails}}, rate: {average: 1}}
"""
MOVE = (
    "  - {number: 4, name: Move, kind: update, entity: Boat, set: {harbourId: {param: newHarbourId}}, "
    "rate: {average: 0.1}}\n"
)
MOVED = BOATS + MOVE
MUTABLE = BOATS.replace("Harbour.harbourId}", "Harbour.harbourId, mutable: true}")
FIRST = ("identifier: [boatId]", "identifier: [harbourId, boatId]")
ASKED = (
    "{attribute: boatId, is: {param: boatId}}]",
    "{attribute: harbourId, is: {param: harbourId}}, {attribute: boatId, is: {param: boatId}}]",
)
REPLACED = (
    "  - number: 4\n    name: Move\n    kind: transaction\n    rate: {average: 0.1}\n"
    "    members: [{delete: Boat}, {create: Boat, set: {harbourId: {param: newHarbourId}}}]\n"
)


def said_of(text):
    """The remedies of the finding, for each entity that it is about."""
    design = load(text)
    plans = {style: planned(design, style) for style in STYLES}
    return {one.where: one.solution.id for one in RULES["K105"]().findings(design, plans)}


@pytest.mark.parametrize("text", [MOVED, MUTABLE], ids=["a write moves it", "stated"])
def test_a_tenant_that_changes_is_checked_or_its_item_is_replaced(text):
    assert said_of(text) == {"entities.Boat": "check-or-replace-tenant"}
    with pytest.raises(DesignError):
        load(text.replace(*FIRST))


def test_a_tenant_that_stays_begins_the_key():
    assert said_of(BOATS) == {"entities.Boat": "begin-key-with-tenant"}
    assert said_of(BOATS.replace(*FIRST).replace(*ASKED)) == {}


def test_where_a_move_deletes_and_creates_the_tenant_can_begin_the_key():
    text = BOATS.replace(*FIRST).replace(*ASKED)
    assert said_of(text + REPLACED) == {}
