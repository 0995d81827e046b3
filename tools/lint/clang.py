"""clang-format and clang-tidy, asked about the right files and answered in the same words as our own rules."""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source import Finding, includes_of

FORMAT = "clang-format-19"
TIDY = "clang-tidy-19"
FILES_MAX = 40  # about ten minutes on two cores; --all has no such bound
TIDY_SECONDS_MAX = 600
PRECOMPILED = re.compile(r" -Winvalid-pch -Xclang -include-pch -Xclang \S+")
DIAGNOSTIC = re.compile(r"^(?P<path>[^:\n]+):(?P<line>\d+):\d+: (?:warning|error): (?P<text>.*?)(?: \[(?P<check>[^\]]+)\])?$")


def cxx_paths(tree):
    return [path for path, _ in tree.cxx()]


def write_format(root, tree):
    paths = cxx_paths(tree)
    return subprocess.run([FORMAT, "-i", *paths], cwd=root, check=False).returncode if paths else 0


def format_findings(root, tree):
    found = {}
    command = [FORMAT, "--dry-run", *cxx_paths(tree)]
    answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    for line in answer.stderr.split("\n"):
        match = DIAGNOSTIC.match(line)
        if match:
            found.setdefault(match["path"], int(match["line"]))
    if answer.returncode and not found:
        return [Finding(".clang-format", 1, "format", f"{FORMAT} failed: {answer.stderr.strip()[:300]}")]
    return [Finding(path, line, "format", "not formatted: run ./dev format") for path, line in found.items()]


def all_sources(tree):
    return [path for path in cxx_paths(tree) if path.endswith(".cpp")]


def changed_sources(root, tree, base):
    """The .cpp files to look at: those that changed, and one that includes each header that changed. Without anything to
    compare with, all; never more than FILES_MAX, the sources before the tests."""
    changed = changed_paths(root, base)
    if changed is None:
        chosen = set(all_sources(tree))
    else:
        changed &= set(tree.files)
        readers = (reader_of(tree, path) for path in changed if path.endswith(".hpp"))
        chosen = {path for path in (*changed, *readers) if path and path.endswith(".cpp")}
    ordered = sorted(chosen)  # programs and src stand before tests
    if len(ordered) > FILES_MAX:
        print(f"tidy: looking at {FILES_MAX} of {len(ordered)} files; ./dev lint --all looks at every one", file=sys.stderr)
    return ordered[:FILES_MAX]


def reader_of(tree, header):
    own = header[: -len(".hpp")] + ".cpp"
    if own in tree.files:
        return own
    name = header.split("/", 1)[1]
    readers = (path for path, text in tree.cxx() if path.endswith(".cpp") and any(n == name for _, n, _ in includes_of(text)))
    return next(readers, None)


def changed_paths(root, base):
    """Paths that differ from the base, uncommitted and new ones included; None when there is nothing to compare with."""

    def git(*words):
        answer = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
        return answer.stdout.strip() if answer.returncode == 0 else None

    head = git("rev-parse", "HEAD")
    base = base or git("merge-base", "HEAD", "origin/main")
    if base == head or not base:
        base = git("rev-parse", "HEAD~1")  # on main itself: the last commit
    if not base:
        return None
    differing = git("diff", "--name-only", base)
    if differing is None:
        return None
    return set(differing.split("\n")) | set((git("ls-files", "--others", "--exclude-standard") or "").split("\n"))


def tidy_findings(root, build, files):
    commands = Path(root, build, "compile_commands.json")
    if not commands.is_file():
        return [Finding(str(build), 1, "tidy", "there are no compile commands: run ./dev build first")]
    known = {os.path.relpath(entry["file"], root) for entry in json.loads(commands.read_text())}
    files = [path for path in files if path in known]
    findings = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as workers:
        Path(folder, commands.name).write_text(without_precompiled(commands.read_text()), encoding="utf-8")
        for path, found in zip(files, workers.map(lambda path: tidy_one(root, folder, path), files)):
            print(f"tidy: {path}", file=sys.stderr, flush=True)
            findings += found
    return findings


def without_precompiled(commands):
    """The commands as they would be without precompiled headers, which hide a missing include and are slower to look at."""
    return PRECOMPILED.sub("", commands)


def tidy_one(root, commands, path):
    command = [TIDY, "-p", commands, "--quiet", path]
    try:
        answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=TIDY_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return [Finding(path, 1, "tidy", f"{TIDY} took more than {TIDY_SECONDS_MAX} s: the file is too much for one")]
    found = []
    for line in answer.stdout.split("\n"):
        match = DIAGNOSTIC.match(line)
        if not match:
            continue
        check, where = (match["check"] or "compiler").split(",")[0], in_source(root, match["path"])
        if where.startswith("..") and check != "clang-diagnostic-error":
            continue  # a library's own header is not ours to mend, unless it keeps our file from compiling
        found.append(Finding(where, int(match["line"]), check, match["text"]))
    if answer.returncode and not answer.stdout.strip():
        found.append(Finding(path, 1, "tidy", f"{TIDY} failed: {(answer.stderr or answer.stdout).strip()[:300]}"))
    return found


def in_source(root, path):
    """Headers are seen through the links under build/*/include: name the file that they lead to."""
    return os.path.relpath(os.path.realpath(Path(root, path)), root)
