"""SQL schemas become designs, and the report says what of them did not."""

import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from designer.core.design.bounds import RELATIONSHIPS
from designer.core.design.check import flaws
from designer.core.design.load import load
from designer.core.errors import DesignError
from designer.core.importers import IMPORTERS, Imported, modelling, only, read
from designer.core.importers.naming import entity_name
from designer.core.messages import Message, say
from designer.core.planner import plan
from designer.core.words.spoken import spoken, with_article

SCHOOL = """
CREATE TYPE public.level AS ENUM ('beginner', 'expert');
CREATE TABLE public.pupils (
    pupil_id uuid NOT NULL,
    email character varying(80) NOT NULL,
    class_level public.level DEFAULT 'beginner' NOT NULL,
    state text,
    joined date,
    CONSTRAINT known_state CHECK (((state)::text = ANY ((ARRAY['IN'::character varying, 'OUT'::varchar])::text[])))
);
COMMENT ON TABLE public.pupils IS 'Who learns here.';
COMMENT ON COLUMN public.pupils.joined IS 'The first day.';
CREATE TABLE public.courses (
    id bigint NOT NULL,
    price numeric(8,2),
    words tsvector
);
CREATE TABLE public.enrolments (
    pupil_id uuid NOT NULL,
    course_id integer NOT NULL,
    created_at timestamp without time zone
);
CREATE TABLE public.fees (id serial PRIMARY KEY, pupil_id uuid, due_at timestamptz, total money);
COPY public.courses (id, price, words) FROM stdin;
1\t2.00\t'a;'
2\t3.00\t\\N
\\.
ALTER TABLE ONLY public.pupils ADD CONSTRAINT pupils_pkey PRIMARY KEY (pupil_id);
ALTER TABLE ONLY public.courses ADD CONSTRAINT courses_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.enrolments ADD CONSTRAINT enrolments_pkey PRIMARY KEY (pupil_id, course_id);
CREATE UNIQUE INDEX one_email ON public.pupils USING btree (email);
CREATE INDEX fees_due ON public.fees USING btree (pupil_id, due_at DESC);
CREATE VIEW public.debtors AS SELECT 1;
CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM x; END; $$ LANGUAGE plpgsql;
ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT to_pupil FOREIGN KEY (pupil_id) REFERENCES public.pupils(pupil_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.enrolments ADD CONSTRAINT to_course FOREIGN KEY (course_id) REFERENCES public.courses(id);
ALTER TABLE public.fees ADD FOREIGN KEY (pupil_id) REFERENCES public.pupils;
"""
SHOP = """
CREATE TABLE `orders` (
  `id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'counts up',
  `buyer` varchar(20) NOT NULL,
  `status` enum('NEW','SENT') DEFAULT 'NEW',
  `is_gift` tinyint(1) NOT NULL,
  PRIMARY KEY (`id`), UNIQUE KEY `buyer_once` (`buyer`,`status`), KEY `by_status` (`status`)
) ENGINE=InnoDB COMMENT='what was bought';
INSERT INTO `orders` VALUES (1,'it\\'s; me','NEW',0),(2,'you','SENT',1);
CREATE TABLE `order_lines` (`order_id` int unsigned, `line` smallint, PRIMARY KEY (`order_id`,`line`),
  CONSTRAINT `of_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`));
DELIMITER ;;
CREATE TRIGGER watch BEFORE INSERT ON orders FOR EACH ROW BEGIN SET NEW.id = 1; END ;;
DELIMITER ;
"""


def read_sql(text: str, variant: str = "") -> Imported:
    found = read(text.encode(), "made up.sql", variant=variant)
    assert flaws(found.design) == []
    return found


def said(found: Imported, kind: str) -> list[str]:
    return [str(line) for line in found.lines if line.kind == kind]


def messages(found: Imported, kind: str) -> list[Message]:
    return [line.message for line in found.lines if line.kind == kind]


