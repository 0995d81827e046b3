"""migrations/postgres means what migrations/sqlite means: every step on every state of before, and the verbs' statements on both."""

import re
import unittest

from store_verbs import Verbs
from two_stores import ROOT, STEPS, Server, Stores, comparable, postgres_programs

STATEMENTS = 1500
SEED = 16


@unittest.skipUnless(postgres_programs(), "no PostgreSQL server here: ./dev setup installs it")
class PostgresSchema(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.house = Stores(cls.server, "house")

    def full_house(self):
        """After the last step, with the rows that belong to each; the test's own."""
        if not self.house.names():
            for step in STEPS:
                self.house.migrate(step)
                self.house.load(step)
        return self.house.copy(self.id().rsplit(".", 1)[1][:40])

    def expect_same(self, stores):
        ours, theirs = comparable(stores.in_sqlite()), comparable(stores.in_postgres())
        for table, rows in ours.items():
            with self.subTest(table=table):
                self.assertEqual(rows, theirs[table])

    def test_has_the_same_steps(self):
        self.assertEqual(STEPS, [path.name for path in sorted((ROOT / "migrations" / "postgres").glob("*.sql"))])
        for step in STEPS:
            text = (ROOT / "migrations" / "postgres" / step).read_text()
            self.assertTrue(text.startswith(f"-- {step}\n-- "), f"{step}: the reason stands on top")
            said = [re.findall("^-- beside: .*", each, re.MULTILINE) for each in (text, (ROOT / "migrations" / "sqlite" / step).read_text())]
            self.assertEqual(*said, f"{step}: the same programs may go on beside it")

    def test_every_step_finds_the_same_in_the_same(self):
        stores = Stores(self.server, "step_by_step")
        for number, step in enumerate(STEPS):
            with self.subTest(step=step):
                stores.migrate(step)
                self.expect_same(stores)
                stores.load(step)
                self.expect_same(stores)
                later = stores.copy(f"from_{number + 1}")
                later.migrate(*STEPS[number + 1:])
                self.expect_same(later)

    def test_what_the_verbs_write_has_the_same_effects(self):
        stores = self.full_house()
        verbs = Verbs(stores, SEED)
        while verbs.statements < STATEMENTS:
            verbs.some(100)
            self.expect_same(stores)
        self.assertEqual(set(), verbs.never_done(), "the series is long enough to try every verb")

    def test_what_is_kept_for_a_while_only_is_trimmed_alike(self):
        stores = self.full_house()
        stores.both("INSERT INTO news (id, topic) VALUES (100003, 'relay'), (101000, 'relay')")
        stores.both("INSERT INTO refusal (id, downstream, reason, hour_ms, status, detail, delivery, first_at_ms, last_at_ms, n) "
                    "VALUES (10001, 'a/one', 'a', 0, 400, '', '', 0, 0, 1), (10100, 'a/one', 'b', 0, 400, '', '', 0, 0, 1)")
        stores.both("INSERT INTO downstream_event (id, upstream, downstream, at_ms, kind, detail) "
                    "VALUES (20001, '', 'a/one', 0, 'silent', ''), (20100, '', 'a/one', 0, 'silent', '')")
        self.expect_same(stores)
        kept = [stores.sqlite.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("news", "refusal", "downstream_event")]
        self.assertEqual([2, 2, 2], kept)

    def test_has_the_same_columns_indexes_triggers_and_rules(self):
        stores = self.full_house()
        ask = lambda sql: {tuple(line.split("|")) for line in self.server.run(stores.name, sql).splitlines()}
        own = "relnamespace = 'public'::regnamespace"
        columns, indexes, triggers, rules = set(), set(), set(), set()
        for name, kind, table, sql in stores.sqlite.execute(
                "SELECT name, type, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").fetchall():
            if kind in ("table", "view"):
                columns |= {(name, row["name"]) for row in stores.sqlite.execute(f"SELECT name FROM pragma_table_xinfo('{name}')")}
            if kind == "table":
                keys = stores.sqlite.execute(f"SELECT count(DISTINCT id) FROM pragma_foreign_key_list('{name}')").fetchone()[0]
                rules.add((name, str(len(re.findall(r"\bCHECK \(", sql))), str(keys)))
            if kind == "index" and sql:
                indexes.add((name, table, str(" WHERE " in sql), str("UNIQUE" in sql)))
            if kind == "trigger":
                triggers.add((name, table))
        self.assertEqual(columns, ask(
            f"SELECT relname, attname FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid "
            f"WHERE {own} AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped"))
        self.assertEqual(indexes, ask(
            f"SELECT i.relname, t.relname, CASE WHEN indpred IS NULL THEN 'False' ELSE 'True' END, "
            f"CASE WHEN indisunique THEN 'True' ELSE 'False' END FROM pg_index JOIN pg_class AS i ON i.oid = indexrelid "
            f"JOIN pg_class AS t ON t.oid = indrelid WHERE i.{own} AND NOT EXISTS "
            f"(SELECT 1 FROM pg_constraint WHERE conindid = i.oid AND contype IN ('p', 'u'))"))
        self.assertEqual(triggers, {row for row in ask(
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid WHERE NOT tgisinternal")
            if not row[0].endswith(("_is_not_emptied", "_is_numbered"))})
        self.assertEqual(rules, ask(
            f"SELECT relname, count(*) FILTER (WHERE contype = 'c'), count(*) FILTER (WHERE contype = 'f') FROM pg_class "
            f"LEFT JOIN pg_constraint ON conrelid = pg_class.oid WHERE {own} AND relkind = 'r' GROUP BY 1"))

    def test_what_is_append_only_cannot_be_changed_removed_or_emptied(self):
        stores = self.full_house()
        for table, words in (("ledger", "the ledger is append-only"), ("ladder_transition", "the ledger of levels is append-only")):
            for sql in (f"UPDATE {table} SET at_ms = 0", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
                with self.subTest(sql=sql), self.assertRaisesRegex(RuntimeError, f"ERROR:  {words}\n"):
                    self.server.run(stores.name, sql)

    def test_the_ledger_has_no_hole_after_a_transaction_that_was_undone(self):
        stores = self.full_house()
        line = "INSERT INTO ledger (at_ms, kind) VALUES (1, 'a'), (2, 'b');"
        self.server.run(stores.name, f"SAVEPOINT here; {line} ROLLBACK TO here; {line}")
        self.assertEqual("1|5|5", self.server.run(stores.name, "SELECT min(sequence), max(sequence), count(*) FROM ledger").strip())

    def test_names_of_repositories_are_compared_without_case_and_everything_else_with_it(self):
        stores = self.full_house()
        count = lambda where: self.server.run(stores.name, f"SELECT count(*) FROM dispatch WHERE {where}").strip()
        self.assertEqual("1", count("downstream = 'OWN/leased'"))
        self.assertEqual("0", count("downstream = 'OWN/leased' AND head_sha = 'CCCC'"))


if __name__ == "__main__":
    unittest.main()
