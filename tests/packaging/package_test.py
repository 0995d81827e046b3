"""The Debian package: what is in it, what its service may do, and whether the relay runs from it as nobody in particular."""

import os
import re
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

import relay

EXPOSURE_MAX = 15  # of 100, as `systemd-analyze security` counts; docs/operations/run.md names what was measured


def package():
    """The one that packaging.build made."""
    return next(Path(os.environ["BATON_PACKAGE"]).glob("baton_*.deb"))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="baton-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = Path(cls.folder.name) / "root"
        cls.control = Path(cls.folder.name) / "control"
        subprocess.run(["dpkg-deb", "-x", package(), cls.root], check=True)
        subprocess.run(["dpkg-deb", "-e", package(), cls.control], check=True)
        Path(cls.folder.name).chmod(0o755)

    def field(self, name):
        return relay.run("dpkg-deb", "-f", package(), name).stdout.strip()

    def test_holds_what_an_operator_expects(self):
        for path in ("usr/bin/baton", "usr/lib/systemd/system/baton.service", "etc/baton/baton.yml", "etc/baton/secrets",
                     "usr/share/man/man1/baton.1.gz", "usr/share/man/man1/baton-serve.1.gz",
                     "usr/share/bash-completion/completions/baton", "usr/share/zsh/site-functions/_baton",
                     "usr/share/fish/vendor_completions.d/baton.fish", "usr/share/doc/baton/copyright",
                     "usr/share/doc/baton/changelog.gz", "usr/share/doc/baton/config.example.yml",
                     "usr/share/doc/baton/operations/README.md", "usr/share/doc/baton/examples/proxy/nginx.conf",
                     "usr/share/doc/baton/examples/monitoring/prometheus-rules.yml"):
            self.assertTrue((self.root / path).exists(), path)
        self.assertTrue(os.access(self.root / "usr/share/doc/baton/examples/backup/baton-postgres", os.X_OK))

    def test_belongs_to_root_and_nobody_else_may_write(self):
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package()], capture_output=True, check=True).stdout
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            with tarfile.open(fileobj=file) as archive:
                members = archive.getmembers()
        self.assertGreater(len(members), 30)
        for member in members:
            self.assertEqual((member.uid, member.gid), (0, 0), member.name)
            self.assertEqual(member.mode & 0o022, 0, member.name)
        modes = {member.name.lstrip("./"): member.mode & 0o7777 for member in members}
        self.assertEqual(modes["etc/baton/secrets"], 0o700)
        self.assertEqual(modes["usr/bin/baton"], 0o755)
        self.assertEqual(modes["etc/baton/baton.yml"], 0o644)

    def test_says_what_it_needs(self):
        depends = self.field("Depends")
        for name in ("adduser", "ca-certificates", "libc6 (>=", "libsqlite3-0 (>=", "libssl3 (>="):
            self.assertIn(name, depends)
        self.assertEqual(self.field("Package"), "baton")
        self.assertIn(self.field("Version"), relay.run(self.root / "usr/bin/baton", "--version").stdout)

    def test_configuration_is_kept_on_upgrade(self):
        self.assertEqual((self.control / "conffiles").read_text(), "/etc/baton/baton.yml\n")

    def test_scripts_are_clean(self):
        for name in ("postinst", "prerm", "postrm"):
            script = self.control / name
            self.assertTrue(os.access(script, os.X_OK), name)
            found = relay.run("shellcheck", script)
            self.assertEqual(found.returncode, 0, found.stdout)

    def test_program_carries_no_more_than_it_needs(self):
        self.assertIn(", stripped", relay.run("file", self.root / "usr/bin/baton").stdout)

    def test_service_is_one_that_systemd_understands(self):
        (self.root / "bin").mkdir(exist_ok=True)
        (self.root / "bin/kill").touch(0o755)
        for unit in ("network-online.target", "multi-user.target", "sysinit.target", "basic.target", "shutdown.target"):
            (self.root / "usr/lib/systemd/system" / unit).write_text("[Unit]\n")
        looked = relay.run("systemd-analyze", "verify", "--man=no", f"--root={self.root}", "baton.service")
        self.assertEqual((looked.returncode, looked.stderr), (0, ""))

    def test_service_may_do_hardly_anything(self):
        unit = self.root / "usr/lib/systemd/system/baton.service"
        looked = relay.run("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", unit)
        self.assertEqual(looked.returncode, 0, looked.stdout)
        measured = re.search(r"Overall exposure level for baton.service: ([\d.]+)", looked.stdout)[1]
        told = (relay.ROOT / "docs/operations/run.md").read_text()
        self.assertIn(f"exposure level of {measured}", told, "the document tells another figure")

    def test_configuration_is_good_once_the_secrets_are_there(self):
        home = self.root / "etc/baton"
        config = home / "here.yml"
        config.write_text(relay.with_changes((home / "baton.yml").read_text(), {"/var/lib/baton/": f"{self.folder.name}/"}))
        program = self.root / "usr/bin/baton"
        before = relay.run(program, "check-config", config)
        self.assertEqual(before.returncode, 1, before.stdout)
        for name in ("app.pem", "webhook-secret", "admin-token"):
            self.assertIn(f"secrets/{name}: No such file or directory", before.stdout)
        relay.write_secrets(home / "secrets")
        after = relay.run(program, "check-config", config)
        self.assertEqual(after.returncode, 0, after.stdout)

    def test_relay_runs_from_it_as_nobody_in_particular(self):
        config = (self.root / "etc/baton/baton.yml").read_text()
        running = relay.Relay(self.root / "usr/bin/baton", config, **relay.unprivileged())
        try:
            self.assertEqual(relay.ask(running.port, "/healthz")[0], 200)
            status, text = relay.send_pull_request(running.port)
            self.assertEqual(status, 202, text)
            self.assertEqual(relay.send_pull_request(running.port, number=2)[0], 202)
        finally:
            self.assertEqual(running.stop(), 0)


if __name__ == "__main__":
    unittest.main()
