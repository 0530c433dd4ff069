"""The cheapest keys there are for a small design, found by forming every one of them.

It shares nothing with the planner but DynamoDB's rules of price (`sizes`, `units`, `prices`, `limits`) and reads the
design document itself. Every set of attributes is tried as a partition and every order of up to three others behind
it, for the table and for indexes, plain and with only the items that carry a constant, or any of a list that is always
the same, and spread over shards where one partition would run hot; for strong reads also as local indexes; and as whole
copies of the items, for any read where patterns make them. Each index holds what its reads need, or their keys alone
with a second read, or all.
For every legal base key and every way to group the reads onto structures it takes the cheapest structures together. A
pattern about two entities is answered by each of them alone, or in one collection of a shared table, or of an index
that both are in.

What is left out is left out for a reason that can be checked: a key that another beats in every figure that a cost
is made of (`pieces.undominated`), and a choice whose floor is above what has been found (`choice.Under`). No list of
candidates is handed in.

`model` is one entity as its document says it; `legal` are its keys, `uses`, `writes` and `sizes` what reads, writes and
bytes make of one; `pieces` are prices of some reads on one structure, `offers` all of them under a base key, `table`
what lies there anyway; `choice` puts them together, `entity` for every base key, `design` for two entities.
"""

from tests.enumerator.design import cheapest

__all__ = ["cheapest"]
