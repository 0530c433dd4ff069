"""Free text in templates: on one line for comments, escaped for quoted strings."""


def flat(text: str) -> str:
    """The text on one line, without control, formatting and line-separating characters.

    >>> flat("one\\r\\ntwo\\u2028three\\u202efour")
    'one two three four'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def escaped(text: str) -> str:
    """The text for between double quotes, with the escapes that YAML and HCL have in common.

    >>> print(escaped('a "b"\\n\\\\ \\u2028'))
    a \\"b\\"\\n\\\\ \\u2028
    """
    return "".join(_character(character) for character in text)


def _character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
