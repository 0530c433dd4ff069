"""Published designs beside ours: the same patterns, priced by the same rules.

A folder holds a case a file: `NAME.yaml` is the design document of what a published design is asked,
and `NAME.mixes.yaml`, where there is one, says in which mixes its patterns may come.
"""
