"""Calls that only app may make: time, chance and the environment come through ports, so that whole weeks can be replayed
from a seed in seconds."""

import re

from source import Finding, code_of, line_at

# (pattern, folders where it may stand, what to do instead)
BANNED = [
    (r"\bsystem_clock\s*::\s*now\b", {"app"}, "the wall clock is read in app only: ask ports::Clock"),
    (r"\bsteady_clock\s*::\s*now\b", {"app", "async", "net"},
     "only timers of the event loop need this clock: ask ports::Clock for the time"),
    (r"\bstd\s*::\s*time\s*\(|(?<![\w.>:])time\s*\(\s*(?:nullptr|NULL|0|&)|\b(?:gettimeofday|clock_gettime)\s*\(", {"app"},
     "ask ports::Clock for the time"),
    (r"\brandom_device\b|\bmt19937(?:_64)?\b|\buniform_\w+_distribution\b|(?<![\w.>])s?rand\s*\(", {"app"},
     "chance comes from ports::Chance as a Draw; the standard distributions differ between libraries and break replays"),
    (r"\bthis_thread\s*::\s*sleep|(?<![\w.>:])(?:u|nano)?sleep\s*\(", set(),
     "nothing sleeps: wait on ports::Clock or on a condition"),
    (r"\b(?:secure_)?getenv\b", {"app"}, "the environment is read in app only: take the value as a setting"),
    (r"\bdetached\b", set(), "nobody could cancel or join it: spawn into a TaskGroup"),
    (r"\bstd\s*::\s*(?:cout|cerr|clog)\b", {"app", "tests"}, "tell the journal; only app and programs write to the terminal"),
]


def check(tree):
    for path, text in tree.cxx("src/baton/"):
        folder = path.split("/")[2]
        yield from findings_in(path, text, folder)
    for path, text in tree.cxx("tests/"):
        yield from findings_in(path, text, "app" if "/app/" in path or "/e2e/" in path else "tests")


def findings_in(path, text, folder):
    code = code_of(text)
    for pattern, folders, instead in BANNED:
        if folder in folders:
            continue
        for match in re.finditer(pattern, code):
            yield Finding(path, line_at(code, match.start()), "calls", f"`{match.group().strip(' (')}`: {instead}")
