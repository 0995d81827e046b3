"""What downstreams run in their own CI: the scripts of actions/ and integrations/, with a stand-in for `baton` and real
git repositories."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted([*ROOT.glob("actions/*/*.sh"), *ROOT.glob("integrations/buildkite/hooks/*")])
WORKFLOWS = sorted([*ROOT.glob("actions/*/action.yml"), *ROOT.glob(".github/workflows/*.yml")])
ZEROS = "0" * 40


class Workshop(unittest.TestCase):
    """A folder of the test's own, first on PATH."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.output = self.root / "output"

    def baton(self, exit_code=0):
        """A `baton` that notes how it was called, one JSON list a line."""
        program = self.root / "baton"
        program.write_text(
            "#!/usr/bin/env python3\nimport json, os, sys\n"
            f"with open({str(self.root / 'calls')!r}, 'a') as file:\n"
            "    json.dump({'words': sys.argv[1:], 'url': os.environ.get('BATON_URL')}, file)\n    file.write('\\n')\n"
            f"sys.exit({exit_code})\n")
        program.chmod(0o755)

    def calls(self):
        path = self.root / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def run_bash(self, command, **variables):
        environment = {"PATH": f"{self.root}:{os.environ['PATH']}", "HOME": str(self.root), "GITHUB_OUTPUT": str(self.output),
                       "RUNNER_TEMP": str(self.root), **variables}
        return subprocess.run(["bash", *command], cwd=self.root, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)


class ReportAction(Workshop):
    def report(self, **variables):
        given = {"REPORT_STATUS": "completed", "REPORT_CONCLUSION": "success", "REPORT_URL": "https://relay.example.org", **variables}
        return self.run_bash([str(ROOT / "actions/report/report.sh")], **given)

    def test_passes_on_what_was_given_and_nothing_else(self):
        self.baton()
        answer = self.report(REPORT_MAX_TIME="10", REPORT_JOB_NAME="", REPORT_MATRIX="null")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.calls()[0]["words"], ["report", "--status=completed", "--url=https://relay.example.org", "--timeout=10s",
                                                    "--conclusion=success", "--matrix=null"])

    def test_lists_are_one_line_each(self):
        self.baton()
        self.report(REPORT_JUNIT="a/**/*.xml\n  b.xml  \n\n", REPORT_ENVIRONMENT="device=npu\ndriver=24.1 rc")
        words = self.calls()[0]["words"]
        for word in ("--junit=a/**/*.xml", "--junit=b.xml", "--environment=device=npu", "--environment=driver=24.1 rc"):
            self.assertIn(word, words)

    def test_no_value_becomes_a_command(self):
        self.baton()
        evil = f"$(touch {self.root}/evil)`touch {self.root}/evil`; touch {self.root}/evil \"'"
        self.report(REPORT_JOB_NAME=evil, REPORT_JUNIT=evil, REPORT_TEST_RESULTS=evil, REPORT_TRIAGE_VERDICT=evil)
        self.assertIn(f"--job-name={evil}", self.calls()[0]["words"])
        self.assertFalse((self.root / "evil").exists())

    def test_a_self_report_names_its_commit(self):
        self.baton()
        self.report(REPORT_EVENT_TYPE="nightly", REPORT_DELIVERY_ID="abc", REPORT_UPSTREAM="up/stream")
        self.assertEqual(self.calls()[0]["words"][-3:], ["--nightly", "--sha=abc", "--upstream=up/stream"])

    def test_not_to_proceed_is_no_failure_of_the_step(self):
        self.baton(exit_code=78)
        self.assertEqual(self.report(REPORT_STATUS="in_progress").returncode, 0)
        self.baton(exit_code=1)
        self.assertEqual(self.report(REPORT_STRICT="true").returncode, 1)

    def test_without_the_program_a_green_job_stays_green(self):
        answer = self.report(REPORT_BATON="baton-that-is-nowhere")
        self.assertEqual(answer.returncode, 0)
        self.assertIn("::error", answer.stdout)
        self.assertEqual(self.output.read_text(), "proceed=true\nstatus=no_program\n")
        self.assertEqual(self.report(REPORT_BATON="baton-that-is-nowhere", REPORT_STRICT="true").returncode, 1)