@pytest.fixture(scope="module")
def school() -> Imported:
    return read_sql(SCHOOL)


def test_tables_become_entities_in_the_singular(school: Imported) -> None:
    assert [e.name for e in school.design.entities] == ["Pupil", "Course", "Enrolment", "Fee"]
    assert school.design.entity["Enrolment"].identifier == ("pupil_id", "course_id")
    assert school.design.entity["Pupil"].description == "Who learns here."
    assert school.design.entity["Pupil"].by_name["joined"].description == "The first day."


def test_types_values_and_uniques_are_kept(school: Imported) -> None:
    pupil = school.design.entity["Pupil"].by_name
    assert (pupil["pupil_id"].type, pupil["pupil_id"].format) == ("S", "uuid")
    assert pupil["class_level"].values == ("beginner", "expert")
    assert pupil["state"].values == ("IN", "OUT")
    assert pupil["email"].unique
    assert any("one_email: Pupil.email is unique." in line for line in said(school, "taken"))
    price = school.design.entity["Course"].by_name["price"]
    assert (price.type, price.digits, price.scale) == ("N", 8, 2)


def test_foreign_keys_become_relationships_and_a_junction_many_to_many(school: Imported) -> None:
    by_child = {each.child: each for each in school.design.relationships}
    assert by_child["Enrolment"].many == ("Pupil", "Course")
    assert (by_child["Fee"].one, by_child["Fee"].by) == ("Pupil", "pupil_id")


def test_rows_are_counted_and_their_values_not_kept(school: Imported) -> None:
    assert school.design.entity["Course"].items == 2
    assert school.design.entity["Pupil"].items is None
    assert not any(a.examples for e in school.design.entities for a in e.attributes)


def test_what_is_left_out_is_said_with_its_line(school: Imported) -> None:
    dropped = " ".join(said(school, "dropped"))
    lines = SCHOOL.split("\n")
    view = next(at for at, line in enumerate(lines, 1) if "CREATE VIEW" in line)
    assert f"line {view}, public.debtors: The view is left out" in dropped
    assert "f: The function is left out" in dropped
    assert "courses.words: A search vector" in dropped
    assert "to_pupil: ON DELETE CASCADE" in dropped
    assert any("How many Pupils" in line for line in said(school, "missing"))


def test_each_key_reference_and_index_proposes_a_pattern(school: Imported) -> None:
    names = {pattern.name for pattern in school.design.patterns}
    assert {
        "Get a pupil by pupil_id",
        "Get a pupil by email",
        "List enrolments of a course, newest first",
        "List fees of a pupil",
        "List fees by pupil_id and in a range of due_at",
        "Create a fee",
        "Delete a fee",
    } <= names
    assert all(
        pattern.rate is None for pattern in school.design.patterns if pattern.kind != "elsewhere"
    )


def test_unticked_patterns_are_left_out_and_the_rest_is_planned(school: Imported) -> None:
    some = only(school.design, {2, 3})
    assert [pattern.number for pattern in some.patterns] == [1, 2]
    planned = plan(only(school.design, school.usual), "single")
    assert [f.message for f in planned.findings if f.severity == "error"] == []


def test_mysql_is_told_by_its_marks() -> None:
    found = read_sql(SHOP)
    assert say("sql-read-as", dialect="MySQL or MariaDB") in messages(found, "guessed")
    order = found.design.entity["Order"]
    assert order.items == 2
    assert order.description == "what was bought"
    assert order.by_name["status"].values == ("NEW", "SENT")
    assert order.by_name["is_gift"].type == "BOOL"
    assert order.by_name["id"].description == "counts up"
    (lines,) = found.design.relationships
    assert lines.identifying
    assert any("watch: The trigger is left out" in line for line in said(found, "dropped"))
    assert order.by_name["buyer"].unique_within == ("status",)
    assert any("buyer_once" in line and "unique within" in line for line in said(found, "taken"))


