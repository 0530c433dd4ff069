"""What a command says when it does not do as asked."""

from django.core.management.base import CommandError

from designer.core.messages import Message, text


class CommandRefusedError(CommandError):
    """A command that ends, with the reason as data."""

    def __init__(self, reason: Message) -> None:
        super().__init__(text(reason))
        self.reason = reason
