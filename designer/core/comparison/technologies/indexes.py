"""Global and local secondary indexes."""

from designer.core.comparison.criteria.base import Sides, listed
from designer.core.comparison.side import Side
from designer.core.comparison.technologies.base import Technology
from designer.core.design.document import Design
from designer.core.patterns.base import Read
from designer.core.rational import Fraction
from designer.core.words import figures


class Indexes(Technology):
    slug = "indexes"
    label = "Secondary indexes"
    place = 4
    when = "An access pattern finds items by attributes other than their table's key."
    takes = (
        "You pay again for writing and storing the attributes that an index holds. Global indexes "
        "are updated a moment later."
    )

    def here(self, design: Design, sides: Sides) -> str:
        return " ".join(f"{side.label}: {_serving(side)}." for side in sides)

    def price(self, design: Design, sides: Sides) -> str:
        said = [f"{side.label}: {_paid(side)}." for side in sides if side.indexes]
        if not said:
            return "Nothing."
        strong = [
            p.number for p in design.patterns if isinstance(p, Read) and p.consistency != "eventual"
        ]
        if strong:
            said.append(
                f"No global index can serve {listed(strong)}: a strongly consistent read needs the table or a "
                "local index."
            )
        return " ".join(said)


def _serving(side: Side) -> str:
    kept = f"{figures.count(side.copies, 'copy', 'copies')} of the items instead of indexes"
    if not side.indexes:
        return f"none, but {kept}" if side.copies else "none is needed"
    indexes = [index for table in side.plan.tables for index in table.indexes]
    numbers = sorted({number for index in indexes for number in index.serves})
    said = f"{figures.count(side.indexes, 'index', 'indexes')} for {listed(numbers)}"
    return f"{said}, and {kept}" if side.copies else said


def _paid(side: Side) -> str:
    lines = [line for line in side.bill.structures if line.kind != "table"]
    usd = sum((line.usd_writes + line.usd_storage for line in lines), Fraction(0))
    tables = sum((one.writes.average for one in side.bill.structures), Fraction(0))
    writes = sum((line.writes.average for line in lines), Fraction(0))
    one = len(lines) == 1
    said = f"{figures.money(float(usd))} a month for writing and storing {'it' if one else 'them'}"
    if tables:
        taken = "it takes" if one else "they take"
        said += f"; {taken} {figures.share(float(writes / tables))} of all write units"
    return said
