"""Videos and their comments, of which tests ask what changes often and is asked for alone."""

from collections.abc import Sequence

from designer.core.design.document import Design
from tests.core.priced import numbered

COMMENT = {
    "name": "Comment",
    "identifier": ["videoId", "commentId"],
    "items": 400_000,
    "attributes": [
        {"name": "videoId", "format": "ulid", "refers_to": "Video.videoId"},
        {"name": "commentId", "format": "ulid"},
        {"name": "text", "bytes": 100},
    ],
}
ABOUT = {"name": "about", "one": "Video", "many": "Comment", "average": 4}
OF_VIDEO = [{"attribute": "videoId", "is": {"param": "videoId"}}]
OF_CHANNEL = [{"attribute": "channel", "is": {"param": "channel"}}]


def with_comments(
    *patterns: dict, video: dict, others: Sequence[dict] = (), **planner: object
) -> Design:
    """A design of videos such as this one, their comments and other entities, with settings of the planner."""
    return Design.model_validate(
        {
            "name": "Videos",
            "entities": [video, *others, COMMENT],
            "relationships": [ABOUT],
            "patterns": numbered(patterns),
            "planner": planner,
        }
    )
