"""Messages of the commands: what they did, or why they do not do what was asked."""

TEMPLATES = {
    "lines": "{lines:lines}",
    "problem-of-file": "{place}: {problem}",
    "design-file-unreadable": (
        "{name} cannot be read: {problem}. Name a file, - for standard input, or gallery:SLUG."
    ),
    "file-unreadable": "{name} cannot be read: {problem}.",
    "file-unwritable": "{name} cannot be written: {problem}.",
    "output-unwritable": (
        "{name} cannot be written: {problem}. Name a file in an existing folder, or - for standard output."
    ),
    "not-in-gallery": (
        "There is no design `{slug}` in the gallery. The command gallery lists them."
    ),
    "not-in-gallery-but": (
        "There is no design `{slug}` in the gallery; did you mean `{close}`? The command gallery lists them."
    ),
    "findings-are-errors": (
        "{count:,} of {of:,} {of:finding|findings} {count:is an error|are errors}."
    ),
    "findings-are-grave": (
        "{count:,} of {of:,} {of:finding|findings} {count:is a warning or an error|are warnings or errors}."
    ),
    "findings-left": "There {count:is|are} {count:,} {count:finding|findings}.",
    "export-without-alarms": "{target} cannot contain alarms: leave out --alarms.",
    "export-without-tables": "{target} deploys no tables: leave out --maximum.",
    "export-without-appendix": "{target} has no appendix: leave out --no-appendix.",
    "plan-has-errors": "The file is written, but the plan has errors:",
    "error-of-plan": "{place}: {problem} {solution}",
    "lock-needs-file": "--lock writes the names into the design's file, so name a file.",
    "design-or-all": "Name a DESIGN, or give --all for the whole gallery.",
    "not-a-port": "“{typed}” is not a port; write 9100 or 0.0.0.0:9100.",
    "queues-are": "the queues are {names:joined}",
    "sandboxes-removed": "Removed {count} {count:sandbox|sandboxes}.",
    "finding-pages-written": "{count} {count:page|pages} written to {folder}; {removed} removed.",
    "plan-of-style": "{design} ({style})",
    "plan-not-serving": "{plan}, which does not serve {patterns:pattern}",
    "not-proven": "Not proven: {plans:semicolons}.",
    "units-differ": "The request units differ from the prediction: {plans:commas}.",
}
