"""What every check works on: the tree as texts, and findings that explain themselves."""

import dataclasses
import os
import re
import subprocess
from pathlib import Path

CXX = (".cpp", ".hpp")
TEXT = CXX + (".py", ".md", ".cmake", ".txt", ".json", ".yml", ".yaml", ".sql", ".ts", ".tsx", ".css", ".html")


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    """One thing to mend: where, which check says so, why it matters and what to do."""

    path: str
    line: int
    check: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.check}] {self.message}"


class Tree:
    """The files of the project by path, relative to its root. Tests make one from a dictionary."""

    def __init__(self, files):
        self.files = dict(files)

    @staticmethod
    def read(root):
        files = {}
        for path in listed(root):
            full = Path(root, path)
            if full.is_file() and not full.is_symlink() and is_text(full):
                files[path] = full.read_text(encoding="utf-8", errors="replace")
        return Tree(files)

    def cxx(self, *folders):
        """(path, text) of the C++ files below these folders; of all without any."""
        for path in sorted(self.files):
            if path.endswith(CXX) and (not folders or path.startswith(folders)):
                yield path, self.files[path]


def is_text(path):
    if path.suffix:
        return path.suffix in TEXT
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def listed(root):
    """Paths of the files that belong to the project: git's answer, or a walk where git has none."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode == 0 and answer.stdout:
        return [path for path in answer.stdout.split("\0") if path]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", "node_modules", ".git")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def code_of(text):
    """The text with comments and the insides of literals blanked; every other character keeps its place."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    return LITERAL.sub(blank, text)


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<form>["<])(?P<name>[^">]+)[">]', re.MULTILINE)


def includes_of(text):
    """(line, name, is_quoted) of each include."""
    for match in INCLUDE.finditer(text):
        yield line_at(text, match.start()), match["name"], match["form"] == '"'