TOGETHER = """
CREATE TABLE accounts (id uuid PRIMARY KEY, title text NOT NULL);
CREATE TABLE projects (
  id uuid PRIMARY KEY, account_id uuid NOT NULL REFERENCES accounts (id), name text NOT NULL, slug text, place int,
  code text UNIQUE, open boolean,
  UNIQUE (name, account_id), UNIQUE (account_id, name), UNIQUE (account_id, slug),
  CONSTRAINT places UNIQUE (slug, place),
  CONSTRAINT with_code UNIQUE (account_id, code),
  CONSTRAINT with_id UNIQUE (id, name),
  CONSTRAINT with_flag UNIQUE (place, open)
);
"""


def test_sqlite_is_told_by_how_its_triggers_name_a_row() -> None:
    text = """CREATE TABLE a (id INT PRIMARY KEY, seen TIMESTAMP);
    CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET seen = DATETIME('NOW') WHERE rowid = new.rowid; END;"""
    assert say("sql-read-as", dialect="SQLite") in messages(read_sql(text), "guessed")


def test_columns_that_are_unique_together_are_a_scope_and_a_value() -> None:
    found = read_sql(TOGETHER)
    project = found.design.entity["Project"].by_name
    assert project["name"].unique_within == ("account_id",)
    assert project["slug"].unique_within == ("account_id",)
    assert project["place"].unique_within == ("slug",)
    assert sum("is unique within" in line for line in said(found, "taken")) == 3
    left = {
        name: [line for line in said(found, "dropped") if name in line]
        for name in ("with_code", "with_id", "with_flag")
    }
    assert all(len(lines) == 1 for lines in left.values()), left
    assert "code is unique without the others" in left["with_code"][0]
    (by_name,) = (
        one for one in found.design.patterns if one.name == "Get a project by name and account_id"
    )
    assert by_name.kind == "get"


TOOLING = """
CREATE TABLE public.schema_migrations (version bigint PRIMARY KEY, inserted_at timestamp);
CREATE TABLE flyway_schema_history (installed_rank int PRIMARY KEY);
"""


def test_tables_of_migration_tools_are_left_out_with_a_line_each() -> None:
    found = read_sql(f"{TOOLING}CREATE TABLE rooms (id int PRIMARY KEY);")
    assert list(found.design.entity) == ["Room"]
    tools = [each for each in messages(found, "dropped") if each.id == "schema-tooling"]
    assert tools == [
        say("schema-tooling", tool="Rails, Ecto or golang-migrate"),
        say("schema-tooling", tool="Flyway"),
    ]
    assert list(read_sql(TOOLING).design.entity) == ["SchemaMigration", "FlywaySchemaHistory"]
    kept = read_sql(
        f"{TOOLING}CREATE TABLE runs (id int PRIMARY KEY, of_version bigint"
        " REFERENCES schema_migrations);"
    )
    assert list(kept.design.entity) == ["SchemaMigration", "Run"]


def test_a_model_with_scopes_is_planned_and_kept_unique() -> None:
    found = read_sql(TOGETHER)
    made = plan(only(found.design, found.usual), "single")
    guards = {
        shape.guards for table in made.tables for shape in table.items if shape.role == "guard"
    }
    assert ("account_id", "name") in guards
    assert [one.message for one in made.findings if one.severity == "error"] == []


def test_sqlite_with_a_trigger_and_references_without_columns() -> None:
    text = """CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, name);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INT REFERENCES a) WITHOUT ROWID;
    CREATE TRIGGER t AFTER INSERT ON b BEGIN UPDATE a SET name = 1; DELETE FROM b; END;
    CREATE TABLE c (x TEXT);"""
    found = read_sql(text)
    assert [e.name for e in found.design.entities] == ["A", "B", "C"]
    assert found.design.relationships[0].by == "a_id"
    assert found.design.entity["C"].identifier == ("id",)
    assert say("identified-by-new-id", name="id") in messages(found, "guessed")


