"""Who may include whom. The folders' own graph stands in src/baton/CMakeLists.txt and is enforced by include roots;
this check says it in words, keeps the table itself honest, and watches the libraries from outside."""

import re

from source import Finding, includes_of

TABLE = "src/baton/CMakeLists.txt"
MODULE = re.compile(r"baton_module\((\w+)(?:\s+USES\s+((?:(?!LIBRARIES)[\w]+\s*)+))?(?:\s*LIBRARIES[^)]*)?\)")

# They serve the ports side by side; what two of them need moves down to wire, net, crypto or base.
ADAPTERS = {"github", "oidc", "store", "sink", "obs", "sim"}
PURE = {"base", "domain", "quality", "wire", "ports", "crypto"}

ASIO = {"async", "relay", "hud", "net", "api", "github", "oidc", "report", "store", "sink", "sim", "app"}
SYSTEM = {"async", "net", "links", "store", "sim", "app", "obs"}

# The longest prefix that fits decides: (folders that may include it, why only they).
LIBRARIES = {
    "boost/asio/awaitable.hpp": (ASIO | {"ports"}, "ports may name asio::awaitable and nothing else of Boost"),
    "boost/asio/": (ASIO, "rules and codecs take values and return values; they do not wait"),
    "boost/system/": (ASIO, "foreign error codes become Error in the adapter, once"),
    "boost/asio/ssl": ({"net"}, "TLS is net's business"),
    "boost/beast/": ({"net"}, "Beast compiles slowly, so few files of net see it and everybody else sees our types"),
    "boost/url/": ({"net", "wire", "github", "config", "oidc"}, "addresses are parsed where they enter"),
    "boost/json/": ({"wire", "api", "github", "report", "store", "sim", "oidc", "sink"}, "JSON is parsed at the edge; no JSON value travels inside"),
    "boost/intrusive/": ({"net", "store", "async"}, "lists of waiting coroutines on hot paths; elsewhere the standard containers do"),
    "boost/optional/": ({"net"}, "Beast's interfaces need it; std::optional everywhere else"),
    "simdjson": ({"wire", "sim"}, "outside bytes are parsed once, in wire"),
    "pugixml.hpp": ({"wire"}, "outside bytes are parsed once, in wire"),
    "yaml-cpp/": ({"wire", "config"}, "files that people write are read in wire"),
    "openssl/": ({"crypto", "net"}, "crypto wraps OpenSSL, net needs it for TLS"),
    "curl/": ({"sink", "links"}, "mail leaves through one sink, strangers' links are tried in one place; other HTTP is net's"),
    "libpq-fe.h": ({"store"}, "the store port hides which database it is"),
    "sqlite3.h": ({"store"}, "the store port hides which database it is"),
    "zstd.h": ({"store"}, "how bodies are kept is the store's secret"),
    "spdlog/": ({"obs"}, "everybody else speaks to the journal port"),
    "prometheus/": ({"obs"}, "metrics are made from journal entries, never elsewhere"),
    "fmt/": (None, "everybody may format text"),
    "tl/": ({"base"}, "base/result.hpp wraps it"),
    "CLI/": (set(), "the command line belongs to programs/"),
}
SYSTEM_HEADER = re.compile(r"^(sys|netinet|arpa|linux)/|^(unistd|fcntl|poll|signal|netdb|pthread|dirent|errno|termios|spawn)\.h$")
STANDARD_HEADER = re.compile(r"^[a-z_0-9]+$")

# A header that needs one of these may be included by its own folder only: the rest must not see the library.
HIDDEN = ("boost/beast/", "boost/asio/ssl", "openssl/", "curl/", "libpq-fe.h", "sqlite3.h", "spdlog/", "prometheus/", "simdjson", "pugixml.hpp", "zstd.h")

# What is shown and must decide nothing: no code that decides may see it, through whatever header.
ADVICE = "src/baton/domain/attribution.hpp"
DECIDERS = re.compile(r"^src/baton/(relay/|domain/(gate|check|breaker|plan|rerun|level)[^/]*$)")


def graph_of(table):
    """Folder -> the folders it USES, as the table says."""
    text = re.sub(r"#[^\n]*", "", table)
    return {match[1]: set((match[2] or "").split()) for match in MODULE.finditer(text)}


def reach(graph, folder):
    """What a folder may include: itself, what it uses, and what those use."""
    seen, waiting = set(), [folder]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(graph.get(name, ()))
    return seen


