"""Forms of accounts and of one's designs."""

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.core.validators import RegexValidator

from projects.models import Role


class SignUpForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """A name and a password; no e-mail address is asked for."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": "Name"}

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["username"].help_text = "Letters, digits and @ . + - _"
        self.fields["password1"].help_text = "At least 8 characters, and no common word."
        self.fields["password2"].help_text = ""


ONE_LINE = RegexValidator(
    r"^[^\x00-\x1f\x7f]*\Z", "A name is one line of text, without control characters."
)


class NameForm(forms.Form):
    """What a design, a team or a project is called."""

    name = forms.CharField(label="Name", max_length=200, strip=True, validators=[ONE_LINE])


INVITED = [each for each in Role.choices if each[0] != Role.OWNER]


class RoleForm(forms.Form):
    """What a member of a team is."""

    role = forms.ChoiceField(label="Role", choices=Role.choices)


class LinkForm(forms.Form):
    """What those become who join by a link."""

    role = forms.ChoiceField(label="Role", choices=INVITED, initial=Role.EDITOR)


class InvitationForm(LinkForm):
    """Who is invited by a letter, as what."""

    email = forms.EmailField(label="E-mail address", max_length=254)
    field_order = ("email", "role")
