"""Reading and writing designs: what comes in comes out, and what cannot be read is refused in
place."""

import json
import time
from importlib import resources

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.core.design.document import Design
from designer.core.design.ids import identified, with_ids
from designer.core.design.load import dump, load, load_plain, plain, read_design
from designer.core.design.text import resolve
from designer.core.design.upgrade import upgrade
from designer.core.errors import DesignError

DESIGN = """\
keywright: 1
name: Shop
entities:
  - name: User
    identifier: [userId]
    attributes:
      - {name: userId, format: uuid}
      - {name: email, format: email, unique: true}
patterns:
  - number: 7
    name: A user
    kind: get
    returns: User
    where: [{attribute: userId, is: {param: userId}}]
"""
GALLERY = sorted(
    (file for file in resources.files("designer.gallery").iterdir() if file.name.endswith(".yaml")),
    key=lambda file: file.name,
)


def problems(text, name="shop.yaml"):
    """(line, place, message) of everything that is wrong with a text."""
    with pytest.raises(DesignError) as refused:
        load(text, name)
    assert name in refused.value.message
    return [(p.line, p.place, p.message) for p in refused.value.problems]


# What comes in comes out


@pytest.mark.parametrize("file", GALLERY, ids=lambda file: file.name)
def test_a_design_survives_being_written_and_read(file):
    design = load(file.read_bytes(), file.name)
    assert load(dump(design)) == design
    assert load(dump(design, "json")) == design
    assert load_plain(json.loads(json.dumps(plain(design)))) == design
    assert dump(load(dump(design))) == dump(design)


_texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t"))
_lines = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30) | (
    st.sampled_from(
        [
            "yes",
            "NO",
            "null",
            "~",
            "1",
            "0x1F",
            "1_000",
            "1:30",
            "2026-05-03",
            "=",
            "a: b",
            "# a",
            "a #b",
            "- a",
            "{a}",
            "[a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a`",
            '"a',
            "'a",
            " a",
            "a ",
            "a,b",
            "\u2028",
            "\x85",
            "🎉",
            ".5",
            "1e5",
            "<<",
            "---",
            "...",
        ]
    )
)
_scalars = (
    _lines
    | st.booleans()
    | st.integers(-(10**37), 10**37)
    | st.floats(allow_nan=False, allow_infinity=False)
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=_lines,
    description=_texts,
    why=_texts,
    values=st.lists(_scalars, max_size=4),
    share=st.floats(0, 1),
)
def test_any_text_and_any_value_survives(name, description, why, values, share):
    written = plain(load(DESIGN))
    written |= {"name": name.replace("\x85", "") or "x", "description": description}
    written["patterns"][0] |= {
        "why": why,
        "keep": [
            {"attribute": "email", "not": {"value": value}, "share": share} for value in values
        ],
    }
    written["entities"][0]["attributes"][1]["examples"] = values
    try:
        design = load_plain(written)
    except DesignError:  # control characters and the like
        return
    for form in ("yaml", "json"):
        again = read_design(dump(design, form))
        assert again == design
        assert [type(x) for x in again.entities[0].attributes[1].examples] == [
            type(resolve(json.dumps(x))) if isinstance(x, float) else type(x) for x in values
        ]


def test_nothing_is_written_that_stands_at_its_default():
    text = DESIGN.replace("format: uuid", "format: uuid, type: S, mutable: false, present: 1.0")
    assert dump(load(text)) == dump(load(DESIGN))


def test_patterns_are_written_by_number_and_lists_as_they_were():
    more = DESIGN + "  - {number: 2, name: Users, kind: list, returns: User}\n"
    design = load(more)
    assert [pattern.number for pattern in design.patterns] == [2, 7]
    assert dump(design).index("number: 2") < dump(design).index("number: 7")
    assert [a.name for a in design.entities[0].attributes] == ["userId", "email"]


def test_each_attribute_has_a_line_and_each_field_of_a_pattern():
    assert "      - {name: email, format: email, unique: true}\n" in dump(load(DESIGN))
    assert "    kind: get\n    returns: User\n" in dump(load(DESIGN))


def test_text_of_several_lines_is_written_as_such():
    design = load(DESIGN).model_copy(update={"description": "One.\n\nTwo."})
    assert "description: |-\n  One.\n\n  Two.\n" in dump(design)


@pytest.mark.parametrize(
    "text", ["yes", "NO", "on", "1", "1.5", "2026-05-03", "null", "12:30", "0o7"]
)
def test_no_text_is_written_that_another_reader_takes_for_something_else(text):
    assert f'name: "{text}"\n' in dump(load(DESIGN).model_copy(update={"name": text}))


# YAML 1.2, core schema


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("NO", "NO"),
        ("yes", "yes"),
        ("on", "on"),
        ("2026-05-03", "2026-05-03"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("017", 17),
        ("0o17", 15),
        ("0x1f", 31),
        ("-3", -3),
        ("+3", 3),
        ("1e3", 1000),
        (".5", 0.5),
        ("1.", 1),
        ("~", None),
        ("", None),
        ("Null", None),
        ("nUll", "nUll"),
    ],
)
def test_bare_words_read_by_the_core_schema(text, value):
    read = resolve(text)
    assert read == value and type(read) is type(value)


