"""The commands that read a design: what they print, what they refuse, and their exit status."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import (
    CommandError,
    call_command,
    get_commands,
    load_command_class,
)
from jsonschema import Draft202012Validator

from designer.core.design import gallery
from designer.core.lint.pages import pages
from designer.core.messages import say, text
from designer.core.plan.schemas import design_schema, plan_schema
from designer.management.refusing import CommandRefusedError
from tests.core.test_benchmark import NOTES

ROOT = Path(__file__).resolve().parents[2]


def said(*arguments, **options):
    out = io.StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def file(tmp_path):
    """Write a design into a file, and say where."""

    def write(text):
        path = tmp_path / "notes.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def typed(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_the_gallery_is_listed_one_a_line():
    assert said("gallery").splitlines() == list(gallery.SLUGS)


def test_the_schemas_are_printed():
    assert json.loads(said("design_schema")) == design_schema()
    assert json.loads(said("design_schema", "--plan")) == plan_schema()


# plan


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_plan_is_described_with_tables_keys_patterns_and_cost(file, style):
    text = said("plan", file(NOTES), style=style)
    assert text.startswith(f"Notes, {style}-table style: 1 table")
    assert "item Note: " in text
    assert "    2  Read\n       GetItem" in text
    assert "Cost: $" in text


def test_a_plan_of_a_design_with_indexes_names_them():
    text = said("plan", "gallery:premium-and-sale", style="multi")
    assert "sparse global index ProductsBySalePrice: " in text


def test_a_plan_says_what_the_hottest_key_takes_and_names_an_edge_once():
    text = said("plan", "gallery:leaderboards", style="single")
    assert "is the hottest key. At peak, it takes 210 % of what a partition serves." in text
    assert "item Score (edge): " in text


def test_a_plan_is_printed_as_the_document(file):
    document = json.loads(said("plan", file(NOTES), "--json", style="single"))
    Draft202012Validator(plan_schema()).validate(document)
    assert document["design"]["name"] == "Notes"


def test_a_design_comes_from_standard_input_or_the_gallery(monkeypatch, file):
    typed(monkeypatch, NOTES)
    assert said("plan", "-", style="single") == said("plan", file(NOTES), style="single")
    assert said("plan", "gallery:starter", style="single").startswith("Starter")


def test_json_is_read_too(file):
    text = '{"keywright": 1, "name": "Nothing"}'
    assert said("plan", file(text), style="multi").startswith(
        "Nothing, multi-table style: 0 tables"
    )


def test_a_pattern_that_cannot_be_served_makes_the_status_1(file, monkeypatch):
    import designer.management.commands.plan as command

    before = command.plan

    def plan(design, style):
        found = [
            f.model_copy(update={"severity": "error"})
            for f in before(gallery.load("shop"), "multi").findings
        ]
        return before(design, style).model_copy(update={"findings": tuple(found)})

    monkeypatch.setattr(command, "plan", plan)
    with pytest.raises(CommandError, match="its limit is 1") as refused:
        said("plan", file(NOTES), style="single")
    assert refused.value.returncode == 1


# What cannot be read


@pytest.mark.parametrize("command", ["plan", "lint_design"])
def test_what_is_wrong_in_a_file_is_said_with_file_line_place_and_remedy(file, command):
    path = file(NOTES.replace("identifier", "identifer").replace("average: 5", "average: -5"))
    with pytest.raises(CommandError) as refused:
        said(command, path, **({"style": "single"} if command == "plan" else {}))
    lines = str(refused.value).splitlines()
    assert (
        f"{path}:5:5: entities[0].identifer (Note): there is no field `identifer` here; did you mean `identifier`?"
        in lines
    )
    assert any(
        line.startswith(f"{path}:17:21: patterns[1].rate.average (pattern 2): ") for line in lines
    )
    assert refused.value.returncode == 1


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (b"\xff\xfe", "not UTF-8"),
        ("a: &a [*a]", "anchor"),
        ("x" * 5_000_000, "larger than 1 MB"),
        ("", "is empty"),
        ("name: x", "keywright: 1"),
    ],
)
def test_what_is_no_design_is_refused(file, text, match):
    with pytest.raises(CommandError, match=match):
        said("plan", file(text), style="single")


def test_a_file_that_is_not_there_is_said(tmp_path):
    path = str(tmp_path / "none.yaml")
    with pytest.raises(CommandRefusedError) as error:
        said("plan", path, style="single")
    problem = "No such file or directory"
    assert error.value.reason == say("design-file-unreadable", name=path, problem=problem)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(CommandRefusedError) as error:
        said("plan", str(tmp_path), style="single")
    assert error.value.reason.id == "design-file-unreadable"


@pytest.mark.parametrize(
    "reason",
    [
        say("not-in-gallery-but", slug="shp", close="shop"),
        say("not-in-gallery", slug="nothing-like-it"),
    ],
)
def test_a_slug_that_is_not_there_is_said(reason):
    with pytest.raises(CommandRefusedError) as error:
        said("plan", f"gallery:{reason.values['slug']}", style="single")
    assert error.value.reason == reason


def test_the_style_must_be_named(file):
    with pytest.raises(CommandError, match="style"):
        said("plan", file(NOTES))


# lint_design


def test_a_design_with_nothing_to_find_passes(file):
    assert said("lint_design", file(NOTES)) == "0 findings\n"


def test_findings_make_the_status_1(file):
    path = file(NOTES.replace(", rate: {average: 1}", ""))
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 of 1 finding is a warning or an error") as refused:
        call_command("lint_design", path, stdout=out)
    assert out.getvalue().startswith("warning P101 at patterns.1: Pattern 1 (Write) has no rate")
    assert refused.value.returncode == 1


def test_the_least_severity_that_fails_can_be_chosen(file):
    path = file(NOTES.replace(", rate: {average: 1}", ""))
    assert "P101" in said("lint_design", path, fail_on="error")
    with pytest.raises(CommandError, match=r"There is 1 finding\."):
        said("lint_design", path, fail_on="advice")


def test_the_remedy_of_the_same_finding_in_other_styles_is_printed_once():
    lines = said("lint_design", "gallery:leaderboards", fail_on="error").splitlines()
    assert [line.split()[1] for line in lines if " hot-partition at " in line] == [
        "hot-partition"
    ] * 2
    remedies = [line for line in lines if line.startswith("  ")]
    assert len(remedies) == len(set(remedies)) == 3


def test_a_finding_set_aside_does_not_fail(file):
    text = NOTES.replace(", rate: {average: 1}", "")
    text += "ignored_findings: [{rule: P101, about: patterns.1, because: Not known yet.}]\n"
    assert said("lint_design", file(text)) == "0 findings; 1 ignored\n"


def test_findings_are_printed_as_json(file):
    path = file(NOTES.replace(", rate: {average: 1}", ""))
    [finding] = json.loads(said("lint_design", path, "--json", fail_on="error"))
    assert (finding["rule"], finding["where"], finding["severity"]) == (
        "P101",
        "patterns.1",
        "warning",
    )


def test_the_commands_are_there():
    assert {"plan", "lint_design", "gallery", "design_schema"} <= set(get_commands())


def test_a_refusal_is_printed_without_the_name_of_a_class(capsys):
    argv = ["manage.py", "plan", "gallery:nothing-like-it", "--style", "single"]
    with pytest.raises(SystemExit) as ended:
        load_command_class("designer", "plan").run_from_argv(argv)
    assert ended.value.code == 1
    said_of_it = text(say("not-in-gallery", slug="nothing-like-it"))
    assert capsys.readouterr().err == f"{said_of_it}\n"


def test_a_reader_that_has_seen_enough_is_no_error():
    """As `manage.py plan ... | head -1` closes the pipe while the rest is still being written."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "manage.py", "plan", "gallery:shop", "--style", "single"]
    done = subprocess.run(
        command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert done.stderr == ""


# finding_pages


def test_finding_pages_writes_each_page_and_removes_what_is_gone(tmp_path: Path) -> None:
    (tmp_path / "X999.md").write_text("# X999: Gone\n")
    assert "1 removed" in said("finding_pages", str(tmp_path))
    assert {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()} == pages()


def test_a_plan_can_be_locked_into_its_file(file):
    path = file(gallery.text("shop"))
    before = said("plan", path, style="single")

    assert said("plan", path, style="single", lock=True) == before
    locked = Path(path).read_text()
    assert "\nnames:\n" in locked
    assert said("plan", path, style="single", lock=True) == before
    assert Path(path).read_text() == locked


def test_only_a_file_can_be_locked():
    with pytest.raises(CommandRefusedError) as error:
        said("plan", "gallery:shop", style="single", lock=True)
    assert error.value.reason == say("lock-needs-file")
