"""Messages of an import's report: what was taken from a file, guessed, not found in it, or dropped."""

TEMPLATES = {
    # What hints at an access pattern.
    "hint-at-line": "{hint}, line {line}",
    "hint-named": "{hint} {name}",
    "hint-primary-key": "primary key",
    "hint-unique": "unique",
    "hint-foreign-key": "foreign key",
    "hint-index": "index",
    "hint-full-text-index": "full-text index",
    "hint-table": "table",
    # The file as a whole.
    "sql-read-as": "The SQL is read as {dialect}.",
    "sql-dump-cut-off": (
        "The file is cut off: the end of the dump is missing. Keys and references are often in that part."
    ),
    "sql-skipped": "Statements that do not define tables were skipped: {statements:commas}.",
    "sql-skipped-kind": "{what} ({count:,})",
    "sql-left-out": "The {what} is left out. {instead}",
    "sql-view-instead": "What it selects can become an access pattern.",
    "sql-trigger-instead": (
        "DynamoDB has no triggers: the writes, or a consumer of the stream, do its work."
    ),
    "sql-code-instead": "The application runs such code itself.",
    "sql-unread-statement": "This statement could not be read.",
    "sql-unread-table-change": (
        "This change to the table could not be read; check what it changes."
    ),
    "sql-unread-column-change": (
        "This change to a column could not be read; check what it changes."
    ),
    "schema-tooling": (
        "{tool} records here what it did to the schema. It is not part of the application's model."
    ),
    "lists-read-by-page": (
        "Lists are read {page} at a time, newest first if a column holds the creation time."
    ),
    "all-mutable": "All attributes are mutable, except keys, references and creation times.",
    "half-of-length": (
        "Text with a maximum length is assumed to take half of that on average, but no more than {most} bytes."
    ),
    "some-names": "{names:commas}",
    "some-names-and-more": "{names:commas} and {more:,} more",
    # Tables and entities.
    "entity-taken": "The entity {entity}, identified by {identifier:joined}: {attributes:commas}.",
    "rows-counted": (
        "{count:,} {count:item|items}, counted from the rows in the file. The rows were not kept."
    ),
    "entity-renamed": "Another table is called {wanted} too, so this one is {name}.",
    "identified-by-unique": (
        "The table has no primary key, so {identifier:joined}, which is unique, identifies its items."
    ),
    "identified-by-new-id": (
        "The table has no key that DynamoDB can use, so its items get one: {name}, a UUID."
    ),
    "temporary-table": "A temporary table holds nothing for long.",
    "partition-of": "A partition of {table}: DynamoDB partitions by itself.",
    "partition": "A partition of another table: DynamoDB partitions by itself.",
    "table-of-query": "A table made from a query has no columns of its own here.",
    "columns-of-absent": "It has the columns of {table}, which is not in this file.",
    "columns-of-unnamed": "It has the columns of another table, which is not in this file.",
    "columns-of": (
        "It has the columns of {table} and is an entity of its own: reads of {table} do not find its items."
    ),
    "absent-table-changed": "It changes a table that is not in this file.",
    # Columns and attributes.
    "attribute-renamed": (
        "The attribute is called {name}: a design's names consist of letters, digits and _."
    ),
    "search-vector": "A search vector is derived from text; a search engine keeps its own.",
    "identifier-as-text": (
        "It identifies the {entity}, so it is text: a key is text, a number or bytes."
    ),
    "type-unknown": "The type is {type}, which DynamoDB does not have: kept as text.",
    "type-missing": "The column has no type: kept as text.",
    "kept-as-map": "{type} is kept as a map.",
    "fields-as-map": "A type of several fields is kept as a map.",
    "values-left-out": (
        "Its list of values is left out: some are empty, too long or of another type."
    ),
    "taken-for-uuid": "Treated as a UUID, because it identifies something and has 36 characters.",
    "taken-for-email": "Treated as an e-mail address because of its name.",
    "taken-for-url": "Treated as a URL because of its name.",
    "type-of-reference": (
        "{attribute} gets the type of the attribute that it refers to, instead of its own."
    ),
    "check-not-kept": "{check} is not kept: the application must check it.",
    "defaults": ("Default values, which the application must set from now on: {defaults}."),
    "computed": "{column} is computed from {expression}; the application must write it from now on.",
    "without-capitals": (
        "The database ignores case in {columns}. DynamoDB compares bytes: store lowercase text."
    ),
    "large-bytes": (
        "An item is at most 400 KB: if {columns} may be larger, keep it in S3 and its object key here."
    ),
    "no-auto-increment": (
        "DynamoDB has no auto-increment, which the database uses for {columns}: let the application generate "
        "identifiers, such as UUIDs or ULIDs, or keep a counter in an item."
    ),
    # Uniqueness and indexes.
    "unique-alone": "{entity}.{attribute} is unique.",
    "unique-together": "{entity}.{attribute} is unique within {scope:joined}.",
    "unique-together-left-out": (
        "{columns:joined} are unique together, which the design leaves out: {reason}."
    ),
    "together-not-all-kept": "it does not have all of them",
    "together-unique-without": "{columns:joined} {columns:is|are} unique without the others",
    "together-unfit": (
        "{column} is not text, a number or bytes, and the key of a guard item must be"
    ),
    "together-too-many": "a scope has at most {most} attributes",
    "together-taken": (
        "each of them is unique within others already, and an attribute has one scope"
    ),
    "unique-where": (
        "{columns:joined} {columns:is unique|are unique together} only where {condition}, which the design leaves out."
    ),
    "index-of-absent-table": "An index on a table that is not in this file.",
    "index-of-expression": "An index on an expression: add an attribute that holds its value.",
    "unique-index-of-expression": (
        "An index on an expression: add an attribute that holds its value, which is unique."
    ),
    "index-unfit": (
        "No access pattern follows from this index: a DynamoDB key cannot hold {columns:joined}."
    ),
    "index-of-some": (
        "The index holds only rows where {condition}; the access pattern that it proposes reads all rows."
    ),
    # References and relationships.
    "has-many": "{parent:A} has many {child:several}, by {by:joined}.",
    "has-one": "{parent:A} has at most one {child}.",
    "has-many-to-many": "{one} and {other} have a many-to-many relationship, through {through}.",
    "refers-to-absent": "It refers to {table}, which is not in this file.",
    "reference-mismatched": "Its columns and those that it refers to do not match.",
    "reference-rules": (
        "{rules:commas}: DynamoDB does not change children by itself; let a write or a stream consumer do it."
    ),
    "reference-circle": (
        "It and others refer to each other in a circle; this reference to {entity} is left out."
    ),
    "reference-to-unique": (
        "It refers to what is unique in {entity}, not to its identifier; it stays a reference."
    ),
    "references-unchecked": (
        "DynamoDB does not check references: an item may refer to one that does not exist, and a parent may be "
        "deleted before its children. Where that matters, a transaction checks it."
    ),
    "references-followed": (
        "ON UPDATE CASCADE, of {columns}: the key of an item cannot change. To change an identifier, write a new "
        "item, change what refers to it, and delete the old item."
    ),
    # What a design states and no schema does.
    "items-missing": "How many {entities:several} there are.",
    "children-missing": "How many children a parent has, on average and at most.",
    "rates-missing": (
        "How often each access pattern runs, on average and at peak: without rates, nothing has a price."
    ),
    "nulls-missing": (
        "How many items have a value in {columns:this nullable column|these nullable columns}: {columns:commas}."
    ),
    "bytes-missing": (
        "How many bytes {count:this column takes|these columns take} on average: {columns}."
    ),
    "patterns-left-out": (
        "{count:,} more {count:access pattern|access patterns}: a design holds {most:,}."
    ),
    "pattern-not-proposed": "The access pattern cannot be proposed: {problem}.",
}
