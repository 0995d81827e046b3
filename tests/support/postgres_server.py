#!/usr/bin/env python3
"""A PostgreSQL server in a temporary folder, for as long as a command runs: postgres_server.py [--preload LIBRARY] COMMAND [ARGUMENT...]

The command finds the server's address in BATON_TEST_POSTGRES; its exit code is ours. It may end the server and start it again with
$BATON_TEST_POSTGRES_HANDS start, and stop fast or stop immediate. The library is loaded into the server (tests/faults/full_disk.cpp)."""

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

    def __init__(self, options="-c fsync=off -c max_connections=60", preload=None):
        self.folder = tempfile.mkdtemp(prefix="baton-pg-")
        self.find_its_way()
        if self.runs_as:
            os.chown(self.folder, self.runs_as["user"], self.runs_as["group"])
        self.options = f"-k {self.folder} -c listen_addresses='' {options}"
        with open(f"{self.folder}/options", "w") as kept:
            kept.write(self.options)
        if preload:  # to where the server's user may read it
            shutil.copy(preload, f"{self.folder}/preloaded.so")
            os.chmod(f"{self.folder}/preloaded.so", 0o755)
        self.program("initdb", "-D", self.data, "-A", "trust", "-U", "baton", "--locale=C", "-E", "UTF8", "--no-sync")
        self.start()

    @classmethod
    def at(cls, folder):
        """One that somebody else made."""
        server = cls.__new__(cls)
        server.folder = folder
        server.find_its_way()
        with open(f"{folder}/options") as options:
            server.options = options.read()
        return server

    def find_its_way(self):
        self.programs = postgres_programs()
        self.data = f"{self.folder}/data"
        self.runs_as = {}
        if os.geteuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            user = names.get("postgres") or names["nobody"]
            self.runs_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def start(self):
        preload = f"{self.folder}/preloaded.so"
        environment = {"LD_PRELOAD": preload, "BATON_FULL_DISK": f"{self.folder}/full"} if os.path.exists(preload) else {}
        self.program("pg_ctl", "-D", self.data, "-o", self.options, "-l", f"{self.folder}/log", "-w", "-t", "60", "start", **environment)

    def program(self, name, *arguments, **environment):
        done = subprocess.run([f"{self.programs}/{name}", *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=120, text=True, env={**os.environ, **environment}, **self.runs_as)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr}")

    def halt(self, mode):
        self.program("pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "60", "stop")

    def stop(self):
        if os.path.exists(f"{self.data}/postmaster.pid"):  # whoever ended it for a trial may not have come to start it again
            self.halt("immediate")
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


def lend_a_hand(folder, verb, mode="fast"):
    server = Server.at(folder)
    server.start() if verb == "start" else server.halt(mode)
    return 0


def main(command):
    if command[:1] == ["--at"]:
        return lend_a_hand(*command[1:])
    preload = None
    if command[:1] == ["--preload"]:
        preload, command = command[1], command[2:]
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    if not postgres_programs():
        print("there is no PostgreSQL server here: ./dev setup installs it", file=sys.stderr)
        return 2
    server = Server(preload=preload)
    hands = f"{os.path.realpath(__file__)} --at {server.folder}"
    try:
        return subprocess.run(command, env={**os.environ, "BATON_TEST_POSTGRES": server.url("{}"),
                                            "BATON_TEST_POSTGRES_HANDS": hands}).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
