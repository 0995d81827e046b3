"""One schema in two databases: a SQLite database in memory, and one of a PostgreSQL server of our own in a temporary folder."""

import json
import re
import sqlite3
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from postgres_server import Server, postgres_programs  # noqa: E402  (found beside the other tests' helpers)

STEPS = [path.name for path in sorted((ROOT / "migrations" / "sqlite").glob("*.sql"))]

# Ids that the database gives and that nobody outside may know: SQLite gives one again that is free, PostgreSQL uses one up with every
# INSERT that turns out to be an update. Rows are known by these columns instead, wherever the id stands.
KNOWN_BY = {
    "delivery": ("sequence", ("id",)),
    "grid_row": ("id", ("upstream", "head_sha", "event_type", "downstream")),
    "cell": ("id", ("grid_row", "workflow", "job_name")),
    "benchmark": ("id", ("upstream", "downstream", "suite", "name", "unit")),
    "look": ("id", ("upstream", "pr_number", "head_sha")),
    "failed_test": ("id", ("job", "place")),
}
REFERS_TO = {
    ("delivery_body", "sequence"): "delivery",
    ("dispatch", "delivery"): "delivery",
    ("dispatch_row", "delivery"): "delivery",
    ("cell", "grid_row"): "grid_row",
    ("cell_job", "cell"): "cell",
    ("cell_counted", "id"): "cell",
    ("flaky_cell", "cell"): "cell",
    ("attribution", "cell"): "cell",
    ("benchmark_value", "benchmark"): "benchmark",
}
# One statement that changes several rows tells of them in whatever order the engine finds them.
IN_ANY_ORDER = {"news": "id"}


def postgres_text(sql):
    """The rows of tests/data/migrations are written for both engines; only bytes have no common form."""
    return re.sub(r"\bx'([0-9a-f]*)'", r"'\\x\1'::bytea", sql)


class Stores:
    """The same schema and the same rows in both."""

    def __init__(self, server, name):
        self.server = server
        self.name = name
        server.command(f"CREATE DATABASE {name}")
        self.sqlite = sqlite3.connect(":memory:", isolation_level=None)
        self.sqlite.row_factory = sqlite3.Row
        self.sqlite.execute("PRAGMA foreign_keys = ON")
        self.unsent = []

    def copy(self, name):
        """Both of them, to be changed apart from these."""
        self.flush()
        other = Stores.__new__(Stores)
        other.server, other.name, other.unsent = self.server, name, []
        self.server.command(f"CREATE DATABASE {name} TEMPLATE {self.name}")
        other.sqlite = sqlite3.connect(":memory:", isolation_level=None)
        other.sqlite.row_factory = sqlite3.Row
        self.sqlite.backup(other.sqlite)
        other.sqlite.execute("PRAGMA foreign_keys = ON")
        return other

    def migrate(self, *steps):
        for folder, run in (("sqlite", self.sqlite.executescript), ("postgres", lambda sql: self.server.run(self.name, sql))):
            run("".join((ROOT / "migrations" / folder / step).read_text() for step in steps))

    def load(self, step):
        rows = (ROOT / "tests" / "data" / "migrations" / step).read_text()
        self.sqlite.executescript(rows)
        self.server.run(self.name, postgres_text(rows))

    def both(self, sql, postgres=None):
        """SQLite answers at once; PostgreSQL hears of it with `flush`, as starting psql for each statement takes long."""
        self.sqlite.execute(sql)
        self.unsent.append(postgres_text(postgres or sql))

    def flush(self):
        if self.unsent:
            self.server.run(self.name, ";\n".join(self.unsent) + ";\n")
            self.unsent = []

    def names(self):
        rows = self.sqlite.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
        return sorted(row["name"] for row in rows)

    def in_sqlite(self):
        def plain(value):
            return "\\x" + value.hex() if isinstance(value, bytes) else value

        return {name: [{key: plain(row[key]) for key in row.keys()} for row in self.sqlite.execute(f"SELECT * FROM {name}")]
                for name in self.names()}

    def in_postgres(self):
        self.flush()
        names = self.names()
        asked = "".join(f"SELECT '{name}' || chr(9) || row_to_json(r) FROM {name} AS r;\n" for name in names)
        rows = {name: [] for name in names}
        for line in self.server.run(self.name, asked).splitlines():
            name, row = line.split("\t", 1)
            rows[name].append(json.loads(row))
        return rows


def comparable(tables):
    """Rows as sorted lists of (column, value), with ids of the database's own choice replaced by what their rows are known by."""
    known = {}
    for table, (column, by) in KNOWN_BY.items():
        for row in tables.get(table, []):
            key = [known[REFERS_TO[table, name]][row[name]] if (table, name) in REFERS_TO else row[name] for name in by]
            known.setdefault(table, {})[row[column]] = repr(key)
    plain = {}
    for table, rows in tables.items():
        for row in rows:
            for column in list(row):
                assert not isinstance(row[column], bool), f"{table}.{column} is a boolean, and C++ reads numbers"
                if IN_ANY_ORDER.get(table) == column:
                    row[column] = None
                elif (table, column) in REFERS_TO:
                    row[column] = known[REFERS_TO[table, column]][row[column]]
                elif table in KNOWN_BY and KNOWN_BY[table][0] == column:
                    row[column] = known[table][row[column]]
        plain[table] = sorted(sorted(((column, repr(value)) for column, value in row.items())) for row in rows)
    return plain
