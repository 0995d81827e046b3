"""Prometheus' rules and Grafana's dashboard: every metric, label and word in them is one that the relay has, and every alert has a
section that says what to do."""

import json
import os
import re
import unittest
from pathlib import Path

import relay

FOLDER = relay.ROOT / "packaging" / "monitoring"
RULES = (FOLDER / "prometheus-rules.yml").read_text()
DASHBOARD = json.loads((FOLDER / "grafana-dashboard.json").read_text())
MANUAL = (relay.ROOT / "docs/operations/metrics.md").read_text()
ALERTS = (relay.ROOT / "docs/operations/alerts.md").read_text()
FROM_PROMETHEUS = {"job", "instance", "le"}  # labels that the relay does not set itself
SELECTOR = re.compile(r"\b(baton_[a-z_]+)(?:\{([^}]*)\})?(\[)?")
MATCHER = re.compile(r'(\w+)(?:=~|=)"([^"]*)"')


def metrics_of_the_manual():
    """name: (kind, labels, meaning). That the manual has each metric of the relay and no other is a test of its own."""
    rows = re.findall(r"^\| `(baton_[a-z_]+)(?:\{([a-z,]+)\})?` \| (\w+) \| (.*) \|$", MANUAL, re.MULTILINE)
    return {name: (kind, set(filter(None, labels.split(","))), meaning) for name, labels, kind, meaning in rows}


def expressions():
    """(where, expression) of all rules, panels and variables."""
    texts = re.findall(r"expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)", RULES)
    yield from (("rules", " ".join((block or line).split())) for block, line in texts)
    for panel in DASHBOARD["panels"]:
        yield from ((panel["title"], target["expr"]) for target in panel.get("targets", []))
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"]


class Monitoring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = metrics_of_the_manual()

    def test_finds_what_it_looks_at(self):
        self.assertGreater(len(self.known), 40)
        self.assertEqual(sum(1 for where, _ in expressions() if where == "rules"), RULES.count("- alert:") + RULES.count("- record:"))
        self.assertGreater(sum(1 for _ in expressions()), 50)

    def described(self, name):
        """The metric's name without what a histogram adds to it."""
        plain = re.sub(r"_(bucket|count|sum)$", "", name)
        return plain if plain in self.known and self.known[plain][0] == "histogram" else name

    def test_every_metric_is_the_relays_own(self):
        program = Path(os.environ["BATON"]).read_bytes()
        for where, expression in expressions():
            names = {self.described(name) for name, _, _ in SELECTOR.findall(expression)}
            self.assertTrue(names or "up{" in expression, f"{where}: {expression}")
            for name in names:
                self.assertIn(name, self.known, where)
                self.assertIn(name.encode() + b"\0", program, where)

    def test_every_label_and_word_is_one_that_the_manual_explains(self):
        for where, expression in expressions():
            for name, matchers, _ in SELECTOR.findall(expression):
                _, labels, meaning = self.known[self.described(name)]
                for label, words in MATCHER.findall(matchers):
                    self.assertIn(label, labels | FROM_PROMETHEUS, f"{where}: {name}")
                    for word in words.split("|") if label not in FROM_PROMETHEUS else []:
                        self.assertRegex(meaning, rf"\b{word}\b", f"{where}: {name}")

    def test_counters_are_asked_how_fast_they_grow(self):
        for where, expression in expressions():
            for name, _, over_time in SELECTOR.findall(expression):
                if self.known[self.described(name)][0] != "gauge" and "offset" not in expression:
                    self.assertTrue(over_time, f"{where}: {name} without a window")

    def test_a_running_relay_has_them(self):
        running = relay.Relay(os.environ["BATON"], (relay.ROOT / "packaging" / "baton.yml").read_text())
        try:
            self.assertEqual(relay.send_pull_request(running.port)[0], 202)
            self.assertEqual(relay.ask(running.port, "/github/callback", b"{}")[0], 401)

            def shown():
                return set(re.findall(r"^# TYPE (\w+)", relay.ask(running.port, "/metrics")[1], re.MULTILINE))

            # These tell of something that a relay without GitHub does not meet.
            rare = {"baton_postings_total", "baton_reruns_total", "baton_gate_moves_total", "baton_level_moves_total"}
            asked = {self.described(name) for _, expression in expressions() for name, _, _ in SELECTOR.findall(expression)}
            self.assertTrue(relay.until(lambda: asked - rare <= shown()), asked - rare - shown())
        finally:
            running.stop()

    def test_every_alert_says_what_to_do(self):
        alerts = re.findall(r"- alert: (\w+)\n(.*?)(?=\n\n|\Z)", RULES, re.DOTALL)
        self.assertEqual([name for name, _ in alerts], re.findall(r"^## (Baton\w+)$", ALERTS, re.MULTILINE))
        for name, text in alerts:
            self.assertIn(f"runbook: docs/operations/alerts.md#{name.lower()}", text)
            self.assertRegex(text, r"labels: \{severity: (critical|warning|info)\}")
            self.assertIn("summary: ", text)

    def test_every_panel_has_a_place_of_its_own_and_asks_the_chosen_source(self):
        taken = set()
        for panel in DASHBOARD["panels"]:
            place = panel["gridPos"]
            here = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(here & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            taken |= here
            for asking in [panel, *panel.get("targets", [])] if panel["type"] != "row" else []:
                self.assertEqual(asking["datasource"], {"type": "prometheus", "uid": "${datasource}"}, panel["title"])
        numbers = [panel["id"] for panel in DASHBOARD["panels"]]
        self.assertEqual(len(numbers), len(set(numbers)))


if __name__ == "__main__":
    unittest.main()
