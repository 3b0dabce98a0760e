"""The tables of a PostgreSQL store."""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Identity,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.schema import CreateSchema

from activeeval_widgets.session.errors import ForeignStoreError

SCHEMA = "activeeval_widgets"
"""The default schema of the tables."""

TABLES = MetaData()
"""The tables. SQLite files have the same ones, except for the order of sessions (SQLite numbers its rows) and
what a file needs besides (its version is in its header, and who has it open). Their statements are in
`schema`, as importing SQLAlchemy would take longer than opening a file. A test compares them.
"""

SESSIONS = Table(
    "sessions",
    TABLES,
    Column("number", BigInteger, Identity(), nullable=False, unique=True),
    Column("name", Text, primary_key=True),
    Column("begun", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("seal", Text, nullable=False),
    Column("n_events", Integer, nullable=False),
    Column("head", Text, nullable=False),
)

EVENTS = Table(
    "events",
    TABLES,
    Column("session", Text, ForeignKey("sessions.name"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("record", Text, nullable=False),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("session", "seq"),
)

DETAILS = Table(
    "details",
    TABLES,
    Column("session", Text, ForeignKey("sessions.name"), nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("session", "key"),
)

SCHEMA_VERSION = Table("schema_version", MetaData(), Column("version", Integer, primary_key=True))

_LOCK = 0x41455744
"""The number of the advisory lock for changes of the tables, combined with that of the schema."""


VERSION = 1
"""The format of the tables."""


def find_version(connection: Connection, schema: str) -> int:
    """Return the format of the tables in a schema; 0 if there are none."""
    # One query: between two, another process could create the tables.
    names = inspect(connection).get_table_names(schema=schema)
    if SCHEMA_VERSION.name not in names:
        if names:
            raise ForeignStoreError(
                f"the schema {schema!r} holds tables of something else ({', '.join(sorted(names)[:3])}); "
                "it was left untouched"
            )
        return 0
    found = connection.scalar(select(SCHEMA_VERSION.c.version))
    if found != VERSION:
        raise ForeignStoreError(
            f"the schema {schema!r} is a store of format {found}, and this version of activeeval-widgets "
            f"reads format {VERSION}: open it with the version that made it; it was left untouched"
        )
    return VERSION


def prepare(connection: Connection, schema: str) -> None:
    """Create the tables within a transaction unless they exist."""
    if find_version(connection, schema) == VERSION:
        return
    # The second of two processes waits here and finds the tables.
    connection.execute(
        text("SELECT pg_advisory_xact_lock(:ours, hashtext(:name))"), {"ours": _LOCK, "name": schema}
    )
    if find_version(connection, schema) == VERSION:
        return
    if not inspect(connection).has_schema(schema):
        connection.execute(CreateSchema(schema))
    TABLES.create_all(connection, checkfirst=False)
    SCHEMA_VERSION.create(connection, checkfirst=False)
    connection.execute(insert(SCHEMA_VERSION).values(version=VERSION))
