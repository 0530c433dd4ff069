"""What is kept beside the fields of a design or a plan is not pickled."""

import pickle

from designer.core.design import gallery
from designer.core.frozen import Frozen
from designer.core.planner import plan as planned


def cached(part: Frozen) -> set[str]:
    return set(part.__dict__) - set(type(part).model_fields)


def test_a_design_is_pickled_without_what_is_worked_out_from_it() -> None:
    design = gallery.load("shop")
    packed = pickle.dumps(design)
    assert design.entity["Order"].by_name
    assert design.pattern(1)
    assert {"entity", "_by_number"} <= cached(design)
    assert cached(design.entity["Order"])
    assert pickle.dumps(design) == packed
    again = pickle.loads(packed)
    assert again == design
    assert not cached(again)
    assert again.entity == design.entity


def test_plans_and_what_they_say_are_pickled_whole() -> None:
    plan = planned(gallery.load("starter"), "single")
    assert pickle.loads(pickle.dumps(plan)) == plan
