"""What child processes have loaded before they are begun, so that nobody waits for it: the core, without Django."""

# ruff: noqa: F401
import gc

import designer.core.anchors
import designer.core.comparison.compare
import designer.core.comparison.turning
import designer.core.cost.account
import designer.core.difference
import designer.core.evaluate
import designer.core.exporters
import designer.core.exporters.pdf.fetching
import designer.core.grid
import designer.core.heat.keys
import designer.core.migration
import designer.core.planner.alternatives
import designer.core.planner.why

# A plan is hundreds of thousands of objects, nearly all of them needed to its end. By Python's own limits (700, 10, 10)
# they are searched for garbage over and over, for a fifth of the time and in pauses of 0.1 s.
gc.set_threshold(50_000, 20, 100)
