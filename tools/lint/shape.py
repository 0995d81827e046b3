"""What a tree that is cared for looks like: short files and functions, nothing dead, nothing that belongs elsewhere."""

import ast
import re

from source import CXX, Finding, code_of, includes_of, line_at

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
SIZED = CXX + (".py", ".ts", ".tsx")

# A line that ends in `) {`, perhaps with const and the like between, and is neither a statement nor a lambda. The lines of
# a long parameter list above it do not count: the measure is the body.
HEAD = re.compile(r"^[ \t]*(?P<head>[^\s#\n][^\n]*?\)[^;=\n]*|\)[^;=\n]*)\{[ \t]*$", re.MULTILINE)
NO_FUNCTION = re.compile(r"^\}?\s*(?:if|else|for|while|switch|do|try|catch|namespace|class|struct|enum|union)\b|\]\s*\(|^\)\)")

# What follows is spelled so that this file does not find itself.
LATER = "TO" + "DO"
OWNERLESS = re.compile(rf"\b(?:{LATER}|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b(?!\([a-z][\w-]*, [^)]+\))")
FOREIGN = [
    (re.compile(r"(?<![\w.~*}])/(?:work|home|root)" + r"/\w"), "a path of one machine: say it relative to the repository"),
    (re.compile(r"\b(?:deb|security|ftp)\.debian" + r"\.org|registry\.npm" + r"js\.org|pypi" + r"\.org|pythonhosted"
                + r"\.org|docker" + r"\.io|ghcr" + r"\.io"),
     "a package host: people and CI choose their own mirror, so no file names one"),
]


def check(tree):
    for path, text in sorted(tree.files.items()):
        if path.endswith(SIZED):
            yield from sizes(path, text)
        yield from leftovers(path, text)
    yield from unused_headers(tree)


def sizes(path, text):
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield Finding(path, 1, "size", f"{lines} lines: past {FILE_LINES_MAX} a file holds two ideas; part them, or list it in "
                      "tools/lint/exceptions.txt with its reason")
    for line, name, length in functions_of(path, text):
        if length > FUNCTION_LINES_MAX:
            yield Finding(path, line, "size", f"{name} has {length} lines: past {FUNCTION_LINES_MAX} nobody sees it whole; let it "
                          "decide and hand the doing to functions with names")


def functions_of(path, text):
    """(line, name, length) of each function with a body."""
    if path.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.lineno, node.name, node.end_lineno - node.lineno + 1
    elif path.endswith(CXX):
        code = code_of(text)
        for head in HEAD.finditer(code):
            if not NO_FUNCTION.search(head["head"]):
                name = re.search(r"([\w:~]+)\s*\(", head["head"])
                length = code.count("\n", head.end(), end_of_block(code, head.end())) + 1
                yield line_at(code, head.start("head")), name[1] if name else "this function", length


def end_of_block(code, offset):
    """Where the block closes whose `{` stands before the offset."""
    depth = 1
    for match in re.finditer(r"[{}]", code[offset:]):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return offset + match.start()
    return len(code)


def leftovers(path, text):
    for match in OWNERLESS.finditer(text):
        yield Finding(path, line_at(text, match.start()), "todo", "without an owner and a condition it stays for ever: write "
                      f"{LATER}(owner, when): what, or do it now")
    for pattern, why in FOREIGN:
        for match in pattern.finditer(text):
            yield Finding(path, line_at(text, match.start()), "words", f"`{match.group()}` is {why}")


def unused_headers(tree):
    """Headers that only their own .cpp and their own test know."""
    users = {}
    for path, text in tree.cxx():
        for _, name, quoted in includes_of(text):
            if quoted:
                users.setdefault(name, set()).add(path)
    for path, _ in tree.cxx("src/", "tests/", "programs/"):
        if not path.endswith(".hpp"):
            continue
        name = path.split("/", 1)[1] if not path.startswith("programs/") else path.rsplit("/", 1)[1]
        stem = path.rsplit("/", 1)[1][: -len(".hpp")]
        own = {path[: -len(".hpp")] + ".cpp"}
        others = {user for user in users.get(name, set()) - own if not user.endswith(f"/{stem}_test.cpp")}
        if not others:
            yield Finding(path, 1, "unused", "nobody includes this header but its own .cpp and test: delete what is dead, or "
                          "wire it up")