def test_names_that_meet_are_told_apart() -> None:
    text = "CREATE TABLE user (id int primary key); CREATE TABLE users (id int primary key);"
    text += 'CREATE TABLE "ünï-codes" ("prïce €" int primary key, "price " int);'
    found = read_sql(text)
    assert [e.name for e in found.design.entities] == ["User", "User2", "UniCode"]
    assert say("entity-renamed", wanted="User", name="User2") in messages(found, "guessed")


def test_tables_that_refer_to_each_other_and_to_themselves() -> None:
    text = """CREATE TABLE a (id int PRIMARY KEY REFERENCES b(id), up int REFERENCES a(id));
    CREATE TABLE b (id int PRIMARY KEY REFERENCES a(id));"""
    found = read_sql(text)
    assert "reference-circle" in {each.id for each in messages(found, "dropped")}


DIALECTS = ("PostgreSQL", "MySQL or MariaDB", "SQLite", "SQL Server")
SQL_SERVER = """
USE [Shop]
GO
CREATE TABLE [dbo].[Customers](
\t[CustomerId] [int] IDENTITY(1,1) NOT NULL,
\t[Name; odd] [nvarchar](100) NOT NULL,
\t[Email] [nvarchar](255) NULL,
\t[IsActive] [bit] NOT NULL,
\t[Uid] [uniqueidentifier] ROWGUIDCOL NOT NULL,
\t[SysStart] [datetime2](7) GENERATED ALWAYS AS ROW START HIDDEN NOT NULL,
 CONSTRAINT [PK_Customers] PRIMARY KEY CLUSTERED ([CustomerId] ASC)
 WITH (PAD_INDEX = OFF, ALLOW_ROW_LOCKS = ON) ON [PRIMARY],
 CONSTRAINT [UQ_Email] UNIQUE NONCLUSTERED ([Email] ASC)
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
CREATE TABLE [dbo].[Orders](
\t[OrderId] [bigint] NOT NULL PRIMARY KEY,
\t[CustomerId] [int] NOT NULL,
\t[Status] [varchar](20) NOT NULL,
\t[PlacedAt] [datetime] NOT NULL,
\tINDEX [IX_Status] NONCLUSTERED ([Status])
)
GO
CREATE NONCLUSTERED INDEX [IX_Placed] ON [dbo].[Orders] ([CustomerId] ASC, [PlacedAt] DESC)WITH (PAD_INDEX = OFF)
GO
ALTER TABLE [dbo].[Customers] ADD  CONSTRAINT [DF_Active]  DEFAULT ((1)) FOR [IsActive]
GO
ALTER TABLE [dbo].[Orders]  WITH CHECK ADD  CONSTRAINT [FK_Buyer] FOREIGN KEY([CustomerId])
REFERENCES [dbo].[Customers] ([CustomerId])
GO
ALTER TABLE [dbo].[Orders] CHECK CONSTRAINT [FK_Buyer]
GO
ALTER TABLE [dbo].[Orders]  WITH CHECK ADD  CONSTRAINT [CK] CHECK  (([Status]='done' OR [Status]='open'))
GO
INSERT [dbo].[Customers] ([CustomerId]) VALUES (1)
GO
INSERT INTO [dbo].[Customers] ([CustomerId]) VALUES (2), (3)
GO
CREATE PROCEDURE [dbo].[Clean] AS
UPDATE [dbo].[Orders] SET [Status] = 'done';
CREATE TABLE scratch (a int);
GO
"""


