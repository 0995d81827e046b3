"""Lets libFuzzer look for input that breaks a promise: ./dev fuzz [TARGET…] [--seconds N].

Each target starts from its seeds under tests/fuzz/corpus and from what earlier runs found (build/fuzz/corpus). An input
that breaks a promise is kept under tests/fuzz/crashes; mend it, then move it to the target's corpus, where every test
run feeds it again.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEEDS, CRASHES = HERE / "corpus", HERE / "crashes"
GROWN = ROOT / "build/fuzz/corpus"
INPUT_BYTES_MAX = 16_384


def main():
    targets = sorted(path.name for path in SEEDS.iterdir() if path.is_dir())
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(targets))
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/fuzz/bin")
    parser.add_argument("--examples", type=Path, help="an installed @octokit/webhooks-examples")
    options = parser.parse_args()
    unknown = set(options.targets) - set(targets)
    if unknown:
        parser.error(f"there is no target {', '.join(sorted(unknown))}; there are {', '.join(targets)}")

    found = 0
    print(f"{'target':<16}{'executions':>12}{'per second':>12}{'coverage':>10}{'inputs':>8}  findings", flush=True)
    for target in options.targets or targets:
        found += fuzz(target, options)
    return 1 if found else 0


def fuzz(target, options):
    """One target, time-boxed. The number of findings."""
    grown = GROWN / target
    grown.mkdir(parents=True, exist_ok=True)
    CRASHES.mkdir(exist_ok=True)
    folders = [grown, SEEDS / target]
    if options.examples and target in ("webhook", "dispatch_body"):
        folders.append(examples_for(target, options.examples))
    before = set(CRASHES.iterdir())
    command = [str(options.programs / f"{target}_fuzz"), f"-max_total_time={options.seconds}", f"-max_len={INPUT_BYTES_MAX}",
               "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={CRASHES}/{target}-",
               *dictionary(target), *map(str, folders)]
    environment = {"ASAN_OPTIONS": "detect_stack_use_after_return=1", "UBSAN_OPTIONS": "print_stacktrace=1", **os.environ}
    answer = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    crashes = sorted(set(CRASHES.iterdir()) - before)
    print(line_about(target, answer.stderr, len(crashes)), flush=True)
    if answer.returncode != 0:
        print("\n".join(answer.stderr.splitlines()[-60:]))
    for crash in crashes:
        print(f"  kept: {crash.relative_to(ROOT)}\n  again: build/fuzz/bin/{target}_fuzz {crash.relative_to(ROOT)}")
    return max(len(crashes), int(answer.returncode != 0))


def line_about(target, text, crashes):
    def last(pattern):
        numbers = re.findall(pattern, text)
        return numbers[-1] if numbers else "?"

    return (f"{target:<16}{last(r'number_of_executed_units: +([0-9]+)'):>12}{last(r'average_exec_per_sec: +([0-9]+)'):>12}"
            f"{last(r'cov: ([0-9]+)'):>10}{last(r'corp: ([0-9]+)'):>8}  {crashes}")


def dictionary(target):
    """The target's own words, or those of its family: http_head and http_reply share http.dict."""
    for name in (target, target.split("_")[0]):
        path = HERE / "dictionaries" / f"{name}.dict"
        if path.exists():
            return [f"-dict={path}"]
    return []


def examples_for(target, package):
    """GitHub's published payloads as inputs of a target; made anew from the installed package."""
    folder = ROOT / "build/fuzz/examples" / target
    folder.mkdir(parents=True, exist_ok=True)
    events = json.loads((package / "api.github.com/index.json").read_text(encoding="utf-8"))
    for event in events:
        for number, payload in enumerate(event["examples"]):
            body = json.dumps(payload, separators=(",", ":"))
            text = f"{event['name']}\n{body}" if target == "webhook" else body
            (folder / f"{event['name']}_{number}").write_text(text, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
