"""Prepare, await, inspect: one await per statement, every operand already has a name. It reads better, and it is the
form that every compiler gets right (docs/adr/0001-compiler-and-error-type.md). A heuristic over the text: it knows
statements and brackets, not types."""

import re

from source import Finding, code_of, line_at

AWAIT = re.compile(r"\bco_await\b")
MADE_INSIDE = [
    (re.compile(r"[(,]\s*(?:[\w:]+::)?[A-Z]\w*(?:<[^;(){}]*>)?\s*\{"), "an object made in braces"),
    (re.compile(r"[(,]\s*\{"), "an object made in braces"),
    (re.compile(r"[(,]\s*\[[^\]]+\]\s*(?:\(|mutable|\{)"), "a lambda that captures"),
    (re.compile(r"[^?]\?[^?:]+:"), "a choice (`?:`)"),
]
CONDITION = re.compile(r"\b(?:if|while|switch)\s*\([^;{]*$")


def check(tree):
    for path, text in tree.cxx("src/baton/", "programs/", "tests/"):
        code = code_of(text)
        ends = []
        for match in AWAIT.finditer(code):
            end = end_of_statement(code, match.end())
            for fault in faults_of(code, match, end, ends):
                yield Finding(path, line_at(code, match.start()), "awaits", fault)
            ends.append(end)


def faults_of(code, match, end, ends):
    operand = code[match.end():end]
    for pattern, what in MADE_INSIDE:
        if pattern.search(operand):
            yield f"{what} inside an await: give it a name on the line before, then hand it over with std::move"
    if CONDITION.search(code[start_of_statement(code, match.start()):match.start()]):
        yield "an await inside a condition: await first, then look at what came back"
    if end in ends:
        yield "a second await in one statement: the world may have changed between the two, so write two statements"


def end_of_statement(code, offset):
    """Where the operand of an await ends: at the `;`, or at the bracket that was open before it."""
    depth = 0
    for at in range(offset, len(code)):
        c = code[at]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                return at
        elif c == ";" and depth == 0:
            return at
    return len(code)


def start_of_statement(code, offset):
    """After the `;`, `{` or `}` before it."""
    return max(code.rfind(c, 0, offset) for c in ";{}") + 1