def test_sql_server_is_read_as_its_tools_write_it() -> None:
    found = read_sql(SQL_SERVER)
    assert any("read as SQL Server" in line for line in said(found, "guessed"))
    assert [entity.name for entity in found.design.entities] == ["Customer", "Order"]
    customer, order = found.design.entities
    assert (customer.identifier, customer.items) == (("CustomerId",), 3)
    assert list(customer.by_name) == [
        "CustomerId",
        "Name_odd",
        "Email",
        "IsActive",
        "Uid",
        "SysStart",
    ]
    assert customer.by_name["Email"].unique
    assert customer.by_name["IsActive"].type == "BOOL"
    assert customer.by_name["Uid"].format == "uuid"
    assert set(order.by_name["Status"].values or ()) == {"open", "done"}
    assert [each.parent for each in found.design.relationships] == ["Customer"]
    named = {pattern.name for pattern in found.design.patterns}
    assert "List orders by Status" in named
    assert any("IX_Placed, line 24" in each.because for each in found.proposals)
    dropped = said(found, "dropped")
    assert any("IsActive = 1" in line for line in dropped)
    assert any("Customers.CustomerId" in line and "auto-increment" in line for line in dropped)
    assert any("dbo.Clean: The procedure" in line for line in dropped)
    assert not any("could not be read" in line for line in dropped)


def test_a_table_that_the_parser_passes_over_is_refused_and_not_left_out() -> None:
    text = "CREATE TABLE a (id int IDENTITY(1,1) PRIMARY KEY)\nGO\nCREATE TABLE [b] ([id] int, LEDGER %% x)\nGO\n"
    with pytest.raises(DesignError, match="begins at line 3"):
        read_sql(text)


BY_ITSELF = """
CREATE DOMAIN year AS integer CHECK (VALUE >= 1901 AND VALUE <= 2155);
CREATE TABLE cities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name citext NOT NULL,
  founded year,
  people int DEFAULT 7,
  doubled int GENERATED ALWAYS AS (people * 2) STORED,
  photo bytea,
  during tstzrange,
  EXCLUDE USING gist (during WITH &&)
);
CREATE TABLE capitals (state char(2)) INHERITS (cities);
CREATE TABLE cities_2026 (CHECK (people > 0)) INHERITS (cities);
CREATE TABLE users (id integer NOT NULL, email text, gone_at timestamptz, city_id bigint);
CREATE TABLE staff (LIKE users INCLUDING ALL);
CREATE TEMP TABLE scratch (x int);
ALTER TABLE users ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (START WITH 1);
ALTER TABLE users ALTER COLUMN email SET NOT NULL;
ALTER TABLE users ADD PRIMARY KEY (id),
  ADD FOREIGN KEY (city_id) REFERENCES cities ON UPDATE CASCADE ON DELETE SET NULL;
CREATE UNIQUE INDEX one_email ON users (email) WHERE gone_at IS NULL;
CREATE UNIQUE INDEX folded ON users (lower(email));
"""


def test_comments_are_read_however_their_words_are_written() -> None:
    text = """
create table seats (id int primary key);
comment on table seats is 'Where people sit.';
comment on column seats.id is 'On its back.';
Comment On Column Seats.Row Is 'There is no such column.';
comment on table rows is 'There is no such table.';
"""
    seat = read_sql(text, "postgres").design.entity["Seat"]
    assert (seat.description, seat.by_name["id"].description) == (
        "Where people sit.",
        "On its back.",
    )


def test_rules_of_references_are_said_in_capitals_however_they_are_written() -> None:
    text = """
create table towns (id int primary key);
create table streets (id int primary key, town_id int references towns(id) on delete cascade);
"""
    dropped = " ".join(said(read_sql(text, "postgres"), "dropped"))
    assert "ON DELETE CASCADE: DynamoDB does not change children" in dropped, dropped


