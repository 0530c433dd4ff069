"""How hot the keys of a plan run, and how traffic on a key spreads over partitions.

`keys` reads a design and its plan: the units a second that every table and index takes on its hottest key value at
peak, who makes them and what helps. `spread` simulates any key, from a design or not, over partitions and seconds.
`picture` and `spread_picture` draw both.

A partition serves 3,000 read and 1,000 write units a second, however much capacity the table has:
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
"""