def test_json_reads_like_yaml():
    text = '{"keywright": 1,\n\t"name": "\\ud83c\\udf89 \\/",\n "table_prefix": "NO"}'
    assert load(text).name == "🎉 /"
    assert load(text).table_prefix == "NO"


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert load(b"\xef\xbb\xbf" + DESIGN.encode()) == load(DESIGN) == load("\ufeff" + DESIGN)


# What is refused, and where


def _with(old, new):
    assert old in DESIGN
    return DESIGN.replace(old, new)


@pytest.mark.parametrize(
    "name",
    [
        "a" * 300,
        "🎉",
        '"a\\"b\'"',
        '"a#b"',
        "${x}",
        '"%{if}"',
        "<script>alert(1)</script>",
        '""',
        "1st",
        "A B",
    ],
)
def test_a_name_that_no_key_or_template_could_hold_is_refused_in_place(name):
    [(line, place, message)] = problems(_with("- name: User", f"- name: {name}"))
    assert line == 4
    assert place.startswith("entities[0].name")
    assert "a name is a letter, then up to 63 letters, digits or _" in message
    assert len(message) < 200


@pytest.mark.parametrize(
    ("text", "line", "place", "said"),
    [
        (
            _with("identifier:", "identifer:"),
            5,
            "entities[0].identifer (User)",
            "did you mean `identifier`?",
        ),
        (
            _with("identifier: [userId]", "items: 1"),
            4,
            "entities[0].identifier (User)",
            "is missing",
        ),
        (_with("[userId]\n", "[]\n"), 5, "entities[0].identifier (User)", "name at least 1"),
        (_with("[userId]\n", "\n"), 5, "entities[0].identifier (User)", "nothing is written here"),
        (
            _with("unique: true", "unique: yes"),
            8,
            "entities[0].attributes[1].unique (User.email)",
            "write true or false",
        ),
        (
            _with("format: email", "format: mail"),
            8,
            "entities[0].attributes[1].format (User.email)",
            "did you mean `email`?",
        ),
        (
            _with("unique: true", "present: 2"),
            8,
            "entities[0].attributes[1].present (User.email)",
            "at most 1",
        ),
        (
            _with("unique: true", "present: .nan"),
            8,
            "entities[0].attributes[1].present (User.email)",
            "not a number",
        ),
        (
            _with("unique: true", "distinct: 1e999"),
            8,
            "entities[0].attributes[1].distinct (User.email)",
            "too large",
        ),
        (_with("unique: true", "digits: 3"), 8, "entities[0].attributes[1] (User.email)", "type N"),
        (
            _with("is: {param: userId}", "missing: false"),
            14,
            "patterns[0].where[0].missing (pattern 7)",
            "write `missing: true`, or `exists: true` for the opposite",
        ),
        (_with("kind: get", "kind: gte"), 10, "patterns[0] (pattern 7)", "did you mean `get`?"),
        (_with("    kind: get\n", ""), 10, "patterns[0] (pattern 7)", "`kind` is missing"),
        (
            _with("returns: User", "returns: 5"),
            13,
            "patterns[0].returns (pattern 7)",
            "a name, or a list of names",
        ),
        (
            _with("returns: User", "returns: [User, 5]"),
            13,
            "patterns[0].returns[1] (pattern 7)",
            "write text here",
        ),
        (
            _with("returns: User", "rate: {average: -1}\n    returns: User"),
            13,
            "patterns[0].rate.average (pattern 7)",
            "at least 0",
        ),
        (
            _with("is: {param", "from_: {param"),
            14,
            "patterns[0].where[0].from_ (pattern 7)",
            "did you mean `from`?",
        ),
        (
            _with("returns: User", "returns: User\n    order: [email]"),
            14,
            "patterns[0].order (pattern 7)",
            "`ascending` or `descending`",
        ),
        (
            _with("returns: User", "returns: User\n    order: 5"),
            14,
            "patterns[0].order (pattern 7)",
            "write a list",
        ),
        (
            _with("keywright: 1", "keywright: 9"),
            1,
            "keywright",
            "open it with a newer version of Keywright",
        ),
        (_with("keywright: 1", "keywright: one"), 1, "keywright", "whole number"),
        (_with("keywright: 1\n", ""), None, "keywright", "write `keywright: 1`"),
        (
            _with("format: uuid}", "format: uuid, name: x}"),
            7,
            "entities[0].attributes[0].name (User.x)",
            "written twice",
        ),
        (_with("name: Shop", "name: Shop: x"), 2, "", "put text that contains `: ` in quotes"),
        (_with("    identifier", "\tidentifier"), 5, "", "indent with spaces"),
        (_with("name: Shop", "name: &Shop"), 2, "", "anchor"),
        (_with("name: Shop", "name: *Shop"), 2, "", "alias"),
        (_with("name: Shop", "name: !!python/object:os.system x"), 2, "", "tag"),
        (_with("format: uuid", "<<: {}"), 7, "", "merge key"),
        (DESIGN + "---\n" + DESIGN, 15, "", "second document"),
        (DESIGN.encode() + b"\n\xff", 16, "", "not UTF-8"),
        (DESIGN + "# \x00", 15, "", "control character"),
        (DESIGN + "x: \ud800", 15, "", "lone surrogate"),
        ('{"keywright": 1,\n"name": "\\ud800"}', 2, "name", "lone surrogate"),
        ('{"keywright": 1,\n"name": "a\\u0000"}', 2, "name", "NUL"),
        ('{"keywright": 1,\n"a\\u0000": 2}', 2, "", "NUL"),
        ('{"keywright": 1,\n"\\ud800": 2}', 2, "", "lone surrogate"),
        (
            _with("format: uuid}", 'format: uuid, values: ["a\\0b"]}'),
            7,
            "entities[0].attributes[0].values[0] (User.userId)",
            "NUL",
        ),
        ('{"keywright": 1,\n"name": "a" "b": 1}', 2, "", "a comma or a closing }"),
        ("x: " + "[" * 5000, 1, "", "deep"),
        ('{"a": ' + "[" * 5000 + "]" * 5000 + "}", 1, "", "deep"),
    ],
)
def test_what_is_wrong_is_said_with_line_place_and_remedy(text, line, place, said):
    found = problems(text)
    assert (line, place) in [(at, where) for at, where, _ in found]
    assert any(said in message for _, where, message in found if where == place)


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n- b\n", "hello", "[1]", "5"])
def test_what_is_no_design_is_refused(text):
    with pytest.raises(DesignError, match="A design begins with `keywright: 1`"):
        load(text)


