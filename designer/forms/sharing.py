"""What a link shows and a token opens, and for how long, as it is asked for."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone

from projects import naming, typed
from projects.forms import ONE_LINE
from projects.models import Draft, Revision, Section

LASTS = {
    "7": "for a week",
    "30": "for 30 days",
    "365": "for a year",
    "always": "until revoked",
}
"""Days, and how they are called."""
UNLESS_CHOSEN = "30"
LIVE = "live"
OFFERED = 30
"""Of the newest revisions, so many are offered to be shown as they are."""


class Lasting(forms.Form):
    """Something with a name and an end."""

    name = forms.CharField(
        label="Name", max_length=100, required=False, strip=True, validators=[ONE_LINE]
    )
    days = forms.ChoiceField(
        label="Valid", choices=list(LASTS.items()), initial=UNLESS_CHOSEN, required=False
    )

    @property
    def expires_at(self) -> datetime | None:
        days = self.cleaned_data["days"] or UNLESS_CHOSEN
        return None if days == "always" else timezone.now() + timedelta(days=int(days))


class LinkForm(Lasting):
    """A link. As it is offered, it shows the whole design as it is for 30 days; of the design it shows nothing that
    was not chosen.
    """

    shows = forms.ChoiceField(label="Shows", required=False)
    sections = forms.MultipleChoiceField(
        label="Parts of the design",
        choices=Section.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one part that the link shows."},
    )
    password = forms.CharField(
        label="Password (optional)",
        min_length=8,
        max_length=200,
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"min_length": "The password of a link must have at least 8 characters."},
    )
    may_comment = forms.BooleanField(
        label="Readers may comment under a name they choose", required=False
    )

    def __init__(self, draft: Draft, *args: Any, **given: Any) -> None:
        initial = {"shows": LIVE, "sections": [each.value for each in Section]}
        given["initial"] = initial | (given.get("initial") or {})
        super().__init__(*args, **given)
        self.revisions = _offered(draft, str(self["shows"].value()))
        shows = self.fields["shows"]
        assert isinstance(shows, forms.ChoiceField)
        shows.choices = [
            (LIVE, "always the newest revision"),
            *((number, naming.label(each)) for number, each in self.revisions.items()),
        ]

    @property
    def revision(self) -> Revision | None:
        return self.revisions.get(self.cleaned_data["shows"])

    @property
    def sections_chosen(self) -> list[str]:
        """Empty for the whole design."""
        chosen = self.cleaned_data["sections"]
        return [] if len(chosen) == len(Section) else chosen


def _offered(draft: Draft, wanted: str) -> dict[str, Revision]:
    """The revisions that a link may be pinned to, by their numbers: the newest, those with names, and the one that was
    asked for.
    """
    if not draft.is_saved:
        return {}
    every = draft.revisions.select_related("named").defer("document").order_by("-number")
    asked = typed.number(wanted)
    besides = every.filter(Q(named__isnull=False) | Q(number=asked))
    found = {each.number: each for each in (*every[:OFFERED], *besides)}
    return {str(number): found[number] for number in sorted(found, reverse=True)}


class TokenForm(Lasting):
    """A token for a program."""

    opens = forms.ChoiceField(
        label="Reads",
        choices=[("design", "this design"), ("project", "every design of its project")],
        initial="design",
    )
