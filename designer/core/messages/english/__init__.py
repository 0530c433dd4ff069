"""Messages in English: a file of templates for each subject, by the ids of their messages.

A template has its values in braces, each with its form after a colon: `{patterns:Pattern}` is "Patterns 1 and 3", and
`{patterns:reads|read}` is the first word for one of them and the second for several. `rendering` lists the forms.
"""
