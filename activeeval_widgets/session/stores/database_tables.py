"""The tables of a database, and to whom they belong."""

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
"""The tables' namespace in a database, unless its address names another one."""

TABLES = MetaData()
"""The tables as SQLAlchemy knows them. In a file, SQLite has the same, but for the order in which sessions
were begun (SQLite numbers its rows) and what a file needs besides (its version is in its header; who has it
open). Its statements are in `schema`: to describe them by SQLAlchemy alone, each program that labels into a
file would have to import it, which takes longer than all else that opening a file does. A test compares them.
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
"""Who changes the tables holds the advisory lock of this number, and of the namespace's."""


VERSION = 1
"""The format of the tables."""


def find_version(connection: Connection, schema: str) -> int:
    """The format of the tables in a namespace: 0 if there are none."""
    # Asked once: between two questions another program may make the tables.
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
    """Make the tables within a transaction, unless they are there."""
    if find_version(connection, schema) == VERSION:
        return
    # Of two programs, the second waits here, and finds it done.
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
