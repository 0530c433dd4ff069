"""The form of the rules by which the designs of a project are approved."""

from django import forms

from designer.forms.bounds import within
from projects.models import ReviewRules

MOST_APPROVALS = 20
MOST_TOLERANCE = 50
"""Per cent. More than that is another load, and no little change of it."""


class ReviewRulesForm(forms.ModelForm):  # type: ignore[type-arg]
    """How many approve, whether authors may, whether open threads stand in the way, and what an approval outlasts."""

    approvals = forms.IntegerField(label="Approvals needed", initial=1, **within(1, MOST_APPROVALS))
    tolerance = forms.IntegerField(
        label="Tolerated change (%)",
        initial=0,
        required=False,
        **within(0, MOST_TOLERANCE),
    )

    def clean_tolerance(self) -> int:
        """Left empty, no figure may change."""
        return self.cleaned_data["tolerance"] or 0

    class Meta:
        model = ReviewRules
        fields = ("approvals", "own", "threads_block", "tolerance")
        labels = {
            "own": "Authors may approve their own work",
            "threads_block": "Every thread must be resolved before anybody approves",
        }
