"""Forms of accounts and of one's designs."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    SetPasswordForm,
    UserCreationForm,
    UsernameField,
)
from django.contrib.auth.models import User
from django.core.validators import RegexValidator
from django.db import IntegrityError, transaction

from designer.core.words.english import joined
from projects import accounts
from projects.models import Role

NAME_HINT = "Letters, digits and @ . + - _"
INVITED_HINT = (
    "Used if you forget your password. Your invitation confirms this address; we send an e-mail "
    "to confirm another."
)
PASSWORD_HINT = "At least 8 characters, and not a common password."
DIFFERENT_PASSWORDS = "The two passwords differ."
ADDRESS_ERRORS = {
    "required": "Enter an e-mail address.",
    "invalid": "This is not an e-mail address.",
}
NAME_ERRORS = {
    "required": "Enter a name.",
    "unique": "This name is taken.",
    "invalid": f"A name may contain only {NAME_HINT[:1].lower()}{NAME_HINT[1:]}",
}
PASSWORD_ERRORS = {"required": "Enter a password."}


class AccountForm(UserCreationForm):  # type: ignore[type-arg]
    """A name and a password for somebody whose e-mail address is known."""

    class Meta:
        model = User
        fields: tuple[str, ...] = ("username",)
        labels = {"username": "Name", "email": "E-mail address (optional)"}
        help_texts = {
            "username": NAME_HINT,
            "email": "Used if you forget your password. We send an e-mail to confirm the address.",
        }
        error_messages = {
            "username": NAME_ERRORS,
            "email": ADDRESS_ERRORS,
        }

    error_messages = {
        **UserCreationForm.error_messages,
        "password_mismatch": DIFFERENT_PASSWORDS,
    }

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["password1"].help_text = PASSWORD_HINT
        self.fields["password2"].help_text = ""
        self.fields["password2"].label = "Repeat the password"
        for name in ("password1", "password2"):
            self.fields[name].error_messages |= PASSWORD_ERRORS


class SignUpForm(AccountForm):
    """A name and a password; an e-mail address is not demanded, and the account has none until it is confirmed.

    `invited` is where the letter of an invitation went that its visitor opened: that confirms this very address.
    """

    class Meta(AccountForm.Meta):
        fields = ("username", "password1", "password2", "email")

    def __init__(self, *args: Any, invited: str = "", **given: Any) -> None:
        super().__init__(*args, initial={"email": invited}, **given)
        self.invited = invited
        if invited:
            self.fields["email"].help_text = INVITED_HINT

    @property
    def confirmed(self) -> str:
        """The address that was chosen, where it is confirmed already; otherwise nothing."""
        typed: str = self.cleaned_data["email"]
        return self.invited if typed.lower() == self.invited.lower() else ""

    def clean_email(self) -> str:
        # Whoever reads the letters to an address may be told that it has an account.
        if accounts.owner_of(self.confirmed) is not None:
            raise forms.ValidationError(
                "An account already has this address: sign in to it, or leave this empty."
            )
        email: str = self.cleaned_data["email"]
        return email

    def save(self, commit: bool = True) -> User:
        self.instance.email = self.confirmed
        user: User = super().save(commit)
        return user


class SignInForm(AuthenticationForm):
    """Who signs in, called as when they signed up."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "No account has this name and this password. Both are case-sensitive.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["username"].label = "Name"
        self.fields["username"].error_messages["required"] = "Enter a name."
        self.fields["password"].error_messages |= PASSWORD_ERRORS

    def get_invalid_login_error(self) -> forms.ValidationError:
        # A name may hold an @ too.
        if "@" not in self.cleaned_data["username"]:
            return super().get_invalid_login_error()
        return forms.ValidationError(
            "No account has this name and this password. "
            "Sign in with the name of the account, not with its e-mail address.",
            code="invalid_login",
        )


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password for who came by the link of a letter."""

    error_messages = {
        **SetPasswordForm.error_messages,
        "password_mismatch": DIFFERENT_PASSWORDS,
    }

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["new_password1"].help_text = PASSWORD_HINT
        self.fields["new_password2"].help_text = ""
        self.fields["new_password2"].label = "Repeat the new password"
        for name in ("new_password1", "new_password2"):
            self.fields[name].error_messages |= PASSWORD_ERRORS


class OtherPasswordForm(NewPasswordForm, PasswordChangeForm):
    """A new password for who knows the old one."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "password_mismatch": DIFFERENT_PASSWORDS,
        "password_incorrect": "This is not your current password.",
    }

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["old_password"].widget.attrs.pop("autofocus")
        self.fields["old_password"].label = "Current password"
        self.fields["old_password"].error_messages |= PASSWORD_ERRORS


class EmailForm(forms.Form):
    """An address of a domain that accounts here may have."""

    email = forms.EmailField(label="E-mail address", max_length=254, error_messages=ADDRESS_ERRORS)

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if not accounts.is_allowed(email):
            domains = joined(settings.SIGN_UP_DOMAINS, "or")
            raise forms.ValidationError(f"Accounts here need an address of {domains}.")
        return email


class ForgottenForm(forms.Form):
    """Whose password is forgotten."""

    email = forms.EmailField(label="E-mail address", max_length=254, error_messages=ADDRESS_ERRORS)


class CheckedForm(forms.Form):
    """What only somebody does who knows the password, where there is one: a session left open is not enough."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages=PASSWORD_ERRORS,
    )

    def __init__(self, user: User, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("That is not your password.")
        return password


class AddressForm(CheckedForm, EmailForm):
    """Another e-mail address for one's account."""

    field_order = ("email", "password")


class ProfileForm(forms.ModelForm[User]):
    """What others see of an account."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": UsernameField}
        labels = {"username": "Name"}
        help_texts = {"username": f"{NAME_HINT}. Others see it with your edits and comments."}
        error_messages = {"username": NAME_ERRORS}

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        others = User.objects.exclude(pk=self.instance.pk)
        if others.filter(username__iexact=username).exists():
            raise forms.ValidationError("This name is taken.")
        return username


def is_saved(form: AccountForm | ProfileForm) -> bool:
    """Save the account of a valid form. False where somebody took its name since the form looked: it says so then."""
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError:
        form.full_clean()
        if form.is_valid():
            raise
        return False
    return True


ONE_LINE = RegexValidator(
    r"^[^\x00-\x1f\x7f\x85\u2028\u2029]*\Z",
    "A name is one line of text, without control characters.",
)


class NameForm(forms.Form):
    """What a design, a team or a project is called."""

    name = forms.CharField(
        label="Name",
        max_length=200,
        strip=True,
        validators=[ONE_LINE],
        error_messages={"required": "Enter a name."},
    )


INVITED = [each for each in Role.choices if each[0] != Role.OWNER]


class RoleForm(forms.Form):
    """What a member of a team is."""

    role = forms.ChoiceField(label="Role", choices=Role.choices)


class LinkForm(forms.Form):
    """What those become who join by a link."""

    role = forms.ChoiceField(label="Role", choices=INVITED, initial=Role.EDITOR)


class InvitationForm(LinkForm):
    """Who is invited by a letter, as what."""

    email = forms.EmailField(label="E-mail address", max_length=254, error_messages=ADDRESS_ERRORS)
    field_order = ("email", "role")