@pytest.fixture(scope="module")
def by_itself() -> Imported:
    return read_sql(BY_ITSELF, "postgres")


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("dropped", "line 2, year: CHECK (VALUE >= 1901 AND VALUE <= 2155) is not kept"),
        ("dropped", "has no auto-increment, which the database uses for cities.id, capitals.id, users.id:"),
        ("dropped", "cities: Default values, which the application must set from now on: people = 7."),
        ("dropped", "line 3, cities: doubled is computed from people * 2"),
        ("dropped", "line 3, cities: The database ignores case in name"),
        ("dropped", "line 11, cities: EXCLUDE USING gist"),
        ("dropped", "cities_2026: A partition of cities"),
        ("dropped", "scratch: A temporary table"),
        ("dropped", "DynamoDB does not check references"),
        ("dropped", "ON DELETE SET NULL: DynamoDB does not change children by itself"),
        ("dropped", "ON UPDATE CASCADE, of users.city_id: the key of an item cannot change"),
        ("dropped", "one_email: email is unique only where gone_at IS NULL"),
        ("dropped", "folded: An index on an expression: add an attribute that holds its value, which is unique."),
        ("guessed", "line 13, capitals: It has the columns of cities and is an entity of its own"),
        ("guessed", "staff: It has the columns of users"),
        ("guessed", "if photo may be larger, keep it in S3"),
        ("guessed", "one_email: The index holds only rows where gone_at IS NULL"),
        ("missing", "line 3, cities: How many bytes these columns take on average: name, photo, “during”."),
    ],
)  # fmt: skip
def test_what_the_database_did_by_itself_is_said(kind: str, line: str, by_itself: Imported) -> None:
    assert any(line in each for each in said(by_itself, kind)), said(by_itself, kind)


def test_statements_about_columns_that_are_there_are_heeded(by_itself: Imported) -> None:
    entity = by_itself.design.entity
    assert list(entity) == ["City", "Capital", "User", "Staff"]
    assert {"name", "people", "state"} <= entity["Capital"].by_name.keys()
    (empty,) = (each for each in said(by_itself, "missing") if "users: How many items" in each)
    assert "gone_at, city_id" in empty and "email" not in empty


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("", "empty", say("import-empty", name="bad.sql")),
        ("SELECT 1;", "no-tables", say("sql-no-tables", name="bad.sql", dialects=DIALECTS)),
        ("CREATE TABLE a (x text DEFAULT 'oh", "cut-off", say("sql-quote-unended", mark="'", line=1)),
        ("CREATE TABLE a (x int", "cut-off", say("sql-table-unended", line=1)),
        ("CREATE TABLE a (x int CHECK (1 +));", "not-sql", say("sql-table-unreadable-near", line=1, at=1, near=")")),
        ("CREATE TABLE a (x int);\nCOPY a (x) FROM stdin;\n1\n2\n", "cut-off",
         say("sql-rows-unended", table="a", line=2)),
        ("CREATE TABLE a (x int);/* no end", "cut-off", say("sql-comment-unended", mark="/*", line=1)),
        (f"CREATE TABLE a (x int CHECK ({'(' * 5000}1{')' * 5000}));", "too-deep",
         say("sql-too-deep", line=1, most=60)),
        ("CREATE TABLE a (x int);\0", "no-text", say("import-not-text", name="bad.sql")),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(text: str, code: str, reason: Message) -> None:
    with pytest.raises(DesignError) as refused:
        read(text.encode(), "bad.sql")
    assert (refused.value.code, refused.value.reason) == (code, reason)


@pytest.mark.parametrize(
    ("end", "is_whole"), [("", False), ("-- PostgreSQL database dump complete\n", True)]
)
def test_a_dump_that_lacks_its_end_is_said_to_be_cut_off(end: str, is_whole: bool) -> None:
    """Its keys are stated last, so that it would pass for a schema without any."""
    found = read_sql(f"--\n-- PostgreSQL database dump\n--\nCREATE TABLE a (x int);\n{end}")
    assert (say("sql-dump-cut-off") in messages(found, "missing")) is not is_whole


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"CREATE TABLE t{n} (id int);\n" for n in range(100_000)),
        "CREATE TABLE a (id int);" + "INSERT INTO a VALUES (1, 'x''y;');\n" * 500_000,
        "CREATE TABLE a (x text DEFAULT '" + "''" * 5_000_000,
        "/*" * 5_000_000,
        "--\n" * 5_000_000,
        f"CREATE TABLE [a] (id int)\nGO\nALTER TABLE a ADD DEFAULT {' ' * 5_000_000}x\n"
        + "[" * 5_000_000,
    ],
    ids=["tables", "rows", "quotes", "comments", "lines", "batches"],
)
def test_hostile_sql_ends_in_time(text: str) -> None:
    began = time.process_time()
    with suppress(DesignError):
        read(text.encode(), "hostile.sql", "sql")
    assert time.process_time() - began < 15


