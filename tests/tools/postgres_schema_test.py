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
            f"WHERE {own} AND relkind IN ('r', 'p', 'v') AND NOT relispartition AND attnum > 0 AND NOT attisdropped"))
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
            f"LEFT JOIN pg_constraint ON conrelid = pg_class.oid WHERE {own} AND relkind IN ('r', 'p') AND NOT relispartition GROUP BY 1"))

    def test_what_is_pruned_leaves_every_roll_up_as_it_was(self):
        stores = self.full_house()
        verbs = Verbs(stores, SEED + 1)
        verbs.some(400)
        stores.both("UPDATE job SET status = 'completed', conclusion = 'success', completed_at_ms = started_at_ms + 1 "
                    "WHERE status = 'in_progress'")
        kept = ("job_tally", "cell_day", "job_day", "cluster_downstream", "cluster_day", "cluster_pull", "cluster_test", "downstream_now",
                "sent_slot", "ledger", "ladder_day", "ladder_evaluation", "ladder_transition", "news")
        rows = lambda: {name: [tuple(row) for row in stores.sqlite.execute(f"SELECT * FROM {name}")] for name in kept}
        before = rows()
        pruned = 0
        while verbs.prune():
            pruned += 1
        self.assertLess(1, pruned)
        self.expect_same(stores)
        self.assertEqual(before, rows())

    def test_payloads_of_each_month_are_a_partition_that_is_dropped_when_its_time_is_over(self):
        stores = self.full_house()
        ask = lambda sql: self.server.run(stores.name, sql).split()
        months = ("SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid "
                  "WHERE inhparent = 'delivery_body'::regclass ORDER BY 1")
        day = 86400000
        january = 1798761600000  # 2027-01-01
        bodies = ask("SELECT count(*) FROM delivery_body")
        self.assertEqual(["delivery_body_before", "delivery_body_other"], ask(months))

        self.assertEqual(["1"], ask(f"SELECT keep_months({january + 14 * day}, {january - 16 * day})"))
        ahead = ["delivery_body_2027_01", "delivery_body_2027_02", "delivery_body_2027_03"]
        self.assertEqual([*ahead, "delivery_body_other"], ask(months), "what was there before is little, and has no month")
        self.assertEqual(["1"], ask("SELECT count(*) FROM delivery_body_2027_01"), "and what came into the others has one")
        self.assertEqual(bodies, ask("SELECT count(*) FROM delivery_body"))
        self.assertEqual(["0"], ask(f"SELECT keep_months({january + 14 * day}, {january - 16 * day})"), "nothing more to do")

        late = january + 64 * day
        self.server.run(stores.name, f"INSERT INTO delivery (id, event, action, repository, head_sha, received_at_ms, plan_at_ms, "
                        f"body_bytes) VALUES ('late', 'push', '', 'Up/Stream', 'eeee', {late}, 0, 2);"
                        f"INSERT INTO delivery_body (sequence, zstd, at_ms) SELECT sequence, '', {late} FROM delivery WHERE id = 'late'")
        self.assertEqual(["1"], ask("SELECT count(*) FROM delivery_body_2027_03"))
        self.assertEqual(["0"], ask(f"SELECT keep_months({late}, {january + 31 * day - 1})"), "a month that is not over stays")
        self.assertEqual(["1"], ask(f"SELECT keep_months({late}, {january + 31 * day})"))
        self.assertEqual([*ahead[1:], "delivery_body_2027_04", "delivery_body_2027_05", "delivery_body_other"], ask(months))
        self.assertEqual(["1"], ask("SELECT count(*) FROM delivery_body JOIN delivery USING (sequence) WHERE id = 'kept-since-0017'"),
                         "what has to be kept longer is kept among the others")

    def test_a_month_that_holds_much_is_left_alone(self):
        stores = self.full_house()
        january = 1798761600000
        self.server.run(stores.name, f"SELECT keep_months({january}, 0);"
                        "INSERT INTO delivery (id, event, action, repository, head_sha, received_at_ms, plan_at_ms, body_bytes) "
                        f"SELECT 'm' || n, 'push', '', 'Up/Stream', 'eeee', {january}, 0, 2 FROM generate_series(1, 1001) AS n;"
                        "INSERT INTO delivery_body (sequence, zstd, at_ms) SELECT sequence, '', received_at_ms FROM delivery "
                        "WHERE id LIKE 'm%'")
        april = 1806537600000
        self.assertEqual("2", self.server.run(stores.name, f"SELECT keep_months({april}, {april})").strip(), "February and March")
        self.assertEqual("1001", self.server.run(stores.name, "SELECT count(*) FROM delivery_body_2027_01 WHERE zstd = ''").strip())

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
