"""Steps of the schema say which older programs may go on beside them, and do nothing that those would stumble over
(docs/design/upgrade.md)."""

import re

from source import Finding, line_at

FIRST = 18  # the steps before were never run beside a program that did not know them
NAME = re.compile(r"^migrations/(?:sqlite|postgres)/([0-9]{4})_\w+\.sql$")
BESIDE = re.compile(r"^-- beside: ([0-9]{4})$", re.MULTILINE)
COMMENT = re.compile(r"--[^\n]*")
# What a program that was written before reads and writes is still there, under its name and with its type.
NARROWING = re.compile(
    r"\bDROP\s+(?:TABLE|COLUMN|VIEW)\b|\bRENAME\s+(?:TO|COLUMN|CONSTRAINT)\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b"
    r"|\bADD\s+COLUMN\s+(?:(?!\bDEFAULT\b)[^;,])*\bNOT\s+NULL\b(?:(?!\bDEFAULT\b)[^;,])*[;,]",
    re.IGNORECASE)


def check(tree):
    for path in sorted(tree.files):
        named = NAME.match(path)
        if not named or int(named.group(1)) < FIRST:
            continue
        text = tree.files[path]
        said = BESIDE.search(text)
        if not said or int(said.group(1)) > int(named.group(1)):
            yield Finding(path, 1, "migrations", "say in a line `-- beside: NNNN` which step a program has to know to go on beside "
                          "this one: its own number when every older relay has to be stopped first")
        elif int(said.group(1)) < int(named.group(1)):
            statements = COMMENT.sub(lambda match: " " * len(match.group()), text)
            for match in NARROWING.finditer(statements):
                yield Finding(path, line_at(text, match.start()), "migrations", f"`{' '.join(match.group().split())}` takes away what a "
                              f"program that knows step {said.group(1)} uses: widen now, and narrow in a release after the next")
