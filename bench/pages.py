"""What each page costs a real relay over a store with many jobs, as a browser would wait for it."""

import datetime
import http.client
import json
import subprocess
import time

from servers import Relay

UPSTREAM = "upstream/project"
DOWNSTREAMS = [f"backend-{number:02}/project" for number in range(1, 41)]
ROUNDS = 200

# What is asked, and at most how many milliseconds its 95th percentile may take.
PAGES = {
    "overview, 7 days": ("/api/v1/overview?window=7d", 20),
    "overview, 90 days": ("/api/v1/overview?window=90d", 20),
    "grid": ("/api/v1/downstreams/{downstream}/grid", 25),
    "pull request": ("/api/v1/pulls/upstream/project/{pull}", 15),
    "pull requests": ("/api/v1/pulls", None),
    "downstream, 14 days": ("/api/v1/downstreams/{downstream}?window=14d", None),
    "downstream, 90 days": ("/api/v1/downstreams/{downstream}?window=90d", None),
    "trends, 90 days": ("/api/v1/trends?window=90d", None),
    "nightlies": ("/api/v1/nightly", None),
    "flaky jobs": ("/api/v1/flaky?window=14d", None),
    "clusters": ("/api/v1/clusters?window=14d", None),
    "deliveries": ("/api/v1/deliveries", None),
    "dead letters": ("/api/v1/dead", None),
    "status": ("/api/v1/status", None),
}


def filled(bench, jobs, folder):
    """The store of a season that ends today; one of another day is made anew, because pages look back from now."""
    today = (datetime.datetime.now(datetime.timezone.utc) - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)).days
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"hud-{jobs}-*"):
        if f"-{today + 1}-" not in old.name:
            old.unlink()
    subprocess.run([str(bench.programs / "bench_fill"), "--folder", str(folder), "--jobs", str(jobs), "--rounds", "0",
                    "--until", str(today + 1)], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob(f"hud-{jobs}-*-{today + 1}-*.db"))


def looking(bench, jobs, folder):
    """Every page in turn, over one connection."""
    store = filled(bench, jobs, folder)
    with Relay(bench.programs, bench.folder / f"pages-{jobs}", upstream=UPSTREAM, level="L2", names=DOWNSTREAMS, store=f"sqlite:{store}") as relay:
        start_ms = 1000 * relay.server.seconds_to_first_2xx()
        newest = json.loads(relay.server.get("/api/v1/pulls?limit=1"))["rows"][0]["number"]
        connection = http.client.HTTPConnection("127.0.0.1", relay.server.port, timeout=30)
        figures = {}
        for name, (path, _) in PAGES.items():
            before = relay.server.cpu()
            figures[name] = waits_of(connection, path, newest)
            figures[name]["cpu_ms"] = 1000 * (relay.server.cpu() - before) / ROUNDS
        connection.close()
        memory = relay.server.memory_mb("VmHWM")
    return {"jobs": jobs, "store_mb": store.stat().st_size / 2**20, "start_ms": start_ms, "memory_mb": memory, "pages": figures}


def waits_of(connection, path, newest):
    waits = []
    for number in range(ROUNDS):
        wanted = path.format(downstream=DOWNSTREAMS[number % len(DOWNSTREAMS)], pull=newest - number % 40)
        began = time.perf_counter()
        connection.request("GET", wanted, headers={"Accept-Encoding": "identity"})
        answer = connection.getresponse()
        body = answer.read()
        waits.append(1000 * (time.perf_counter() - began))
        if answer.status != 200:
            raise SystemExit(f"bench: {wanted} answered {answer.status}: {body[:200]!r}")
    waits.sort()
    return {"p50_ms": waits[len(waits) // 2], "p95_ms": waits[len(waits) * 95 // 100]}


def compared(first, last):
    """The pages of a larger store beside those of a smaller one."""
    lines = [f"| page | p50, p95, CPU ms at {first['jobs']:,} jobs | at {last['jobs']:,} | p50, CPU ratio |", "|---|---|---|---|"]
    for name in PAGES:
        a, b = first["pages"][name], last["pages"][name]
        lines.append(f"| {name} | {told(a)} | {told(b)} | {b['p50_ms'] / a['p50_ms']:.2f}, {b['cpu_ms'] / max(a['cpu_ms'], 0.01):.2f} |")
    lines.append(f"| start to the first 2xx | {first['start_ms']:.0f} | {last['start_ms']:.0f} | |")
    lines.append(f"| store MB, memory MB at most | {first['store_mb']:.0f}, {first['memory_mb']:.0f} | {last['store_mb']:.0f}, {last['memory_mb']:.0f} | |")
    return "\n".join(lines)


def told(one):
    return f"{one['p50_ms']:.2f}, {one['p95_ms']:.2f}, {one['cpu_ms']:.2f}"
