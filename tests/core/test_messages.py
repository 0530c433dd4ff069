"""What the planner says is data: each message has words, and its words need just the values that it has."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from designer.core.design import bounds, gallery
from designer.core.errors import DesignError, Problem
from designer.core.messages import KeyWords, Message, said, say, text
from designer.core.messages.english import findings, rules
from designer.core.messages.english.rendering import FORMS, templates
from designer.core.plan import Decision, Finding, Plan, each_once
from designer.core.planner import plan

from .orders import PLAN

A, B = say("mixed-order"), say("store-elements", attribute="a")
ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "designer" / "core"


def sources() -> Iterator[Path]:
    """All code that may say something; not the words themselves."""
    for folder in ("designer", "projects"):
        for path in (ROOT / folder).rglob("*.py"):
            if "english" not in path.parts and "migrations" not in path.parts:
                yield path


def fields(template: str) -> set[str]:
    """The names of the values that a template needs."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def forms(template: str) -> set[str]:
    return {form for _, name, form, _ in Formatter().parse(template) if name and form}


def ids_of(argument: ast.expr) -> list[str]:
    """The ids that a call may have; none where they are worked out elsewhere."""
    match argument:
        case ast.Constant(str(id)):
            return [id]
        case ast.IfExp(body=one, orelse=other):
            return [*ids_of(one), *ids_of(other)]
    return []


def test_every_message_that_is_made_has_words_and_just_their_values() -> None:
    made = 0
    for path in sources():
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            match call:
                case ast.Call(func=ast.Name("say"), args=[argument]):
                    given = {one.arg for one in call.keywords}
                    for id in ids_of(argument) if None not in given else ():
                        made += 1
                        assert given == fields(templates()[id]), (path.name, id)
    assert made > 350


def test_every_bound_and_limit_has_words_and_just_its_values() -> None:
    stated = [each for each in vars(bounds).values() if isinstance(each, bounds.Bound)]
    assert len(stated) > 30
    assert {
        each.id for each in stated if fields(templates()[each.id]) != {"most", "count"}
    } == set()
    for id in ("at-least", "more-than", "at-most", "less-than"):
        assert fields(templates()[id]) == {"limit"}


def test_whatever_a_decision_is_about_has_a_heading() -> None:
    begun = re.compile(r'(?:about=|decided(?:_as)?\()\s*f"([a-z-]+) ')
    planner = (path.read_text("utf-8") for path in (CORE / "planner").rglob("*.py"))
    kinds = {kind for source in planner for kind in begun.findall(source)}
    assert len(kinds) == 9
    for kind in (*sorted(kinds), "table", "index", "pin", "pins"):
        heading = Decision(about=f"{kind} a b").heading
        assert heading == say(f"about-{kind}", names=("a", "b") if kind == "together" else "a b")
        assert ("a and b" if kind == "together" else "a b") in text(heading)


def test_a_refusal_keeps_what_it_says_on_its_way_between_processes() -> None:
    problem = Problem("entities[0]", say("identifier-twice", name="a"), 3, 5)
    error = DesignError(
        "does-not-fit", say("in-document", name="x", problem=problem.located), (problem,)
    )
    come = pickle.loads(pickle.dumps(error))
    assert (come.code, come.reason, come.problems) == (error.code, error.reason, (problem,))
    assert str(come) == "x, line 3, entities[0]: the identifier names `a` twice; name it once."


@pytest.mark.parametrize("words", [rules.TEMPLATES, findings.TEMPLATES])
def test_no_finding_speaks_in_the_syntax_of_the_format(words: dict[str, str]) -> None:
    assert [each for each in words.values() if re.search(r"`[^`]*: |\{\{", each)] == []


