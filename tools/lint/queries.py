"""Statements of the store name their columns: a program goes on working while a newer one adds some (docs/design/upgrade.md)."""

import re

from source import Finding, line_at

JOINED = re.compile(r'"\s*(?:\\\n\s*)?"')  # two literals that the compiler makes one
# In a statement, `*` stands for columns after SELECT, a comma or a table's name; count(*) and products are neither.
STARS = re.compile(r"\bSELECT (?:DISTINCT )?\*|(?<![\w)])[a-z_]\w*\.\*(?=,| FROM\b)")
NAMELESS = re.compile(r"\bINSERT (?:OR \w+ )?INTO \w+ (?:VALUES|SELECT|DEFAULT)\b")


def check(tree):
    for path, text in tree.cxx("src/baton/store/"):
        # Joined in place, so that lines can still be counted.
        joined = JOINED.sub(lambda match: "\0" * len(match.group().replace("\n", "")) + "\n" * match.group().count("\n"), text)
        words = re.sub(r"[\0\n]", "", joined)
        places = [index for index, character in enumerate(joined) if character not in "\0\n"]
        for match in STARS.finditer(words):
            yield Finding(path, line_at(joined, places[match.start()]), "queries", f"`{match.group()}` is read by place, and a newer "
                          "Baton may add columns while this one runs: name those that are read (src/baton/store/sql/columns.hpp)")
        for match in NAMELESS.finditer(words):
            yield Finding(path, line_at(joined, places[match.start()]), "queries", f"`{match.group()}` fails once a newer Baton has "
                          "added a column: name those that are written")
