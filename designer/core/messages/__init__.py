"""Sentences as data: what is said has an id and values, and becomes words only where a person reads it.

A message keeps numbers as numbers, names as names and keys as keys, so that programs and tests compare these instead
of words. The words stand in a folder for each language, one file for each subject. Another language is another folder.
"""

from designer.core.messages.english.rendering import key_parts, said, text
from designer.core.messages.message import KeyWords, Message, Value, say

__all__ = ["KeyWords", "Message", "Value", "key_parts", "said", "say", "text"]