class CheckoutUpstream(Workshop):
    def setUp(self):
        super().setUp()
        self.upstream = self.root / "server" / "up" / "stream"
        self.upstream.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.base = self.commit("base")
        self.git("checkout", "--quiet", "-b", "topic")
        self.head = self.commit("topic")
        self.git("update-ref", "refs/pull/7/head", self.head)
        self.git("checkout", "--quiet", "main")
        self.main = self.commit("main")
        self.git("checkout", "--quiet", "--detach", "main")
        self.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
        self.merge = self.git("rev-parse", "HEAD")
        self.git("update-ref", "refs/pull/7/merge", self.merge)
        self.git("checkout", "--quiet", "main")
        self.git("branch", "--quiet", "-D", "topic")

    def git(self, *words):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
                       "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
        return subprocess.run(["git", "-C", str(self.upstream), *words], env=environment, capture_output=True, text=True,
                              check=True).stdout.strip()

    def commit(self, name):
        (self.upstream / name).write_text(name)
        self.git("add", name)
        self.git("commit", "--quiet", "-m", name)
        return self.git("rev-parse", "HEAD")

    def check_out(self, **variables):
        given = {"UPSTREAM_REPOSITORY": "up/stream", "UPSTREAM_SERVER": f"file://{self.root}/server", "CHECKOUT_PATH": "tree", **variables}
        return self.run_bash([str(ROOT / "actions/checkout-upstream/checkout.sh")], **given)

    def pull(self, **variables):
        return self.check_out(**{"UPSTREAM_EVENT": "pull_request", "UPSTREAM_PULL_NUMBER": "7", "UPSTREAM_PULL_SHA": self.head, **variables})

    def assert_at(self, answer, sha):
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        here = subprocess.run(["git", "-C", str(self.root / "tree"), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        self.assertEqual(here.stdout.strip(), sha)
        self.assertEqual(self.output.read_text(), f"sha={sha}\nrepository=up/stream\n")

    def test_a_pull_request_is_its_head(self):
        self.assert_at(self.pull(), self.head)
        self.assertTrue((self.root / "tree" / "topic").exists())

    def test_or_its_merge(self):
        self.assert_at(self.pull(CHECKOUT_PULL_REQUEST="merge"), self.merge)
        self.assertTrue((self.root / "tree" / "main").exists())

    def test_a_push_is_what_came_after(self):
        self.assert_at(self.check_out(UPSTREAM_EVENT="push", UPSTREAM_PUSH_SHA=self.base), self.base)

    def test_a_nightly_is_the_head_of_its_branch(self):
        self.assert_at(self.check_out(UPSTREAM_EVENT="nightly", UPSTREAM_NIGHTLY_SHA=self.main), self.main)

    def test_all_of_the_history_when_asked_for(self):
        self.assert_at(self.pull(CHECKOUT_DEPTH="0"), self.head)
        count = subprocess.run(["git", "-C", str(self.root / "tree"), "rev-list", "--count", "HEAD"], capture_output=True, text=True, check=True)
        self.assertEqual(count.stdout.strip(), "2")

    def test_a_merge_of_another_head_is_refused(self):
        answer = self.pull(CHECKOUT_PULL_REQUEST="merge", UPSTREAM_PULL_SHA=self.base)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("superseded", answer.stdout)

    def test_a_commit_that_is_not_there_is_refused(self):
        self.assertEqual(self.check_out(UPSTREAM_EVENT="push", UPSTREAM_PUSH_SHA="a" * 40).returncode, 1)
        answer = self.pull(UPSTREAM_PULL_SHA="a" * 40)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("got commit", answer.stdout)

    def test_hostile_values_are_refused_and_run_nothing(self):
        evil = f"$(touch {self.root}/evil)"
        for change in ({"UPSTREAM_PULL_SHA": evil}, {"UPSTREAM_PULL_SHA": "main"}, {"UPSTREAM_PULL_SHA": "--upload-pack=touch"},
                       {"UPSTREAM_PULL_NUMBER": f"7/head {evil}"}, {"UPSTREAM_REPOSITORY": f"up/{evil}"},
                       {"UPSTREAM_REPOSITORY": "../../etc"}, {"UPSTREAM_REPOSITORY": "--upload-pack=x/y"}, {"UPSTREAM_EVENT": evil},
                       {"UPSTREAM_EVENT": ""}, {"CHECKOUT_DEPTH": "1; true"}, {"CHECKOUT_PATH": "--bare"}):
            with self.subTest(change):
                answer = self.pull(**change)
                self.assertEqual(answer.returncode, 1, answer.stdout)
                self.assertIn("::error", answer.stdout)
        self.assertEqual(self.check_out(UPSTREAM_EVENT="push", UPSTREAM_PUSH_SHA=ZEROS).returncode, 1)
        self.assertFalse((self.root / "evil").exists())


class BuildkiteHooks(Workshop):
    HOOKS = ROOT / "integrations/buildkite/hooks"

    def job(self, **variables):
        """Both hooks around a command, as the agent runs them: the first one is sourced."""
        script = f'BUILDKITE_COMMAND="echo working"; source {self.HOOKS}/pre-command; eval "$BUILDKITE_COMMAND"; ' \
                 f'export BUILDKITE_COMMAND_EXIT_STATUS=$?; bash {self.HOOKS}/pre-exit'
        return self.run_bash(["-c", script], BATON_URL="https://relay.example.org", **{"BATON_CLIENT_PAYLOAD": "{}", **variables})

    def test_reports_the_beginning_and_the_end(self):
        self.baton()
        answer = self.job(BATON_JUNIT="out/*.xml")
        self.assertEqual(answer.stdout, "working\n")
        self.assertEqual([call["words"] for call in self.calls()],
                         [["report", "--status", "in_progress"], ["report", "--status", "completed", "--junit=out/*.xml"]])
        self.assertEqual({call["url"] for call in self.calls()}, {"https://relay.example.org"})

    def test_leaves_a_build_alone_that_the_relay_did_not_start(self):
        self.baton()
        self.assertEqual(self.job(BATON_CLIENT_PAYLOAD="").stdout, "working\n")
        self.assertEqual(self.calls(), [])

    def test_does_not_work_when_told_not_to_proceed(self):
        self.baton(exit_code=78)
        answer = self.job()
        self.assertEqual((answer.returncode, answer.stdout), (0, ""))
        self.assertEqual(len(self.calls()), 1)


class Shipped(unittest.TestCase):
    def test_no_script_has_an_expression_in_its_text(self):
        self.assertTrue(WORKFLOWS)
        for path in WORKFLOWS:
            for line in path.read_text().splitlines():
                match = re.match(r"\s*(?:- )?run:(.*)", line)
                if match:
                    with self.subTest(f"{path.name}: {line.strip()}"):
                        self.assertNotIn("${{", match[1])
                        self.assertNotIn(match[1].strip(), ("|", ">", "|-", ">-"), "a script of several lines is a file")

    def test_scripts_are_what_shellcheck_likes(self):
        self.assertTrue(SCRIPTS)
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not here")
        answer = subprocess.run(["shellcheck", *map(str, SCRIPTS)], capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 0, answer.stdout)


if __name__ == "__main__":
    unittest.main()
