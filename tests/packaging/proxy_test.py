"""The example set-ups of nginx, HAProxy and Caddy: each real server in front of a real relay, asked over TLS. The examples are changed
in places and sizes only: ports, the certificate's path, and how often somebody looks whether the relay is well."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import neighbours
import relay

EXAMPLES = relay.ROOT / "packaging" / "proxy"
BODY_MAX = 25 * 1024 * 1024
UNSLOWED = 10  # bad tokens that one address may present in a minute
RELAY = "127.0.0.1:8080"


def free_ports(count):
    """Ports that nobody has. Before a proxy takes them somebody else may; then it is started again with others."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Example:
    """What holds for each of them. A subclass says how its server is configured, checked and started."""

    BEGINNING = None  # what of a body has to come before it is refused for its length

    @classmethod
    def setUpClass(cls):
        cls.relay = relay.Relay(os.environ["BATON"], (relay.ROOT / "packaging" / "baton.yml").read_text())
        cls.addClassCleanup(cls.relay.stop)
        cls.prepare()
        assert any(cls.start() for _ in range(3)), (cls.folder / "log").read_text()

    @classmethod
    def prepare(cls):
        """A folder of its own, and a certificate in it."""
        cls.folder = Path(tempfile.mkdtemp(prefix="baton-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.certificate = cls.folder / "certificate.pem"
        made = relay.run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=baton",
                         "-addext", f"subjectAltName=DNS:{relay.NAME}", "-keyout", cls.folder / "key.pem", "-out", cls.certificate)
        assert made.returncode == 0, made.stderr
        (cls.folder / "both.pem").write_text(cls.certificate.read_text() + (cls.folder / "key.pem").read_text())

    @classmethod
    def start(cls):
        cls.plain_port, cls.port = free_ports(2)
        config = cls.configure()
        how = {"cwd": cls.folder, "env": {**neighbours.environment(), "XDG_DATA_HOME": str(cls.folder), "HOME": str(cls.folder)}}
        checked = relay.run(*cls.checking(config), **how)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        with (cls.folder / "log").open("w") as log:
            process = subprocess.Popen([str(word) for word in cls.starting(config)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **how)
        if relay.until(lambda: process.poll() is not None or cls.listens()) and process.poll() is None:
            cls.addClassCleanup(process.wait, relay.SOON)
            cls.addClassCleanup(process.terminate)
            return True
        process.kill()
        process.wait()
        return False

    @classmethod
    def listens(cls):
        with socket.socket() as trying:
            return trying.connect_ex(("127.0.0.1", cls.port)) == 0

    @classmethod
    def example(cls, name, changes):
        """The example as a file of the test's own."""
        own = cls.folder / name
        own.write_text(relay.with_changes((EXAMPLES / name).read_text(), {RELAY + cls.AFTER_RELAY: f"127.0.0.1:{cls.relay.port}" + cls.AFTER_RELAY,
                                                                         **changes}))
        return own

    def ask(self, path, body=None, headers=None, **how):
        return relay.ask(self.port, path, body, headers, trusting=self.certificate, **how)

    def test_pages_and_webhooks_pass(self):
        self.assertEqual(self.ask("/api/v1/openapi.json")[0], 200)
        status, text = relay.send_pull_request(self.port, trusting=self.certificate)
        self.assertEqual(status, 202, text)

    def test_plain_requests_are_sent_to_tls(self):
        asking = relay.connection(self.plain_port)
        self.addCleanup(asking.close)
        asking.request("GET", "/pulls?state=all", headers={"Host": relay.NAME})
        answer = asking.getresponse()
        self.assertEqual(answer.status, 308)
        self.assertRegex(answer.headers["Location"], rf"^https://{relay.NAME}(:\d+)?/pulls\?state=all$")

    def test_events_come_as_they_happen(self):
        listening = relay.connection(self.port, trusting=self.certificate)
        self.addCleanup(listening.close)
        listening.request("GET", "/api/v1/stream", headers={"Host": relay.NAME})
        answer = listening.getresponse()
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
        self.assertEqual(answer.readline(), b"retry: 1000\n")
        sent = time.monotonic()
        self.assertEqual(relay.send_pull_request(self.port, number=7, trusting=self.certificate)[0], 202)
        lines = iter(answer.readline, b"")
        self.assertTrue(any(line.startswith(b"data: ") and b"7" in line for line in lines))
        self.assertLess(time.monotonic() - sent, 10, "the next sign of life would have come after 15 s anyway")

    def test_the_largest_webhook_passes_and_a_larger_one_does_not(self):
        forged = {"X-Hub-Signature-256": "sha256=" + "0" * 64, "X-GitHub-Delivery": "d", "X-GitHub-Event": "push"}
        self.assertEqual(self.ask("/github/webhook", b" " * BODY_MAX, forged), (401, '{"detail":"Bad signature"}'))
        asking = relay.connection(self.port, trusting=self.certificate)
        self.addCleanup(asking.close)
        asking.putrequest("POST", "/github/webhook", skip_host=True)
        for name, value in {"Host": relay.NAME, **forged, "Content-Length": BODY_MAX + 1}.items():
            asking.putheader(name, value)
        asking.endheaders(self.BEGINNING)
        self.assertEqual(asking.getresponse().status, 413)

    def test_metrics_stay_inside(self):
        self.assertEqual(self.ask("/metrics")[0], 403)

    def test_nobody_gets_another_address_by_saying_so(self):
        def forge(number, source):
            began = time.monotonic()
            headers = {"Authorization": "Bearer forged", "X-Forwarded-For": f"192.0.2.{number}"}
            self.assertEqual(self.ask("/github/callback", b"{}", headers, source=source)[0], 401)
            return time.monotonic() - began

        for number in range(UNSLOWED):
            forge(number, "127.0.0.2")
        self.assertGreater(forge(UNSLOWED, "127.0.0.2"), 0.9, "it is slowed, whatever it calls itself")
        self.assertLess(min(forge(number, "127.0.0.3") for number in range(3)), 0.9, "and nobody else is")

    def test_a_relay_without_github_counts_as_well(self):
        self.assertEqual(self.ask("/readyz")[0], 503)
        self.assertFalse(relay.until(lambda: self.ask("/healthz")[0] != 200, seconds=1))


class Nginx(Example, unittest.TestCase):
    AFTER_RELAY = ";"

    @classmethod
    def configure(cls):
        own = cls.example("nginx.conf", {
            "listen 80;": f"listen 127.0.0.1:{cls.plain_port};",
            "listen 443 ssl": f"listen 127.0.0.1:{cls.port} ssl",
            "/etc/ssl/certs/baton.pem": str(cls.certificate),
            "/etc/ssl/private/baton.key": str(cls.folder / "key.pem"),
        })
        main = cls.folder / "main.conf"
        places = "".join(f"{kind}_temp_path {cls.folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""  # its own user could not write here
        main.write_text(f"{user} daemon off; pid {cls.folder}/pid; worker_processes 1; events {{}}\n"
                        f"http {{ access_log off; {places} include {own}; }}\n")
        return main

    @staticmethod
    def starting(config):
        return [neighbours.program("nginx"), "-e", "stderr", "-c", config]

    @classmethod
    def checking(cls, config):
        return [*cls.starting(config), "-t"]


class Haproxy(Example, unittest.TestCase):
    AFTER_RELAY = " check"

    @classmethod
    def configure(cls):
        return cls.example("haproxy.cfg", {
            "bind :80\n": f"bind 127.0.0.1:{cls.plain_port}\n",
            "bind :443 ssl": f"bind 127.0.0.1:{cls.port} ssl",
            "/etc/haproxy/baton.pem": str(cls.folder / "both.pem"),
            "inter 5s": "inter 100ms",
            "maxconn 12000": "maxconn 100",  # more than a test may open
        })

    @staticmethod
    def starting(config):
        return [neighbours.program("haproxy"), "-db", "-f", config]

    @classmethod
    def checking(cls, config):
        return [*cls.starting(config), "-c"]


class Caddy(Example, unittest.TestCase):
    AFTER_RELAY = " {"
    BEGINNING = b" " * 64 * 1024  # it gathers some before it passes a request on, and leaves the answer to the relay

    @classmethod
    def configure(cls):
        return cls.example("Caddyfile", {
            f"{relay.NAME} {{": f"{{\n\tadmin off\n\thttp_port {cls.plain_port}\n\thttps_port {cls.port}\n}}\n"
                                f"{relay.NAME} {{\n\tbind 127.0.0.1\n\ttls {cls.certificate} {cls.folder}/key.pem",
            "health_interval 5s": "health_interval 100ms",
        })

    @staticmethod
    def starting(config):
        return [neighbours.program("caddy"), "run", "--adapter", "caddyfile", "--config", config]

    @staticmethod
    def checking(config):
        return [neighbours.program("caddy"), "validate", "--adapter", "caddyfile", "--config", config]


if __name__ == "__main__":
    neighbours.needed()
    unittest.main()
