"""Three relays on one PostgreSQL behind the example set-ups of nginx and HAProxy, restarted one after the other while webhooks of GitHub's
usual size come, and one of them cut off from its database: whoever sends them sees nothing but 202, or 200 where the first relay took
it and could not say so any more."""

import collections
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import neighbours
import proxy_test
import relay

sys.path.insert(0, str(relay.ROOT / "tests" / "support"))
from postgres_server import Server, postgres_programs  # noqa: E402

REPLICAS = 3
SENDERS = 3
ROUNDS = int(os.environ.get("BATON_ROUNDS", "2"))
WEBHOOK = 25 * 1024  # bytes


class Replica:
    """A relay that keeps its port."""

    def __init__(self, folder, place, port):
        self.folder, self.port = folder, port
        relay.write_secrets(folder / "secrets")
        (folder / "allowlist.yml").write_text("L2: [owner/downstream]\n")
        config = relay.on_this_machine((relay.ROOT / "packaging" / "baton.yml").read_text(), "here")
        (folder / "baton.yml").write_text(relay.with_changes(config, {"sqlite:here": place}))
        self.start()

    def start(self):
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen([os.environ["BATON"], "serve", "--config", self.folder / "baton.yml", "--port", str(self.port)],
                                            cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdout.readline(), (self.folder / "log").read_text()

    def stop(self):
        """Its exit code."""
        self.process.terminate()
        self.process.stdout.close()
        return self.process.wait(relay.SOON)


class Load:
    """Webhooks without a pause, until `stop` says how often each status was the answer."""

    def __init__(self, port, certificate):
        self.answers, self.over = collections.Counter(), threading.Event()
        self.threads = [threading.Thread(target=self.send, args=(port, certificate, first)) for first in range(1, SENDERS + 1)]
        for thread in self.threads:
            thread.start()

    def send(self, port, certificate, number):
        while not self.over.is_set():
            try:
                status, text = relay.send_pull_request(port, number, WEBHOOK, trusting=certificate)
            except OSError as error:
                status, text = type(error).__name__, ""
            self.answers[status if status in (200, 202) else f"{status} {text[:200]}"] += 1
            number += SENDERS

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()
        return self.answers


class Rolling:
    """A subclass says which example is the balancer, and what a line for a relay looks like in it."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="baton-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.server.command("CREATE DATABASE relay")
        self.server.command("CREATE ROLE first SUPERUSER LOGIN")
        self.replicas = []
        for number, port in enumerate(proxy_test.free_ports(REPLICAS)):
            folder = self.folder / str(number)
            folder.mkdir()
            place = self.server.url("relay")
            self.replicas.append(Replica(folder, place if number else place.replace("user=baton", "user=first"), port))
            self.addCleanup(self.replicas[-1].stop)
        self.balancer = type("Balancer", (self.EXAMPLE,), {"relay": self.replicas[0], "example": classmethod(self.example)})
        self.balancer.prepare()
        self.addCleanup(self.balancer.doClassCleanups)
        self.assertTrue(any(self.balancer.start() for _ in range(3)))

    def example(self, balancer, name, changes):
        own = balancer.folder / name
        lines = "\n    ".join(self.LINE.format(number=number, port=replica.port) for number, replica in enumerate(self.replicas))
        changes.pop("inter 5s", None)  # each line has its own
        own.write_text(relay.with_changes((proxy_test.EXAMPLES / name).read_text(), {self.ONE: "    " + lines, **changes}))
        return own

    def test_one_that_lost_its_database_is_seen_by_nobody(self):
        self.server.command("ALTER ROLE first NOLOGIN")
        self.server.command("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'first'")
        self.assertEqual(relay.send_pull_request(self.replicas[0].port, 999_999, WEBHOOK)[0], 503)
        load = Load(self.balancer.port, self.balancer.certificate)
        try:
            self.assertTrue(relay.until(lambda: sum(load.answers.values()) >= 60))
        finally:
            answers = load.stop()
        self.assert_all_are_kept(answers)

    def test_restarts_one_after_the_other_are_seen_by_nobody(self):
        load = Load(self.balancer.port, self.balancer.certificate)
        try:
            for _ in range(ROUNDS):
                for replica in self.replicas:
                    self.assertTrue(relay.until(lambda before=sum(load.answers.values()): sum(load.answers.values()) >= before + 20))
                    self.assertEqual(replica.stop(), 0)
                    replica.start()
                    self.assertTrue(relay.until(lambda: relay.ask(replica.port, "/healthz")[0] == 200))
        finally:
            answers = load.stop()
        print(f"{type(self).__name__}: {ROUNDS * REPLICAS} restarts, {dict(answers)}", file=sys.stderr)
        self.assert_all_are_kept(answers)

    def assert_all_are_kept(self, answers):
        self.assertLessEqual(set(answers), {200, 202})
        kept = self.server.run("relay", "SELECT count(*) FROM delivery").strip()
        self.assertEqual(int(kept), sum(answers.values()), "each of them is there once")


class BehindNginx(Rolling, unittest.TestCase):
    EXAMPLE = proxy_test.Nginx
    ONE = "    server 127.0.0.1:8080;"
    LINE = "server 127.0.0.1:{port} max_fails=0;"


class BehindHaproxy(Rolling, unittest.TestCase):
    EXAMPLE = proxy_test.Haproxy
    ONE = "    server baton 127.0.0.1:8080 check inter 5s"
    LINE = "server baton{number} 127.0.0.1:{port} check inter 100ms"


if __name__ == "__main__":
    neighbours.needed()
    if not postgres_programs():
        print("there is no PostgreSQL server here: ./dev setup installs it", file=sys.stderr)
        sys.exit(relay.SKIPPED)
    unittest.main()
