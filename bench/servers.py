"""The processes that are measured: started, watched through /proc, and ended by their own ids."""

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

SECRET = "a secret for measuring"
AUDIENCE = "baton-bench"
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """One process; its first line of output is its address."""

    def __init__(self, command, folder, core=None, environment=None):
        folder.mkdir(parents=True, exist_ok=True)
        if core is not None:
            command = ["taskset", "-c", str(core), *command]
        self.name = Path(command[0]).name
        self.errors = open(folder / f"{self.name}.log", "ab")
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=self.errors,
                                        env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline().decode().strip()
        if not line.startswith("http"):
            self.stop()
            raise SystemExit(f"bench: {' '.join(command)} did not start; see {folder}/{self.name}.log")
        self.url = line
        self.port = int(line.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def cpu(self):
        """Seconds of processor time, user and system, of the whole process so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mb(self, which="VmRSS"):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(which + ":"):
                return int(line.split()[1]) / 1024
        return 0.0

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return answer.read()

    def call(self, path, arguments=None, method=None):
        data = None if arguments is None else json.dumps(arguments).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or b"{}")

    def seconds_to_first_2xx(self, path="/healthz"):
        while True:
            try:
                self.get(path)
                return time.monotonic() - self.began
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() - self.began > 30:
                    raise
                time.sleep(0.001)


class Relay:
    """A simulated GitHub and a real `baton serve` over a folder of its own."""

    def __init__(self, programs, folder, downstreams=0, core=None, upstream="up/stream", level="L1", names=None, store="sqlite:baton.db"):
        self.programs, self.folder, self.core = programs, folder, core
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "app.pem").unlink(missing_ok=True)
        self.github = Server([str(programs / "baton"), "sim", "--make-key", "app.pem"], folder)
        self.github.call("/_sim/repos", {"repo": upstream})
        names = names or [f"org{number}/backend" for number in range(downstreams)]
        for name in names:
            self.github.call("/_sim/repos", {"repo": name})
        (folder / "secret").write_text(SECRET)
        (folder / "allowlist.yml").write_text(f"{level}:\n" + "".join(f"  - {name}\n" for name in names) if names else "{}\n")
        (folder / "baton.yml").write_text(
            f'listen: "127.0.0.1:0"\nstore: "{store}"\n'
            f'github: {{api_url: "{self.github.url}", app_id: 12345, private_key: {{file: app.pem}},\n'
            f'         webhook_secrets: [{{file: secret}}]}}\n'
            f'upstreams: [{{repo: {upstream}, allowlist: "file:allowlist.yml"}}]\n'
            f'oidc: {{audience: {AUDIENCE}, issuers: [{{issuer: "{self.github.url}/_oidc", kind: github-actions}}]}}\n'
            f'callbacks_per_minute: 60000\n')
        self.server = None
        self.start()

    def start(self):
        self.server = Server([str(self.programs / "baton"), "serve", "--config", "baton.yml"], self.folder, self.core)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.github.stop()

    def identity_token(self, repo):
        """What Actions would give a running job of this repository."""
        run = self.github.call("/_sim/runs", {"repo": repo})
        request = urllib.request.Request(f"{run['request_url']}&audience={AUDIENCE}",
                                         headers={"Authorization": f"Bearer {run['request_token']}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())["value"]

    def dispatched(self):
        return self.github.call("/_sim/requests")["requests"].get("dispatches", 0)

    def wait_for_dispatches(self, count, seconds=120):
        deadline = time.monotonic() + seconds
        while self.dispatched() < count:
            if time.monotonic() > deadline:
                raise SystemExit(f"bench: {self.dispatched()} of {count} dispatches after {seconds} s")
            time.sleep(0.01)

    def wait_until_planned(self, seconds=120):
        """Until planning has caught up with what was accepted: the processor time then includes it."""
        deadline = time.monotonic() + seconds
        before = -1.0
        while time.monotonic() < deadline:
            now = self.server.cpu()
            if now - before < 0.02:
                return
            before = now
            time.sleep(0.5)


def load(programs, server, bodies, core=None, **options):
    """Runs bench_load against a server; its report, with the processor time that the server spent meanwhile."""
    command = [str(programs / "bench_load"), "--port", str(server.port), "--bodies", str(bodies)]
    if "token" not in options:
        command += ["--secret", SECRET]
    for name, value in options.items():
        command += [f"--{name.replace('_', '-')}"] if value is True else [f"--{name.replace('_', '-')}", str(value)]
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    before = server.cpu()
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise SystemExit(f"bench: {answer.stderr.strip()}")
    report = json.loads(answer.stdout)
    report["cpu_s"] = server.cpu() - before
    report["cpu_us"] = 1e6 * report["cpu_s"] / max(report["answered"], 1)
    return report
