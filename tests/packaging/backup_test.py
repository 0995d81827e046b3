"""packaging/backup/baton-postgres against a real PostgreSQL server: a dump and back, and a base with its archive to any moment.
What follows a restore, the walk of GitHub's log, is tried in tests/e2e/replicas/restore_test.cpp."""

import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import relay

sys.path.insert(0, str(relay.ROOT / "tests" / "support"))
from postgres_server import Server, postgres_programs  # noqa: E402


class Backup(unittest.TestCase):
    """A server that archives what it writes, with a store in it."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="baton-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.folder.chmod(0o755)
        self.script = shutil.copy(relay.ROOT / "packaging" / "backup" / "baton-postgres", self.folder)
        self.archive = self.folder / "archive"
        self.server_side = self.folder / "server"  # where the server's user may write
        for folder in (self.archive, self.server_side):
            folder.mkdir()
            folder.chmod(0o777)
        self.server = Server(f'-c fsync=off -c max_connections=20 -c archive_mode=on -c "archive_command={self.archiving()}"')
        self.addCleanup(self.server.stop)
        self.server.command("CREATE DATABASE relay")
        made = relay.run(os.environ["BATON"], "db", "migrate", "--store", self.server.url("relay"))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.write("kept")

    def archiving(self):
        """The command of the guide, into our folder; inside double quotes of a shell."""
        guide = (relay.ROOT / "docs" / "operations" / "backup.md").read_text()
        command = re.search(r"^archive_command = '(.*)'$", guide, re.MULTILINE)[1]
        return command.replace("/var/backups/wal", str(self.archive)).replace("$", r"\$")

    def run_script(self, *words, **more):
        return relay.run(self.script, *words, cwd=self.folder, **more)

    def do(self, *words, **more):
        done = self.run_script(*words, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def write(self, key):
        self.server.run("relay", f"INSERT INTO acknowledgement (key, at_ms, until_ms, actor, reason) VALUES ('{key}', 0, 1, 'a', 'b')")

    def written(self, database="relay"):
        return self.server.run(database, "SELECT string_agg(key, ' ' ORDER BY at_ms, key) FROM acknowledgement").strip()

    def test_a_dump_comes_back_whole_and_verified(self):
        dump = self.folder / "baton.dump"
        self.do("dump", self.server.url("relay"), dump)
        self.assertEqual(dump.stat().st_mode & 0o077, 0, "it holds payloads and keys")
        self.write("later")
        self.server.command("CREATE DATABASE restored")
        said = self.do("restore", dump, self.server.url("restored"))
        self.assertIn(": good", said.splitlines()[-1])
        self.assertEqual(self.written("restored"), "kept")

    def test_a_dump_that_fails_leaves_the_one_before(self):
        dump = self.folder / "baton.dump"
        self.do("dump", self.server.url("relay"), dump)
        before = dump.read_bytes()
        failed = self.run_script("dump", self.server.url("nowhere"), dump)
        self.assertNotEqual(failed.returncode, 0)
        self.assertEqual(dump.read_bytes(), before)

    def test_a_dump_goes_into_an_empty_database_only(self):
        dump = self.folder / "baton.dump"
        self.do("dump", self.server.url("relay"), dump)
        refused = self.run_script("restore", dump, self.server.url("relay"))
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, "the database holds [0-9]+ tables already")
        dump.write_bytes(dump.read_bytes()[:-1000])
        self.server.command("CREATE DATABASE half")
        cut = self.run_script("restore", dump, self.server.url("half"))
        self.assertEqual(cut.returncode, 1)
        self.assertRegex(cut.stderr, f"baton-postgres: {dump} was not restored: .*it is cut short; the database was left as it was")
        left = self.server.run("half", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").strip()
        self.assertEqual(left, "0", "all of it or nothing")

    def test_what_is_no_dump_is_noticed_before_the_database_is_looked_at(self):
        nowhere = "postgresql:///relay?host=/nowhere/at/all"
        missing = self.run_script("restore", self.folder / "none.dump", nowhere)
        self.assertEqual(missing.returncode, 1)
        self.assertRegex(missing.stderr, "^baton-postgres: there is no dump .*/none.dump; name the file")
        torn = self.folder / "torn.dump"
        torn.write_bytes(b"PGDMP")
        refused = self.run_script("restore", torn, nowhere)
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"{torn} cannot be read as a dump: the database was left as it was; take another dump", refused.stderr)
        self.assertNotIn("psql", refused.stderr)

    def test_a_database_that_cannot_be_asked_is_not_taken_for_an_empty_one(self):
        dump = self.folder / "baton.dump"
        self.do("dump", self.server.url("relay"), dump)
        refused = self.run_script("restore", dump, self.server.url("nowhere"))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("cannot be asked whether it is empty", refused.stderr)

    def test_a_password_is_neither_asked_for_nor_taken_from_the_command_line(self):
        for line in Path(self.script).read_text().splitlines():
            if "--dbname=" in line:
                self.assertIn("--no-password", line)
        for url in ("postgresql://baton:hunter2@db.internal/baton", "postgresql://db.internal/baton?user=baton&password=hunter2"):
            for words in (("dump", url, "a.dump"), ("restore", "a.dump", url), ("base", url, "base")):
                refused = self.run_script(*words)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("a password does not belong into a command line", refused.stderr)
                self.assertNotIn("hunter2", refused.stderr)

    def test_a_base_and_the_archive_lead_to_the_moment_before_a_mistake(self):
        base = self.server_side / "base"
        self.do("base", self.server.url(), base, **self.server.runs_as)
        self.assertEqual(self.run_script("base", self.server.url(), base, **self.server.runs_as).returncode, 1, "it is there")
        self.write("wanted")
        moment = self.server.run("relay", "SELECT clock_timestamp()").strip()
        self.server.run("relay", "DELETE FROM acknowledgement")
        self.write("after the mistake")
        last = self.server.run("relay", "SELECT pg_walfile_name(pg_switch_wal())").strip()
        self.assertTrue(relay.until(lambda: (self.archive / last).exists()), "archived")
        self.server.halt("immediate")  # and its disk is gone

        data = self.server_side / "data"
        for archive in ("wal", self.folder / "nowhere"):
            refused = self.run_script("rewind", base, data, archive, **self.server.runs_as)
            self.assertEqual(refused.returncode, 1)
            self.assertFalse(data.exists())
        self.do("rewind", base, data, self.archive, moment, **self.server.runs_as)
        self.server.data = str(data)
        self.server.start()
        is_back = lambda: self.server.run("relay", "SELECT pg_is_in_recovery()").strip() == "f"
        self.assertTrue(relay.until(is_back))
        self.assertEqual(self.written(), "kept wanted")
        verified = relay.run(os.environ["BATON"], "db", "verify", "--store", self.server.url("relay"))
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.write("goes on")

    def test_the_script_says_how_it_is_used_and_is_clean(self):
        asked = self.run_script("dump")
        self.assertEqual(asked.returncode, 2)
        self.assertIn("baton-postgres restore FILE URL", asked.stderr)
        if shutil.which("shellcheck"):
            found = relay.run("shellcheck", self.script)
            self.assertEqual(found.returncode, 0, found.stdout)


if __name__ == "__main__":
    if not postgres_programs():
        print("there is no PostgreSQL server here: ./dev setup installs it")
        sys.exit(relay.SKIPPED)
    unittest.main()
