"""The form of the rules by which the designs of a project are approved."""

from django import forms

from projects.models import ReviewRules

MOST_APPROVALS = 20


class ReviewRulesForm(forms.ModelForm):  # type: ignore[type-arg]
    """How many approve, whether authors may, and whether open threads stand in the way."""

    approvals = forms.IntegerField(
        label="Approvals needed", min_value=1, max_value=MOST_APPROVALS, initial=1
    )

    class Meta:
        model = ReviewRules
        fields = ("approvals", "own", "threads_block")
        labels = {
            "own": "Authors may approve their own work",
            "threads_block": "Every thread must be resolved before anybody approves",
        }
