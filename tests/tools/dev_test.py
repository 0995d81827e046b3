"""./dev and .ci/run with stand-ins for cmake, ctest and dpkg: what they print last and how they exit."""

import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Workshop(unittest.TestCase):
    """A copy of ./dev and .ci/run in a folder of its own, with programs that do as the test says."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "bin").mkdir()
        (self.root / ".ci").mkdir()
        shutil.copy(ROOT / "dev", self.root / "dev")
        shutil.copy(ROOT / ".ci" / "run", self.root / ".ci" / "run")
        self.program("dpkg-query", "printf installed")
        self.program("cmake", "mkdir -p build/release; touch build/release/build.ninja")
        self.program("apt-get", 'echo "apt-get $*"; exit 1')
        for name in ("package-lock.json", "descriptions.json", "prepare.mjs", "lib/prune.mjs"):
            path = self.root / "tests" / "conformance" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        self.program("npm", 'echo "npm $*" >>npm.log; mkdir -p tests/conformance/node_modules')
        self.program("node", "mkdir -p build/conformance")

    def program(self, name, script):
        path = self.root / "bin" / name
        path.write_text("#!/usr/bin/env bash\n" + textwrap.dedent(script) + "\n")
        path.chmod(0o755)

    def ctest(self, status, record):
        """A ctest that leaves this head of a record behind and exits with this status."""
        self.program("ctest", f"""
            while [[ $# -gt 0 ]]; do [[ $1 == --output-junit ]] && out=$2; shift; done
            cat >"$out" <<'XML'
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="x"
            {record}
            hostname="">
            <testcase name="tests=&quot;9&quot;" time="1"/>
            XML
            exit {status}""")

    def run_script(self, *words):
        environment = {**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}", "CI": "true"}
        answer = subprocess.run(words, cwd=self.root, env=environment, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, check=False)
        lines = answer.stdout.strip().split("\n")
        return answer.returncode, lines[-1], answer.stdout + answer.stderr


class Test(Workshop):
    CASES = [
        ("all pass", 0, 'tests="12" failures="0" disabled="0" skipped="0"', "12 passed, 0 failed", 0),
        ("some fail", 8, 'tests="12" failures="2" disabled="0" skipped="0"', "10 passed, 2 failed", 1),
        ("skipped ones did not pass", 0, 'tests="12" failures="0" disabled="1" skipped="2"', "9 passed, 0 failed", 0),
        ("no test at all", 8, 'tests="0" failures="0" disabled="0" skipped="0"', "0 passed, 1 failed", 1),
        ("nothing but skipped ones", 0, 'tests="3" failures="0" disabled="0" skipped="3"', "0 passed, 1 failed", 1),
        ("unhappy without a failure", 1, 'tests="4" failures="0" disabled="0" skipped="0"', "3 passed, 1 failed", 1),
    ]

    def test_ends_with_what_ctest_recorded(self):
        for name, status, record, line, code in self.CASES:
            with self.subTest(name):
                self.ctest(status, record)
                answer = self.run_script("./dev", "test")
                self.assertEqual((code, line), answer[:2], answer[2])

    def test_a_build_that_fails_is_a_failure(self):
        self.program("cmake", "exit 1")
        self.assertEqual((1, "0 passed, 1 failed"), self.run_script("./dev", "test")[:2])

    def test_an_old_record_does_not_count(self):
        (self.root / "build" / "release").mkdir(parents=True)
        (self.root / "build" / "release" / "suite.xml").write_text('<testsuite tests="5" failures="0">\n')
        self.program("ctest", "exit 3")
        self.assertEqual((1, "0 passed, 1 failed"), self.run_script("./dev", "test")[:2])


class Conformance(Workshop):
    def test_fetches_once(self):
        for _ in range(2):
            self.assertEqual(0, self.run_script("./dev", "conformance")[0])
        self.assertEqual(1, (self.root / "npm.log").read_text().count("npm ci"))
        (self.root / "tests" / "conformance" / "descriptions.json").write_text("{}")
        self.run_script("./dev", "conformance")
        self.assertEqual(2, (self.root / "npm.log").read_text().count("npm ci"), "the recipe is another one")

    def test_goes_on_loudly_without_npm(self):
        for name in ("npm", "node"):
            with self.subTest(name):
                self.program(name, "exit 1")
                self.ctest(0, 'tests="12" failures="0" disabled="0" skipped="5"')
                code, line, text = self.run_script("./dev", "test")
                self.assertEqual((0, "7 passed, 0 failed"), (code, line))
                self.assertIn("conformance tests will be SKIPPED", text)
                self.assertFalse((self.root / "build" / "conformance" / "ready").exists())


class Neighbours(Workshop):
    def test_are_unpacked_once(self):
        self.program("apt-get", 'echo "apt-get $*" >>../../apt.log; touch caddy_2.deb nginx_1.deb')
        self.program("dpkg-deb", 'mkdir -p "$3"; touch "$3/${2##*/}.unpacked"')
        for _ in range(2):
            self.assertEqual(0, self.run_script("./dev", "neighbours")[0])
        self.assertEqual(1, (self.root / "apt.log").read_text().count("download caddy haproxy"))
        names = sorted(path.name for path in (self.root / "build" / "neighbours" / "root").iterdir())
        self.assertEqual(["caddy_2.deb.unpacked", "nginx_1.deb.unpacked"], names)

    def test_go_missing_loudly_without_an_archive(self):
        self.ctest(0, 'tests="12" failures="0" disabled="0" skipped="2"')
        code, line, text = self.run_script("./dev", "test")
        self.assertEqual((0, "10 passed, 0 failed"), (code, line))
        self.assertIn("tests of the proxies and of Prometheus' rules will be SKIPPED", text)
        self.assertFalse((self.root / "build" / "neighbours" / "ready").exists())


class Package(Workshop):
    def test_stands_beside_the_build(self):
        self.program("cpack", 'while [[ $# -gt 0 ]]; do [[ $1 == -B ]] && to=$2; shift; done; mkdir -p "$to"; touch "$to/baton_1_all.deb"')
        code, _, text = self.run_script("./dev", "package")
        self.assertEqual(0, code, text)
        self.assertTrue((self.root / "build" / "release" / "baton_1_all.deb").exists())


class Setup(Workshop):
    def test_does_nothing_when_all_is_there(self):
        self.assertEqual((0, "", ""), self.run_script("./dev", "setup"))

    def test_says_what_it_needs_when_it_cannot_be_installed(self):
        self.program("dpkg-query", '[[ ${@: -1} == mold ]] || printf installed')
        self.program("sudo", 'while [[ $1 == -n || $1 == *=* ]]; do shift; done; "$@"')
        code, _, text = self.run_script("./dev", "setup")
        self.assertEqual(1, code)
        self.assertIn("apt-get update failed. Needed: mold", text)

    def test_names_the_boost_that_is_in_the_way(self):
        self.program("dpkg-query", '[[ ${@: -1} == libboost1.81-dev ]] || printf installed')
        code, _, text = self.run_script("./dev", "setup")
        self.assertEqual(1, code)
        self.assertIn("libboost1.74-dev is installed and cannot stand beside", text)

    def test_an_unknown_verb_is_unusable_input(self):
        self.assertEqual(2, self.run_script("./dev", "frobnicate")[0])


class Ci(Workshop):
    def outcome(self, test, lint):
        (self.root / "dev").write_text(f"#!/usr/bin/env bash\ncase $1 in test) {test} ;; lint) {lint} ;; esac\n")
        return self.run_script(".ci/run")[:2]

    def test_is_content_when_both_are(self):
        self.assertEqual((0, "7 passed, 0 failed"), self.outcome('echo "7 passed, 0 failed"', 'echo "0 findings"'))

    def test_findings_are_failures(self):
        outcome = self.outcome('echo "7 passed, 1 failed"; exit 1', 'echo "1 finding"; exit 1')
        self.assertEqual((1, "7 passed, 2 failed"), outcome)

    def test_a_step_that_falls_over_is_a_failure(self):
        self.assertEqual((1, "7 passed, 1 failed"), self.outcome('echo "7 passed, 0 failed"', "exit 3"))
        self.assertEqual((1, "0 passed, 1 failed"), self.outcome("exit 3", 'echo "0 findings"'))


if __name__ == "__main__":
    unittest.main()
