"""The findings that two designs set aside."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding
from designer.core.difference.base import About, Change, quoted
from designer.core.words.english import ended


def changes(before: Design, after: Design) -> Iterator[Change]:
    old, new = ({_about(one): one for one in each.ignored_findings} for each in (before, after))
    for about, finding in old.items():
        if about not in new:
            sentence = f"{about.name} is no longer ignored."
            yield Change(about, "removed", sentence, before=finding.because, is_wording=True)
    for about, finding in new.items():
        was = old.get(about)
        if was is None:
            sentence = ended(f"{about.name} is now ignored: {quoted(finding.because)}")
            yield Change(about, "added", sentence, after=finding.because, is_wording=True)
        elif was.because != finding.because:
            yield Change(
                about,
                "changed",
                f"{about.name} is ignored for another reason.",
                "because",
                was.because,
                finding.because,
                is_wording=True,
            )


def _about(finding: IgnoredFinding) -> About:
    of = f" about {finding.about}" if finding.about else ""
    return About(
        "ignored finding", f"{finding.rule} {finding.about or ''}", f"Finding {finding.rule}{of}"
    )
