"""Who people are to a provider of single sign-on."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Identity(models.Model):
    """Whom an OpenID Connect provider means by a subject. Names and addresses change; these two do not."""

    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identities"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="one_account_a_subject")
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"
