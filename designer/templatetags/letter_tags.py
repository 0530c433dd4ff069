"""What pages say of letters that cannot be sent now."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from designer.templatetags.designer_tags import icon
from projects import mail, workers

register = template.Library()


@register.simple_tag
def letters_wait() -> SafeString | str:
    """A notice while no worker sends letters; empty otherwise."""
    if workers.is_at_work(mail.QUEUE):
        return ""
    return format_html(
        '<p class="notice-line is-warning">{} <span>This site is not sending e-mails at the moment. It keeps them'
        " and sends them later. Whoever runs this site can start <code>manage.py worker</code>, which "
        "sends them.</span></p>",
        icon("triangle-alert"),
    )
