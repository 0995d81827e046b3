"""How long until everybody who has a page open has heard of a change."""

import json
import select
import socket
import time
import urllib.request

import payloads
from servers import SECRET, Relay

QUIET_S = 1.0  # until nothing more comes of one webhook
PATIENCE_S = 30.0


class Crowd:
    """Many open streams, read by one thread."""

    def __init__(self, port, count, after):
        self.poll = select.epoll()
        self.sockets = {}
        request = f"GET /api/v1/stream?from={after} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode()
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            connection.sendall(request)
            connection.setblocking(False)
            self.poll.register(connection.fileno(), select.EPOLLIN)
            self.sockets[connection.fileno()] = connection

    def close(self):
        for connection in self.sockets.values():
            connection.close()
        self.poll.close()

    def drain(self, seconds):
        """Takes what is there until nothing came for so long."""
        while ready := self.poll.poll(seconds, maxevents=4096):
            for number, _ in ready:
                self.read(number)

    def read(self, number):
        got = self.sockets[number].recv(65536)
        if not got:
            raise SystemExit("bench: the relay closed a stream")
        return got

    def hear(self, since):
        """Seconds from `since` until each heard of a change, in order."""
        silent, heard = set(self.sockets), []
        deadline = time.monotonic() + PATIENCE_S
        while silent:
            if time.monotonic() > deadline:
                raise SystemExit(f"bench: {len(silent)} of {len(self.sockets)} listeners heard nothing in {PATIENCE_S:.0f} s")
            for number, _ in self.poll.poll(1.0, maxevents=4096):
                if b"event: change" in self.read(number) and number in silent:
                    silent.discard(number)
                    heard.append(time.monotonic() - since)
        return heard


def listening(bench, count, rounds=10):
    """From the answer to a webhook, which is after its commit, until the last of `count` streams has heard of it."""
    with Relay(bench.programs, bench.folder / "listeners", downstreams=1, level="L2") as relay:
        before_mb = relay.server.memory_mb()
        after = json.loads(relay.server.get("/api/v1/overview"))["stream_id"]
        crowd = Crowd(relay.server.port, count, after)
        crowd.drain(QUIET_S)
        open_mb = relay.server.memory_mb()
        template = payloads.example(bench.packages, "pull_request", "opened")
        heard, cpu = [], relay.server.cpu()
        for number in range(1, rounds + 1):
            send(relay.server.url, bench.delivery(), payloads.pull_request(template, number))
            heard.append(crowd.hear(time.monotonic()))
            crowd.drain(QUIET_S)
        cpu = relay.server.cpu() - cpu
        crowd.close()
    every = sorted(wait for one in heard for wait in one)
    return {
        "listeners": count,
        "p50_ms": 1e3 * every[len(every) // 2],
        "p99_ms": 1e3 * every[len(every) * 99 // 100],
        "last_ms": 1e3 * every[-1],
        "kb_each": 1024 * (open_mb - before_mb) / count,
        "cpu_ms_per_change": 1e3 * cpu / rounds,
    }


def send(url, delivery, body):
    headers = payloads.signed_headers(SECRET, "pull_request", delivery, body)
    request = urllib.request.Request(f"{url}/github/webhook", data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        if answer.status != 202:
            raise SystemExit(f"bench: the relay answered {answer.status}")
