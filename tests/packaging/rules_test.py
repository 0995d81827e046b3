"""Prometheus itself reads the rules and every expression of the dashboard, plays through what makes each alert fire, and says what the
dashboard shows of several relays on one store."""

import json
import re
import tempfile
import unittest
from pathlib import Path

import neighbours
import relay
from monitoring_test import FOLDER, RULES, SELECTOR, expressions, metrics_of_the_manual

PLAYED = Path(__file__).resolve().parent / "prometheus-rules-played.yml"
WALKS = "baton_hook_log_walks_total"
OF_THE_LEAD = {"baton_webhooks_given_up", "baton_webhooks_astray", "baton_day_missing"}  # set by walks: a former lead's are old
EACH_ITS_OWN = {"baton_github_requests_in_flight"}  # the other gauges tell of what the relays share


def promtool(*words, **more):
    return relay.run(neighbours.program("promtool"), *words, **more)


def gauges_shown():
    """(gauge, its labels, what the dashboard asks about it). Versions are listed, not counted."""
    gauges = {name: labels for name, (kind, labels, _) in metrics_of_the_manual().items() if kind == "gauge" and name != "baton_build_info"}
    for where, expression in expressions():
        for name in {found for found, _, _ in SELECTOR.findall(expression)} & gauges.keys() if where != "rules" else ():
            yield name, gauges[name], expression.replace("$job", "baton").replace("$instance", ".*")


def two_relays(name, labels):
    """Series of a gauge that is 7 with both, unless it is old with the former one."""
    more = "".join(f',{label}="some"' for label in labels)
    for instance, value in (("former", 9 if name in OF_THE_LEAD else 7), ("lead", 7)):
        yield {"series": f'{name}{{job="baton",instance="{instance}"{more}}}', "values": f"{value}x30"}


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

    def test_the_dashboard_counts_once_what_relays_share(self):
        series = [{"series": f'{WALKS}{{job="baton",instance="former"}}', "values": "0+1x9 9x21"},
                  {"series": f'{WALKS}{{job="baton",instance="lead"}}', "values": "0x9 1+1x21"}]
        asked = []
        for name, labels, expression in gauges_shown():
            series += (one for one in two_relays(name, labels) if one not in series)
            kept = re.findall(r"^\w+ by \((\w+)\)", expression)
            asked.append({"expr": expression, "eval_time": "30m", "exp_samples": [
                {"labels": "{" + "".join(f'{label}="some"' for label in kept) + "}", "value": 14 if name in EACH_ITS_OWN else 7}]})
        self.assertGreater(len(asked), 10)
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            json.dump({"tests": [{"interval": "1m", "input_series": series, "promql_expr_test": asked}]}, file)
            file.flush()
            shown = promtool("test", "rules", file.name)
        self.assertEqual(shown.returncode, 0, shown.stdout + shown.stderr)

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
