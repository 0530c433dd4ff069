"""What decisions and findings say, for tests: messages by their ids, whatever their words."""

from designer.core.messages import Message
from designer.core.messages.message import Value
from designer.core.messages.reasoned import Reasoned


def said_in(*messages: Message) -> dict[str, dict[str, Value]]:
    """The values of messages and of all messages in them, by their ids."""
    return {part.id: dict(part.values) for message in messages for part in message.parts()}


def reasons_of(one: Reasoned) -> dict[str, dict[str, Value]]:
    """The values of the reasons, and of all messages in them, by their ids."""
    return said_in(*one.reasons)
