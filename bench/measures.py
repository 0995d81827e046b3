"""What is measured. Each function runs one comparison and returns plain figures; nothing here judges them."""

import concurrent.futures
import datetime
import itertools
import statistics
import time

import payloads
from servers import Relay, SECRET, Server, load

CONNECTIONS = 64


class Bench:
    """Where things are, and how long each step may take."""

    def __init__(self, programs, packages, folder, quick):
        self.programs, self.packages, self.folder, self.quick = programs, packages, folder, quick
        self.seconds = 3 if quick else 10
        self.rounds = 2 if quick else 4
        self._deliveries = itertools.count()
        pull = payloads.example(packages, "pull_request", "opened")
        push = payloads.example(packages, "push", None)
        self.pulls = payloads.write_bodies(folder / "pulls", lambda n: payloads.pull_request(pull, n), 256)
        self.pushes = payloads.write_bodies(folder / "pushes", lambda n: payloads.push(push, n), 64)

    def delivery(self):
        """A prefix that no other load of this run uses."""
        return f"bench-{next(self._deliveries)}"

    def accept(self, server, core=None, **options):
        options.setdefault("seconds", self.seconds)
        return load(self.programs, server, self.pulls, core, connections=CONNECTIONS, delivery=self.delivery(), **options)


def accepting(bench):
    """(a) against (b), by turns: the bare server, and the relay that verifies, commits and answers."""
    bare_reports, relay_reports, planned_us = [], [], []
    with Server([str(bench.programs / "bench_bare_server")], bench.folder / "bare") as bare, \
            Relay(bench.programs, bench.folder / "accept") as relay:
        idle_mb = relay.server.memory_mb()
        for server in (bare, relay.server):
            bench.accept(server, seconds=1)
        for _ in range(bench.rounds):
            bare_reports.append(bench.accept(bare))
            relay.wait_until_planned()
            before = relay.server.cpu()
            relay_reports.append(bench.accept(relay.server))
            relay.wait_until_planned()
            planned_us.append(1e6 * (relay.server.cpu() - before) / relay_reports[-1]["answered"])
        loaded_mb = relay.server.memory_mb("VmHWM")
        steady = bench.accept(relay.server, rate=500)
        copies = copies_of_one(bench, relay)
    for report in relay_reports:
        refuse_unless(report["statuses"].keys() == {"202"}, f"the relay answered {report['statuses']}")
    ratios = [b["per_second"] / a["per_second"] for a, b in zip(bare_reports, relay_reports)]
    return {
        "bare": summary(bare_reports),
        "relay": summary(relay_reports),
        "ratio": statistics.median(ratios),
        "ratios": ratios,
        "planned_cpu_us": statistics.median(planned_us),
        "steady_500": {key: steady[key] for key in ("per_second", "p50_ms", "p99_ms", "p999_ms", "statuses")},
        "duplicate": copies,
        "idle_mb": idle_mb,
        "loaded_mb": loaded_mb,
    }


def copies_of_one(bench, relay):
    """What a delivery costs that is known already."""
    report = bench.accept(relay.server, one_delivery=True)
    return {key: report[key] for key in ("answered", "per_second", "cpu_us", "statuses")}


