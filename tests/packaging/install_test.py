"""The package installed, upgraded, removed and purged by the real dpkg, over this machine's own files, of which it changes none: what
is written goes to memory. Needs root and overlay mounts; skipped elsewhere."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

import relay
from package_test import package

# A mount of this machine with a layer of memory on top, seen by this process and its children alone. What systemd would do is
# noted instead: the calls of the package's scripts are in /calls.
ENTER = r"""
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/written" "$1/work" "$1/machine"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/written,workdir=$1/work" "$1/machine"
cp "$2" "$1/machine/baton.deb"
cp -r "$3" "$1/machine/made"
mount -t proc proc "$1/machine/proc"
mount --bind /dev "$1/machine/dev"
rm -f "$1/machine/var/lib/man-db/auto-update" # its index takes a minute, and nobody looks anything up
mkdir -p "$1/machine/run/systemd/system"
for name in systemctl deb-systemd-invoke; do
    rm -f "$1/machine/usr/local/bin/$name"
    printf '#!/bin/sh\necho "%s $*" >>/calls\n' "$name" >"$1/machine/usr/local/bin/$name"
    chmod 755 "$1/machine/usr/local/bin/$name"
done
exec chroot "$1/machine" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -ec "$4"
"""


def on_a_copy(script):
    """What the script says and how it ends, run as root of a copy of this machine. Its /made holds good secrets."""
    with tempfile.TemporaryDirectory(prefix="baton-") as folder, tempfile.TemporaryDirectory(prefix="baton-") as made:
        relay.write_secrets(Path(made))
        return relay.run("unshare", "--mount", "--propagation=private", "sh", "-c", ENTER, "enter", folder, package(), made, script)


class Install(unittest.TestCase):
    def answers(self, script):
        done = on_a_copy(script)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_first_installation_makes_the_user_and_starts_nothing(self):
        said = self.answers("""
            dpkg -i /baton.deb >/dev/null
            getent passwd baton | cut -d: -f6-
            stat -c '%U:%G %a' /etc/baton/secrets
            cat /calls""")
        self.assertEqual(said, "/var/lib/baton:/usr/sbin/nologin\nroot:baton 750\nsystemctl --system daemon-reload\n")

    def test_upgrade_keeps_what_was_configured_and_restarts_what_runs(self):
        said = self.answers("""
            dpkg -i /baton.deb >/dev/null
            echo '# mine' >>/etc/baton/baton.yml
            echo key >/etc/baton/secrets/app.pem
            rm /calls
            dpkg -i /baton.deb >/dev/null
            tail -n 1 /etc/baton/baton.yml
            cat /etc/baton/secrets/app.pem /calls""")
        self.assertEqual(said, "# mine\nkey\nsystemctl --system daemon-reload\nsystemctl --quiet is-active baton.service\n"
                               "deb-systemd-invoke restart baton.service\n")

    def test_removal_stops_it_and_keeps_configuration_and_store(self):
        said = self.answers("""
            dpkg -i /baton.deb >/dev/null
            install -d -o baton /var/lib/baton
            touch /var/lib/baton/baton.db
            rm /calls
            dpkg -r baton >/dev/null
            ls /etc/baton/baton.yml /var/lib/baton/baton.db
            test ! -e /usr/bin/baton
            cat /calls""")
        self.assertEqual(said, "/etc/baton/baton.yml\n/var/lib/baton/baton.db\ndeb-systemd-invoke stop baton.service\n"
                               "systemctl --system daemon-reload\n")

    def test_purge_leaves_the_store_and_says_so(self):
        said = self.answers("""
            dpkg -i /baton.deb >/dev/null
            install -d -o baton /var/lib/baton
            touch /var/lib/baton/baton.db /etc/baton/secrets/app.pem
            mkdir -p /etc/systemd/system/multi-user.target.wants
            ln -s /lib/systemd/system/baton.service /etc/systemd/system/multi-user.target.wants/
            dpkg -P baton
            ls /var/lib/baton
            test ! -e /etc/baton
            test ! -L /etc/systemd/system/multi-user.target.wants/baton.service""")
        self.assertIn("baton: the store is kept in /var/lib/baton", said)
        self.assertTrue(said.endswith("\nbaton.db\n"), said)

    def test_configuration_is_good_for_the_service_and_its_secrets_for_nobody_else(self):
        said = self.answers("""
            dpkg -i /baton.deb >/dev/null
            install -d -o baton -g baton -m 0750 /var/lib/baton
            install -m 0640 -g baton /made/* /etc/baton/secrets/
            setpriv --reuid baton --regid baton --clear-groups baton check-config /etc/baton/baton.yml
            setpriv --reuid nobody --regid nogroup --clear-groups cat /etc/baton/secrets/app.pem 2>&1 || true""")
        self.assertIn("/etc/baton/baton.yml: good: 1 upstream on 127.0.0.1:8080, store /var/lib/baton/baton.db\n", said)
        self.assertTrue(said.endswith("cat: /etc/baton/secrets/app.pem: Permission denied\n"), said)


if __name__ == "__main__":
    if os.geteuid() != 0 or on_a_copy("true").returncode != 0:
        print("SKIPPED: installing for a try needs root and overlay mounts", file=sys.stderr)
        sys.exit(relay.SKIPPED)
    unittest.main()
