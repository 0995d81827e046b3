"""Lets libFuzzer look for input that breaks a promise: ./dev fuzz [TARGET…] [--seconds N] [--jobs N].

Seconds are of processor time, so a busy machine makes a run longer and not poorer. Each target starts from its seeds under tests/fuzz/corpus and from what earlier runs found (build/fuzz/corpus). An input
that breaks a promise is kept under tests/fuzz/crashes; mend it, then move it to the target's corpus, where every test
run feeds it again.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEEDS, CRASHES = HERE / "corpus", HERE / "crashes"
GROWN = ROOT / "build/fuzz/corpus"
INPUT_BYTES_MAX = 16_384
ROUNDS_MAX = 8  # a target that got less than its time in so many rounds is told with what it got


def main():
    targets = sorted(path.name for path in SEEDS.iterdir() if path.is_dir())
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(targets))
    parser.add_argument("--seconds", type=int, default=60, help="of processor time, for each target (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time (as many as there are processors)")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/fuzz/bin")
    parser.add_argument("--examples", type=Path, help="an installed @octokit/webhooks-examples")
    options = parser.parse_args()
    unknown = set(options.targets) - set(targets)
    if unknown:
        parser.error(f"there is no target {', '.join(sorted(unknown))}; there are {', '.join(targets)}")

    print(f"{'target':<18}{'seconds':>8}{'executions':>12}{'coverage':>10}{'inputs':>8}  findings", flush=True)
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        findings = list(pool.map(lambda target: fuzz(target, options), options.targets or targets))
    return 1 if any(findings) else 0


def fuzz(target, options):
    """One target, in rounds until it has had its time or something is found. The number of findings."""
    CRASHES.mkdir(exist_ok=True)
    folders = folders_of(target, options)
    before = set(CRASHES.glob(f"{target}-*"))
    spent, executions, rounds, end = 0.0, 0, 0, None
    while end is None or (end.sound and rounds < ROUNDS_MAX and spent < options.seconds - 1):
        end = one_round(target, max(1, round(options.seconds - spent)), folders, options)
        spent += end.seconds
        executions += end.executions
        rounds += 1
    crashes = sorted(set(CRASHES.glob(f"{target}-*")) - before)
    told = [f"{target:<18}{spent:>8.0f}{executions:>12}{end.coverage:>10}{end.inputs:>8}  {len(crashes)}"]
    if not end.sound:
        told += end.text.splitlines()[-60:]
    for crash in crashes:
        told.append(f"  kept: {crash.relative_to(ROOT)}\n  again: build/fuzz/bin/{target}_fuzz {crash.relative_to(ROOT)}")
    print("\n".join(told), flush=True)
    return max(len(crashes), int(not end.sound))


def folders_of(target, options):
    """Where inputs of a target come from; libFuzzer writes what it finds into the first."""
    grown = GROWN / target
    grown.mkdir(parents=True, exist_ok=True)
    folders = [grown, SEEDS / target]
    if options.examples and target in ("webhook", "dispatch_body"):
        folders.append(examples_for(target, options.examples))
    return folders


@dataclass
class Round:
    """How one run of libFuzzer ended; `seconds` are those it was given a processor for."""

    sound: bool
    seconds: float
    executions: int
    coverage: str
    inputs: str
    text: str


def one_round(target, seconds, folders, options):
    command = [str(options.programs / f"{target}_fuzz"), f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES_MAX}",
               "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={CRASHES}/{target}-",
               *dictionary(target), *map(str, folders)]
    environment = {"ASAN_OPTIONS": "detect_stack_use_after_return=1", "UBSAN_OPTIONS": "print_stacktrace=1", **os.environ}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read()

    def last(pattern):
        numbers = re.findall(pattern, text)
        return numbers[-1] if numbers else "0"

    return Round(process.returncode == 0, used.ru_utime + used.ru_stime, int(last(r"number_of_executed_units: +([0-9]+)")),
                 last(r"cov: ([0-9]+)"), last(r"corp: ([0-9]+)"), text)


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
