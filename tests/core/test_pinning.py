"""What a plan has, said as a pin: pinned, it changes no key, no index and no operation."""

import pytest

from designer.core import gallery
from designer.core.design.document import Pin, PinnedKey
from designer.core.edits import add_pin, remove_pin
from designer.core.errors import DesignError
from designer.core.pinning import pin_of, pin_words, pinnable
from designer.core.planner import plan


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("slug", ["starter", "merchant-orders", "premium-and-sale"])
def test_pinning_a_decision_changes_nothing_but_who_took_it(slug, style):
    design = gallery.load(slug)
    made = plan(design, style)
    abouts = [about for decision in made.decisions if (about := pinnable(decision))]
    assert any(about.startswith("key ") for about in abouts)
    for about in [*abouts, *(f"table {table.name}" for table in made.tables)]:
        pin = pin_of(made, about)
        if pin is None:
            assert about.startswith("table ")  # a table of guards has no name to pin
            continue
        again = plan(add_pin(design, pin), style)
        assert [t.name for t in again.tables] == [t.name for t in made.tables], about
        for old, new in zip(made.tables, again.tables, strict=True):
            assert (new.key, len(new.indexes)) == (
                old.key,
                len(old.indexes),
            ), about


def test_a_key_is_pinned_without_what_the_planner_adds_to_it():
    made = plan(gallery.load("premium-and-sale"), "single")
    pin = pin_of(made, "index club-app/GSI1 Product")
    assert pin is not None and pin.key is not None
    assert pin.key.sort == "PRODUCT#{salePrice}#{productId}"
    assert pin.key.partition == "PRODUCT"


def test_what_is_not_in_the_plan_gives_no_pin():
    made = plan(gallery.load("starter"), "single")
    for about in ("key Ghost", "index a/b", "table ghost", "pattern 99", "pattern x", "guard", ""):
        assert pin_of(made, about) is None, about


def test_pins_are_told_in_words():
    pin = Pin(
        entity="Order", index="ByUser", key=PinnedKey(sort="{at}"), projection="all", name="X"
    )
    words = ("sort {at}", "holds everything", "index called X")
    assert pin_words(pin) == ("Index ByUser for Order", words)
    assert pin_words(Pin(table=("A", "B"), name="both"))[0] == "One table for A, B"
    assert pin_words(Pin(entity="A", name="things")) == ("Table of A", ("table called things",))


def test_a_pin_is_added_once_and_removed_once():
    design = gallery.load("starter")
    pin = Pin(style="multi", entity="Task", name="work")
    pinned = add_pin(design, pin)
    with pytest.raises(DesignError, match="already"):
        add_pin(pinned, pin)
    with pytest.raises(DesignError, match="says something else"):
        add_pin(pinned, Pin(style="multi", entity="Task", name="other"))
    assert remove_pin(pinned, pin) == design
    with pytest.raises(DesignError, match="no longer"):
        remove_pin(design, pin)