def test_more_foreign_keys_than_a_design_holds_are_refused_before_they_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each name is looked for among all others."""
    monkeypatch.setattr(modelling, "RELATIONSHIPS", RELATIONSHIPS._replace(most=2))
    table = b"CREATE TABLE a (id int primary key, b int);"
    foreign = b"ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES a (id);"
    read(table + foreign, "a.sql")
    with pytest.raises(
        DesignError, match="5 foreign keys, and a design has at most 2 relationships"
    ):
        read(table + foreign * 5, "a.sql")


def test_a_file_that_is_too_large_or_of_no_known_format_is_refused() -> None:
    with pytest.raises(DesignError) as large:
        read(b" " * 20_000_001, "big.sql")
    assert large.value.reason == say("import-too-large", name="big.sql", megabytes=20)
    with pytest.raises(DesignError) as unknown:
        read(b"name: x", "design.yaml")
    formats = ("SQL schema",)
    assert unknown.value.reason == say("import-unknown-format", name="design.yaml", formats=formats)
    assert list(IMPORTERS) == ["sql"]


@pytest.mark.parametrize(
    ("table", "entity"),
    [("film_actors", "FilmActor"), ("categories", "Category"), ("addresses", "Address"), ("status", "Status"),
     ("OrderItems", "OrderItem"), ("people", "Person"), ("123", ""), ("news", "News")],
)  # fmt: skip
def test_entities_are_named_in_the_singular(table: str, entity: str) -> None:
    assert entity_name(table) == entity


def test_articles_go_by_the_sound() -> None:
    assert [with_article(spoken(name)) for name in ("User", "OrderItem", "Film")] == [
        "a user", "an order item", "a film",
    ]  # fmt: skip


def test_the_command_writes_the_design_and_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "shop.sql", tmp_path / "shop.yaml"
    file.write_text(SHOP)
    call_command("import", str(file), "--out", str(out))
    assert [e.name for e in load(out.read_text()).entities] == ["Order", "OrderLine"]
    report = capsys.readouterr().err
    assert "Dropped: line" in report
    assert "Not taken without --every-pattern: " not in report
    file.write_text(
        "CREATE TABLE a (id int PRIMARY KEY, price int);\nCREATE INDEX by_price ON a (price);"
    )
    call_command("import", str(file), "--out", str(out))
    assert "Not taken without --every-pattern: List as in a range of price" in (
        report := capsys.readouterr().err
    )
    assert "(index by_price, line 2)" in report
    file.write_text("CREATE TABLE a (x int CHECK (1 +))")
    with pytest.raises(CommandError, match="line 1 cannot be read"):
        call_command("import", str(file), "--out", str(tmp_path / "not.yaml"))
    assert not (tmp_path / "not.yaml").exists()


def test_a_read_by_the_identifier_names_the_key_that_there_is() -> None:
    found = read(
        b"CREATE TABLE a (x int PRIMARY KEY);\n"
        b"CREATE TABLE b (y int NOT NULL,\n CONSTRAINT one_y UNIQUE (y));\n"
        b"CREATE TABLE c (z text);",
        "keys.sql",
    )
    hints = {each.entity: each.because for each in reversed(found.proposals)}
    assert hints == {
        "A": "primary key, line 1",
        "B": "unique one_y, line 3",
        "C": "table, line 4",
    }
