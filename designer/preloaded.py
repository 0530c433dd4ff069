"""What child processes have loaded before they are begun, so that nobody waits for it: the core, without Django."""

# ruff: noqa: F401
import designer.core.anchors
import designer.core.comparison.compare
import designer.core.comparison.turning
import designer.core.cost.account
import designer.core.difference
import designer.core.evaluation.evaluate
import designer.core.exporters
import designer.core.exporters.pdf.fetching
import designer.core.grid
import designer.core.heat.keys
import designer.core.importers
import designer.core.migration
import designer.core.planner.what_if.alternatives
import designer.core.planner.what_if.why_not
from designer.garbage import search_seldom

search_seldom()
