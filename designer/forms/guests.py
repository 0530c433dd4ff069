"""What a reader of a link says."""

from collections.abc import Iterable
from typing import Any

from django import forms

from designer.core.patterns import AnyPattern
from projects.forms import ONE_LINE
from projects.threads import LONGEST


class ReplyForm(forms.Form):
    """An answer, and the name of whoever gives it."""

    name = forms.CharField(
        label="Your name",
        max_length=80,
        strip=True,
        validators=[ONE_LINE],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    body = forms.CharField(
        label="Your comment",
        max_length=LONGEST,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class GuestForm(ReplyForm):
    """A comment on the design or on one of those of its patterns that the reader sees."""

    on = forms.ChoiceField(label="About")

    field_order = ("on", "name", "body")

    def __init__(self, patterns: Iterable[AnyPattern], *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        on = self.fields["on"]
        assert isinstance(on, forms.ChoiceField)
        on.choices = [
            ("design", "the design as a whole"),
            *(
                (f"pattern:{pattern.id}", f"pattern {pattern.number}, {pattern.name}")
                for pattern in patterns
            ),
        ]
