"""A number that is part of a composed key and whose digits are not stated."""

from designer.core.lint.base import Topic


class NumberWithoutDigits(Topic):
    id = "number-without-digits"
    severity = "warning"
    title = "Number in a key without stated digits"
    about = "attribute"
    what = (
        "A number is part of a key that is composed as text, and neither `digits` nor both `minimum` and `maximum`"
        " are stated, so it is padded to 38 digits."
    )
    why = (
        "Text sorts by its bytes, so numbers in it are written at one width. Without stated digits that width is 38 "
        "bytes, in every key and every index entry."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html"
    cure = "State its smallest and its greatest value, or how many digits it can have."