def check(tree):
    graph = graph_of(tree.files.get(TABLE, ""))
    yield from table_findings(graph)
    for path, text in tree.cxx("src/baton/"):
        folder = path.split("/")[2]
        for line, name, quoted in includes_of(text):
            message = fault_of(graph, folder, name, quoted)
            if message:
                yield Finding(path, line, "layers", message)
    yield from leak_findings(tree)
    yield from advice_findings(tree)


def table_findings(graph):
    """The rules of the table itself, so that one added word cannot undo them."""
    for folder in graph:
        inside = reach(graph, folder) - {folder}
        adapters = inside & ADAPTERS
        if adapters and folder != "app":
            yield Finding(TABLE, 1, "layers", f"{folder} reaches {', '.join(sorted(adapters))}: only app names adapters, "
                          "the others go through a port")
        impure = inside - PURE
        if folder in PURE and impure:
            yield Finding(TABLE, 1, "layers", f"{folder} reaches {', '.join(sorted(impure))}: it takes values and "
                          "returns values, so it may use " + ", ".join(sorted(PURE)) + " only")


def fault_of(graph, folder, name, quoted):
    """What is wrong with one include, or None."""
    if quoted:
        parts = name.split("/")
        if parts[0] != "baton" or len(parts) < 3:
            return f'"{name}" is found by luck: write the whole name, "baton/<folder>/<file>"'
        if parts[1] not in reach(graph, folder):
            return (f"{folder} may not include {parts[1]}: the table in {TABLE} has no such edge. Go through a port, or move "
                    "what both need down to a folder that both use")
        return None
    if STANDARD_HEADER.match(name):
        return None
    if SYSTEM_HEADER.match(name):
        return None if folder in SYSTEM else f"<{name}> is the operating system's: only {listing(SYSTEM)} speak to it"
    prefix = max((key for key in LIBRARIES if name.startswith(key)), key=len, default=None)
    if prefix is None:
        return f"<{name}> belongs to no library that tools/lint/layers.py knows: add it there with its reason"
    folders, why = LIBRARIES[prefix]
    if folders is None or folder in folders:
        return None
    return f"{folder} may not include <{name}>: {why}" + (f" (allowed: {listing(folders)})" if folders else "")


def leak_findings(tree):
    """Headers that show a hidden library, and the files of other folders that include them."""
    direct = {path: {lib for _, name, _ in includes_of(text) for lib in HIDDEN if name.startswith(lib)}
              for path, text in tree.cxx("src/baton/")}
    for path, text in tree.cxx("src/baton/", "programs/"):
        folder = path.split("/")[2]
        for line, name, quoted in includes_of(text):
            target = "src/" + name
            if quoted and target in direct and target.split("/")[2] != folder:
                for library in sorted(shown(tree, direct, target)):
                    yield Finding(path, line, "layers", f'"{name}" shows {library} to {folder}: keep the library in a .cpp or '
                                  "in a header that only its own folder includes")


def advice_findings(tree):
    """Code that decides gates, checks or levels and sees whose failure something is said to be."""
    for path, text in tree.cxx("src/baton/"):
        if not DECIDERS.match(path):
            continue
        for line, name, quoted in includes_of(text):
            if quoted and ADVICE in included(tree, "src/" + name):
                yield Finding(path, line, "layers", f'"{name}" brings {ADVICE} along: whose failure it is gets shown and '
                              "decides nothing, so what decides may not see it")


def included(tree, path):
    """A header and all of ours that it brings along."""
    seen, waiting = set(), [path]
    while waiting:
        current = waiting.pop()
        if current not in seen and current in tree.files:
            seen.add(current)
            waiting += ["src/" + name for _, name, quoted in includes_of(tree.files[current]) if quoted]
    return seen


def shown(tree, direct, path):
    """The hidden libraries that a header of one folder brings along, through headers of that folder."""
    folder, seen, waiting, libraries = path.split("/")[2], set(), [path], set()
    while waiting:
        current = waiting.pop()
        if current in seen or current not in direct:
            continue
        seen.add(current)
        libraries |= direct[current]
        names = [name for _, name, quoted in includes_of(tree.files[current]) if quoted]
        waiting += ["src/" + name for name in names if name.startswith(f"baton/{folder}/")]
    return libraries


def listing(names):
    return ", ".join(sorted(names))
