"""The servers that `./dev neighbours` unpacked: where they are, and whether they are there at all."""

import os
import sys
from pathlib import Path

import relay

FOLDER = Path(os.environ.get("BATON_NEIGHBOURS", relay.ROOT / "build" / "neighbours"))


def program(name):
    places = [FOLDER / "root/usr" / folder / name for folder in ("bin", "sbin")]
    return next(place for place in places if place.exists())


def environment():
    """With the libraries that were unpacked beside them."""
    libraries = sorted({str(path.parent) for path in (FOLDER / "root/usr/lib").glob("*/*.so*")})
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries)}


def needed():
    if not (FOLDER / "ready").exists():
        print("SKIPPED: this needs Debian packages that are not here; ./dev neighbours unpacks them", file=sys.stderr)
        sys.exit(relay.SKIPPED)
