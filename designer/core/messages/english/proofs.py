"""Messages about plans that an engine cannot run, and about engines."""

TEMPLATES = {
    "site-engine-silent": (
        "The DynamoDB endpoint that this site uses for proofs does not answer. See the site's log."
    ),
    "proof-stopped": "The proof was stopped. {reason}",
    "proof-out-of-time": (
        "The proof was stopped. It took more than {seconds} seconds of processor time."
    ),
    "proof-out-of-memory": (
        "The proof was stopped. It took more memory than this site gives to one proof."
    ),
    "no-engine-answers": "No DynamoDB answers at {endpoint}: {problem}",
    "table-refused": "DynamoDB would refuse table {table}: {problems:text}",
    "engine-without-such-keys": (
        "This engine does not support index keys of several attributes, which {index} on {table} has. Prove the plan "
        "on moto or on AWS (DynamoDB Local supports them from release 3.3 on). The engine said: {answer}"
    ),
    "items-collide": "In table {table} two items have the key {key}: {one} and {other}.",
    "case-not-served": "It is not served {given:given}. {reasons:text}",
    "no-operation-for": "No operation is planned for the parameters {parameters}.",
    "item-of-unknown-shape": "Step {step} read an item of unknown shape: {item}.",
    "items-still-found": "The delete still finds items after {rounds} rounds.",
    "not-a-number-to-add": "{expression} is not a number to add.",
    "too-many-in-transaction": "{count} items in one transaction; at most 100 are allowed.",
    "batch-without-conditions": "BatchWriteItem has neither conditions nor updates.",
}
