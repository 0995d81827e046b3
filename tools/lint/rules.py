"""All our own rules together, and the exceptions from them."""

import awaits
import calls
import headers
import layers
import migrations
import queries
import shape
from source import Finding

RULES = (layers, calls, awaits, headers, queries, migrations, shape)
EXCEPTIONS = "tools/lint/exceptions.txt"


def findings_of(tree):
    """What our own rules find, without what the list of exceptions gives a reason for."""
    excused, used = exceptions_of(tree), set()
    for rule in RULES:
        for finding in rule.check(tree):
            key = (finding.check, finding.path)
            if key in excused:
                used.add(key)
            else:
                yield finding
    for key, line in excused.items():
        if key not in used:
            yield Finding(EXCEPTIONS, line, "exceptions", f"{key[1]} needs no exception from {key[0]} any more: delete the line")


def exceptions_of(tree):
    """(check, path) -> line. A line reads `check path reason`; without a reason it does not count."""
    excused = {}
    for number, line in enumerate(tree.files.get(EXCEPTIONS, "").split("\n"), 1):
        words = line.split()
        if len(words) >= 3 and not line.startswith("#"):
            excused[(words[0], words[1])] = number
    return excused