def test_no_words_are_left_without_a_message() -> None:
    used = {
        node.value
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert templates().keys() - used == set()


def test_forms_are_known() -> None:
    known = {form for template in templates().values() for form in forms(template)}
    own = {form for form in known if form not in FORMS and "|" not in form}
    assert all(format(1234.5, form) for form in own - {","})
    assert {form for form in FORMS if form} <= known


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (say("sparse", percent=3.0), "Only 3 % of the items are in the index; the others have no entry there."),
        (say("sparse", percent=80.0), "80 % of the items are in the index; the others have no entry there."),
        (say("sparse", percent=99.97), "Nearly 100 % of the items are in the index; the others have no entry there."),
        (say("takes-several-requests", patterns=(3,)), "pattern 3 would take several requests"),
        (say("takes-several-requests", patterns=(3, 4)), "patterns 3 and 4 would take several requests"),
        (say("identifier-is-sort-key", named_by=("a", "b")), "a and b are the sort key."),
        (say("identifier-is-sort-key", named_by=say("the-identifier")), "The identifier is the sort key."),
        (say("costs-more", usd=1234.5), "costs $1,234 a month more"),
        (say("saves-too-little", price=say("costs-less", usd=2)), "costs $2.00 a month less, "
         "which is too little to be worth it"),
        (say("unknown", what="entity", name="Tea", instead=say("there-are-many", names=("A", "B"))),
         "there is no entity `Tea`; choose from `A`, `B`, …"),
        (say("unknown-in", where="Tea", what="attribute", name="b", instead=say("there-are", names=("a",))),
         "Tea has no attribute `b`; the only one is `a`"),
        (say("padded-as-stated", attribute="a", digits=8, scale=2), "numbers are padded to their stated digits; "
         "write `{a}`, which becomes `{pad(8, 2, a)}`, or state other digits for the attribute"),
        (say("shard-by-identifier", templates=("{shard(4, a)}", "{shard(4, b)}")),
         "the shard must follow from the identifier: `{shard(4, a)}` or `{shard(4, b)}`"),
        (say("key-lacks-identifier", entity="A", pins=2, missing=("a", "b"), unique=("c",)),
         "a key holds the identifier of A, and with an earlier pin it lacks a and b; add it, or state c, which is "
         "unique, as the identifier"),
        (say("key", key=(("PK", "U#{id}"), ("SK", "A"))), "PK = U#{id}, SK = A"),
        (say("rows-counted", count=1), "1 item, counted from the rows in the file. The rows were not kept."),
        (say("items-missing", entities=("Person", "Order")), "How many People and Orders there are."),
        (say("has-one", parent="Order", child="Invoice"), "An Order has at most one Invoice."),
        (say("needs-differ", table="T", needs=("team",)),
         "The entities of table T differ in team, but a table has only one team."),
        (say("needs-differ", table="T", needs=("team", "recovery days")),
         "The entities of table T differ in team and recovery days, but a table has only one of each."),
        (say("more-indexes", count=2), "has 2 more indexes"),
        (say("fewer-copies", count=1), "has 1 fewer copy of the items"),
        (say("need-different-keys", patterns=(say("patterns-of-entity", patterns=(2, 9), entity="Order"),)),
         "The reads of Order in patterns 2 and 9 need different key attributes or sort orders, so no single key "
         "serves both in one request without filtering or sorting. The table's own key serves one."),
        (say("need-different-keys", patterns=(say("patterns-of-entity", patterns=(2, 5, 9), entity="Order"),)),
         "The reads of Order in patterns 2, 5 and 9 need different key attributes or sort orders, so no single key "
         "serves two of them in one request without filtering or sorting. The table's own key serves one."),
        (say("one-item-dropped", attributes=("a", "b")), "The key finds one item, which is dropped if a and b differ"),
        (say("together-unique-without", columns=("a", "b")), "a and b are unique without the others"),
        (say("unique-where", columns=("a", "b"), condition="c"),
         "a and b are unique together only where c, which the design leaves out."),
        (say("nulls-missing", columns=("a",)), "How many items have a value in this nullable column: a."),
        (say("nulls-missing", columns=("a", "b")), "How many items have a value in these nullable columns: a, b."),
        (say("bytes-missing", columns=say("some-names", names=("a",)), count=1),
         "How many bytes this column takes on average: a."),
        (say("import-unknown-format", name="x.prisma", formats=("SQL schema",)),
         "Keywright cannot read x.prisma. It reads SQL schemas."),
        (say("typed-problem", problem=say("changes-in-key", attribute="score")),
         "score can change, but an item's own key cannot; use it in an index."),
        (say("typed-problem", problem=say("list-it-under-attributes", entity="A", name="b")),
         "A has no attribute “b”; list it under “attributes”."),
        (say("typed-problem", problem=say("range-of-numbers")), "“minimum” and “maximum” belong to numbers (type N)."),
        (say("typed-problem", problem=say("peak-below-average")),
         "The peak is below the average; give a peak of at least the average."),
    ],
)  # fmt: skip
def test_values_take_the_form_of_their_sentence(message: Message, words: str) -> None:
    assert text(message) == words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (KeyWords(partition=("a",), sort=("b", "c")), "an index by a, then b and c"),
        (KeyWords(kind="base"), "a table key with the same partition key value for all its items"),
        (KeyWords(sort=("a", "b")), "an index with the same partition key value for all its items, sorted by a and b"),
        (KeyWords(partition=("a", "b")), "an index by a and b together in the partition key"),
        (KeyWords(partition=("a", "b"), sort=("c",)), "an index by a and b, then c"),
        (KeyWords(kind="copy", partition=("a",), shards=0), "a copy by a over shards"),
        (
            KeyWords(kind="local", partition=("a",), sort=("b",), inverse=("b",), own=True, bare=True),
            "a local index by a, then b, with b inverted, as separate attributes, without the identifier",
        ),
        (KeyWords(partition=("absent(a)",)), "an index by the absence of a"),
        (KeyWords(partition=("a",), only=(("s", ("X", "Y")),)), "an index by a, only where s is X or Y"),
    ],
)  # fmt: skip
def test_a_key_is_described(key: KeyWords, words: str) -> None:
    assert said(key) == words


