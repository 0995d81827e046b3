#!/usr/bin/env python3
"""A PostgreSQL server in a temporary folder, for as long as a command runs: postgres_server.py COMMAND [ARGUMENT...]

The command finds the server's address in BATON_TEST_POSTGRES; its exit code is ours."""

import glob
import os
import pwd
import shutil
import subprocess
import sys
import tempfile


def postgres_programs():
    """Where initdb and the others are, or None."""
    folders = [os.path.dirname(os.path.realpath(found))] if (found := shutil.which("initdb")) else []
    folders += sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    return next((folder for folder in folders if shutil.which("psql") and os.path.exists(f"{folder}/pg_ctl")), None)


class Server:
    """A PostgreSQL server that is heard on a socket in its own folder only. It does not run as root: then somebody else is asked to."""

    def __init__(self, options="-c fsync=off -c max_connections=60"):
        self.programs = postgres_programs()
        self.folder = tempfile.mkdtemp(prefix="baton-pg-")
        self.runs_as = {}
        if os.geteuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            user = names.get("postgres") or names["nobody"]
            self.runs_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.data = f"{self.folder}/data"
        self.options = f"-k {self.folder} -c listen_addresses='' {options}"
        self.program("initdb", "-D", self.data, "-A", "trust", "-U", "baton", "--locale=C", "-E", "UTF8", "--no-sync")
        self.start()

    def start(self):
        self.program("pg_ctl", "-D", self.data, "-o", self.options, "-l", f"{self.folder}/log", "-w", "-t", "60", "start")

    def program(self, name, *arguments):
        done = subprocess.run([f"{self.programs}/{name}", *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=120, text=True, **self.runs_as)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr}")

    def stop(self):
        self.program("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "-t", "60", "stop")
        shutil.rmtree(self.folder)

    def url(self, database="postgres"):
        return f"postgresql:///{database}?host={self.folder}&user=baton"

    def run(self, database, sql):
        """Everything in one transaction. What psql printed; an error of the server is raised with its words."""
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-1", "-v", "ON_ERROR_STOP=1", self.url(database)], input=sql,
                              capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout

    def command(self, sql):
        subprocess.run(["psql", "-X", "-q", self.url(), "-c", sql], check=True, timeout=120, capture_output=True)


def main(command):
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    if not postgres_programs():
        print("there is no PostgreSQL server here: ./dev setup installs it", file=sys.stderr)
        return 2
    server = Server()
    try:
        return subprocess.run(command, env={**os.environ, "BATON_TEST_POSTGRES": server.url("{}")}).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