def test_all_problems_are_said_at_once_in_order_of_lines():
    text = _with("format: uuid", "formt: uuid").replace("unique: true", "unique: 3")
    assert [line for line, _, _ in problems(text)] == [7, 8]


def test_places_are_those_of_the_text_even_where_patterns_stand_in_another_order():
    text = DESIGN + "  - {number: 2, name: Users, kind: list, returns: Usre}\n"
    [(line, place, message)] = problems(text)
    assert (line, place) == (15, "patterns[1].returns (pattern 2)")
    assert "did you mean `User`?" in message


def test_a_yaml_bomb_is_refused_before_it_grows():
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    started = time.perf_counter()
    [(line, _, message)] = problems(bomb)
    assert time.perf_counter() - started < 3
    assert line == 1 and "anchor" in message


def test_five_megabytes_are_refused_unread():
    text = DESIGN + "# " + "x" * 5_000_000
    started = time.perf_counter()
    for big in (text, text.encode()):
        with pytest.raises(DesignError, match="larger than 1 MB") as refused:
            load(big)
        assert refused.value.code == "too-large"
    assert time.perf_counter() - started < 3


def test_many_small_parts_are_refused():
    [(_, _, message)] = problems("x: [" + "1," * 150_000 + "]")
    assert "at most 100,000 parts" in message


# Older formats


def test_a_document_of_an_older_format_goes_through_each_step_once():
    def from_1_to_2(data):
        data["title"] = data.pop("name")
        return data

    def from_2_to_3(data):
        return {**data, "title": data["title"].upper()}

    steps = {1: from_1_to_2, 2: from_2_to_3}
    oldest = {"keywright": 1, "name": "a"}
    assert upgrade(oldest, steps=steps, newest=3) == {"keywright": 3, "title": "A"}
    assert oldest == {"keywright": 1, "name": "a"}
    assert upgrade({"keywright": 2, "title": "a"}, steps=steps, newest=3) == {
        "keywright": 3,
        "title": "A",
    }
    assert upgrade({"keywright": 3, "title": "a"}, steps=steps, newest=3) == {
        "keywright": 3,
        "title": "a",
    }


def test_stored_data_opens_even_where_it_no_longer_hangs_together():
    data = plain(load(DESIGN))
    data["patterns"][0]["returns"] = "Nobody"
    assert load_plain(data).patterns[0].returns == "Nobody"
    with pytest.raises(DesignError, match="Nobody"):
        load(json.dumps(data))


# Ids


def test_ids_are_made_where_there_are_none_and_stay_where_they_are():
    text = _with("identifier: [", "id: mine\n    identifier: [")
    design = with_ids(load(text))
    made = [part.id for _, part in identified(design)]
    assert made == ["mine", "a-user-userid", "a-user-email", "p-7"]
    assert with_ids(design) == design
    assert load(dump(design)) == design


def test_ids_made_for_names_alike_differ():
    names = ["ab", "a-b", "a_b", "A_b", "x" * 60, "x" * 61]
    attributes = ", ".join(f"{{name: {name}}}" for name in names)
    text = _with(
        "- {name: userId, format: uuid}",
        f"- {{name: userId}}\n      - {attributes}".replace("}, {", "}\n      - {"),
    )
    made = [part.id for _, part in identified(with_ids(load(text)))]
    assert len(set(made)) == len(made)
    assert all(len(id) <= 40 for id in made)
    assert made == [part.id for _, part in identified(with_ids(load(text)))]


def test_an_empty_design_is_a_design():
    assert load("keywright: 1\nname: Nothing yet\n") == Design(name="Nothing yet")
