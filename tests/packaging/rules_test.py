"""Prometheus itself reads the rules and every expression of the dashboard, and plays through what makes each alert fire."""

import re
import tempfile
import unittest
from pathlib import Path

import neighbours
import relay
from monitoring_test import FOLDER, RULES, expressions

PLAYED = Path(__file__).resolve().parent / "prometheus-rules-played.yml"


def promtool(*words, **more):
    return relay.run(neighbours.program("promtool"), *words, **more)


class Rules(unittest.TestCase):
    def test_prometheus_reads_them(self):
        read = promtool("check", "rules", FOLDER / "prometheus-rules.yml")
        self.assertEqual(read.returncode, 0, read.stdout + read.stderr)

    def test_prometheus_reads_what_the_dashboard_asks(self):
        asked = [re.sub(r"\$__rate_interval", "5m", expression) for _, expression in expressions() if "label_values" not in expression]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            file.write("groups:\n  - name: dashboard\n    rules:\n")
            for number, expression in enumerate(asked):
                file.write(f"      - record: panel:{number}\n        expr: '{expression}'\n")
            file.flush()
            read = promtool("check", "rules", file.name)
        self.assertEqual(read.returncode, 0, read.stdout + read.stderr)
        self.assertIn(f"{len(asked)} rules found", read.stdout)

    def test_each_alert_fires_when_it_should_and_not_before(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "prometheus-rules.yml").write_text(RULES)
            (Path(folder) / "played.yml").write_text(PLAYED.read_text())
            played = promtool("test", "rules", "played.yml", cwd=folder)
        self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
        fired = set(re.findall(r"alertname: (\w+)\n +exp_alerts:\n", PLAYED.read_text()))
        self.assertEqual(fired, set(re.findall(r"- alert: (\w+)", RULES)), "each alert is played")


if __name__ == "__main__":
    neighbours.needed()
    unittest.main()