def test_the_document_has_words_for_readers_and_is_read_again_from_its_data() -> None:
    made = plan(gallery.load("shop"), "single")
    document = made.as_json()
    assert Plan.model_validate(document) == made
    (first, *_) = document["decisions"]
    assert first["because"] == made.decisions[0].because != ""
    first["because"] = first["choice"] = "other words"
    assert Plan.model_validate(document) == made


def test_findings_with_the_same_words_are_one_whatever_their_values_hide() -> None:
    one, other = (
        Finding(rule="x", severity="advice", where="", problem=say("costs-more", usd=usd))
        for usd in (1.001, 1.002)
    )
    assert one != other
    assert each_once((one, other)) == (one,)
    less = one.model_copy(update={"problem": say("costs-more", usd=1.01)})
    assert each_once((one, less)) == (one, less)


def test_a_finding_with_words_alone_keeps_them() -> None:
    found = Finding.model_validate(
        {"rule": "x", "severity": "advice", "where": "", "message": "Hot.", "remedy": "Cool it."}
    )
    assert (found.problem, found.solution) == (
        say("text", text="Hot."),
        say("text", text="Cool it."),
    )
    assert (found.message, found.remedy) == ("Hot.", "Cool it.")
    assert Finding.model_validate_json(found.model_dump_json()) == found


def test_a_plan_with_words_alone_keeps_them() -> None:
    (decision,) = PLAN.decisions
    assert decision.chosen == say("text", text="STATUS#{status}")
    assert decision.choice == "STATUS#{status}"
    assert decision.because == "Nothing else answers it with the status alone."
    assert Decision.model_validate_json(decision.model_dump_json()) == decision


def test_a_message_tells_the_messages_in_it() -> None:
    inner = say("costs-less", usd=2)
    outer = say(
        "served-instead", reason=say("saves-too-little", price=inner), places=(say("guard-item"),)
    )
    assert [one.id for one in outer.parts()] == [
        "served-instead",
        "saves-too-little",
        "costs-less",
        "guard-item",
    ]


def test_reasons_that_another_decision_gives_and_adds_to_say_less() -> None:
    one, more = (Decision(about="x", reasons=made) for made in ((A,), (A, B)))
    assert one.says_less_than(more)
    assert not more.says_less_than(one) and not one.says_less_than(one)
    assert not Decision(about="x", reasons=(B,)).says_less_than(more)


def test_a_name_that_is_marked_already_has_no_quotes_besides() -> None:
    assert text(say("did-you-mean", name="from")) == "did you mean `from`?"
