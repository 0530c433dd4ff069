"""The form that gives a revision its name."""

from django import forms

from projects.forms import ONE_LINE


class NameForm(forms.Form):
    """A name and what there is to say; both stay as they are."""

    name = forms.CharField(
        label="Name",
        max_length=80,
        validators=[ONE_LINE],
        error_messages={"required": "Enter a name, for example “as shipped 2026-12”."},
    )
    message = forms.CharField(label="Message", max_length=2000, required=False)
