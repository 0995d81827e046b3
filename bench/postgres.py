"""The relay over PostgreSQL, beside what the same server commits for pgbench: one row of the size of a packed webhook each time."""

import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

import measures  # noqa: E402
from postgres_server import Server as Database  # noqa: E402
from servers import Relay  # noqa: E402

ROW_BYTES = 2_400


def commits_per_second(database, clients, seconds):
    """pgbench, one row and one commit at a time for each client."""
    script = f"{database.folder}/commit.sql"
    Path(script).write_text(f"INSERT INTO bare (row) VALUES (repeat('x', {ROW_BYTES}));\n")
    done = subprocess.run([f"{database.programs}/pgbench", "-n", "-f", script, "-c", str(clients), "-j", "1", "-T", str(seconds),
                           "-M", "prepared", database.url("bare")], capture_output=True, text=True, check=True)
    return float(re.search(r"tps = ([0-9.]+)", done.stdout)[1])


def measured(bench):
    database = Database(options="-c max_connections=60")
    try:
        database.command("CREATE DATABASE bare")
        database.run("bare", "CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY, row text)")
        database.command("CREATE DATABASE accept")
        database.command("CREATE DATABASE dispatch")
        bare = {clients: [] for clients in (1, 32)}
        accepted = []
        with Relay(bench.programs, bench.folder / "postgres", store=database.url("accept")) as relay:
            bench.accept(relay.server, seconds=1)
            for _ in range(bench.rounds):
                for clients, rates in bare.items():
                    rates.append(commits_per_second(database, clients, bench.seconds))
                relay.wait_until_planned()
                accepted.append(bench.accept(relay.server))
            relay.wait_until_planned()
            steady = bench.accept(relay.server, rate=500)
        dispatches = measures.dispatching(bench, 10, 0, store=database.url("dispatch"))
    finally:
        database.stop()
    return {
        "pgbench_commits_per_second": {clients: statistics.median(rates) for clients, rates in bare.items()},
        "accept": measures.summary(accepted),
        "statuses": [report["statuses"] for report in accepted],
        "steady_500": {key: steady[key] for key in ("per_second", "p50_ms", "p99_ms", "p999_ms", "statuses")},
        "dispatch": dispatches,
    }
