"""A number that is part of a composed key and whose digits are not stated."""

from designer.core.lint.base import Topic


class NumberWithoutDigits(Topic):
    id = "number-without-digits"
    severity = "warning"
    title = "Number without stated digits"
    about = "attribute"
    what = (
        "A number is part of a key composed as text. The design states neither its number of digits nor its range "
        "(minimum and maximum), so the plan pads it to 38 digits."
    )
    why = (
        "Text sorts by its bytes, so all numbers in a text key need the same width. Without stated digits, that "
        "width is 38 bytes in every key and every index entry."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html"
    cure = "State the smallest and the largest value, or the number of digits."
