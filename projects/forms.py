"""Forms of accounts and of one's designs."""

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User


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


class NewDesignForm(forms.Form):
    """What a design made from nothing is called."""

    name = forms.CharField(label="Name", max_length=200, strip=True)
