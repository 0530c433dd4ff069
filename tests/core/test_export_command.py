"""`manage.py export`: the file it writes, what it says, and how it ends."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from designer.core.design import gallery
from designer.core.exporters import EXPORTERS, Options
from designer.core.messages import say
from designer.core.plan import ALL_STYLES, STYLES
from designer.core.planner import plan
from designer.management.refusing import CommandRefusedError

SHOP = gallery.load("shop")

UNANSWERED = """\
keywright: 1
name: Library
entities:
  - name: Book
    identifier: [bookId]
    attributes: [{name: bookId}, {name: title}]
patterns:
  - {number: 1, name: Find by words, kind: elsewhere, returns: Book, because: full-text search}
  - {number: 2, name: Add a book, kind: create, entity: Book}
"""


def export(design: object, to: str, style: str, out: object) -> None:
    call_command("export", str(design), to=to, style=style, out=str(out))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", [slug for slug in EXPORTERS if slug != "pdf"])
def test_it_writes_what_the_exporter_makes(slug: str, style: str, tmp_path: Path) -> None:
    out = tmp_path / "shop.out"
    export("gallery:shop", slug, style, out)
    others = [other for other in ALL_STYLES if other != style and EXPORTERS[slug].compares]
    options = Options(beside={other: plan(SHOP, other) for other in others})
    made = EXPORTERS[slug].export(SHOP, plan(SHOP, style), options)
    assert out.read_bytes().decode() == made.content


def test_a_hyphen_is_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    export("gallery:shop", "terraform", "single", "-")
    made = EXPORTERS["terraform"].export(SHOP, plan(SHOP, "single")).content
    assert capsysbinary.readouterr() == (str(made).encode(), b"")


def test_what_is_left_out_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "library.yaml").write_text(UNANSWERED)
    export(tmp_path / "library.yaml", "terraform", "single", tmp_path / "library.tf")
    said = capsys.readouterr()
    assert said.out == ""
    assert "Left out: Pattern 1 “Find by words” is served without keys" in said.err


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "no" / "such.tf"
    with pytest.raises(CommandRefusedError) as error:
        export("gallery:shop", "terraform", "single", wrong)
    problem = "No such file or directory"
    assert error.value.reason == say("output-unwritable", name=str(wrong), problem=problem)


def test_a_design_that_cannot_be_read_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "library.yaml").write_text(UNANSWERED.replace("bookId]", "isbn]"))
    with pytest.raises(CommandError, match=r"library\.yaml:5:.*isbn"):
        export(tmp_path / "library.yaml", "terraform", "single", tmp_path / "library.tf")
    assert not (tmp_path / "library.tf").exists()


def test_a_plan_with_errors_is_written_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strong = "where: [{attribute: title, is: {param: title}}], consistency: strong"
    (tmp_path / "library.yaml").write_text(
        UNANSWERED.replace("{name: title}", "{name: title, mutable: true}")
        + f"  - {{number: 3, name: Find by title, kind: list, returns: Book, {strong}}}\n"
    )
    with pytest.raises(
        CommandError, match=r"(?s)^The file is written, but the plan has errors:\npatterns.*3"
    ):
        export(tmp_path / "library.yaml", "terraform", "single", tmp_path / "library.tf")
    assert "aws_dynamodb_table" in (tmp_path / "library.tf").read_text()
    assert "Pattern 3 “Find by title” is not served by these tables." in capsys.readouterr().err


def test_a_maximum_is_set_where_it_is_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "shop.yaml"
    asked = {"style": "single", "maximum": True, "out": str(out)}
    call_command("export", "gallery:shop", to="cloudformation", **asked)
    assert "OnDemandThroughput" in out.read_text()
    with pytest.raises(CommandRefusedError) as error:
        call_command("export", "gallery:shop", to="requirements", **asked)
    assert error.value.reason.id == "export-without-tables"


def test_alarms_are_added_where_they_are_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "shop.tf"
    call_command(
        "export", "gallery:shop", to="terraform", style="single", alarms=True, out=str(out)
    )
    made = EXPORTERS["terraform"].export(SHOP, plan(SHOP, "single"), Options(alarms=True))
    assert out.read_text() == made.content
    assert "aws_cloudwatch_metric_alarm" in out.read_text()
    with pytest.raises(CommandRefusedError) as error:
        call_command(
            "export", "gallery:shop", to="data-model", style="single", alarms=True, out=str(out)
        )
    assert error.value.reason.id == "export-without-alarms"
