"""What is said of a design and its plan in documents, section by section, for any format.

A section is plain data (`blocks`): Markdown writes it as it is, the PDF lays it out. So both say the same, and the same
as the pages, whose figures come from the same places.
"""
