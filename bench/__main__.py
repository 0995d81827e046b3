"""Measures Baton on this machine, as ratios in one run: ./dev bench [--quick] [--check].

Prints a table with the budgets beside it and writes build/bench/report.json and report.md.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

import listeners
import measures
import pages
import postgres
import report

ROOT = Path(__file__).resolve().parents[1]


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="under two minutes; figures are rougher")
    parser.add_argument("--check", action="store_true", help="exit 1 when a budget is missed")
    parser.add_argument("--listeners", type=int, metavar="N", help="measure only how soon so many open pages hear of a change")
    parser.add_argument("--pages", type=int, nargs=2, metavar=("N", "M"), help="measure only the pages, over N and over M jobs")
    parser.add_argument("--postgres", action="store_true", help="measure only the relay over PostgreSQL, beside pgbench")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/release/bin", help="where the binaries are")
    parser.add_argument("--packages", type=Path, default=ROOT / "build/bench/probot", help="where npm installed")
    options = parser.parse_args()

    folder = ROOT / "build/bench/run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    bench = measures.Bench(options.programs.resolve(), options.packages.resolve(), folder, options.quick)
    if options.listeners:
        say(f"opening {options.listeners} streams")
        print(json.dumps(listeners.listening(bench, options.listeners), indent=2))
        return 0
    if options.postgres:
        say("the relay over PostgreSQL, by turns with pgbench")
        print(json.dumps(postgres.measured(bench), indent=2))
        return 0
    kept = ROOT / "build/bench"
    if options.pages:
        say(f"pages over {options.pages[0]:,} and {options.pages[1]:,} jobs; filling takes two minutes for each million")
        print(pages.compared(*(pages.looking(bench, jobs, kept) for jobs in options.pages)))
        return 0
    machine = report.Machine()
    figures = measure(bench, kept)
    where = machine.describe()
    text = report.markdown(figures, where)
    (kept / "report.json").write_text(json.dumps({"machine": where, "figures": figures}, indent=2) + "\n", encoding="utf-8")
    (kept / "report.md").write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    print(text)
    missed = report.missed(figures)
    if missed:
        print(f"{len(missed)} budgets missed: {'; '.join(missed)}")
    return 1 if missed and options.check else 0


def measure(bench, kept):
    figures = {}
    say("accepting webhooks, by turns with a server that does nothing")
    figures["accept"] = measures.accepting(bench)
    say("dispatching to the simulator")
    figures["dispatch"] = [measures.dispatching(bench, downstreams, delay) for downstreams in (10, 50) for delay in (0, 20)]
    figures["fan_out"] = measures.fan_out(bench)
    say("taking callbacks beside webhooks")
    figures["report"] = measures.reporting(bench)
    say("looking at pages over 1,000,000 jobs; the first time of a day they are made, two minutes")
    figures["pages"] = pages.looking(bench, 1_000_000, kept)
    say("starting")
    figures["start"] = measures.starting(bench)
    say("on one core, by turns with Probot")
    figures["probot"] = measures.beside_probot(bench)
    return figures


def say(words):
    print(f"bench: {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
