"""Each header compiles alone. A .cpp proves it for its own header by including it first; a header that has no .cpp is
compiled here by itself, with nothing in reach but what its folder may include. What is precompiled is in reach of every .cpp; for
what changed, clang-tidy compiles without it.

    python3 tools/lint/headers.py --build BUILD --compiler clang++-19
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import layers
from source import Finding, Tree, includes_of


def check(tree):
    for path, text in tree.cxx("src/"):
        header = path[: -len(".cpp")] + ".hpp"
        first = next(includes_of(text), None)
        if path.endswith(".cpp") and header in tree.files and (first is None or "src/" + first[1] != header):
            yield Finding(path, first[0] if first else 1, "headers", f'include "{header[len("src/"):]}" first: that is how we know '
                          "that it compiles alone")


def unproven(tree):
    """Headers that no .cpp includes first."""
    return [path for path, _ in tree.cxx("src/") if path.endswith(".hpp") and path[: -len(".hpp")] + ".cpp" not in tree.files]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=Path, help="a configured build folder")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2], type=Path)
    options = parser.parse_args()

    tree = Tree.read(options.root)
    graph = layers.graph_of(tree.files[layers.TABLE])
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-isystem/usr/include/postgresql", *definitions(options.build)]
    paths = unproven(tree)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as workers:
        faults = workers.map(lambda path: compile_alone(options, graph, flags, folder, path), paths)
        failed = [fault for fault in faults if fault]
    print("\n".join(failed))
    print(f"{len(paths)} headers compiled alone, {len(failed)} of them failed")
    return 1 if failed else 0


def definitions(build):
    """The -D flags of our own code, as the build has them."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if "/src/baton/" in entry["file"]:
            return [word for word in shlex.split(entry["command"]) if word.startswith("-D")]
    return []


def compile_alone(options, graph, flags, folder, path):
    """What the compiler says against a file that includes this header and nothing else; empty when it is content."""
    module = path.split("/")[2]
    roots = [f"-I{options.build}/include/{name}" for name in sorted(layers.reach(graph, module))]
    unit = Path(folder, path.replace("/", "_") + ".cpp")
    unit.write_text(f'#include "{path[len("src/"):]}"\n', encoding="utf-8")
    command = [options.compiler, *flags, *roots, str(unit)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode == 0:
        return ""
    return f"{path}:1: [headers] does not compile alone: include what it uses\n{answer.stderr.strip()}"


if __name__ == "__main__":
    sys.exit(main())
