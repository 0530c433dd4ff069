"""What in a design makes planning take long."""

from designer.core.design.document import Design


def heavy(design: Design) -> tuple[str, ...]:
    """Sentences about what makes planning long, the worst first: at least one, at most three."""
    return (f"The design has {len(design.patterns)} access patterns.",)
