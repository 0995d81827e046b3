"""Checks about the code itself. Each finding says why and what to do; the last line counts them.

    python3 tools/lint                            our own rules
    python3 tools/lint --format --tidy BUILD      and clang-format, and clang-tidy over what changed
    python3 tools/lint --write-format             format in place
"""

import argparse
import sys
from pathlib import Path

import clang
import rules
from source import Tree


def main():
    parser = argparse.ArgumentParser(prog="lint", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", action="store_true", help="ask clang-format too")
    parser.add_argument("--tidy", metavar="BUILD", help="ask clang-tidy too, with the compile commands of this folder")
    parser.add_argument("--all", action="store_true", help="clang-tidy over every file, not only over what changed")
    parser.add_argument("--base", help="what changed is counted from here; default: where this branch left main")
    parser.add_argument("--write-format", action="store_true", help="format in place and do nothing else")
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2], type=Path)
    options = parser.parse_args()

    tree = Tree.read(options.root)
    if options.write_format:
        return clang.write_format(options.root, tree)
    findings = list(rules.findings_of(tree))
    if options.format:
        findings += clang.format_findings(options.root, tree)
    if options.tidy:
        files = clang.all_sources(tree) if options.all else clang.changed_sources(options.root, tree, options.base)
        findings += clang.tidy_findings(options.root, Path(options.tidy), files)
    for finding in sorted(set(findings)):
        print(finding)
    count = len(set(findings))
    print(f"{count} finding{'' if count == 1 else 's'}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