def beside_probot(bench):
    """One core for the server, the other for the load, by turns: bare server, relay, Probot."""
    reports = {"bare": [], "baton": [], "probot": []}
    probot_command = ["node", str(bench.packages / "server.mjs")]
    environment = {"BENCH_SECRET": SECRET, "NODE_ENV": "production"}
    with Server([str(bench.programs / "bench_bare_server")], bench.folder / "bare", core=0) as bare, \
            Relay(bench.programs, bench.folder / "pinned", core=0) as relay, \
            Server(probot_command, bench.folder / "probot", core=0, environment=environment) as probot:
        for server in (bare, relay.server, probot):
            bench.accept(server, core=1, seconds=2)
        for _ in range(max(bench.rounds // 2, 1)):
            reports["bare"].append(bench.accept(bare, core=1))
            reports["probot"].append(bench.accept(probot, core=1))
            relay.wait_until_planned()
            reports["baton"].append(bench.accept(relay.server, core=1))
            relay.wait_until_planned()
        figures = {name: summary(all_of) for name, all_of in reports.items()}
        for name, server in (("bare", bare), ("baton", relay.server), ("probot", probot)):
            figures[name]["memory_mb"] = server.memory_mb()
    figures["cpu_ratio"] = figures["probot"]["cpu_us"] / figures["baton"]["cpu_us"]
    return figures


def dispatching(bench, downstreams, delay_ms, **options):
    """How fast a backlog of pushes becomes dispatches, one for each downstream."""
    with Relay(bench.programs, bench.folder / f"dispatch-{downstreams}-{delay_ms}", downstreams, **options) as relay:
        warm_up(bench, relay, downstreams)
        if delay_ms:
            relay.github.call("/_sim/faults", {"kind": "delay", "route": "dispatches", "delay_ms": delay_ms})
        relay.github.call("/_sim/requests", method="DELETE")
        count = (4_000 if bench.quick else 20_000) // downstreams
        cpu, github_cpu, began = relay.server.cpu(), relay.github.cpu(), time.monotonic()
        load(bench.programs, relay.server, bench.pushes, event="push", requests=count, connections=8,
             delivery=bench.delivery())
        relay.wait_for_dispatches(count * downstreams)
        took = time.monotonic() - began
        relay.wait_until_planned()
        made = relay.github.call("/_sim/requests")["requests"]
        dispatches = made["dispatches"]
        return {
            "downstreams": downstreams,
            "delay_ms": delay_ms,
            "dispatches": dispatches,
            "per_second": dispatches / took,
            "cpu_us": 1e6 * (relay.server.cpu() - cpu) / dispatches,
            "github_cpu_us": 1e6 * (relay.github.cpu() - github_cpu) / dispatches,
            "calls_per_dispatch": sum(made.values()) / dispatches,
            "memory_mb": relay.server.memory_mb("VmHWM"),
        }


def warm_up(bench, relay, downstreams):
    """One event, so that every downstream's token is there."""
    load(bench.programs, relay.server, bench.pushes, event="push", requests=1, connections=1, delivery=bench.delivery())
    relay.wait_for_dispatches(downstreams)


def fan_out(bench, downstreams=50, delay_ms=20):
    """From the webhook's first byte to the last of its dispatches, one event at a time."""
    events = 40 if bench.quick else 200
    waits = []
    with Relay(bench.programs, bench.folder / "fan-out", downstreams) as relay:
        warm_up(bench, relay, downstreams)
        relay.github.call("/_sim/faults", {"kind": "delay", "route": "dispatches", "delay_ms": delay_ms})
        for number in range(1, events + 1):
            prefix = bench.delivery()
            sent_at = time.time()
            load(bench.programs, relay.server, bench.pushes, event="push", requests=1, connections=1, delivery=prefix)
            relay.wait_for_dispatches(downstreams * (number + 1))
            lines = relay.github.call(f"/_sim/dispatches?delivery={prefix}-0")["dispatches"]
            refuse_unless(len(lines) == downstreams, f"{len(lines)} dispatches of one event")
            last = max(datetime.datetime.fromisoformat(line["at"].replace("Z", "+00:00")) for line in lines)
            # The simulator notes a dispatch when it arrives; the caller hears of it `delay_ms` later.
            waits.append(1000 * (last.timestamp() - sent_at) + delay_ms)
    waits.sort()
    return {
        "downstreams": downstreams,
        "delay_ms": delay_ms,
        "events": events,
        "p50_ms": waits[len(waits) // 2],
        "p99_ms": waits[min(len(waits) - 1, round(0.99 * len(waits)))],
        "max_ms": waits[-1],
    }


def reporting(bench, rate=200, webhooks=500):
    """Callbacks at a steady rate, each the first of its kind, beside webhooks at a steady rate."""
    wanted = rate * bench.seconds
    with Relay(bench.programs, bench.folder / "report", downstreams=1, level="L2") as relay:
        prefix = bench.delivery()
        load(bench.programs, relay.server, bench.pulls, requests=1, connections=1, delivery=prefix)
        relay.wait_for_dispatches(1)
        told = relay.github.call("/_sim/dispatches?bodies=1")["dispatches"][0]["body"]["client_payload"]
        bodies = payloads.reports_of(told, wanted)
        folder = payloads.write_bodies(bench.folder / "reports", lambda _: next(bodies), 2 * wanted)
        token = bench.folder / "token"
        token.write_text(relay.identity_token("org0/backend"))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            beside = pool.submit(bench.accept, relay.server, rate=webhooks)
            report = load(bench.programs, relay.server, folder, token=token, rate=rate, connections=16,
                          seconds=bench.seconds)
            beside = beside.result()
        refuse_unless(report["statuses"].keys() == {"200"}, f"the relay answered {report['statuses']}")
    return {
        "rate": rate,
        "webhooks": webhooks,
        "beside_p99_ms": beside["p99_ms"],
        **{key: report[key] for key in ("answered", "per_second", "p50_ms", "p99_ms", "p999_ms")},
    }


def starting(bench):
    """From exec to the first 2xx, with an empty store and with one that holds many deliveries."""
    figures = {}
    with Relay(bench.programs, bench.folder / "start") as relay:
        figures["empty_ms"] = 1000 * starts(relay, bench.rounds)
        figures["idle_mb"] = relay.server.memory_mb()
        wanted = 20_000 if bench.quick else 200_000
        bench.accept(relay.server, requests=wanted, seconds=120)
        relay.wait_until_planned()
        figures["full_ms"] = 1000 * starts(relay, bench.rounds)
        figures["full_deliveries"] = wanted
        figures["full_idle_mb"] = relay.server.memory_mb()
        figures["store_mb"] = (bench.folder / "start" / "baton.db").stat().st_size / 2**20
    return figures


def starts(relay, rounds):
    waits = []
    for _ in range(rounds):
        relay.server.stop()
        relay.start()
        waits.append(relay.server.seconds_to_first_2xx())
    return statistics.median(waits)


def summary(reports):
    return {
        "per_second": statistics.median(report["per_second"] for report in reports),
        "cpu_us": statistics.median(report["cpu_us"] for report in reports),
        "p50_ms": statistics.median(report["p50_ms"] for report in reports),
        "p99_ms": statistics.median(report["p99_ms"] for report in reports),
        "answered": sum(report["answered"] for report in reports),
    }


def refuse_unless(holds, words):
    if not holds:
        raise SystemExit(f"bench: {words}, so its figures mean nothing")
