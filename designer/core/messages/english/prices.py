"""Messages about why something else was not chosen: its price, and what it would do to requests and partitions."""

TEMPLATES = {
    "no-better": "costs the same and has no advantage",
    "costs-more": "costs {usd:dearer} a month more",
    "costs-less": "costs {usd:dearer} a month less",
    "costs-slightly-more": "costs {usd:dearer} a month more",
    "costs-slightly-less": "costs {usd:dearer} a month less",
    "about-the-same-cost": "costs about the same",
    "saves-too-little": "{price}, which is too little to be worth it",
    "cheaper-but-more-requests": "is cheaper, but an access pattern without a rate takes more requests",
    "does-not-serve-all": "does not serve every access pattern",
    "exceeds-request-limit": (
        "exceeds the request limit of an access pattern; raise that limit to allow it"
    ),
    "overloads-partition": (
        "overloads a partition, which serves {writes:,} write and {reads:,} read units a second; its key would need "
        "more values, or fewer requests at peak"
    ),
    "would-overload-partition": (
        "overloads a partition: at peak it would take {peak}, but a partition serves {writes:,} write and {reads:,} "
        "read units"
    ),
    "write-units-a-second": "{writes:,.0f} write units a second",
    "read-units-a-second": "{reads:,.0f} read units a second",
    "units-a-second": "{writes:,.0f} write and {reads:,.0f} read units a second",
}
