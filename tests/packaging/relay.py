"""A relay of the test's own: a configuration in a folder, a real `baton serve` on a free port, and ways to speak to it."""

import hashlib
import hmac
import http.client
import json
import os
import socket
import ssl
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECRET = "packaging"
NAME = "baton.example.org"  # what the examples call the relay
NOBODY = 65534
SKIPPED = 77  # what CTest counts as skipped
SOON = 20  # seconds; what has not happened by then will not


def unprivileged():
    """How to start a process that may not do more than a service could."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def give_away(folder):
    """To the user of `unprivileged`."""
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120,
                          check=False, **more)


def write_secrets(folder):
    """What /etc/baton/secrets holds once somebody has filled it in."""
    folder.mkdir(parents=True, exist_ok=True)
    made = run("openssl", "genrsa", "-out", folder / "app.pem", "2048")
    assert made.returncode == 0, made.stderr
    (folder / "webhook-secret").write_text(SECRET + "\n")
    (folder / "admin-token").write_text("0" * 64 + "\n")


def with_changes(text, changes):
    """The text with each of these passages replaced; one that is not there is a fault of the test or of the file."""
    for old, new in changes.items():
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the file"
        text = text.replace(old, new)
    return text


def on_this_machine(config, store):
    """The packaged configuration, except for where the store is, and that nobody outside this machine is asked."""
    return with_changes(config, {
        "sqlite:/var/lib/baton/baton.db": f"sqlite:{store}",
        "  app_id: 12345\n": "  app_id: 12345\n  api_url: \"http://127.0.0.1:9\"\n",
        "github:owner/upstream/.github/allowlist.yml@main": "file:allowlist.yml",
        "  audience: \"baton\"\n": "  audience: \"baton\"\n  issuers: [{issuer: \"http://127.0.0.1:9\", kind: github-actions}]\n",
    })


class Relay:
    """`baton serve` with the packaged configuration, until `stop`. `how` is for Popen: `unprivileged()`, say."""

    def __init__(self, program, config, **how):
        self.folder = tempfile.TemporaryDirectory(prefix="baton-")
        home = Path(self.folder.name)
        write_secrets(home / "secrets")
        (home / "allowlist.yml").write_text("L2: [owner/downstream]\n")
        (home / "baton.yml").write_text(on_this_machine(config, home / "baton.db"))
        if how:
            give_away(home)
        self.log = (home / "log").open("w")
        self.process = subprocess.Popen([program, "serve", "--config", home / "baton.yml", "--port", "0"], cwd=home, text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, **how)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            self.process.wait()
            raise AssertionError("the relay did not start: " + (home / "log").read_text())

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def stop(self):
        """Its exit code."""
        self.process.terminate()
        code = self.process.wait(SOON)
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()
        return code


class SecureConnection(http.client.HTTPSConnection):
    """To a server on this machine that has to prove to be NAME."""

    def connect(self):
        plain = socket.create_connection((self.host, self.port), self.timeout, self.source_address)
        self.sock = self._context.wrap_socket(plain, server_hostname=NAME)


def connection(port, trusting=None, source="127.0.0.1"):
    """Over TLS when there is a certificate to trust."""
    how = {"timeout": SOON, "source_address": (source, 0)}
    if trusting is None:
        return http.client.HTTPConnection("127.0.0.1", port, **how)
    return SecureConnection("127.0.0.1", port, context=ssl.create_default_context(cafile=trusting), **how)


def ask(port, path, body=None, headers=None, **how):
    """(status, text) of one request: GET, or POST with a body."""
    asking = connection(port, **how)
    try:
        asking.request("GET" if body is None else "POST", path, body, {"Host": NAME, **(headers or {})})
        answer = asking.getresponse()
        return answer.status, answer.read().decode()
    finally:
        asking.close()


def send_pull_request(port, number=1, size=0, **how):
    """(status, text): GitHub says that a pull request was opened, in so many bytes or some more."""
    sha = f"{number:040x}"
    body = json.dumps({
        "action": "opened", "number": number,
        "repository": {"id": 1, "full_name": "owner/upstream", "default_branch": "main"},
        "sender": {"login": "ann", "id": 5},
        "pull_request": {"number": number, "state": "open", "title": "One", "body": "x" * size, "draft": False, "labels": [],
                         "updated_at": "2026-11-16T12:00:00Z", "user": {"login": "ann", "id": 5}, "author_association": "MEMBER",
                         "head": {"sha": sha, "ref": "topic", "repo": {"id": 1, "full_name": "owner/upstream"}},
                         "base": {"sha": "b" * 40, "ref": "main", "repo": {"id": 1, "full_name": "owner/upstream"}}},
    }).encode()
    headers = {"X-GitHub-Event": "pull_request", "X-GitHub-Delivery": str(uuid.uuid4()), "Content-Type": "application/json",
               "X-Hub-Signature-256": "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}
    return ask(port, "/github/webhook", body, headers, **how)


def until(holds, seconds=SOON):
    """Asks again and again whether something holds; False when it never did."""
    for _ in range(seconds * 20):
        if holds():
            return True
        time.sleep(0.05)
    return False
